"""What is right for a row, and what confirms it: a statement of ours that comes to what was published.

A change is confirmed by the published hash of the table, a question by the published answer. Until then a row is
*unverified*. Statements are tried in turn: the published one, in our dialect, and one of our own (`own.yaml`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, Literal, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict

from benchmarks.dbbench.lacking import lacking
from benchmarks.dbbench.mysql import as_duckdb
from benchmarks.dbbench.profile import same
from benchmarks.dbbench.published import Row
from benchmarks.dbbench.tables import answered, changed
from harness.task import Expected
from servers.kernel import Rejected

__all__ = ("DEPARTURES", "Source", "Truth", "own", "truth")

DEPARTURES: Final[Mapping[int, str]] = {
    206: "MySQL compares texts without their accents",
    225: "not explained",
    278: "a text counts as a number where it is compared with one",
    284: "a text counts as a number where it is compared with one",
    291: "a text counts as a number where it is added to one",
    295: "a text counts as a number where it is compared with one",
}
"""Rows of the published file whose label, said in DuckDB's dialect, does not come to the published hash, and why."""

Source: TypeAlias = Literal["published", "own", ""]


class Truth(BaseModel):
    """What is known of a row.

    `source` says whose `statement` it is, "" where none comes to anything. `verified`: what it comes to is what was
    published. `changes` are the records that a change leaves gone or new. `why` says what was wrong with the published
    statement, "" where it is verified. `lacks` are values that a change needs and its description does not say.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: Source = ""
    statement: str = ""
    verified: bool = False
    changes: tuple[Expected, ...] = ()
    why: str = ""
    lacks: tuple[str, ...] = ()


def truth(row: Row, ours: str = "") -> Truth:
    """What is right for the row; `ours` is a statement of our own for it, "" where there is none."""
    tried = list(_tried(row, ours))
    why = tried[0].why if tried else "there is no statement"
    best = next((each for each in tried if each.verified), None) or next((each for each in tried if each.source), None)
    return (best or Truth()).model_copy(update={"why": why, "lacks": lacking(row)})


def _tried(row: Row, ours: str) -> Iterator[Truth]:
    published = row.sql.query if row.kind == "read" else row.label[0]
    if published.strip():
        yield _of(row, "published", as_duckdb(published, (row.relation, *row.columns)))
    if ours:
        yield _of(row, "own", ours)


def _of(row: Row, source: Source, statement: str) -> Truth:
    """What a statement comes to; without a source where that is nothing."""
    try:
        if row.kind == "read":
            found = answered(row, statement)
            verified = same(found, row.label)
            why = "" if verified else f"it gives {found}"
            return Truth(source=source, statement=statement, verified=verified, why=why)
        left = changed(row, statement)
    except Rejected as refused:
        return Truth(why=str(refused).splitlines()[0])
    if not left.changes:
        return Truth(why="it changes nothing")
    verified = left.md5 == row.answer_md5
    why = (
        "" if verified else f"it leaves a table with the hash {left.md5}" if row.answer_md5 else "no hash is published"
    )
    return Truth(source=source, statement=statement, verified=verified, changes=left.changes, why=why)


@cache
def own() -> Mapping[int, str]:
    """Statements of our own, by the number of their row in the published file."""
    found = yaml.safe_load(files(__package__).joinpath("own.yaml").read_text(encoding="utf-8"))
    return {int(number): " ".join(statement.split()) for number, statement in (found or {}).items()}
