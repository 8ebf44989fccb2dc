"""Projects: tasks on boards, with the five project tools of WorkBench (appendix A.5, release of 2024).

As in the release: a task goes only to somebody who has a task already, lists and boards are checked,
names and due dates are stored as given, and a search has no limit.

Departures from the release, each where it has a defect: search texts are literal, not regular expressions;
an update cannot overwrite an id; ids of deleted tasks do not come back.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, Field

from servers.kernel import App, Dated, Ref, Rejected, State, Table, quoted, required

__all__ = ("Task", "app")

ListName = Literal["Backlog", "In Progress", "In Review", "Completed"]
Board = Literal["Back end", "Front end", "Design"]


class Task(Table, name="tasks", ids="{:08d}"):
    """A task. `due_date` is YYYY-MM-DD as text."""

    task_name: Dated
    assigned_to_email: str
    list_name: str
    due_date: Dated
    board: str


class TaskRecord(BaseModel):
    """A task as the tools show it."""

    task_id: str
    task_name: str
    assigned_to_email: str
    list_name: str
    due_date: str
    board: str


app = App("projects", "Search, create, change and delete tasks on the team's boards.", tables=(Task,))
workbench = app.toolset("workbench")

TaskField = Literal["task_id", "task_name", "assigned_to_email", "list_name", "due_date", "board"]
ChangeableField = Literal["task_name", "assigned_to_email", "list_name", "due_date", "board"]
_CHOICES: dict[str, tuple[str, ...]] = {"list_name": get_args(ListName), "board": get_args(Board)}

TaskId = Annotated[
    str,
    Ref(Task),
    Field(description="Id of a task, eight digits, as `search_tasks` and `create_task` return it."),
]
Part = Annotated[str | None, Field(description="Text that this field must contain, regardless of case.")]


@workbench.reads
def get_task_information_by_id(
    state: State, task_id: TaskId, field: Annotated[TaskField, Field(description="Which field to read.")]
) -> dict[str, str]:
    """Read one field of a task. Returns an object with only that field."""
    required(task_id=task_id)
    return {field: _record(state.get(Task, task_id)).model_dump()[field]}


@workbench.reads
def search_tasks(
    state: State,
    task_name: Part = None,
    assigned_to_email: Part = None,
    list_name: Part = None,
    due_date: Part = None,
    board: Part = None,
) -> list[TaskRecord]:
    """Find tasks that contain every text given; give at least one.

    Lists are Backlog, In Progress, In Review and Completed; boards are Back end, Front end and Design; due dates are
    YYYY-MM-DD. Returns every match, in the table's order, or an empty list.
    """
    parts = {
        "task_name": task_name,
        "assigned_to_email": assigned_to_email,
        "list_name": list_name,
        "due_date": due_date,
        "board": board,
    }
    given = {f"contains(lower({column}), lower(?))": text for column, text in parts.items() if text}
    if not given:
        raise Rejected("No search condition given; give at least one, such as task_name or board.")
    return [_record(row) for row in state.find(Task, " AND ".join(given), list(given.values()))]


@workbench.writes
def create_task(
    state: State,
    task_name: Annotated[str, Field(description="Title of the task.")],
    assigned_to_email: Annotated[
        str, Field(description="Address of a team member, that is, of somebody who has a task on some board already.")
    ],
    list_name: Annotated[ListName, Field(description="How far the work has got.")],
    due_date: Annotated[str, Field(description="YYYY-MM-DD. Stored as given.")],
    board: Annotated[Board, Field(description="Which board it belongs to.")],
) -> str:
    """Create a task and return its id."""
    required(task_name=task_name, assigned_to_email=assigned_to_email, due_date=due_date)
    task = Task(
        task_name=task_name,
        assigned_to_email=_assignee(state, assigned_to_email),
        list_name=list_name,
        due_date=due_date,
        board=board,
    )
    return state.add(task).id


@workbench.writes(destructive=True, idempotent=True)
def delete_task(state: State, task_id: TaskId) -> str:
    """Delete a task for good."""
    required(task_id=task_id)
    state.delete(state.get(Task, task_id))
    return f"Task {task_id} deleted."


@workbench.writes(destructive=True, idempotent=True)
def update_task(
    state: State,
    task_id: TaskId,
    field: Annotated[ChangeableField, Field(description="Which field to change.")],
    new_value: Annotated[
        str, Field(description="The field's new value; a date as YYYY-MM-DD.", coerce_numbers_to_str=True)
    ],
) -> str:
    """Change one field of a task; its old value is replaced.

    A list_name is one of Backlog, In Progress, In Review, Completed; a board one of Back end, Front end, Design,
    spelled exactly so; an assignee is somebody who has a task already.
    """
    required(task_id=task_id, new_value=new_value)
    if field in _CHOICES and new_value not in _CHOICES[field]:
        raise Rejected(f"{quoted(new_value)} is not a {field}; choose from {', '.join(_CHOICES[field])}.")
    value = _assignee(state, new_value) if field == "assigned_to_email" else new_value
    state.save(state.get(Task, task_id).model_copy(update={field: value}))
    return f"Task {task_id} updated."


def _record(row: Task) -> TaskRecord:
    return TaskRecord(task_id=row.id, **row.model_dump(exclude={"id"}))


def _assignee(state: State, email: str) -> str:
    if not state.find(Task, "assigned_to_email = ?", [email.lower()], limit=1):
        raise Rejected(
            f"{quoted(email)} is not the address of a team member: nobody with a task on any board has it. "
            "`search_tasks` shows who has."
        )
    return email.lower()
