"""Records as the default surface shows them."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import BaseModel

from servers.crm.records import Row, named
from servers.crm.tables import Company, Customer, Deal, Note, StageChange, Task
from servers.kernel import Page, Person, State, snippet

__all__ = ("Found", "Record", "Step", "Total", "Whole", "colleague", "plain", "show", "step", "text_of")


class Record(BaseModel):
    """A record of any kind. Companies, contacts and whatever a note or task is about are named with their ids."""

    kind: Literal["contact", "company", "deal", "task", "note", "owner"]
    id: str | None = None
    name: str | None = None
    title: str | None = None
    label: str | None = None
    type: str | None = None
    email: str | None = None
    phone: str | None = None
    domain: str | None = None
    industry: str | None = None
    job_title: str | None = None
    stage: str | None = None
    amount: int | float | None = None
    currency: str | None = None
    close_date: date | None = None
    closed: date | None = None
    reason: str | None = None
    company: str | None = None
    contact: str | None = None
    about: str | None = None
    owner: str | None = None
    assignee: str | None = None
    author: str | None = None
    product: str | None = None
    last_contact: str | None = None
    follow_up: str | None = None
    day: date | None = None
    due: date | None = None
    completed: date | None = None
    description: str | None = None
    text: str | None = None
    gone_too: list[str] | None = None


class Total(BaseModel):
    """How many deals of a stage were found, and what they come to in one currency."""

    stage: str
    deals: int
    amount: int | float
    currency: str


class Found(Page[Record]):
    """A page of records. `totals` are of all deals found, by stage, on the first page."""

    totals: list[Total] | None = None


class Step(BaseModel):
    """A stage that a deal was moved to."""

    day: date
    before: str | None = None
    after: str
    by: str | None = None
    reason: str | None = None


class Whole(BaseModel):
    """One record with what goes with it; `more` says how to see what is left out."""

    record: Record
    history: list[Step] | None = None
    related: list[Record] | None = None
    tasks: list[Record] | None = None
    notes: list[Record] | None = None
    more: list[str] | None = None


def show(state: State, row: Row, *, detailed: bool = False, label: str = "") -> Record:
    """What a list shows of a record, and more of it where it is `detailed`."""
    match row:
        case Customer():
            found = _contact(state, row, detailed)
        case Company():
            found = _company(state, row, detailed)
        case Deal():
            found = _deal(state, row, detailed)
        case Task():
            found = _task(state, row)
        case Note():
            found = _note(state, row, detailed)
    if detailed and not isinstance(row, Note):
        found.description = snippet(text_of(row), 600) or None
    found.label = label or None
    return found


def text_of(row: Row) -> str:
    """What is written in a record in as many words as somebody liked."""
    match row:
        case Customer():
            return row.notes or ""
        case Note():
            return row.text
        case _:
            return row.description


def step(change: StageChange) -> Step:
    return Step(
        day=change.day,
        before=change.before,
        after=change.after,
        by=change.by or None,
        reason=snippet(change.reason, 200) or None,
    )


def colleague(person: Person) -> Record:
    return Record(kind="owner", name=person.name or None, email=person.address)


def plain(amount: float) -> int | float:
    """An amount without the point that it does not need."""
    return int(amount) if amount == int(amount) else round(float(amount), 2)


def _contact(state: State, row: Customer, detailed: bool) -> Record:
    found = Record(
        kind="contact",
        id=row.id,
        name=snippet(row.customer_name),
        email=row.customer_email or None,
        company=named(state, row.company_id),
        owner=row.assigned_to_email,
        stage=row.status,
        last_contact=row.last_contact_date or None,
        follow_up=row.follow_up_by or None,
    )
    if detailed:
        found.phone = row.customer_phone or None
        found.job_title = row.job_title or None
        found.product = row.product_interest or None
    return found


def _company(state: State, row: Company, detailed: bool) -> Record:
    found = Record(
        kind="company",
        id=row.id,
        name=snippet(row.name),
        domain=row.domain or None,
        industry=row.industry or None,
        owner=row.owner or None,
    )
    if detailed:
        ((last,),) = state.query(
            "SELECT max(left(last_contact_date, 10)) FROM customers WHERE company_id = ?", [row.id]
        )
        found.phone = row.phone or None
        found.last_contact = last or None
    return found


def _deal(state: State, row: Deal, detailed: bool) -> Record:
    found = Record(
        kind="deal",
        id=row.id,
        title=snippet(row.title),
        stage=row.stage,
        amount=None if row.amount is None else plain(row.amount),
        currency=None if row.amount is None else row.currency,
        close_date=row.close_date,
        closed=row.closed,
        company=named(state, row.company_id),
        owner=row.owner or None,
    )
    if detailed:
        found.contact = named(state, row.contact_id)
        found.reason = snippet(row.reason, 600) or None
    return found


def _task(state: State, row: Task) -> Record:
    return Record(
        kind="task",
        id=row.id,
        title=snippet(row.title),
        due=row.due,
        completed=row.completed,
        assignee=row.assignee or None,
        about=named(state, row.record_id),
    )


def _note(state: State, row: Note, detailed: bool) -> Record:
    return Record(
        kind="note",
        id=row.id,
        type=row.type,
        day=row.day,
        author=row.author or None,
        about=named(state, row.record_id),
        text=snippet(row.text, 600 if detailed else 120),
    )
