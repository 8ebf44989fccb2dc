"""Hire of mountain gear: items by kind, who has hired what, and what is damaged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.sql.names import people
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, day, days, disagreeing, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

KINDS: Final = {
    "tent": "shelter",
    "bivouac": "shelter",
    "stove": "kitchen",
    "kettle": "kitchen",
    "rope": "climbing",
    "harness": "climbing",
}
SIZES: Final = ("small", "medium", "large")


def _rows(draw: Draw) -> Rows:
    items = [
        {
            "tag": f"G{105 + 6 * n}",
            "kind": list(KINDS)[n % 6],
            "size": SIZES[draw.number(f"size {n}", 3)],
            "bought": 2015 + draw.number(f"bought {n}", 10),
        }
        for n in range(36)
    ]
    hirers = [
        {"id": 1 + n, "name": name, "club": draw.number(f"club {n}", 2) == 0} for n, name in enumerate(people(0, 7))
    ]
    hires = [
        {
            "tag": items[draw.number(f"item {n}", 36)]["tag"],
            "hirer_id": 1 + draw.number(f"hirer {n}", len(hirers)),
            "since": f"2026-{2 + n // 30:02d}-{1 + (n % 30) * 28 // 30:02d}",
            "days": 1 + draw.number(f"days {n}", 12),
        }
        for n in range(90)
    ]
    damages = [
        {"tag": items[(11 * n) % 36]["tag"], "seen": days(-20, -1)[n].value, "what": ("torn", "bent", "leaking")[n % 3]}
        for n in range(7)
    ]
    return {"items": items, "hirers": hirers, "hires": hires, "damages": damages}


SCHEMA: Final = Schema(
    "sql-gear",
    {
        "items": {"tag": "VARCHAR", "kind": "VARCHAR", "size": "VARCHAR", "bought": "INTEGER"},
        "hirers": {"id": "INTEGER", "name": "VARCHAR", "club": "BOOLEAN"},
        "hires": {"tag": "VARCHAR", "hirer_id": "INTEGER", "since": "DATE", "days": "INTEGER"},
        "damages": {"tag": "VARCHAR", "seen": "DATE", "what": "VARCHAR"},
    },
    _rows,
)

MONTHS: Final = {"2026-02": "February", "2026-03": "March", "2026-04": "April"}


def _kinds(rows: Rows, values: Values) -> Sequence[Value]:
    plural = {"harness": "harnesses"}
    return [Value(plural.get(kind, f"{kind}s"), kind) for kind in KINDS]


def _kind_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["kind"].value
    same = [kind for kind in KINDS if KINDS[kind] == KINDS[own]]
    yield Way(
        "A2",
        {"shelter": "things to sleep in", "kitchen": "things for cooking", "climbing": "climbing gear"}[KINDS[own]],
        same,
    )
    yield Way("E1", {"shelter": "cloth", "kitchen": "hot stuff", "climbing": "safety stuff"}[KINDS[own]], same)
    yield Way("P1", "canoes", KINDS, "We have never hired out a canoe.")
    bulky = ("tent", "rope", "harness")
    yield Way(
        "E4",
        "bulky things" if own in bulky else "handy things",
        bulky if own in bulky else [kind for kind in KINDS if kind not in bulky],
    )


def _months(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(text, month) for month, text in MONTHS.items()]


def _month_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["month"].value
    late = own != "2026-02"
    yield Way(
        "E4", " lately" if late else " early in the year", list(MONTHS)[1:] if late else list(MONTHS)[:2], span=True
    )
    yield Way("A2", " in one of the last three months", MONTHS, span=True)
    yield Way("P1", " during the 2031 jubilee", MONTHS, "The 2031 jubilee is still to come.", span=True)


def _sizes(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(size, size) for size in SIZES]


def _size_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["size"].value
    yield Way("E1", {"small": "dinky", "medium": "middling", "large": "king-size"}[own], [own], left=[own])
    yield Way("E4", "bigger" if own != "small" else "lighter", SIZES[1:] if own != "small" else SIZES[:2])
    yield Way("P1", "child-size", SIZES, "We have nothing in child size.")


def _hirers_of(rows: Rows, taken: Taken) -> Outcome | None:
    items = {
        row["tag"] for row in rows["items"] if row["kind"] == taken["kind"] and taken["size"] in (None, row["size"])
    }
    names = {row["id"]: row["name"] for row in rows["hirers"]}
    found = {
        names[row["hirer_id"]]
        for row in rows["hires"]
        if row["tag"] in items and row["since"].startswith(taken["month"])
    }
    return Outcome(tuple(sorted(found)), "text") if found else None


def _hirers_sql(taken: Taken) -> str:
    size = "" if taken["size"] is None else f" AND i.size = {quoted(taken['size'])}"
    return (
        "SELECT DISTINCT h.name FROM hires r JOIN items i USING (tag) JOIN hirers h ON h.id = r.hirer_id "
        f"WHERE i.kind = {quoted(taken['kind'])} AND strftime(r.since, '%Y-%m') = {quoted(taken['month'])}{size} "
        "ORDER BY h.name"
    )


def _draw_hirers(rows: Rows, draw: Draw) -> Values | None:
    hire = draw.one("hire", rows["hires"])
    item = next(row for row in rows["items"] if row["tag"] == hire["tag"])
    month = hire["since"][:7]
    return {
        "kind": next(value for value in _kinds(rows, {}) if value.value == item["kind"]),
        "size": Value(item["size"], item["size"]),
        "month": Value(MONTHS[month], month),
    }


HIRERS: Final = made(
    id="gear-hirers",
    world=SCHEMA.name,
    kind="read",
    slots=(
        one_of(
            "size", "filter", "size", _sizes, _size_ways, span=" {value}", drops=True, asks=("which size", "what size")
        ),
        one_of(
            "kind",
            "value",
            "kind of gear",
            _kinds,
            _kind_ways,
            without="gear",
            asks=("what kind", "which gear", "what gear"),
        ),
        one_of(
            "month",
            "date",
            "month",
            _months,
            _month_ways,
            span=" in {value}",
            without=" in that month",
            asks=("which month", "when"),
        ),
    ),
    wordings=(
        "Who began to hire{size} {kind}{month}? Name everybody once.",
        "Name everybody, once each, whose hire of{size} {kind} began{month}.",
    ),
    draw=_draw_hirers,
    truth=_hirers_of,
    solve=answering(world(SCHEMA), _hirers_sql),
)


def _items(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"{row['kind']} {row['tag']}", row["tag"]) for row in rows["items"]]


def _item_ways(rows: Rows, values: Values) -> Iterator[Way]:
    items = {row["tag"]: row for row in rows["items"]}
    own = items[values["item"].value]
    same = [tag for tag, row in items.items() if row["kind"] == own["kind"]]
    yield Way("E3", f"the {own['size']} {own['kind']}", [tag for tag in same if items[tag]["size"] == own["size"]])
    yield Way("A2", f"one of our {_kinds(rows, {})[list(KINDS).index(own['kind'])].text}", same)
    ghost = f"G{int(own['tag'][1:]) + 1}"
    near = sorted(same, key=lambda tag: (abs(int(tag[1:]) - int(own["tag"][1:])), tag))[:3]
    yield Way("P2", f"{own['kind']} {ghost}", near, f"There is nothing with the tag {ghost}.")

    def bought(tag: str) -> list[str]:
        return [each for each in same if items[each]["bought"] == items[tag]["bought"]]

    yield from disagreeing(
        own["tag"],
        [tag for tag in same if bought(tag) == [tag] and tag != own["tag"]],
        lambda named, told: f"{own['kind']} {named} (the one bought in {items[told]['bought']})",
        bought,
    )


def _hirers(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["hirers"]]


def _hirer_ways(rows: Rows, values: Values) -> Iterator[Way]:
    club = {row["id"]: "from the club" if row["club"] else "from outside the club" for row in rows["hirers"]}
    own = values["hirer"].value
    yield from twins({row["id"]: row["name"] for row in rows["hirers"]}, own, "hirer", club)
    yield Way("A2", f"somebody {club[own]}", [id for id in club if club[id] == club[own]])


LENGTHS: Final = (1, 2, 3, 5, 7, 10, 14)


def _length_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["days"].value
    short = own <= 3
    yield Way(
        "E4", " for a short trip" if short else " for a long trip", LENGTHS[:3] if short else LENGTHS[3:], span=True
    )
    yield Way(
        "A2",
        " for a few days" if own in (2, 3, 5) else " for one or more weeks" if own >= 7 else " for a little while",
        (2, 3, 5) if own in (2, 3, 5) else (7, 14) if own in (7, 14) else LENGTHS,
        span=True,
    )
    yield Way("P4", " for 0 days", LENGTHS, "Nobody hires anything for no time at all.", span=True)


def _lengths(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"{number} day{'s' * (number > 1)}", number) for number in LENGTHS]


def _past(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way("P4", " from 9 March", [value.value for value in days(1, 20)], "9 March is over.", span=True)


def _hire(rows: Rows, taken: Taken) -> Outcome | None:
    if not 0 < taken["days"] <= 14 or taken["day"] <= "2026-05-11":
        return None
    new = {"tag": taken["item"], "hirer_id": taken["hirer"], "since": taken["day"], "days": taken["days"]}
    return changes(rows, {**rows, "hires": [*rows["hires"], new]})


HIRE: Final = made(
    id="gear-hire",
    world=SCHEMA.name,
    kind="insert",
    slots=(
        one_of(
            "hirer",
            "entity",
            "hirer",
            _hirers,
            _hirer_ways,
            without="our customer",
            asks=("which hirer", "who", "whom"),
        ),
        one_of(
            "item",
            "entity",
            "item",
            _items,
            _item_ways,
            without="something",
            asks=("which item", "what gear", "what do"),
        ),
        day("day", "first day", 1, 20, _past, span=" from {value}", says="from {value}"),
        one_of(
            "days",
            "quantity",
            "number of days",
            _lengths,
            _length_ways,
            span=" for {value}",
            without="",
            asks=("how long", "how many days"),
        ),
    ),
    wordings=(
        "{hirer} takes {item}{day}{days}: add it to the hires.",
        "Please enter a hire: {hirer} takes {item}{day}{days}.",
    ),
    draw=lambda rows, draw: {
        "hirer": draw.one("hirer", _hirers(rows, {})),
        "item": draw.one("item", _items(rows, {})),
        "day": draw.one("day", days(1, 20)),
        "days": draw.one("days", _lengths(rows, {})),
    },
    truth=_hire,
    solve=changing(
        lambda v: (
            f"INSERT INTO hires (tag, hirer_id, since, days) VALUES ({quoted(v['item'])}, {v['hirer']}, "
            f"{quoted(v['day'])}, {v['days']})"
        )
    ),
)

TEMPLATES: Final = (HIRERS, HIRE)
