"""The default surface of the CRM: records made, changed, assigned, tied and deleted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from servers.kernel import Owner
from tests.apps.test_crm_records import MEI, ROWS, TARIQ, Crm, crm_of


@pytest.fixture
def crm() -> Iterator[Crm]:
    with crm_of(ROWS, Owner(name="Mei Novak", address=MEI)) as calls:
        yield calls


def test_a_new_contact_is_a_lead_of_whose_crm_it_is(crm: Crm) -> None:
    made = crm("save_contact", name="Di Ng", email=" Di@Quarry.example", company_id="C1", follow_up="2023-12-24")

    assert made == {
        "kind": "contact",
        "id": "00000004",
        "name": "Di Ng",
        "email": "di@quarry.example",
        "stage": "Lead",
        "company": "Quarry (C1)",
        "owner": MEI,
        "follow_up": "2023-12-24",
    }
    assert crm.changed() == [("insert", "customers", "00000004")]


def test_what_is_left_out_of_a_change_stays_and_what_is_cleared_goes(crm: Crm) -> None:
    crm("save_contact", contact_id="00000001", phone=5551, clear=["company_id", "job_title", "description"])

    (change,) = crm.layer.changes()
    assert change.fields == {"customer_phone": "5551", "company_id": None, "job_title": "", "notes": None}


def test_a_company_is_made_and_changed(crm: Crm) -> None:
    made = crm("save_company", name="Harrow", domain="Harrow.example", owner="tariq")
    changed = crm("save_company", company_id=made["id"], industry="Farming", clear=["domain"])

    assert made == {
        "kind": "company",
        "id": "C3",
        "name": "Harrow",
        "domain": "harrow.example",
        "owner": TARIQ,
    }
    assert changed == {"kind": "company", "id": "C3", "name": "Harrow", "industry": "Farming", "owner": TARIQ}


def test_a_new_deal_begins_its_history_and_is_with_the_company_of_its_contact(crm: Crm) -> None:
    made = crm("save_deal", title="Valves", amount=1200, currency="eur", contact_id="00000001", stage="Qualified")

    assert made == {
        "kind": "deal",
        "id": "D4",
        "title": "Valves",
        "stage": "Qualified",
        "amount": 1200,
        "currency": "EUR",
        "company": "Quarry (C1)",
        "contact": "Ada Ferrand (00000001)",
        "owner": MEI,
    }
    assert crm("get_record", record_id="D4")["history"] == [{"day": "2023-11-30", "after": "Qualified", "by": MEI}]


def test_a_deal_changes_in_what_is_given_alone(crm: Crm) -> None:
    crm("save_deal", deal_id="D2", amount=0, contact_id="00000002", close_date="2024-01-31")
    crm("save_deal", deal_id="D1", clear=["amount"])

    assert {change.id: change.fields for change in crm.layer.changes()} == {
        "D1": {"amount": None},
        "D2": {"amount": 0.0, "contact_id": "00000002", "close_date": "2024-01-31"},
    }


def test_a_task_is_made_changed_done_and_opened_again(crm: Crm) -> None:
    made = crm("save_task", title="Call Ada", record_id="00000001", due="2023-12-05")
    crm("save_task", task_id=made["id"], assignee="tariq", clear=["due"])
    done = crm("complete_tasks", task_ids=[made["id"], "T1", "T2", "T1"])

    assert made["about"] == "Ada Ferrand (00000001)"
    assert [(task["id"], task["completed"], task["assignee"]) for task in done] == [
        ("T3", "2023-11-30", TARIQ),
        ("T1", "2023-11-30", MEI),
        ("T2", "2023-11-20", TARIQ),
    ]
    assert "completed" not in crm("complete_tasks", task_ids=["T1"], done=False)[0]
    assert crm.changed() == [("insert", "tasks", "T3")]


def test_a_note_is_dated_and_leaves_the_last_contact_as_it_is(crm: Crm) -> None:
    note = crm("add_note", record_id="00000001", text="Moves office in May.")

    assert note == {
        "kind": "note",
        "id": "N3",
        "type": "note",
        "about": "Ada Ferrand (00000001)",
        "author": MEI,
        "day": "2023-11-30",
        "text": "Moves office in May.",
    }
    assert crm.changed() == [("insert", "notes", "N3")]


def test_a_note_comes_back_as_it_was_written(crm: Crm) -> None:
    text = "They went with another house, because they lease and we sell. " * 5

    assert crm("add_note", record_id="00000001", text=text)["text"] == text.strip()
    assert crm("get_record", record_id="00000001")["notes"][0]["text"] == text.strip()


@pytest.mark.parametrize(
    ("record", "day", "last"), [("00000001", None, "2023-11-30"), ("D1", "2023-11-20", "2023-11-20")]
)
def test_a_call_counts_as_the_last_contact_with_the_person(crm: Crm, record: str, day: str | None, last: str) -> None:
    crm("add_note", record_id=record, type="call", text="Agreed on the price.", day=day)

    assert crm("get_record", record_id="00000001")["record"]["last_contact"] == last


def test_an_older_call_or_one_with_nobody_in_particular_leaves_the_last_contact(crm: Crm) -> None:
    crm("add_note", record_id="00000001", type="call", text="First call.", day="2023-10-01")
    crm("add_note", record_id="C1", type="meeting", text="At the fair.")
    crm("add_note", record_id="D2", type="email", text="Sent the dates.")

    assert crm.changed() == [("insert", "notes", id) for id in ("N3", "N4", "N5")]


def test_records_of_several_kinds_are_given_to_a_colleague_at_once(crm: Crm) -> None:
    given = crm("assign_records", record_ids=["00000001", "C1", "D1", "T1"], owner="Tariq Lund")

    assert [item.get("owner") or item["assignee"] for item in given] == [TARIQ] * 4
    assert crm.changed() == [
        ("update", table, id)
        for table, id in [("companies", "C1"), ("customers", "00000001"), ("deals", "D1"), ("tasks", "T1")]
    ]


def test_records_are_tied_once_with_a_label_and_untied(crm: Crm) -> None:
    tied = crm("associate_records", record_id="C1", other_ids=["C2", "00000002"], label="partner")
    crm("associate_records", record_id="C2", other_ids=["C1"])

    assert [(item["id"], item["label"]) for item in tied] == [("C2", "partner"), ("00000002", "partner")]
    assert crm.changed() == [("insert", "associations", "A2"), ("insert", "associations", "A3")]
    assert [item.get("label") for item in crm("get_record", record_id="C2")["related"]] == ["partner", None, None]

    assert crm("associate_records", record_id="C2", other_ids=["C1"], label="parent")[0]["label"] == "parent"
    crm("associate_records", record_id="C1", other_ids=["00000002", "C2"], remove=True)
    assert crm.changed() == []


def test_a_deleted_deal_goes_with_its_history_notes_tasks_and_associations(crm: Crm) -> None:
    gone = crm("delete_records", record_ids=["D1", "N1"])

    assert [item["id"] for item in gone] == ["D1", "N1"]
    assert [item.get("gone_too") for item in gone] == [["Send offer (T1)", "notes: 1"], None]
    assert crm.changed() == [
        ("delete", table, id)
        for table, id in [
            ("associations", "A1"),
            ("deals", "D1"),
            ("notes", "N1"),
            ("notes", "N2"),
            ("stage_changes", "H1"),
            ("stage_changes", "H2"),
            ("tasks", "T1"),
        ]
    ]


def test_contacts_and_deals_stay_when_their_company_or_contact_goes(crm: Crm) -> None:
    crm("delete_records", record_ids=["C1"])
    crm("delete_records", record_ids=["00000001"])

    assert {change.id: change.fields for change in crm.layer.changes() if change.op == "update"} == {
        "D1": {"company_id": None, "contact_id": None},
        "D3": {"company_id": None},
    }


def test_tasks_about_each_other_go_together(crm: Crm) -> None:
    crm("save_task", task_id="T1", record_id="T2")
    crm("save_task", task_id="T2", record_id="T1")

    crm("delete_records", record_ids=["T1"])
    assert crm.ids("task") == []
