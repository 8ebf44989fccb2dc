"""What the WorkBench release calls things, and what we call them: the only place where both meet.

Field names, file names and row shapes are those of the 2024 release (paper section 3.1, appendix A).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from harness.task import Compare, Task

__all__ = ("APPS", "COMPARE", "DOMAINS", "LABELS", "SOURCES", "TOOLSET", "Source", "required")

TOOLSET: Final = "workbench"
"""The toolset of every app that carries the paper's 27 tools (appendix A.5)."""

DOMAINS: Final = (
    "email",
    "calendar",
    "analytics",
    "project_management",
    "customer_relationship_manager",
    "multi_domain",
)
"""Task files, in the order that numbers the tasks."""

APPS: Final[Mapping[str, str]] = {
    "email": "gmail",
    "calendar": "calendar",
    "analytics": "analytics",
    "project_management": "projects",
    "customer_relationship_manager": "crm",
    "company_directory": "directory",
}
"""The release's tool prefix -> our app."""

LABELS: Final[Mapping[str, str]] = {"crm": "customer_relationship_manager"}
"""Domain labels that the release shortens in multi-domain tasks -> the full domain name."""


class Source(NamedTuple):
    """One data file and the table it fills.

    `columns` maps the release's column to our field, in the file's order; `key` is the column that
    holds the id, or empty where rows are numbered from 0. `header` is False for a bare list.
    `nullable` columns read an empty cell as None; every other cell is text unless it is listed
    under `counts` (whole numbers) or `flags` (True or False).
    """

    path: str
    app: str
    table: str
    columns: Mapping[str, str]
    key: str = ""
    header: bool = True
    nullable: frozenset[str] = frozenset()
    counts: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()


def _same(*names: str) -> dict[str, str]:
    return {name: name for name in names}


SOURCES: Final[Sequence[Source]] = (
    Source(
        "data/processed/emails.csv",
        "gmail",
        "emails",
        {
            "email_id": "id",
            "inbox/outbox": "folder",
            "sender/recipient": "address",
            **_same("subject", "sent_datetime", "body"),
        },
        key="email_id",
    ),
    Source(
        "data/processed/calendar_events.csv",
        "calendar",
        "events",
        {"event_id": "id", **_same("event_name", "participant_email", "event_start", "duration")},
        key="event_id",
    ),
    Source(
        "data/processed/analytics_data.csv",
        "analytics",
        "visits",
        _same(
            "date_of_visit", "visitor_id", "page_views", "session_duration_seconds", "traffic_source", "user_engaged"
        ),
        counts=frozenset({"page_views", "session_duration_seconds"}),
        flags=frozenset({"user_engaged"}),
    ),
    Source(
        "data/processed/project_tasks.csv",
        "projects",
        "tasks",
        {"task_id": "id", **_same("task_name", "assigned_to_email", "list_name", "due_date", "board")},
        key="task_id",
    ),
    Source(
        "data/processed/customer_relationship_manager_data.csv",
        "crm",
        "customers",
        {
            "customer_id": "id",
            **_same(
                "assigned_to_email",
                "customer_name",
                "customer_email",
                "customer_phone",
                "last_contact_date",
                "product_interest",
                "status",
                "follow_up_by",
                "notes",
            ),
        },
        key="customer_id",
        nullable=frozenset({"customer_phone", "notes"}),
    ),
    Source("data/raw/email_addresses.csv", "directory", "people", _same("email_address"), header=False),
)

_CASE_MATTERS: Final = frozenset({"status", "list_name", "board"})

COMPARE: Final = Compare(
    text=frozenset(
        f"{source.app}.{source.table}.{field}"
        for source in SOURCES
        if source.app not in ("analytics", "directory")  # tables that no tool writes
        for column, field in source.columns.items()
        if column != source.key and field not in _CASE_MATTERS | {"sent_datetime"}
    )
    | {"analytics.plots.file_path"},
    free=frozenset({"gmail.emails.sent_datetime"}),
)
"""How the release compares end states, field by field.

It lower-cases every column of text but `status`, `list_name` and `board`. The time of a mail that
was sent is no text there, so lower-casing turns it into a missing value on both sides: it never
counts, hence `free`. No tool changes it on a mail that exists.
"""


def required(task: Task) -> tuple[str, ...]:
    """The apps of a task's own domains, and the directory, as the paper's required tools are (table 5).

    The release's own choice left out the CRM where a task calls it `crm`; this one does not.
    """
    return *(APPS[domain] for domain in task.facts["domains"]), APPS["company_directory"]
