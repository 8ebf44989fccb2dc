"""The four CRM tools of WorkBench over customers and leads (appendix A.5, release of 2024).

They neither show nor set what a customer has beyond them: job, company, and whatever points at a customer.

As in the release: dates are compared as text and stored as given; a status or product is checked when a
customer is changed, not when one is added; new notes replace the old ones.

Departures from the release, each where it has a defect:

- Search texts are literal, not regular expressions.
- An update cannot overwrite an id, and ids of deleted customers do not come back.
- An optional field given as empty or null when adding is one not given.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, Field

from servers.crm.tables import Customer, Product, Status, app
from servers.kernel import Ref, Rejected, State, quoted, required

__all__ = ("workbench",)


class CustomerRecord(BaseModel):
    """A customer as the tools show it."""

    customer_id: str
    assigned_to_email: str
    customer_name: str
    customer_email: str | None
    customer_phone: str | None
    last_contact_date: str | None
    product_interest: str | None
    status: str
    follow_up_by: str | None
    notes: str | None


_SHOWN = set(CustomerRecord.model_fields) - {"customer_id"}

workbench = app.toolset("workbench")

ChangeableField = Literal[
    "customer_name",
    "assigned_to_email",
    "customer_email",
    "customer_phone",
    "last_contact_date",
    "product_interest",
    "status",
    "notes",
    "follow_up_by",
]
_CHOICES: dict[str, tuple[str, ...]] = {"status": get_args(Status), "product_interest": get_args(Product)}

CustomerId = Annotated[
    str,
    Ref(Customer),
    Field(description="Id of a customer, eight digits, as `search_customers` and `add_customer` return it."),
]
Part = Annotated[str | None, Field(description="Text that this field must contain, regardless of case.")]
From = Annotated[str | None, Field(description="Earliest such date, YYYY-MM-DD, inclusive.")]
To = Annotated[str | None, Field(description="Latest such date, YYYY-MM-DD, inclusive.")]
Text = Annotated[str | None, Field(description="Stored as given; leave out if unknown.")]
Address = Annotated[str | None, Field(description="The customer's e-mail address. It is stored in lower case.")]
Date = Annotated[str | None, Field(description="YYYY-MM-DD; leave out if there is none.")]
Phone = Annotated[str | None, Field(description="Phone number; leave out if unknown.", coerce_numbers_to_str=True)]


@workbench.reads
def search_customers(
    state: State,
    customer_name: Part = None,
    customer_email: Part = None,
    product_interest: Part = None,
    status: Part = None,
    assigned_to_email: Part = None,
    last_contact_date_min: From = None,
    last_contact_date_max: To = None,
    follow_up_by_min: From = None,
    follow_up_by_max: To = None,
) -> list[CustomerRecord]:
    """Find customers that satisfy every condition given; give at least one.

    Statuses are Qualified, Won, Lost, Lead and Proposal; products are Software, Hardware, Services, Consulting and
    Training. A customer without a date is not found by a bound on that date.
    Returns at most the first five matches, in the table's order, or an empty list; add conditions to see others.
    """
    parts = {
        "customer_name": customer_name,
        "customer_email": customer_email,
        "product_interest": product_interest,
        "status": status,
        "assigned_to_email": assigned_to_email,
    }
    bounds = {
        "last_contact_date >= ?": last_contact_date_min,
        "last_contact_date <= ?": last_contact_date_max,
        "follow_up_by >= ?": follow_up_by_min,
        "follow_up_by <= ?": follow_up_by_max,
    }
    conditions = {f"contains(lower({column}), lower(?))": text for column, text in parts.items()} | bounds
    given = {condition: value for condition, value in conditions.items() if value}
    if not given:
        raise Rejected("No search condition given; give at least one, such as customer_name or status.")
    return [_record(row) for row in state.find(Customer, " AND ".join(given), list(given.values()), limit=5)]


@workbench.writes(destructive=True, idempotent=True)
def update_customer(
    state: State,
    customer_id: CustomerId,
    field: Annotated[ChangeableField, Field(description="Which field to change.")],
    new_value: Annotated[
        str, Field(description="The field's new value; a date as YYYY-MM-DD.", coerce_numbers_to_str=True)
    ],
) -> str:
    """Change one field of a customer; its old value is replaced, notes included.

    A status is one of Qualified, Won, Lost, Lead, Proposal; a product_interest one of Software, Hardware, Services,
    Consulting, Training, spelled exactly so. E-mail addresses are stored in lower case, everything else as given.
    """
    required(customer_id=customer_id, new_value=new_value)
    if field in _CHOICES and new_value not in _CHOICES[field]:
        raise Rejected(f"{quoted(new_value)} is not a {field}; choose from {', '.join(_CHOICES[field])}.")
    value = new_value.lower() if field in ("customer_email", "assigned_to_email") else new_value
    state.save(state.get(Customer, customer_id).model_copy(update={field: value}))
    return f"Customer {customer_id} updated."


@workbench.writes
def add_customer(
    state: State,
    customer_name: Annotated[str, Field(description="The customer's full name.")],
    assigned_to_email: Annotated[
        str, Field(description="Address of the colleague in charge. It is stored in lower case.")
    ],
    status: Annotated[
        str, Field(description="Usually one of Qualified, Won, Lost, Lead, Proposal. Stored as given, unchecked.")
    ],
    customer_email: Address = None,
    customer_phone: Phone = None,
    last_contact_date: Date = None,
    product_interest: Annotated[
        str | None,
        Field(description="Usually one of Software, Hardware, Services, Consulting, Training. Stored unchecked."),
    ] = None,
    notes: Text = "",
    follow_up_by: Date = None,
) -> str:
    """Add a customer or lead and return its id.

    It does not check whether there is already a customer of that name.
    """
    required(customer_name=customer_name, assigned_to_email=assigned_to_email, status=status)
    customer = Customer(
        assigned_to_email=assigned_to_email.lower(),
        customer_name=customer_name,
        customer_email=customer_email.lower() if customer_email else None,
        customer_phone=customer_phone or None,
        last_contact_date=last_contact_date or None,
        product_interest=product_interest or None,
        status=status,
        follow_up_by=follow_up_by or None,
        notes=notes or "",
    )
    return state.add(customer).id


@workbench.writes(destructive=True, idempotent=True)
def delete_customer(state: State, customer_id: CustomerId) -> str:
    """Delete a customer for good."""
    required(customer_id=customer_id)
    state.delete(state.get(Customer, customer_id))
    return f"Customer {customer_id} deleted."


def _record(row: Customer) -> CustomerRecord:
    return CustomerRecord(customer_id=row.id, **row.model_dump(include=_SHOWN))
