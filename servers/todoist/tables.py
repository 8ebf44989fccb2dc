"""Projects, sections, tasks and what hangs on them: the tables, and the app whose surfaces are made over them.

People are named by e-mail address in every row. Where a row says None for whose it is, it belongs to whoever uses the
app. A task without a project is in the Inbox.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from servers.kernel import Account, App, Dated, Login, Ref, Table

__all__ = (
    "COMMENT",
    "CONTENT",
    "DESCRIPTION",
    "NAME",
    "Colleague",
    "Comment",
    "Label",
    "Notification",
    "Priority",
    "Project",
    "Section",
    "Task",
    "TaskLabel",
    "app",
)

NAME, CONTENT, DESCRIPTION, COMMENT = 120, 500, 8_000, 8_000
"""Characters that names, titles of tasks, descriptions and comments may have."""

Priority = Literal["p1", "p2", "p3", "p4"]

_Name = Annotated[Dated, Field(max_length=NAME)]
_Description = Annotated[Dated, Field(max_length=DESCRIPTION)]


class Colleague(Table, name="people", ids="U{}", noun="person"):
    """Somebody whom a project can be shared with."""

    name: str
    email: str


class Project(Table, name="projects", ids="P{}"):
    """A list of tasks. `members` are those with whom its `owner` shares it."""

    name: _Name
    description: _Description = ""
    owner: str | None = None
    members: list[str] = Field(default=[])
    favorite: bool = False
    archived: bool = False


class Section(Table, name="sections", ids="S{}"):
    """A part of a project. Lower positions stand further up."""

    project_id: Annotated[str, Ref(Project)]
    name: _Name
    position: int = 0


class Task(Table, name="tasks", ids="T{}"):
    """Something to do. It is in the project and section of its parent; without one, `parent_id` is "".

    `due_time` is HH:MM in the owner's time zone, None for any time of the day. `recurrence` reads as `servers.todoist.
    recurrence` writes it. `completed` is when it was done. Lower positions stand further up among those beside it.
    """

    content: Annotated[Dated, Field(max_length=CONTENT)]
    description: _Description = ""
    project_id: Annotated[str | None, Ref(Project)] = None
    section_id: Annotated[str | None, Ref(Section)] = None
    parent_id: str = ""
    assignee: str | None = None
    due_date: date | None = None
    due_time: str | None = None
    recurrence: str | None = None
    priority: Priority = "p4"
    completed: datetime | None = None
    position: int = 0


class Label(Table, name="labels", ids="L{}"):
    """A word that tasks can bear; each person has their own."""

    name: Annotated[str, Field(max_length=NAME)]
    owner: str | None = None


class TaskLabel(Table, name="task_labels", ids="TL{}", noun="label of a task"):
    """A task bears a label."""

    task_id: Annotated[str, Ref(Task)]
    label_id: Annotated[str, Ref(Label)]


class Comment(Table, name="comments", ids="C{}"):
    """What somebody wrote below a task."""

    task_id: Annotated[str, Ref(Task)]
    text: Annotated[Dated, Field(max_length=COMMENT)]
    posted: datetime
    author: str | None = None


class Notification(Table, name="notifications", ids="N{}"):
    """What `recipient` was told that somebody else did.

    What a user does notifies others, in accounts of their own: no tool adds a row here. It stays when its task goes.
    """

    kind: Literal["assigned", "commented", "completed", "shared", "reminder"]
    text: Dated
    posted: datetime
    sender: str = ""
    task_id: str | None = None
    recipient: str | None = None
    read: bool = False


app = App(
    "todoist",
    "Find, create, change, share and complete the user's tasks and projects.",
    tables=(Account, Login, Colleague, Project, Section, Task, Label, TaskLabel, Comment, Notification),
)
