"""Chat: what the owner sees of channels, conversations and threads, and how it is paged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest

from servers.chat import app
from servers.kernel import RESULT, Engine, Owner, World
from tests.apps.desk import Desk

NOW = datetime(2026, 3, 12, 10, 30)
OWNER = Owner(name="Lena Brandt", address="lena@lumen.example", zone="Europe/Lisbon")

PEOPLE: list[tuple[str, str, dict[str, Any]]] = [
    ("lena", "Lena Brandt", {"title": "Product lead", "zone": "Europe/Lisbon"}),
    ("maya.chen", "Maya Chen", {"title": "Designer", "status": "Away until 2026-03-16", "zone": "Asia/Tokyo"}),
    ("tom", "Tom Ode", {"title": "Engineer"}),
    ("maya.silva", "Maya Silva", {"title": "Finance"}),
    ("oskar", "Oskar Lind", {"active": False}),
    ("priya", "Priya Nair", {"title": "Support"}),
]
MEMBERS = [
    {"id": f"U{number:03d}", "handle": handle, "name": name, "address": f"{handle}@lumen.example", **rest}
    for number, (handle, name, rest) in enumerate(PEOPLE, start=1)
]
CHANNELS = [
    {"id": "C001", "name": "general", "topic": "Everything for everybody"},
    {"id": "C002", "name": "launch", "topic": "Launch on 2026-04-02"},
    {"id": "C003", "name": "salaries", "kind": "private"},
    {"id": "C004", "name": "old-plans", "status": "archived"},
    {"id": "C005", "kind": "direct"},
    {"id": "C006", "kind": "direct"},
    {"id": "C007", "name": "board", "kind": "private"},
    {"id": "C008", "name": "design"},
]
INSIDE: list[tuple[str, str, str | None]] = [
    ("C001", "1", "2026-03-11T09:00:00"),
    *(("C001", str(number), None) for number in range(2, 7)),
    ("C002", "1", "2026-03-10T12:00:00"),
    ("C002", "2", None),
    ("C002", "3", None),
    ("C003", "4", None),
    ("C003", "6", None),
    ("C004", "1", None),
    ("C004", "3", None),
    ("C005", "1", None),
    ("C005", "2", None),
    ("C006", "1", "2026-03-11T16:00:00"),
    ("C006", "3", None),
    ("C006", "6", None),
    ("C007", "1", "2026-03-01T00:00:00"),
    ("C007", "6", None),
    ("C008", "2", None),
    ("C008", "3", None),
]
MEMBERSHIPS = [
    {"id": f"J{place:04d}", "channel_id": channel, "member_id": f"U00{member}", "last_read": read}
    for place, (channel, member, read) in enumerate(INSIDE, start=1)
]
SAID: list[tuple[str, str, str, str, str | None]] = [
    ("C001", "6", "2026-03-02T09:00", "Welcome @tom! Handbook: https://lumen.example/handbook", None),
    ("C001", "1", "2026-03-03T08:30", "The printer is broken, again.", None),
    ("C002", "2", "2026-03-09T11:00", "First draft of the launch page, @lena what do you think?", None),
    ("C002", "1", "2026-03-09T11:20", "Love it. Can we move the price up?", "M00003"),
    ("C002", "2", "2026-03-10T14:00", "Done: http://lumen.example/page?v=2", "M00003"),
    ("C002", "3", "2026-03-10T15:00", "Launch budget is 12:30 on the agenda, 50% done", None),
    ("C003", "4", "2026-03-10T09:00", "Salaries of the launch team, @channel", None),
    ("C004", "3", "2026-01-15T10:00", "Old launch plan", None),
    ("C005", "2", "2026-03-11T18:00", "Lunch on Thursday?", None),
    ("C006", "3", "2026-03-11T15:00", "Support needs two people for the launch", None),
    ("C006", "6", "2026-03-12T08:00", "I can ask Maya", None),
    ("C008", "2", "2026-03-11T10:00", "New colours for the launch, `@lena` is only code here", None),
    ("C001", "3", "2026-03-12T09:00", "@channel the office closes early on Friday", None),
    ("C008", "3", "2026-03-11T10:05", "@channel please look, and @maya.chen.", None),
]
MESSAGES = [
    {"id": f"M{number:05d}", "channel_id": c, "author_id": f"U00{who}", "sent": f"{at}:00", "text": text, "thread": of}
    for number, (c, who, at, text, of) in enumerate(SAID, start=1)
]
REACTIONS = [
    {"id": "R00001", "message_id": "M00003", "member_id": "U001", "emoji": "eyes"},
    {"id": "R00002", "message_id": "M00003", "member_id": "U003", "emoji": "eyes"},
    {"id": "R00003", "message_id": "M00001", "member_id": "U003", "emoji": "thumbsup"},
]
ROWS: dict[str, Sequence[Mapping[str, Any]]] = {
    "members": MEMBERS,
    "channels": CHANNELS,
    "channel_members": MEMBERSHIPS,
    "messages": MESSAGES,
    "reactions": REACTIONS,
}


class Chat(Desk):
    """Calls the tools of `default`."""

    toolset = "default"

    def ids(self, tool: str, **arguments: Any) -> list[str]:
        """The ids of a page's items."""
        return [item["id"] for item in self(tool, **arguments)["items"]]

    def changed(self) -> list[tuple[str, str, str]]:
        return [(change.op, change.table, change.id) for change in self.layer.changes()]


@contextmanager
def office(owner: Owner | None = OWNER, **rows: Sequence[Mapping[str, Any]]) -> Iterator[Chat]:
    """The workspace above, with other rows in the tables that are given."""
    engine = Engine()
    layer = engine.layer(engine.load(World("desk", NOW, {"chat": {**ROWS, **rows}}, owner=owner)))
    yield Chat(app, layer)
    layer.close()
    engine.close()


@pytest.fixture(scope="module")
def opened() -> Iterator[Chat]:
    with office() as calls:
        yield calls


@pytest.fixture
def chat(opened: Chat) -> Chat:
    opened.layer.reset()
    return opened


def test_the_owner_sees_public_channels_and_those_that_they_are_in_latest_first(chat: Chat) -> None:
    page = chat("find_channels")

    names = [item["name"] for item in page["items"]]
    assert names == ["#general", "Tom Ode, Priya Nair", "Maya Chen", "#design", "#launch", "#board"]
    assert page["shown"] == "1 to 6 of 6"
    assert [item["name"] for item in page["items"] if not item["joined"]] == ["#design"]


def test_a_concise_channel_is_what_one_needs_to_choose_it(chat: Chat) -> None:
    (launch,) = chat("find_channels", query="LAUNCH")["items"]

    assert launch == {
        "id": "C002",
        "kind": "public",
        "name": "#launch",
        "topic": "Launch on 2026-04-02",
        "members": 3,
        "joined": True,
        "unread": 2,
        "latest": "2026-03-10 15:00",
    }


def test_a_detailed_channel_says_who_is_in_it(chat: Chat) -> None:
    (launch,) = chat("find_channels", query="#launch", detail="detailed")["items"]

    assert launch["people"] == ["Lena Brandt (@lena)", "Maya Chen (@maya.chen)", "Tom Ode (@tom)"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"kind": "public"}, ["C001", "C008", "C002"]),
        ({"kind": "private"}, ["C007"]),
        ({"kind": "direct"}, ["C006", "C005"]),
        ({"query": "priya"}, ["C006"]),
        ({"query": "@maya.chen"}, ["C005"]),
        ({"query": "everybody GENERAL"}, ["C001"]),
        ({"query": "salaries"}, []),
        ({"archived": True}, ["C004"]),
        ({"unread": True}, ["C001", "C006", "C005", "C002"]),
        ({"unread": True, "kind": "direct"}, ["C006", "C005"]),
        ({"skip": 5}, ["C007"]),
        ({"kind": "person"}, ["U001", "U002", "U004", "U006", "U003"]),
        ({"kind": "person", "query": "maya"}, ["U002", "U004"]),
        ({"kind": "person", "query": "designer"}, ["U002"]),
        ({"kind": "person", "archived": True}, ["U005"]),
    ],
)
def test_channels_conversations_and_people_are_found_by(
    chat: Chat, arguments: dict[str, Any], expected: list[str]
) -> None:
    assert chat.ids("find_channels", **arguments) == expected


def test_a_person_is_shown_with_status_and_time_zone(chat: Chat) -> None:
    (maya,) = chat("find_channels", kind="person", query="maya chen")["items"]

    assert maya == {
        "id": "U002",
        "kind": "person",
        "name": "Maya Chen",
        "handle": "@maya.chen",
        "address": "maya.chen@lumen.example",
        "title": "Designer",
        "status": "Away until 2026-03-16",
        "zone": "Asia/Tokyo",
    }


def test_what_is_unread_and_mentions_the_owner_is_counted_where_they_are(chat: Chat) -> None:
    news = {item["name"]: (item.get("unread"), item.get("mentions")) for item in chat("find_channels")["items"]}

    assert news == {
        "#general": (1, 1),
        "Tom Ode, Priya Nair": (1, None),
        "Maya Chen": (1, None),
        "#design": (None, None),
        "#launch": (2, None),
        "#board": (None, None),
    }


def test_reading_everything_leaves_nothing_unread_and_only_marks_changed(chat: Chat) -> None:
    said = chat("mark_read", channels=["#general", "launch", "C005", "C006", "#board"])

    assert said == "All read in #general, #launch, C005, C006, #board."
    assert chat.ids("find_channels", unread=True) == []
    assert chat.ids("find_messages", unread=True) == []
    assert chat.changed() == [("update", "channel_members", id) for id in ("J0001", "J0007", "J0014", "J0016")]


def test_one_conversation_is_marked_by_whom_it_is_with(chat: Chat) -> None:
    assert chat("mark_read", channels="@maya.chen") == "All read in C005."
    assert chat.ids("find_channels", unread=True) == ["C001", "C006", "C002"]


def test_in_an_archived_channel_nothing_is_unread(chat: Chat) -> None:
    (old,) = chat("find_channels", archived=True)["items"]
    (plan,) = chat("get_messages", channel="#old-plans")["items"]

    assert (old["archived"], "unread" in old, "unread" in plan) == (True, False, False)
    assert "M00008" not in chat.ids("find_messages", unread=True)


def test_one_s_own_messages_are_never_unread(chat: Chat) -> None:
    chat("mark_read", channels="#launch")
    chat("send_message", to="#launch", text="On it")

    assert "C002" not in chat.ids("find_channels", unread=True)


def test_a_channel_is_read_newest_first_with_threads_collapsed(chat: Chat) -> None:
    budget, draft = chat("get_messages", channel="#launch")["items"]

    assert draft == {
        "id": "M00003",
        "author": "Maya Chen (@maya.chen)",
        "sent": "2026-03-09 11:00",
        "text": "First draft of the launch page, @lena what do you think?",
        "replies": 2,
        "last_reply": "2026-03-10 14:00",
        "reactions": ["eyes: Lena Brandt, Tom Ode"],
    }
    assert (budget["id"], budget.get("replies"), budget["unread"]) == ("M00006", None, True)


@pytest.mark.parametrize("channel", ["#general", "GENERAL", "C001", " general "])
def test_a_channel_goes_by_its_name_or_id(chat: Chat, channel: str) -> None:
    assert chat.ids("get_messages", channel=channel) == ["M00013", "M00002", "M00001"]


@pytest.mark.parametrize("channel", ["@maya.chen", "maya.chen@lumen.example", "Maya Chen", "C005"])
def test_a_conversation_with_one_person_goes_by_who_that_is(chat: Chat, channel: str) -> None:
    assert chat.ids("get_messages", channel=channel) == ["M00009"]


def test_a_public_channel_can_be_read_from_outside(chat: Chat) -> None:
    assert chat.ids("get_messages", channel="#design") == ["M00014", "M00012"]


def test_a_channel_is_read_for_some_days_both_included(chat: Chat) -> None:
    assert chat.ids("get_messages", channel="#general", after="2026-03-03", before="2026-03-12") == ["M00013", "M00002"]
    assert chat.ids("get_messages", channel="#general", before="2026-03-02") == ["M00001"]


@pytest.mark.parametrize("message", ["M00003", "M00004", "M00005"])
def test_a_thread_is_read_from_any_of_its_messages_oldest_first(chat: Chat, message: str) -> None:
    thread = chat("get_thread", message_id=message)

    assert thread["channel"] == "#launch"
    assert [(item["id"], item.get("thread")) for item in thread["items"]] == [
        ("M00003", None),
        ("M00004", "M00003"),
        ("M00005", "M00003"),
    ]


def test_a_message_without_answers_is_a_thread_of_one(chat: Chat) -> None:
    assert chat.ids("get_thread", message_id="M00006") == ["M00006"]


def test_a_page_has_twenty_messages_and_says_how_to_go_on() -> None:
    many = [
        {
            "id": f"M{n:05d}",
            "channel_id": "C001",
            "author_id": "U003",
            "sent": "2026-03-01T09:00:00",
            "text": f"No. {n}",
        }
        for n in range(1, 46)
    ]
    with office(messages=many, reactions=[]) as chat:
        first = chat("get_messages", channel="#general")
        last = chat("get_messages", channel="#general", skip=40)

        assert (first["shown"], first["next"]) == ("1 to 20 of 45", "skip=20")
        assert [item["text"] for item in first["items"][:2]] == ["No. 45", "No. 44"]  # of one moment: the later row
        assert (last["shown"], last.get("next"), len(last["items"])) == ("41 to 45 of 45", None, 5)
        assert chat("find_messages", skip=99)["shown"] == "none of 45"


def test_a_page_of_long_messages_ends_before_a_result_is_too_long() -> None:
    long = [
        {
            "id": f"M{n:05d}",
            "channel_id": "C001",
            "author_id": "U003",
            "sent": "2026-03-01T09:00:00",
            "text": "x" * 9_900,
        }
        for n in range(1, 6)
    ]
    with office(messages=long, reactions=[]) as chat:
        for tool, arguments in (("get_messages", {"channel": "#general"}), ("find_messages", {"detail": "detailed"})):
            result = app.default.tool(tool).call(chat.layer.state(app), arguments)

            assert len(result.text) < RESULT
            assert (result.data["shown"], result.data["next"]) == ("1 to 2 of 5", "skip=2")
        assert all(len(item["text"]) < 210 for item in chat("find_messages")["items"])


def test_results_are_text_without_what_is_null(chat: Chat) -> None:
    result = app.default.tool("find_channels").call(chat.layer.state(app), {"query": "board"})

    assert "null" not in result.text
    assert '"latest"' not in result.text


def test_what_others_write_in_private_is_not_there(chat: Chat) -> None:
    assert chat.refusal("get_thread", message_id="M00007") == "No message has the id 'M00007'."
    assert chat.refusal("react", message_id="M00007", emoji="eyes") == "No message has the id 'M00007'."
    assert "you see no channel '#salaries'" in chat.refusal("get_messages", channel="#salaries")
    assert "No channel is called that either" in chat.refusal("get_messages", channel="C003")


@pytest.mark.parametrize(
    ("tool", "arguments", "refusal"),
    [
        ("get_messages", {"channel": "#laun"}, "channel: you see no channel '#laun'. Near it: #launch."),
        ("get_messages", {"channel": "nowhere"}, "`find_channels` lists channels and people."),
        ("get_messages", {"channel": "maya"}, "Maya Chen <maya.chen@lumen.example>, Maya Silva"),
        ("get_messages", {"channel": "@tom"}, "no conversation with Tom Ode (@tom) yet; `send_message` begins one"),
        ("get_messages", {"channel": ""}, "channel: '' is nobody known here"),
        ("get_messages", {"channel": "#launch", "after": "soon"}, "write YYYY-MM-DD, such as 2026-03-12"),
        ("get_thread", {"message_id": "M99999"}, "No message has the id 'M99999'."),
        ("find_channels", {"kind": "person", "unread": True}, "unread goes with channels and conversations"),
        ("find_channels", {"query": " ".join(map(str, range(33)))}, "query has 33 different words; it may have 32."),
        ("find_channels", {"kind": "group"}, "'kind'"),
        ("find_channels", {"skip": -1}, "'skip'"),
        ("mark_read", {"channels": []}, "channels must not be empty; name those to mark, such as #general."),
        ("mark_read", {"channels": ["#general"] * 51}, "channels has 51 entries; it may have 50."),
        ("mark_read", {"channels": ["#general", "#nowhere"]}, "you see no channel '#nowhere'"),
        ("mark_read", {"channels": ["#launch", "#design"]}, "you are not in #design"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_would(
    chat: Chat, tool: str, arguments: dict[str, Any], refusal: str
) -> None:
    assert refusal in chat.refusal(tool, **arguments)
