"""A small environment over the project board: two templates, with mentions of most faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from benchmarks.drift.environments import Place
from benchmarks.drift.template import Draw, Mention, Outcome, Rows, Slot, Template, Value, Values
from harness.task import Call, Expected
from servers.kernel import World

LISTS = ("Backlog", "In Progress", "In Review", "Completed")
PEOPLE = ("ines", "tomas", "aiko")
NAMES = ("Repaint the hall", "Repair the ramp", "Order the lamps", "Check the alarms", "Measure the doors")


def rows(name: str) -> Rows:
    """Thirty tasks, each name held by six people and lists."""
    return {
        "tasks": [
            {
                "id": f"{n:08d}",
                "task_name": f"{NAMES[n % 5]} {'north' if n % 2 else 'south'} {n // 10 + 1}",
                "assigned_to_email": f"{PEOPLE[n % 3]}@example.test",
                "list_name": LISTS[n % 4],
                "due_date": f"2025-0{4 + n % 3}-{10 + n % 7}",
                "board": "Design",
            }
            for n in range(30)
        ]
    }


def world(name: str) -> World:
    return World(name, datetime(2025, 3, 13), {"projects": {"tasks": list(rows(name)["tasks"])}})


def _tasks(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(row["task_name"], row["id"]) for row in rows["tasks"]]


def _lists(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(name, name) for name in LISTS]


def _people(rows: Rows, values: Values) -> Sequence[Value]:
    return [Value(name.title(), f"{name}@example.test") for name in PEOPLE]


def _task_mentions(rows: Rows, values: Values) -> Iterable[Mention]:
    own = values["task"]
    word = own.text.split()[-3]
    alike = tuple(value for value in _tasks(rows, values) if word in value.text)
    yield Mention("A1", "something", tuple(_tasks(rows, values)))
    yield Mention("E3", f"the {word} job", alike)
    yield Mention("A3", f"{own.text}, the one of Yusuf,", (own, *[v for v in alike if v.value != own.value][:1]))
    yield Mention("P2", "Repair the rump", repairs=alike, claim="There is nothing called Repair the rump.")


def _list_mentions(rows: Rows, values: Values) -> Iterable[Mention]:
    lists = tuple(_lists(rows, values))
    yield Mention("A2", "one of the later lists", lists[1:] if values["list"].text != "Backlog" else lists)
    yield Mention("I4", "wherever it should be by now", lists)
    yield Mention("E1", "the right shelf", (values["list"],))


def _person_mentions(rows: Rows, values: Values) -> Iterable[Mention]:
    yield Mention("E3", " for one of our joiners", tuple(_people(rows, values)))
    yield Mention("P1", " for the contractor from Oslo", claim="There is no contractor from Oslo.")


def _one_of(domain: Callable[[Rows, Values], Sequence[Value]], id: str, draw: Draw, rows: Rows) -> Value:
    return draw.one(id, domain(rows, {}))


MOVE = Template(
    id="move",
    environment="sql",
    world="board",
    kind="change",
    slots=(
        Slot(id="task", kind="entity", role="job", domain=_tasks, mentions=_task_mentions),
        Slot(id="list", kind="value", role="list", domain=_lists, mentions=_list_mentions),
    ),
    wordings=("Move {task} to {list}.", "Please put {task} into {list} on the board."),
    draw=lambda rows, draw: {
        "task": _one_of(_tasks, "task", draw, rows), "list": _one_of(_lists, "list", draw, rows)
    },
    truth=lambda rows, values: _moved(rows, values),
    solve=lambda rows, values: [
        Call(
            app="projects", tool="update_task",
            arguments={"task_id": values["task"], "field": "list_name", "new_value": values["list"]},
        )
    ],
    risky=True,
)  # fmt: skip


def _moved(rows: Rows, values: Mapping[str, Any]) -> Outcome | None:
    row = next(row for row in rows["tasks"] if row["id"] == values["task"])
    if row["list_name"] == values["list"]:
        return None
    change = Expected(
        op="update", app="projects", table="tasks", id=row["id"], values={"list_name": values["list"]}
    )  # fmt: skip
    return Outcome(changes=(change,))


def _counted(rows: Rows, values: Mapping[str, Any]) -> Any:
    found = [
        row
        for row in rows["tasks"]
        if row["list_name"] == values["list"] and values["person"] in (None, row["assigned_to_email"])
    ]
    return Outcome(answers=(str(len(found)),), kind="number") if found else None


COUNT = Template(
    id="count",
    environment="sql",
    world="board",
    kind="read",
    slots=(
        Slot(id="list", kind="value", role="list", domain=_lists),
        Slot(
            id="person", kind="filter", role="assignee", domain=_people, mentions=_person_mentions, span=" for {value}",
            drops=True,
        ),
    ),
    wordings=("How many jobs are there in {list}{person}?",),
    draw=lambda rows, draw: {
        "list": _one_of(_lists, "list", draw, rows), "person": _one_of(_people, "person", draw, rows)
    },
    truth=_counted,
    solve=lambda rows, values: [
        Call(app="answer", tool="submit_answer", arguments={"answers": list(_counted(rows, values).answers)})
    ],
)  # fmt: skip

TEMPLATES = (MOVE, COUNT)

PLACE = Place("sql", TEMPLATES, ("board",), world, rows, ("projects", "answer"))
COUNTS = {"sql": 12}


def slot(template: Template, **changes: Any) -> Slot:
    """The template's first slot with some of it changed."""
    from dataclasses import replace

    return replace(template.slots[0], **changes)
