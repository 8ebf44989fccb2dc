"""What one write of a reference solution is: the call that makes it, and the change that it leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from harness.task import Call, Expected

__all__ = ("Row", "Step", "add_task", "book", "cancel", "forward", "mail", "plot", "reassign", "reply", "update")

Row = Mapping[str, Any]


class Step(NamedTuple):
    """A write as plain data, cheap to make and to compare by the thousand."""

    app: str
    tool: str
    arguments: dict[str, str]
    op: Literal["insert", "update", "delete"]
    table: str
    id: str = ""
    values: dict[str, str] = {}  # noqa: RUF012  (a NamedTuple's default; nothing changes it)

    @property
    def change(self) -> tuple[object, ...]:
        """What the write leaves behind, hashable."""
        return (self.app, self.op, self.table, self.id, *sorted(self.values.items()))

    def call(self) -> Call:
        return Call(app=self.app, tool=self.tool, arguments=self.arguments)

    def expected(self) -> Expected:
        return Expected(op=self.op, app=self.app, table=self.table, id=self.id, values=self.values)


def mail(recipient: str, subject: str, body: str) -> Step:
    return _sent("send_email", {"recipient": recipient, "subject": subject, "body": body}, recipient, subject, body)


def forward(row: Row, recipient: str) -> Step:
    arguments = {"email_id": row["id"], "recipient": recipient}
    return _sent("forward_email", arguments, recipient, f"FW: {row['subject']}", row["body"])


def reply(row: Row, body: str) -> Step:
    return _sent("reply_email", {"email_id": row["id"], "body": body}, row["address"], row["subject"], body)


def _sent(tool: str, arguments: dict[str, str], to: str, subject: str, body: str) -> Step:
    values = {"folder": "outbox", "address": to, "subject": subject, "body": body}
    return Step("gmail", tool, arguments, "insert", "emails", values=values)


def book(name: str, participant: str, start: str, minutes: int) -> Step:
    values = {"event_name": name, "participant_email": participant, "event_start": start, "duration": str(minutes)}
    return Step("calendar", "create_event", values, "insert", "events", values=values)


def cancel(event: Row) -> Step:
    return Step("calendar", "delete_event", {"event_id": event["id"]}, "delete", "events", event["id"])


def plot(first: str, last: str, metric: str, plot_type: str) -> Step:
    arguments = {"time_min": first, "time_max": last, "value_to_plot": metric, "plot_type": plot_type}
    values = {"file_path": f"plots/{first}_{last}_{metric}_{plot_type}.png"}
    return Step("analytics", "create_plot", arguments, "insert", "plots", values=values)


def add_task(name: str, assignee: str, list_name: str, due: str, board: str) -> Step:
    values = {
        "task_name": name,
        "assigned_to_email": assignee,
        "list_name": list_name,
        "due_date": due,
        "board": board,
    }
    return Step("projects", "create_task", values, "insert", "tasks", values=values)


def reassign(tasks: Iterable[Row], assignee: str) -> list[Step]:
    """Tasks given to somebody; those they have already are left alone."""
    return [
        _updated("projects", "update_task", "task", "tasks", task, "assigned_to_email", assignee)
        for task in tasks
        if task["assigned_to_email"] != assignee
    ]


def update(customers: Iterable[Row], field: str, value: str) -> list[Step]:
    """Customers with one field set; those that have the value already are left alone."""
    return [
        _updated("crm", "update_customer", "customer", "customers", customer, field, value)
        for customer in customers
        if customer[field] != value
    ]


def _updated(app: str, tool: str, noun: str, table: str, row: Row, field: str, value: str) -> Step:
    arguments = {f"{noun}_id": row["id"], "field": field, "new_value": value}
    return Step(app, tool, arguments, "update", table, row["id"], {field: value})
