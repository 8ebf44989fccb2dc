"""CRM: one customer at a time, by name."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import CUSTOMER, NEW_CUSTOMER, NEW_OWNER, NEW_PRODUCT
from benchmarks.workbench.synth.templates.slots import STATUSES, choice, person
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)

_DOMAINS = ("customer_relationship_manager",)


def _named(office: Office, values: Values) -> list[Row]:
    return rows.where(office.customers, customer_name=values["customer"])


async def _find_named(worker: Worker) -> find.Found:
    return [await find.customer(worker, await worker.slot("customer"))]


def _set_status(office: Office, values: Values) -> Sequence[Step]:
    return steps.change_customers(_named(office, values), "status", values["status"])


async def _play_set_status(worker: Worker) -> None:
    await acts.change_customers(worker, await _find_named(worker), "status", await worker.slot("status"))


SET_STATUS = Template(
    name="set-status",
    domains=_DOMAINS,
    wordings=(
        "Please change {customer}'s status to {status} in the CRM.",
        "I have news of {customer}. Open the CRM and set their status to {status}.",
        "After the latest talks with {customer}, update the CRM: it should now show {status} as their status.",
    ),
    slots={
        "customer": CUSTOMER,
        "status": choice(
            "status",
            STATUSES,
            dimension="goal",
            subdimension="acceptance",
            why="A customer may go from any status to any other.",
        ),
    },
    outcome=_set_status,
    program=_play_set_status,
)


async def _play_delete(worker: Worker) -> None:
    await acts.drop(worker, await _find_named(worker))


DELETECUSTOMER = Template(
    name="delete-customer",
    domains=_DOMAINS,
    wordings=(
        "Delete {customer} from the CRM.",
        "I no longer want an entry for {customer} in the CRM. Please delete it.",
        "We no longer work with {customer}, so delete their record in the CRM.",
    ),
    slots={"customer": CUSTOMER},
    outcome=lambda office, values: steps.drop(_named(office, values)),
    program=_play_delete,
)


def _add_lead(office: Office, values: Values) -> Sequence[Step]:
    return [steps.add_lead(values["customer"], office.people[values["assignee"]], values["product"])]


async def _play_add_lead(worker: Worker) -> None:
    assignee = await find.address(worker, await worker.slot("assignee"))
    await acts.add_lead(worker, await worker.slot("customer"), assignee, await worker.slot("product"))


ADD_LEAD = Template(
    name="add-lead",
    domains=_DOMAINS,
    wordings=(
        "Add {customer} to the CRM as a new lead interested in {product}, and assign them to {assignee}.",
        "Enter {customer} into the CRM: a new lead with an interest in {product}. Assign them to {assignee}.",
        "I met somebody who is interested in {product}. Create a lead in the CRM for {customer} and make it "
        "{assignee}'s.",
    ),
    slots={
        "customer": NEW_CUSTOMER,
        "product": NEW_PRODUCT,
        "assignee": person(
            "assignee",
            lambda office: office.sales,
            dimension="goal",
            subdimension="target",
            why="Five colleagues look after customers.",
        ),
    },
    outcome=_add_lead,
    program=_play_add_lead,
)


def _reassign(office: Office, values: Values) -> Sequence[Step]:
    return steps.change_customers(_named(office, values), "assigned_to_email", office.people[values["assignee"]])


async def _play_reassign(worker: Worker) -> None:
    found = await _find_named(worker)
    assignee = await find.address(worker, await worker.slot("assignee"))
    await acts.change_customers(worker, found, "assigned_to_email", assignee)


REASSIGNCUSTOMER = Template(
    name="reassign-customer",
    domains=_DOMAINS,
    wordings=(
        "In the CRM, {customer} should be reassigned to {assignee}.",
        "From today {assignee} looks after {customer}. Please make that change in the CRM.",
        "Hand the account of {customer} over to {assignee} in the CRM.",
    ),
    slots={
        "customer": CUSTOMER,
        "assignee": NEW_OWNER,
    },
    outcome=_reassign,
    program=_play_reassign,
)

TEMPLATES = (SET_STATUS, DELETECUSTOMER, ADD_LEAD, REASSIGNCUSTOMER)
