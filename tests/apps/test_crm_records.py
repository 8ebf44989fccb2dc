"""The default surface of the CRM: records of all kinds found and shown."""

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

    toolset = "default"

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
