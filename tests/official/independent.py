"""A second reading of the WorkBench release: CSV files and reference calls, by `csv` and `ast` alone.

It shares no code with the apps or the importer, so that agreement between the two means something.
Names are the release's own. Tables are lists of rows as text; a write makes a new list.
"""

from __future__ import annotations

import ast
import csv
from collections import Counter
from pathlib import Path
from typing import NamedTuple

Row = dict[str, str]
Tables = dict[str, list[Row]]

FILES = {
    "emails": ("processed/emails.csv", "email_id"),
    "events": ("processed/calendar_events.csv", "event_id"),
    "tasks": ("processed/project_tasks.csv", "task_id"),
    "customers": ("processed/customer_relationship_manager_data.csv", "customer_id"),
}
KEYS = {**{name: key for name, (_, key) in FILES.items()}, "plots": "file_path"}
DOMAINS = ("email", "calendar", "analytics", "project_management", "customer_relationship_manager", "multi_domain")


class Difference(NamedTuple):
    """A row that two states do not share. `fields` is everything for a new row, what changed for an old one."""

    op: str
    table: str
    id: str
    fields: tuple[tuple[str, str], ...]


def starting_tables(root: Path) -> Tables:
    tables: Tables = {"plots": []}
    for name, (path, _) in FILES.items():
        with (root / "data" / path).open(newline="", encoding="utf-8") as file:
            tables[name] = list(csv.DictReader(file))
    return tables


def published_tasks(root: Path) -> dict[str, tuple[Row, list[str]]]:
    """Task id -> its row and the text of its reference calls."""
    found = {}
    for domain in DOMAINS:
        path = root / "data/processed/queries_and_answers" / f"{domain}_queries_and_answers.csv"
        with path.open(newline="", encoding="utf-8") as file:
            for number, row in enumerate(csv.DictReader(file)):
                found[f"{domain}-{number:03d}"] = (row, ast.literal_eval(row["answer"]))
    return found


def parsed(call: str) -> tuple[str, Row]:
    tree = ast.parse(call.replace("\n", "\\n"), mode="eval").body
    assert isinstance(tree, ast.Call)
    assert not tree.args
    arguments = {keyword.arg or "": ast.literal_eval(keyword.value) for keyword in tree.keywords}
    return ast.unparse(tree.func).removesuffix(".func"), arguments


def replayed(start: Tables, calls: list[str]) -> Tables:
    """The tables after the calls. Raises `AssertionError` for one that would do nothing."""
    tables = dict(start)
    for call in calls:
        name, given = parsed(call)
        app, verb = name.split(".")
        table = {
            "email": "emails",
            "calendar": "events",
            "analytics": "plots",
            "project_management": "tasks",
            "customer_relationship_manager": "customers",
        }[app]
        tables[table] = _written(table, tables[table], verb, given)
    return tables


def differences(start: Tables, end: Tables) -> Counter[Difference]:
    """What sets `end` apart. New rows carry no id; the time of a new mail is left out."""
    found: Counter[Difference] = Counter()
    for table, key in KEYS.items():
        old = {row[key]: row for row in start[table]}
        new = {row[key]: row for row in end[table]}
        for id in old.keys() - new.keys():
            found[Difference("delete", table, id, ())] += 1
        for row in end[table]:
            was = old.get(row[key])
            if was is None:
                skip = {"sent_datetime"} if table == "plots" else {key, "sent_datetime"}
                fields = {name: value for name, value in row.items() if name not in skip}
                found[Difference("insert", table, "", tuple(sorted(fields.items())))] += 1
            elif was != row:
                fields = {name: value for name, value in row.items() if was[name] != value}
                found[Difference("update", table, row[key], tuple(sorted(fields.items())))] += 1
    return found


def _written(table: str, rows: list[Row], verb: str, given: Row) -> list[Row]:
    if table == "plots":
        assert verb == "create_plot"
        path = "plots/{time_min}_{time_max}_{value_to_plot}_{plot_type}.png".format(**given)
        return [*rows, {"file_path": path}]
    key = KEYS[table]
    place = next((n for n, row in enumerate(rows) if row[key] == given.get(key)), None)
    fresh = str(max(int(row[key]) for row in rows) + 1).zfill(8)
    kind = verb.split("_")[0]
    if kind == "delete":
        assert place is not None
        return [*rows[:place], *rows[place + 1 :]]
    if kind == "update":
        assert place is not None
        assert given["field"] in rows[place]
        value = given["new_value"].lower() if given["field"].endswith("_email") else given["new_value"]
        return [*rows[:place], {**rows[place], given["field"]: value}, *rows[place + 1 :]]
    if kind in ("create", "add"):
        blank = dict.fromkeys(rows[0], "")
        low = {name: value.lower() if name == "participant_email" else value for name, value in given.items()}
        return [*rows, {**blank, key: fresh, **low}]
    old = rows[place] if place is not None else {}
    mail = {
        "send": lambda: (given["recipient"].lower(), given["subject"], given["body"]),
        "forward": lambda: (given["recipient"].lower(), "FW: " + old["subject"], old["body"]),
        "reply": lambda: (old["sender/recipient"], old["subject"], given["body"]),
    }[kind]()
    columns = ("email_id", "inbox/outbox", "sender/recipient", "subject", "sent_datetime", "body")
    values = (fresh, "outbox", mail[0], mail[1], "2023-11-30 00:00:00", mail[2])
    return [*rows, dict(zip(columns, values, strict=True))]
