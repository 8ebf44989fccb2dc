"""What is to be done: meetings, mails and tasks, and what becomes of somebody's leads.

Texts may be slots in braces: "{title}" is what the slot `title` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from benchmarks.workbench.synth.office import Office
from benchmarks.workbench.synth.templates import acts, find, steps
from benchmarks.workbench.synth.templates.base import Values
from benchmarks.workbench.synth.templates.multi.people import named
from benchmarks.workbench.synth.templates.multi.pieces import Deed, Who, said, say
from benchmarks.workbench.synth.templates.rows import where
from benchmarks.workbench.synth.templates.steps import Row, Step
from harness.agents.reference import Worker

__all__ = ("delete_leads", "give_leads", "meet", "new_lead", "task", "write")


def meet(who: Who, title: str = "{title}", *, minutes: int | None = None, fixed: bool = False) -> Deed:
    """A meeting in the first free slot from tomorrow, or when `date` and `time` say.

    It takes as long as `duration` says where no minutes are given.
    """

    def rows(office: Office, values: Values) -> Sequence[Step]:
        lasts = minutes or values["duration"]
        start = f"{values['date']} {values['time']}" if fixed else office.first_slot(lasts)
        return [steps.book(said(title, values), who.rows(office, values), start, lasts)]

    async def tools(worker: Worker) -> None:
        lasts = minutes or await worker.slot("duration")
        start = await say(worker, "{date} {time}") if fixed else await find.first_slot(worker, lasts)
        await acts.book(worker, await say(worker, title), await who.tools(worker), start, lasts)

    return Deed(rows, tools)


def write(who: Who, body: str = "{body}", title: str = "{title}") -> Deed:
    """A mail."""

    def rows(office: Office, values: Values) -> Sequence[Step]:
        return [steps.mail(who.rows(office, values), said(title, values), said(body, values))]

    async def tools(worker: Worker) -> None:
        recipient, subject = await who.tools(worker), await say(worker, title)
        await acts.mail(worker, recipient, subject, await say(worker, body))

    return Deed(rows, tools)


def _friday(today: date) -> str:
    """Friday of the week after this one."""
    return str(today + timedelta(days=11 - today.weekday()))


def task(who: Who, board: str = "Front end") -> Deed:
    """A task called as `title` says, in the backlog, due on Friday of next week."""

    def rows(office: Office, values: Values) -> Sequence[Step]:
        due = _friday(office.today)
        return [steps.add_task(values["title"], who.rows(office, values), "Backlog", due, said(board, values))]

    async def tools(worker: Worker) -> None:
        name, assignee, due = await worker.slot("title"), await who.tools(worker), _friday(worker.now.date())
        await acts.add_task(worker, name, assignee, "Backlog", due, await say(worker, board))

    return Deed(rows, tools)


def new_lead(who: Who) -> Deed:
    """The new customer, added as a lead interested in the product."""

    def rows(office: Office, values: Values) -> Sequence[Step]:
        return [steps.add_lead(values["customer"], who.rows(office, values), values["product"])]

    async def tools(worker: Worker) -> None:
        name, product = await worker.slot("customer"), await worker.slot("product")
        await acts.add_lead(worker, name, await who.tools(worker), product)

    return Deed(rows, tools)


_owner = named("owner")


def _leads(office: Office, values: Values) -> list[Row]:
    return where(office.customers, assigned_to_email=_owner.rows(office, values), status="Lead")


async def _find_leads(worker: Worker) -> find.Found:
    owner = await _owner.tools(worker)
    return await find.customers(worker, worker.now.date(), assigned_to_email=owner, status="Lead")


async def _delete_leads(worker: Worker) -> None:
    await acts.drop(worker, await _find_leads(worker))


delete_leads = Deed(lambda office, values: steps.drop(_leads(office, values)), _delete_leads)
"""All leads of the owner deleted."""


def give_leads(to: Who) -> Deed:
    """All leads of the owner reassigned."""

    def rows(office: Office, values: Values) -> Sequence[Step]:
        return steps.change_customers(_leads(office, values), "assigned_to_email", to.rows(office, values))

    async def tools(worker: Worker) -> None:
        if leads := await _find_leads(worker):
            await acts.change_customers(worker, leads, "assigned_to_email", await to.tools(worker))

    return Deed(rows, tools)
