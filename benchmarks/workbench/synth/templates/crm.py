"""CRM: parts of somebody's customers passed on or deleted, and what has gone quiet closed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, rows, steps
from benchmarks.workbench.synth.templates.base import Template, Values
from benchmarks.workbench.synth.templates.fields import NEW_OWNER
from benchmarks.workbench.synth.templates.slots import PRODUCTS, STATUSES, choice, period, person
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import Worker

__all__ = ("TEMPLATES",)

_OWNER = person(
    "owner",
    lambda office: office.sales,
    dimension="input",
    subdimension="source",
    why="Five colleagues look after customers.",
    complete_without=True,
)
_STATUS = choice(
    "status",
    STATUSES,
    dimension="constraint",
    subdimension="selection",
    why="Every colleague has customers of each status.",
    complete_without=True,
)
_PRODUCT = choice(
    "product",
    PRODUCTS,
    dimension="constraint",
    subdimension="selection",
    why="Every colleague has customers for each product.",
    complete_without=True,
)


def _part(office: Office, values: Values) -> list[Row]:
    """The owner's customers of one status and product."""
    terms = {"status": values["status"], "product_interest": values["product"]}
    return rows.where(office.customers, assigned_to_email=office.people[values["owner"]], **terms)


async def _find_part(worker: Worker) -> find.Found:
    owner = await find.address(worker, await worker.slot("owner"))
    terms = {"status": await worker.slot("status"), "product_interest": await worker.slot("product")}
    return await find.customers(worker, worker.now.date(), assigned_to_email=owner, **terms)


def _pass_on(office: Office, values: Values) -> Sequence[Step]:
    return steps.change_customers(_part(office, values), "assigned_to_email", office.people[values["assignee"]])


async def _play_pass_on(worker: Worker) -> None:
    if found := await _find_part(worker):
        assignee = await find.address(worker, await worker.slot("assignee"))
        await acts.change_customers(worker, found, "assigned_to_email", assignee)


PASS_ON_CUSTOMERS = Template(
    name="pass-on-customers",
    domains=("customer_relationship_manager",),
    wordings=(
        "{owner} has too much to do. In the CRM, reassign those of their customers who have the status {status} "
        "and are interested in {product} to {assignee}.",
        "{assignee} takes {product} off {owner}'s hands: the latter's customers who are interested in it and have "
        "the status {status} should be reassigned in the CRM.",
        "Please move a part of {owner}'s accounts in the CRM to {assignee}, namely those with an interest in "
        "{product} whose status is {status}.",
    ),
    slots={
        "owner": _OWNER,
        "status": _STATUS,
        "product": _PRODUCT,
        "assignee": NEW_OWNER,
    },
    outcome=_pass_on,
    program=_play_pass_on,
    idle=2,
    valid=lambda values: values["owner"] != values["assignee"],
)


_OPEN = ("Qualified", "Proposal")


def _pass_on_open(office: Office, values: Values) -> Sequence[Step]:
    owner, assignee = office.people[values["owner"]], office.people[values["assignee"]]
    found = rows.where(office.customers, assigned_to_email=owner, product_interest=values["product"])
    return steps.change_customers([row for row in found if row["status"] in _OPEN], "assigned_to_email", assignee)


async def _play_pass_on_open(worker: Worker) -> None:
    owner = await find.address(worker, await worker.slot("owner"))
    product = await worker.slot("product")
    for status in _OPEN:
        terms = {"assigned_to_email": owner, "product_interest": product, "status": status}
        if found := await find.customers(worker, worker.now.date(), **terms):
            assignee = await find.address(worker, await worker.slot("assignee"))
            await acts.change_customers(worker, found, "assigned_to_email", assignee)


PASS_ON_OPEN = Template(
    name="pass-on-open",
    domains=("customer_relationship_manager",),
    wordings=(
        "All of {owner}'s customers in the CRM with an interest in {product} who are either qualified or in the "
        "proposal stage should be reassigned to {assignee}.",
        "{assignee} is to close our open deals for {product}. Reassign {owner}'s customers in the CRM who are "
        "interested in it, provided they are qualified or have a proposal.",
        "In the CRM, reassign every customer of {owner}'s with an interest in {product} to {assignee}, but only those "
        "with the status Qualified or Proposal.",
    ),
    slots={
        "owner": _OWNER,
        "product": _PRODUCT,
        "assignee": NEW_OWNER,
    },
    outcome=_pass_on_open,
    program=_play_pass_on_open,
    valid=lambda values: values["owner"] != values["assignee"],
)


async def _play_delete_part(worker: Worker) -> None:
    await acts.drop(worker, await _find_part(worker))


DELETE_PART = Template(
    name="delete-part",
    domains=("customer_relationship_manager",),
    wordings=(
        "Delete from the CRM those of {owner}'s customers who are interested in {product} and have the status "
        "{status}.",
        "We no longer need every account of {owner}'s in the CRM: delete those whose status is {status} and who have "
        "an interest in {product}.",
        "Clear out the CRM for {owner}. Whoever of their customers has the status {status} and an interest in "
        "{product} can be deleted.",
    ),
    slots={
        "owner": _OWNER,
        "status": _STATUS,
        "product": _PRODUCT,
    },
    outcome=lambda office, values: steps.drop(_part(office, values)),
    program=_play_delete_part,
    idle=2,
)


def _close_quiet(office: Office, values: Values) -> Sequence[Step]:
    until = office.ago(values["period"])
    proposals = rows.where(office.customers, status="Proposal", product_interest=values["product"])
    quiet = [customer for customer in proposals if customer["last_contact_date"] <= until]
    return steps.change_customers(quiet, "status", values["status"])


async def _play_close_quiet(worker: Worker) -> None:
    product = await worker.slot("product")
    until = date.fromisoformat(find.ago(worker, await worker.slot("period")))
    found = await find.customers(worker, until, status="Proposal", product_interest=product)
    if found:
        await acts.change_customers(worker, found, "status", await worker.slot("status"))


CLOSE_QUIET = Template(
    name="close-quiet",
    domains=("customer_relationship_manager",),
    wordings=(
        "Tidy up the CRM: set every old proposal for {product} to {status}. We call a proposal old when the last "
        "contact was {period} ago or earlier.",
        "A proposal counts as aged once {period} have passed since the last contact. Give all customers with an aged "
        "{product} proposal the status {status}.",
        "Which customers have a long-standing proposal for {product}? Change their status to {status}. Long-standing "
        "means for us that we last had contact {period} ago or before that.",
    ),
    slots={
        "product": choice(
            "product",
            PRODUCTS,
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
            {name: name for name in STATUSES if name != "Proposal"},
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

TEMPLATES = (PASS_ON_CUSTOMERS, CLOSE_QUIET, PASS_ON_OPEN, DELETE_PART)
