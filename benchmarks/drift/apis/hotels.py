"""Tasks over rooms and stays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis import finding
from benchmarks.drift.apis.made import Row, Taken, ahead, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import (
    Item,
    Pair,
    Said,
    Way,
    amount,
    attached,
    choice,
    day,
    deed,
    disagreeing,
    item,
    person,
)
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.things import everybody
from benchmarks.drift.apis.worlds import TODAY, days
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values, dated

__all__ = ("TEMPLATES",)


def _room_text(room: Row) -> str:
    return f"room {room['number']} at {room['hotel']}"


def _free(rows: Rows, room: str, arrival: str, departure: str, but: str = "") -> bool:
    """Whether nobody else has the room, and the days make sense."""
    return TODAY.isoformat() <= arrival < departure and not any(
        row["arrival"] < departure and arrival < row["departure"]
        for row in where(rows, "stays", room_id=room, status="booked")
        if row["id"] != but
    )


def _rooms(rows: Rows, values: Values) -> list[Value]:
    return [Value(_room_text(row), row["id"]) for row in rows["rooms"]]


def _room_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own = by(rows, "rooms", values["room"].value)
    alike = where(rows, "rooms", hotel=own["hotel"], beds=own["beds"])
    kind = ("single", "double", "three-bed")[own["beds"] - 1]
    yield Way("E3", f"room {own['number']}", [row["id"] for row in where(rows, "rooms", number=own["number"])])
    yield Way("A2", f"a room at {own['hotel']}", [row["id"] for row in where(rows, "rooms", hotel=own["hotel"])])
    yield Way("A2", f"a {kind} room at {own['hotel']}", [row["id"] for row in alike])
    here = [row["id"] for row in where(rows, "rooms", hotel=own["hotel"])]
    yield Way("P2", f"room 407 at {own['hotel']}", here, f"{own['hotel']} has no room 407.")
    yield from disagreeing(
        own["id"],
        [id for id in here if id != own["id"]][:1],
        lambda named, told: f"{_room_text(by(rows, 'rooms', named))} (room id {told})",
    )


def _book_room_truth(rows: Rows, taken: Taken) -> Outcome | None:
    if not _free(rows, taken["room"], taken["arrival"], taken["departure"]):
        return None
    stay = {"room_id": taken["room"], "customer_id": taken["customer"]}
    return changes(insert("stays", **stay, arrival=taken["arrival"], departure=taken["departure"]))


def _book_room(play: Play, v: Mapping[str, Any]) -> None:
    room = finding.room(play, v["room"])
    customer = finding.customer(play, v["customer"])
    days = {"arrival": v["arrival"], "departure": v["departure"]}
    play("hotels", "book_room", room_id=room, customer_id=customer, **days)


def _arrivals(rows: Rows, values: Values) -> Sequence[str]:
    return [each.isoformat() for each in days(2, 15)]


def _departures(rows: Rows, values: Values) -> Sequence[str]:
    first = values["arrival"].value if "arrival" in values else TODAY.isoformat()
    return [ahead(first, nights) for nights in range(1, 8)]


def _too_early(rows: Rows, values: Values) -> Iterable[Way]:
    arrival = values["arrival"].value
    early = dated(ahead(arrival, -2))
    yield Way("P4", early, list(_departures(rows, values)), f"{early} is before {dated(arrival)}.")


def _late_arrival(rows: Rows, values: Values) -> Iterable[Way]:
    if "departure" in values:
        late = ahead(values["departure"].value, 1)
        before = [each for each in _arrivals(rows, values) if each < values["departure"].value]
        yield Way("P4", dated(late), before, f"{dated(late)} is after {dated(values['departure'].value)}.")


BOOK_ROOM: Final = template(
    "book-room",
    "apis-harwick",
    (
        choice("room", "entity", "room", "{value}", _rooms, _room_ways, without="a room"),
        person("customer", "guest", " for {value}", everybody),
        day("arrival", "arrival", " from {value}", _arrivals, _late_arrival),
        day("departure", "departure", " until {value}", _departures, _too_early),
    ),
    ("Book {room}{customer}{arrival}{departure}.", "Please reserve {room}{customer}{arrival}{departure}."),
    _book_room_truth,
    _book_room,
    kind="insert",
)


def _stays(rows: Rows, values: Values | None = None) -> list[Item]:
    """Stays to come: "Ines Berg's stay at The Gannet"."""
    people, rooms = names(rows, "customers"), {row["id"]: row for row in rows["rooms"]}
    return [
        Item(
            row["id"],
            people[row["customer_id"]],
            f"stay at {rooms[row['room_id']]['hotel']}",
            f"stays at {rooms[row['room_id']]['hotel']}",
        )
        for row in where(rows, "stays", status="booked")
    ]


_SUMMER = ("booked last summer", "booked no stay last summer")


def _change_stay_truth(rows: Rows, taken: Taken) -> Outcome | None:
    stay = by(rows, "stays", taken["stay"])
    until = taken["departure"]
    if until == stay["departure"] or not _free(rows, stay["room_id"], stay["arrival"], until, stay["id"]):
        return None
    return changes(change("stays", stay["id"], departure=until))


def _change_stay(play: Play, v: Mapping[str, Any]) -> None:
    stay = finding.stay(play, v["stay"])
    play("hotels", "change_stay", stay_id=stay["stay_id"], arrival=stay["arrival"], departure=v["departure"])


def _later_departures(rows: Rows, values: Values) -> Sequence[str]:
    if "stay" not in values:
        return [each.isoformat() for each in days(6, 24)]
    stay = by(rows, "stays", values["stay"].value)
    return [day for n in range(1, 8) if (day := ahead(stay["arrival"], n)) != stay["departure"]]


def _before_arrival(rows: Rows, values: Values) -> Iterable[Way]:
    arrival = by(rows, "stays", values["stay"].value)["arrival"]
    early = dated(ahead(arrival, -1))
    yield Way("P4", early, list(_later_departures(rows, values)), f"That stay only begins on {dated(arrival)}.")


CHANGE_STAY: Final = template(
    "change-stay",
    "apis-tallen",
    (
        item("stay", "stay", "stay", lambda rows, values: _stays(rows), past=_SUMMER),
        day(
            "departure",
            "day of departure",
            " on {value}",
            _later_departures,
            _before_arrival,
            without=" on another day",
        ),
    ),
    ("Change {stay}: they now leave{departure}, and arrive as planned.",
     "Please change {stay} so that it ends{departure}. The arrival stays as it is."),
    _change_stay_truth,
    _change_stay,
    kind="change",
)  # fmt: skip


def _stay_deed_truth(rows: Rows, taken: Taken) -> Outcome | None:
    stay = by(rows, "stays", taken["stay"])
    if taken["deed"] == "cancel":
        return changes(change("stays", stay["id"], status="cancelled"))
    until = ahead(stay["departure"], 1)
    if not _free(rows, stay["room_id"], stay["arrival"], until, stay["id"]):
        return None
    return changes(change("stays", stay["id"], departure=until))


def _stay_deed(play: Play, v: Mapping[str, Any]) -> None:
    stay = finding.stay(play, v["stay"])
    if v["deed"] == "cancel":
        play("hotels", "cancel_stay", stay_id=stay["stay_id"])
        return
    until = ahead(stay["departure"], 1)
    play("hotels", "change_stay", stay_id=stay["stay_id"], arrival=stay["arrival"], departure=until)


STAY_DEED: Final = template(
    "stay-deed",
    "apis-brisa",
    (
        deed(
            "deed",
            "what is to be done about the stay",
            {"cancel": "cancel it", "extend": "add one night at the end"},
            ("see to it", "change what is booked"),
            ("{stay} does not work as it is booked.", "The guest has second thoughts about {stay}."),
        ),
        item("stay", "stay", "stay", lambda rows, values: _stays(rows), past=_SUMMER),
    ),
    ("About {stay}: please {deed}.", "I have a request about {stay}: {deed}, please."),
    _stay_deed_truth,
    _stay_deed,
    kind="change",
    risky=True,
)


def _rooms_found(rows: Rows, taken: Taken) -> Outcome | None:
    wanted = {} if taken["hotel"] is None else {"hotel": taken["hotel"]}
    found = [row for row in where(rows, "rooms", beds=taken["beds"], **wanted) if row["price"] <= taken["price"]]
    return told(f"{row['number']}" for row in found) if wanted else None


def _find_rooms(play: Play, v: Mapping[str, Any]) -> None:
    found = play.items("hotels", "find_rooms", hotel=v["hotel"], beds=v["beds"])
    prices = {each["number"]: play("hotels", "get_room", room_id=each["room_id"])["price"] for each in found}
    play.answer(*(number for number, price in prices.items() if price <= v["price"]))


def _hotels(rows: Rows, values: Values) -> list[Value]:
    return [Value(hotel, hotel) for hotel in sorted({row["hotel"] for row in rows["rooms"]})]


def _hotel_ways(rows: Rows, values: Values) -> Iterable[Way]:
    near = ["The Gannet", "Hotel Meridian"]
    yield Way("P2", "the Gannet Meridian", near, "There is no hotel called the Gannet Meridian.")


def _price_ways(rows: Rows, values: Values) -> Iterable[Way]:
    yield Way("E4", "next to nothing", [80, 95])
    yield Way("E4", "a fair price", [95, 110, 125])
    yield Way("E4", "no more than is reasonable", [80, 95, 110, 125, 140])


ROOMS: Final = template(
    "rooms",
    "apis-tallen",
    (
        choice("hotel", "filter", "hotel", " at {value}", _hotels, _hotel_ways, without=" at the hotel"),
        choice("beds", "filter", "number of beds", "{value}",
               {1: "one bed", 2: "two beds", 3: "three beds"},
               lambda rows, values: (Way("A2", "more than one bed", [2, 3]),),
               without="enough beds"),
        amount("price", "euros a night at most", " and cost {value}", lambda rows, values: (80, 95, 110, 125, 140),
               _price_ways, unit=" euros a night or less", without=" and are within the budget"),
    ),
    ("Give me the numbers of the rooms{hotel} that have {beds}{price}.",
     "Which are the numbers of the rooms{hotel} that have {beds}{price}?"),
    _rooms_found,
    _find_rooms,
    kind="read",
)  # fmt: skip


def _hotel_pairs(rows: Rows, values: Values) -> list[Pair]:
    hotels = [each.value for each in _hotels(rows, values)]
    return [
        Pair(first, second, beds)
        for first in hotels
        for second in hotels
        for beds in (1, 2, 3)
        if first != second and where(rows, "rooms", hotel=second, beds=beds)
    ]


_BEDS: Final = {1: "one bed", 2: "two beds", 3: "three beds"}


def _hotel_words(rows: Rows, pair: Pair) -> Said:
    first, second, beds = pair.first, pair.second, _BEDS[pair.condition]
    return Said(
        f"rooms of any size at {first} and rooms with {beds} at {second}",
        f"rooms with {beds} at {first} or {second}",
        f"rooms at {first} and rooms at {second} with {beds}",
    )


def _hotel_pair_ways(rows: Rows, values: Values) -> Iterable[Way]:
    first, second, _, scope = values["rooms"].value
    like = [[*pair, scope] for pair in _hotel_pairs(rows, values) if pair[:2] == (first, second)]
    if scope == "both":
        yield Way("A2", f"rooms of one size at {first} or {second}", like)
        yield Way("P1", f"rooms with a sea view at {first} or {second}", like, "Neither of them is by the sea.")


def _hotel_pair_truth(rows: Rows, taken: Taken) -> Outcome | None:
    first, second, beds, scope = taken["rooms"]
    wanted = {"beds": beds} if scope == "both" else {}
    found = where(rows, "rooms", hotel=second, beds=beds) + where(rows, "rooms", hotel=first, **wanted)
    return told([len(found)], "number")


def _hotel_pair(play: Play, v: Mapping[str, Any]) -> None:
    first, second, beds, scope = v["rooms"]
    found = play.items("hotels", "find_rooms", hotel=second, beds=beds)
    wanted = {"beds": beds} if scope == "both" else {}
    play.answer(len(found) + len(play.items("hotels", "find_rooms", hotel=first, **wanted)))


ROOMS_PAIR: Final = template(
    "rooms-pair",
    "apis-harwick",
    (attached("rooms", "which rooms", _hotel_pairs, _hotel_words, _hotel_pair_ways),),
    ("How many rooms are there in all, if we count {rooms}?", "Count {rooms}: how many are there in all?"),
    _hotel_pair_truth,
    _hotel_pair,
    kind="read",
)


TEMPLATES: Final[tuple[Template, ...]] = (
    BOOK_ROOM,
    CHANGE_STAY,
    STAY_DEED,
    ROOMS,
    ROOMS_PAIR,
)
