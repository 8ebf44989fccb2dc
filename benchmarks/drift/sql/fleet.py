"""A van rental with depots: where vans stand, who drove them, and how far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.sql.names import TOWNS, people
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, amount, day, days, disagreeing, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

MODELS: Final = ("Corsa Cargo", "Tundra 300", "Pico Box", "Alder Long")
CARGO: Final = ("furniture", "timber", "tiles", "catering crates", "exhibition panels")
QUARTERS: Final = {("2026-01", "2026-02"): "January and February", ("2026-03", "2026-04"): "March and April"}


def _rows(draw: Draw) -> Rows:
    depots = [
        {"code": town[:3].upper(), "town": town, "known_as": known}
        for town, known in zip(
            TOWNS, ("the pier", "the barn", "the tram shed", "the brickworks", "the Annexe"), strict=True
        )
    ]
    vans = [
        {
            "plate": f"{'KLMN'[n // 6]}{'RSTVWX'[n % 6]}-{310 + 37 * n}",
            "model": MODELS[draw.number(f"model {n}", 4)],
            "depot": depots[(n * 3 + n // 6) % 5]["code"],
            "payload": 600 + 100 * draw.number(f"payload {n}", 12),
            "status": "in service" if n % 7 else "in the workshop",
        }
        for n in range(22)
    ]
    drivers = [{"id": 1 + n, "name": name, "depot": depots[n % 5]["code"]} for n, name in enumerate(people(6, 5))]
    trips = [
        {
            "plate": vans[draw.number(f"van {n}", len(vans))]["plate"],
            "driver_id": 1 + draw.number(f"driver {n}", len(drivers)),
            "day": f"2026-{1 + n // 30:02d}-{1 + (n % 30) * 28 // 30:02d}",
            "km": 12 + draw.number(f"km {n}", 260),
            "cargo": CARGO[draw.number(f"cargo {n}", len(CARGO))],
        }
        for n in range(120)
    ]
    return {"depots": depots, "vans": vans, "drivers": drivers, "trips": trips}


SCHEMA: Final = Schema(
    "sql-fleet",
    {
        "depots": {"code": "VARCHAR", "town": "VARCHAR", "known_as": "VARCHAR"},
        "vans": {"plate": "VARCHAR", "model": "VARCHAR", "depot": "VARCHAR", "payload": "INTEGER", "status": "VARCHAR"},
        "drivers": {"id": "INTEGER", "name": "VARCHAR", "depot": "VARCHAR"},
        "trips": {"plate": "VARCHAR", "driver_id": "INTEGER", "day": "DATE", "km": "INTEGER", "cargo": "VARCHAR"},
    },
    _rows,
)


def _depots(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["town"], row["code"]) for row in rows["depots"]]


def _depot_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["depot"].value
    every = [row["code"] for row in rows["depots"]]
    coast = every[:3] if own in every[:3] else every[2:]
    yield Way("A2", "one of the coastal depots" if own in every[:3] else "one of the inland depots", coast, span=True)
    known = {row["code"]: row["known_as"] for row in rows["depots"]}
    yield Way("E1", known[own], every, left=[own], span=True)
    yield Way("E1", "the old yard", every[:2] if own in every[:2] else every[2:], span=True)
    yield Way("P1", "the depot in Quillhaven", every, "There is no depot in Quillhaven.", span=True)
    big = sorted(every, key=lambda code: (sum(row["depot"] == code for row in rows["vans"]), code))
    yield Way(
        "A2",
        "one of the bigger depots" if own in big[2:] else "one of the smaller depots",
        big[2:] if own in big[2:] else big[:2],
        span=True,
    )


def _periods(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(text, list(months)) for months, text in QUARTERS.items()]


def _period_ways(rows: Rows, values: Values) -> Iterator[Way]:
    every = [list(months) for months in QUARTERS]
    yield Way("E4", " lately" if values["period"].value == every[1] else " a while ago", every, span=True)
    yield Way("A2", " in two months of this year", every, span=True)
    yield Way("P1", " in the months of the 2031 trade fair", every, "The 2031 trade fair has not been held.", span=True)


def _farthest(rows: Rows, taken: Taken) -> Outcome | None:
    there = {row["plate"] for row in rows["vans"] if row["depot"] == taken["depot"]}
    total: dict[str, int] = {}
    for row in rows["trips"]:
        if row["plate"] in there and row["day"][:7] in taken["period"] and taken["cargo"] in (None, row["cargo"]):
            total[row["plate"]] = total.get(row["plate"], 0) + row["km"]
    best = sorted(total, key=lambda plate: -total[plate])[:2]
    if not best or (len(best) == 2 and total[best[0]] == total[best[1]]):
        return None
    return Outcome((best[0],), "text")


def _farthest_sql(taken: Taken) -> str:
    cargo = "" if taken["cargo"] is None else f" AND t.cargo = {quoted(taken['cargo'])}"
    months = ", ".join(map(quoted, taken["period"]))
    return (
        f"SELECT v.plate FROM vans v JOIN trips t USING (plate) WHERE v.depot = {quoted(taken['depot'])} "
        f"AND strftime(t.day, '%Y-%m') IN ({months}){cargo} GROUP BY v.plate ORDER BY sum(t.km) DESC LIMIT 1"
    )


def _cargo(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(cargo, cargo) for cargo in CARGO]


def _cargo_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["cargo"].value
    builders = ("timber", "tiles")
    yield Way(
        "A2",
        "building materials" if own in builders else "something for an event or a household",
        builders if own in builders else [each for each in CARGO if each not in builders],
    )
    yield Way(
        "E1",
        {
            "furniture": "sofas and such",
            "timber": "planks",
            "tiles": "ceramics",
            "catering crates": "food gear",
            "exhibition panels": "show walls",
        }[own],
        [own],
        left=[own],
    )
    yield Way(
        "E4",
        "heavy stuff" if own in (*builders, "furniture") else "light stuff",
        (*builders, "furniture") if own in (*builders, "furniture") else CARGO[3:],
    )
    yield Way("P1", "livestock", CARGO, "We have never carried livestock.")


FARTHEST: Final = made(
    id="fleet-farthest",
    world=SCHEMA.name,
    kind="read",
    slots=(
        one_of(
            "depot",
            "entity",
            "depot",
            _depots,
            _depot_ways,
            span="the depot in {value}",
            without="the depot",
            asks=("which depot", "what depot"),
        ),
        one_of(
            "cargo",
            "filter",
            "cargo",
            _cargo,
            _cargo_ways,
            span=" with {value}",
            drops=True,
            asks=("which cargo", "what cargo", "carrying what"),
        ),
        one_of(
            "period",
            "date",
            "period",
            _periods,
            _period_ways,
            span=" in {value}",
            without=" in that period",
            asks=("which period", "which months", "when"),
        ),
    ),
    wordings=(
        "Which van of {depot} drove the most kilometres{cargo}{period}? Give its plate.",
        "I need the plate of the van of {depot} with the most kilometres{cargo}{period}.",
    ),
    draw=lambda rows, draw: {
        "depot": draw.one("depot", _depots(rows, {})),
        "cargo": draw.one("cargo", _cargo(rows, {})),
        "period": draw.one("period", _periods(rows, {})),
    },
    truth=_farthest,
    solve=answering(world(SCHEMA), _farthest_sql),
)


def _vans(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"van {row['plate']}", row["plate"]) for row in rows["vans"]]


def _van_ways(rows: Rows, values: Values) -> Iterator[Way]:
    vans = {row["plate"]: row for row in rows["vans"]}
    town = {row["code"]: row["town"] for row in rows["depots"]}
    own = values["van"].value
    model, depot = vans[own]["model"], vans[own]["depot"]
    yield Way("E3", f"the {model}", [plate for plate, row in vans.items() if row["model"] == model])
    yield Way("A2", f"one of the {town[depot]} vans", [plate for plate, row in vans.items() if row["depot"] == depot])

    def stands(plate: str) -> str:
        return f"the {vans[plate]['model']} in {town[vans[plate]['depot']]}"

    def there(plate: str) -> list[str]:
        return [each for each in vans if stands(each) == stands(plate)]

    yield from disagreeing(
        own,
        [plate for plate in [*vans][int(own[3:]) % 3 :: 5] if there(plate) == [plate] != [own]],
        lambda named, told: f"van {named} ({stands(told)})",
        there,
    )
    alike = [plate for plate in vans if plate[0] == own[0]]
    ghost = f"{own[:3]}{int(own[3:]) + 1}"
    yield Way("P2", f"van {ghost}", alike, f"There is no van {ghost}.")
    load = sorted(vans, key=lambda plate: (vans[plate]["payload"], plate))
    half = load[: len(load) // 2] if own in load[: len(load) // 2] else load[len(load) // 2 :]
    yield Way("E3", "that small van" if own in load[: len(load) // 2] else "that big van", half)


def _moving_ways(rows: Rows, values: Values) -> Iterator[Way]:
    yield from _van_ways(rows, values)
    own, to = values["van"].value, values["depot"].value
    town = next(row["town"] for row in rows["depots"] if row["code"] == to)
    model = next(row["model"] for row in rows["vans"] if row["plate"] == own)
    same = [row["plate"] for row in rows["vans"] if row["model"] == model and row["depot"] != to]
    for row in rows["vans"]:
        if row["depot"] == to and row["model"] == model:
            yield Way("P3", f"van {row['plate']}", same, f"Van {row['plate']} is in {town} already.", said=row["plate"])


def _move(rows: Rows, taken: Taken) -> Outcome | None:
    vans = [{**row, "depot": taken["depot"]} if row["plate"] == taken["van"] else row for row in rows["vans"]]
    return changes(rows, {**rows, "vans": vans})


MOVE: Final = made(
    id="fleet-move",
    world=SCHEMA.name,
    kind="change",
    slots=(
        one_of("van", "entity", "van", _vans, _moving_ways, without="the van", asks=("which van", "what van")),
        one_of(
            "depot",
            "entity",
            "depot",
            _depots,
            _depot_ways,
            span="the depot in {value}",
            without="another depot",
            asks=("which depot", "where to", "what depot"),
        ),
    ),
    wordings=(
        "Move {van} to {depot} in the vans table.",
        "From today {van} belongs to {depot}; please change that.",
    ),
    draw=lambda rows, draw: {
        "van": draw.one("van", _vans(rows, {})),
        "depot": draw.one("depot", _depots(rows, {})),
    },
    truth=_move,
    solve=changing(lambda v: f"UPDATE vans SET depot = {quoted(v['depot'])} WHERE plate = {quoted(v['van'])}"),
)


def _drivers(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["drivers"]]


def _driver_ways(rows: Rows, values: Values) -> Iterator[Way]:
    town = {row["code"]: row["town"] for row in rows["depots"]}
    where = {row["id"]: f"from {town[row['depot']]}" for row in rows["drivers"]}
    own = values["driver"].value
    yield from twins({row["id"]: row["name"] for row in rows["drivers"]}, own, "driver", where)
    yield Way("A2", f"somebody {where[own]}", [id for id, place in where.items() if place == where[own]])


LENGTHS: Final = (18, 25, 42, 60, 75, 90, 120, 160, 210, 280)


def _length_ways(own: int) -> Iterator[Way]:
    near = own <= 75
    yield Way("E4", "a short trip" if near else "a long trip", LENGTHS[:5] if near else LENGTHS[5:], span=True)
    yield Way(
        "A2",
        "a trip of less than 100 km" if own < 100 else "a trip of more than 100 km",
        [n for n in LENGTHS if (n < 100) == (own < 100)],
        span=True,
    )
    yield Way("P4", "a trip of -40 km", LENGTHS, "A trip cannot be shorter than nothing.", span=True)


def _last_weeks(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way("P4", " on 4 July", [value.value for value in days(-12, -1)], "4 July has not come yet.", span=True)


def _log(rows: Rows, taken: Taken) -> Outcome | None:
    if taken["km"] <= 0 or taken["day"] > "2026-05-11":
        return None
    new = {
        "plate": taken["van"],
        "driver_id": taken["driver"],
        "day": taken["day"],
        "km": taken["km"],
        "cargo": taken["cargo"],
    }
    return changes(rows, {**rows, "trips": [*rows["trips"], new]})


LOG: Final = made(
    id="fleet-log",
    world=SCHEMA.name,
    kind="insert",
    slots=(
        amount(
            "km",
            "length of the trip",
            LENGTHS,
            "km",
            _length_ways,
            span="a trip of {value}",
            without="a trip",
            asks=("how far", "how many", "how long", "what distance"),
        ),
        one_of(
            "van", "entity", "van", _vans, _van_ways, span=" by {value}", without="", asks=("which van", "what van")
        ),
        one_of(
            "driver",
            "entity",
            "driver",
            _drivers,
            _driver_ways,
            span=" with {value} at the wheel",
            without="",
            asks=("which driver", "who drove", "who was driving"),
        ),
        day("day", "day of the trip", -12, -1, _last_weeks),
        one_of(
            "cargo",
            "value",
            "cargo",
            _cargo,
            _cargo_ways,
            span=", carrying {value}",
            without="",
            asks=("which cargo", "what cargo", "carrying what"),
        ),
    ),
    wordings=(
        "Log {km}{van}{driver}{day}{cargo}.",
        "One more for the trips table: {km}{van}{driver}{day}{cargo}.",
    ),
    draw=lambda rows, draw: {
        "km": draw.one("km", [Value(f"{number} km", number) for number in LENGTHS]),
        "van": draw.one("van", _vans(rows, {})),
        "driver": draw.one("driver", _drivers(rows, {})),
        "day": draw.one("day", days(-12, -1)),
        "cargo": draw.one("cargo", _cargo(rows, {})),
    },
    truth=_log,
    solve=changing(
        lambda v: (
            f"INSERT INTO trips (plate, driver_id, day, km, cargo) VALUES ({quoted(v['van'])}, {v['driver']}, "
            f"{quoted(v['day'])}, {v['km']}, {quoted(v['cargo'])})"
        )
    ),
)

TEMPLATES: Final = (FARTHEST, LOG, MOVE)
