"""The surface for models at work: tasks. Projects and notifications are in `projects`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from servers.kernel import PAGE, Day, Failure, Page, Ref, Rejected, Skip, State, paged, required
from servers.todoist.access import Me, owner
from servers.todoist.finding import Due, find
from servers.todoist.shown import CommentItem, TaskItem, Tasks, TaskWhole, comment, whole
from servers.todoist.tables import COMMENT, CONTENT, DESCRIPTION, NAME, Comment, Priority, Project, Section, Task, app
from servers.todoist.work import (
    NONE,
    Place,
    above,
    add_task,
    complete,
    delete_label,
    delete_project,
    delete_section,
    delete_tasks,
    label_tasks,
    labels,
    move,
    place,
    reopen,
    scheduled,
    written,
)

__all__ = ("Changed", "Detail", "Name", "default")

MOST = 50
"""Things that one call may work on."""

default = app.toolset(
    "default",
    "The Todoist of {owner} ({address}): tasks, projects, labels, comments and notifications. "
    "Begin with `find_tasks` or `find_projects`; they return the ids that other tools take.",
    structured=False,
)

TaskId = Annotated[str, Ref(Task), Field(description="Id of a task, as returned by `find_tasks`.")]
TaskIds = Annotated[
    list[str],
    Ref(Task),
    Field(min_length=1, max_length=MOST, description="Ids of tasks, as returned by `find_tasks`."),
]
ProjectId = Annotated[
    str | None, Ref(Project), Field(description="Id of a project, as returned by `find_projects`, or inbox.")
]
Detail = Annotated[Literal["concise", "detailed"], Field(description="detailed adds texts.")]
Name = Annotated[str, Field(max_length=NAME)]
Labels = Annotated[list[Name], Field(max_length=MOST, description="Names of labels.")]


class NewTask(BaseModel):
    """A new task; ids are as returned by `find_tasks` and `find_projects`."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(max_length=CONTENT)
    text: str = Field("", max_length=DESCRIPTION)
    project_id: str | None = Field(None, description="default: the Inbox")
    section_id: str | None = None
    parent_id: str | None = Field(None, description="an existing task; given alone, instead of project and section")
    due: str | None = Field(None, description="YYYY-MM-DD or YYYY-MM-DD HH:MM")
    recurrence: str | None = Field(None, description="every day, every 3 days, every Monday, every month on the 15th")
    priority: Priority = Field("p4", description="p1 is the most urgent")
    assignee: str | None = Field(None, description="me, a name or an address")
    labels: list[Name] = Field([], max_length=MOST)
    subtasks: list[Annotated[str, Field(max_length=CONTENT)]] = Field([], max_length=MOST, description="titles")


class Changed(BaseModel):
    """Tasks as they are now, and what else happened."""

    tasks: list[TaskItem]
    also: str | None = None


@default.reads
def find_tasks(
    state: State,
    query: Annotated[str, Field(description="Words, each in title or text.")] = "",
    project_id: ProjectId = None,
    section_id: Annotated[
        str | None, Ref(Section), Field(description="Id of a section, as returned by `find_projects`.")
    ] = None,
    parent_id: Annotated[
        str | None, Ref(Task), Field(description="Only subtasks of this task; id as returned by `find_tasks`.")
    ] = None,
    labels: Annotated[list[str], Field(max_length=MOST, description="Only tasks with all these labels.")] = [],  # noqa: B006
    assignee: Annotated[
        str | None,
        Field(description="me (including unassigned tasks in unshared projects), nobody, a name or an address."),
    ] = None,
    after: Annotated[Day | None, Field(description="Due on this day or later.")] = None,
    before: Annotated[Day | None, Field(description="Due on this day or earlier.")] = None,
    due: Annotated[Due | None, Field(description="overdue, today, or none: without a date.")] = None,
    completed_after: Annotated[
        Day | None, Field(description="Return tasks completed since this day instead, latest first.")
    ] = None,
    skip: Skip = 0,
    detail: Detail = "concise",
) -> Page[TaskItem]:
    """Find tasks that meet all conditions given: open ones, soonest due first, including subtasks.

    Archived projects are searched only by project_id, section_id or parent_id. A priority that is not shown is p4,
    the lowest.
    """
    me = owner(state)
    found = find(
        me,
        query=query,
        project_id=project_id,
        section_id=section_id,
        parent_id=parent_id,
        labels=labels,
        assignee=assignee,
        after=after,
        before=before,
        due=due,
        completed_after=completed_after,
    )
    items = Tasks(me, found[skip : skip + PAGE])
    return paged(found, skip, lambda id: items.item(state.get(Task, id), text=detail == "detailed"))


@default.reads
def get_task(
    state: State,
    task_id: TaskId,
    skip: Annotated[int, Field(ge=0, le=1_000_000, description="Comments to skip, as given by `next`.")] = 0,
) -> TaskWhole:
    """Show a task in full: text, subtasks, and comments, oldest first."""
    me = owner(state)
    return whole(me, me.task(task_id), skip)


@default.writes
def create_tasks(
    state: State,
    tasks: Annotated[list[NewTask], Field(min_length=1, max_length=MOST, description="New tasks, with subtasks.")],
) -> Changed:
    """Create up to 50 tasks at once, including subtasks; all or none.

    Assignees must be members of the project. A recurring task starts on the first matching day, from its due day or
    today on. Missing labels are created.
    """
    me = owner(state)
    if (count := sum(1 + len(task.subtasks) for task in tasks)) > MOST:
        raise Rejected(f"tasks: {count} with subtasks; at most {MOST} are created at once.")
    made: list[str] = []
    notes: list[str] = []
    ids: list[str] = []
    for number, task in enumerate(tasks):
        with _about(f"tasks.{number}"):
            at = place(me, None, task.project_id, task.section_id, task.parent_id) or Place()
            parent = _create(me, at, task, made, notes)
        ids.append(parent.id)
        for step, title in enumerate(task.subtasks):
            with _about(f"tasks.{number}.subtasks.{step}"):
                ids.append(add_task(me, at._replace(parent_id=parent.id), written(title, None)).id)
    return _changed(me, ids, _also(made, notes))


@contextmanager
def _about(place: str) -> Iterator[None]:
    """A refusal says where in the arguments it belongs, as one of an argument's type does."""
    try:
        yield
    except Failure as failure:
        raise Rejected(f"{place}: {failure}") from None


def _create(me: Me, at: Place, given: NewTask, made: list[str], notes: list[str]) -> Task:
    values = {
        **written(given.title, given.text),
        **scheduled(me.state, None, given.due, given.recurrence, notes),
        "priority": given.priority,
    }
    task = add_task(me, at, values, given.assignee)
    found, new = labels(me, given.labels, "labels", make=True)
    made += new
    label_tasks(me.state, [task], found)
    return task


@default.writes(destructive=True, idempotent=True)
def update_tasks(
    state: State,
    task_ids: TaskIds,
    title: Annotated[str | None, Field(max_length=CONTENT, description="New title, for a single task.")] = None,
    text: Annotated[str | None, Field(max_length=DESCRIPTION, description="New text, replacing the old one.")] = None,
    due: Annotated[
        str | None, Field(description="YYYY-MM-DD, YYYY-MM-DD HH:MM, or none for no date and no recurrence.")
    ] = None,
    recurrence: Annotated[
        str | None, Field(description="For example every 3 days, every Monday, every month on the 15th; or none.")
    ] = None,
    priority: Annotated[Priority | None, Field(description="p1 is the most urgent.")] = None,
    assignee: Annotated[str | None, Field(description="me, a name, an address, or none.")] = None,
    add_labels: Labels = [],  # noqa: B006
    remove_labels: Labels = [],  # noqa: B006
    project_id: ProjectId = None,
    section_id: Annotated[
        str | None, Ref(Section), Field(description="Id of a section, as returned by `find_projects`, or none.")
    ] = None,
    parent_id: Annotated[
        str | None, Ref(Task), Field(description="Id of the new parent task, as returned by `find_tasks`, or none.")
    ] = None,
) -> Changed:
    """Change one or several tasks in the same way, or move them with their subtasks; omitted fields keep their value.

    To complete tasks, use `complete_tasks`. A task loses an assignee who is not a member of its new project.
    """
    me = owner(state)
    rows = me.tasks(task_ids)
    given = (title, text, due, recurrence, priority, assignee, project_id, section_id, parent_id)
    if all(each is None for each in given) and not add_labels and not remove_labels:
        raise Rejected("Nothing to change: give at least one of title, text, due, priority, project_id and so on.")
    if title is not None and len(rows) > 1:
        raise Rejected("title: several tasks cannot be given one title; update them one by one.")
    gone, _ = labels(me, remove_labels, "remove_labels")  # before others are made, which an error would name
    found, made = labels(me, add_labels, "add_labels", make=True)
    label_tasks(state, rows, found, gone)
    texts = written(title, text) | ({"priority": priority} if priority else {})
    notes: list[str] = []
    _move(me, rows, project_id, section_id, parent_id, notes)
    for row in rows:
        task = state.get(Task, row.id)
        values = {**texts, **scheduled(state, task, due, recurrence, notes)}
        if assignee is not None:
            values["assignee"] = _assignee(me, task, assignee)
        state.save(task.model_copy(update=values))
    return _changed(me, [row.id for row in rows], _also(made, notes), text=text is not None)


def _move(
    me: Me,
    rows: list[Task],
    project_id: str | None,
    section_id: str | None,
    parent_id: str | None,
    notes: list[str],
) -> None:
    """Move tasks; one that is below another of them stays there and goes along with it."""
    ids = {row.id for row in rows}
    for row in rows:
        task = me.state.get(Task, row.id)
        to = place(me, task, project_id, section_id, parent_id)
        along = parent_id is None and any(each.id in ids for each in above(me.state, task))
        if to and not along:
            move(me, task, to, notes)


def _assignee(me: Me, task: Task, text: str) -> str | None:
    if text.strip().lower() == NONE:
        return None
    return me.responsible(text, me.project(task.project_id) if task.project_id is not None else None)


@default.writes
def complete_tasks(state: State, task_ids: TaskIds) -> Changed:
    """Complete tasks, each with all its subtasks; a recurring one moves on to its next day instead."""
    me = owner(state)
    rows = me.tasks(task_ids)
    along = complete(state, rows)
    return _changed(me, [row.id for row in rows], f"subtasks completed too: {', '.join(along)}" if along else None)


@default.writes
def reopen_tasks(state: State, task_ids: TaskIds) -> Changed:
    """Reopen completed tasks and their parent tasks. Their own subtasks stay completed."""
    me = owner(state)
    rows = me.tasks(task_ids)
    along = reopen(state, rows)
    return _changed(me, [row.id for row in rows], f"reopened too: {', '.join(along)}" if along else None)


@default.writes(destructive=True, idempotent=True)
def delete_object(
    state: State,
    kind: Annotated[
        Literal["task", "project", "section", "label", "comment", "notification"],
        Field(description="What kind they are."),
    ],
    ids: Annotated[
        list[str], Field(min_length=1, max_length=MOST, description="Their ids, as shown; for labels, their names.")
    ],
) -> str:
    """Delete for good: tasks with their subtasks, projects or sections with their tasks, labels, and so on.

    To complete a task, use `complete_tasks`; to archive a project, `update_project`.
    """
    me = owner(state)
    once = list(dict.fromkeys(ids))
    gone = 0
    if kind == "task":
        gone = delete_tasks(state, me.tasks(once))
    elif kind == "label":
        for label in labels(me, once, "ids")[0]:
            delete_label(state, label)
    else:
        for id in once:
            if kind == "project":
                gone += delete_project(me, me.project(id))
            elif kind == "section":
                gone += delete_section(state, me.section(id))
            else:
                state.delete(me.own_comment(id) if kind == "comment" else me.notification(id))
    tasks = {0: "", 1: " 1 task is gone."}.get(gone, f" {gone} tasks are gone.")
    return f"Deleted: {kind} {', '.join(once)}.{tasks}"


@default.writes
def create_comment(
    state: State, task_id: TaskId, text: Annotated[str, Field(max_length=COMMENT, description="What to say.")]
) -> CommentItem:
    """Write a comment on a task. `get_task` shows existing ones."""
    me = owner(state)
    required(text=text.strip())
    task = me.task(task_id)
    row = state.add(Comment(task_id=task.id, text=text, posted=state.now, author=me.address))
    return comment(row)


def _changed(me: Me, ids: list[str], also: str | None, *, text: bool = False) -> Changed:
    items = Tasks(me, ids)
    return Changed(tasks=[items.item(me.state.get(Task, id), brief=True, text=text) for id in ids], also=also)


def _also(labels: list[str], notes: list[str]) -> str | None:
    """What else happened: labels that were made, and notes, each once."""
    made = [f"new labels: {', '.join(labels)}"] if labels else []
    return "; ".join([*made, *dict.fromkeys(notes)]) or None
