"""Which tasks fulfil what is asked for: ids, from SQL, soonest first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from servers.kernel import Rejected, State, in_order, somebody, worded
from servers.todoist.access import INBOX, Me
from servers.todoist.work import labels as labels_of

__all__ = ("Due", "find", "in_place", "shown_projects")

Due = Literal["overdue", "today", "none"]

_SOONEST = "due_date NULLS LAST, due_time NULLS LAST, priority, position, _ord"


def find(
    me: Me,
    *,
    query: str = "",
    project_id: str | None = None,
    section_id: str | None = None,
    parent_id: str | None = None,
    labels: Sequence[str] = (),
    assignee: str | None = None,
    after: date | None = None,
    before: date | None = None,
    due: Due | None = None,
    completed: bool | None = False,
    completed_after: date | None = None,
    order: str = _SOONEST,
) -> list[str]:
    """Ids of tasks that fulfil all of that, open ones unless completed ones (or, with None, both) are asked for.

    Those of archived projects are left out unless a project, section or parent is asked for. Raises `NotFound` and
    `Rejected`.
    """
    in_order(after, before)
    if due == "overdue" and completed_after:
        raise Rejected("due: no completed task is overdue; omit due, or completed_after to find open tasks.")
    has, words = worded(query, "content", "description")
    where, params = [has], list[Any](words)

    def must(condition: str, *values: Any) -> None:
        where.append(condition)
        params.extend(values)

    if project_id is not None and project_id.lower() == INBOX:
        must("project_id IS NULL")
    elif project_id is not None:
        must("project_id = ?", me.project(project_id).id)
    elif section_id is None and parent_id is None:
        seen, whose = me.seen()
        must(f"(project_id IS NULL OR project_id IN (SELECT id FROM projects WHERE NOT archived AND {seen}))", *whose)
    if section_id is not None:
        must("section_id = ?", me.section(section_id, project_id).id)
    if parent_id is not None:
        must("parent_id = ?", me.task(parent_id).id)
    for label in labels_of(me, labels, "labels")[0]:
        must("id IN (SELECT task_id FROM task_labels WHERE label_id = ?)", label.id)
    if assignee is not None:
        _assigned(me, assignee, must)
    if after:
        must("due_date >= ?", after)
    if before:
        must("due_date <= ?", before)
    now = me.state.now
    if due == "overdue":
        must("(due_date < ? OR (due_date = ? AND due_time < ?))", now.date(), now.date(), now.strftime("%H:%M"))
    elif due == "today":
        must("due_date = ?", now.date())
    elif due == "none":
        must("due_date IS NULL")
    if completed_after:
        must("completed >= ?", completed_after)
    elif completed is not None:
        must("completed IS NOT NULL" if completed else "completed IS NULL")
    if completed or completed_after:
        order = "completed DESC, _ord"
    sql = f"SELECT id FROM tasks WHERE {' AND '.join(where)} ORDER BY {order}"
    return [id for (id,) in me.state.query(sql, params)]


def in_place(state: State, ids: Sequence[str]) -> list[str]:
    """Tasks in the order in which they stand, by id: the Inbox, then project by project, subtasks below their task."""
    rows = state.query(
        "SELECT t.id, t.parent_id, p.id IS NOT NULL, coalesce(p._ord, 0), s.id IS NOT NULL, coalesce(s.position, 0), "
        "coalesce(s._ord, 0), t.position, t._ord FROM tasks t LEFT JOIN projects p ON p.id = t.project_id "
        "LEFT JOIN sections s ON s.id = t.section_id"
    )
    over = {id: parent for id, parent, *_ in rows}
    known = {id: place for id, _, *place in rows}

    def path(id: str) -> list[list[int]]:
        """Where a task stands, and before that where each one above it does."""
        places: dict[str, list[int]] = {}
        while id in known and id not in places:
            places[id] = known[id]
            id = over[id]
        return [*reversed(places.values())]

    return sorted(ids, key=path)


def _assigned(me: Me, text: str, must: Any) -> None:
    said = text.strip().casefold()
    if said == "nobody":
        must("assignee IS NULL")
    elif said == "me":  # what is on nobody's list but mine is mine without saying so
        own, whose = me.own("owner")
        alone = f"project_id IN (SELECT id FROM projects WHERE {own} AND members = '[]')"
        must(
            f"(lower(assignee) = lower(?) OR (assignee IS NULL AND (project_id IS NULL OR {alone})))",
            me.person("assignee").address,
            *whose,
        )
    else:
        must("lower(assignee) = lower(?)", somebody(text, me.known(), "assignee").address)


def shown_projects(me: Me, query: str = "", *, archived: bool | None = False) -> list[str]:
    """Ids of projects that I see, favourites first, that have all words. Archived None: both kinds."""
    has, words = worded(query, "name", "description")
    seen, whose = me.seen()
    where = [has, seen]
    if archived is not None:
        where.append("archived" if archived else "NOT archived")
    sql = f"SELECT id FROM projects WHERE {' AND '.join(where)} ORDER BY favorite DESC, _ord"
    return [id for (id,) in me.state.query(sql, [*words, *whose])]
