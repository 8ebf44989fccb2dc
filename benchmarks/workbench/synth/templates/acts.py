"""The writes of the reference programs, through tools, of the same names as those in `steps`.

What is done to rows takes all that were found, and does nothing where none were.
"""

from __future__ import annotations

from collections.abc import Iterable

from benchmarks.workbench.synth.templates.steps import Row
from harness.agents.reference import Worker

__all__ = (
    "add_lead", "add_task", "book", "cancel", "change_customers", "change_events", "change_tasks", "discard", "drop",
    "forward", "mail", "plot", "reply",
)  # fmt: skip


async def mail(worker: Worker, recipient: str, subject: str, body: str) -> None:
    await worker.call("gmail", "send_email", recipient=recipient, subject=subject, body=body)


async def forward(worker: Worker, mails: Iterable[Row], recipient: str) -> None:
    for row in mails:
        await worker.call("gmail", "forward_email", email_id=row["email_id"], recipient=recipient)


async def reply(worker: Worker, mails: Iterable[Row], body: str) -> None:
    for row in mails:
        await worker.call("gmail", "reply_email", email_id=row["email_id"], body=body)


async def book(worker: Worker, name: str, participant: str, start: str, minutes: int) -> None:
    who = {"participant_email": participant, "event_start": start}
    await worker.call("calendar", "create_event", event_name=name, duration=str(minutes), **who)


async def plot(worker: Worker, first: str, last: str, metric: str, plot_type: str) -> None:
    window = {"time_min": first, "time_max": last}
    await worker.call("analytics", "create_plot", **window, value_to_plot=metric, plot_type=plot_type)


async def add_task(worker: Worker, name: str, assignee: str, list_name: str, due: str, board: str) -> None:
    place = {"list_name": list_name, "due_date": due, "board": board}
    await worker.call("projects", "create_task", task_name=name, assigned_to_email=assignee, **place)


async def add_lead(worker: Worker, name: str, owner: str, product: str) -> None:
    terms = {"assigned_to_email": owner, "product_interest": product}
    await worker.call("crm", "add_customer", customer_name=name, status="Lead", **terms)


async def change_events(worker: Worker, events: Iterable[Row], field: str, value: str) -> None:
    for row in events:
        await worker.call("calendar", "update_event", event_id=row["event_id"], field=field, new_value=value)


async def change_tasks(worker: Worker, tasks: Iterable[Row], field: str, value: str) -> None:
    for row in tasks:
        await worker.call("projects", "update_task", task_id=row["task_id"], field=field, new_value=value)


async def change_customers(worker: Worker, customers: Iterable[Row], field: str, value: str) -> None:
    for row in customers:
        await worker.call("crm", "update_customer", customer_id=row["customer_id"], field=field, new_value=value)


async def discard(worker: Worker, mails: Iterable[Row]) -> None:
    for row in mails:
        await worker.call("gmail", "delete_email", email_id=row["email_id"])


async def cancel(worker: Worker, events: Iterable[Row]) -> None:
    for row in events:
        await worker.call("calendar", "delete_event", event_id=row["event_id"])


async def drop(worker: Worker, customers: Iterable[Row]) -> None:
    for row in customers:
        await worker.call("crm", "delete_customer", customer_id=row["customer_id"])
