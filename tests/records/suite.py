"""The suite that the run folders beside this file were played on. It stays as it is: its hashes are on record."""

from __future__ import annotations

from datetime import datetime

from harness.score import outcome
from harness.suite import Suite, SuiteEntry
from harness.task import Brief, Call, End, Expected, Segment, Session, Slot, Task
from servers.kernel import Edit, World

__all__ = ("entries",)

_BOARD = {"list_name": "Backlog", "board": "Design", "assigned_to_email": "ines@example.test"}


def _world() -> World:
    rows = [{"id": f"{n:08d}", "task_name": f"Job {n}", "due_date": f"2025-03-{n + 10}", **_BOARD} for n in range(4)]
    return World("board", datetime(2025, 3, 13), {"projects": {"tasks": rows}})


def _task(number: int, *, sessions: int = 1, setup: tuple[Edit, ...] = ()) -> Task:
    """Move one job to a list; the underspecified prompt does not say which."""
    id, to = f"{number:08d}", ("In Progress", "In Review", "Completed")[number % 3]
    slot = Slot(name="list", kind="list", text=to, value=to, dimension="goal", subdimension="target")
    full, sent = f"Move job {number} to {to}.", f"Move job {number}."
    brief = Brief(intent=full, sent=sent, withheld=(Segment(id="list", slot=slot),))
    session = Session(requests={"original": full, "underspecified": sent}, briefs={"underspecified": brief})
    moved = Expected(op="update", app="projects", table="tasks", id=id, values={"list_name": to})
    arguments = {"task_id": id, "field": "list_name", "new_value": to}
    return Task(
        id=f"board-{number}",
        world="board",
        apps=("projects",),
        sessions=(session,) * sessions,
        ends=(End(changes=(moved,)),),
        setup=setup,
        solution=(Call(app="projects", tool="update_task", arguments=arguments),),
        template=f"template-{number % 2}",
        slots=(slot,),
        withheld={"underspecified": ("list",)},
    )


def _suite() -> Suite:
    late = Edit(op="change", app="projects", table="tasks", id="00000001", values={"task_name": "Job one"})
    return Suite(
        name="board",
        version="1",
        description="Jobs on a board.",
        tasks=(_task(0), _task(1, setup=(late,)), _task(2), _task(3, sessions=2)),
        world=lambda _: _world(),
        checks={"outcome": outcome},
        system="Today is Thursday.",
        toolsets={"projects": "workbench"},
    )


entries = (SuiteEntry("board", "Jobs on a board.", _suite),)
