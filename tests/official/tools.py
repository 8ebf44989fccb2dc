"""A second reading of what the release's writing tools do, rows and ids, and of how it judges what they left.

Like `independent`, it shares no code with the apps, the re-scorer or its profiles. Tables are lists of rows in order.
Row labels, and mails that overwrite others because of them, are left out, as they are in the re-scorer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tests.official.independent import KEYS, Tables, parsed

Table = list[dict[str, Any]]

_BOARDS: Final = ("Back end", "Front end", "Design")
_LISTS: Final = ("Backlog", "In Progress", "In Review", "Completed")
_STATUSES: Final = ("Qualified", "Won", "Lost", "Lead", "Proposal")
_PRODUCTS: Final = ("Software", "Hardware", "Services", "Consulting", "Training")
_NULLABLE: Final = ("customer_phone", "notes")
_CASE_MATTERS: Final = ("status", "list_name", "board")


class Release:
    """The five tables of one run, under the tools of 2024 or of 2026. A call may raise whatever it raises there."""

    def __init__(self, start: Tables, year: int) -> None:
        self.year = year
        self.tables: dict[str, Table] = {
            name: [{k: None if k in _NULLABLE and not v else v for k, v in row.items()} for row in rows]
            for name, rows in start.items()
        }
        self.added: set[str] = set()

    def play(self, calls: Sequence[str]) -> bool:
        """Make the calls, passing over those that fail; whether none did."""
        well = True
        for text in calls:
            try:
                name, given = parsed(text)
                getattr(self, name.split(".")[1])(**given)
            except Exception:  # noqa: BLE001 (the release passes over whatever happens)
                well = False
        return well

    def create_event(self, event_name="", participant_email="", event_start="", duration="") -> None:  # type: ignore[no-untyped-def]
        if event_name and participant_email and event_start and duration:
            self._append(
                "events", event_name=event_name, participant_email=participant_email.lower(), event_start=event_start,
                duration=duration,
            )  # fmt: skip

    def delete_event(self, event_id: str = "") -> None:
        self._delete("events", event_id)

    def update_event(self, event_id: str = "", field: str = "", new_value: str = "") -> None:
        if event_id and field and new_value and self._of("events", event_id):
            self.added |= {field} - self.tables["events"][0].keys()
            self._set("events", event_id, field, new_value.lower() if field == "participant_email" else new_value)

    def send_email(self, recipient: str = "", subject: str = "", body: str = "") -> None:
        if recipient and subject and body and "@" in recipient and "." in recipient:
            row = {"inbox/outbox": "outbox", "sender/recipient": recipient.lower(), "subject": subject, "body": body}
            self._append("emails", **row)

    def delete_email(self, email_id: str = "") -> None:
        self._delete("emails", email_id)

    def forward_email(self, email_id: str = "", recipient: str = "") -> None:
        if recipient and (found := self._of("emails", email_id)):
            self.send_email(recipient, f"FW: {found[0]['subject']}", found[0]["body"])

    def reply_email(self, email_id: str = "", body: str = "") -> None:
        if body and (found := self._of("emails", email_id)):
            self.send_email(found[0]["sender/recipient"], found[0]["subject"], body)

    def create_plot(self, time_min: str, time_max: str, value_to_plot: str, plot_type: str) -> None:
        self.tables["plots"].append({"file_path": f"plots/{time_min}_{time_max}_{value_to_plot}_{plot_type}.png"})

    def create_task(self, task_name="", assigned_to_email="", list_name="", due_date="", board="") -> None:  # type: ignore[no-untyped-def]
        if not (task_name and assigned_to_email and list_name and due_date and board):
            return
        if self._assigned(assigned_to_email) and list_name in _LISTS and board in _BOARDS:
            self._append(
                "tasks", task_name=task_name, assigned_to_email=assigned_to_email.lower(), list_name=list_name,
                due_date=due_date, board=board,
            )  # fmt: skip

    def delete_task(self, task_id: str = "") -> None:
        self._delete("tasks", task_id)

    def update_task(self, task_id: str = "", field: str = "", new_value: str = "") -> None:
        choices = {"board": _BOARDS, "list_name": _LISTS}.get(field, (new_value,))
        if not (new_value in choices and (field != "assigned_to_email" or self._assigned(new_value))):
            return
        found = self._of("tasks", task_id)
        if found and new_value and field in found[0]:
            self._set("tasks", task_id, field, new_value.lower() if field == "assigned_to_email" else new_value)

    def add_customer(  # type: ignore[no-untyped-def]
        self, customer_name="", assigned_to_email="", status="", customer_email=None, customer_phone=None,
        last_contact_date=None, product_interest=None, notes="", follow_up_by=None,
    ) -> None:  # fmt: skip
        if customer_name and assigned_to_email and status:
            self._append(
                "customers", customer_name=customer_name, assigned_to_email=assigned_to_email.lower(), status=status,
                customer_email=customer_email and customer_email.lower(), customer_phone=customer_phone,
                last_contact_date=last_contact_date, product_interest=product_interest, notes=notes,
                follow_up_by=follow_up_by,
            )  # fmt: skip

    def delete_customer(self, customer_id: str = "") -> None:
        self._delete("customers", customer_id)

    def update_customer(self, customer_id: str = "", field: str = "", new_value: str = "") -> None:
        choices = {"status": _STATUSES, "product_interest": _PRODUCTS}.get(field, (new_value,))
        found = self._of("customers", customer_id)
        if found and new_value and new_value in choices and field in found[0]:
            low = field in ("customer_email", "assigned_to_email")
            self._set("customers", customer_id, field, new_value.lower() if low else new_value)

    def _of(self, table: str, id: str) -> Table:
        return [row for row in self.tables[table] if id and row[KEYS[table]] == id]

    def _assigned(self, address: str) -> bool:
        return any(row["assigned_to_email"] == address.lower() for row in self.tables["tasks"])

    def _append(self, table: str, **values: Any) -> None:
        ids = [row[KEYS[table]] for row in self.tables[table]]
        number = 0 if not ids and self.year == 2026 else int(max(ids)) + 1  # the largest as text
        wide = 0 if table == "emails" and self.year == 2024 else 8
        self.tables[table].append({KEYS[table]: str(number).zfill(wide), **values})

    def _delete(self, table: str, id: str) -> None:
        self.tables[table] = [row for row in self.tables[table] if not id or row[KEYS[table]] != id]

    def _set(self, table: str, id: str, field: str, value: str) -> None:
        for row in self._of(table, id):
            row[field] = value


def judged(start: Tables, calls: Sequence[str], answer: Sequence[str], profile: str) -> tuple[bool, bool]:
    """(correct, side effects) of the calls against the reference calls, under one release's rules."""
    year = 2024 if profile == "v1-2024" else 2026
    before, wanted, made = Release(start, year), Release(start, year), Release(start, year)
    well = made.play(calls)
    assert wanted.play(answer)
    same = _seen(wanted, profile) == _seen(made, profile)
    right = same and (year == 2024 or well)
    return right, _raw(made) != _raw(before) and not right


def _seen(release: Release, profile: str) -> Any:
    """All tables as the release compares them: in lower case, in order in 2024, in any order in 2026."""
    tables: dict[str, Any] = {"added": release.added}
    for name, rows in release.tables.items():
        lines = [
            sorted(
                (k, v.lower() if isinstance(v, str) and k not in _CASE_MATTERS else v)
                for k, v in row.items()
                if k != "sent_datetime"
            )
            for row in rows
        ]
        if name == "plots" and profile == "v2-2026-07":
            lines = [[(k, v.replace("_2023-11-30_", "_2023-11-29_")) for k, v in line] for line in lines]
        tables[name] = lines if release.year == 2024 else sorted(lines, key=repr)
    return tables


def _raw(release: Release) -> Any:
    """All tables letter by letter; the plots of 2026 do no harm."""
    tables: dict[str, Any] = {"added": release.added}
    for name, rows in release.tables.items():
        lines = [sorted(row.items()) for row in rows]
        tables[name] = lines if release.year == 2024 else sorted(lines, key=repr)
    if release.year == 2026:
        del tables["plots"]
    return tables


def written(tool: str, **given: str) -> str:
    """A call as the release writes it down."""
    return f"{tool}.func({', '.join(f'{name}={value!r}' for name, value in given.items())})"
