"""What a CRM keeps: people, their companies, deals and how they went, notes, tasks, and what goes with what."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from servers.kernel import App, Dated, Ref, Table

__all__ = (
    "Association",
    "Colleague",
    "Company",
    "Customer",
    "Deal",
    "Note",
    "NoteType",
    "OpenStage",
    "Product",
    "Stage",
    "StageChange",
    "Status",
    "Task",
    "app",
)

Status = Literal["Qualified", "Won", "Lost", "Lead", "Proposal"]
Product = Literal["Software", "Hardware", "Services", "Consulting", "Training"]
OpenStage = Literal["Lead", "Qualified", "Proposal", "Negotiation"]
Stage = Literal["Lead", "Qualified", "Proposal", "Negotiation", "Won", "Lost"]
NoteType = Literal["note", "call", "email", "meeting"]


class Company(Table, name="companies", ids="C{}", noun="company"):
    """An organisation that is or may become a customer. `owner` is the address of the colleague in charge."""

    name: str
    domain: str = ""
    industry: str = ""
    phone: str = ""
    owner: str = ""
    description: Dated = ""


class Customer(Table, name="customers", ids="{:08d}"):
    """A person who is a customer or lead: a contact. Dates are YYYY-MM-DD as text; None where nothing is known."""

    assigned_to_email: str
    customer_name: str
    customer_email: str | None = None
    customer_phone: str | None = None
    last_contact_date: Dated | None = None
    product_interest: str | None = None
    status: str
    follow_up_by: Dated | None = None
    notes: Dated | None = None
    job_title: str = ""
    company_id: Annotated[str | None, Ref(Company)] = None


class Colleague(Table, name="owners", ids="O{}"):
    """Somebody of the owner's own company who may be in charge of records. Without any, whoever has an address may."""

    name: str
    address: str


class Deal(Table, name="deals", ids="D{}"):
    """Something that may be sold. It is open until it is won or lost; `closed` and `reason` say when and why it was.

    `close_date` is the day it is expected to close, `contact_id` the person it is mainly about.
    """

    title: Dated
    owner: str = ""
    amount: Annotated[float, Field(ge=0, le=1e12)] | None = None
    currency: str = "USD"
    stage: Stage = "Lead"
    close_date: date | None = None
    company_id: Annotated[str | None, Ref(Company)] = None
    contact_id: Annotated[str | None, Ref(Customer)] = None
    closed: date | None = None
    reason: Dated = ""
    description: Dated = ""


class StageChange(Table, name="stage_changes", ids="H{}"):
    """One step of a deal: its first stage, where `before` is None, or a move. `by` is the address of who made it."""

    deal_id: Annotated[str, Ref(Deal)]
    before: Stage | None = None
    after: Stage
    day: date
    by: str = ""
    reason: Dated = ""


class Note(Table, name="notes", ids="N{}"):
    """Something that was written down, or said in a call, an e-mail or a meeting, about one record of any kind."""

    record_id: str
    type: NoteType = "note"
    text: Dated
    day: date
    author: str = ""


class Task(Table, name="tasks", ids="T{}"):
    """Something to do, perhaps about a record; done once it has a day on which it was completed."""

    title: Dated
    record_id: str | None = None
    assignee: str = ""
    due: date | None = None
    completed: date | None = None
    description: Dated = ""


class Association(Table, name="associations", ids="A{}"):
    """Two records of any kind that go together, in no order, beside what their own columns say."""

    from_id: str
    to_id: str
    label: str = ""


app = App(
    "crm",
    "Search, add, change and delete customers and sales leads.",
    tables=(Customer, Company, Colleague, Deal, StageChange, Note, Task, Association),
)
app.toolset("workbench")
