"""An evening school: courses and who teaches them, pupils, and who takes what since when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from benchmarks.drift.sql.names import people, things
from benchmarks.drift.sql.reference import answering, changing, quoted
from benchmarks.drift.sql.schema import Schema, changes, world
from benchmarks.drift.sql.speaking import Way, day, days, made, one_of, twins
from benchmarks.drift.template import Draw, Outcome, Rows, Value, Values

__all__ = ("SCHEMA", "TEMPLATES")

Taken = Mapping[str, Any]

WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday")
GROUPS: Final = ("beginners", "returners", "advanced")
SAID: Final = {"beginners": "beginners", "returners": "returners", "advanced": "advanced pupils"}


def _rows(draw: Draw) -> Rows:
    teachers = [{"id": 1 + n, "name": name} for n, name in enumerate(people(0, 3))]
    courses = [
        {
            "code": f"{title.split()[0][:2].upper()}{20 + 3 * n}",
            "title": title,
            "teacher_id": 1 + draw.number(f"teacher {n}", len(teachers)),
            "weekday": WEEKDAYS[(n * 3 + n // 4) % 4],
            "seats": 8 + draw.number(f"seats {n}", 10),
        }
        for n, title in enumerate(things("course"))
    ]
    pupils = [
        {"id": 1 + n, "name": name, "grp": GROUPS[draw.number(f"group {n}", 3)]} for n, name in enumerate(people(3, 13))
    ]
    enrolments = []
    for n, pupil in enumerate(pupils):
        first = draw.number(f"course {n}", len(courses))
        enrolments += [
            {
                "course": courses[(first + 3 * m) % len(courses)]["code"],
                "pupil_id": pupil["id"],
                "since": f"2026-{1 + draw.number(f'month {n} {m}', 4):02d}-{1 + draw.number(f'on {n} {m}', 28):02d}",
            }
            for m in range(1 + draw.number(f"courses {n}", 3))
        ]
    return {"teachers": teachers, "courses": courses, "pupils": pupils, "enrolments": enrolments}


SCHEMA: Final = Schema(
    "sql-school",
    {
        "teachers": {"id": "INTEGER", "name": "VARCHAR"},
        "courses": {
            "code": "VARCHAR",
            "title": "VARCHAR",
            "teacher_id": "INTEGER",
            "weekday": "VARCHAR",
            "seats": "INTEGER",
        },
        "pupils": {"id": "INTEGER", "name": "VARCHAR", "grp": "VARCHAR"},
        "enrolments": {"course": "VARCHAR", "pupil_id": "INTEGER", "since": "DATE"},
    },
    _rows,
)


def _courses(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["title"], row["code"]) for row in rows["courses"]]


def _course_ways(rows: Rows, values: Values) -> Iterator[Way]:
    courses = {row["code"]: row for row in rows["courses"]}
    names = {row["id"]: row["name"] for row in rows["teachers"]}
    own = values["course"].value
    on = {code: f"on {row['weekday']}s" for code, row in courses.items()}
    yield from twins({code: row["title"] for code, row in courses.items()}, own, "course", on)
    yield Way("A2", f"one of the {courses[own]['weekday']} courses", [code for code in on if on[code] == on[own]])
    teacher = courses[own]["teacher_id"]
    yield Way(
        "E3", f"{names[teacher]}'s course", [code for code, row in courses.items() if row["teacher_id"] == teacher]
    )
    large = sorted(courses, key=lambda code: (courses[code]["seats"], code))
    yield Way(
        "A2",
        "one of the bigger courses" if own in large[4:] else "one of the smaller courses",
        large[4:] if own in large[4:] else large[:4],
    )
    yield Way("P1", "the course from the summer academy of 2031", courses, "There has been no summer academy of 2031.")
    stage = {"Modern", "Music"}
    arts = courses[own]["title"].split()[0] in stage
    yield Way(
        "E1",
        "the stage thing" if arts else "the hands-on thing",
        [code for code, row in courses.items() if (row["title"].split()[0] in stage) == arts],
    )


def _pupils(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["name"], row["id"]) for row in rows["pupils"]]


def _pupil_ways(rows: Rows, values: Values) -> Iterator[Way]:
    group = {row["id"]: f"from the {SAID[row['grp']]}" for row in rows["pupils"]}
    own = values["pupil"].value
    yield from twins({row["id"]: row["name"] for row in rows["pupils"]}, own, "pupil", group)
    yield Way("A2", f"somebody {group[own]}", [id for id in group if group[id] == group[own]])


def _joining_ways(rows: Rows, values: Values) -> Iterator[Way]:
    yield from _pupil_ways(rows, values)
    course, own = values["course"].value, values["pupil"].value
    there = {row["pupil_id"] for row in rows["enrolments"] if row["course"] == course}
    names = {row["id"]: row["name"] for row in rows["pupils"]}
    free = [id for id in names if id not in there]
    for id in sorted(there)[:1]:
        yield Way(
            "P3",
            f"{names[id]} (not on the course yet)",
            [own, *[each for each in free if each != own][:3]],
            f"{names[id]} is in {values['course'].text} already.",
            said=id,
            state="not on the course yet",
        )


def _groups(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(SAID[group], group) for group in GROUPS]


def _group_ways(rows: Rows, values: Values) -> Iterator[Way]:
    own = values["group"].value
    slang = {"beginners": "of the newbies", "returners": "of the comebacks", "advanced": "of the old hands"}
    yield Way("E1", slang[own], [own], left=[own], span=True)
    new = own != "advanced"
    yield Way(
        "A2",
        "with some experience" if own != "beginners" else "below the advanced level",
        GROUPS[1:] if own != "beginners" else GROUPS[:2],
        span=True,
    )
    yield Way(
        "E4",
        "of the less experienced pupils" if new else "of the more experienced pupils",
        GROUPS[:2] if new else GROUPS[1:],
        span=True,
    )
    yield Way("P1", "of the exchange pupils", GROUPS, "There are no exchange pupils.", span=True)


def _since(rows: Rows, values: Values) -> Sequence[Value]:
    return [
        Value(text, month)
        for month, text in (("2026-02", "February 2026"), ("2026-03", "March 2026"), ("2026-04", "April 2026"))
    ]


def _since_ways(rows: Rows, values: Values) -> Iterator[Way]:
    every = [value.value for value in _since(rows, {})]
    yield Way("A2", " in one of the last three months", every, span=True)
    yield Way(
        "E4",
        " recently" if values["since"].value != every[0] else " earlier this year",
        every[1:] if values["since"].value != every[0] else every[:2],
        span=True,
    )
    yield Way("P1", " in February 2031", every, "2031 has not come yet.", span=True)


def _joined(rows: Rows, taken: Taken) -> Outcome | None:
    group = {row["id"]: row["grp"] for row in rows["pupils"]}
    names = {row["id"]: row["name"] for row in rows["pupils"]}
    found = sorted(
        names[row["pupil_id"]]
        for row in rows["enrolments"]
        if row["course"] == taken["course"]
        and row["since"].startswith(taken["since"])
        and taken["group"] in (None, group[row["pupil_id"]])
    )
    return Outcome(tuple(found), "text") if found else None


def _joined_sql(taken: Taken) -> str:
    group = "" if taken["group"] is None else f" AND p.grp = {quoted(taken['group'])}"
    return (
        "SELECT p.name FROM enrolments e JOIN pupils p ON p.id = e.pupil_id "
        f"WHERE e.course = {quoted(taken['course'])} AND strftime(e.since, '%Y-%m') = {quoted(taken['since'])}{group} "
        "ORDER BY p.name"
    )


def _draw_joined(rows: Rows, draw: Draw) -> Values | None:
    row = draw.one("row", rows["enrolments"])
    group = next(pupil["grp"] for pupil in rows["pupils"] if pupil["id"] == row["pupil_id"])
    months = [value for value in _since(rows, {}) if row["since"].startswith(value.value)]
    course = next(value for value in _courses(rows, {}) if value.value == row["course"])
    return {"group": Value(SAID[group], group), "course": course, "since": months[0]} if months else None


JOINED: Final = made(
    id="school-joined",
    world=SCHEMA.name,
    kind="read",
    slots=(
        one_of(
            "group",
            "filter",
            "group",
            _groups,
            _group_ways,
            span="of the {value}",
            drops=True,
            asks=("which group", "which pupils"),
        ),
        one_of(
            "course",
            "entity",
            "course",
            _courses,
            _course_ways,
            without="the course",
            asks=("which course", "what course"),
        ),
        one_of(
            "since",
            "date",
            "month",
            _since,
            _since_ways,
            span=" in {value}",
            without=" in that month",
            asks=("which month", "when", "since when"),
        ),
    ),
    wordings=(
        "Who {group} joined {course}{since}? Give me all their names.",
        "Please name everybody {group} who joined {course}{since}.",
    ),
    draw=_draw_joined,
    truth=_joined,
    solve=answering(world(SCHEMA), _joined_sql),
)


def _past(rows: Rows, values: Values) -> Iterator[Way]:
    yield Way(
        "P4",
        " from 2 March on",
        [value.value for value in days(1, 24)],
        "Nobody is enrolled for a day that is over.",
        span=True,
    )


def _enrol(rows: Rows, taken: Taken) -> Outcome | None:
    there = {(row["course"], row["pupil_id"]) for row in rows["enrolments"]}
    if (taken["course"], taken["pupil"]) in there or taken["day"] <= "2026-05-11":
        return None
    new = {"course": taken["course"], "pupil_id": taken["pupil"], "since": taken["day"]}
    return changes(rows, {**rows, "enrolments": [*rows["enrolments"], new]})


ENROL: Final = made(
    id="school-enrol",
    world=SCHEMA.name,
    kind="insert",
    slots=(
        one_of(
            "pupil",
            "entity",
            "pupil",
            _pupils,
            _joining_ways,
            without="the new one",
            asks=("which pupil", "who", "whom"),
        ),
        one_of(
            "course",
            "entity",
            "course",
            _courses,
            _course_ways,
            span=" in {value}",
            without="",
            asks=("which course", "what course"),
        ),
        day("day", "first day", 1, 24, _past, span=" from {value} on", says="from {value} on"),
    ),
    wordings=(
        "Enrol {pupil}{course}{day}.",
        "Please enrol {pupil}{course}{day}; that is a row in enrolments.",
    ),
    draw=lambda rows, draw: {
        "pupil": draw.one("pupil", _pupils(rows, {})),
        "course": draw.one("course", _courses(rows, {})),
        "day": draw.one("day", days(1, 24)),
    },
    truth=_enrol,
    solve=changing(
        lambda v: (
            f"INSERT INTO enrolments (course, pupil_id, since) VALUES ({quoted(v['course'])}, {v['pupil']}, "
            f"{quoted(v['day'])})"
        )
    ),
)

TEMPLATES: Final = (JOINED, ENROL)
