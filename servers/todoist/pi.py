"""The rows of the paper's table of tools: accounts, projects, sections, labels, people and notifications.

Tasks and comments are in `pi_tasks`. All are on the tables that `default` has, and rows are shown as they are kept.
Names, arguments and texts are ours; the paper has names alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeVar

from pydantic import BaseModel, Field

from servers.kernel import Page, Ref, Rejected, Skip, State, enter, leave, paged, worded
from servers.todoist.access import Me, logged_in
from servers.todoist.finding import shown_projects
from servers.todoist.tables import (
    DESCRIPTION,
    NAME,
    Colleague,
    Label,
    Notification,
    Project,
    Section,
    Task,
    TaskLabel,
    app,
)
from servers.todoist.work import delete_label as drop_label
from servers.todoist.work import delete_project as drop_project
from servers.todoist.work import delete_section as drop_section
from servers.todoist.work import named, project_named

__all__ = ("ProjectId", "TaskId", "pi")

pi = app.toolset(
    "pi",
    "The Todoist of whoever is logged in: projects, tasks, labels, comments and notifications. "
    "If there are accounts, log in with `log_in`; `view_projects` shows where tasks are.",
    structured=False,
)

TaskId = Annotated[str, Ref(Task), Field(description="Id of a task, as returned by `view_tasks`.")]
ProjectId = Annotated[str, Ref(Project), Field(description="Id of a project, as returned by `view_projects`.")]
SectionId = Annotated[str, Ref(Section), Field(description="Id of a section, as returned by `view_sections`.")]
LabelId = Annotated[str, Ref(Label), Field(description="Id of a label, as returned by `search_labels`.")]
NotificationId = Annotated[
    str, Ref(Notification), Field(description="Id of a notification, as returned by `view_notifications`.")
]
Name = Annotated[str, Field(max_length=NAME, description="Its name.")]
NewName = Annotated[str | None, Field(max_length=NAME, description="New name.")]
Query = Annotated[str, Field(description="Words that it contains, case-insensitive.")]
Read = Annotated[bool | None, Field(description="Only read ones, or only unread ones. Leave out for both.")]


class Count(BaseModel):
    """How many there are."""

    count: int


pi.writes(name="log_in", idempotent=True)(enter)
pi.writes(name="log_out", destructive=True)(leave)


@pi.reads
def search_users(state: State, query: Query = "", skip: Skip = 0) -> Page[Colleague]:
    """Find people by name or e-mail address."""
    logged_in(state)
    return paged(state.find(Colleague, *worded(query, "name", "email")), skip, lambda row: row)


# Projects and sections.


@pi.reads
def view_projects(
    state: State,
    archived: Annotated[bool | None, Field(description="Only archived ones, or only others. null for both.")] = False,
    skip: Skip = 0,
) -> Page[Project]:
    """List the user's own projects and those shared with them, favourites first."""
    me = logged_in(state)
    return paged(shown_projects(me, archived=archived), skip, lambda id: state.get(Project, id))


@pi.reads
def view_project(state: State, project_id: ProjectId) -> Project:
    """Show a project, and who it is shared with."""
    return logged_in(state).project(project_id)


@pi.writes
def create_project(
    state: State,
    name: Name,
    description: Annotated[str, Field(max_length=DESCRIPTION, description="What it is about.")] = "",
    favorite: Annotated[bool, Field(description="Whether it is a favourite.")] = False,
) -> Project:
    """Create a project."""
    me = logged_in(state)
    name = project_named("name", name)
    return state.add(Project(name=name, description=description, favorite=favorite, owner=me.address))


@pi.writes(destructive=True, idempotent=True)
def update_project(
    state: State,
    project_id: ProjectId,
    name: NewName = None,
    description: Annotated[str | None, Field(max_length=DESCRIPTION, description="New description.")] = None,
    favorite: Annotated[bool | None, Field(description="Whether it is a favourite.")] = None,
    archived: Annotated[bool | None, Field(description="Whether it is archived.")] = None,
) -> Project:
    """Change a project; omitted fields keep their value."""
    row = logged_in(state).project(project_id)
    if name is not None:
        name = project_named("name", name)
    given = {"name": name, "description": description, "favorite": favorite, "archived": archived}
    return _saved(state, row, given)


@pi.writes(destructive=True, idempotent=True)
def delete_project(state: State, project_id: ProjectId) -> str:
    """Delete one of the user's own projects with its sections and tasks, for good."""
    me = logged_in(state)
    gone = drop_project(me, me.project(project_id))
    return f"Project {project_id} deleted, with tasks: {gone}."


@pi.reads
def view_sections(state: State, project_id: ProjectId, skip: Skip = 0) -> Page[Section]:
    """List the sections of a project."""
    project = logged_in(state).project(project_id)
    return paged(state.find(Section, "project_id = ?", [project.id], order="position"), skip, lambda row: row)


@pi.writes
def create_section(state: State, project_id: ProjectId, name: Name) -> Section:
    """Create a section in a project, after the existing ones."""
    project = logged_in(state).project(project_id, open=True)
    name = named("name", name)
    ((last,),) = state.query("SELECT coalesce(max(position), 0) FROM sections WHERE project_id = ?", [project.id])
    return state.add(Section(project_id=project.id, name=name, position=last + 1))


@pi.writes(destructive=True, idempotent=True)
def update_section(state: State, section_id: SectionId, name: Name) -> Section:
    """Rename a section."""
    row = logged_in(state).section(section_id)
    return _saved(state, row, {"name": named("name", name)})


@pi.writes(destructive=True, idempotent=True)
def delete_section(state: State, section_id: SectionId) -> str:
    """Delete a section with its tasks, for good."""
    gone = drop_section(state, logged_in(state).section(section_id))
    return f"Section {section_id} deleted, with tasks: {gone}."


# Labels.


@pi.reads
def search_labels(state: State, query: Query = "", skip: Skip = 0) -> Page[Label]:
    """Find the user's own labels by name."""
    own, params = logged_in(state).own("owner")
    has, words = worded(query, "name")
    return paged(state.find(Label, f"{own} AND {has}", [*params, *words]), skip, lambda row: row)


@pi.writes
def create_label(state: State, name: Name) -> Label:
    """Create a label, with a name that no other label of the user has."""
    me = logged_in(state)
    name = named("name", name)
    own, params = me.own("owner")
    if there := state.find(Label, f"{own} AND lower(name) = lower(?)", [*params, name]):
        raise Rejected(f"name: there is a label {there[0].name!r} already, {there[0].id}.")
    return state.add(Label(name=name, owner=me.address))


@pi.writes(destructive=True, idempotent=True)
def delete_label(state: State, label_id: LabelId) -> str:
    """Delete one of the user's own labels, and remove it from all tasks."""
    drop_label(state, logged_in(state).label(label_id))
    return f"Label {label_id} deleted."


@pi.writes
def add_task_label(state: State, task_id: TaskId, label_id: LabelId) -> TaskLabel:
    """Label a task."""
    me = logged_in(state)
    task, label = me.task(task_id), me.label(label_id)
    if _borne(state, task, label):
        raise Rejected(f"Task {task.id} has the label {label.id} ({label.name}) already.")
    return state.add(TaskLabel(task_id=task.id, label_id=label.id))


@pi.writes(destructive=True, idempotent=True)
def remove_task_label(state: State, task_id: TaskId, label_id: LabelId) -> str:
    """Remove a label from a task."""
    me = logged_in(state)
    task, label = me.task(task_id), me.label(label_id)
    found = _borne(state, task, label)
    if not found:
        raise Rejected(f"Task {task.id} has no label {label.id} ({label.name}).")
    for row in found:
        state.delete(row)
    return f"Task {task_id} has the label {label_id} no longer."


def _borne(state: State, task: Task, label: Label) -> list[TaskLabel]:
    return state.find(TaskLabel, "task_id = ? AND label_id = ?", [task.id, label.id])


# Notifications.


@pi.reads
def view_notifications(state: State, read: Read = None, skip: Skip = 0) -> Page[Notification]:
    """List notifications, newest first."""
    found = _notifications(logged_in(state), read)
    return paged(found, skip, lambda id: state.get(Notification, id))


@pi.reads
def view_notification_count(state: State, read: Read = None) -> Count:
    """Count notifications."""
    return Count(count=len(_notifications(logged_in(state), read)))


@pi.writes(idempotent=True)
def mark_notification(
    state: State,
    notification_id: NotificationId,
    read: Annotated[bool, Field(description="False marks it as unread.")] = True,
) -> Notification:
    """Mark a notification as read or unread."""
    return _saved(state, logged_in(state).notification(notification_id), {"read": read})


@pi.writes(destructive=True)
def delete_notifications(
    state: State,
    notification_ids: Annotated[
        list[str],
        Ref(Notification),
        Field(max_length=50, description="Ids of notifications, as returned by `view_notifications`."),
    ] = [],  # noqa: B006
    all_read: Annotated[bool, Field(description="Also all read ones.")] = False,
) -> str:
    """Delete notifications, by id or all read ones."""
    me = logged_in(state)
    ids = [*notification_ids, *(_notifications(me, True) if all_read else ())]
    rows = [me.notification(id) for id in dict.fromkeys(ids)]
    if not rows and not all_read:
        raise Rejected("Which ones? Give notification_ids, as `view_notifications` gives them, or all_read.")
    for row in rows:
        state.delete(row)
    return f"Notifications deleted: {len(rows)}."


T = TypeVar("T", Project, Section, Notification)


def _saved(state: State, row: T, given: Mapping[str, object]) -> T:
    """The row with what was given; what is None stays. Raises `Rejected` where all of it is."""
    values = {field: value for field, value in given.items() if value is not None}
    if not values:
        raise Rejected(f"Nothing to change: give at least one of {', '.join(given)}.")
    return state.save(row.model_copy(update=values))


def _notifications(me: Me, read: bool | None) -> list[str]:
    own, params = me.own("recipient")
    wanted = {None: "true", True: "read", False: "NOT read"}[read]
    sql = f"SELECT id FROM notifications WHERE {own} AND {wanted} ORDER BY posted DESC, _ord DESC"
    return [id for (id,) in me.state.query(sql, params)]
