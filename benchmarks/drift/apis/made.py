"""What templates are made of here: rows found in plain Python, outcomes, and a template over a path and a truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Literal, TypeAlias

from benchmarks.drift.apis.play import Path, solved
from benchmarks.drift.need import sifted
from benchmarks.drift.template import AnswerKind, Draw, Outcome, Rows, Slot, Template, Value, Values
from harness.task import Expected
from servers.kernel import canonical

__all__ = ("Row", "Taken", "ahead", "by", "change", "changes", "insert", "names", "template", "told", "where")

Row: TypeAlias = Mapping[str, Any]
Taken: TypeAlias = Mapping[str, Any]
"""Slot -> the value that `truth` is asked about; None where it is dropped."""


def by(rows: Rows, table: str, id: str) -> Row:
    """The row of that id. Raises KeyError."""
    for row in rows[table]:
        if row["id"] == id:
            return row
    raise KeyError(f"{table} has no row {id!r}")


def where(rows: Rows, table: str, **wanted: Any) -> list[Row]:
    """Rows with all these values."""
    return [row for row in rows[table] if all(row[name] == value for name, value in wanted.items())]


def names(rows: Rows, table: str) -> dict[str, str]:
    """Id -> name."""
    return {row["id"]: row["name"] for row in rows[table]}


def ahead(day: str, days: int) -> str:
    """The day so many days later, as YYYY-MM-DD."""
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()


def told(answers: Iterable[Any], kind: AnswerKind = "text", *, ranked: bool = False) -> Outcome | None:
    """The outcome of a read; None where there is nothing to answer with."""
    texts = [str(each) for each in answers]
    return Outcome(tuple(texts if ranked else sorted(texts)), kind, ranked) if texts else None


def change(table: str, id: str, **values: Any) -> Expected:
    """A row that is to have other values."""
    return Expected(op="update", app="apis", table=table, id=id, values=values)


def insert(table: str, **values: Any) -> Expected:
    """A row that is to be there, without what is null or at its default."""
    return Expected(op="insert", app="apis", table=table, values=values)


def changes(*expected: Expected) -> Outcome:
    """The outcome of a change."""
    return Outcome(changes=tuple(sorted(expected, key=lambda each: canonical(each.model_dump(mode="json")))))


Truth: TypeAlias = Callable[[Rows, Taken], Outcome | None]


def template(
    id: str,
    world: str,
    slots: Sequence[Slot],
    wordings: Sequence[str],
    truth: Truth,
    path: Path,
    *,
    kind: Literal["read", "insert", "change"],
    risky: bool = False,
) -> Template:
    """A template whose values are drawn slot after slot, each beside those before it."""

    def draw(rows: Rows, draw: Draw) -> Values | None:
        values: dict[str, Value] = {}
        for slot in slots:
            domain = slot.domain(rows, values)
            if not domain:
                return None
            values[slot.id] = draw.one(slot.id, domain)
        return values if all(_matters(rows, values, slot, truth) for slot in slots) else None

    return sifted(
        Template(
            id=f"apis-{id}",
            environment="apis",
            world=world,
            kind=kind,
            slots=tuple(slots),
            wordings=tuple(wordings),
            draw=draw,
            truth=truth,
            solve=solved(world, path),
            risky=risky,
        )
    )


def _matters(rows: Rows, values: Values, slot: Slot, truth: Truth) -> bool:
    """Whether the task can be done, and would not come to the same with most other values of this slot."""
    taken = {name: value.value for name, value in values.items()}
    meant = truth(rows, taken)
    others = [value.value for value in slot.domain(rows, values) if value != values[slot.id]]
    same = sum(truth(rows, {**taken, slot.id: other}) == meant for other in others)
    return meant is not None and 2 * same <= len(others)
