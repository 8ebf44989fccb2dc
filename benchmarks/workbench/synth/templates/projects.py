"""Projects: handing over work that is late, urgent or left lying, and putting a new task where it belongs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.office import Office, is_overdue
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.slots import choice, day, person, quoted
from benchmarks.workbench.synth.templates.steps import Row, Step, add_task, reassign
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)


def _hand_over(office: Office, values: Values) -> Sequence[Step]:
    owner = office.people[values["owner"]]
    late = [
        task
        for task in office.tasks
        if task["assigned_to_email"] == owner and task["list_name"] == values["list"] and is_overdue(task, office.today)
    ]
    return reassign(late, office.people[values["assignee"]])


async def _play_hand_over(worker: Worker) -> None:
    owner = await find.address(worker, await worker.slot("owner"))
    found = await find.tasks(worker, owner, list_name=await worker.slot("list"))
    late = [task for task in found if is_overdue(task, worker.now.date())]
    if late:
        assignee = await find.address(worker, await worker.slot("assignee"))
        await _reassign(worker, late, assignee)


async def _reassign(worker: Worker, tasks: find.Found, assignee: str) -> None:
    for task in tasks:
        await worker.call(
            "projects", "update_task", task_id=task["task_id"], field="assigned_to_email", new_value=assignee
        )


HAND_OVER_OVERDUE = Template(
    name="hand-over-overdue",
    domains=("project_management",),
    wordings=(
        "{owner} is on leave from today. Reassign those of their overdue tasks that are in the {list} list "
        "to {assignee}.",
        "We need to relieve {owner}. Of their tasks in the {list} list, the overdue ones go to {assignee} now.",
        "{assignee} helps {owner} out and takes over every overdue task of the latter's that is in the {list} list. "
        "Please reassign them.",
    ),
    slots={
        "owner": person(
            "owner",
            lambda office: office.staff,
            dimension="input",
            subdimension="identifier",
            why="Nearly everybody has overdue tasks.",
        ),
        "list": choice(
            "list",
            {name: name for name in names.LISTS[:3]},
            dimension="constraint",
            subdimension="selection",
            why="Tasks are late in each of the three lists.",
            complete_without=True,
        ),
        "assignee": person(
            "assignee",
            lambda office: office.staff,
            dimension="goal",
            subdimension="target",
            why="Nothing in the workplace tells who is to take over.",
        ),
    },
    outcome=_hand_over,
    program=_play_hand_over,
    idle=2,
    valid=lambda values: values["owner"] != values["assignee"],
)


def _add_task(office: Office, values: Values) -> Sequence[Step]:
    assignee = office.people[values["assignee"]]
    return [add_task(values["title"], assignee, values["list"], values["date"], values["board"])]


async def _play_add_task(worker: Worker) -> None:
    await worker.call(
        "projects",
        "create_task",
        task_name=await worker.slot("title"),
        assigned_to_email=await find.address(worker, await worker.slot("assignee")),
        list_name=await worker.slot("list"),
        due_date=await worker.slot("date"),
        board=await worker.slot("board"),
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
        'There is new work for {assignee}: "{title}". Create a task with that name on the {board} board, in the '
        "{list} list, to be done by {date}.",
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
        "assignee": person(
            "assignee",
            lambda office: office.staff,
            dimension="goal",
            subdimension="target",
            why="Fifteen colleagues take tasks.",
        ),
        "list": choice(
            "list",
            {name: name for name in names.LISTS[:3]},
            dimension="context",
            subdimension="conventions",
            guessability=0.5,
            why="New tasks usually start in the backlog.",
        ),
        "board": choice(
            "board",
            {name: name for name in names.BOARDS},
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
    started = (office.people[values["owner"]], "In Progress", values["board"])
    found = [task for task in office.tasks if (task["assigned_to_email"], task["list_name"], task["board"]) == started]
    return reassign(found, office.people[values["assignee"]])


async def _play_cover_for(worker: Worker) -> None:
    owner = await find.address(worker, await worker.slot("owner"))
    found = await find.tasks(worker, owner, list_name="In Progress", board=await worker.slot("board"))
    if found:
        await _reassign(worker, found, await find.address(worker, await worker.slot("assignee")))


COVER_FOR = Template(
    name="cover-for",
    domains=("project_management",),
    wordings=(
        "{owner} is ill. Reassign whatever they have in progress on the {board} board to {assignee}.",
        "As long as {owner} is ill, {assignee} stands in. Tasks that the former has in progress on the {board} board "
        "should be reassigned to the latter.",
        "{owner} has called in sick for the week. Please reassign the tasks on the {board} board that are in progress "
        "under their name to {assignee}.",
    ),
    slots={
        "owner": person(
            "owner",
            lambda office: office.staff,
            dimension="input",
            subdimension="identifier",
            why="Fifteen colleagues have tasks.",
        ),
        "board": choice(
            "board",
            {name: name for name in names.BOARDS},
            dimension="constraint",
            subdimension="selection",
            why="Most colleagues have tasks on several boards.",
            complete_without=True,
        ),
        "assignee": person(
            "assignee",
            lambda office: office.staff,
            dimension="goal",
            subdimension="target",
            why="Nothing in the workplace tells who is to take over.",
        ),
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
    owned = {
        name: [task for task in office.tasks if task["assigned_to_email"] == office.people[name]]
        for name in office.staff
    }
    return [name for name, tasks in owned.items() if len(_most_urgent(tasks)) == 1]


def _pass_on_urgent(office: Office, values: Values) -> Sequence[Step]:
    owned = [task for task in office.tasks if task["assigned_to_email"] == office.people[values["owner"]]]
    return reassign(_most_urgent(owned), office.people[values["assignee"]])


async def _play_pass_on_urgent(worker: Worker) -> None:
    owned = await find.tasks(worker, await find.address(worker, await worker.slot("owner")))
    assignee = await find.address(worker, await worker.slot("assignee"))
    await _reassign(worker, [dict(task) for task in _most_urgent(owned)], assignee)


PASS_ON_URGENT = Template(
    name="pass-on-urgent",
    domains=("project_management",),
    wordings=(
        "Take the most urgent of {owner}'s tasks, that is, the unfinished one that is due first, and reassign it to "
        "{assignee}.",
        "{owner} needs some relief: reassign the unfinished task of theirs that has the earliest due date to "
        "{assignee}.",
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
        "assignee": person(
            "assignee",
            lambda office: office.staff,
            dimension="goal",
            subdimension="target",
            why="Nothing in the workplace tells who is to take over.",
        ),
    },
    outcome=_pass_on_urgent,
    program=_play_pass_on_urgent,
    valid=lambda values: values["owner"] != values["assignee"],
)

TEMPLATES = (ADD_TASK, HAND_OVER_OVERDUE, COVER_FOR, PASS_ON_URGENT)
