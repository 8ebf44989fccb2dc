"""Sales as they go, and worlds of before: the default surface over several calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from servers.kernel import Owner
from tests.apps.desk import Desk
from tests.apps.test_crm import CUSTOMERS
from tests.apps.test_crm_records import MEI, ROWS, TARIQ, Crm, crm_of


@pytest.fixture
def crm() -> Iterator[Crm]:
    with crm_of(ROWS, Owner(name="Mei Novak", address=MEI)) as calls:
        yield calls


def totals(crm: Crm, **given: Any) -> dict[tuple[str, str], float]:
    found = crm("find_records", kind="deal", **given).get("totals", [])
    return {(total["stage"], total["currency"]): total["amount"] for total in found}


def test_a_deal_goes_through_its_stages_until_it_is_won(crm: Crm) -> None:
    crm.layer.now = datetime(2024, 1, 8, 9)
    deal = crm("save_deal", title="Valves", amount=1200, currency="EUR", company_id="C1", close_date="2024-02-15")["id"]
    assert totals(crm, query="valves") == {("Lead", "EUR"): 1200}

    crm.layer.now = datetime(2024, 1, 15, 9)
    crm("move_deal", deal_id=deal, stage="Qualified")
    crm("save_deal", deal_id=deal, amount=1500)
    assert totals(crm, query="valves") == {("Qualified", "EUR"): 1500}
    crm("move_deal", deal_id=deal, stage="Proposal")
    assert totals(crm, owner="mei", stage="Open") == {("Proposal", "EUR"): 49500}

    crm.layer.now = datetime(2024, 2, 1, 9)
    won = crm("move_deal", deal_id=deal, stage="Won", reason="Best delivery time.")
    assert (won["stage"], won["closed"], won["close_date"]) == ("Won", "2024-02-01", "2024-02-15")
    assert totals(crm, owner="mei") == {("Proposal", "EUR"): 48000, ("Won", "EUR"): 3500}
    assert crm.ids("deal", stage="Won", after="2024-02-01", before="2024-02-01") == [deal]
    assert crm("get_record", record_id=deal)["history"] == [
        {"day": "2024-01-08", "after": "Lead", "by": MEI},
        {"day": "2024-01-15", "before": "Lead", "after": "Qualified", "by": MEI},
        {"day": "2024-01-15", "before": "Qualified", "after": "Proposal", "by": MEI},
        {
            "day": "2024-02-01",
            "before": "Proposal",
            "after": "Won",
            "by": MEI,
            "reason": "Best delivery time.",
        },
    ]


def test_a_lost_deal_is_opened_again_and_its_history_still_says_why_it_was_lost(crm: Crm) -> None:
    lost = crm("move_deal", deal_id="D1", stage="Lost", reason="No budget this year.")
    again = crm("move_deal", deal_id="D1", stage="Negotiation", reason="Budget came through.")

    assert (lost["closed"], lost["reason"]) == ("2023-11-30", "No budget this year.")
    assert (again["stage"], again["amount"]) == ("Negotiation", 48000)
    assert "closed" not in again
    assert "reason" not in again
    history = crm("get_record", record_id="D1")["history"]
    assert [(step["after"], step.get("reason")) for step in history[2:]] == [
        ("Lost", "No budget this year."),
        ("Negotiation", "Budget came through."),
    ]
    assert crm.ids("deal", stage="Lost") == []


def test_a_deal_that_was_lost_some_days_ago_is_lost_from_that_day(crm: Crm) -> None:
    lost = crm("move_deal", deal_id="D1", stage="Lost", reason="They lease.", day="2023-11-27")

    assert lost["closed"] == "2023-11-27"
    assert crm("get_record", record_id="D1")["history"][-1]["day"] == "2023-11-27"


def test_a_contact_who_changes_company_leaves_the_deals_where_they_are(crm: Crm) -> None:
    moved = crm("save_contact", contact_id="00000001", company_id="C2", email="ada@millworks.example")

    assert moved["company"] == "Millworks (C2)"
    assert crm.ids("contact", related_to="C1") == []
    assert crm.ids("contact", related_to="C2") == ["1", "2"]
    assert crm.ids("deal", related_to="C1") == ["D3", "D1"]
    assert crm.ids("deal", related_to="00000001") == ["D1"]
    (change,) = crm.layer.changes()
    assert change.fields == {"company_id": "C2", "customer_email": "ada@millworks.example"}


def test_whoever_is_there_already_is_named_and_can_be_changed_instead(crm: Crm) -> None:
    refusal = crm.refusal("save_contact", name="A. Ferrand", email="Ada@Quarry.example", phone="555-999")
    assert "contact 00000001 (Ada Ferrand) has ada@quarry.example already" in refusal

    crm("save_contact", contact_id="00000001", email="Ada@Quarry.example", phone="555-999")
    assert [change.fields for change in crm.layer.changes()] == [{"customer_phone": "555-999"}]


def test_a_meeting_is_logged_followed_up_and_handed_to_a_colleague(crm: Crm) -> None:
    crm("add_note", record_id="D1", type="meeting", text="Wants references.", day="2023-11-29")
    task = crm("save_task", title="Send references", record_id="D1", due="2023-12-04", assignee="tariq")

    whole = crm("get_record", record_id="D1")
    assert [note["type"] for note in whole["notes"]] == ["meeting", "call", "note"]
    assert [each["id"] for each in whole["tasks"]] == ["T1", task["id"]]
    assert crm.ids("task", owner=TARIQ, stage="Open") == [task["id"]]
    assert crm.ids("contact", after="2023-11-29") == ["1"]


OLD: dict[str, list[dict[str, Any]]] = {"customers": CUSTOMERS}
"""A world that was written when customers were all that the CRM had."""


def rows_after(calls: Callable[[Crm, Desk], object]) -> str:
    with crm_of(OLD) as crm:
        calls(crm, Desk(crm.app, crm.layer))
        return crm.layer.digest()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"query": "ada"}, ["4", "2"]),
        ({"owner": "tariq"}, ["2"]),
        ({"stage": "Open"}, ["4", "2"]),
        ({"stage": "Won", "query": "hardware"}, ["1"]),
        ({"after": "2023-11-11"}, ["4"]),
        ({"day": "follow_up", "before": "2023-12-10"}, ["4", "2"]),
    ],
    ids=str,
)
def test_customers_of_old_worlds_are_found_as_contacts(given: dict[str, Any], found: list[str]) -> None:
    with crm_of(OLD) as crm:
        assert crm.ids("contact", **given) == found


def test_owners_of_old_worlds_are_those_who_have_customers() -> None:
    with crm_of(OLD) as crm:
        owners = crm("find_records", kind="owner")

    assert owners == {
        "shown": "1 to 2 of 2",
        "items": [{"kind": "owner", "email": MEI}, {"kind": "owner", "email": TARIQ}],
    }


@pytest.mark.parametrize(
    ("field", "value", "argument"),
    [
        ("customer_name", "Ada F.", "name"),
        ("assigned_to_email", "New@Harbor.example", "owner"),
        ("customer_email", "New@quarry", "email"),
        ("customer_phone", "555-1", "phone"),
        ("last_contact_date", "2023-11-29", "last_contact"),
        ("product_interest", "Training", "product"),
        ("status", "Won", "stage"),
        ("notes", "Called AGAIN.", "description"),
        ("follow_up_by", "2023-12-24", "follow_up"),
    ],
)
def test_a_change_leaves_the_rows_that_it_leaves_through_workbench(field: str, value: str, argument: str) -> None:
    id = "00000004"
    ours = rows_after(lambda crm, _: crm("save_contact", **{"contact_id": id, argument: value}))

    assert ours == rows_after(lambda _, desk: desk("update_customer", customer_id=id, field=field, new_value=value))
    assert ours != rows_after(lambda _, __: None)


def test_a_new_contact_is_the_row_that_workbench_would_make() -> None:
    ours = rows_after(lambda crm, _: crm("save_contact", name="Di Ng", owner="Mei", email="Di@quarry", phone="5"))

    assert ours == rows_after(
        lambda _, desk: desk(
            "add_customer",
            customer_name="Di Ng",
            assigned_to_email=MEI,
            status="Lead",
            customer_email="di@quarry",
            customer_phone="5",
        )
    )


def test_customers_that_are_reassigned_or_deleted_leave_the_rows_that_workbench_leaves() -> None:
    ids = ["00000001", "00000004"]
    given = rows_after(lambda crm, _: crm("assign_records", record_ids=ids, owner="tariq"))
    gone = rows_after(lambda crm, _: crm("delete_records", record_ids=ids))

    assert given == rows_after(
        lambda _, desk: [
            desk("update_customer", customer_id=id, field="assigned_to_email", new_value=TARIQ) for id in ids
        ]
    )
    assert gone == rows_after(lambda _, desk: [desk("delete_customer", customer_id=id) for id in ids])


def test_workbench_neither_shows_nor_loses_what_only_the_default_surface_sets() -> None:
    with crm_of(ROWS) as crm:
        desk = Desk(crm.app, crm.layer)
        (shown,) = desk("search_customers", customer_name="ada")
        desk("update_customer", customer_id="00000001", field="status", new_value="Won")

        assert "company_id" not in shown
        assert [change.fields for change in crm.layer.changes()] == [{"status": "Won"}]
