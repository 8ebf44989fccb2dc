"""Tasks over flights and bookings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Row, Taken, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import Item, Way, choice, day, disagreeing, item, person
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.worlds import days
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values, dated

__all__ = ("TEMPLATES",)


def _on(rows: Rows, taken: Taken) -> list[Row]:
    wanted = {} if taken["day"] is None else {"day": taken["day"]}
    return where(rows, "flights", origin="Harwick", destination=taken["to"], **wanted)


def _cheapest_truth(rows: Rows, taken: Taken) -> Outcome | None:
    prices = [row["price"] for row in _on(rows, taken)]
    return told([min(prices)], "number") if prices else None


def _cheapest(play: Play, v: Mapping[str, Any]) -> None:
    there = play.items("flights", "find_flights", origin="Harwick", destination=v["to"], day=v["day"])
    play.answer(min(play("flights", "get_flight", flight_id=each["flight_id"])["price"] for each in there))


_CITIES: Final = {"Tallen": "Tallen", "Porto Brisa": "Porto Brisa", "Sankt Elm": "Sankt Elm"}


def _city_ways(rows: Rows, values: Values) -> Iterable[Way]:
    every = list(_CITIES)
    yield Way("A2", "a city on the coast", ["Tallen", "Porto Brisa"])
    yield Way("E3", "the city with the fair", every)
    yield Way("P2", "Porto Elm", ["Porto Brisa", "Sankt Elm"], "There is no flight to a place called Porto Elm.")


CHEAPEST_FLIGHT: Final = template(
    "cheapest-flight",
    "apis-brisa",
    (
        choice("to", "filter", "destination", " to {value}", _CITIES, _city_ways),
        day("day", "day of the flight", " on {value}", lambda rows, values: [d.isoformat() for d in days(2, 8)]),
    ),
    ("What does the cheapest flight from Harwick{to}{day} cost, in euros?",
     "For how many euros can one fly from Harwick{to}{day} at the least?"),
    _cheapest_truth,
    _cheapest,
    kind="read",
)  # fmt: skip


def _flight_text(row: Row) -> str:
    return f"the {row['airline']} flight from {row['origin']} to {row['destination']} on {dated(row['day'])}"


def _flights(rows: Rows, values: Values) -> list[Value]:
    return [Value(_flight_text(row), row["id"]) for row in rows["flights"]]


def _flight_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own = by(rows, "flights", values["flight"].value)
    route = {"origin": own["origin"], "destination": own["destination"]}
    way = f"from {own['origin']} to {own['destination']}"

    def ids(**wanted: str) -> list[str]:
        return [row["id"] for row in where(rows, "flights", **wanted)]

    yield Way("A2", f"a flight {way} on {dated(own['day'])}", ids(**route, day=own["day"]))
    yield Way("A2", f"one of the flights {way}", ids(**route))
    yield Way("E3", f"the {own['airline']} flight {way}", ids(**route, airline=own["airline"]))
    yield Way("E3", f"the {own['airline']} flight on {dated(own['day'])}", ids(airline=own["airline"], day=own["day"]))
    yield Way("P1", f"the night flight {way} on {dated(own['day'])}", ids(**route, day=own["day"]),
              f"There is no night flight {way}.")  # fmt: skip
    yield from disagreeing(
        own["id"],
        [id for id in ids(**route) if id != own["id"]][:1],
        lambda named, told: f"{_flight_text(by(rows, 'flights', named))} (flight {told})",
    )


def _cabin_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("E1", " at the pointy end", ["business"])
    yield Way("E1", " among the cheap seats", ["economy"])
    both = ["economy", "business"]
    yield Way("P1", " in the sleeper cabin", both, "That flight has no sleeper cabin.")
    last = {row["cabin"] for row in where(rows, "bookings", customer_id=values["customer"].value)}
    if len(last) == 1:
        yield Way("A2", " in the same cabin as on their other flight", both, left=list(last))


def _book_flight_truth(rows: Rows, taken: Taken) -> Outcome | None:
    booking = {"flight_id": taken["flight"], "customer_id": taken["customer"]}
    business = {"cabin": "business"} if taken["cabin"] == "business" else {}
    return changes(insert("bookings", **booking, **business))


def _book_flight(play: Play, v: Mapping[str, Any]) -> None:
    flight = finding.flight(play, v["flight"])
    customer = finding.customer(play, v["customer"])
    play("flights", "book_flight", flight_id=flight, customer_id=customer, cabin=v["cabin"])


def _flyers_first(rows: Rows, values: Values) -> Sequence[str]:
    """Whoever has a booking already: of them one can find out how they fly."""
    return sorted({row["customer_id"] for row in rows["bookings"]})


BOOK_FLIGHT: Final = template(
    "book-flight",
    "apis-tallen",
    (
        choice("flight", "entity", "flight", " on {value}", _flights, _flight_ways, without=" on a flight"),
        person("customer", "passenger", "{value}", _flyers_first, without="that customer"),
        choice("cabin", "value", "cabin", "{value}",
               {"economy": " in economy", "business": " in business class"}, _cabin_ways),
    ),
    ("Book a seat{cabin} for {customer}{flight}.", "Please get {customer} a seat{cabin}{flight}."),
    _book_flight_truth,
    _book_flight,
    kind="insert",
)  # fmt: skip


def _bookings(rows: Rows, values: Values) -> list[Item]:
    people, flights = names(rows, "customers"), {row["id"]: row for row in rows["flights"]}
    return [
        Item(
            row["id"],
            people[row["customer_id"]],
            f"flight to {flights[row['flight_id']]['destination']}",
            f"flights to {flights[row['flight_id']]['destination']}",
        )
        for row in where(rows, "bookings", status="booked")
    ]


def _same_line(rows: Rows, booking: str) -> list[Row]:
    """Flights of the same airline on the same route, but the one that is booked."""
    own = by(rows, "flights", by(rows, "bookings", booking)["flight_id"])
    route = {key: own[key] for key in ("origin", "destination", "airline")}
    return [row for row in where(rows, "flights", **route) if row != own]


def _change_flight_truth(rows: Rows, taken: Taken) -> Outcome | None:
    found = [row for row in _same_line(rows, taken["booking"]) if row["day"] == taken["day"]]
    return changes(change("bookings", taken["booking"], flight_id=found[0]["id"])) if found else None


def _change_flight(play: Play, v: Mapping[str, Any]) -> None:
    booking, old = finding.booking(play, v["booking"])
    route = {"origin": old["origin"], "destination": old["destination"], "day": v["day"]}
    for each in play.items("flights", "find_flights", **route):
        if play("flights", "get_flight", flight_id=each["flight_id"])["airline"] == old["airline"]:
            play("flights", "change_flight", booking_id=booking, flight_id=each["flight_id"])


def _other_days(rows: Rows, values: Values) -> Sequence[str]:
    if "booking" not in values:
        return [each.isoformat() for each in days(2, 8)]
    return sorted({row["day"] for row in _same_line(rows, values["booking"].value)})


def _no_flight_that_day(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("P4", "2 April", list(_other_days(rows, values)), "2 April has passed.")


CHANGE_FLIGHT: Final = template(
    "change-flight",
    "apis-harwick",
    (
        item("booking", "booked flight", "booking", _bookings, past=("made last summer", "booked nothing last summer")),
        day("day", "new day of the flight", " to {value}", _other_days, _no_flight_that_day),
    ),
    ("Move {booking}{day}, with the same airline.", "Please rebook {booking}{day}. Keep the airline."),
    _change_flight_truth,
    _change_flight,
    kind="change",
)


TEMPLATES: Final[tuple[Template, ...]] = (
    CHEAPEST_FLIGHT,
    BOOK_FLIGHT,
    CHANGE_FLIGHT,
)
