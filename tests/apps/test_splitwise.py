"""Shared expenses: whose groups are shown, who owes what, and that looking changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.kernel import Engine, Owner, World
from servers.splitwise import app
from tests.apps.desk import NOW, desk
from tests.apps.flat import Flat, shares
from tests.contracts.rows_splitwise import INES, SPLITWISE


@pytest.fixture
def flat() -> Iterator[Flat]:
    """Ines is logged in."""
    with desk(app, SPLITWISE, kind=Flat) as calls:
        yield calls


@pytest.fixture
def locked() -> Iterator[Flat]:
    with desk(app, {**SPLITWISE, "logins": []}, kind=Flat) as calls:
        yield calls


@pytest.fixture
def open_flat() -> Iterator[Flat]:
    """Nobody has an account; the world is Ines's."""
    engine = Engine()
    rows = {**SPLITWISE, "logins": [], "accounts": []}
    world = World("open", NOW, {app.name: rows}, owner=Owner(name="Ines Okafor", address=INES, zone="Europe/Lisbon"))
    layer = engine.layer(engine.load(world))
    yield Flat(app, layer)
    layer.close()
    engine.close()


READS: list[tuple[str, dict[str, Any]]] = [
    ("search_users", {}),
    ("view_groups", {}),
    ("view_group", {"group_id": "G1"}),
    ("view_group_expenses", {"group_id": "G1"}),
    ("view_group_balance", {"group_id": "G1"}),
    ("view_member_balances", {"group_id": "G1"}),
    ("view_person_balance", {"user_id": "U2"}),
]
WRITES: list[tuple[str, dict[str, Any]]] = [
    ("create_group", {"name": "Garden"}),
    ("add_group_member", {"group_id": "G1", "user_id": "U4"}),
    ("record_expense", {"group_id": "G1", "description": "Soap", "amount": 3}),
    ("update_expense", {"expense_id": "E1", "amount": 12}),
    ("delete_expense", {"expense_id": "E1"}),
]


@pytest.mark.parametrize(("tool", "arguments"), [*READS, *WRITES])
def test_a_login_is_wanted_where_there_are_accounts(locked: Flat, tool: str, arguments: dict[str, Any]) -> None:
    assert "use `log_in`" in locked.refusal(tool, **arguments)


@pytest.mark.parametrize(("tool", "arguments"), [*READS, *WRITES])
def test_without_accounts_no_login_is_wanted(open_flat: Flat, tool: str, arguments: dict[str, Any]) -> None:
    assert open_flat(tool, **arguments)


def test_without_accounts_the_groups_are_the_owners(open_flat: Flat) -> None:
    assert [row["id"] for row in open_flat("view_groups")["items"]] == ["G2", "G1"]
    assert open_flat("view_group_balance", group_id="G1")["your_balance"] == "-5.34"


@pytest.mark.parametrize(("tool", "arguments"), READS)
def test_what_shows_changes_nothing(flat: Flat, tool: str, arguments: dict[str, Any]) -> None:
    flat(tool, **arguments)

    assert not flat.layer.changes()


def test_logging_in_replaces_whoever_was_logged_in(flat: Flat) -> None:
    assert flat("log_in", username="MEI.novak@harbor.example", password="tin-drum") == (
        "Logged in as mei.novak@harbor.example."
    )
    assert flat.effects() == ["~logins"]
    assert [row["id"] for row in flat("view_groups")["items"]] == ["G3", "G1"]


def test_a_first_login_is_added(locked: Flat) -> None:
    locked("log_in", username=INES, password="kelp-77")

    assert locked.effects() == ["+logins"]


def test_a_wrong_password_logs_nobody_in(locked: Flat) -> None:
    assert "No account has that" in locked.refusal("log_in", username=INES, password="tin-drum")


def test_an_account_that_is_no_user_sees_no_group() -> None:
    users = [row for row in SPLITWISE["users"] if row["id"] != "U4"]
    keep = {
        name: [row for row in rows if "U4" not in row.values() and row.get("group_id") not in ("G2", "G3")]
        for name, rows in SPLITWISE.items()
    }
    accounts = [{"id": "A9", "username": "guest@harbor.example", "password": "x"}]
    shares = [row for row in keep["shares"] if row["expense_id"] in ("E1", "E2", "E3")]
    rows = {**keep, "users": users, "shares": shares, "accounts": accounts, "logins": []}
    with desk(app, rows, kind=Flat) as guest:
        guest("log_in", username="guest@harbor.example", password="x")
        assert "not among the users" in guest.refusal("view_groups")


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("LUND", ["U4", "U3"]),
        ("sam lund", ["U4"]),
        ("mei.novak@", ["U2"]),
        ("nobody", []),
        ("", ["U1", "U2", "U4", "U3"]),
    ],
)
def test_users_are_found_by_name_or_username(flat: Flat, query: str, ids: list[str]) -> None:
    assert [row["user_id"] for row in flat("search_users", query=query)["items"]] == ids


@pytest.mark.parametrize(
    ("query", "ids"), [("", ["G2", "G1"]), ("rua", ["G1"]), ("WEEKEND porto", ["G2"]), ("tariq", ["G1"]), ("book", [])]
)
def test_groups_are_found_by_name_description_or_member(flat: Flat, query: str, ids: list[str]) -> None:
    assert [row["id"] for row in flat("view_groups", query=query)["items"]] == ids


def test_a_group_in_a_list_has_the_users_balance(flat: Flat) -> None:
    (row,) = flat("view_groups", query="flat")["items"]

    assert row == {
        "id": "G1",
        "name": "Flat",
        "description": "Rua Nova 4",
        "members": 3,
        "expenses": 3,
        "your_balance": "-5.34",
    }


def test_a_group_is_shown_with_members_as_they_joined(flat: Flat) -> None:
    shown = flat("view_group", group_id="G2")

    assert [row["user_id"] for row in shown["members"]] == ["U4", "U1"]
    assert (shown["expenses"], shown["spent"], shown["created"]) == (1, "60.01", "2023-10-01 10:00")


@pytest.mark.parametrize("tool", [tool for tool, arguments in READS if "group_id" in arguments])
def test_a_group_of_others_is_not_there(flat: Flat, tool: str) -> None:
    assert "No group has the id 'G3'" in flat.refusal(tool, group_id="G3")


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        ({}, ["E3", "E2", "E1"]),
        ({"query": "WINE 100%"}, ["E2"]),
        ({"query": "très"}, ["E2"]),
        ({"paid_by": "U2"}, ["E3", "E2"]),
        ({"category": "home"}, ["E1"]),
        ({"after": "2023-10-09"}, ["E3", "E2"]),
        ({"before": "2023-10-09"}, ["E2", "E1"]),
        ({"after": "2023-10-09", "before": "2023-10-09"}, ["E2"]),
        ({"skip": 2}, ["E1"]),
        ({"query": "soap"}, []),
    ],
)
def test_expenses_are_listed_newest_first(flat: Flat, arguments: dict[str, Any], ids: list[str]) -> None:
    assert [row["id"] for row in flat("view_group_expenses", group_id="G1", **arguments)["items"]] == ids


def test_days_the_wrong_way_round_are_refused(flat: Flat) -> None:
    why = flat.refusal("view_group_expenses", group_id="G1", after="2023-10-09", before="2023-10-01")
    assert why == "after, 2023-10-09, is later than before, 2023-10-01."


def test_an_expense_is_shown_with_payer_and_shares(flat: Flat) -> None:
    shown = flat.expense("E2")

    assert (shown["amount"], shown["payer"], shown["split"]) == ("45.50", "Mei Novak", "unequal")
    assert shares(shown) == {"U1": "10.00", "U2": "10.00", "U3": "25.50"}


def test_the_balance_of_a_group_leaves_repayments_out_of_what_was_spent(flat: Flat) -> None:
    shown = flat("view_group_balance", group_id="G1")

    assert (shown["spent"], shown["your_paid"], shown["your_share"]) == ("55.50", "10.00", "15.34")
    assert shown["your_balance"] == "-5.34"


def test_a_group_is_settled_by_few_payments(flat: Flat) -> None:
    assert flat("view_group_balance", group_id="G1")["settled_by"] == [
        {"payer": "Tariq Lund", "receiver": "Mei Novak", "amount": "28.83"},
        {"payer": "Ines Okafor", "receiver": "Mei Novak", "amount": "5.34"},
    ]


def test_balances_of_members_sum_to_zero(flat: Flat) -> None:
    assert flat.balances() == {"U1": "-5.34", "U2": "34.17", "U3": "-28.83"}
    assert flat.balances("G2") == {"U4": "30.00", "U1": "-30.00"}


def test_a_member_is_shown_with_what_they_paid_and_owe(flat: Flat) -> None:
    assert flat("view_member_balances", group_id="G1")["items"][1] == {
        "user_id": "U2",
        "name": "Mei Novak",
        "paid": "47.50",
        "share": "13.33",
        "balance": "34.17",
    }


def test_the_balance_of_a_person_is_over_the_groups_that_they_share_with_the_user(flat: Flat) -> None:
    assert flat("view_person_balance", user_id="U2") == {
        "user_id": "U2",
        "name": "Mei Novak",
        "balance": "34.17",
        "owes_you": "-8.67",
        "groups": [{"group_id": "G1", "name": "Flat", "balance": "34.17", "owes_you": "-8.67"}],
    }


def test_what_others_owe_the_user_sums_to_the_users_own_balance(flat: Flat) -> None:
    owed = [flat("view_person_balance", user_id=f"U{place}")["owes_you"] for place in (2, 3, 4)]

    assert owed == ["-8.67", "3.33", "-30.00"]
    assert flat("view_person_balance", user_id="U1")["balance"] == "-35.34"


def test_the_user_owes_themselves_nothing(flat: Flat) -> None:
    shown = flat("view_person_balance", user_id="U1")

    assert "owes_you" not in shown
    assert [row["group_id"] for row in shown["groups"]] == ["G2", "G1"]


def test_an_unknown_person_has_no_balance(flat: Flat) -> None:
    assert "No user has the id 'U9'" in flat.refusal("view_person_balance", user_id="U9")
