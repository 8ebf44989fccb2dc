"""Rules about chat, tasks, notes and the directory."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.office.check.office import Office, Problem
from benchmarks.office.ledger import DAY, Chat, Note, ToDo
from benchmarks.office.words import later

__all__ = (
    "chat_stays_among_its_members",
    "notes_are_those_of_the_ledger",
    "tasks_are_done_in_time",
    "tasks_hang_together",
    "the_directory_has_who_is_there",
    "what_is_said_elsewhere_is_so",
)

_SOON = 8 * DAY
"""Within which an answer in chat hangs in the thread of what it answers."""
_MENTION = re.compile(r"(?<![\w@.])@([a-z][\w.-]*\w)")


def what_is_said_elsewhere_is_so(office: Office) -> Iterator[Problem]:
    """Dates, weekdays and sums in messages, tasks and notes held when they were written."""
    for app, table, kind, columns in (
        ("chat", "messages", Chat, ("text",)),
        ("todoist", "tasks", ToDo, ("content",)),
        ("simple_note", "notes", Note, ("title", "text")),
    ):
        rows, events = office.rows(app, table), office.so_far(kind)
        if len(rows) != len(events):
            yield Problem("rows", f"{app}.{table}", f"has {len(rows)} rows and not {len(events)}")
        for row, event in zip(rows, events, strict=False):
            yield from office.said(f"{app} {row['id']}", "\n".join(row[name] for name in columns), event)


def chat_stays_among_its_members(office: Office) -> Iterator[Problem]:
    """Who writes or reacts is in the channel; threads stay in theirs; nothing is older than its channel."""
    members, channels = office.by_id("chat", "members"), office.by_id("chat", "channels")
    said = office.by_id("chat", "messages")
    inside: dict[str, set[str]] = {}
    for row in office.rows("chat", "channel_members"):
        inside.setdefault(row["channel_id"], set()).add(row["member_id"])
        if office.ahead(row["last_read"]):
            yield Problem("order", f"chat {row['id']}", "has been read further than now")
    handles = {row["handle"] for row in members.values()}
    if len(handles) != len(members):
        yield Problem("ids", "chat.members", "two of them have the same handle")
    for row, event in zip(said.values(), office.so_far(Chat), strict=False):
        where, channel, first = f"chat {row['id']}", channels.get(row["channel_id"], {}), said.get(row["thread"] or "")
        there = inside.get(row["channel_id"], set())
        if row["sent"].replace("T", " ") != office.texts.stamp(event.at):
            yield Problem("moments", where, f"was written at {office.texts.stamp(event.at)}")
        if row["author_id"] not in there:
            yield Problem("members", where, f"{row['author_id']} is not in its channel")
        if channel.get("created") and channel["created"] > row["sent"]:
            yield Problem("order", where, "is older than its channel")
        if first and first["sent"] > row["sent"]:
            yield Problem("order", where, "is older than what it answers")
        if first and (first["channel_id"] != row["channel_id"] or first["thread"]):
            yield Problem("threads", where, "answers something that is not a message of its channel")
        elif first and office.at(row["sent"]) - office.at(first["sent"]) > _SOON:
            yield Problem("threads", where, "answers something of another week")
        if office.ahead(row["sent"]):
            yield Problem("order", where, "lies ahead")
        for handle in _MENTION.findall(row["text"]):
            if handle not in handles:
                yield Problem("people", where, f"nobody is called @{handle}")
    for row in office.rows("chat", "reactions"):
        message, who = said.get(row["message_id"]), members.get(row["member_id"])
        person = office.people.get(who["address"]) if who else None
        if message is None or person is None:
            continue
        where, day = f"chat {row['id']}", office.day(message["sent"])
        if row["member_id"] not in inside.get(message["channel_id"], set()):
            yield Problem("members", where, f"{person.key} is not in the channel that they react in")
        if row["member_id"] == message["author_id"]:
            yield Problem("people", where, "somebody reacts to themselves")
        if person.joined is not None and day < person.joined:
            yield Problem("joiners", where, f"{person.key} reacts before they join")
        if person.left is not None and day > person.left:
            yield Problem("order", where, f"{person.key} reacted before it was written: they had left by then")
    for id, row in channels.items():
        if row["kind"] == "direct" and (row.get("name") or len(inside.get(id, ())) < 2):
            yield Problem("members", f"chat {id}", "is a direct conversation with a name or with nobody in it")


def tasks_are_done_in_time(office: Office) -> Iterator[Problem]:
    """Tasks are due when the ledger says, on working days, and done after they were made."""
    for row, todo in zip(office.rows("todoist", "tasks"), office.so_far(ToDo), strict=False):
        where, due = f"todoist {row['id']}", None if todo.due is None else str(later(office.today, todo.due))
        if row["due_date"] != due:
            yield Problem("moments", where, f"is due on {due}")
        if row["due_date"] and (office.day(row["due_date"]) + 2) % 7 > 4:
            yield Problem("weekdays", where, "is due on a weekend")
        if row["completed"] and office.ahead(row["completed"]):
            yield Problem("order", where, "is done before it was")
        elif row["completed"] and office.at(row["completed"]) < todo.at:
            yield Problem("order", where, "was completed before it was made")
        if bool(row["completed"]) != (todo.done is not None and todo.done <= office.at(office.now)):
            yield Problem("moments", where, "is done and open at once")


def tasks_hang_together(office: Office) -> Iterator[Problem]:
    """A subtask is where its parent is and done first; who has a task is in its project; comments come after it."""
    tasks, projects = office.by_id("todoist", "tasks"), office.by_id("todoist", "projects")
    sections = office.by_id("todoist", "sections")
    made = {row["id"]: todo for row, todo in zip(tasks.values(), office.so_far(ToDo), strict=False)}
    for id, row in tasks.items():
        where, parent = f"todoist {id}", tasks.get(row["parent_id"] or "")
        project = projects.get(row["project_id"] or "", {})
        if parent and parent["project_id"] != row["project_id"]:
            yield Problem("tasks", where, "is in another project than its parent")
        if parent and parent["completed"] and (not row["completed"] or row["completed"] > parent["completed"]):
            yield Problem("tasks", where, "is open or done later, though what it is part of is done")
        section = sections.get(row.get("section_id") or "")
        if section and section["project_id"] != row["project_id"]:
            yield Problem("tasks", where, "is in a section of another project")
        person = office.people.get(row["assignee"] or "")
        if row["assignee"] and row["assignee"] not in (*project.get("members", ()), project.get("owner")):
            yield Problem("people", where, f"{row['assignee']} is not in its project")
        if person and person.left is not None and not row["completed"]:
            yield Problem("leave", where, f"{person.key} has it and has left")
    for row in office.rows("todoist", "comments"):
        where, task = f"todoist comment {row['id']}", tasks.get(row["task_id"])
        todo = made.get(row["task_id"])
        if todo and office.at(row["posted"]) < todo.at:
            yield Problem("order", where, "is older than its task")
        if office.ahead(row["posted"]):
            yield Problem("order", where, "lies ahead")
        person = office.people.get(row["author"] or office.owner.address)
        project = projects.get(task["project_id"], {}) if task else {}
        if person is None or person.address not in (*project.get("members", ()), project.get("owner")):
            yield Problem("people", where, f"{row['author']} is not in the project")
        elif not person.works(office.day(row["posted"])):
            yield Problem("leave", where, f"{person.key} was not there on {row['posted'][:10]}")
    labels = office.by_id("todoist", "labels")
    if len({row["name"] for row in labels.values()}) != len(labels):
        yield Problem("ids", "todoist.labels", "two of them have one name")


def notes_are_those_of_the_ledger(office: Office) -> Iterator[Problem]:
    """Notes were written when the ledger says."""
    for row, note in zip(office.rows("simple_note", "notes"), office.so_far(Note), strict=False):
        if row["changed"] < row["created"] or office.ahead(row["changed"]):
            yield Problem("order", f"simple_note {row['id']}", "was changed before it was made, or later than now")
        if office.at(row["created"]) // DAY != note.at // DAY:
            yield Problem("moments", f"simple_note {row['id']}", "was not made that day")


def the_directory_has_who_is_there(office: Office) -> Iterator[Problem]:
    """Everybody who is in the company, and nobody who left it."""
    listed = [row["email_address"] for row in office.rows("directory", "people")]
    there = [p.address for p in office.people.values() if p.inside and (p.left is None or p.left >= 0)]
    for address in sorted(set(listed) ^ set(there)):
        yield Problem("people", "directory", f"{address} is listed and gone, or there and not listed")
    for row in office.rows("chat", "members"):
        person = office.people.get(row["address"])
        if person is None or row["name"] != person.name:
            yield Problem("people", f"chat {row['id']}", f"{row['name']} is nobody")
        elif row["active"] != (person.address in there):
            yield Problem("people", f"chat {row['id']}", "is active and gone, or there and not active")
