"""What an import counts, beside what was found in the published file when this was written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks.dbbench.profile import same
from benchmarks.dbbench.store import Imported, Known
from benchmarks.dbbench.truth import DEPARTURES
from harness.suite import Table

__all__ = ("Figure", "figures", "tables", "unexpected")


class Figure(NamedTuple):
    """A count of rows, out of how many, and what it is in the published file (None: not known)."""

    what: str
    here: int
    of: int
    expected: int | None


def figures(imported: Imported) -> list[Figure]:
    """All of them."""
    rows = list(imported.rows.values())
    inserts, updates, reads = (
        [each for each in rows if each.row.kind == kind] for kind in ("insert", "update", "read")
    )
    changes = [each for each in rows if each.row.kind != "read"]

    def count(what: str, among: Sequence[Known], holds: Callable[[Known], bool], expected: int | None) -> Figure:
        return Figure(what, sum(map(holds, among)), len(among), expected if imported.head.official else None)

    return [
        count("questions", rows, lambda each: each.row.kind == "read", 100),
        count("insertions", rows, lambda each: each.row.kind == "insert", 100),
        count("updates", rows, lambda each: each.row.kind == "update", 100),
        count("changes whose published statement leaves the published hash", changes, _published, 194),
        count("of these insertions", inserts, _published, 100),
        count("changes verified, with statements of our own", changes, _verified, 199),
        count("questions whose published statement gives the published answer", reads, _published, None),
        count("questions verified, with statements of our own", reads, _verified, None),
        count("questions that the answer 1 is right for", reads, lambda each: same(["1"], each.row.label), 11),
        count("insertions whose description lacks a value", inserts, lambda each: bool(each.truth.lacks), 32),
        count("updates whose description lacks a value", updates, lambda each: bool(each.truth.lacks), 8),
    ]


def _published(each: Known) -> bool:
    return each.truth.verified and each.truth.source == "published"


def _verified(each: Known) -> bool:
    return each.truth.verified


def unexpected(imported: Imported) -> list[str]:
    """How an import of the published file differs from what is expected of it; nothing of any other file."""
    if not imported.head.official:
        return []
    told = [
        f"{each.what}: {each.expected} expected, {each.here} here"
        for each in figures(imported)
        if each.expected not in (None, each.here)
    ]
    changes = [each for each in imported.rows.values() if each.row.kind != "read"]
    departing = {each.number for each in changes if not _published(each)}
    told += [f"row {number}: its published hash is not met" for number in sorted(departing - DEPARTURES.keys())]
    told += [
        f"row {number}: a named departure, and its hash is met" for number in sorted(DEPARTURES.keys() - departing)
    ]
    return told


def tables(imported: Imported) -> list[Table]:
    """The figures, and every change whose published statement does not leave the published hash."""
    found = [
        Table(
            "DBBench: rows",
            ("figure", "here", "of", "expected"),
            [e._asdict() | {"figure": e.what} for e in figures(imported)],
        )
    ]
    listed = [
        {
            "row": each.number,
            "type": each.row.type[0],
            "verified": "by a statement of our own" if each.truth.verified else "no",
            "published statement": each.truth.why,
            "named departure": DEPARTURES.get(each.number) if imported.head.official else None,
        }
        for each in imported.rows.values()
        if each.row.kind != "read" and not _published(each)
    ]
    if listed:
        found.append(Table("Changes that depart from their published hash", tuple(listed[0]), listed))
    return found
