"""What the default surface of the CRM refuses, with nothing changed and words that help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.crm import app
from servers.crm.official import NOT_OFFERED, OFFICIAL
from servers.kernel import Owner
from tests.apps.test_crm_records import MEI, ROWS, Crm, crm_of


@pytest.fixture(scope="module")
def crm() -> Iterator[Crm]:
    with crm_of(ROWS, Owner(name="Mei Novak", address=MEI)) as calls:
        yield calls


@pytest.mark.parametrize(
    ("tool", "given", "says"),
    [
        ("find_records", {"kind": "lead"}, "'kind'"),
        ("find_records", {"kind": "deal", "owner": "ann"}, "owner: 'ann' is nobody known here. Owners are Mei Novak"),
        ("find_records", {"kind": "deal", "amount_min": 5, "amount_max": 1}, "amount_min: 5 is more than amount_max"),
        (
            "find_records",
            {"kind": "deal", "amount_min": 1_250_000.5, "amount_max": 1_250_000},
            "amount_min: 1250000.5 is more than amount_max, 1250000.",
        ),
        ("find_records", {"kind": "contact", "amount_min": 5, "amount_max": 1}, "amount_min: a contact has no amount"),
        ("find_records", {"kind": "deal", "after": "soon"}, "'after': 'soon' is not a day; write YYYY-MM-DD"),
        ("find_records", {"kind": "deal", "after": "2023-12-02", "before": "2023-12-01"}, "after, 2023-12-02, is"),
        ("find_records", {"kind": "deal", "day": "follow_up"}, "the days of a deal are close and last_contact"),
        ("find_records", {"kind": "deal", "stage": "Done"}, "'Done' is not a stage of a deal; choose from Open, Lead"),
        ("find_records", {"kind": "company", "stage": "Won"}, "a company has none: leave it out"),
        ("find_records", {"kind": "contact", "amount_min": 1}, "amount_min: a contact has no amount"),
        ("find_records", {"kind": "task", "amount_max": 1}, "amount_max: a task has no amount"),
        ("find_records", {"kind": "owner", "stage": "Won"}, "owners are narrowed by query alone"),
        ("find_records", {"kind": "deal", "related_to": "C9"}, "No record has the id 'C9'"),
        ("find_records", {"kind": "deal", "query": " ".join(map(str, range(33)))}, "query has 33 different words"),
        ("find_records", {"kind": "deal", "skip": -1}, "'skip'"),
        ("get_record", {"record_id": "X"}, "No record has the id 'X'"),
        ("save_contact", {}, "name: a new record needs a name; to change one that there is, give its id"),
        ("save_contact", {"name": " "}, "name: a new record needs a name"),
        ("save_contact", {"contact_id": "00000001"}, "Nothing to change in 00000001"),
        ("save_contact", {"contact_id": "00000001", "name": " "}, "name is blank"),
        ("save_contact", {"contact_id": "D1", "phone": "5"}, "No contact has the id 'D1'"),
        ("save_contact", {"name": "Di", "company_id": "C9"}, "No company has the id 'C9'"),
        ("save_contact", {"name": "Di", "email": "di at quarry"}, "it should look like name@company.com"),
        ("save_contact", {"name": "Di", "email": "ADA@quarry.example"}, "contact 00000001 (Ada Ferrand) has"),
        ("save_contact", {"contact_id": "00000002", "email": "ada@quarry.example"}, "give contact_id=00000001"),
        ("save_contact", {"name": "Di", "stage": "Negotiation"}, "'stage'"),
        ("save_contact", {"name": "Di", "owner": "di"}, "owner: 'di' is nobody known here"),
        ("save_contact", {"name": "Di", "owner": "di@harbor.example"}, "Owners are Mei Novak <mei@harbor.example>, "),
        ("save_contact", {"name": "Di", "email": "@" * 301}, "'email': string should have at most 300 characters"),
        ("save_contact", {"name": "x" * 301}, "'name': string should have at most 300 characters"),
        ("save_contact", {"name": "Di", "description": "x" * 10_001}, "'description': string should have at most"),
        ("save_contact", {"contact_id": "00000001", "clear": ["name"]}, "clear: 'name' cannot be taken away; choose"),
        ("save_contact", {"contact_id": "00000001", "phone": "5", "clear": ["phone"]}, "clear: phone is given a value"),
        ("save_contact", {"name": "Di", "follow_up": "2023-02-30"}, "'follow_up': '2023-02-30' is not a day"),
        ("save_company", {"name": "Other", "domain": "Quarry.example"}, "company C1 (Quarry) has quarry.example"),
        ("save_company", {"name": "MILLWORKS", "domain": "mill.example"}, "company C2 is called Millworks already"),
        ("save_company", {"company_id": "C2", "name": "quarry"}, "give company_id=C1"),
        ("save_company", {"name": "Other", "domain": "other"}, "'other' is not a domain; write it as in acme.com"),
        ("save_company", {"company_id": "C9", "name": "Other"}, "No company has the id 'C9'"),
        ("save_deal", {"amount": 5}, "title: a new record needs a title"),
        ("save_deal", {"title": "Valves", "amount": -1}, "'amount'"),
        ("save_deal", {"title": "Valves", "amount": 2e12}, "'amount'"),
        ("save_deal", {"title": "Valves", "amount": 99.999}, "99.999 has more than two decimals; write such as 100.00"),
        ("save_deal", {"title": "Valves", "currency": "euro"}, "write three letters, such as EUR"),
        ("save_deal", {"title": "Valves", "stage": "Won"}, "'stage'"),
        ("save_deal", {"title": "Valves", "contact_id": "99"}, "No contact has the id '99'"),
        ("save_deal", {"deal_id": "D1", "stage": "Lead"}, "use `move_deal` to move D1, which is in Proposal"),
        ("save_deal", {"deal_id": "D9", "amount": 5}, "No deal has the id 'D9'"),
        ("save_deal", {"deal_id": "D1", "clear": ["currency"]}, "choose from amount, company_id, contact_id"),
        ("save_task", {"due": "2023-12-01"}, "title: a new record needs a title"),
        ("save_task", {"title": "Call", "record_id": "X"}, "No record has the id 'X'"),
        ("save_task", {"task_id": "T1", "record_id": "T1"}, "record_id: T1 is the task itself"),
        ("save_task", {"title": "Call", "assignee": "ann"}, "'ann' is nobody known here. Owners are Mei Novak <mei@"),
        ("move_deal", {"deal_id": "D9", "stage": "Won"}, "No deal has the id 'D9'"),
        ("move_deal", {"deal_id": "D1", "stage": "won"}, "'stage'"),
        ("move_deal", {"deal_id": "D1", "stage": "Proposal"}, "stage: D1 is in Proposal already"),
        ("move_deal", {"deal_id": "D1", "stage": "Lost", "reason": " "}, "reason: say why the deal was lost"),
        ("move_deal", {"deal_id": "D1", "stage": "Won", "day": "2023-12-01"}, "2023-12-01 is yet to come"),
        ("move_deal", {"deal_id": "D1", "stage": "Won", "day": "2020-01-01"}, "D1 came to Proposal on 20"),
        ("add_note", {"record_id": "D1", "text": " "}, "text must not be empty"),
        ("add_note", {"record_id": "N1", "text": "More."}, "record_id: N1 is a note"),
        ("add_note", {"record_id": "D1", "text": "More.", "day": "2023-12-01"}, "is yet to come; today is 2023-11-30"),
        ("add_note", {"record_id": "D9", "text": "More."}, "No record has the id 'D9'"),
        ("complete_tasks", {"task_ids": ["T1", "D1"]}, "task_ids: D1 is a deal; give ids of task records alone"),
        ("complete_tasks", {"task_ids": ["T1", "T9"]}, "No record has the id 'T9'"),
        ("complete_tasks", {"task_ids": []}, "'task_ids'"),
        ("assign_records", {"record_ids": ["D1", "N1"], "owner": "mei"}, "N1 is a note; give ids of contact"),
        ("assign_records", {"record_ids": ["D1"], "owner": " "}, "owner must not be empty"),
        ("assign_records", {"record_ids": ["D1"] * 51, "owner": "mei"}, "'record_ids'"),
        ("associate_records", {"record_id": "D1", "other_ids": ["D1"]}, "other_ids: D1 is the record itself"),
        ("associate_records", {"record_id": "D1", "other_ids": ["C1"], "remove": True}, "have no association"),
        ("associate_records", {"record_id": "D1", "other_ids": ["C1"], "label": "x" * 101}, "string should have"),
        ("delete_records", {"record_ids": ["D1", "D8", "D9"]}, "no record has the id 'D8', 'D9'. Nothing"),
    ],
    ids=str,
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_what_would(crm: Crm, tool: str, given: dict[str, Any], says: str) -> None:
    assert says in crm.refusal(tool, **given)


def test_a_name_that_several_have_is_refused_with_all_of_them() -> None:
    owners = [{"id": f"O{n}", "name": f"Mei {name}", "address": f"{name}@x.example"} for n, name in enumerate("ab", 1)]

    with crm_of({"owners": owners}) as crm:
        assert "'mei' may be Mei a <a@x.example>, Mei b <b@x.example>" in crm.refusal(
            "find_records", kind="deal", owner="mei"
        )


def test_a_new_record_needs_an_owner_where_nobody_says_whose_the_crm_is() -> None:
    with crm_of({}) as crm:
        assert crm.refusal("save_contact", name="Di") == "owner: say who, by e-mail address."
        assert crm("save_contact", name="Di", owner="Ann@Harbor.example")["owner"] == "ann@harbor.example"


def test_two_companies_of_one_name_may_have_a_domain_each(crm: Crm) -> None:
    with crm_of(ROWS, Owner(name="Mei Novak", address=MEI)) as calls:
        assert calls("save_company", name="Quarry", domain="quarry.test")["id"] == "C3"


def test_official_names_lead_to_tools_that_there_are_or_to_reasons() -> None:
    for tools in OFFICIAL.values():
        for name, place in tools.items():
            toolset, _, tool = place.partition(".")
            assert tool in app.toolsets[toolset].tools if place else NOT_OFFERED[name].endswith(".")
    assert {name for tools in OFFICIAL.values() for name, place in tools.items() if not place} == set(NOT_OFFERED)


def test_me_is_the_owner_of_the_crm() -> None:
    with crm_of({"owners": []}, owner=Owner(name="Mira Holt", address="mira@harbor.example")) as crm:
        assert crm("save_company", name="Harrow", owner="me")["owner"] == "mira@harbor.example"
        assert crm.ids("company", owner="me") == ["C1"]
