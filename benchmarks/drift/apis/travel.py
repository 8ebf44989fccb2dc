"""Tasks for who is on the road: rooms and stays, flights and bookings, vehicles and who has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.apis.made import Row, Taken, ahead, by, change, changes, insert, names, template, told, where
from benchmarks.drift.apis.mentions import (
    Item,
    Pair,
    Said,
    Way,
    amount,
    attached,
    choice,
    dated,
    day,
    deed,
    item,
    person,
)
from benchmarks.drift.apis.play import Play
from benchmarks.drift.apis.worlds import TODAY, days
from benchmarks.drift.template import Outcome, Rows, Template, Value, Values

__all__ = ("TEMPLATES",)


def _everybody(rows: Rows, values: Values) -> Sequence[str]:
    return [row["id"] for row in rows["customers"]]


# Rooms.


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
    for other in where(rows, "rooms", hotel=own["hotel"]):
        if other != own:
            yield Way("A3", f"{_room_text(own)} (room id {other['id']})", [own["id"], other["id"]])
            break


def _book_room_truth(rows: Rows, taken: Taken) -> Outcome | None:
    if not _free(rows, taken["room"], taken["arrival"], taken["departure"]):
        return None
    stay = {"room_id": taken["room"], "customer_id": taken["customer"]}
    return changes(insert("stays", **stay, arrival=taken["arrival"], departure=taken["departure"]))


def _book_room(play: Play, v: Mapping[str, Any]) -> None:
    room = play("hotels", "get_room", room_id=v["room"])["room_id"]
    customer = play("customers", "get_customer", customer_id=v["customer"])["customer_id"]
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
        person("customer", "guest", " for {value}", _everybody),
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


def _stay_of(play: Play, stay: str) -> dict[str, Any]:
    (found,) = [each for each in play.items("hotels", "find_stays") if each["stay_id"] == stay]
    return found


def _change_stay(play: Play, v: Mapping[str, Any]) -> None:
    stay = _stay_of(play, v["stay"])
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
    stay = _stay_of(play, v["stay"])
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
    ("About {stay}: please {deed}.", "As to {stay}, {deed}, please."),
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
    every = [each.value for each in _hotels(rows, values)]
    yield Way("P2", "the Gannet Meridian", every, "There is no hotel called the Gannet Meridian.")


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
        f"rooms of any size at {first}, together with rooms with {beds} at {second}",
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


# Flights.


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
    yield Way("E3", "where the fair is", every)
    yield Way("P2", "Porto Elm", every, "There is no flight to a place called Porto Elm.")


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
    for other in where(rows, "flights", **route):
        if other != own:
            yield Way("A3", f"{_flight_text(own)} (flight {other['id']})", [own["id"], other["id"]])
            break


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
    flight = play("flights", "get_flight", flight_id=v["flight"])["flight_id"]
    customer = play("customers", "get_customer", customer_id=v["customer"])["customer_id"]
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
    booking = next(each for each in play.items("flights", "find_bookings") if each["booking_id"] == v["booking"])
    old = play("flights", "get_flight", flight_id=booking["flight_id"])
    for each in play.items(
        "flights", "find_flights", origin=old["origin"], destination=old["destination"], day=v["day"]
    ):
        if play("flights", "get_flight", flight_id=each["flight_id"])["airline"] == old["airline"]:
            play("flights", "change_flight", booking_id=booking["booking_id"], flight_id=each["flight_id"])


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


# Vehicles.


def _vehicles(rows: Rows, values: Values) -> list[Value]:
    return [Value(f"the {row['name']}", row["id"]) for row in rows["vehicles"]]


_SLANG: Final = {"van": "a transporter", "car": "a motor", "bike": "something with pedals"}


def _vehicle_ways(rows: Rows, values: Values) -> Iterable[Way]:
    own = by(rows, "vehicles", values["vehicle"].value)
    sort = [row["id"] for row in where(rows, "vehicles", kind=own["kind"])]
    yield Way("A2", f"one of the {own['kind']}s", sort)
    yield Way("E1", _SLANG[own["kind"]], sort)
    yield Way("P2", "the Osprey", sort, "There is no vehicle called the Osprey.")
    for other in rows["vehicles"]:
        if other["kind"] == own["kind"] and other != own:
            yield Way("A3", f"the {own['name']} (vehicle {other['id']})", [own["id"], other["id"]])
            break


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
    vehicle = play("vehicles", "get_vehicle", vehicle_id=v["vehicle"])["vehicle_id"]
    customer = play("customers", "get_customer", customer_id=v["customer"])["customer_id"]
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
        person("customer", "driver", " for {value}", _everybody),
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
    rental = next(each for each in play.items("vehicles", "find_rentals") if each["rental_id"] == v["rental"])
    play("vehicles", "extend_rental", rental_id=rental["rental_id"], end=v["end"])


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
    rentals = play.items("vehicles", "find_rentals", vehicle_id=v["vehicle"])
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
        f"all the {first}, and those {second} that cost less than {limit} euros",
        f"the {first} and {second}, but of either only what costs less than {limit} euros",
        f"the {first} and {second} that cost less than {limit} euros",
    )


def _vehicle_pair_ways(rows: Rows, values: Values) -> Iterable[Way]:
    first, second, _, scope = values["vehicles"].value
    like = [[*pair, scope] for pair in _vehicle_pairs(rows, values) if pair[:2] == (first, second)]
    if scope == "second":
        yield Way("E4", f"all the {first}s, and those {second}s that cost little enough", like)
    yield Way(
        "P1", f"the {first}s and {second}s that go free for half", like, "There is no day on which vehicles go free."
    )


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
    ("Give me the names of {vehicles} a day.", "I want to know which vehicles, by name, are among {vehicles} a day."),
    _vehicle_pair_truth,
    _vehicle_pair,
    kind="read",
)


TEMPLATES: Final[tuple[Template, ...]] = (
    BOOK_ROOM, CHANGE_STAY, STAY_DEED, ROOMS, CHEAPEST_FLIGHT, BOOK_FLIGHT, CHANGE_FLIGHT, RENT_VEHICLE, EXTEND_RENTAL,
    DRIVER, ROOMS_PAIR, VEHICLES_PAIR,
)  # fmt: skip
