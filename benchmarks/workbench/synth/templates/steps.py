"""What one write of a reference solution is: the call that makes it, and the change that it leaves.

What is done to rows takes rows and gives a step for each. `acts` does the same through tools.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from harness.task import Call, Expected

__all__ = (
    "Row", "Step", "add_lead", "add_task", "book", "cancel", "change_customers", "change_events", "change_tasks",
    "discard", "drop", "forward", "mail", "plot", "reply",
)  # fmt: skip

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


def forward(mails: Iterable[Row], recipient: str) -> list[Step]:
    """Mails passed on to one recipient."""
    to = {"recipient": recipient}
    return [
        _sent("forward_email", {"email_id": row["id"], **to}, recipient, f"FW: {row['subject']}", row["body"])
        for row in mails
    ]


def reply(mails: Iterable[Row], body: str) -> list[Step]:
    """Mails answered, all with the same text."""
    return [
        _sent("reply_email", {"email_id": row["id"], "body": body}, row["address"], row["subject"], body)
        for row in mails
    ]


def _sent(tool: str, arguments: dict[str, str], to: str, subject: str, body: str) -> Step:
    values = {"folder": "outbox", "address": to, "subject": subject, "body": body}
    return Step("gmail", tool, arguments, "insert", "emails", values=values)


def book(name: str, participant: str, start: str, minutes: int) -> Step:
    values = {"event_name": name, "participant_email": participant, "event_start": start, "duration": str(minutes)}
    return Step("calendar", "create_event", values, "insert", "events", values=values)


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


def add_lead(name: str, owner: str, product: str) -> Step:
    """A new customer with the status Lead; a customer added without notes has empty ones."""
    arguments = {"customer_name": name, "assigned_to_email": owner, "status": "Lead", "product_interest": product}
    return Step("crm", "add_customer", arguments, "insert", "customers", values={**arguments, "notes": ""})


def change_events(events: Iterable[Row], field: str, value: str) -> list[Step]:
    """Events with one field set; those that have the value already are left alone, here and below."""
    return _changed("calendar", "event", events, field, value)


def change_tasks(tasks: Iterable[Row], field: str, value: str) -> list[Step]:
    return _changed("projects", "task", tasks, field, value)


def change_customers(customers: Iterable[Row], field: str, value: str) -> list[Step]:
    return _changed("crm", "customer", customers, field, value)


def _changed(app: str, noun: str, rows: Iterable[Row], field: str, value: str) -> list[Step]:
    return [
        Step(
            app,
            f"update_{noun}",
            {f"{noun}_id": row["id"], "field": field, "new_value": value},
            "update",
            f"{noun}s",
            row["id"],
            {field: value},
        )
        for row in rows
        if row[field] != value
    ]


def discard(mails: Iterable[Row]) -> list[Step]:
    """Mails deleted."""
    return _deleted("gmail", "email", mails)


def cancel(events: Iterable[Row]) -> list[Step]:
    """Events deleted."""
    return _deleted("calendar", "event", events)


def drop(customers: Iterable[Row]) -> list[Step]:
    """Customers deleted."""
    return _deleted("crm", "customer", customers)


def _deleted(app: str, noun: str, rows: Iterable[Row]) -> list[Step]:
    return [Step(app, f"delete_{noun}", {f"{noun}_id": row["id"]}, "delete", f"{noun}s", row["id"]) for row in rows]
