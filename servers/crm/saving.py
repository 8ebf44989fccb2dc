"""Contacts, companies, deals and tasks, made and changed: the tool of each kind does both.

One tool a kind keeps ids typed and parameters exact, where one to change any kind would have all parameters of all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, Field

from servers.crm.default import Line, default, textual
from servers.crm.owners import assigned, me
from servers.crm.records import contact, look_up
from servers.crm.shown import Record, show
from servers.crm.tables import Company, Customer, Deal, OpenStage, Product, StageChange, Status, Task
from servers.kernel import Day, Ref, Rejected, State, Table, quoted

__all__ = ()

T = TypeVar("T", Customer, Company, Deal, Task)

_LINE, _LONG = 300, 10_000
_EMAIL = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+")
"""Not `is_address`: WorkBench's customers have addresses such as quinn.harris@nanoforcerobotics."""
_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
_KEPT = ("name", "title", "owner", "assignee", "stage", "currency")
"""What a record always has."""

Short = Annotated[str, Field(max_length=_LINE), textual]  # in this order: what comes after is asked of any value
CompanyId = Annotated[str, textual, Ref(Company), Field(description="Its company, from `find_records`.")]
Phone = Annotated[
    Short,
    BeforeValidator(lambda value: str(value) if type(value) is int else value),
    Field(description="Phone number."),
]
Owner = Annotated[Line, Field(description="Colleague in charge, by address or name; default for new ones: the user.")]
Description = Annotated[
    str, Field(max_length=_LONG), textual, Field(description="Replaces the old one; `add_note` adds.")
]
Clear = Annotated[
    list[str], Field(description="Names of parameters to clear; a parameter given empty changes nothing.")
]


@default.writes(destructive=True)
def save_contact(
    state: State,
    contact_id: Annotated[
        str,
        textual,
        Ref(Customer),
        Field(description="Which one to change, from `find_records`; none for a new one."),
    ] = "",
    name: Annotated[Short, Field(description="Full name.")] = "",
    email: Annotated[Short, Field(description="E-mail address, unique to this contact.")] = "",
    phone: Phone = "",
    job_title: Annotated[Short, Field(description="Job at the company.")] = "",
    company_id: CompanyId = "",
    owner: Owner = "",
    stage: Annotated[Status | None, Field(description="Default for new ones: Lead.")] = None,
    product: Annotated[Product | None, Field(description="What interests them.")] = None,
    last_contact: Annotated[Day | None, Field(description="Day of the last contact.")] = None,
    follow_up: Annotated[Day | None, Field(description="Day to get back to them.")] = None,
    description: Description = "",
    clear: Clear = [],  # noqa: B006
) -> Record:
    """Create a contact (customer, lead) with a name, or change the one with `contact_id`; omitted fields are kept."""
    row = contact(state, contact_id) if contact_id else None
    _named("name", name, row)
    if company_id:
        state.get(Company, company_id)
    given = {
        "name": name,
        "email": _email(state, email, contact_id),
        "phone": phone,
        "job_title": job_title,
        "company_id": company_id,
        "owner": _owner(state, owner, row),
        "stage": stage,
        "product": product,
        "last_contact": last_contact and last_contact.isoformat(),
        "follow_up": follow_up and follow_up.isoformat(),
        "description": description,
    }
    blank = Customer(customer_name="", assigned_to_email="", status="Lead", notes="")
    return _saved(state, row, blank, given, clear, _CONTACT)


@default.writes(destructive=True)
def save_company(
    state: State,
    company_id: Annotated[
        str, textual, Ref(Company), Field(description="Which one to change, from `find_records`; none for a new one.")
    ] = "",
    name: Annotated[Short, Field(description="Its name.")] = "",
    domain: Annotated[Short, Field(description="For example acme.com; unique to this company.")] = "",
    industry: Annotated[Short, Field(description="What it does.")] = "",
    phone: Phone = "",
    owner: Owner = "",
    description: Description = "",
    clear: Clear = [],  # noqa: B006
) -> Record:
    """Create a company with a name, or change the one with `company_id`; omitted fields keep their value."""
    row = state.get(Company, company_id) if company_id else None
    _named("name", name, row)
    given = {
        "name": name,
        "domain": _domain(domain),
        "industry": industry,
        "phone": phone,
        "owner": _owner(state, owner, row),
        "description": description,
    }
    _alone(state, given["name"], given["domain"], company_id)
    return _saved(state, row, Company(name=""), given, clear, _COMPANY)


@default.writes(destructive=True)
def save_deal(
    state: State,
    deal_id: Annotated[
        str, textual, Ref(Deal), Field(description="Which one to change, from `find_records`; none for a new one.")
    ] = "",
    title: Annotated[Short, Field(description="What it is about.")] = "",
    amount: Annotated[float | None, Field(ge=0, le=1e12, description="What it is worth.")] = None,
    currency: Annotated[Short, Field(description="For example EUR; default for new ones: USD.")] = "",
    company_id: CompanyId = "",
    contact_id: Annotated[
        str, textual, Ref(Customer), Field(description="Its main contact, from `find_records`.")
    ] = "",
    owner: Owner = "",
    stage: Annotated[
        OpenStage | None, Field(description="For a new deal; default: Lead. `move_deal` changes it.")
    ] = None,
    close_date: Annotated[Day | None, Field(description="Day it is expected to close.")] = None,
    description: Description = "",
    clear: Clear = [],  # noqa: B006
) -> Record:
    """Create a deal with a title, or change the one with `deal_id`; omitted fields keep their value.

    A new deal without a company gets that of its contact.
    """
    row = state.get(Deal, deal_id) if deal_id else None
    _named("title", title, row)
    if row and stage:
        raise Rejected(f"stage: use `move_deal` to move {row.id}, which is in {row.stage}.")
    if company_id:
        state.get(Company, company_id)
    person = contact(state, contact_id) if contact_id else None
    if amount is not None and round(amount, 2) != amount:
        raise Rejected(f"amount: {amount} has more than two decimals; write such as {round(amount, 2):.2f}.")
    given = {
        "title": title,
        "amount": amount,
        "currency": _currency(currency),
        "company_id": company_id or (person.company_id if person and not row else ""),
        "contact_id": contact_id,
        "owner": _owner(state, owner, row),
        "stage": stage,
        "close_date": close_date,
        "description": description,
    }
    record = _saved(state, row, Deal(title=""), given, clear, _DEAL)
    if row is None and record.id:
        deal = state.get(Deal, record.id)
        state.add(StageChange(deal_id=deal.id, after=deal.stage, day=state.now.date(), by=me(state)))
    return record


@default.writes(destructive=True)
def save_task(
    state: State,
    task_id: Annotated[
        str, textual, Ref(Task), Field(description="Which one to change, from `find_records`; none for a new one.")
    ] = "",
    title: Annotated[Short, Field(description="What is to be done.")] = "",
    record_id: Annotated[Line, Field(description="Id of the record it is about.")] = "",
    due: Annotated[Day | None, Field(description="Day it is due.")] = None,
    assignee: Annotated[
        Line, Field(description="Who does it, by address or name; default for new ones: the user.")
    ] = "",
    description: Description = "",
    clear: Clear = [],  # noqa: B006
) -> Record:
    """Create a task with a title, or change the one with `task_id`; omitted fields keep their value."""
    row = state.get(Task, task_id) if task_id else None
    _named("title", title, row)
    if record_id and look_up(state, record_id)[1] == row:
        raise Rejected(f"record_id: {record_id} is the task itself; give the record that it is about.")
    given = {
        "title": title,
        "record_id": record_id,
        "due": due,
        "assignee": _owner(state, assignee, row, "assignee"),
        "description": description,
    }
    return _saved(state, row, Task(title=""), given, clear, _TASK)


_CONTACT = {
    "name": "customer_name",
    "email": "customer_email",
    "phone": "customer_phone",
    "job_title": "job_title",
    "company_id": "company_id",
    "owner": "assigned_to_email",
    "stage": "status",
    "product": "product_interest",
    "last_contact": "last_contact_date",
    "follow_up": "follow_up_by",
    "description": "notes",
}
_COMPANY = {name: name for name in ("name", "domain", "industry", "phone", "owner", "description")}
_DEAL = {
    name: name
    for name in (
        "title", "amount", "currency", "company_id", "contact_id", "owner", "stage", "close_date", "description",
    )
}  # fmt: skip
_TASK = {name: name for name in ("title", "record_id", "due", "assignee", "description")}
"""Parameter -> column."""


def _saved(
    state: State,
    row: T | None,
    blank: T,
    given: Mapping[str, Any],
    clear: Sequence[str],
    columns: Mapping[str, str],
) -> Record:
    """Add the blank row, or save the one that there is, with what was given and without what was cleared."""
    values = {columns[argument]: value for argument, value in given.items() if value not in (None, "")}
    clearable = [argument for argument in columns if argument not in _KEPT]
    for argument in clear:
        if argument not in clearable:
            raise Rejected(f"clear: {quoted(argument)} cannot be taken away; choose from {', '.join(clearable)}.")
        if columns[argument] in values:
            raise Rejected(f"clear: {argument} is given a value and taken away; do one of the two.")
    if row and not values and not clear:
        raise Rejected(f"Nothing to change in {row.id}: give what is new, or name in clear what is to go.")
    values |= {columns[argument]: type(blank).model_fields[columns[argument]].default for argument in clear}
    if row:
        return show(state, state.save(row.model_copy(update=values)), detailed=True)
    return show(state, state.add(blank.model_copy(update=values)), detailed=True)


def _named(argument: str, value: str, row: Table | None) -> None:
    if row is None and not value.strip():
        raise Rejected(f"{argument}: a new record needs a {argument}; to change one that there is, give its id.")
    if value and not value.strip():
        raise Rejected(f"{argument} is blank; give a {argument}, or leave it out.")


def _owner(state: State, text: str, row: Table | None, argument: str = "owner") -> str:
    """Who is to have the record; nobody where that does not change."""
    return assigned(state, text, argument) if text or row is None else ""


def _email(state: State, text: str, own: str) -> str:
    """The address in lower case. Raises `Rejected` for what is none, and for one that another contact has."""
    email = text.strip().lower()
    if email and not _EMAIL.fullmatch(email):
        raise Rejected(f"email: {quoted(text)} is not an e-mail address; it should look like name@company.com.")
    sql = "SELECT id, customer_name FROM customers WHERE lower(customer_email) = ? AND id <> ? ORDER BY _ord LIMIT 1"
    for id, name in state.query(sql, [email, own]) if email else ():
        raise Rejected(f"email: contact {id} ({name}) has {email} already; to change it, give contact_id={id}.")
    return email


def _domain(text: str) -> str:
    domain = text.strip().lower()
    if domain and not _DOMAIN.fullmatch(domain):
        raise Rejected(f"domain: {quoted(text)} is not a domain; write it as in acme.com.")
    return domain


def _alone(state: State, name: str, domain: str, own: str) -> None:
    """Raises `Rejected` where another company has the domain, or the name and not another domain."""
    for other in state.find(
        Company, "id <> ? AND (domain = ? OR lower(name) = lower(?))", [own, domain or "-", name or domain]
    ):
        if domain and other.domain == domain:
            raise Rejected(
                f"domain: company {other.id} ({other.name}) has {domain} already; to change it, give "
                f"company_id={other.id}."
            )
        if name and other.name.casefold() == name.casefold() and not (domain and other.domain):
            raise Rejected(
                f"name: company {other.id} is called {other.name} already; to change it, give company_id={other.id}, "
                "or give both of them a domain if they are two."
            )


def _currency(text: str) -> str:
    currency = text.strip().upper()
    if currency and not re.fullmatch(r"[A-Z]{3}", currency):
        raise Rejected(f"currency: {quoted(text)} is not a currency; write three letters, such as EUR.")
    return currency
