"""Chat: sending, answering, editing, reacting, and who may be where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.chat.tables import TEXT
from tests.apps.test_chat import CHANNELS, INSIDE, MEMBERS, MEMBERSHIPS, MESSAGES, Chat, office


@pytest.fixture(scope="module")
def opened() -> Iterator[Chat]:
    with office() as calls:
        yield calls


@pytest.fixture
def chat(opened: Chat) -> Chat:
    opened.layer.reset()
    return opened


def test_a_thread_in_a_channel_with_a_mention(chat: Chat) -> None:
    sent = chat("send_message", to="#launch", text="Who checks the prices? @tom")
    answer = chat("send_message", thread=sent["id"], text="@Maya Chen, or you?")
    again = chat("send_message", thread=answer["id"], text="Settled.")

    assert sent == {
        "id": "M00015",
        "channel": "#launch",
        "author": "Lena Brandt (@lena)",
        "sent": "2026-03-12 10:30",
        "text": "Who checks the prices? @tom",
    }
    assert (answer["text"], answer["thread"], again["thread"]) == ("@maya.chen, or you?", "M00015", "M00015")
    assert chat.ids("get_thread", message_id="M00017") == ["M00015", "M00016", "M00017"]
    assert chat("get_messages", channel="#launch")["items"][0]["replies"] == 2
    assert chat.ids("find_messages", query="to:maya.chen in:#launch") == ["M00016"]
    assert chat.changed() == [("insert", "messages", f"M{n:05d}") for n in (15, 16, 17)]


def test_a_direct_message_to_two_people_is_found_again(chat: Chat) -> None:
    first = chat("send_message", to=["maya.silva", "Tom Ode"], text="Budget talk?")
    second = chat("send_message", to=["tom@lumen.example", "@maya.silva", "me"], text="At three.")

    assert (first["channel"], first["people"]) == ("C009", "Maya Silva, Tom Ode")
    assert second["channel"] == "C009"
    assert chat.ids("find_channels", query="silva tom") == ["C009"]
    assert chat.ids("get_messages", channel="C009") == [second["id"], first["id"]]
    assert [table for _, table, _ in chat.changed()] == [*["channel_members"] * 3, "channels", *["messages"] * 2]


@pytest.mark.parametrize(
    ("to", "channel"),
    [
        ("#launch", "#launch"),
        ("LAUNCH", "#launch"),
        (["C002"], "#launch"),
        ("@maya.chen", "C005"),
        (["maya.chen@lumen.example"], "C005"),
        (["priya", "tom"], "C006"),
        ("C006", "C006"),
        ("tom", "C009"),
        ("me", "C009"),
    ],
)
def test_a_message_goes_where_it_is_addressed(chat: Chat, to: Any, channel: str) -> None:
    assert chat("send_message", to=to, text="Hello")["channel"] == channel


def test_notes_to_oneself_stay_in_one_conversation(chat: Chat) -> None:
    first, second = (chat("send_message", to="me", text=text) for text in ("Buy milk", "And bread"))

    assert first["people"] == "only you"
    assert first["channel"] == second["channel"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("@lena and @TOM", "@lena and @tom"),
        ("@Priya's desk", "@priya's desk"),
        ("@Maya Silva.", "@maya.silva."),
        ("(@maya.c)", "(@maya.chen)"),
        ("@maya.chen@lumen.example!", "@maya.chen!"),
        ("@Channel: lunch", "@channel: lunch"),
        ("mail tom@lumen.example or a@maya", "mail tom@lumen.example or a@maya"),
        ("`pip install @maya` and `@x`", "`pip install @maya` and `@x`"),
        ("@oskar left", "@oskar left"),
        ("1 @ 2, @", "1 @ 2, @"),
    ],
)
def test_a_mention_is_kept_as_the_handle_of_whom_it_means(chat: Chat, text: str, kept: str) -> None:
    assert chat("send_message", to="#general", text=text)["text"] == kept


def test_who_is_mentioned_outside_their_channels_is_remarked(chat: Chat) -> None:
    sent = chat("send_message", to="#launch", text="@priya @tom please look")

    assert sent["remark"] == "Not in #launch, so not notified: Priya Nair (@priya)."


def test_of_two_names_that_begin_alike_the_longer_is_meant() -> None:
    both = [*MEMBERS, {"id": "U007", "handle": "odell", "name": "Tom Odell", "address": "odell@lumen.example"}]
    with office(members=both) as chat:
        assert chat("send_message", to="#general", text="@Tom Odell")["text"] == "@odell"
        assert chat("send_message", to="#general", text="@Tom Ode, hi")["text"] == "@tom, hi"


def test_two_people_of_one_name_are_told_apart_by_handle() -> None:
    twins = [*MEMBERS, {"id": "U007", "handle": "tom2", "name": "Tom Ode", "address": "tom2@lumen.example"}]
    with office(members=twins) as chat:
        assert "may be Tom Ode <tom2@lumen.example>, Tom Ode <tom@lumen.example>" in chat.refusal(
            "send_message", to="#general", text="@Tom Ode"
        )
        assert chat("send_message", to="@tom2", text="Hi")["people"] == "Tom Ode"


@pytest.mark.parametrize(
    ("tool", "arguments", "argument"),
    [
        ("send_message", {"to": "Tom", "text": "Hi"}, "to"),
        ("manage_channel", {"channel": "#launch", "add": ["Tom"]}, "add"),
        ("find_messages", {"query": "from:Tom"}, "from: of query"),
    ],
)
def test_a_handle_without_its_at_that_is_the_name_of_others_too_is_refused_with_both(
    tool: str, arguments: dict[str, Any], argument: str
) -> None:
    other = {"id": "U007", "handle": "tom.reed", "name": "Tom Reed", "address": "tom.reed@lumen.example"}
    with office(members=[*MEMBERS, other]) as chat:
        assert chat.refusal(tool, **arguments) == (
            f"{argument}: 'Tom' may be Tom Ode (@tom), Tom Reed (@tom.reed); say which, best by the handle with its @."
        )


def test_a_handle_with_its_at_is_whose_it_is_also_where_others_are_called_so() -> None:
    other = {"id": "U007", "handle": "tom.reed", "name": "Tom Reed", "address": "tom.reed@lumen.example"}
    with office(members=[*MEMBERS, other]) as chat:
        assert chat("send_message", to="@tom", text="Hi")["people"] == "Tom Ode"
        assert chat("send_message", to="tom.reed", text="Hi")["people"] == "Tom Reed"


def test_the_handle_of_whoever_left_without_its_at_is_the_name_of_who_is_there() -> None:
    other = {"id": "U007", "handle": "berg", "name": "Oskar Berg", "address": "berg@lumen.example"}
    with office(members=[*MEMBERS, other]) as chat:
        assert chat("send_message", to="oskar", text="Hi")["people"] == "Oskar Berg"
        assert "Oskar Lind (@oskar) has left" in chat.refusal("send_message", to="@oskar", text="Hi")


def test_whoever_left_is_not_meant_where_several_others_may_be() -> None:
    maya = {"id": "U007", "handle": "m", "name": "Maya", "address": "maya@lumen.example", "active": False}
    with office(members=[*MEMBERS, maya]) as chat:
        assert "to: 'maya' may be Maya Chen" in chat.refusal("send_message", to="maya", text="Hi")


def test_a_name_that_is_a_channel_and_a_person_is_refused_until_it_says_which() -> None:
    with office(channels=[*CHANNELS, {"id": "C009", "name": "priya"}]) as chat:
        refusal = chat.refusal("send_message", to="priya", text="Hi")

        assert refusal == "to: 'priya' may be the channel #priya or Priya Nair (@priya); write # or @."
        assert chat("send_message", to="@priya", text="Hi")["people"] == "Priya Nair"


def test_an_archived_channel_refuses_messages_and_says_so() -> None:
    own = {**MESSAGES[7], "id": "M00090", "author_id": "U001"}
    with office(messages=[*MESSAGES, own]) as chat:
        says = "#old-plans is archived: it can be read, and nothing in it can be written or changed."

        assert chat.refusal("send_message", to="#old-plans", text="Hi") == says
        assert chat.refusal("send_message", thread="M00008", text="Hi") == says
        assert chat.refusal("react", message_id="M00008", emoji="eyes") == says
        assert chat.refusal("update_message", message_id="M00090", text="New") == says
        assert chat.refusal("delete_message", message_id="M00090") == says
        assert chat.ids("get_messages", channel="#old-plans") == ["M00090", "M00008"]


def test_one_s_own_message_is_edited_and_those_of_others_are_refused(chat: Chat) -> None:
    edited = chat("update_message", message_id="M00002", text="The printer works, @priya.")

    assert (edited["text"], edited["edited"]) == ("The printer works, @priya.", "2026-03-12 10:30")
    assert chat.ids("find_messages", query="to:priya") == ["M00013", "M00010", "M00002"]
    assert chat.refusal("update_message", message_id="M00001", text="x") == (
        "M00001 was written by Priya Nair (@priya); only what you wrote yourself can be edited."
    )
    assert "only what you wrote yourself can be deleted" in chat.refusal("delete_message", message_id="M00001")


def test_an_edit_that_changes_nothing_is_none(chat: Chat) -> None:
    assert "edited" not in chat("update_message", message_id="M00002", text=MESSAGES[1]["text"])
    assert chat.changed() == []


def test_a_deleted_message_is_gone_with_its_reactions(chat: Chat) -> None:
    chat("react", message_id="M00002", emoji="cry")
    assert chat("delete_message", message_id="M00002") == "Deleted M00002."

    assert chat.changed() == [("delete", "messages", "M00002")]
    assert chat.refusal("get_thread", message_id="M00002") == "No message has the id 'M00002'."


def test_answers_outlive_the_message_that_they_answer(chat: Chat) -> None:
    began = chat("send_message", to="#general", text="Plans?")
    answers = [chat("send_message", thread=began["id"], text=text)["id"] for text in ("Some", "More")]
    chat("delete_message", message_id=began["id"])
    last = chat("send_message", thread=answers[1], text="Yet more")

    assert chat.ids("get_thread", message_id=answers[1]) == [*answers, last["id"]]
    assert last["thread"] == answers[0]
    head = chat("get_messages", channel="#general")["items"][0]
    assert (head["id"], head["replies"]) == (answers[0], 2)


def test_a_reaction_is_given_once_and_taken_away(chat: Chat) -> None:
    for emoji in (":+1:", "thumbsup", "THUMBSUP"):
        shown = chat("react", message_id="M00001", emoji=emoji)
    assert shown["reactions"] == ["thumbsup: Tom Ode, Lena Brandt"]
    assert chat.changed() == [("insert", "reactions", "R00004")]

    assert chat("react", message_id="M00001", emoji="thumbsup", remove=True)["reactions"] == ["thumbsup: Tom Ode"]
    chat("react", message_id="M00001", emoji="thumbsup", remove=True)
    assert chat.changed() == []


def test_unread_is_counted_before_and_after(chat: Chat) -> None:
    def unread() -> dict[str, int]:
        return {item["name"]: item["unread"] for item in chat("find_channels", unread=True)["items"]}

    assert unread() == {"#general": 1, "Tom Ode, Priya Nair": 1, "Maya Chen": 1, "#launch": 2}
    chat("mark_read", channels=["#launch", "@maya.chen"])
    assert unread() == {"#general": 1, "Tom Ode, Priya Nair": 1}
    assert "unread" not in chat("get_messages", channel="#launch")["items"][0]


def test_a_channel_is_created_with_people_and_a_topic(chat: Chat) -> None:
    made = chat(
        "manage_channel", channel="#q2-plans", create=True, private=True, topic="By 2026-04-01", add=["tom", "priya"]
    )

    assert made == {
        "id": "C009",
        "kind": "private",
        "name": "#q2-plans",
        "topic": "By 2026-04-01",
        "members": 3,
        "joined": True,
        "created": "2026-03-12 10:30",
        "people": ["Lena Brandt (@lena)", "Tom Ode (@tom)", "Priya Nair (@priya)"],
    }
    assert chat("send_message", to="q2-plans", text="Welcome")["channel"] == "#q2-plans"


def test_a_public_channel_is_joined_written_in_and_left(chat: Chat) -> None:
    assert chat.refusal("send_message", to="#design", text="Hi") == (
        "You are not in #design; join it first, with `manage_channel` and add=['me']."
    )
    joined = chat("manage_channel", channel="#design", add=["me"])
    assert (joined["joined"], joined.get("unread")) == (True, None)  # what was said before is not new
    chat("send_message", to="#design", text="Hi")

    left = chat("manage_channel", channel="#design", remove=["me"])
    assert (left["joined"], left["members"]) == (False, 2)
    assert [row for row in chat.changed() if row[1] == "channel_members"] == []


def test_people_are_let_in_once_and_out(chat: Chat) -> None:
    assert chat("manage_channel", channel="#launch", add=["priya", "tom"])["members"] == 4
    out = chat("manage_channel", channel="#launch", remove=["@tom", "priya"], topic="Quiet")

    assert (out["members"], out["topic"]) == (2, "Quiet")
    assert chat.changed() == [("delete", "channel_members", "J0009"), ("update", "channels", "C002")]


def test_a_channel_is_archived_and_brought_back(chat: Chat) -> None:
    assert chat("manage_channel", channel="#launch", archived=True)["archived"] is True
    assert "is archived" in chat.refusal("send_message", to="#launch", text="Hi")
    chat("manage_channel", channel="#launch", archived=False)

    assert chat.changed() == []
    old = chat("manage_channel", channel="#old-plans", archived=False, add=["priya"])
    assert (old.get("archived"), old["members"]) == (None, 3)


def test_whoever_leaves_a_private_channel_sees_it_no_more(chat: Chat) -> None:
    assert chat("manage_channel", channel="#board", remove=["me"])["joined"] is False
    assert "you see no channel '#board'" in chat.refusal("get_messages", channel="#board")


@pytest.mark.parametrize(
    ("tool", "arguments", "refusal"),
    [
        ("send_message", {"to": "#general", "text": "  "}, "text must not be empty."),
        (
            "send_message",
            {"to": "#general", "text": "x" * (TEXT + 1)},
            "'text': string should have at most 10000 characters.",
        ),
        ("send_message", {"to": "#general", "text": f"{'x' * (TEXT - 4)} @ma"}, "'ma' may be Maya Chen"),
        ("send_message", {"to": "#general", "text": f"{'x' * (TEXT - 3)} @p"}, "text has 10,004 characters"),
        (
            "send_message",
            {"to": "#general", "text": "@maya look"},
            "may be Maya Chen <maya.chen@lumen.example>, Maya Si",
        ),
        (
            "send_message",
            {"to": "#general", "text": "@maya look"},
            "Maya Silva <maya.silva@lumen.example>. A mention is @ and a handle",
        ),
        ("send_message", {"to": "#general", "text": "@nobody"}, "text: 'nobody' is nobody known here; `find_channels`"),
        ("send_message", {"to": "#general", "text": "@tom " * 51}, "text has more than 50 mentions; @channel mentions"),
        ("send_message", {"text": "Hi"}, "to must not be empty: give a channel such as #general"),
        ("send_message", {"text": "Hi", "to": "#nowhere"}, "to: you see no channel '#nowhere'."),
        ("send_message", {"text": "Hi", "to": "maya"}, "to: 'maya' may be Maya Chen"),
        (
            "send_message",
            {"text": "Hi", "to": ["tom", "#general"]},
            "to: '#general' is a channel; a message goes to one",
        ),
        ("send_message", {"text": "Hi", "to": ["general", "launch"]}, "to: 'general' is a channel"),
        ("send_message", {"text": "Hi", "to": "@oskar"}, "to: Oskar Lind (@oskar) has left"),
        ("send_message", {"text": "Hi", "to": ["tom"] * 51}, "to has 51 entries; it may have 50."),
        ("send_message", {"text": "Hi", "thread": "M99999"}, "No message has the id 'M99999'."),
        ("send_message", {"text": "Hi", "thread": "M00003", "to": "#general"}, "to: M00003 is not in #general"),
        ("send_message", {"text": "Hi", "thread": "M00012"}, "You are not in #design"),
        ("update_message", {"message_id": "M00002", "text": ""}, "text must not be empty."),
        ("react", {"message_id": "M00001", "emoji": "\U0001f44d"}, "write it in letters, such as thumbsup."),
        ("react", {"message_id": "M00001", "emoji": "::"}, "emoji: '::' is not the name of an emoji"),
        ("react", {"message_id": "M00012", "emoji": "eyes"}, "You are not in #design"),
        (
            "manage_channel",
            {"channel": "#launch", "private": False},
            "give create, topic, add, remove or archived; a channel that is there stays as it is, public or private.",
        ),
        ("manage_channel", {"channel": "#launch", "private": True}, "private goes with create"),
        ("manage_channel", {"channel": "#launch", "create": True}, "channel: a channel #launch already exists"),
        ("manage_channel", {"channel": "old-plans", "create": True}, "channel: a channel #old-plans is archived"),
        ("manage_channel", {"channel": "#salaries", "create": True}, "channel: a channel #salaries already exists"),
        (
            "manage_channel",
            {"channel": "Q2 Plans", "create": True},
            "write lower-case letters, digits, - and _, such as launch",
        ),
        ("manage_channel", {"channel": "#nowhere", "topic": "x"}, "you see no channel '#nowhere'"),
        ("manage_channel", {"channel": "#salaries", "add": ["me"]}, "you see no channel '#salaries'"),
        ("manage_channel", {"channel": "C005", "add": ["tom"]}, "a direct conversation stays as it is"),
        ("manage_channel", {"channel": "#design", "add": ["priya"]}, "You are not in #design; join it with add=['me']"),
        ("manage_channel", {"channel": "#design", "topic": "Ours"}, "You are not in #design"),
        ("manage_channel", {"channel": "#launch", "add": ["oskar"]}, "add: Oskar Lind (@oskar) has left"),
        ("manage_channel", {"channel": "#launch", "add": ["priya", "maya"]}, "add: 'maya' may be Maya Chen"),
        (
            "manage_channel",
            {"channel": "#launch", "remove": ["priya"]},
            "remove: Priya Nair (@priya) is not in #launch.",
        ),
        ("manage_channel", {"channel": "#launch", "add": ["tom"], "remove": ["tom"]}, "add: Tom Ode (@tom) is to be"),
        (
            "manage_channel",
            {"channel": "#launch", "topic": "x" * 251},
            "'topic': string should have at most 250",
        ),
        ("manage_channel", {"channel": "#old-plans", "topic": "New"}, "#old-plans is archived; give archived=false"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_has_changed(
    chat: Chat, tool: str, arguments: dict[str, Any], refusal: str
) -> None:
    assert refusal in chat.refusal(tool, **arguments)


def test_a_direct_conversation_has_nine_people_at_most() -> None:
    crowd = [
        *MEMBERS,
        *({"id": f"U1{n:02d}", "handle": f"p{n}", "name": f"P {n}", "address": f"p{n}@x.example"} for n in range(9)),
    ]
    with office(members=crowd) as chat:
        everybody = [f"p{n}" for n in range(9)]

        assert "to: 9 people; a direct conversation has 8 at most" in chat.refusal(
            "send_message", to=everybody, text="Hi"
        )
        assert chat("send_message", to=everybody[:8], text="Hi")["channel"] == "C009"


def test_somebody_listed_twice_in_a_channel_is_in_it_once() -> None:
    twice = [*MEMBERSHIPS, {**MEMBERSHIPS[7], "id": "J0099"}, {**MEMBERSHIPS[6], "id": "J0100"}]
    assert INSIDE[7][:2] == ("C002", "2")
    with office(channel_members=twice) as chat:
        assert chat("find_channels", query="launch")["items"][0]["members"] == 3
        assert chat.ids("find_messages", query="in:launch") == ["M00006", "M00005", "M00004", "M00003"]
        assert chat("manage_channel", channel="#launch", remove=["maya.chen"])["members"] == 2
