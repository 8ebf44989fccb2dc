"""What a persona shares with others."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import pytest

from benchmarks.pi.cast import FINANCIER, password
from benchmarks.pi.catalogue.splitwise import rows
from servers.kernel import Engine, Ref, World
from servers.splitwise import app
from servers.splitwise.sharing import equal
from tests.apps.flat import Flat

NOW = datetime(2026, 4, 14, 9, 10)
ROWS = rows(7, NOW, FINANCIER)
SEEDS = pytest.mark.parametrize("seed", [1, 7, 99])


@pytest.fixture(scope="module")
def flat() -> Iterator[Flat]:
    engine = Engine()
    world = World("flat", NOW, {"splitwise": ROWS}, owner=FINANCIER.owner)
    layer = engine.layer(engine.load(world))
    calls = Flat(app, layer)
    calls("log_in", username=FINANCIER.self.address, password=password(7, FINANCIER, "splitwise"))
    yield calls
    layer.close()
    engine.close()


def test_equal_arguments_give_equal_rows_and_another_seed_others() -> None:
    assert rows(7, NOW, FINANCIER) == ROWS
    assert rows(8, NOW, FINANCIER)["expenses"] != ROWS["expenses"]


def test_every_table_but_the_login_has_rows() -> None:
    assert {table.table_name for table in app.tables} - {name for name, some in ROWS.items() if some} == {"logins"}


def test_there_are_six_groups_with_sixty_expenses() -> None:
    assert (len(ROWS["groups"]), len(ROWS["expenses"])) == (6, 60)
    assert {row["group_id"] for row in ROWS["expenses"]} == {row["id"] for row in ROWS["groups"]}


@SEEDS
def test_references_hold_and_ids_are_unique(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)
    ids = {name: {row["id"] for row in some} for name, some in made.items()}
    assert {name: len(some) for name, some in ids.items()} == {name: len(some) for name, some in made.items()}
    for table in app.tables:
        for name, field in table.model_fields.items():
            for ref in [each for each in field.metadata if isinstance(each, Ref)]:
                missing = {row[name] for row in made.get(table.table_name, ())} - ids[ref.table.table_name]
                assert not missing, (table.table_name, name)


@SEEDS
def test_shares_sum_to_the_amount_and_equal_ones_are_as_the_app_splits(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)
    for expense in made["expenses"]:
        split = {row["user_id"]: row["amount"] for row in made["shares"] if row["expense_id"] == expense["id"]}
        assert sum(split.values()) == expense["amount"]
        assert min(split.values()) > 0
        assert expense["split"] == "unequal" or split == equal(expense["amount"], [*split])


@SEEDS
def test_members_alone_pay_and_share(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)
    members = {(row["group_id"], row["user_id"]) for row in made["members"]}
    groups = {row["id"]: row["group_id"] for row in made["expenses"]}

    assert len(members) == len(made["members"])
    assert {(row["group_id"], row["paid_by"]) for row in made["expenses"]} <= members
    assert {(groups[row["expense_id"]], row["user_id"]) for row in made["shares"]} <= members


@SEEDS
def test_all_that_happened_is_before_now_and_after_the_group_began(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)
    began = {row["id"]: datetime.fromisoformat(row["created"]) for row in made["groups"]}

    for row in made["expenses"]:
        day = date.fromisoformat(row["day"])
        assert began[row["group_id"]].date() <= day <= datetime.fromisoformat(row["recorded"]).date()
        assert datetime.fromisoformat(row["recorded"]) < NOW
    assert max(datetime.fromisoformat(row["joined"]) for row in made["members"]) < NOW


@SEEDS
def test_weekends_are_weekends_and_team_lunches_are_on_working_days(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)
    names = {row["id"]: row["name"] for row in made["groups"]}
    spent = [(names[row["group_id"]], date.fromisoformat(row["day"]).weekday() >= 5) for row in made["expenses"]]

    assert {late for name, late in spent if name == "Climbing weekends"} == {True}
    assert {late for name, late in spent if name == "Quay Street lunches"} == {False}


@SEEDS
def test_whoever_pays_for_some_is_one_of_them(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)
    shared = {(row["expense_id"], row["user_id"]) for row in made["shares"]}

    assert all((row["id"], row["paid_by"]) in shared for row in made["expenses"] if row["category"] != "repayment")


@SEEDS
def test_no_expense_is_there_twice(seed: int) -> None:
    made = rows(seed, NOW, FINANCIER)["expenses"]

    assert len({(row["group_id"], row["description"], row["day"]) for row in made}) == len(made)
    assert len({row["notes"] for row in made if row["notes"]}) == sum(bool(row["notes"]) for row in made)


def test_whoever_gets_a_present_is_not_in_the_group_that_gives_it(flat: Flat) -> None:
    (found,) = flat("view_groups", query="present")["items"]

    assert found["name"] == "Present for Astrid"
    members = [row["name"] for row in flat("view_group", group_id=found["id"])["members"]]
    assert "Jonas Solheim" in members
    assert "Astrid Solheim" not in members


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_users", {"query": "nell"}),
        ("search_users", {"query": "letterbox.example"}),
        ("view_groups", {"query": "climbing"}),
        ("view_groups", {"query": "jonas"}),
        ("view_group_expenses", {"group_id": "G2", "query": "broadband"}),
        ("view_group_expenses", {"group_id": "G1", "category": "repayment"}),
        ("view_member_balances", {"group_id": "G4"}),
    ],
)
def test_what_is_looked_for_is_found(flat: Flat, tool: str, arguments: dict[str, Any]) -> None:
    assert flat(tool, **arguments)["items"]


def test_two_groups_and_two_people_are_easily_mistaken_for_each_other(flat: Flat) -> None:
    assert len(flat("view_groups", query="climbing")["items"]) == 2
    assert len(flat("search_users", query="nell")["items"]) == 2


def test_balances_of_every_group_sum_to_zero(flat: Flat) -> None:
    for group in ROWS["groups"]:
        balances = [row["balance"] for row in flat("view_member_balances", group_id=group["id"])["items"]]
        assert sum(round(100 * float(each)) for each in balances) == 0
        assert any(each != "0.00" for each in balances)


def test_what_people_owe_the_persona_is_what_the_persona_is_owed(flat: Flat) -> None:
    shown = [flat("view_person_balance", user_id=row["id"]) for row in ROWS["users"]]
    (own,) = [row["balance"] for row in shown if "owes_you" not in row]

    assert sum(round(100 * float(row["owes_you"])) for row in shown if "owes_you" in row) == round(100 * float(own))


def test_an_expense_can_be_recorded_in_every_group(flat: Flat) -> None:
    for group in ROWS["groups"]:
        assert (
            flat("record_expense", group_id=group["id"], description="Stamps", amount=9.1)["payer"] == "Marit Solheim"
        )
