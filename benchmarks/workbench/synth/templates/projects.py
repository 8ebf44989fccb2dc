"""Projects: handing over work that is late, urgent or left lying, and putting a new task where it belongs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office, is_overdue
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import (
    ASSIGNEE,
    LIST_WITH_LATE,
    OWN_BOARD,
    STAND_IN,
    task_owner,
    with_late_tasks,
)
from benchmarks.workbench.synth.templates.slots import BOARDS, OPEN_LISTS, choice, day, person, quoted
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


def _reassigned(tasks: Sequence[Row], assignee: str) -> list[Step]:
    return steps.change_tasks(tasks, "assigned_to_email", assignee)


async def _reassign(worker: Worker, tasks: Sequence[Row]) -> None:
    assignee = await find.address(worker, await worker.slot("assignee"))
    await acts.change_tasks(worker, tasks, "assigned_to_email", assignee)


def _hand_over(office: Office, values: Values) -> Sequence[Step]:
    found = rows.where(office.tasks, assigned_to_email=office.people[values["owner"]], list_name=values["list"])
    late = [task for task in found if is_overdue(task, office.today)]
    return _reassigned(late, office.people[values["assignee"]])


async def _play_hand_over(worker: Worker) -> None:
    owner = await find.address(worker, await worker.slot("owner"))
    found = await find.tasks(worker, owner, list_name=await worker.slot("list"))
    if late := [task for task in found if is_overdue(task, worker.now.date())]:
        await _reassign(worker, late)


HAND_OVER_OVERDUE = Template(
    name="hand-over-overdue",
    domains=("project_management",),
    wordings=(
        "{owner} is on leave from today. Reassign their overdue tasks in the {list} list to {assignee}.",
        "We need to relieve {owner}. Of their tasks in the {list} list, the overdue ones go to {assignee} now.",
        "Please reassign every overdue task that {owner} has in the {list} list to {assignee}, who has offered to "
        "help.",
    ),
    slots={
        "owner": with_late_tasks("owner"),
        "list": LIST_WITH_LATE,
        "assignee": STAND_IN,
    },
    outcome=_hand_over,
    program=_play_hand_over,
    idle=2,
    valid=lambda values: values["owner"] != values["assignee"],
)


def _add_task(office: Office, values: Values) -> Sequence[Step]:
    assignee = office.people[values["assignee"]]
    return [steps.add_task(values["title"], assignee, values["list"], values["date"], values["board"])]


async def _play_add_task(worker: Worker) -> None:
    await acts.add_task(
        worker,
        await worker.slot("title"),
        await find.address(worker, await worker.slot("assignee")),
        await worker.slot("list"),
        await worker.slot("date"),
        await worker.slot("board"),
    )


async def _home_board(worker: Worker) -> str | None:
    """The board that holds most of the assignee's tasks."""
    found = await find.tasks(worker, await find.address(worker, await worker.slot("assignee")))
    boards = Counter(str(task["board"]) for task in found)
    return max(sorted(boards), key=boards.__getitem__, default=None)


ADD_TASK = Template(
    name="add-task",
    domains=("project_management",),
    wordings=(
        'Add a task called "{title}" to the {list} list of the {board} board, assign it to {assignee} and make it '
        "due on {date}.",
        'There is new work for {assignee}: create a task named "{title}" on the {board} board, in the {list} list, '
        "to be done by {date}.",
        'On the {board} board we need one more task. Call it "{title}", set {date} as its due date, put it into '
        "the {list} list and give it to {assignee}.",
    ),
    slots={
        "title": quoted(
            "task_name",
            "goal",
            "content",
            (
                "Clear out the old templates",
                "Compare three courier offers",
                "Prepare the spring release",
                "Collect feedback from the depot",
                "Write the handover notes",
                "Replace the test certificates",
                "Review the packing slips",
            ),
            why="Nothing in the workplace tells what the task is.",
        ),
        "assignee": ASSIGNEE,
        "list": choice(
            "list",
            OPEN_LISTS,
            dimension="context",
            subdimension="conventions",
            guessability=0.5,
            why="New tasks usually start in the backlog.",
        ),
        "board": choice(
            "board",
            BOARDS,
            dimension="context",
            subdimension="tool_knowledge",
            guessability=0.5,
            why="Most of a colleague's tasks are on one board, not all.",
            explore=_home_board,
        ),
        "date": day(
            "due_date",
            lambda office: office.workdays(11)[1:],
            dimension="constraint",
            subdimension="temporal",
            why="Any coming day might be meant.",
        ),
    },
    outcome=_add_task,
    program=_play_add_task,
)


def _cover_for(office: Office, values: Values) -> Sequence[Step]:
    owner = office.people[values["owner"]]
    found = rows.where(office.tasks, assigned_to_email=owner, list_name="In Progress", board=values["board"])
    return _reassigned(found, office.people[values["assignee"]])


async def _play_cover_for(worker: Worker) -> None:
    owner = await find.address(worker, await worker.slot("owner"))
    if found := await find.tasks(worker, owner, list_name="In Progress", board=await worker.slot("board")):
        await _reassign(worker, found)


COVER_FOR = Template(
    name="cover-for",
    domains=("project_management",),
    wordings=(
        "{owner} is ill. Reassign whatever they have in progress on the {board} board to {assignee}.",
        "While {owner} is ill, {assignee} is standing in. Tasks that the former has in progress on the {board} board "
        "should be reassigned to the latter.",
        "{owner} has called in sick for the week. Please reassign the tasks on the {board} board that are in progress "
        "under their name to {assignee}.",
    ),
    slots={
        "owner": task_owner(),
        "board": OWN_BOARD,
        "assignee": STAND_IN,
    },
    outcome=_cover_for,
    program=_play_cover_for,
    idle=4,
    valid=lambda values: values["owner"] != values["assignee"],
)


def _most_urgent(tasks: Sequence[Row]) -> Sequence[Row]:
    """Of those not completed, all that are due on the earliest day."""
    unfinished = [task for task in tasks if task["list_name"] != "Completed"]
    first = min((task["due_date"] for task in unfinished), default="")
    return [task for task in unfinished if task["due_date"] == first]


def _with_one_most_urgent(office: Office) -> list[str]:
    """Colleagues who have one task that is due before all their others."""
    owned = {name: rows.where(office.tasks, assigned_to_email=office.people[name]) for name in office.staff}
    return [name for name, tasks in owned.items() if len(_most_urgent(tasks)) == 1]


def _pass_on_urgent(office: Office, values: Values) -> Sequence[Step]:
    owned = rows.where(office.tasks, assigned_to_email=office.people[values["owner"]])
    return _reassigned(_most_urgent(owned), office.people[values["assignee"]])


async def _play_pass_on_urgent(worker: Worker) -> None:
    owned = await find.tasks(worker, await find.address(worker, await worker.slot("owner")))
    await _reassign(worker, _most_urgent(owned))


PASS_ON_URGENT = Template(
    name="pass-on-urgent",
    domains=("project_management",),
    wordings=(
        "Take the most urgent of {owner}'s tasks, that is, the unfinished one that is due first, and reassign it to "
        "{assignee}.",
        "{owner} needs some relief: reassign whichever of their unfinished tasks is due first to {assignee}.",
        "Find out which unfinished task of {owner}'s is the most urgent, going by due dates. {assignee} has agreed to "
        "take it over, so please reassign it.",
    ),
    slots={
        "owner": person(
            "owner",
            _with_one_most_urgent,
            dimension="input",
            subdimension="identifier",
            why="Fifteen colleagues have tasks.",
            complete_without=True,
        ),
        "assignee": STAND_IN,
    },
    outcome=_pass_on_urgent,
    program=_play_pass_on_urgent,
    valid=lambda values: values["owner"] != values["assignee"],
)

TEMPLATES = (ADD_TASK, HAND_OVER_OVERDUE, COVER_FOR, PASS_ON_URGENT)
