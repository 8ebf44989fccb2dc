"""How `default` shows rows: names beside ids, and nothing that says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel

from servers.kernel import RESULT, Page, paged, snippet, to_minute
from servers.todoist.access import Me
from servers.todoist.tables import Comment, Notification, Project, Section, Task
from servers.todoist.work import labelled

__all__ = (
    "CommentItem",
    "Notice",
    "ProjectItem",
    "TaskItem",
    "TaskWhole",
    "Tasks",
    "comment",
    "notice",
    "projects",
    "whole",
)

_SUBTASKS, _TITLE = 30, 120


class TaskItem(BaseModel):
    """A task in a list. `subtasks` are those directly below it."""

    id: str
    title: str
    project: str
    section: str | None = None
    parent_id: str | None = None
    due: str | None = None
    recurrence: str | None = None
    priority: str | None = None
    assignee: str | None = None
    labels: list[str] | None = None
    completed: str | None = None
    subtasks: str | None = None
    comments: int | None = None
    text: str | None = None


class CommentItem(BaseModel):
    """A comment. Without an author it is the user's."""

    id: str
    author: str | None
    posted: str
    text: str


class TaskWhole(TaskItem):
    """A task with what hangs on it."""

    subtask_list: list[TaskItem] | None = None
    more_subtasks: str | None = None
    comment_list: Page[CommentItem] | None = None


class ProjectItem(BaseModel):
    """A project in a list. `owner` is None where it is the user's."""

    id: str
    title: str
    open_tasks: int
    sections: list[str] | None = None
    owner: str | None = None
    people: list[str] | None = None
    favorite: bool | None = None
    archived: bool | None = None
    text: str | None = None


class Notice(BaseModel):
    """A notification."""

    id: str
    kind: str
    text: str
    sender: str | None
    posted: str
    task_id: str | None
    read: bool


class Tasks:
    """Shows tasks; what they need of other rows is read once for all of `ids`."""

    def __init__(self, me: Me, ids: Sequence[str]) -> None:
        self._me = me
        self._labels = labelled(me, ids)
        self._places: dict[tuple[str, str], str] = {}
        below = me.state.find(Task, "parent_id IN (SELECT unnest(?))", [list(ids)]) if ids else []
        self._below = Counter(each.parent_id for each in below)
        self._done = Counter(each.parent_id for each in below if each.completed)
        comments = me.state.find(Comment, "task_id IN (SELECT unnest(?))", [list(ids)]) if ids else []
        self._told = Counter(each.task_id for each in comments)

    def item(self, task: Task, *, brief: bool = False, text: bool = False) -> TaskItem:
        """A task in a list: `brief` among many that were changed, with the beginning of its `text` where asked for."""
        return TaskItem(
            id=task.id,
            title=snippet(task.content, _TITLE) if brief else task.content,
            project=self._place(Project, task.project_id) or "Inbox",
            section=self._place(Section, task.section_id),
            parent_id=task.parent_id or None,
            due=f"{task.due_date} {task.due_time or ''}".rstrip() if task.due_date else None,
            recurrence=task.recurrence,
            priority=None if task.priority == "p4" else task.priority,
            assignee=task.assignee,
            labels=self._labels.get(task.id),
            completed=to_minute(task.completed) if task.completed else None,
            subtasks=f"{self._done[task.id]} of {self._below[task.id]} done" if task.id in self._below else None,
            comments=self._told.get(task.id),
            text=(snippet(task.description, 400) or None) if text else None,
        )

    def _place(self, table: type[Project] | type[Section], id: str | None) -> str | None:
        if id is None:
            return None
        key = (table.table_name, id)
        if key not in self._places:
            self._places[key] = f"{self._me.state.get(table, id).name} ({id})"
        return self._places[key]


def whole(me: Me, task: Task, skip: int) -> TaskWhole:
    """A task with its text, subtasks and comments; behind the first comments, these alone."""
    state = me.state
    found = state.find(Task, "parent_id = ?", [task.id], order="position")
    first = [] if skip else found[:_SUBTASKS]
    items = Tasks(me, [task.id, *(each.id for each in first)])
    shown = TaskWhole(**dict(items.item(task)))
    if not skip:
        shown.text = task.description or None
        shown.subtask_list = [items.item(each, brief=True) for each in first] or None
        if len(found) > len(first):
            shown.more_subtasks = f"{len(found) - len(first)} more: find_tasks with parent_id={task.id}"
    comments = state.find(Comment, "task_id = ?", [task.id], order="posted")
    if comments:
        shown.comment_list = paged(comments, skip, comment, size=_fitting(comments[skip:], shown))
    return shown


def _fitting(comments: Sequence[Comment], head: BaseModel) -> int:
    """How many comments a result has room for beside its head; one at least."""
    left = RESULT - len(head.model_dump_json(exclude_none=True)) - 200
    for count, each in enumerate(comments):
        left -= len(comment(each).model_dump_json())
        if left < 0:
            return max(count, 1)
    return len(comments) or 1


def comment(row: Comment) -> CommentItem:
    """A comment as `get_task` shows it."""
    return CommentItem(id=row.id, author=row.author, posted=to_minute(row.posted), text=row.text)


def projects(me: Me, ids: Sequence[str], *, text: bool = False) -> dict[str, ProjectItem]:
    """Projects by id, "inbox" among them; `text` with their descriptions."""
    state = me.state
    sql = "SELECT coalesce(project_id, 'inbox'), count(*) FROM tasks WHERE completed IS NULL GROUP BY 1"
    count = dict(state.query(sql))
    sections: dict[str, list[str]] = {}
    for each in state.find(Section, "project_id IN (SELECT unnest(?))", [list(ids)], order="position") if ids else ():
        sections.setdefault(each.project_id, []).append(f"{each.name} ({each.id})")
    found = {}
    for id in ids:
        if id == "inbox":
            found[id] = ProjectItem(id=id, title="Inbox", open_tasks=count.get(id, 0))
            continue
        row = state.get(Project, id)
        found[id] = ProjectItem(
            id=id,
            title=row.name,
            open_tasks=count.get(id, 0),
            sections=sections.get(id),
            owner=None if me.am(row.owner) else row.owner,
            people=row.members or None,
            favorite=row.favorite or None,
            archived=row.archived or None,
            text=row.description or None if text else None,
        )
    return found


def notice(row: Notification) -> Notice:
    """A notification as lists show it."""
    return Notice(
        id=row.id,
        kind=row.kind,
        text=row.text,
        sender=row.sender or None,
        posted=to_minute(row.posted),
        task_id=row.task_id,
        read=row.read,
    )
