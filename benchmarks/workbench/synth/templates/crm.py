"""CRM: passing on a part of somebody's customers, and closing what has gone quiet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from benchmarks.workbench.synth import names
from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import find
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.slots import choice, period, person
from benchmarks.workbench.synth.templates.steps import Step, update
from harness.agents.reference import Worker

__all__ = ("CLOSE_QUIET", "PASS_ON_CUSTOMERS")

_PRODUCTS = {name.lower(): name for name in names.PRODUCTS}


def _pass_on(office: Office, values: Values) -> Sequence[Step]:
    owner = office.people[values["owner"]]
    wanted = [
        customer
        for customer in office.customers
        if (customer["assigned_to_email"], customer["status"], customer["product_interest"])
        == (owner, values["status"], values["product"])
    ]
    return update(wanted, "assigned_to_email", office.people[values["assignee"]])


async def _play_pass_on(worker: Worker) -> None:
    owner = await find.address(worker, await worker.slot("owner"))
    terms = {"status": await worker.slot("status"), "product_interest": await worker.slot("product")}
    found = await find.customers(worker, worker.now.date(), assigned_to_email=owner, **terms)
    if found:
        assignee = await find.address(worker, await worker.slot("assignee"))
        await _set_all(worker, found, "assigned_to_email", assignee)


async def _set_all(worker: Worker, found: find.Found, field: str, value: str) -> None:
    for customer in found:
        await worker.call("crm", "update_customer", customer_id=customer["customer_id"], field=field, new_value=value)


PASS_ON_CUSTOMERS = Template(
    name="pass-on-customers",
    domains=("customer_relationship_manager",),
    wordings=(
        "{owner} has too much to do. In the CRM, reassign those of their customers that have the status {status} "
        "and are interested in {product} to {assignee}.",
        "{assignee} takes {product} off {owner}'s hands: customers of the latter's that are interested in it and have "
        "the status {status} should be reassigned in the CRM.",
        "Please move a part of {owner}'s accounts in the CRM to {assignee}, namely those with an interest in "
        "{product} whose status is {status}.",
    ),
    slots={
        "owner": person(
            "owner",
            lambda office: office.sales,
            dimension="input",
            subdimension="source",
            why="Five colleagues look after customers.",
            complete_without=True,
        ),
        "status": choice(
            "status",
            {name: name for name in names.STATUSES},
            dimension="constraint",
            subdimension="selection",
            why="Every colleague has customers of each status.",
            complete_without=True,
        ),
        "product": choice(
            "product",
            _PRODUCTS,
            dimension="constraint",
            subdimension="selection",
            why="Every colleague has customers for each product.",
            complete_without=True,
        ),
        "assignee": person(
            "assignee",
            lambda office: office.sales,
            dimension="goal",
            subdimension="target",
            why="Four other colleagues could take over.",
        ),
    },
    outcome=_pass_on,
    program=_play_pass_on,
    idle=2,
    valid=lambda values: values["owner"] != values["assignee"],
)


def _close_quiet(office: Office, values: Values) -> Sequence[Step]:
    until = office.ago(values["period"])
    quiet = [
        customer
        for customer in office.customers
        if customer["status"] == "Proposal"
        and customer["product_interest"] == values["product"]
        and customer["last_contact_date"] <= until
    ]
    return update(quiet, "status", values["status"])


async def _play_close_quiet(worker: Worker) -> None:
    product = await worker.slot("product")
    until = date.fromisoformat(find.ago(worker, await worker.slot("period")))
    found = await find.customers(worker, until, status="Proposal", product_interest=product)
    if found:
        await _set_all(worker, found, "status", await worker.slot("status"))


CLOSE_QUIET = Template(
    name="close-quiet",
    domains=("customer_relationship_manager",),
    wordings=(
        "Tidy up the CRM: set every quiet proposal for {product} to {status}. We call a proposal quiet when the last "
        "contact was {period} ago or earlier.",
        "A proposal counts as gone cold once {period} have passed since the last contact. Give all customers with a "
        "cold {product} proposal the status {status}.",
        "Which customers in the proposal stage for {product} are dormant? Change their status to {status}. Dormant "
        "means for us that we last had contact {period} ago or before that.",
    ),
    slots={
        "product": choice(
            "product",
            _PRODUCTS,
            dimension="input",
            subdimension="identifier",
            why="There are proposals for each product.",
            complete_without=True,
        ),
        "period": period(
            (14, 21, 28, 35, 42, 49, 56, 63),
            dimension="context",
            subdimension="terminology",
            why="It is what the user means by a word of their own.",
        ),
        "status": choice(
            "status",
            {name: name for name in names.STATUSES if name != "Proposal"},
            dimension="goal",
            subdimension="acceptance",
            guessability=0.5,
            why="Lost is the likely end of a proposal nobody answers, but a fresh start as a lead is common too.",
        ),
    },
    outcome=_close_quiet,
    program=_play_close_quiet,
    idle=2,
)
