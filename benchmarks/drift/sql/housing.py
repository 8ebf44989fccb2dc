"""A housing co-operative: flats and tenants, leases, and what is to be repaired."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.sql.names import people
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, attached, day, days, deed, disagreeing, made, one_of
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

BUILDINGS: Final = ("Alder House", "Alder Court", "Quay House", "Mill Yard")
TRADES: Final = ("plumbing", "heating", "windows", "locks", "lighting")
STATES: Final = ("reported", "ordered", "done")


def _rows(draw: Draw) -> Rows:
    buildings = [{"name": name, "built": 1931 + 17 * n} for n, name in enumerate(BUILDINGS)]
    flats = [
        {
            "flat": f"{'ABCD'[n // 9]}{1 + n % 9}",
            "building": BUILDINGS[n // 9],
            "rooms": 1 + draw.number(f"rooms {n}", 4),
            "rent": f"{380 + 13 * n + 40 * draw.number(f'rent {n}', 12)}.00",
        }
        for n in range(36)
    ]
    tenants = [{"id": 1 + n, "name": name} for n, name in enumerate(people(1, 14))]
    leases = [
        {
            "flat": flats[n]["flat"],
            "tenant_id": tenants[(n * 5) % 28]["id"],
            "since": f"{2016 + draw.number(f'since {n}', 9)}-{1 + draw.number(f'month {n}', 12):02d}-01",
        }
        for n in range(28)
    ]
    repairs = [
        {
            "number": 5003 + 2 * n + draw.number(f"gap {n}", 2),
            "flat": flats[draw.number(f"flat {n}", 36)]["flat"],
            "reported": f"2026-{1 + n // 18:02d}-{1 + (n % 18) * 28 // 18:02d}",
            "trade": TRADES[draw.number(f"trade {n}", 5)],
            "state": STATES[draw.number(f"state {n}", 3)],
        }
        for n in range(70)
    ]
    checks = [
        {"flat": flats[(7 * n) % 36]["flat"], "day": days(1, 18)[n].value, "trade": TRADES[n % 5]} for n in range(6)
    ]
    return {
        "buildings": buildings,
        "flats": flats,
        "tenants": tenants,
        "leases": leases,
        "repairs": repairs,
        "checks": checks,
    }


SCHEMA: Final = Schema(
    "sql-housing",
    {
        "buildings": {"name": "VARCHAR", "built": "INTEGER"},
        "flats": {"flat": "VARCHAR", "building": "VARCHAR", "rooms": "INTEGER", "rent": "DECIMAL(8,2)"},
        "tenants": {"id": "INTEGER", "name": "VARCHAR"},
        "leases": {"flat": "VARCHAR", "tenant_id": "INTEGER", "since": "DATE"},
        "repairs": {"number": "INTEGER", "flat": "VARCHAR", "reported": "DATE", "trade": "VARCHAR", "state": "VARCHAR"},
        "checks": {"flat": "VARCHAR", "day": "DATE", "trade": "VARCHAR"},
    },
    _rows,
)


def _buildings(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(name, name) for name in BUILDINGS]


def _building_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["building"].value
    stem = own.split()[0]
    alder = [name for name in BUILDINGS if name.startswith("Alder")]
    houses = [name for name in BUILDINGS if name.endswith("House")]
    yield Way(
        "E3", "Alder" if own in alder else "the building on the water", alder if stem == "Alder" else BUILDINGS[2:]
    )
    yield Way(
        "P2",
        "Alder Mews" if own in alder else "Quay Mill",
        alder if own in alder else BUILDINGS[2:],
        f"There is no {'Alder Mews' if own in alder else 'Quay Mill'}.",
    )
    yield Way(
        "A2", "one of the houses" if own in houses else "one of the buildings", houses if own in houses else BUILDINGS
    )
    yield Way(
        "E4",
        "one of the older buildings" if own in BUILDINGS[:2] else "one of the newer buildings",
        BUILDINGS[:2] if own in BUILDINGS[:2] else BUILDINGS[2:],
    )


def _trades(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(trade, trade) for trade in TRADES]


SLANG: Final = {
    "plumbing": "drips and drains",
    "heating": "cold radiators",
    "windows": "panes",
    "locks": "jammed doors",
    "lighting": "blown bulbs",
}


def _trade_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["trade"].value
    wet = ("plumbing", "heating")
    yield Way("E1", SLANG[own], [own], left=[own])
    yield Way(
        "A2", "pipes of some kind" if own in wet else "something other than pipes", wet if own in wet else TRADES[2:]
    )
    yield Way(
        "E4",
        "the urgent things" if own in (*wet, "locks") else "the small things",
        (*wet, "locks") if own in (*wet, "locks") else ("windows", "lighting"),
    )
    yield Way("P1", "the lift", TRADES, "None of our buildings has a lift.")


def _pairs(rows: Rows) -> Sequence[tuple[str, str, str]]:
    return [(first, second, state) for first in TRADES for second in TRADES if first != second for state in STATES]


def _pair_words(first: str, second: str, state: str) -> tuple[str, str, str]:
    return (
        f"every request about {first}, whatever its state, and those about {second} that are marked {state}",
        f"the requests about {first} and about {second}, in both cases those that are marked {state}",
        f"the requests about {first} and those about {second} that are marked {state}",
    )


def _meant(rows: Rows, taken: Taken, row: Mapping[str, Any]) -> bool:
    first, second, state, to = taken["pair"]
    building = next(flat["building"] for flat in rows["flats"] if flat["flat"] == row["flat"])
    then = row["state"] == state
    which = (row["trade"] == first and (then or to == "last")) or (row["trade"] == second and then)
    return which and taken["building"] in (None, building)


def _meant_sql(taken: Taken) -> str:
    first, second, state, to = taken["pair"]
    one = f"trade = {quoted(first)}" + ("" if to == "last" else f" AND state = {quoted(state)}")
    there = ""
    if taken["building"] is not None:
        there = f" AND flat IN (SELECT flat FROM flats WHERE building = {quoted(taken['building'])})"
    return f"(({one}) OR (trade = {quoted(second)} AND state = {quoted(state)})){there}"


def _draw_pair(rows: Rows, draw: Draw) -> Value:
    pair = draw.one("pair", _pairs(rows))
    to = draw.one("to", ("last", "both"))
    return Value(_pair_words(*pair)[to == "both"], [*pair, to])


def _numbers(rows: Rows, taken: Taken) -> Outcome | None:
    found = sorted(str(row["number"]) for row in rows["repairs"] if _meant(rows, taken, row))
    return Outcome(tuple(found), "number") if found else None


_PAIR_IN_BUILDING: Final = (
    attached("pair", "which requests", _pairs, _pair_words),
    one_of(
        "building",
        "filter",
        "building",
        _buildings,
        _building_ways,
        span=" in {value}",
        drops=True,
        asks=("which building", "what building", "where"),
    ),
)

LISTED: Final = made(
    id="housing-listed",
    world=SCHEMA.name,
    kind="read",
    slots=_PAIR_IN_BUILDING,
    wordings=(
        "For the repairs{building} I need the numbers of {pair}.",
        "Give me the numbers of {pair}; only the repairs{building} count.",
    ),
    draw=lambda rows, draw: {
        "pair": _draw_pair(rows, draw),
        "building": draw.one("building", _buildings(rows, {})),
    },
    truth=_numbers,
    solve=answering(world(SCHEMA), lambda v: f"SELECT number FROM repairs WHERE {_meant_sql(v)} ORDER BY number"),
)


def _purge(rows: Rows, taken: Taken) -> Outcome | None:
    repairs = [row for row in rows["repairs"] if not _meant(rows, taken, row)]
    return changes(rows, {**rows, "repairs": repairs})


PURGE: Final = made(
    id="housing-purge",
    world=SCHEMA.name,
    kind="change",
    risky=True,
    slots=_PAIR_IN_BUILDING,
    wordings=(
        "Of the repairs{building}, delete {pair}.",
        "Please clear out the repairs{building}: delete {pair}.",
    ),
    draw=lambda rows, draw: {
        "pair": _draw_pair(rows, draw),
        "building": draw.one("building", _buildings(rows, {})),
    },
    truth=_purge,
    solve=changing(lambda v: f"DELETE FROM repairs WHERE {_meant_sql(v)}"),
)


def _flats(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"flat {row['flat']}", row["flat"]) for row in rows["flats"]]


def _flat_ways(rows: Rows, values: Values) -> Iterator[Way]:
    flats = {row["flat"]: row for row in rows["flats"]}
    names = {row["id"]: row["name"] for row in rows["tenants"]}
    tenant = {row["flat"]: names[row["tenant_id"]] for row in rows["leases"]}
    own = values["flat"].value
    house = flats[own]["building"]
    there = [flat for flat, row in flats.items() if row["building"] == house]
    yield Way("A2", f"one of the flats in {house}", there)
    same = [flat for flat in there if flats[flat]["rooms"] == flats[own]["rooms"]]
    yield Way("E3", f"the {flats[own]['rooms']}-room flat in {house}", same)
    yield Way("P2", f"flat {own[0]}12", there, f"There is no flat {own[0]}12.")
    if own in tenant:
        stem = tenant[own].split()[0]
        yield Way("E3", f"{stem}'s flat", [flat for flat, name in tenant.items() if name.split()[0] == stem])
        yield from disagreeing(
            own,
            [flat for flat, name in tenant.items() if flat != own and name.split()[0] == stem][:2],
            lambda named, told: f"flat {named} (where {tenant[told]} lives)",
        )
    rent = sorted(there, key=lambda flat: (float(flats[flat]["rent"]), flat))
    yield Way(
        "A2",
        f"one of the {'cheaper' if own in rent[:4] else 'dearer'} flats in {house}",
        rent[:4] if own in rent[:4] else rent[4:],
    )


def _check(rows: Rows, taken: Taken) -> Outcome | None:
    if taken["day"] <= "2026-05-11":
        return None
    new = {"flat": taken["flat"], "day": taken["day"], "trade": taken["trade"]}
    return changes(rows, {**rows, "checks": [*rows["checks"], new]})


def _past(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way("P4", " on 28 April", [value.value for value in days(1, 18)], "28 April is over.", span=True)


CHECK: Final = made(
    id="housing-check",
    world=SCHEMA.name,
    kind="insert",
    slots=(
        one_of(
            "trade",
            "value",
            "trade",
            _trades,
            _trade_ways,
            span=" for {value}",
            without="",
            asks=("which trade", "what should be checked", "for what", "what kind"),
        ),
        one_of(
            "flat",
            "entity",
            "flat",
            _flats,
            _flat_ways,
            span=" of {value}",
            without="",
            asks=("which flat", "what flat"),
        ),
        day("day", "day of the check", 1, 18, _past),
    ),
    wordings=(
        "Plan a check{flat}{day}{trade}.",
        "Please enter a check{flat}{day}{trade}.",
    ),
    draw=lambda rows, draw: {
        "trade": draw.one("trade", _trades(rows, {})),
        "flat": draw.one("flat", _flats(rows, {})),
        "day": draw.one("day", days(1, 18)),
    },
    truth=_check,
    solve=changing(
        lambda v: (
            f"INSERT INTO checks (flat, day, trade) VALUES ({quoted(v['flat'])}, {quoted(v['day'])}, "
            f"{quoted(v['trade'])})"
        )
    ),
)


DEEDS: Final = {"ordered": "set to ordered", "done": "set to done", "gone": "deleted"}


def _requests(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"repair {row['number']}", row["number"]) for row in rows["repairs"] if row["state"] == "reported"]


def _request_ways(rows: Rows, values: Values) -> Iterator[Way]:
    repairs = {row["number"]: row for row in rows["repairs"]}
    house = {row["flat"]: row["building"] for row in rows["flats"]}
    there = [value.value for value in _requests(rows, {})]
    own = repairs[values["repair"].value]
    trade = [number for number in there if repairs[number]["trade"] == own["trade"]]
    yield Way("E3", f"the {own['trade']} repair", trade)
    yield Way(
        "A2",
        f"one of the reported repairs in {house[own['flat']]}",
        [number for number in there if house[repairs[number]["flat"]] == house[own["flat"]]],
    )
    ghost = next(number for number in range(own["number"], own["number"] + 9) if number not in repairs)
    near = sorted(there, key=lambda number: (abs(number - own["number"]), number))[:3]
    yield Way("P2", f"repair {ghost}", near, f"There is no repair {ghost}.")
    done = [row["number"] for row in rows["repairs"] if row["state"] == "done" and row["trade"] == own["trade"]]
    for number in done[:2]:
        yield Way(
            "P3",
            f"repair {number} (nobody has looked at it yet)",
            trade,
            f"Repair {number} is done already.",
            said=number,
            state="nobody has looked at it yet",
        )

    def there_too(number: int) -> list[int]:
        return [each for each in there if repairs[each]["flat"] == repairs[number]["flat"]]

    yield from disagreeing(
        own["number"],
        [number for number in there[own["number"] % 3 :: 6] if there_too(number) == [number] != [own["number"]]],
        lambda named, told: f"repair {named} (the one in flat {repairs[told]['flat']})",
        there_too,
    )


def _deed(rows: Rows, taken: Taken) -> Outcome | None:
    def after(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        if row["number"] != taken["repair"]:
            return [row]
        return [] if taken["deed"] == "gone" else [{**row, "state": taken["deed"]}]

    if not any(row["number"] == taken["repair"] and row["state"] == "reported" for row in rows["repairs"]):
        return None
    return changes(rows, {**rows, "repairs": [each for row in rows["repairs"] for each in after(row)]})


def _deed_sql(taken: Taken) -> str:
    if taken["deed"] == "gone":
        return f"DELETE FROM repairs WHERE number = {taken['repair']}"
    return f"UPDATE repairs SET state = {quoted(taken['deed'])} WHERE number = {taken['repair']}"


DEED: Final = made(
    id="housing-deed",
    world=SCHEMA.name,
    kind="change",
    risky=True,
    slots=(
        deed(
            "deed",
            "what is to be done with the request",
            DEEDS,
            ("Please take care of {repair}.", "Can you handle {repair}?", "{repair} is waiting for you."),
            ("{repair} should not be on the list of reported ones.", "I am tired of seeing {repair} as reported."),
            asks=("what should be done", "which state", "what would you like"),
        ),
        one_of(
            "repair",
            "entity",
            "repair",
            _requests,
            _request_ways,
            without="that repair",
            asks=("which repair", "which request"),
        ),
    ),
    wordings=("{repair} is to be {deed}.", "I want {repair} to be {deed}, please."),
    draw=lambda rows, draw: {
        "deed": draw.one("deed", [Value(text, value) for value, text in DEEDS.items()]),
        "repair": draw.one("repair", _requests(rows, {})),
    },
    truth=_deed,
    solve=changing(_deed_sql),
)

TEMPLATES: Final = (LISTED, CHECK, PURGE, DEED)
