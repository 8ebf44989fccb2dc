"""Customers of the CRM: the writes they take, and finding them."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import SlotSpec
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import GiveUp, Worker

__all__ = (
    "PRODUCTS", "STATUSES", "add_lead", "drop", "enter_lead", "named", "new_customer", "owned", "remove", "set_all",
)  # fmt: skip

PRODUCTS = {name.lower(): name for name in names.PRODUCTS}
STATUSES = {name: name for name in names.STATUSES}

_NEWCOMERS = (
    "Odalys Brennick", "Tobias Fennimore", "Marguerite Sallow", "Leander Croft", "Ottilie Vance", "Barnaby Quill",
    "Sigrid Halloran", "Casimir Dunlop", "Perpetua Lyle", "Fabian Ashdown", "Winifred Tarrant", "Lorcan Meade",
)  # fmt: skip
"""Nobody in any world: their names are made of other parts."""


def add_lead(name: str, owner: str, product: str) -> Step:
    """A new customer with the status Lead; a customer added without notes has empty ones."""
    arguments = {"customer_name": name, "assigned_to_email": owner, "status": "Lead", "product_interest": product}
    return Step("crm", "add_customer", arguments, "insert", "customers", values={**arguments, "notes": ""})


async def enter_lead(worker: Worker, name: str, owner: str, product: str) -> None:
    """Add a customer with the status Lead."""
    terms = {"assigned_to_email": owner, "product_interest": product}
    await worker.call("crm", "add_customer", customer_name=name, status="Lead", **terms)


def drop(customer: Row) -> Step:
    """A customer deleted."""
    return Step("crm", "delete_customer", {"customer_id": customer["id"]}, "delete", "customers", customer["id"])


def owned(office: Office, owner: str, **terms: str) -> list[Row]:
    """Customers in somebody's care whose fields are as given."""
    rows = [row for row in office.customers if row["assigned_to_email"] == owner]
    return [row for row in rows if all(row[field] == value for field, value in terms.items())]


async def named(worker: Worker, name: str) -> Row:
    """The one customer of that name. Raises `GiveUp` when there are none or several."""
    found = await worker.call("crm", "search_customers", customer_name=name)
    rows: find.Found = [row for row in found if row["customer_name"].casefold() == name.casefold()]
    if len(rows) != 1:
        raise GiveUp(f"The CRM has {len(rows)} customers called {name!r}, not one.")
    return rows[0]


async def set_all(worker: Worker, found: find.Found, field: str, value: str) -> None:
    """Give one field of every customer found the same value."""
    for row in found:
        await worker.call("crm", "update_customer", customer_id=row["customer_id"], field=field, new_value=value)


async def remove(worker: Worker, found: find.Found) -> None:
    """Delete every customer found."""
    for row in found:
        await worker.call("crm", "delete_customer", customer_id=row["customer_id"])


async def _placeholder(worker: Worker) -> Mapping[str, str]:
    """What there is to guess from: no tool knows somebody who is yet to be added."""
    return {"New Customer": "New Customer"}


def new_customer() -> SlotSpec:
    """Somebody who is to be added, by full name."""
    return SlotSpec(
        kind="customer",
        role="new customer",
        domain=lambda _: _NEWCOMERS,
        text=str,
        words=_placeholder,
        dimension="goal",
        subdimension="content",
        why="Nothing in the workplace tells who the new contact is.",
    )
