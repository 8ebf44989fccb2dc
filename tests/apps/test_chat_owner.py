"""Chat in worlds where its owner is nobody in it, or nobody says who that is; and what others call its tools."""

from __future__ import annotations

from servers.chat import app
from servers.chat.official import OFFICIAL
from servers.kernel import Owner
from tests.apps.test_chat import MEMBERSHIPS, MESSAGES, office


def test_a_world_without_a_workspace_has_nothing_to_read_and_nobody_who_writes() -> None:
    with office(members=[], channels=[], channel_members=[], messages=[], reactions=[]) as chat:
        assert chat("find_channels")["shown"] == "nothing found"
        assert chat("find_channels", kind="person")["shown"] == "nothing found"
        assert chat("find_messages", mentions=True)["shown"] == "nothing found"
        assert chat("find_messages", query="a", unread=True)["shown"] == "nothing found"
        assert "lena@lumen.example is not a member" in chat.refusal("send_message", to="#general", text="Hi")


def test_an_owner_who_is_not_in_the_workspace_reads_what_is_public() -> None:
    with office(owner=Owner(name="Ann Guest", address="ann@else.example")) as chat:
        assert chat.ids("find_channels") == ["C001", "C008", "C002"]
        assert chat.ids("find_messages", unread=True) == []
        assert "ann@else.example is not a member" in chat.refusal("mark_read", channels="#general")


def test_in_a_world_that_names_no_owner_it_is_the_first_member() -> None:
    with office(owner=None) as chat:
        assert chat("send_message", to="#general", text="Hi")["author"] == "Lena Brandt (@lena)"


def test_an_owner_s_address_is_the_same_in_any_case() -> None:
    with office(owner=Owner(name="Lena Brandt", address="LENA@Lumen.example")) as chat:
        assert "C007" in chat.ids("find_channels")


def test_rows_that_name_somebody_unknown_are_shown_all_the_same() -> None:
    strange = {**MESSAGES[1], "id": "M00091", "author_id": "U999", "sent": "2026-03-12T10:00:00"}
    inside = {**MEMBERSHIPS[0], "id": "J0091", "member_id": "U999"}
    with office(messages=[*MESSAGES, strange], channel_members=[*MEMBERSHIPS, inside]) as chat:
        assert chat("get_messages", channel="#general")["items"][0]["author"] == "U999"
        assert chat("find_channels", query="general")["items"][0]["members"] == 6


def test_every_official_name_is_a_tool_here() -> None:
    for names in OFFICIAL.values():
        for ours in names.values():
            toolset, _, tool = ours.partition(".")
            assert tool in app.toolsets[toolset].tools
