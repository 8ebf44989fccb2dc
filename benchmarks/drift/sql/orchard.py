"""Growers of a fruit co-operative: their plots, and what each harvest weighed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.sql.names import TOWNS, people
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, amount, attached, day, days, disagreeing, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

FRUITS: Final = ("apples", "pears", "plums", "quinces", "cherries")
GRADES: Final = ("A", "B", "juice")


def _rows(draw: Draw) -> Rows:
    growers = [
        {"id": 1 + n, "name": name, "village": TOWNS[(n * 3 + n // 2) % 5]} for n, name in enumerate(people(5, 5))
    ]
    plots = [
        {
            "plot": f"P{11 + 3 * n}",
            "grower_id": 1 + (n * 7) % len(growers),
            "fruit": FRUITS[draw.number(f"fruit {n}", 5)],
            "trees": 20 + 10 * draw.number(f"trees {n}", 15),
        }
        for n in range(30)
    ]
    harvests = [
        {
            "plot": plots[draw.number(f"plot {n}", 30)]["plot"],
            "day": f"2025-{8 + n // 36:02d}-{1 + (n % 36) * 28 // 36:02d}",
            "kilos": 40 + draw.number(f"kilos {n}", 900),
            "grade": GRADES[draw.number(f"grade {n}", 3)],
        }
        for n in range(108)
    ]
    return {"growers": growers, "plots": plots, "harvests": harvests}


SCHEMA: Final = Schema(
    "sql-orchard",
    {
        "growers": {"id": "INTEGER", "name": "VARCHAR", "village": "VARCHAR"},
        "plots": {"plot": "VARCHAR", "grower_id": "INTEGER", "fruit": "VARCHAR", "trees": "INTEGER"},
        "harvests": {"plot": "VARCHAR", "day": "DATE", "kilos": "INTEGER", "grade": "VARCHAR"},
    },
    _rows,
)


def _pair_words(first: str, second: str, grade: str) -> tuple[str, str, str]:
    said = {"A": "graded A", "B": "graded B", "juice": "sold for juice"}[grade]
    return (
        f"all the {first} there were and only those {second} that were {said}",
        f"only those {first} and {second} that were {said}",
        f"the {first} and {second} that were {said}",
    )


def _pairs(rows: Rows) -> Sequence[tuple[str, str, str]]:
    return [(one, two, grade) for one in FRUITS for two in FRUITS if one != two for grade in GRADES]


def _growers(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["growers"]]


def _grower_ways(rows: Rows, values: Values) -> Iterator[Way]:
    village = {row["id"]: f"from {row['village']}" for row in rows["growers"]}
    own = values["grower"].value
    yield from twins({row["id"]: row["name"] for row in rows["growers"]}, own, "grower", village)
    yield Way("A2", f"one of the growers {village[own]}", [id for id in village if village[id] == village[own]])
    yield Way("P1", "the grower of the year 2031", village, "There is no grower of the year 2031 yet.")


def _weight(rows: Rows, taken: Taken) -> Outcome | None:
    first, second, grade, to = taken["pair"]
    plots = {row["plot"]: row["fruit"] for row in rows["plots"] if row["grower_id"] == taken["grower"]}
    total = 0
    for row in rows["harvests"]:
        fruit = plots.get(row["plot"])
        graded = row["grade"] == grade
        if (fruit == first and (graded or to == "last")) or (fruit == second and graded):
            total += row["kilos"]
    return Outcome((str(total),), "number") if total else None


def _weight_sql(taken: Taken) -> str:
    first, second, grade, to = taken["pair"]
    one = f"p.fruit = {quoted(first)}" + ("" if to == "last" else f" AND h.grade = {quoted(grade)}")
    return (
        "SELECT sum(h.kilos) FROM harvests h JOIN plots p USING (plot) "
        f"WHERE p.grower_id = {taken['grower']} "
        f"AND (({one}) OR (p.fruit = {quoted(second)} AND h.grade = {quoted(grade)}))"
    )


def _draw_weight(rows: Rows, draw: Draw) -> Values | None:
    pair, to = draw.one("pair", _pairs(rows)), draw.one("to", ("last", "both"))
    own = [row["grower_id"] for row in rows["plots"] if row["fruit"] == pair[0]]
    grower = draw.one("grower", own) if own else 1
    return {
        "pair": Value(_pair_words(*pair)[to == "both"], [*pair, to]),
        "grower": next(value for value in _growers(rows, {}) if value.value == grower),
    }


WEIGHT: Final = made(
    id="orchard-weight",
    world=SCHEMA.name,
    kind="read",
    slots=(
        one_of(
            "grower",
            "entity",
            "grower",
            _growers,
            _grower_ways,
            without="our grower",
            asks=("which grower", "whose", "who"),
        ),
        attached("pair", "which fruit", _pairs, _pair_words),
    ),
    wordings=(
        "How many kilos did {grower} harvest in all, counting {pair}?",
        "I need the kilos that {grower} brought in, counting {pair}.",
    ),
    draw=_draw_weight,
    truth=_weight,
    solve=answering(world(SCHEMA), _weight_sql),
)


def _plots(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"plot {row['plot']}", row["plot"]) for row in rows["plots"]]


def _plot_ways(rows: Rows, values: Values) -> Iterator[Way]:
    plots = {row["plot"]: row for row in rows["plots"]}
    names = {row["id"]: row["name"] for row in rows["growers"]}
    own = plots[values["plot"].value]
    grower, fruit = names[own["grower_id"]], own["fruit"]
    theirs = [plot for plot, row in plots.items() if row["grower_id"] == own["grower_id"]]
    yield Way("E3", f"{grower}'s plot", theirs)
    yield Way("A2", f"one of the plots with {fruit}", [plot for plot, row in plots.items() if row["fruit"] == fruit])
    ghost = f"P{int(own['plot'][1:]) + 1}"
    near = sorted(plots, key=lambda plot: (abs(int(plot[1:]) - int(own["plot"][1:])), plot))[:3]
    yield Way("P2", f"plot {ghost}", near, f"There is no plot {ghost}.")

    def grown(plot: str) -> str:
        return f"the {plots[plot]['fruit']} of {names[plots[plot]['grower_id']]}"

    def alike(plot: str) -> list[str]:
        return [each for each in plots if grown(each) == grown(plot)]

    yield from disagreeing(
        own["plot"],
        [plot for plot in [*plots][int(own["plot"][1:]) % 3 :: 4] if alike(plot) == [plot] != [own["plot"]]],
        lambda named, told: f"plot {named} ({grown(told)})",
        alike,
    )


WEIGHTS: Final = (60, 85, 120, 150, 240, 310, 480, 650, 820)


def _kilo_ways(own: int) -> Iterator[Way]:
    light = own <= 150
    yield Way("E4", "a modest harvest" if light else "a big harvest", WEIGHTS[:4] if light else WEIGHTS[4:], span=True)
    yield Way(
        "A2",
        "a harvest of less than 200 kilos" if light else "a harvest of a few hundred kilos",
        WEIGHTS[:4] if light else WEIGHTS[4:],
        span=True,
    )
    yield Way("P4", "a harvest of -30 kilos", WEIGHTS, "No harvest weighs less than nothing.", span=True)


def _grades(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(f"grade {grade}", grade) for grade in GRADES]


def _grade_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["grade"].value
    yield Way("E1", {"A": "shop quality", "B": "second choice", "juice": "for the press"}[own], [own], left=[own])
    table = own != "juice"
    yield Way("A2", "a grade for eating" if table else "one of the lower grades", GRADES[:2] if table else GRADES[1:])
    yield Way("P1", "grade D", GRADES, "There is no grade D.")


def _earlier(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way("P4", " on 30 June", [value.value for value in days(-14, -1)], "30 June has not come yet.", span=True)


def _harvest(rows: Rows, taken: Taken) -> Outcome | None:
    if taken["kilos"] <= 0 or taken["day"] > "2026-05-11":
        return None
    new = {"plot": taken["plot"], "day": taken["day"], "kilos": taken["kilos"], "grade": taken["grade"]}
    return changes(rows, {**rows, "harvests": [*rows["harvests"], new]})


HARVEST: Final = made(
    id="orchard-harvest",
    world=SCHEMA.name,
    kind="insert",
    slots=(
        amount("kilos", "weight", WEIGHTS, "kilos", _kilo_ways, span="a harvest of {value}", without="a harvest"),
        one_of(
            "plot",
            "entity",
            "plot",
            _plots,
            _plot_ways,
            span=" from {value}",
            without="",
            asks=("which plot", "what plot", "from where"),
        ),
        day("day", "day of the harvest", -14, -1, _earlier),
        one_of(
            "grade",
            "value",
            "grade",
            _grades,
            _grade_ways,
            span=", {value}",
            without="",
            asks=("which grade", "what grade", "what quality"),
        ),
    ),
    wordings=(
        "Enter {kilos}{plot}{day}{grade}.",
        "There was {kilos}{plot}{day}{grade}: add it to the harvests.",
    ),
    draw=lambda rows, draw: {
        "kilos": draw.one("kilos", [Value(f"{number} kilos", number) for number in WEIGHTS]),
        "plot": draw.one("plot", _plots(rows, {})),
        "day": draw.one("day", days(-14, -1)),
        "grade": draw.one("grade", _grades(rows, {})),
    },
    truth=_harvest,
    solve=changing(
        lambda v: (
            f"INSERT INTO harvests (plot, day, kilos, grade) VALUES ({quoted(v['plot'])}, {quoted(v['day'])}, "
            f"{v['kilos']}, {quoted(v['grade'])})"
        )
    ),
)

TEMPLATES: Final = (WEIGHT, HARVEST)
