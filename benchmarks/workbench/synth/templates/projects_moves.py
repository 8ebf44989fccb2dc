"""Projects: moving somebody's tasks from list to list, by board, by due date, or because they are late."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.office import Office, is_overdue
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import SlotSpec, Template, Values
from benchmarks.workbench.synth.templates.fields import OWN_BOARD, task_owner
from benchmarks.workbench.synth.templates.slots import OPEN_LISTS, choice, day
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


async def _move(worker: Worker, tasks: Sequence[Row]) -> None:
    """Put tasks into the list that the request names, if there are any to put there."""
    if tasks:
        to = await worker.slot("to")
        await acts.change_tasks(worker, [task for task in tasks if task["list_name"] != to], "list_name", to)


def _tasks_of(office: Office, owner: str, **terms: str) -> list[Row]:
    return rows.where(office.tasks, assigned_to_email=office.people[owner], **terms)


def _from() -> SlotSpec:
    return choice(
        "list",
        OPEN_LISTS,
        role="current list",
        dimension="constraint",
        subdimension="selection",
        why="Nearly everybody has tasks in each list.",
        complete_without=True,
    )


def _to(options: Sequence[str], *, why: str, guessability: float = 0.5) -> SlotSpec:
    return choice(
        "list",
        {name: name for name in options},
        role="new list",
        dimension="goal",
        subdimension="target",
        guessability=guessability,
        why=why,
    )


def _move_on_board(office: Office, values: Values) -> Sequence[Step]:
    found = _tasks_of(office, values["owner"], board=values["board"], list_name=values["from"])
    return steps.change_tasks(found, "list_name", values["to"])


async def _play_move_on_board(worker: Worker) -> None:
    owner = await find.address(worker, await worker.slot("owner"))
    terms = {"board": await worker.slot("board"), "list_name": await worker.slot("from")}
    await _move(worker, await find.tasks(worker, owner, **terms))


MOVE_ON_BOARD = Template(
    name="move-on-board",
    domains=("project_management",),
    wordings=(
        "Move all of {owner}'s tasks on the {board} board that are in the {from} list to the {to} list.",
        "{owner}'s part of the {board} board needs sorting: whatever is there in the {from} list should be moved to "
        "the {to} list now.",
        "Please go to the {board} board, find the tasks that {owner} has in the {from} list, and move them all to the "
        "{to} list.",
    ),
    slots={
        "owner": task_owner(complete_without=True),
        "board": OWN_BOARD,
        "from": _from(),
        "to": _to(names.LISTS, why="It is often the next list along, but work is also sent back."),
    },
    outcome=_move_on_board,
    program=_play_move_on_board,
    idle=4,
    valid=lambda values: values["from"] != values["to"],
)


def _move_overdue(office: Office, values: Values) -> Sequence[Step]:
    listed = _tasks_of(office, values["owner"], list_name=values["from"])
    late = [task for task in listed if is_overdue(task, office.today)]
    return steps.change_tasks(late, "list_name", values["to"])


async def _play_move_overdue(worker: Worker) -> None:
    owner = await find.address(worker, await worker.slot("owner"))
    listed = await find.tasks(worker, owner, list_name=await worker.slot("from"))
    await _move(worker, [task for task in listed if is_overdue(task, worker.now.date())])


MOVE_OVERDUE = Template(
    name="move-overdue",
    domains=("project_management",),
    wordings=(
        "Check {owner}'s tasks in the {from} list, and move any that are overdue to the {to} list.",
        "Is anything overdue that {owner} has in the {from} list? If so, move it to the {to} list.",
        "Go through the {from} list for {owner}: whichever of their tasks there are overdue should be moved to the "
        "{to} list.",
    ),
    slots={
        "owner": task_owner(complete_without=True),
        "from": _from(),
        "to": _to(names.LISTS, why="Late work usually gets started, but it may also be dropped or sent back."),
    },
    outcome=_move_overdue,
    program=_play_move_overdue,
    idle=4,
    valid=lambda values: values["from"] != values["to"],
)


def _move_reviewed(office: Office, values: Values) -> Sequence[Step]:
    reviewed = _tasks_of(office, values["owner"], list_name="In Review")
    due = [task for task in reviewed if task["due_date"] <= values["date"]]
    return steps.change_tasks(due, "list_name", values["to"])


async def _play_move_reviewed(worker: Worker) -> None:
    owner = await find.address(worker, await worker.slot("owner"))
    reviewed = await find.tasks(worker, owner, list_name="In Review")
    if reviewed:
        until = await worker.slot("date")
        await _move(worker, [task for task in reviewed if task["due_date"] <= until])


MOVE_REVIEWED = Template(
    name="move-reviewed",
    domains=("project_management",),
    wordings=(
        "Move any of {owner}'s tasks in review that are due by {date} to the {to} list.",
        "What {owner} has in review and due by {date} is in the wrong place. Please move it to the {to} list.",
        "We have talked about {owner}'s work: tasks in review that are due by {date} should be moved to the {to} list.",
    ),
    slots={
        "owner": task_owner(complete_without=True),
        "date": day(
            "due_date",
            lambda office: [*reversed([office.ago(days) for days in (2, 3, 6)]), *office.workdays(8)],
            dimension="constraint",
            subdimension="temporal",
            why="Without it the request reads as one for everything in review.",
            complete_without=True,
        ),
        "to": _to(
            [name for name in names.LISTS if name != "In Review"],
            why="A review usually ends with the task completed, but not always.",
        ),
    },
    outcome=_move_reviewed,
    program=_play_move_reviewed,
    idle=2,
)


def _park_unfinished(office: Office, values: Values) -> Sequence[Step]:
    unfinished = [task for task in _tasks_of(office, values["owner"]) if task["list_name"] != "Completed"]
    due = [task for task in unfinished if task["due_date"] < values["date"]]
    return steps.change_tasks(due, "list_name", values["to"])


async def _play_park_unfinished(worker: Worker) -> None:
    found = await find.tasks(worker, await find.address(worker, await worker.slot("owner")))
    unfinished = [task for task in found if task["list_name"] != "Completed"]
    if unfinished:
        back = await worker.slot("date")
        await _move(worker, [task for task in unfinished if task["due_date"] < back])


PARK_UNFINISHED = Template(
    name="park-unfinished",
    domains=("project_management",),
    wordings=(
        "{owner} is on holiday until {date}. Move all their unfinished tasks that are due before then to the {to} "
        "list.",
        "{owner} will not be back before {date}. Their unfinished tasks with a due date before that day should wait "
        "in the {to} list; please move them.",
        "A holiday is coming up: {owner} is away until {date}. Would you move all their tasks that are not completed "
        "and due before that day to the {to} list?",
    ),
    slots={
        "owner": task_owner(),
        "date": day(
            "date",
            lambda office: office.workdays(8)[1:],
            dimension="constraint",
            subdimension="temporal",
            why="A holiday might end on any day.",
        ),
        "to": _to(names.LISTS[:3:2], why="Work that has to wait usually goes back to the backlog."),
    },
    outcome=_park_unfinished,
    program=_play_park_unfinished,
)

TEMPLATES = (MOVE_ON_BOARD, MOVE_OVERDUE, MOVE_REVIEWED, PARK_UNFINISHED)
