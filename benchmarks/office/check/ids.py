"""Rules about ids: each is there once, whatever names one finds it, and rows fit their tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from benchmarks.office.check.office import Office, Problem
from servers import catalog

__all__ = ("ids_are_there",)


def ids_are_there(office: Office) -> Iterator[Problem]:
    """No id is there twice, and none is named that is nowhere."""
    ids: dict[tuple[str, str], set[str]] = {}
    for app, tables in office.world.rows.items():
        for table, rows in tables.items():
            counts = Counter(row["id"] for row in rows)
            ids[app, table] = set(counts)
            for id, times in counts.items():
                if times > 1:
                    yield Problem("ids", f"{app}.{table} {id}", f"is there {times} times")
    mails = ids["gmail", "emails"] | ids["gmail", "trash"]
    for id in sorted(ids["gmail", "emails"] & ids["gmail", "trash"]):
        yield Problem("ids", f"gmail {id}", "is in the mailbox and in the trash")
    targets: dict[tuple[str, str, str], set[str]] = {
        ("gmail", "emails", "thread"): mails,
        ("gmail", "envelopes", "id"): mails,
        ("gmail", "attachments", "email"): mails,
        ("gmail", "threads", "id"): mails,
        ("gmail", "thread_labels", "thread"): ids["gmail", "threads"],
        ("calendar", "events", "series"): ids["calendar", "events"],
        ("chat", "messages", "thread"): ids["chat", "messages"],
        ("chat", "messages", "author_id"): ids["chat", "members"],
        ("chat", "messages", "channel_id"): ids["chat", "channels"],
        ("chat", "channel_members", "channel_id"): ids["chat", "channels"],
        ("chat", "channel_members", "member_id"): ids["chat", "members"],
        ("chat", "reactions", "message_id"): ids["chat", "messages"],
        ("chat", "reactions", "member_id"): ids["chat", "members"],
        ("todoist", "tasks", "parent_id"): ids["todoist", "tasks"],
        ("todoist", "tasks", "project_id"): ids["todoist", "projects"],
        ("todoist", "tasks", "section_id"): ids.get(("todoist", "sections"), set()),
        ("todoist", "sections", "project_id"): ids["todoist", "projects"],
        ("todoist", "task_labels", "task_id"): ids["todoist", "tasks"],
        ("todoist", "task_labels", "label_id"): ids.get(("todoist", "labels"), set()),
        ("todoist", "comments", "task_id"): ids["todoist", "tasks"],
        ("crm", "customers", "company_id"): ids["crm", "companies"],
        ("crm", "deals", "contact_id"): ids["crm", "customers"],
        ("crm", "deals", "company_id"): ids["crm", "companies"],
        ("crm", "stage_changes", "deal_id"): ids["crm", "deals"],
        ("crm", "notes", "record_id"): ids["crm", "deals"],
    }
    for (app, table, column), known in targets.items():
        for row in office.rows(app, table):
            if row.get(column) and row[column] not in known:
                yield Problem("ids", f"{app}.{table} {row['id']}", f"{column} {row[column]} is nowhere")
    labels = {row["name"] for row in office.rows("gmail", "labels")}
    for row in office.rows("gmail", "thread_labels"):
        if row["label"] not in labels:
            yield Problem("ids", f"gmail.thread_labels {row['id']}", f"there is no label {row['label']}")
    for app, tables in office.world.rows.items():
        for model in catalog.app(app).tables:
            for values in tables.get(model.table_name, ()):
                model.from_json(values)
