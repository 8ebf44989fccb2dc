"""The surface for models at work: projects and notifications."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.kernel import PAGE, Page, Ref, Rejected, Skip, State, paged
from servers.todoist.access import INBOX, Me, owner
from servers.todoist.default import MOST, Detail, Name, default
from servers.todoist.finding import shown_projects
from servers.todoist.shown import Notice, ProjectItem, notice, projects
from servers.todoist.tables import DESCRIPTION, NAME, Label, Notification, Project, Section, Task
from servers.todoist.work import named, project_named

__all__ = ("Projects",)

People = Annotated[list[str], Field(max_length=MOST, description="Names or addresses of people.")]
Sections = Annotated[list[Name], Field(max_length=MOST, description="Names of new sections.")]


class Projects(Page[ProjectItem]):
    """Projects, and the labels that tasks can bear."""

    labels: list[str] | None = None


@default.reads
def find_projects(
    state: State,
    query: Annotated[str, Field(description="Words, each in title or text.")] = "",
    archived: Annotated[bool, Field(description="Archived projects instead.")] = False,
    skip: Skip = 0,
    detail: Detail = "concise",
) -> Projects:
    """Find projects, with their sections and the people they are shared with; and the names of all labels."""
    me = owner(state)
    found = shown_projects(me, query, archived=archived)
    if not archived and INBOX.startswith(query.strip().lower()):
        found.insert(0, INBOX)
    items = projects(me, found[skip : skip + PAGE], text=detail == "detailed")
    page = paged(found, skip, items.__getitem__)
    own, params = me.own("owner")
    names = [label.name for label in state.find(Label, own, params, limit=200)]
    return Projects(**dict(page), labels=names if names and not skip else None)


@default.writes
def create_project(
    state: State,
    title: Annotated[str, Field(max_length=NAME, description="Its name.")],
    text: Annotated[str, Field(max_length=DESCRIPTION, description="What it is about.")] = "",
    sections: Sections = [],  # noqa: B006
    people: People = [],  # noqa: B006
) -> ProjectItem:
    """Create a project, optionally with sections and shared with people."""
    me = owner(state)
    title = project_named("title", title)
    row = state.add(Project(name=title, description=text, owner=me.address))
    _share(me, row, people, [], "people")
    _add_sections(state, row, sections, "sections")
    return projects(me, [row.id], text=True)[row.id]


@default.writes(destructive=True)
def update_project(
    state: State,
    project_id: Annotated[str, Ref(Project), Field(description="Id of a project, as returned by `find_projects`.")],
    title: Annotated[str | None, Field(max_length=NAME, description="New name.")] = None,
    text: Annotated[str | None, Field(max_length=DESCRIPTION, description="New text, replacing the old one.")] = None,
    favorite: Annotated[bool | None, Field(description="Whether it is a favourite.")] = None,
    archived: Annotated[bool | None, Field(description="Whether it is archived, with its tasks.")] = None,
    add_people: People = [],  # noqa: B006
    remove_people: Annotated[
        list[str], Field(max_length=MOST, description="Who loses access, and the tasks assigned to them in it.")
    ] = [],  # noqa: B006
    add_sections: Sections = [],  # noqa: B006
    rename_sections: Annotated[
        dict[str, Name], Field(max_length=MOST, description="New names by section id, as returned by `find_projects`.")
    ] = {},  # noqa: B006
) -> ProjectItem:
    """Change a project, its sections, or who it is shared with; omitted fields keep their value."""
    me = owner(state)
    row = me.project(project_id)
    values: dict[str, object] = {}
    if title is not None:
        values["name"] = project_named("title", title)
    if text is not None:
        values["description"] = text
    values |= {k: v for k, v in (("favorite", favorite), ("archived", archived)) if v is not None}
    if not (values or add_people or remove_people or add_sections or rename_sections):
        raise Rejected("Nothing to change: give at least one of title, text, archived, add_people and so on.")
    row = state.save(row.model_copy(update=values))
    _share(me, row, add_people, remove_people, "add_people")
    for id, name in rename_sections.items():
        section = me.section(id, row.id, argument="rename_sections")
        state.save(section.model_copy(update={"name": named("rename_sections", name)}))
    _add_sections(state, row, add_sections, "add_sections")
    return projects(me, [row.id], text=True)[row.id]


@default.writes(idempotent=True)
def find_notifications(
    state: State,
    unread: Annotated[bool, Field(description="Only unread ones.")] = True,
    mark_read: Annotated[bool, Field(description="Mark the ones shown here as read.")] = False,
    skip: Skip = 0,
) -> Page[Notice]:
    """List what others did that concerns the user, newest first."""
    me = owner(state)
    own, params = me.own("recipient")
    sql = f"SELECT id FROM notifications WHERE {own}{' AND NOT read' if unread else ''} ORDER BY posted DESC, _ord DESC"
    found = [id for (id,) in state.query(sql, params)]
    page = paged(found, skip, lambda id: notice(state.get(Notification, id)))
    if mark_read:
        for item in page.items:
            state.save(state.get(Notification, item.id).model_copy(update={"read": True}))
        if unread and page.next:
            page.next = f"skip={skip}"  # those that were shown are not among the unread any more
    return page


def _share(me: Me, project: Project, add: list[str], remove: list[str], adding: str) -> None:
    """Share a project with people, `adding` being the argument that names them, or no longer.

    Those who leave lose their tasks in it.
    """
    if not add and not remove:
        return
    members = {address.casefold(): address for address in project.members}
    for address in me.guests(add, adding):
        if not (project.owner is not None and address.casefold() == project.owner.casefold()):
            members.setdefault(address.casefold(), address)
    for text in remove:
        address = me.member(text, project)
        if members.pop(address.casefold(), None) is None:
            raise Rejected(f"remove_people: {address} owns project {project.id}, and stays in it.")
        for task in me.state.find(Task, "project_id = ? AND lower(assignee) = lower(?)", [project.id, address]):
            me.state.save(task.model_copy(update={"assignee": None}))
    me.state.save(project.model_copy(update={"members": list(members.values())}))


def _add_sections(state: State, project: Project, names: list[str], argument: str) -> None:
    sql = "SELECT coalesce(max(position), 0) FROM sections WHERE project_id = ?"
    ((last,),) = state.query(sql, [project.id])
    for place, name in enumerate(names):
        state.add(Section(project_id=project.id, name=named(argument, name), position=last + 1 + place))
