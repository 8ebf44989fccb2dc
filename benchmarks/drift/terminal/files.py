"""What a world's nodes hold, read back in plain Python; and how an outcome is told from what is to become of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

from benchmarks.drift.template import Outcome, Rows, Value
from harness.task import Call, Expected
from servers.kernel.shell import ROOT

__all__ = (
    "ROOT", "Invoice", "Log", "Node", "backups", "changes", "configs", "day", "file", "invoices", "logs", "moved",
    "names", "nodes", "parties", "photos", "said", "shell", "slug", "stock",
)  # fmt: skip

Node = Mapping[str, Any]


class Invoice(NamedTuple):
    """An invoice and the file that it is in."""

    path: str
    number: int
    customer: str
    dated: str
    amount: float
    status: str


class Log(NamedTuple):
    """A day's log of a service: (severity, message) of each line."""

    path: str
    service: str
    dated: str
    lines: tuple[tuple[str, str], ...]


def slug(name: str) -> str:
    """A name as file names have it."""
    plain = name.lower().replace("é", "e").replace("'", "")
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def nodes(rows: Rows) -> dict[str, Node]:
    """Path -> node."""
    return {node["path"]: node for node in rows["nodes"]}


def names(rows: Rows, folder: str) -> list[str]:
    """Names of the files right in a folder below the root, sorted."""
    start = f"{ROOT}/{folder}/"
    return sorted(
        path.removeprefix(start)
        for path, node in nodes(rows).items()
        if path.startswith(start) and "/" not in path.removeprefix(start) and node["kind"] == "file"
    )


def invoices(rows: Rows) -> list[Invoice]:
    """All invoices, by number."""
    found = []
    for path, node in nodes(rows).items():
        if path.startswith(f"{ROOT}/invoices/") and node["kind"] == "file":
            told = dict(line.split(": ", 1) for line in node["content"].splitlines() if ": " in line)
            number, amount = int(told["Invoice"]), float(told["Amount"])
            found.append(Invoice(path, number, told["Customer"], told["Date"], amount, told["Status"]))
    return sorted(found, key=lambda invoice: invoice.number)


def logs(rows: Rows) -> list[Log]:
    """All logs, by name."""
    found = []
    for name in names(rows, "logs"):
        service, dated = name.removesuffix(".log")[:-11], name.removesuffix(".log")[-10:]
        path = f"{ROOT}/logs/{name}"
        lines = [line.split(" ", 2)[1:] for line in nodes(rows)[path]["content"].splitlines()]
        found.append(Log(path, service, dated, tuple((severity, message) for severity, message in lines)))
    return found


def parties(rows: Rows) -> dict[str, tuple[str, str]]:
    """Customer -> kind, town."""
    lines = nodes(rows)[f"{ROOT}/customers.csv"]["content"].splitlines()[1:]
    return {name: (kind, town) for name, kind, town in (line.split(",") for line in lines)}


def stock(rows: Rows) -> list[dict[str, str]]:
    """Rows of the stock list, in order."""
    head, *lines = nodes(rows)[f"{ROOT}/stock.csv"]["content"].splitlines()
    return [dict(zip(head.split(","), line.split(","), strict=True)) for line in lines]


def configs(rows: Rows) -> dict[str, dict[str, tuple[int, int, int, str]]]:
    """Configuration -> key -> value, least, most, unit."""
    found: dict[str, dict[str, tuple[int, int, int, str]]] = {}
    for name in names(rows, "config"):
        text = nodes(rows)[f"{ROOT}/config/{name}"]["content"]
        bounds = {key: (int(low), int(high), unit) for key, unit, low, high in _BOUNDS.findall(text)}
        found[name.removesuffix(".ini")] = {
            key: (int(value), *bounds[key]) for key, value in re.findall(r"^(\w+) = (\d+)$", text, re.M)
        }
    return found


_BOUNDS = re.compile(r"^# (\w+): (\w+), from (\d+) to (\d+)$", re.M)


def photos(rows: Rows) -> dict[str, list[str]]:
    """Event -> paths of its photos."""
    found: dict[str, list[str]] = {}
    for path, node in nodes(rows).items():
        if path.startswith(f"{ROOT}/photos/") and node["kind"] == "file":
            found.setdefault(path.split("/")[3], []).append(path)
    return {event: sorted(paths) for event, paths in sorted(found.items())}


def backups(rows: Rows) -> dict[str, list[str]]:
    """What is backed up -> paths of its backups, oldest first."""
    found: dict[str, list[str]] = {}
    for name in names(rows, "backups"):
        found.setdefault(name[: -len("-2025-01-01.bak")], []).append(f"{ROOT}/backups/{name}")
    return found


def day(told: str) -> Value:
    """A day as people write it."""
    when = date.fromisoformat(told)
    return Value(f"{when.day} {when:%B %Y}", told)


def said(answers: list[str], kind: Any = "text") -> Outcome | None:
    """The outcome of a read; None where there is nothing to answer."""
    return Outcome(tuple(sorted(answers)), kind) if answers else None


def file(path: str, node: Node, content: str | None = None, mode: str | None = None) -> dict[str, Any]:
    """The node of that path that is like another one, but for what is given."""
    return {
        **node,
        "id": path,
        "path": path,
        "content": node["content"] if content is None else content,
        "mode": mode or node["mode"],
    }


def moved(rows: Rows, paths: list[str], folder: str) -> dict[str, Node | None]:
    """What becomes of files that go to a folder under their own names."""
    there = nodes(rows)
    after: dict[str, Node | None] = dict.fromkeys(paths)
    for path in paths:
        target = f"{ROOT}/{folder}/{path.rpartition('/')[2]}"
        after[target] = file(target, there[path])
    return after


def changes(rows: Rows, after: Mapping[str, Node | None]) -> Outcome | None:
    """The outcome in which these paths hold these nodes, None for no longer there; None where that changes nothing."""
    before = nodes(rows)
    found: list[Expected] = []
    for path in sorted(after):
        old, new = before.get(path), after[path]
        if new is None:
            if old is None:
                return None
            found.append(Expected(op="delete", app="terminal", table="nodes", id=path))
        elif old is None:
            values = {key: value for key, value in new.items() if key != "id" and (key, value) not in _PLAIN}
            found.append(Expected(op="insert", app="terminal", table="nodes", values=values))
        elif fields := {key: value for key, value in new.items() if old[key] != value}:
            found.append(Expected(op="update", app="terminal", table="nodes", id=path, values=fields))
    return Outcome(changes=tuple(found)) if found else None


_PLAIN = (("kind", "file"), ("content", ""), ("data", None))


def shell(script: str) -> Call:
    """A script to be run."""
    return Call(app="terminal", tool="run_shell", arguments={"script": script})
