"""The rows of the paper's table of tools: tasks, subtasks and comments."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

from servers.kernel import Day, Page, Ref, Rejected, Skip, State, in_order, paged, required
from servers.todoist.access import Me, logged_in
from servers.todoist.finding import find, in_place
from servers.todoist.pi import TaskId, pi
from servers.todoist.tables import COMMENT, CONTENT, DESCRIPTION, Comment, Priority, Project, Section, Task
from servers.todoist.work import (
    Place,
    add_task,
    complete,
    delete_tasks,
    labelled,
    move,
    place,
    reopen,
    scheduled,
    written,
)

__all__ = ("Labelled",)

SubtaskId = Annotated[str, Ref(Task), Field(description="Id of a subtask, as returned by `view_subtasks`.")]
CommentId = Annotated[str, Ref(Comment), Field(description="Id of a comment, as returned by `view_task_comments`.")]
InProject = Annotated[
    str | None,
    Ref(Project),
    Field(description="Id of a project, as returned by `view_projects`, or inbox, which all accounts share."),
]
InSection = Annotated[str | None, Ref(Section), Field(description="Id of a section, as returned by `view_sections`.")]
Title = Annotated[str, Field(max_length=CONTENT, description="What needs doing.")]
NewTitle = Annotated[str | None, Field(max_length=CONTENT, description="New title.")]
Text = Annotated[str | None, Field(max_length=DESCRIPTION, description="More about it.")]
Due = Annotated[str | None, Field(description="YYYY-MM-DD or YYYY-MM-DD HH:MM; `none` removes it.")]
FirstDue = Annotated[str | None, Field(description="YYYY-MM-DD or YYYY-MM-DD HH:MM.")]
Recurs = Annotated[str | None, Field(description="For example every 3 days, every Monday; `none` removes it.")]
FirstRecurs = Annotated[str | None, Field(description="For example every 3 days, every Monday.")]
Urgency = Annotated[Priority | None, Field(description="p1 is the most urgent, p4 the default.")]
Done = Annotated[bool | None, Field(description="true completes it with its subtasks, false reopens it.")]
Said = Annotated[str, Field(max_length=COMMENT, description="What to say.")]


class Changed(Task, name="tasks"):
    """A task as it is now; `note` tells what else came of the change."""

    note: str | None = None


class Labelled(BaseModel):
    """A task, and the names of its labels."""

    task: Task
    labels: list[str]


@pi.reads
def view_tasks(
    state: State,
    project_id: InProject = None,
    section_id: InSection = None,
    query: Annotated[str, Field(description="Words, each in title or description.")] = "",
    completed: Annotated[bool | None, Field(description="Only completed ones, or only others. null for both.")] = False,
    due_after: Annotated[Day | None, Field(description="Due on this day or later.")] = None,
    due_before: Annotated[Day | None, Field(description="Due on this day or earlier.")] = None,
    skip: Skip = 0,
) -> Page[Task]:
    """List tasks that meet all conditions given, project by project, subtasks below their task.

    Completed ones alone are listed latest first.
    """
    in_order(due_after, due_before, "due_")
    found = find(
        logged_in(state),
        query=query,
        project_id=project_id,
        section_id=section_id,
        after=due_after,
        before=due_before,
        completed=completed,
    )
    return paged(found if completed else in_place(state, found), skip, lambda id: state.get(Task, id))


@pi.reads
def view_task(state: State, task_id: TaskId) -> Labelled:
    """Show a task or subtask, with its labels."""
    me = logged_in(state)
    task = me.task(task_id)
    return Labelled(task=task, labels=labelled(me, [task.id]).get(task.id, []))


@pi.writes
def create_task(
    state: State,
    title: Title,
    project_id: InProject = None,
    section_id: InSection = None,
    description: Text = None,
    due: FirstDue = None,
    recurrence: FirstRecurs = None,
    priority: Urgency = None,
) -> Changed:
    """Create a task, in the Inbox unless it is given a project or section."""
    me = logged_in(state)
    at = place(me, None, project_id, section_id, None) or Place()
    notes: list[str] = []
    return _noted(add_task(me, at, _fields(state, None, title, description, due, recurrence, priority, notes)), notes)


@pi.writes(destructive=True)
def update_task(
    state: State,
    task_id: TaskId,
    title: NewTitle = None,
    description: Text = None,
    due: Due = None,
    recurrence: Recurs = None,
    priority: Urgency = None,
    completed: Done = None,
    project_id: InProject = None,
    section_id: InSection = None,
) -> Changed:
    """Change, complete, reopen or move a task; omitted fields keep their value.

    Subtasks are completed and moved with it. Completing a recurring one moves it to its next day. A task loses an
    assignee who is not in its new project.
    """
    me = logged_in(state)
    task = me.task(task_id)
    to = place(me, task, project_id, section_id, None)
    notes: list[str] = []
    values = _fields(state, task, title, description, due, recurrence, priority, notes)
    return _update(me, task, values, completed, to, notes)


@pi.writes(destructive=True, idempotent=True)
def delete_task(state: State, task_id: TaskId) -> str:
    """Delete a task with its subtasks, for good."""
    return f"Tasks deleted: {delete_tasks(state, [logged_in(state).task(task_id)])}."


@pi.writes(idempotent=True)
def assign_task(
    state: State,
    task_id: TaskId,
    assignee: Annotated[
        str | None,
        Field(description="Address or name of a member of its project. Leave out for nobody."),
    ] = None,
) -> Task:
    """Assign a task to somebody, or to nobody."""
    if assignee is not None and not assignee.strip():
        raise Rejected("assignee must not be empty; leave it out for nobody.")
    me = logged_in(state)
    task = me.task(task_id)
    project = me.project(task.project_id) if task.project_id is not None else None
    who = me.responsible(assignee, project) if assignee is not None else None
    return state.save(task.model_copy(update={"assignee": who}))


@pi.reads
def view_subtasks(state: State, task_id: TaskId, skip: Skip = 0) -> Page[Task]:
    """List the subtasks directly below a task, completed ones too."""
    found = find(logged_in(state), parent_id=task_id, completed=None, order="position, _ord")
    return paged(found, skip, lambda id: state.get(Task, id))


@pi.writes
def create_subtask(
    state: State,
    task_id: TaskId,
    title: Title,
    description: Text = None,
    due: FirstDue = None,
    recurrence: FirstRecurs = None,
    priority: Urgency = None,
) -> Changed:
    """Create a subtask of an open task."""
    me = logged_in(state)
    at = place(me, None, None, None, task_id, parent="task_id") or Place()
    notes: list[str] = []
    return _noted(add_task(me, at, _fields(state, None, title, description, due, recurrence, priority, notes)), notes)


@pi.writes(destructive=True)
def update_subtask(
    state: State,
    subtask_id: SubtaskId,
    title: NewTitle = None,
    description: Text = None,
    due: Due = None,
    recurrence: Recurs = None,
    priority: Urgency = None,
    completed: Done = None,
) -> Changed:
    """Change, complete or reopen a subtask; omitted fields keep their value."""
    me = logged_in(state)
    task = _subtask(me, subtask_id)
    notes: list[str] = []
    values = _fields(state, task, title, description, due, recurrence, priority, notes)
    return _update(me, task, values, completed, None, notes)


@pi.writes(destructive=True, idempotent=True)
def delete_subtask(state: State, subtask_id: SubtaskId) -> str:
    """Delete a subtask with everything below it, for good."""
    return f"Tasks deleted: {delete_tasks(state, [_subtask(logged_in(state), subtask_id)])}."


@pi.reads
def view_task_comments(state: State, task_id: TaskId, skip: Skip = 0) -> Page[Comment]:
    """List the comments on a task, oldest first."""
    task = logged_in(state).task(task_id)
    return paged(state.find(Comment, "task_id = ?", [task.id], order="posted"), skip, lambda row: row)


@pi.reads
def view_task_comment(state: State, comment_id: CommentId) -> Comment:
    """Show a comment."""
    return logged_in(state).comment(comment_id)


@pi.writes
def post_task_comment(state: State, task_id: TaskId, text: Said) -> Comment:
    """Write a comment on a task."""
    me = logged_in(state)
    _speakable(text)
    return state.add(Comment(task_id=me.task(task_id).id, text=text, posted=state.now, author=me.address))


@pi.writes(destructive=True, idempotent=True)
def update_task_comment(state: State, comment_id: CommentId, text: Said) -> Comment:
    """Rewrite a comment of your own."""
    row = logged_in(state).own_comment(comment_id)
    _speakable(text)
    return state.save(row.model_copy(update={"text": text}))


@pi.writes(destructive=True, idempotent=True)
def delete_task_comment(state: State, comment_id: CommentId) -> str:
    """Delete a comment of your own."""
    state.delete(logged_in(state).own_comment(comment_id))
    return f"Comment {comment_id} deleted."


def _fields(
    state: State,
    task: Task | None,
    title: str | None,
    description: str | None,
    due: str | None,
    recurrence: str | None,
    priority: str | None,
    notes: list[str],
) -> dict[str, Any]:
    """What was given, as fields of a task."""
    values = {**written(title, description), **scheduled(state, task, due, recurrence, notes)}
    return values | ({"priority": priority} if priority is not None else {})


def _noted(task: Task, notes: list[str]) -> Changed:
    return Changed(**dict(task), note="; ".join(notes) or None)


def _update(
    me: Me, task: Task, values: dict[str, Any], completed: bool | None, to: Place | None, notes: list[str]
) -> Changed:
    """Change a task, then move it, then complete or reopen it. Done twice is done once."""
    if not values and completed is None and to is None:
        raise Rejected(
            "Nothing to change: give at least one of title, description, due, recurrence, priority, completed."
        )
    state = me.state
    task = state.save(task.model_copy(update=values))
    if to:
        move(me, task, to, notes)
        task = state.get(Task, task.id)
    if completed is not None and completed != bool(task.completed):
        (complete if completed else reopen)(state, [task])
    return _noted(state.get(Task, task.id), notes)


def _subtask(me: Me, id: str) -> Task:
    task = me.task(id)
    if not task.parent_id:
        raise Rejected(f"subtask_id: {id} is a task of its own; use `update_task` or `delete_task`.")
    return task


def _speakable(text: str) -> None:
    required(text=text.strip())
