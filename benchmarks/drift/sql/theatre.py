"""A theatre: shows and their performances, and who has booked how many seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.sql.names import people
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, deed, disagreeing, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values, dated

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

SHOWS: Final = ("The Glass Harbour", "The Glass Heron", "Nine Umbrellas", "Nine Uncles", "A Quiet Riot")
HALLS: Final = ("Main Stage", "Studio", "Cellar Stage")
STATES: Final = ("requested", "confirmed", "cancelled")


def _rows(draw: Draw) -> Rows:
    shows = [{"id": 1 + n, "title": title, "minutes": 75 + 10 * n} for n, title in enumerate(SHOWS)]
    performances = [
        {
            "id": 1 + n,
            "show_id": 1 + (n * 2) % len(shows),
            "day": f"2026-{5 + n // 12:02d}-{14 + n % 12:02d}",
            "hall": HALLS[draw.number(f"hall {n}", 3)],
        }
        for n in range(24)
    ]
    guests = people(2, 8)
    bookings = [
        {
            "number": 310 + 4 * n + draw.number(f"gap {n}", 3),
            "performance_id": 1 + draw.number(f"performance {n}", len(performances)),
            "guest": guests[draw.number(f"guest {n}", len(guests))],
            "seats": 1 + draw.number(f"seats {n}", 28),
            "state": STATES[draw.number(f"state {n}", 3)],
        }
        for n in range(90)
    ]
    return {"shows": shows, "performances": performances, "bookings": bookings}


SCHEMA: Final = Schema(
    "sql-theatre",
    {
        "shows": {"id": "INTEGER", "title": "VARCHAR", "minutes": "INTEGER"},
        "performances": {"id": "INTEGER", "show_id": "INTEGER", "day": "DATE", "hall": "VARCHAR"},
        "bookings": {
            "number": "INTEGER",
            "performance_id": "INTEGER",
            "guest": "VARCHAR",
            "seats": "INTEGER",
            "state": "VARCHAR",
        },
    },
    _rows,
)


def _shows(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f'"{row["title"]}"', row["id"]) for row in rows["shows"]]


def _show_ways(rows: Rows, values: Values) -> Iterator[Way]:
    titles = {row["id"]: row["title"] for row in rows["shows"]}
    own = values["show"].value
    alike = [
        id
        for id, title in titles.items()
        if title.split()[:2] == titles[own].split()[:2] or title[:4] == titles[own][:4]
    ]
    yield Way("E3", f'"{" ".join(titles[own].split()[:2])}"' if titles[own].startswith("The") else '"Nine"', alike)
    ghost = '"The Glass Harp"' if titles[own].startswith("The") else '"Nine Unicorns"'
    yield Way("P2", ghost, alike, f"There is no show called {ghost}.")
    long = [row["id"] for row in rows["shows"] if row["minutes"] > 90]
    short = [id for id in titles if id not in long]
    yield Way(
        "A2", "one of the longer shows" if own in long else "one of the shorter shows", long if own in long else short
    )
    yield Way("P1", "the show that won the 2031 Arden Prize", titles, "The 2031 Arden Prize has not been awarded.")


def _states(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(state, state) for state in STATES]


def _state_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["state"].value
    slang = {"requested": "still up in the air", "confirmed": "in the bag", "cancelled": "dead"}
    yield Way("E1", slang[own], [own], left=[own])
    living = STATES[:2]
    yield Way("A2", "live" if own in living else "not final", living if own in living else ("requested", "cancelled"))
    yield Way("P1", "refunded", STATES, "We never refund anything, so no booking is marked like that.")


def _seats(rows: Rows, taken: Taken) -> Outcome | None:
    of = {row["id"] for row in rows["performances"] if row["show_id"] == taken["show"]}
    total = sum(
        row["seats"]
        for row in rows["bookings"]
        if row["performance_id"] in of
        and taken["state"] in (None, row["state"])
        and taken["guest"] in (None, row["guest"])
    )
    return Outcome((str(total),), "number") if total else None


def _seats_sql(taken: Taken) -> str:
    state = "" if taken["state"] is None else f" AND b.state = {quoted(taken['state'])}"
    guest = "" if taken["guest"] is None else f" AND b.guest = {quoted(taken['guest'])}"
    return (
        "SELECT sum(b.seats) FROM bookings b JOIN performances p ON p.id = b.performance_id "
        f"WHERE p.show_id = {taken['show']}{state}{guest}"
    )


def _guests(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(name, name) for name in sorted({row["guest"] for row in rows["bookings"]})]


def _guest_ways(rows: Rows, values: Values) -> Iterator[Way]:
    names = {value.value: value.value for value in _guests(rows, {})}
    own = values["guest"].value
    yield from twins(names, own, "guest")
    total = {name: sum(row["seats"] for row in rows["bookings"] if row["guest"] == name) for name in names}
    big = sorted(names, key=lambda name: (total[name], name))[len(names) // 2 :]
    yield Way(
        "A2",
        "one of our regulars" if own in big else "one of our occasional guests",
        big if own in big else [name for name in names if name not in big],
    )


def _draw_seats(rows: Rows, draw: Draw) -> Values | None:
    row = draw.one("row", rows["bookings"])
    show = next(each["show_id"] for each in rows["performances"] if each["id"] == row["performance_id"])
    return {
        "state": Value(row["state"], row["state"]),
        "guest": Value(row["guest"], row["guest"]),
        "show": next(value for value in _shows(rows, {}) if value.value == show),
    }


SEATS: Final = made(
    id="theatre-seats",
    world=SCHEMA.name,
    kind="read",
    slots=(
        one_of(
            "guest",
            "entity",
            "guest",
            _guests,
            _guest_ways,
            span=" by {value}",
            without=" by our guest",
            asks=("which guest", "by whom", "who booked"),
        ),
        one_of("show", "entity", "show", _shows, _show_ways, without="the show", asks=("which show", "what show")),
        one_of(
            "state",
            "filter",
            "state",
            _states,
            _state_ways,
            span=" that are {value}",
            drops=True,
            asks=("which state", "what status", "which bookings"),
        ),
    ),
    wordings=(
        "How many seats do the bookings{guest} for {show}{state} come to?",
        "Count the seats in all bookings{guest} for {show}{state}.",
    ),
    draw=_draw_seats,
    truth=_seats,
    solve=answering(world(SCHEMA), _seats_sql),
)

DEEDS: Final = {"confirmed": "confirmed", "cancelled": "cancelled", "gone": "deleted"}


def _bookings(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"booking {row['number']}", row["number"]) for row in rows["bookings"] if row["state"] == "requested"]


def _booking_ways(rows: Rows, values: Values) -> Iterator[Way]:
    all_ = {row["number"]: row for row in rows["bookings"]}
    day = {row["id"]: row["day"] for row in rows["performances"]}
    there = [value.value for value in _bookings(rows, {})]
    own = all_[values["booking"].value]
    theirs = [number for number in there if all_[number]["guest"] == own["guest"]]
    yield Way("E3", f"{own['guest']}'s booking", theirs)
    first = own["guest"].split()[0]
    yield Way("E3", f"the booking for {first}", [n for n in there if all_[n]["guest"].split()[0] == first])
    hall = {row["id"]: row["hall"] for row in rows["performances"]}
    here = hall[own["performance_id"]]
    yield Way(
        "A2", f"one of the bookings for the {here}", [n for n in there if hall[all_[n]["performance_id"]] == here]
    )
    ghost = next(number for number in range(own["number"], own["number"] + 9) if number not in all_)
    near = sorted(there, key=lambda number: (abs(number - own["number"]), number))[:3]
    yield Way("P2", f"booking {ghost}", near, f"There is no booking {ghost}.")
    for number in [n for n, row in all_.items() if row["state"] == "confirmed" and row["guest"] == own["guest"]][:1]:
        yield Way(
            "P3",
            f"booking {number} (still a request)",
            theirs,
            f"Booking {number} was confirmed long ago.",
            said=number,
            state="still a request",
        )
    on = {number: day[all_[number]["performance_id"]] for number in there}

    def alike(number: int) -> list[int]:
        return [each for each in there if on[each] == on[number]]

    yield from disagreeing(
        own["number"],
        [number for number in there[own["number"] % 5 :: 9] if alike(number) == [number] != [own["number"]]],
        lambda named, told: f"booking {named} (the one for {dated(on[told])})",
        alike,
    )


def _deed(rows: Rows, taken: Taken) -> Outcome | None:
    if not any(row["number"] == taken["booking"] and row["state"] == "requested" for row in rows["bookings"]):
        return None
    bookings: list[Mapping[str, Any]] = []
    for row in rows["bookings"]:
        if row["number"] != taken["booking"]:
            bookings.append(row)
        elif taken["deed"] != "gone":
            bookings.append({**row, "state": taken["deed"]})
    return changes(rows, {**rows, "bookings": bookings})


def _deed_sql(taken: Taken) -> str:
    if taken["deed"] == "gone":
        return f"DELETE FROM bookings WHERE number = {taken['booking']}"
    return f"UPDATE bookings SET state = {quoted(taken['deed'])} WHERE number = {taken['booking']}"


DEED: Final = made(
    id="theatre-deed",
    world=SCHEMA.name,
    kind="change",
    risky=True,
    slots=(
        deed(
            "deed",
            "what is to become of the booking",
            DEEDS,
            ("Please process {booking}.", "Can you attend to {booking}?", "Something has to be done about {booking}."),
            (
                "{booking} has been a mere request for far too long.",
                "I do not want to see {booking} among the requests.",
            ),
            asks=("what should be done", "which state", "what would you like"),
        ),
        one_of(
            "booking",
            "entity",
            "booking",
            _bookings,
            _booking_ways,
            without="the booking",
            asks=("which booking", "whose booking"),
        ),
    ),
    wordings=("{booking} is to be {deed}.", "Please see to it that {booking} is {deed}."),
    draw=lambda rows, draw: {
        "deed": draw.one("deed", [Value(text, value) for value, text in DEEDS.items()]),
        "booking": draw.one("booking", _bookings(rows, {})),
    },
    truth=_deed,
    solve=changing(_deed_sql),
)

TEMPLATES: Final = (SEATS, DEED)
