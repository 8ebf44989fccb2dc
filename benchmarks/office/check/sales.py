"""Rules about the CRM."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.office.check.office import Office, Problem, Row
from benchmarks.office.ledger import DealStep, day_of
from benchmarks.office.names import DEALS

__all__ = ("contacts_are_of_their_companies", "deals_are_as_they_went")


def deals_are_as_they_went(office: Office) -> Iterator[Problem]:
    """A deal's steps lead to its stage in order of time, and its amount is that of its last step."""
    steps: dict[str, list[Row]] = {}
    for row in office.rows("crm", "stage_changes"):
        steps.setdefault(row["deal_id"], []).append(row)
    told = office.so_far(DealStep)
    last = {each.deal: each for each in told}
    rows = office.rows("crm", "deals")
    if len(rows) != len(last):
        yield Problem("rows", "crm.deals", f"has {len(rows)} rows and not {len(last)}")
    for row, step in zip(rows, (last[key] for key in dict.fromkeys(each.deal for each in told)), strict=False):
        moves, where = steps.get(row["id"], []), f"crm {row['id']}"
        stages = [None, *(each["after"] for each in moves)]
        if [each["before"] for each in moves] != stages[:-1] or row["stage"] != stages[-1]:
            yield Problem("deals", where, "its steps do not lead to its stage")
        if [each["day"] for each in moves] != sorted(each["day"] for each in moves):
            yield Problem("deals", where, "its steps are not in order")
        amount = office.ledger.facts[step.amount].at(step.at)
        if row["amount"] != amount:
            yield Problem("amounts", where, f"its amount was {amount} after its last step")
        over = row["stage"] in ("Won", "Lost")
        if bool(row["closed"]) != over or (over and moves and row["closed"] != moves[-1]["day"]):
            yield Problem("deals", where, "is closed and open at once, or on another day than its last step")
    for row, event in zip(office.rows("crm", "stage_changes"), told, strict=False):
        person = office.people.get(row["by"])
        if person is None:
            yield Problem("people", f"crm {row['id']}", f"{row['by']} is nobody")
        elif not person.works(office.day(row["day"])):
            yield Problem("leave", f"crm {row['id']}", f"{person.key} was not there on {row['day']}")
        if office.day(row["day"]) != day_of(event.at):
            yield Problem("moments", f"crm {row['id']}", "was made on another day")
    noted = [each for each in told if each.note]
    for row, event in zip(office.rows("crm", "notes"), noted, strict=False):
        yield from office.said(f"crm note {row['id']}", row["text"], event)
        moves = steps.get(row["record_id"], [])
        if moves and row["day"] < moves[0]["day"]:
            yield Problem("order", f"crm note {row['id']}", "is older than its deal")


def contacts_are_of_their_companies(office: Office) -> Iterator[Problem]:
    """A contact has the company of their address, a deal one of its company's contacts, and both somebody in sales."""
    companies, contacts = office.by_id("crm", "companies"), office.by_id("crm", "customers")
    sales = {row["address"] for row in office.rows("crm", "owners")}
    for id, row in contacts.items():
        where, company = f"crm {id}", companies.get(row["company_id"] or "")
        person = office.people.get(row["customer_email"])
        if company is None:
            yield Problem("contacts", where, "has no company")
        elif company["domain"] != row["customer_email"].partition("@")[2]:
            yield Problem("contacts", where, f"has no address at {company['name']}")
        if person is None or (row["customer_name"], row["job_title"]) != (person.name, person.title):
            yield Problem("people", where, f"{row['customer_name']} is nobody, or somebody else")
        elif row["customer_phone"] not in person.phones:
            yield Problem("people", where, f"{row['customer_phone']} is not their number")
        if row["assigned_to_email"] not in sales:
            yield Problem("people", where, f"{row['assigned_to_email']} is not in sales")
    for row in office.rows("crm", "deals"):
        contact, company = contacts.get(row["contact_id"]), companies.get(row["company_id"])
        branch = next((each for each, titles in DEALS.items() if row["title"] in titles), "")
        if branch and company and company["industry"] != branch:
            yield Problem("branches", f"crm {row['id']}", f"{row['title']} is nothing for {company['name']}")
        if contact and contact["company_id"] != row["company_id"]:
            yield Problem("contacts", f"crm {row['id']}", "its contact is of another company")
        if row["owner"] not in sales:
            yield Problem("people", f"crm {row['id']}", f"{row['owner']} is not in sales")
