"""Every default tool in the office, and in one with 10,000 mails: what size costs a call.

python -m tests.bench --only tools
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import Any, NamedTuple

import anyio

from harness.core.suite import SuiteError
from harness.serving.sandbox import Sandbox
from harness.wiring import world_named
from servers import catalog
from servers.kernel import Engine, World
from tests.bench.enlarged import enlarged
from tests.bench.timing import Figure

__all__ = ("CALLS", "RATIO", "Call", "figures", "pick")

APPS = ("gmail", "calendar", "todoist", "crm", "chat", "filesystem", "simple_note", "directory")
TIMES = {"gmail": 26, "calendar": 3, "todoist": 3, "crm": 3, "chat": 3, "filesystem": 3, "simple_note": 3}
"""How many times the rows of an app are there, where no world `office:large` is."""
RATIO = 1.5
REPEAT = 40


class Call(NamedTuple):
    """One call: `{name}` in arguments is an id that `pick` finds. A search looks through what may be all rows."""

    app: str
    tool: str
    arguments: Mapping[str, Any] = MappingProxyType({})
    search: bool = False
    note: str = ""

    def __str__(self) -> str:
        return " ".join((self.app, self.tool, *filter(None, (self.note,))))


CALLS = (
    Call("gmail", "find_emails", {}, True, "the latest"),
    Call("gmail", "find_emails", {"query": "invoice"}, True, "a word"),
    Call("gmail", "find_emails", {"query": "from:{colleague} is:unread"}, True, "of somebody, unread"),
    Call("gmail", "find_emails", {"query": "has:attachment after:2026-01-01 -label:Reading"}, True, "with attachments"),
    Call("gmail", "find_labels", {}, True),
    Call("gmail", "get_conversation", {"email_id": "{email}"}),
    Call("gmail", "get_attachment", {"attachment_id": "{attachment}"}),
    Call("gmail", "send_email", {"to": ["{colleague}"], "subject": "Today", "text": "At ten."}),
    Call("gmail", "reply_to_email", {"email_id": "{email}", "text": "Agreed.", "all": True}),
    Call("gmail", "forward_email", {"email_id": "{email}", "to": ["{colleague}"], "text": "See below."}),
    Call("gmail", "save_draft", {"to": ["{colleague}"], "subject": "Later", "text": "Not yet."}),
    Call("gmail", "send_draft", {"draft_id": "{draft}"}),
    Call("gmail", "archive_emails", {"conversation_ids": ["{thread}"]}),
    Call("gmail", "delete_emails", {"conversation_ids": ["{thread}"]}),
    Call("gmail", "label_emails", {"conversation_ids": ["{thread}"], "add": ["Travel"]}),
    Call("gmail", "mark_emails", {"conversation_ids": ["{thread}"], "starred": True}),
    Call("calendar", "list_calendars"),
    Call("calendar", "create_calendar", {"name": "Visits"}),
    Call("calendar", "find_events", {}, True),
    Call("calendar", "find_events", {"query": "round", "person": "{colleague}"}, True, "with somebody"),
    Call("calendar", "find_free_times", {"minutes": 60, "people": ["{colleague}"]}, True),
    Call("calendar", "get_event", {"event_id": "{event}"}),
    Call("calendar", "create_event", {"title": "Tea", "start": "2026-03-24 15:00", "people": ["{colleague}"]}),
    Call("calendar", "update_event", {"event_id": "{event}", "location": "Roof"}),
    Call("calendar", "update_event", {"event_id": "{series}", "location": "Roof", "scope": "all"}, note="a series"),
    Call("calendar", "delete_event", {"event_id": "{event}"}),
    Call("calendar", "respond_to_event", {"event_id": "{invitation}", "response": "tentative"}),
    Call("todoist", "find_tasks", {}, True),
    Call("todoist", "find_tasks", {"query": "licence"}, True, "a word"),
    Call("todoist", "find_projects", {}, True),
    Call("todoist", "get_task", {"task_id": "{task}"}),
    Call("todoist", "create_tasks", {"tasks": [{"title": "One", "project_id": "{project}"}, {"title": "Two"}]}),
    Call("todoist", "update_tasks", {"task_ids": ["{task}"], "priority": "p1"}),
    Call("todoist", "complete_tasks", {"task_ids": ["{task}"]}),
    Call("todoist", "reopen_tasks", {"task_ids": ["{done}"]}),
    Call("todoist", "delete_object", {"kind": "task", "ids": ["{task}"]}),
    Call("todoist", "create_comment", {"task_id": "{task}", "text": "Soon."}),
    Call("todoist", "create_project", {"title": "Move"}),
    Call("todoist", "update_project", {"project_id": "{project}", "favorite": True}),
    Call("todoist", "find_notifications", {}, True),
    Call("crm", "find_records", {"kind": "deal"}, True),
    Call("crm", "find_records", {"kind": "contact", "query": "a"}, True, "of contacts"),
    Call("crm", "get_record", {"record_id": "{deal}"}),
    Call("crm", "save_contact", {"contact_id": "{contact}", "phone": "020 7946 0001"}),
    Call("crm", "save_contact", {"name": "Nora Quill", "email": "nora@quill.example"}, note="a new one"),
    Call("crm", "save_company", {"company_id": "{company}", "industry": "Bakeries"}),
    Call("crm", "save_deal", {"deal_id": "{deal}", "amount": 1234}),
    Call("crm", "save_task", {"title": "Call back", "record_id": "{deal}"}),
    Call("crm", "move_deal", {"deal_id": "{deal}", "stage": "Negotiation"}),
    Call("crm", "add_note", {"record_id": "{deal}", "text": "Wants less."}),
    Call("crm", "assign_records", {"record_ids": ["{deal}"], "owner": "{owner}"}),
    Call("crm", "associate_records", {"record_id": "{contact}", "other_ids": ["{deal}"]}),
    Call("crm", "delete_records", {"record_ids": ["{deal}"]}),
    Call("chat", "find_channels", {}, True),
    Call("chat", "find_messages", {"query": "a"}, True),
    Call("chat", "get_messages", {"channel": "{channel}"}),
    Call("chat", "get_thread", {"message_id": "{message}"}),
    Call("chat", "send_message", {"to": "{channel}", "text": "Good morning."}),
    Call("chat", "update_message", {"message_id": "{own}", "text": "Corrected."}),
    Call("chat", "delete_message", {"message_id": "{own}"}),
    Call("chat", "react", {"message_id": "{message}", "emoji": "eyes"}),
    Call("chat", "mark_read", {"channels": ["{channel}"]}),
    Call("chat", "manage_channel", {"channel": "visits", "create": True}),
    Call("filesystem", "read_text_file", {"path": "{file}"}),
    Call("filesystem", "read_multiple_files", {"paths": ["{file}"]}),
    Call("filesystem", "write_file", {"path": "/workspace/new.md", "content": "New."}),
    Call("filesystem", "edit_file", {"path": "{file}", "edits": [{"oldText": "\n", "newText": "\n\n"}]}),
    Call("filesystem", "create_directory", {"path": "/workspace/new"}),
    Call("filesystem", "list_directory", {"path": "{folder}"}),
    Call("filesystem", "list_directory_with_sizes", {"path": "{folder}"}),
    Call("filesystem", "directory_tree", {"path": "/workspace"}, True),
    Call("filesystem", "move_file", {"source": "{file}", "destination": "/workspace/moved.md"}),
    Call("filesystem", "search_files", {"path": "/workspace", "pattern": "*.csv"}, True),
    Call("filesystem", "get_file_info", {"path": "{file}"}),
    Call("filesystem", "list_allowed_directories"),
    Call("simple_note", "find_notes", {"query": "a"}, True),
    Call("simple_note", "get_note", {"note_id": "{note}"}),
    Call("simple_note", "create_note", {"title": "New", "text": "Text."}),
    Call("simple_note", "update_note", {"note_id": "{note}", "append": "More."}),
    Call("simple_note", "delete_note", {"note_id": "{note}"}),
    Call("directory", "find_email_address", {"name": "a"}, True),
)


def pick(world: World) -> dict[str, str]:
    """Ids of the rows that calls act on: of the first of their kind that is as simple in any office."""
    rows = world.rows
    mails = rows["gmail"]["emails"]
    answers: dict[str, int] = {}
    for mail in mails:
        answers[mail.get("thread") or mail["id"]] = answers.get(mail.get("thread") or mail["id"], 0) + 1
    open_ = {row["id"] for row in rows["gmail"]["threads"] if not row["archived"]}
    thread = next(id for id, count in answers.items() if count == 3 and id in open_)
    events, tasks, messages = rows["calendar"]["events"], rows["todoist"]["tasks"], rows["chat"]["messages"]
    owner = world.owner.address if world.owner else ""
    me = next(row["id"] for row in rows["chat"]["members"] if row["address"] == owner)
    alone = [row for row in events if not row.get("recurrence") and not row.get("series")]
    return {
        "thread": thread,
        "other": next(id for id, count in answers.items() if count == 2 and id in open_),
        "email": next(mail["id"] for mail in mails if mail.get("thread") == thread),
        "colleague": next(row["address"] for row in mails if row["address"].endswith(owner.partition("@")[2])),
        "attachment": rows["gmail"]["attachments"][0]["id"],
        "draft": next(row["id"] for row in rows["gmail"]["drafts"] if row.get("address")),
        "event": next(row["id"] for row in alone if row["organizer"] == owner),
        "series": next(row["id"] for row in events if row.get("recurrence") and row["organizer"] == owner),
        "invitation": next(row["id"] for row in alone if row["organizer"] not in (owner, "")),
        "task": next(row["id"] for row in tasks if not row.get("completed")),
        "done": next(row["id"] for row in tasks if row.get("completed")),
        "project": rows["todoist"]["projects"][0]["id"],
        "deal": next(row["id"] for row in rows["crm"]["deals"] if row["stage"] == "Proposal"),
        "contact": rows["crm"]["customers"][0]["id"],
        "company": rows["crm"]["companies"][0]["id"],
        "owner": rows["crm"]["owners"][0]["address"],
        "channel": next(row["channel_id"] for row in messages if row["author_id"] == me),
        "message": next(row["thread"] for row in messages if row.get("thread")),
        "own": next(row["id"] for row in messages if row["author_id"] == me),
        "file": next(row["id"] for row in rows["filesystem"]["entries"] if row["kind"] == "file"),
        "folder": "/workspace/customers",
        "note": rows["simple_note"]["notes"][0]["id"],
    }


def _filled(value: Any, ids: dict[str, str]) -> Any:
    match value:
        case str():
            return value.format(**ids) if "{" in value else value
        case list():
            return [_filled(each, ids) for each in value]
        case Mapping():
            return {key: _filled(each, ids) for key, each in value.items()}
    return value


TOUCHES = (
    Call("gmail", "send_email", {"to": ["{colleague}"], "subject": "Before", "text": "Now."}),
    Call("gmail", "mark_emails", {"conversation_ids": ["{other}"], "starred": True}),
    Call("calendar", "create_event", {"title": "Before", "start": "2026-03-25 15:00"}),
    Call("todoist", "create_tasks", {"tasks": [{"title": "Before"}]}),
    Call("crm", "add_note", {"record_id": "{company}", "text": "Before."}),
    Call("chat", "send_message", {"to": "{channel}", "text": "Before."}),
    Call("filesystem", "write_file", {"path": "/workspace/before.md", "content": "Before."}),
    Call("simple_note", "create_note", {"title": "Before"}),
)
"""What has happened before any call that is timed: a table that nobody has written yet is read in a shorter way."""


class _Office:
    """A world that is called: every call finds it as it is shortly after its start."""

    def __init__(self, world: World) -> None:
        self._ids = pick(world)
        self._engine = Engine()
        toolsets = {app: catalog.app(app).default for app in APPS}
        self._box = Sandbox(self._engine.layer(self._engine.load(world)), toolsets)

    async def once(self, call: Call) -> float:
        """Seconds that a call takes."""
        self._box.layer.reset()
        self._box.layer.base.answers.clear()
        for touch in TOUCHES:
            if touch.app == call.app:
                await self._called(touch)
        return await self._called(call)

    async def _called(self, call: Call) -> float:
        arguments = _filled(call.arguments, self._ids)
        start = perf_counter()
        record = await self._box.call(call.app, call.tool, arguments)
        spent = perf_counter() - start
        if record.status != "ok":
            raise ValueError(f"{call.app} {call.tool} {arguments}: {record.text}")
        return spent


def large(small: World) -> World:
    """The world `office:large`; where there is none, the office many times over."""
    try:
        return world_named("office:large")
    except SuiteError:
        return enlarged(small, TIMES)


async def _measured(*worlds: World) -> list[tuple[float, float]]:
    """Milliseconds of each call in the small office and the large one, taken in turns: medians."""
    offices = [_Office(world) for world in worlds]
    found = []
    for call in CALLS:
        for office in offices:
            await office.once(call)  # a table is loaded when it is first asked for
        times = [[await office.once(call) for office in offices] for _ in range(REPEAT)]
        few, many = (statistics.median(each) * 1000 for each in zip(*times, strict=True))
        found.append((few, many))
    return found


def figures() -> Iterator[Figure]:
    """The large office in milliseconds and as a ratio to the small one; `!` where that is above the aim."""
    small = world_named("office")
    worlds = small, large(small)
    mails = [len(world.rows["gmail"]["emails"]) for world in worlds]
    found = list(zip(CALLS, anyio.run(_measured, *worlds), strict=True))
    for search, what in ((False, "calls by id, and writes"), (True, "searches")):
        where = f"{what}, {mails[1]:,} mails beside {mails[0]:,}: sandbox alone, recorded, median of {REPEAT}"
        some = [(call, few, many) for call, (few, many) in found if call.search is search]
        for call, few, many in some:
            mark = " !" if many > RATIO * few else ""
            yield Figure(
                str(call), where, many, "ms", f"x {many / few:.2f} of {few:.3f}{mark}", "" if search else f"x {RATIO}"
            )
        ratios = [many / few for _, few, many in some]
        over = sum(ratio > RATIO for ratio in ratios)
        verdict = f"(worst x {max(ratios):.2f}; {over} of {len(some)} above x {RATIO})"
        yield Figure(f"  {what}: median ratio", where, statistics.median(ratios), "", verdict)
