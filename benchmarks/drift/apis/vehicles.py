"""Tasks over the town's vehicles and who has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Taken, ahead, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Pair, Said, Way, attached, choice, day, disagreeing, item, person
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import everybody
from benchmarks.drift.apis.worlds import TODAY, days
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values, dated

__all__ = ("TEMPLATES",)


def _vehicles(rows: Rows, values: Values) -> list[Value]:
    return [Value(f"the {row['name']}", row["id"]) for row in rows["vehicles"]]


_SLANG: Final = {"van": "a transporter", "car": "a motor", "bike": "something with pedals"}


def _vehicle_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own = by(rows, "vehicles", values["vehicle"].value)
    sort = [row["id"] for row in where(rows, "vehicles", kind=own["kind"])]
    yield Way("A2", f"one of the {own['kind']}s", sort)
    yield Way("E1", _SLANG[own["kind"]], sort)
    called = names(rows, "vehicles")
    yield from disagreeing(
        own["id"],
        [id for id in sort if id != own["id"]][:1],
        lambda named, told: f"the {called[named]} (vehicle {told})",
    )


def _claimed(rows: Rows, vehicle: str, start: str, end: str, but: str = "") -> bool:
    return any(
        row["start"] <= end and start <= row["end"]
        for row in where(rows, "rentals", vehicle_id=vehicle, status="booked")
        if row["id"] != but
    )


def _rent_truth(rows: Rows, taken: Taken) -> Outcome | None:
    start, end = taken["start"], taken["end"]
    if end < start or start < TODAY.isoformat() or _claimed(rows, taken["vehicle"], start, end):
        return None
    return changes(insert("rentals", vehicle_id=taken["vehicle"], customer_id=taken["customer"], start=start, end=end))


def _rent(play: Play, v: Mapping[str, Any]) -> None:
    vehicle = finding.vehicle(play, v["vehicle"])
    customer = finding.customer(play, v["customer"])
    play("vehicles", "rent_vehicle", vehicle_id=vehicle, customer_id=customer, start=v["start"], end=v["end"])


def _starts(rows: Rows, values: Values) -> Sequence[str]:
    return [each.isoformat() for each in days(2, 14)]


def _ends(rows: Rows, values: Values) -> Sequence[str]:
    first = values["start"].value if "start" in values else TODAY.isoformat()
    return [ahead(first, number) for number in range(6)]


def _end_first(rows: Rows, values: Values) -> Iterable[Way]:
    start = values["start"].value
    early = dated(ahead(start, -3))
    yield Way("P4", early, list(_ends(rows, values)), f"{early} is before {dated(start)}.")


RENT_VEHICLE: Final = template(
    "rent-vehicle",
    "apis-harwick",
    (
        choice("vehicle", "entity", "vehicle", "{value}", _vehicles, _vehicle_ways, without="a vehicle"),
        person("customer", "driver", " for {value}", everybody),
        day("start", "first day", " from {value}", _starts),
        day("end", "last day", " to {value}", _ends, _end_first),
    ),
    ("Rent {vehicle}{customer}{start}{end}.", "Please put {vehicle} down{customer}{start}{end}."),
    _rent_truth,
    _rent,
    kind="insert",
)


def _rentals(rows: Rows, values: Values) -> list[Item]:
    """Rentals to come: "Ines Berg's van rental"."""
    people, vehicles = names(rows, "customers"), {row["id"]: row for row in rows["vehicles"]}
    return [
        Item(
            row["id"],
            people[row["customer_id"]],
            f"{vehicles[row['vehicle_id']]['kind']} rental",
            f"{vehicles[row['vehicle_id']]['kind']} rentals",
        )
        for row in where(rows, "rentals", status="booked")
    ]


def _extend_truth(rows: Rows, taken: Taken) -> Outcome | None:
    rental = by(rows, "rentals", taken["rental"])
    end = taken["end"]
    if end <= rental["end"] or _claimed(rows, rental["vehicle_id"], rental["start"], end, rental["id"]):
        return None
    return changes(change("rentals", rental["id"], end=end))


def _extend(play: Play, v: Mapping[str, Any]) -> None:
    play("vehicles", "extend_rental", rental_id=finding.rental(play, v["rental"]), end=v["end"])


def _later_ends(rows: Rows, values: Values) -> Sequence[str]:
    if "rental" not in values:
        return [each.isoformat() for each in days(6, 24)]
    return [ahead(by(rows, "rentals", values["rental"].value)["end"], number) for number in range(1, 8)]


def _no_extension(rows: Rows, values: Values) -> Iterable[Way]:
    end = by(rows, "rentals", values["rental"].value)["end"]
    early = dated(ahead(end, -1))
    yield Way("P4", early, list(_later_ends(rows, values)), f"That rental runs until {dated(end)} as it is.")


EXTEND_RENTAL: Final = template(
    "extend-rental",
    "apis-brisa",
    (
        item("rental", "rental", "rental", _rentals, past=("took out last year", "rented nothing last year")),
        day("end", "new last day", " to {value}", _later_ends, _no_extension),
    ),
    ("Extend {rental}{end}.", "Please make {rental} longer, up{end}."),
    _extend_truth,
    _extend,
    kind="change",
)


def _driver_truth(rows: Rows, taken: Taken) -> Outcome | None:
    people = {row["id"]: row for row in rows["customers"]}
    return told(people[row["customer_id"]]["street"] for row in where(rows, "rentals", vehicle_id=taken["vehicle"]))


def _driver(play: Play, v: Mapping[str, Any]) -> None:
    rentals = play.items("vehicles", "find_rentals", vehicle_id=finding.vehicle(play, v["vehicle"]))
    people = [play("customers", "get_customer", customer_id=each["customer_id"]) for each in rentals]
    play.answer(*(each["street"] for each in people))


def _rented(rows: Rows, values: Values) -> list[Value]:
    taken = {row["vehicle_id"] for row in rows["rentals"]}
    return [each for each in _vehicles(rows, values) if each.value in taken]


DRIVER: Final = template(
    "driver",
    "apis-tallen",
    (choice("vehicle", "entity", "vehicle", "{value}", _rented, _vehicle_ways, without="the vehicle"),),
    ("What is the street address of whoever has rented {vehicle}? Number and street will do.",
     "Somebody has rented {vehicle}. At what number and street do they live?"),
    _driver_truth,
    _driver,
    kind="read",
)  # fmt: skip


def _vehicle_pairs(rows: Rows, values: Values) -> list[Pair]:
    """Pairs of kinds with a limit of euros a day that leaves one of the second, and not all of the first."""
    prices: dict[str, list[int]] = {}
    for row in rows["vehicles"]:
        prices.setdefault(row["kind"], []).append(row["price"])
    return [
        Pair(first, second, limit)
        for first in sorted(prices)
        for second in sorted(prices)
        for limit in sorted({*prices[second]})[1:]
        if first != second and limit <= max(prices[first])
    ]


def _vehicle_words(rows: Rows, pair: Pair) -> Said:
    first, second, limit = f"{pair.first}s", f"{pair.second}s", pair.condition
    return Said(
        f"all the {first}, and those {second} that cost less than {limit} euros a day",
        f"the {first} and the {second}, of both only those that cost less than {limit} euros a day",
        f"the {first} and {second} that cost less than {limit} euros a day",
    )


def _vehicle_pair_ways(rows: Rows, values: Values) -> Iterable[Way]:
    first, second, _, scope = values["vehicles"].value
    like = [[*pair, scope] for pair in _vehicle_pairs(rows, values) if pair[:2] == (first, second)]
    if scope == "second":
        yield Way("E4", f"all the {first}s, and those {second}s that are cheap", like)
    yield Way("P1", f"the {first}s and {second}s with a ski rack", like, "No vehicle has a ski rack.")


def _vehicle_pair_truth(rows: Rows, taken: Taken) -> Outcome | None:
    first, second, limit, scope = taken["vehicles"]
    return told(
        row["name"]
        for row in rows["vehicles"]
        if (row["kind"] == second and row["price"] < limit)
        or (row["kind"] == first and (scope == "second" or row["price"] < limit))
    )


def _vehicle_pair(play: Play, v: Mapping[str, Any]) -> None:
    first, second, limit, scope = v["vehicles"]
    found = []
    for kind in (first, second):
        for each in play.items("vehicles", "find_vehicles", kind=kind):
            price = play("vehicles", "get_vehicle", vehicle_id=each["vehicle_id"])["price"]
            if price < limit or (kind == first and scope == "second"):
                found.append(each["name"])
    play.answer(*found)


VEHICLES_PAIR: Final = template(
    "vehicles-pair",
    "apis-brisa",
    (attached("vehicles", "which vehicles", _vehicle_pairs, _vehicle_words, _vehicle_pair_ways),),
    ("Give me the names of {vehicles}.", "I want to know the names of {vehicles}."),
    _vehicle_pair_truth,
    _vehicle_pair,
    kind="read",
)


TEMPLATES: Final[tuple[Template, ...]] = (
    RENT_VEHICLE,
    EXTEND_RENTAL,
    DRIVER,
    VEHICLES_PAIR,
)
