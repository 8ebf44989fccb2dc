"""The default surface of the CRM: records of all kinds found, shown, made, changed, tied and deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from servers.crm import app
from servers.kernel import Engine, Owner, World
from tests.apps.desk import NOW, Desk

MEI, TARIQ = "mei@harbor.example", "tariq@harbor.example"

ROWS: dict[str, list[dict[str, Any]]] = {
    "owners": [
        {"id": "O1", "name": "Mei Novak", "address": MEI},
        {"id": "O2", "name": "Tariq Lund", "address": TARIQ},
    ],
    "companies": [
        {"id": "C1", "name": "Quarry", "domain": "quarry.example", "industry": "Stone", "owner": MEI},
        {"id": "C2", "name": "Millworks", "owner": TARIQ},
    ],
    "customers": [
        {
            "id": "00000001",
            "assigned_to_email": MEI,
            "customer_name": "Ada Ferrand",
            "customer_email": "ada@quarry.example",
            "customer_phone": "555-010",
            "last_contact_date": "2023-11-10",
            "product_interest": "Software",
            "status": "Lead",
            "follow_up_by": "2023-12-10",
            "notes": "Wants 100% uptime.",
            "company_id": "C1",
            "job_title": "Head of plant",
        },
        {
            "id": "00000002",
            "assigned_to_email": TARIQ,
            "customer_name": "Bruno Castel",
            "customer_email": "bruno@millworks.example",
            "last_contact_date": "2023-11-25",
            "status": "Won",
            "company_id": "C2",
        },
        {"id": "00000003", "assigned_to_email": MEI, "customer_name": "Chidi Larsen", "status": "Proposal"},
    ],
    "deals": [
        {
            "id": "D1",
            "title": "Pump control",
            "owner": MEI,
            "amount": 48000,
            "currency": "EUR",
            "stage": "Proposal",
            "close_date": "2023-12-15",
            "company_id": "C1",
            "contact_id": "00000001",
        },
        {"id": "D2", "title": "Training days", "owner": TARIQ, "amount": 7500.5, "stage": "Lead", "company_id": "C2"},
        {
            "id": "D3",
            "title": "Spare parts",
            "owner": MEI,
            "amount": 2000,
            "currency": "EUR",
            "stage": "Won",
            "close_date": "2023-11-01",
            "closed": "2023-10-28",
            "company_id": "C1",
        },
    ],
    "stage_changes": [
        {"id": "H1", "deal_id": "D1", "after": "Lead", "day": "2023-10-02", "by": MEI},
        {"id": "H2", "deal_id": "D1", "before": "Lead", "after": "Proposal", "day": "2023-11-02", "by": MEI},
    ],
    "tasks": [
        {"id": "T1", "title": "Send offer", "record_id": "D1", "assignee": MEI, "due": "2023-12-01"},
        {"id": "T2", "title": "Ask for logo", "assignee": TARIQ, "completed": "2023-11-20"},
    ],
    "notes": [
        {"id": "N1", "record_id": "D1", "text": "Asked about support.", "day": "2023-11-03", "author": MEI},
        {"id": "N2", "record_id": "D1", "type": "call", "text": "Likes the price.", "day": "2023-11-10", "author": MEI},
    ],
    "associations": [{"id": "A1", "from_id": "D1", "to_id": "00000003", "label": "advisor"}],
}


class Crm(Desk):
    """Calls the tools of `default`."""

    def __call__(self, tool: str, **arguments: Any) -> Any:
        data = self.app.toolset("default").tool(tool).call(self.layer.state(self.app), arguments).data
        return data.get("result", data)

    def ids(self, kind: str, **arguments: Any) -> list[str]:
        """Ids of what a search finds, contacts without their zeros."""
        return [item["id"].lstrip("0") for item in self("find_records", kind=kind, **arguments)["items"]]

    def changed(self) -> list[tuple[str, str, str]]:
        """What differs from the start: how, in which table, which row."""
        return [(change.op, change.table, change.id) for change in self.layer.changes()]


@contextmanager
def crm_of(rows: Mapping[str, Sequence[Mapping[str, Any]]], owner: Owner | None = None) -> Iterator[Crm]:
    engine = Engine()
    layer = engine.layer(engine.load(World("desk", NOW, {app.name: rows}, owner=owner)))
    yield Crm(app, layer)
    layer.close()
    engine.close()


@pytest.fixture
def crm() -> Iterator[Crm]:
    with crm_of(ROWS, Owner(name="Mei Novak", address=MEI)) as calls:
        yield calls


def test_contacts_and_companies_are_found_by_name_in_short(crm: Crm) -> None:
    page = crm("find_records", kind="contact")

    assert page["shown"] == "1 to 3 of 3"
    assert page["items"][0] == {
        "kind": "contact",
        "id": "00000001",
        "name": "Ada Ferrand",
        "email": "ada@quarry.example",
        "stage": "Lead",
        "company": "Quarry (C1)",
        "owner": MEI,
        "last_contact": "2023-11-10",
        "follow_up": "2023-12-10",
    }
    assert crm.ids("company") == ["C2", "C1"]


def test_more_is_shown_of_each_where_it_is_asked_for(crm: Crm) -> None:
    (ada,) = crm("find_records", kind="contact", query="ada", detail="detailed")["items"]
    (quarry,) = crm("find_records", kind="company", query="quarry", detail="detailed")["items"]
    (pump,) = crm("find_records", kind="deal", query="pump", detail="detailed")["items"]

    assert (ada["phone"], ada["job_title"], ada["product"]) == ("555-010", "Head of plant", "Software")
    assert ada["description"] == "Wants 100% uptime."
    assert (quarry["industry"], quarry["last_contact"]) == ("Stone", "2023-11-10")
    assert pump["contact"] == "Ada Ferrand (00000001)"


@pytest.mark.parametrize(
    ("kind", "given", "found"),
    [
        ("contact", {"query": "QUARRY ada"}, ["1"]),
        ("contact", {"query": "100%"}, ["1"]),
        ("contact", {"query": "nobody"}, []),
        ("contact", {"owner": "mei"}, ["1", "3"]),
        ("contact", {"stage": "Open"}, ["1", "3"]),
        ("contact", {"stage": "Won"}, ["2"]),
        ("contact", {"before": "2023-11-10"}, ["1"]),
        ("contact", {"after": "2023-11-10"}, ["1", "2"]),
        ("contact", {"after": "2023-12-10", "before": "2023-12-10", "day": "follow_up"}, ["1"]),
        ("contact", {"day": "last_contact"}, ["2", "1", "3"]),
        ("contact", {"related_to": "C1"}, ["1"]),
        ("contact", {"related_to": "D1"}, ["1", "3"]),
        ("company", {"query": "stone"}, ["C1"]),
        ("company", {"owner": TARIQ.upper()}, ["C2"]),
        ("company", {"before": "2023-11-20"}, ["C1"]),
        ("company", {"related_to": "D2"}, ["C2"]),
        ("deal", {}, ["D3", "D1", "D2"]),
        ("deal", {"query": "quarry ada"}, ["D1"]),
        ("deal", {"owner": "Tariq Lund"}, ["D2"]),
        ("deal", {"stage": "Open"}, ["D1", "D2"]),
        ("deal", {"stage": "Proposal"}, ["D1"]),
        ("deal", {"amount_min": 2000, "amount_max": 7500.5}, ["D3", "D2"]),
        ("deal", {"after": "2023-11-01"}, ["D1"]),
        ("deal", {"after": "2023-10-28", "before": "2023-10-28"}, ["D3"]),
        ("deal", {"day": "last_contact", "before": "2023-11-10"}, ["D1"]),
        ("deal", {"related_to": "C1"}, ["D3", "D1"]),
        ("deal", {"related_to": "00000003"}, ["D1"]),
        ("task", {}, ["T1", "T2"]),
        ("task", {"stage": "Open"}, ["T1"]),
        ("task", {"stage": "Done"}, ["T2"]),
        ("task", {"before": "2023-12-01"}, ["T1"]),
        ("task", {"owner": "tariq"}, ["T2"]),
        ("note", {}, ["N2", "N1"]),
        ("note", {"after": "2023-11-04", "related_to": "D1"}, ["N2"]),
        ("note", {"query": "support", "owner": "mei"}, ["N1"]),
    ],
    ids=str,
)
def test_records_are_narrowed_by_whatever_is_given(
    crm: Crm, kind: str, given: dict[str, Any], found: list[str]
) -> None:
    assert crm.ids(kind, **given) == found


def test_null_is_as_good_as_leaving_a_text_out(crm: Crm) -> None:
    assert crm.ids("deal", query=None, owner=None, related_to=None, stage=None) == ["D3", "D1", "D2"]


def test_deals_come_with_what_all_of_them_come_to_by_stage_and_currency(crm: Crm) -> None:
    page = crm("find_records", kind="deal")
    mine = crm("find_records", kind="deal", owner="mei", stage="Open")

    assert page["totals"] == [
        {"stage": "Lead", "deals": 1, "amount": 7500.5, "currency": "USD"},
        {"stage": "Proposal", "deals": 1, "amount": 48000, "currency": "EUR"},
        {"stage": "Won", "deals": 1, "amount": 2000, "currency": "EUR"},
    ]
    assert mine["totals"] == [{"stage": "Proposal", "deals": 1, "amount": 48000, "currency": "EUR"}]
    assert "totals" not in crm("find_records", kind="deal", query="nothing of the kind")


def test_totals_count_deals_of_every_page_and_those_without_an_amount_as_nothing() -> None:
    deals = [{"id": f"D{n}", "title": "Pump", "amount": 0.1} for n in range(1, 31)] + [{"id": "D31", "title": "Pump"}]

    with crm_of({"deals": deals}) as crm:
        first = crm("find_records", kind="deal")
        second = crm("find_records", kind="deal", skip=20)

    assert (first["shown"], first["next"], second["shown"]) == ("1 to 20 of 31", "skip=20", "21 to 31 of 31")
    assert first["totals"] == [{"stage": "Lead", "deals": 31, "amount": 3, "currency": "USD"}]
    assert "totals" not in second
    assert "amount" not in second["items"][-1]


def test_owners_are_those_on_the_list_and_whoever_owns_a_record(crm: Crm) -> None:
    assert crm("find_records", kind="owner")["items"] == [
        {"kind": "owner", "name": "Mei Novak", "email": MEI},
        {"kind": "owner", "name": "Tariq Lund", "email": TARIQ},
    ]
    assert [item["email"] for item in crm("find_records", kind="owner", query="lund TARIQ")["items"]] == [TARIQ]


def test_a_record_is_shown_with_all_that_goes_with_it(crm: Crm) -> None:
    whole = crm("get_record", record_id="D1")

    assert whole["record"]["contact"] == "Ada Ferrand (00000001)"
    assert [(step.get("before"), step["after"], step["day"]) for step in whole["history"]] == [
        (None, "Lead", "2023-10-02"),
        ("Lead", "Proposal", "2023-11-02"),
    ]
    assert [(item["id"], item.get("label")) for item in whole["related"]] == [
        ("C1", None),
        ("00000001", None),
        ("00000003", "advisor"),
    ]
    assert [task["id"] for task in whole["tasks"]] == ["T1"]
    assert [note["text"] for note in whole["notes"]] == ["Likes the price.", "Asked about support."]
    assert "more" not in whole


@pytest.mark.parametrize(
    ("id", "field", "text"),
    [
        ("00000001", "description", "Wants 100% uptime."),
        ("C1", "industry", "Stone"),
        ("T1", "about", "Pump control (D1)"),
        ("N1", "text", "Asked about support."),
    ],
)
def test_a_record_of_any_kind_is_shown_by_its_id(crm: Crm, id: str, field: str, text: str) -> None:
    assert crm("get_record", record_id=id)["record"][field] == text


def test_a_long_text_is_read_on_and_much_that_goes_with_a_record_is_counted() -> None:
    people = [
        {"id": f"{n:08d}", "assigned_to_email": MEI, "customer_name": f"P{n}", "status": "Lead", "company_id": "C1"}
        for n in range(1, 12)
    ]
    company = {"id": "C1", "name": "Quarry", "description": "0123456789" * 1_000}

    with crm_of({"companies": [company], "customers": people}) as crm:
        first = crm("get_record", record_id="C1")
        second = crm("get_record", record_id="C1", skip=6_000)

    assert len(first["related"]) == 8
    assert first["more"] == [
        "text: 4,000 of 10,000 characters are left: skip=6000",
        "3 of 11 contact records are left out: find_records kind=contact related_to=C1",
    ]
    assert first["record"]["description"] + second["record"]["description"] == company["description"]


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
