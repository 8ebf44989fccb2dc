"""Shared expenses: what is recorded, how it is split, and what a change does to the balances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.splitwise import app
from tests.apps.desk import desk
from tests.apps.flat import Flat, shares
from tests.contracts.rows_splitwise import SPLITWISE


@pytest.fixture
def flat() -> Iterator[Flat]:
    """Ines is logged in."""
    with desk(app, SPLITWISE, kind=Flat) as calls:
        yield calls


@pytest.fixture
def nobodys() -> Iterator[Flat]:
    """Neither accounts nor an owner."""
    with desk(app, {**SPLITWISE, "accounts": [], "logins": []}, kind=Flat) as calls:
        yield calls


SOAP = {"group_id": "G1", "description": "Soap"}


def split(*each: tuple[str, float]) -> list[dict[str, Any]]:
    return [{"user_id": user_id, "amount": amount} for user_id, amount in each]


def test_a_new_group_has_the_user_and_others_once(flat: Flat) -> None:
    made = flat("create_group", name=" Garden ", description="Tools", member_ids=["U4", "U1", "U4"])

    assert (made["name"], [row["user_id"] for row in made["members"]]) == ("Garden", ["U1", "U4"])
    assert flat.effects() == ["+groups", "+members", "+members"]
    assert flat("view_group", group_id=made["id"]) == made


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"name": "flat"}, "There is a group called 'Flat' already, G1"),
        ({"name": " "}, "name must not be empty"),
        ({"name": "x" * 201}, "'name': string should have at most 200 characters"),
        ({"name": "Garden", "member_ids": ["U9"]}, "No user has the id 'U9'"),
    ],
)
def test_a_group_that_cannot_be_is_refused(flat: Flat, arguments: dict[str, Any], why: str) -> None:
    assert why in flat.refusal("create_group", **arguments)


def test_the_name_of_a_group_of_others_is_free(flat: Flat) -> None:
    assert flat("create_group", name="Book club")["id"] == "G4"


def test_a_group_needs_a_member(nobodys: Flat) -> None:
    assert "member_ids" in nobodys.refusal("create_group", name="Garden")


def test_a_member_is_added_without_a_share_of_the_past(flat: Flat) -> None:
    before = flat.balances()

    assert [row["user_id"] for row in flat("add_group_member", group_id="G1", user_id="U4")["members"]][-1] == "U4"
    assert flat.effects() == ["+members"]
    assert flat.balances() == {**before, "U4": "0.00"}


@pytest.mark.parametrize(
    ("group_id", "user_id", "why"),
    [
        ("G1", "U2", "Mei Novak is in Flat already."),
        ("G1", "U9", "No user has the id 'U9'"),
        ("G3", "U1", "No group has the id 'G3'"),
    ],
)
def test_who_cannot_be_added_is_refused(flat: Flat, group_id: str, user_id: str, why: str) -> None:
    assert why in flat.refusal("add_group_member", group_id=group_id, user_id=user_id)


def test_an_expense_is_the_users_of_today_and_for_all_unless_the_call_says_more(flat: Flat) -> None:
    made = flat("record_expense", **SOAP, amount=9)

    assert (made["paid_by"], made["day"], made["category"], made["split"]) == ("U1", "2023-11-30", "other", "equal")
    assert shares(made) == {"U1": "3.00", "U2": "3.00", "U3": "3.00"}
    assert flat.effects() == ["+expenses", "+shares", "+shares", "+shares"]
    assert flat.expense(made["id"]) == made


@pytest.mark.parametrize(
    ("amount", "parts"),
    [
        (10, ["3.34", "3.33", "3.33"]),
        (0.05, ["0.02", "0.02", "0.01"]),
        (19.99, ["6.67", "6.66", "6.66"]),
        (1_000_000, ["333333.34", "333333.33", "333333.33"]),
    ],
)
def test_pennies_left_over_go_to_who_joined_first(flat: Flat, amount: float, parts: list[str]) -> None:
    assert [*shares(flat("record_expense", **SOAP, amount=amount)).values()] == parts


def test_some_members_share_equally_in_the_order_in_which_they_joined(flat: Flat) -> None:
    made = flat("record_expense", **SOAP, amount=1.01, split_among=["U3", "U2", "U3"], paid_by="U3", day="2023-11-01")

    assert shares(made) == {"U2": "0.51", "U3": "0.50"}
    assert (made["payer"], made["day"]) == ("Tariq Lund", "2023-11-01")


def test_unequal_shares_are_kept_as_given(flat: Flat) -> None:
    made = flat("record_expense", **SOAP, amount=1.1, shares=split(("U3", 0.7), ("U1", 0.4)))

    assert (shares(made), made["split"]) == ({"U1": "0.40", "U3": "0.70"}, "unequal")


def test_a_repayment_moves_balances_and_nothing_is_spent(flat: Flat) -> None:
    flat(
        "record_expense",
        group_id="G1",
        description="Paid back",
        amount=5.34,
        category="repayment",
        shares=split(("U2", 5.34)),
    )

    assert flat.balances() == {"U1": "0.00", "U2": "28.83", "U3": "-28.83"}
    assert flat("view_group", group_id="G1")["spent"] == "55.50"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"amount": 1.005}, "amount: 1.005 is not from 0.01 to 1000000.00 in whole pence"),
        ({"amount": 0}, "amount"),
        ({"amount": -5}, "amount"),
        ({"amount": 1_000_000.01}, "amount"),
        (
            {"amount": 3, "category": "repayment"},
            "split_among: say who was repaid, such as split_among=['U2']; a repayment is not for U1, who paid it.",
        ),
        (
            {"amount": 3, "category": "repayment", "paid_by": "U2", "split_among": ["U1", "U2"]},
            "such as split_among=['U1']; a repayment is not for U2",
        ),
        ({"amount": 0.02}, "0.02 cannot be split among 3"),
        ({"amount": 3, "description": " "}, "description must not be empty"),
        ({"amount": 3, "paid_by": "U4"}, "paid_by: U4 is not in Flat. Its members: U1 (Ines Okafor), U2 (Mei Novak)"),
        ({"amount": 3, "paid_by": "U9"}, "No user has the id 'U9'"),
        ({"amount": 3, "shares": split(("U9", 3))}, "No user has the id 'U9'"),
        ({"amount": 3, "split_among": ["U1", "U4"]}, "split_among: U4 is not in Flat"),
        ({"amount": 3, "split_among": []}, "name at least one member"),
        ({"amount": 3, "shares": []}, "shares: they sum to 0.00, and the amount is 3.00"),
        ({"amount": 3, "shares": split(("U1", 1), ("U2", 1.99))}, "they sum to 2.99, and the amount is 3.00"),
        ({"amount": 3, "shares": split(("U1", 1), ("U4", 2))}, "shares: U4 is not in Flat"),
        ({"amount": 3, "shares": split(("U1", 1), ("U1", 2))}, "U1 is there more than once"),
        ({"amount": 3, "shares": split(("U1", 0.005), ("U2", 2.995))}, "shares: that of U1: 0.005 is not"),
        ({"amount": 3, "shares": split(("U1", 3)), "split_among": ["U1"]}, "not both"),
        ({"amount": 3, "day": "2023-12-01"}, "2023-12-01 is yet to come; today is 2023-11-30"),
        ({"amount": 3, "category": "soap"}, "category"),
    ],
)
def test_an_expense_that_cannot_be_is_refused(flat: Flat, arguments: dict[str, Any], why: str) -> None:
    assert why in flat.refusal("record_expense", **{**SOAP, **arguments})


def test_an_expense_is_recorded_once(flat: Flat) -> None:
    made = flat("record_expense", **SOAP, amount=3)

    assert f"recorded already, as {made['id']}" in flat.refusal(
        "record_expense", group_id="G1", description="SOAP", amount=3
    )


def test_an_expense_that_differs_from_another_in_its_sharers_alone_is_refused_for_what_is_the_same(flat: Flat) -> None:
    made = flat("record_expense", **SOAP, amount=3, split_among=["U1", "U2"])

    assert flat.refusal("record_expense", **SOAP, amount=3, split_among=["U1", "U3"]) == (
        f"An expense with this description, amount, payer and day is recorded already, as {made['id']}. "
        "If this is another, give each a description of its own."
    )


def test_a_group_of_others_takes_no_expense(flat: Flat) -> None:
    assert "No group has the id 'G3'" in flat.refusal("record_expense", group_id="G3", description="Soap", amount=3)


def test_where_nobody_is_the_user_the_payer_is_named(nobodys: Flat) -> None:
    assert "paid_by: say which member paid" in nobodys.refusal("record_expense", **SOAP, amount=3)
    assert nobodys("record_expense", **SOAP, amount=3, paid_by="U2")["payer"] == "Mei Novak"


def test_balances_of_a_group_after_an_edited_expense(flat: Flat) -> None:
    shown = flat("update_expense", expense_id="E1", amount=20)

    assert shares(shown) == {"U1": "6.67", "U2": "6.67", "U3": "6.66"}
    assert flat.effects() == ["~expenses", "~shares", "~shares", "~shares"]
    assert flat.balances() == {"U1": "1.33", "U2": "30.83", "U3": "-32.16"}
    group = flat("view_group_balance", group_id="G1")
    assert (group["spent"], group["your_balance"]) == ("65.50", "1.33")
    assert flat("view_person_balance", user_id="U3")["owes_you"] == "6.66"


def test_another_payer_moves_balances_and_no_share(flat: Flat) -> None:
    flat("update_expense", expense_id="E1", paid_by="U3")

    assert flat.effects() == ["~expenses"]
    assert flat.balances() == {"U1": "-15.34", "U2": "34.17", "U3": "-18.83"}


def test_whoever_is_taken_out_of_an_expense_owes_nothing_of_it(flat: Flat) -> None:
    shown = flat("update_expense", expense_id="E1", split_among=["U3", "U1"])

    assert shares(shown) == {"U1": "5.00", "U3": "5.00"}
    assert flat.effects() == ["~shares", "~shares", "~shares"]
    assert shares(flat("update_expense", expense_id="E1", amount=11)) == {"U1": "5.50", "U3": "5.50"}
    assert shares(flat("update_expense", expense_id="E1", split_among=["U1", "U2", "U3"])) == {
        "U1": "3.67",
        "U2": "3.67",
        "U3": "3.66",
    }


def test_unequal_shares_are_changed_with_the_amount(flat: Flat) -> None:
    shown = flat("update_expense", expense_id="E2", amount=40, shares=split(("U2", 15), ("U3", 25)))

    assert (shown["amount"], shares(shown)) == ("40.00", {"U2": "15.00", "U3": "25.00"})
    assert flat.effects() == ["~expenses", "~shares", "~shares", "~shares"]


def test_texts_day_and_category_are_changed_alone(flat: Flat) -> None:
    shown = flat(
        "update_expense", expense_id="E2", description="Wine", category="fun", day="2023-10-08", notes="", amount=45.5
    )

    assert (shown["description"], shown["category"], shown["day"]) == ("Wine", "fun", "2023-10-08")
    assert "notes" not in shown
    assert flat.effects() == ["~expenses"]


def test_an_expense_becomes_a_repayment_with_those_who_were_repaid(flat: Flat) -> None:
    shown = flat("update_expense", expense_id="E1", category="repayment", split_among=["U3"])

    assert (shown["category"], shares(shown)) == ("repayment", {"U3": "10.00"})
    assert "a repayment is not for U3" in flat.refusal("update_expense", expense_id="E1", paid_by="U3")
    assert flat("update_expense", expense_id="E1", notes="in cash")["notes"] == "in cash"


def test_what_stays_as_it_is_changes_nothing(flat: Flat) -> None:
    flat("update_expense", expense_id="E1", amount=10, description="Broadband", split_among=["U1", "U2", "U3"])

    assert not flat.layer.changes()


@pytest.mark.parametrize(
    ("expense_id", "arguments", "why"),
    [
        ("E1", {}, "Say what to change"),
        ("E1", {"description": ""}, "description must not be empty"),
        ("E1", {"amount": 0.02}, "0.02 cannot be split among 3"),
        ("E1", {"paid_by": "U4"}, "paid_by: U4 is not in Flat"),
        ("E1", {"day": "2024-01-01"}, "is yet to come"),
        ("E2", {"amount": 50}, "E2 has unequal shares: give shares that sum to 50.00"),
        ("E2", {"shares": split(("U1", 45))}, "they sum to 45.00, and the amount is 45.50"),
        (
            "E3",
            {"split_among": ["U1", "U3"]},
            "E3 was recorded without Tariq Lund: nobody can be added. Delete it",
        ),
        ("E1", {"category": "repayment"}, "split_among: say who was repaid, such as split_among=['U2']; a repayment"),
        ("E1", {"category": "repayment", "split_among": ["U1", "U3"]}, "a repayment is not for U1, who paid it"),
        ("E5", {"amount": 50}, "No expense has the id 'E5'"),
        ("E9", {"amount": 50}, "No expense has the id 'E9'"),
    ],
)
def test_a_change_that_cannot_be_is_refused(flat: Flat, expense_id: str, arguments: dict[str, Any], why: str) -> None:
    assert why in flat.refusal("update_expense", expense_id=expense_id, **arguments)


def test_an_expense_cannot_become_the_same_as_another(flat: Flat) -> None:
    made = flat("record_expense", **SOAP, amount=10, day="2023-10-02")

    assert "recorded already, as E1" in flat.refusal("update_expense", expense_id=made["id"], description="broadband")


def test_a_deleted_expense_takes_its_shares_with_it(flat: Flat) -> None:
    assert flat("delete_expense", expense_id="E1") == "Deleted E1, 'Broadband' of 2023-10-02: 10.00."
    assert flat.effects() == ["-expenses", "-shares", "-shares", "-shares"]
    assert flat.balances() == {"U1": "-12.00", "U2": "37.50", "U3": "-25.50"}


def test_an_expense_of_others_cannot_be_deleted(flat: Flat) -> None:
    assert "No expense has the id 'E5'" in flat.refusal("delete_expense", expense_id="E5")
