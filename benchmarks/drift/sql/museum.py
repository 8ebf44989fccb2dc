"""A small museum: works and their artists, the rooms they hang in, and what they are insured for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from benchmarks.drift.sql.names import people, things
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, amount, deed, disagreeing, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

ROOMS: Final = ("North Gallery", "North Hall", "Garden Room", "Tower Room", "Store")
KINDS: Final = ("painting", "drawing", "print", "sculpture")


def _rows(draw: Draw) -> Rows:
    artists = [
        {"id": 1 + n, "name": name, "born": 1880 + draw.number(f"born {n}", 90)} for n, name in enumerate(people(8, 4))
    ]
    titles = [
        *things("work"),
        *(f"{title} II" for title in things("work")),
        *(f"Study for {title}" for title in things("work")),
    ]
    works = [
        {
            "id": 100 + 7 * n,
            "title": title,
            "artist_id": 1 + draw.number(f"artist {n}", len(artists)),
            "kind": KINDS[draw.number(f"kind {n}", 4)],
            "room": ROOMS[draw.number(f"room {n}", 5)],
            "insured": f"{1500 + 250 * draw.number(f'value {n}', 90)}.00",
            "on_loan": draw.number(f"loan {n}", 5) == 0,
        }
        for n, title in enumerate(titles)
    ]
    rooms = [
        {"name": room, "known_as": known, "floor": n % 3, "open": n != 4}
        for n, (room, known) in enumerate(
            zip(ROOMS, ("the long one", "the icebox", "the jungle", "the lookout", "the hold"), strict=True)
        )
    ]
    return {"artists": artists, "works": works, "rooms": rooms}


SCHEMA: Final = Schema(
    "sql-museum",
    {
        "artists": {"id": "INTEGER", "name": "VARCHAR", "born": "INTEGER"},
        "works": {
            "id": "INTEGER",
            "title": "VARCHAR",
            "artist_id": "INTEGER",
            "kind": "VARCHAR",
            "room": "VARCHAR",
            "insured": "DECIMAL(10,2)",
            "on_loan": "BOOLEAN",
        },
        "rooms": {"name": "VARCHAR", "known_as": "VARCHAR", "floor": "INTEGER", "open": "BOOLEAN"},
    },
    _rows,
)


def _artists(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["artists"]]


def _artist_ways(rows: Rows, values: Values) -> Iterator[Way]:
    born = {row["id"]: f"born in {row['born']}" for row in rows["artists"]}
    own = values["artist"].value
    yield from twins({row["id"]: row["name"] for row in rows["artists"]}, own, "artist", born)
    young = sorted(born, key=lambda id: (born[id], id))
    yield Way(
        "A2",
        "one of the older artists" if own in young[:4] else "one of the younger artists",
        young[:4] if own in young[:4] else young[4:],
    )
    yield Way("A2", "one of our artists", born)
    yield Way("P1", "the artist who won the 2031 Dunmere Prize", born, "The 2031 Dunmere Prize has not been awarded.")


def _rooms(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"the {room}", room) for room in ROOMS]


def _room_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["room"].value
    north = [room for room in ROOMS if room.startswith("North")]
    ends = [room for room in ROOMS if room.endswith("Room")]
    yield Way("E3", "the north room" if own in north else "that room at the back", north if own in north else ROOMS[2:])
    yield Way("A2", "one of the rooms", ROOMS[:4] if own != "Store" else ROOMS)
    yield Way("E1", "downstairs" if own == "Store" else "the crowd-puller", ["Store"] if own == "Store" else ROOMS[:3])
    yield Way(
        "P2",
        "the North Wing" if own in north else "the Moon Room",
        north if own in north else ends,
        f"There is no {'North Wing' if own in north else 'Moon Room'}.",
    )
    known = {row["name"]: row["known_as"] for row in rows["rooms"]}
    yield Way("E1", known[own], ROOMS, left=[own])


def _insured(rows: Rows, taken: Taken) -> Outcome | None:
    total = sum(
        Decimal(row["insured"])
        for row in rows["works"]
        if row["artist_id"] == taken["artist"]
        and taken["room"] in (None, row["room"])
        and taken["kind"] in (None, row["kind"])
    )
    return Outcome((f"{total:.2f}",), "number") if total else None


def _insured_sql(taken: Taken) -> str:
    room = "" if taken["room"] is None else f" AND room = {quoted(taken['room'])}"
    kind = "" if taken["kind"] is None else f" AND kind = {quoted(taken['kind'])}"
    return f"SELECT sum(insured) FROM works WHERE artist_id = {taken['artist']}{room}{kind}"


def _kinds(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"{kind}s", kind) for kind in KINDS]


def _kind_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["kind"].value
    paper = ("drawing", "print")
    yield Way(
        "A2", "works on paper" if own in paper else "larger works", paper if own in paper else ("painting", "sculpture")
    )
    yield Way(
        "E1",
        {"painting": "canvases", "drawing": "sketches", "print": "etchings and the like", "sculpture": "statues"}[own],
        [own],
        left=[own],
    )
    yield Way("P1", "tapestries", KINDS, "We have no tapestries.")


def _draw_insured(rows: Rows, draw: Draw) -> Values | None:
    work = draw.one("work", rows["works"])
    return {
        "kind": Value(f"{work['kind']}s", work["kind"]),
        "artist": next(value for value in _artists(rows, {}) if value.value == work["artist_id"]),
        "room": Value(f"the {work['room']}", work["room"]),
    }


INSURED: Final = made(
    id="museum-insured",
    world=SCHEMA.name,
    kind="read",
    slots=(
        one_of("kind", "filter", "kind of work", _kinds, _kind_ways, drops=True, asks=("what kind", "which works")),
        one_of(
            "artist",
            "entity",
            "artist",
            _artists,
            _artist_ways,
            span="by {value}",
            without="by our artist",
            asks=("which artist", "by whom", "who made"),
        ),
        one_of(
            "room", "filter", "room", _rooms, _room_ways, span=" in {value}", drops=True, asks=("which room", "where")
        ),
    ),
    wordings=(
        "What are the {kind} {artist}{room} insured for in all?",
        "Add up what the {kind} {artist}{room} are insured for and tell me the sum.",
    ),
    draw=_draw_insured,
    truth=_insured,
    solve=answering(world(SCHEMA), _insured_sql),
)


def _works(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f'"{row["title"]}"', row["id"]) for row in rows["works"]]


def _work_ways(rows: Rows, values: Values) -> Iterator[Way]:
    works = {row["id"]: row for row in rows["works"]}
    names = {row["id"]: row["name"] for row in rows["artists"]}
    own = works[values["work"].value]
    artist = names[own["artist_id"]]
    theirs = [id for id, row in works.items() if row["artist_id"] == own["artist_id"]]
    stem = own["title"].removeprefix("Study for ").split()[0]
    alike = [id for id, row in works.items() if row["title"].removeprefix("Study for ").split()[0] == stem]
    yield Way("E3", f'"{stem}"', alike)
    yield Way("E3", f"the {own['kind']} by {artist}", [id for id in theirs if works[id]["kind"] == own["kind"]])
    yield Way(
        "A2", f"one of the works in the {own['room']}", [id for id, row in works.items() if row["room"] == own["room"]]
    )
    yield Way("P2", f'"{stem} Harvest"', alike, f'There is no work called "{stem} Harvest".')

    def hung(id: int) -> str:
        return f"the one by {names[works[id]['artist_id']]} in the {works[id]['room']}"

    def there(id: int) -> list[int]:
        return [each for each in works if hung(each) == hung(id)]

    yield from disagreeing(
        own["id"],
        [id for id in [*works][:: 4 if own["id"] % 2 else 5] if there(id) == [id] and id not in theirs],
        lambda named, told: f'"{works[named]["title"]}" ({hung(told)})',
        there,
    )
    yield Way("P1", f"the work by {artist} from the 2031 auction", theirs, "The 2031 auction has not taken place.")


RISES: Final = (250, 400, 500, 750, 1_000, 1_200, 2_000, 3_500, 5_000)


def _rise_ways(own: int) -> Iterator[Way]:
    small = own <= 750
    yield Way("E4", " a little" if small else " quite a lot", RISES[:4] if small else RISES[4:], span=True)
    yield Way(
        "A2",
        "a three-digit sum" if own < 1000 else "a sum in the thousands",
        [n for n in RISES if (n < 1000) == (own < 1000)],
    )
    yield Way("P4", "0 euros", RISES, "Nothing is raised by nothing.")


def _raise(rows: Rows, taken: Taken) -> Outcome | None:
    if taken["sum"] <= 0:
        return None
    works = [
        {**row, "insured": f"{Decimal(row['insured']) + taken['sum']:.2f}"} if row["id"] == taken["work"] else row
        for row in rows["works"]
    ]
    return changes(rows, {**rows, "works": works})


RAISE: Final = made(
    id="museum-raise",
    world=SCHEMA.name,
    kind="change",
    slots=(
        one_of("work", "entity", "work", _works, _work_ways, without="the work", asks=("which work", "which painting")),
        amount("sum", "sum", RISES, "euros", _rise_ways, span=" by {value}", without=""),
    ),
    wordings=(
        "Raise what {work} is insured for{sum}.",
        "Please put up the insured value of {work}{sum}.",
    ),
    draw=lambda rows, draw: {
        "work": draw.one("work", _works(rows, {})),
        "sum": draw.one("sum", [Value(f"{number:,} euros", number) for number in RISES]),
    },
    truth=_raise,
    solve=changing(lambda v: f"UPDATE works SET insured = insured + {v['sum']} WHERE id = {v['work']}"),
)


PLACES: Final = {
    "Store": "taken down to the Store",
    "Tower Room": "hung in the Tower Room",
    "loan": "entered as on loan",
}


def _placed(rows: Rows, taken: Taken) -> Outcome | None:
    def after(row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**row, "on_loan": True} if taken["deed"] == "loan" else {**row, "room": taken["deed"]}

    works = [after(row) if row["id"] == taken["work"] else row for row in rows["works"]]
    return changes(rows, {**rows, "works": works})


def _placed_sql(taken: Taken) -> str:
    change = "on_loan = true" if taken["deed"] == "loan" else f"room = {quoted(taken['deed'])}"
    return f"UPDATE works SET {change} WHERE id = {taken['work']}"


PLACE: Final = made(
    id="museum-place",
    world=SCHEMA.name,
    kind="change",
    slots=(
        deed(
            "deed",
            "what is to be done with the work",
            PLACES,
            ("Please see to {work}.", "{work} needs to be handled.", "Could you deal with {work}?"),
            ("{work} cannot stay where it is.", "I keep walking past {work} and it annoys me."),
            asks=("what should be done", "what should happen", "where should"),
        ),
        one_of("work", "entity", "work", _works, _work_ways, without="the work", asks=("which work", "which painting")),
    ),
    wordings=(
        "{work} is to be {deed}; please record it.",
        "Please record that {work} was {deed}.",
    ),
    draw=lambda rows, draw: {
        "deed": draw.one("deed", [Value(text, value) for value, text in PLACES.items()]),
        "work": draw.one("work", _works(rows, {})),
    },
    truth=_placed,
    solve=changing(_placed_sql),
)

TEMPLATES: Final = (INSURED, RAISE, PLACE)
