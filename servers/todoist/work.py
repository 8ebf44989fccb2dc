"""What can be done to tasks, whichever surface it is asked through: schedule, place, complete, label, delete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Any, NamedTuple

from servers.kernel import Rejected, State, moment, one_line, quoted, required, zone
from servers.todoist.access import INBOX, Me
from servers.todoist.recurrence import recurrence
from servers.todoist.tables import Comment, Label, Project, Section, Task, TaskLabel

__all__ = (
    "NONE",
    "Place",
    "above",
    "add_task",
    "below",
    "complete",
    "delete_label",
    "delete_project",
    "delete_section",
    "delete_tasks",
    "label_tasks",
    "labelled",
    "labels",
    "move",
    "named",
    "place",
    "project_named",
    "reopen",
    "scheduled",
    "written",
)

NONE = "none"
"""What takes a value away."""

_LABELS_SHOWN = 30


class Place(NamedTuple):
    """Where a task is: its project (None is the Inbox), section and parent."""

    project_id: str | None = None
    section_id: str | None = None
    parent_id: str = ""


def named(argument: str, text: str) -> str:
    """A name, without spaces around it. Raises `Rejected` for one that is blank or not in one line."""
    name = text.strip()
    required(**{argument: name})
    one_line(**{argument: name})
    return name


def project_named(argument: str, text: str) -> str:
    """The same for a project, which may not be called as the Inbox is."""
    if (name := named(argument, text)).casefold() == INBOX:
        raise Rejected(f"{argument}: {quoted(name)} is where tasks without a project are; choose another name.")
    return name


def written(content: str | None, description: str | None) -> dict[str, Any]:
    """Title, without spaces around it, and text of a task, as far as given.

    Raises `Rejected` for a title that is blank or not in one line.
    """
    if content is not None:
        content = content.strip()
        required(title=content)
        one_line(title=content)
    return {k: v for k, v in (("content", content), ("description", description)) if v is not None}


# When.


def scheduled(
    state: State, task: Task | None, due: str | None, repeats: str | None, notes: list[str]
) -> dict[str, Any]:
    """The fields of a task that say when it is due, as far as they change. "none" takes one away.

    A recurrence begins on the first day that fits, not before the day it is due: `notes` gets a line where that is
    another one than was given. Raises `Rejected`, also for a recurrence of what is to have no date.
    """
    values: dict[str, Any] = {}
    if due is not None and due.strip().lower() == NONE:
        if repeats is not None and repeats.strip().lower() != NONE:
            raise Rejected(
                "due: none means no recurrence either; omit due, or give the day on which the recurrence begins."
            )
        values = {"due_date": None, "due_time": None, "recurrence": None}
    elif due is not None:
        values["due_date"], values["due_time"] = _when(state, due)
    if repeats is not None and repeats.strip().lower() == NONE:
        values["recurrence"] = None
    elif repeats is not None:
        rule = recurrence(repeats)
        given = values.get("due_date") or (task and task.due_date)
        first = rule.first(given or state.now.date())
        values["due_date"], values["recurrence"] = first, str(rule)
        if given and first != given:
            notes.append(f"{given} is not a day of {str(rule)!r}: due on {first:%A}, {first}, instead")
    return values


def _when(state: State, text: str) -> tuple[date, str | None]:
    found = moment(text)
    if not found and ":" in text:
        with suppress(ValueError, OverflowError):
            given = datetime.fromisoformat(text)
            found = given.astimezone(zone(state.zone)) if given.tzinfo else given
    if not found:
        what = "a day and a time of day" if ":" in text else "a day"
        raise Rejected(
            f"due: {quoted(text)} is not {what}; write YYYY-MM-DD, such as 2026-03-12, or with a time 2026-03-12 09:30."
        )
    return found.date(), None if len(text) == len("2026-03-12") else found.strftime("%H:%M")


# Where.


def place(
    me: Me,
    task: Task | None,
    project_id: str | None,
    section_id: str | None,
    parent_id: str | None,
    *,
    parent: str = "parent_id",
) -> Place | None:
    """Where a task is to be, None if nothing is said; a new one is None itself.

    A project may be "inbox", section and parent "none". `parent` is what the argument for the latter is called. Raises
    `NotFound` and `Rejected`.
    """
    here = Place(task.project_id, task.section_id, task.parent_id) if task else Place()
    if parent_id is not None:
        if project_id is not None or section_id is not None:
            raise Rejected("Give parent_id alone: a subtask is in the project and section of its parent.")
        if parent_id.lower() == NONE:
            return here._replace(parent_id="")
        over = me.task(parent_id)
        if over.completed:
            raise Rejected(f"{parent}: task {parent_id} is completed; reopen it first.")
        if task and task.id in (parent_id, *(each.id for each in above(me.state, over))):
            raise Rejected(f"{parent}: {parent_id} is task {task.id} itself or one of its subtasks.")
        if over.project_id is not None:
            me.project(over.project_id, open=True)
        return Place(over.project_id, over.section_id, parent_id)
    project = here.project_id
    if project_id is not None:
        project = None if project_id.lower() == INBOX else me.project(project_id, open=True).id
    if section_id is not None and section_id.lower() != NONE:
        section = me.section(section_id, project_id)
        return Place(me.project(section.project_id, open=True).id, section_id)
    return None if project_id is None and section_id is None else Place(project)


def move(me: Me, task: Task, to: Place, notes: list[str]) -> None:
    """Move a task with its subtasks, behind those that are there.

    Who has no part in the project loses the task, of which `notes` gets a line.
    """
    if to == (task.project_id, task.section_id, task.parent_id):
        return
    project = me.project(to.project_id) if to.project_id is not None else None
    able = {person.address.casefold() for person in me.within(project)}
    subtasks = below(me.state, [task.id])
    first = {**to._asdict(), "position": _last(me.state, to) + 1}
    for each, values in ((task, first), *((sub, to._replace(parent_id=sub.parent_id)._asdict()) for sub in subtasks)):
        if to.project_id != task.project_id and each.assignee and each.assignee.casefold() not in able:
            values["assignee"] = None
            there = f"in {project.name} ({project.id})" if project else "there: the Inbox is shared with nobody"
            notes.append(f"{each.id} has no assignee any more, as {each.assignee} is not {there}")
        me.state.save(each.model_copy(update=values))


def _last(state: State, at: Place) -> int:
    where = " AND ".join(f"{column} IS NOT DISTINCT FROM ?" for column in Place._fields)
    found = state.find(Task, where, at, order="position DESC", limit=1)
    return max(found[0].position, 0) if found else 0


def add_task(me: Me, at: Place, values: dict[str, Any], assignee: str | None = None) -> Task:
    """Add a task behind those that are there. Raises `Rejected` for an assignee without a part in the project."""
    if assignee is not None:
        project = me.project(at.project_id) if at.project_id is not None else None
        values = {**values, "assignee": me.responsible(assignee, project)}
    return me.state.add(Task(**at._asdict(), **values, position=_last(me.state, at) + 1))


def below(state: State, ids: Iterable[str]) -> list[Task]:
    """All subtasks, at any depth, nearest first."""
    found: list[Task] = []
    level = list(ids)
    seen = set(level)
    while level:
        rows = [row for row in state.find(Task, "parent_id IN (SELECT unnest(?))", [level]) if row.id not in seen]
        found += rows
        level = [row.id for row in rows]
        seen.update(level)
    return found


def above(state: State, task: Task) -> list[Task]:
    """The tasks that it is below, nearest first."""
    found: list[Task] = []
    seen = {task.id}
    while task.parent_id and task.parent_id not in seen and (parent := state.there(Task, task.parent_id)):
        found.append(task := parent)
        seen.add(task.id)
    return found


# Done and not.


def complete(state: State, tasks: Sequence[Task]) -> list[str]:
    """Complete tasks with all below them; gives the ids of subtasks that were completed along.

    One that recurs moves on to its next day instead, and what was done below it is to be done again. Raises `Rejected`
    if one is completed already.
    """
    if already := [task.id for task in tasks if task.completed]:
        raise Rejected(f"Completed already: {', '.join(already)}. Nothing was changed.")
    today = state.now.date()
    along: list[str] = []
    for task in tasks:
        if task.id in along:
            continue
        subtasks = below(state, [task.id])
        if task.recurrence:
            rule = recurrence(task.recurrence, f"The recurrence of task {task.id}")
            due = task.due_date or today
            after = rule.after(due, today)
            changes: dict[str, Any] = {"due_date": after}
            if (kept := rule.kept(due, after)) != rule:
                changes["recurrence"] = str(kept)
            state.save(task.model_copy(update=changes))
            for each in subtasks:
                if each.completed:
                    state.save(each.model_copy(update={"completed": None}))
            continue
        state.save(task.model_copy(update={"completed": state.now}))
        for each in subtasks:
            if not each.completed:
                state.save(each.model_copy(update={"completed": state.now}))
                along.append(each.id)
    return along


def reopen(state: State, tasks: Sequence[Task]) -> list[str]:
    """Reopen tasks and whatever they are below; gives the ids of the latter. Raises `Rejected` if one is open."""
    if already := [task.id for task in tasks if not task.completed]:
        again = [task.id for task in tasks if task.recurrence and not task.completed]
        recur = f"{', '.join(again)} {'recur' if again[1:] else 'recurs'}"
        moved = f" {recur}: completing only moves the due day on; to undo that, set the due day back." if again else ""
        raise Rejected(f"Not completed: {', '.join(already)}. Nothing was changed.{moved}")
    given = {task.id for task in tasks}
    along: dict[str, None] = {}
    for task in tasks:
        for each in (task, *above(state, task)):
            if each.completed and each.id not in along:
                state.save(each.model_copy(update={"completed": None}))
                if each.id not in given:
                    along[each.id] = None
    return list(along)


# Labels.


def labels(me: Me, names: Sequence[str], argument: str, *, make: bool = False) -> tuple[list[Label], list[str]]:
    """My labels of those names, in any case, and the names of those that were made.

    Raises `Rejected` for one that is not there, naming those that are, unless it is to be made.
    """
    if not names:
        return [], []
    own, params = me.own("owner")
    mine = {label.name.casefold(): label for label in me.state.find(Label, own, params)}
    found, made = {}, []
    for given in names:
        name = given.strip().removeprefix("@").strip()
        label = mine.get(name.casefold())
        if label is None:
            if not make:
                there = ", ".join(label.name for label in list(mine.values())[:_LABELS_SHOWN]) or "none"
                raise Rejected(f"{argument}: there is no label {quoted(name)}. Labels: {there}.")
            named(argument, name)
            label = mine[name.casefold()] = me.state.add(Label(name=name, owner=me.address))
            made.append(name)
        found[label.id] = label
    return list(found.values()), made


def label_tasks(state: State, tasks: Iterable[Task], add: Sequence[Label], remove: Sequence[Label] = ()) -> None:
    """Label tasks; labels that a task has already, or has not, make no difference."""
    for task in tasks if add or remove else ():
        borne = {row.label_id: row for row in state.find(TaskLabel, "task_id = ?", [task.id])}
        for label in add:
            if label.id not in borne:
                borne[label.id] = state.add(TaskLabel(task_id=task.id, label_id=label.id))
        for label in remove:
            if label.id in borne:
                state.delete(borne.pop(label.id))


def labelled(me: Me, ids: Sequence[str]) -> dict[str, list[str]]:
    """Names of my labels by id of the task that bears them."""
    borne = me.state.find(TaskLabel, "task_id IN (SELECT unnest(?))", [list(ids)]) if ids else []
    own, params = me.own("owner")
    names = {label.id: label.name for label in me.state.find(Label, own, params)} if borne else {}
    found: dict[str, list[str]] = {}
    for row in borne:
        if row.label_id in names:
            found.setdefault(row.task_id, []).append(names[row.label_id])
    return found


# Gone.


def delete_tasks(state: State, tasks: Sequence[Task]) -> int:
    """Delete tasks with their subtasks, labels and comments; gives how many tasks are gone."""
    given = {task.id: task for task in tasks}
    every = [*given.values(), *(sub for sub in below(state, given) if sub.id not in given)]
    if ids := [task.id for task in every]:
        hanging: list[TaskLabel | Comment] = [
            *state.find(TaskLabel, "task_id IN (SELECT unnest(?))", [ids]),
            *state.find(Comment, "task_id IN (SELECT unnest(?))", [ids]),
        ]
        for row in (*hanging, *every):
            state.delete(row)
    return len(every)


def delete_section(state: State, section: Section) -> int:
    """Delete a section with its tasks; gives how many tasks are gone."""
    gone = delete_tasks(state, state.find(Task, "section_id = ?", [section.id]))
    state.delete(section)
    return gone


def delete_project(me: Me, project: Project) -> int:
    """Delete a project with all in it; gives how many tasks are gone. Raises `Rejected` for somebody else's."""
    if not me.am(project.owner):
        raise Rejected(f"Project {project.id} belongs to {project.owner}; only they can delete it.")
    gone = delete_tasks(me.state, me.state.find(Task, "project_id = ?", [project.id]))
    for section in me.state.find(Section, "project_id = ?", [project.id]):
        me.state.delete(section)
    me.state.delete(project)
    return gone


def delete_label(state: State, label: Label) -> None:
    """Delete a label, and take it from all tasks."""
    for row in state.find(TaskLabel, "label_id = ?", [label.id]):
        state.delete(row)
    state.delete(label)
