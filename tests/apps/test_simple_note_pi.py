"""Notes behind a login, with the tools of pi-Bench."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.kernel import Engine, Owner, World
from servers.simple_note import app
from servers.simple_note.official import OFFICIAL
from tests.apps.desk import NOW, Desk, desk
from tests.apps.test_simple_note import NOTES

ACCOUNTS = [
    {"id": "A1", "username": "mira@harbor.example", "password": "kelp-77", "name": "Mira Holt"},
    {"id": "A2", "username": "tariq@harbor.example", "password": "sand", "name": "Tariq Lund"},
]
ROWS = [
    {**NOTES[0], "username": "mira@harbor.example"},
    {**NOTES[1], "username": "tariq@harbor.example"},
    NOTES[2],
]


class Pi(Desk):
    """Calls the tools of `pi`."""

    toolset = "pi"

    def found(self, **arguments: Any) -> list[str]:
        return [item["id"] for item in self("search_notes", **arguments)["items"]]


@pytest.fixture
def locked() -> Iterator[Pi]:
    with desk(app, {"notes": ROWS, "accounts": ACCOUNTS}, kind=Pi) as calls:
        yield calls


@pytest.fixture
def pi(locked: Pi) -> Pi:
    locked("log_in", username="Mira@harbor.example", password="kelp-77")
    return locked


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_notes", {}),
        ("view_note", {"note_id": "N3"}),
        ("create_note", {"title": "x"}),
        ("update_note", {"note_id": "N3", "title": "x"}),
        ("add_content_to_note", {"note_id": "N3", "content": "x"}),
        ("delete_note", {"note_id": "N3"}),
        ("view_account", {}),
        ("view_profile", {}),
    ],
)
def test_without_a_login_nothing_is_shown_or_changed(locked: Pi, tool: str, arguments: dict[str, Any]) -> None:
    assert "use `log_in`" in locked.refusal(tool, **arguments)


def test_a_wrong_password_logs_nobody_in(locked: Pi) -> None:
    assert "No account has that username and password" in locked.refusal(
        "log_in", username="mira@harbor.example", password="Kelp-77"
    )


def test_whoever_is_logged_in_sees_their_own_notes_and_those_of_no_account(pi: Pi) -> None:
    assert pi.found() == ["N3", "N1"]
    assert pi.refusal("view_note", note_id="N2") == "No note has the id 'N2'."
    assert pi.refusal("delete_note", note_id="N2") == "No note has the id 'N2'."

    assert pi("log_in", username="tariq@harbor.example", password="sand") == "Logged in as tariq@harbor.example."
    assert pi.found() == ["N2", "N3"]


def test_after_logging_out_somebody_has_to_log_in_again(pi: Pi) -> None:
    assert pi("log_out") == "Logged out."
    assert "use `log_in`" in pi.refusal("search_notes")
    assert pi.refusal("log_out") == "Nobody is logged in."


def test_an_account_is_shown_without_its_password(pi: Pi) -> None:
    mira = {"username": "mira@harbor.example", "name": "Mira Holt"}

    assert pi("view_account") == {**mira, "notes": 2, "pinned": 0}
    assert pi("view_profile") == mira


def test_a_name_is_looked_up_by_its_username_without_a_login(locked: Pi) -> None:
    assert locked("view_profile", username="TARIQ@harbor.example")["name"] == "Tariq Lund"
    assert locked.refusal("view_profile", username="ines") == "No account has the username 'ines'."


def test_a_new_note_belongs_to_whoever_is_logged_in(pi: Pi) -> None:
    made = pi("create_note", title="Ideas", content="one", tags=["work"])

    assert (made["id"], made["characters"]) == ("N4", 3)
    (change,) = [change for change in pi.layer.changes() if change.table == "notes"]
    assert (change.op, change.fields["username"]) == ("insert", "mira@harbor.example")
    assert pi.found(tag="work") == ["N4"]


def test_content_is_added_at_either_end_and_found(pi: Pi) -> None:
    pi("add_content_to_note", note_id="N1", content="cinnamon")
    pi("add_content_to_note", note_id="N1", content="On Friday:", place="beginning")

    assert pi("view_note", note_id="N1")["text"] == "On Friday:\noat milk\nbread\ncinnamon"
    assert pi.found(query="cinnamon friday") == ["N1"]
    assert pi.refusal("add_content_to_note", note_id="N1", content="") == "content must not be empty."


def test_a_note_is_changed_in_what_is_given(pi: Pi) -> None:
    pi("update_note", note_id="N1", content="nothing", pinned=True)

    shown = pi("view_note", note_id="N1")
    assert (shown["title"], shown["text"], shown["tags"], shown["pinned"]) == ("Groceries", "nothing", ["Home"], True)
    assert pi.found(pinned=True) == ["N1"]
    assert "title, content, tags or pinned" in pi.refusal("update_note", note_id="N1")


def test_a_deleted_note_is_gone(pi: Pi) -> None:
    assert pi("delete_note", note_id="N1") == "Deleted N1, 'Groceries'."
    assert pi.found() == ["N3"]


def test_where_there_are_no_accounts_nobody_has_to_log_in() -> None:
    engine = Engine()
    owner = Owner(name="Mira Holt", address="mira@harbor.example")
    calls = Pi(app, engine.layer(engine.load(World("home", NOW, {app.name: {"notes": ROWS}}, owner=owner))))

    assert calls.found() == ["N2", "N3", "N1"]
    assert calls("view_account") == {"username": owner.address, "name": owner.name, "notes": 3, "pinned": 1}
    assert calls.refusal("log_in", username="mira", password="x") == "No account has that username and password."
    engine.close()


def test_where_nobody_is_known_the_account_has_no_name() -> None:
    with desk(app, {"notes": ROWS}, kind=Pi) as calls:
        assert calls("view_profile") == {"username": "", "name": ""}


def test_the_tools_are_the_rows_of_the_table() -> None:
    assert {f"pi.{name}" for name in app.toolset("pi").tools} == set(OFFICIAL["pi"].values())
    assert len(OFFICIAL["pi"]) == 10
