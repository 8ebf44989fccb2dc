"""What nothing checks: ends that differ from the reference's in one field or one row, and are accepted all the same.

Mutants show what the calls of a reference, a little changed, can do to it. A field that no argument of theirs
reaches, and one that a comparison frees, are beyond them. So these ends are made on the record alone, with
the calls that it would take, and the suite's own checks are asked about each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from random import Random
from typing import Any, Literal, NamedTuple

from pydantic import ValidationError

from harness.audit.mutants import Case
from harness.audit.values import off_by_one
from harness.audit.workplace import Workplace, field_schema, folded
from servers.kernel import Change, Table

__all__ = ("Probe", "Where", "probe")

Where = Literal["in rows that are written", "in other rows", "a row added", "a row removed"]

_NEW = "one more"
"""Id of a row that is added besides: a new row has no identity but its content."""

_TRIES = 2
"""Values of one field in one row, all of which must be accepted: one of them may be another end that the task lists."""


class Probe(NamedTuple):
    """Whether a task's checks accept any value of a field (`what` is app.table.field), or a row (app.table).

    `accepted` is None where no other value could be made.
    """

    what: str
    where: Where
    accepted: bool | None


def probe(case: Case, rng: Random) -> Iterator[Probe]:
    """Every field of every row that the reference writes; for every table at hand, one other row and its fields."""
    yield from _written(case, rng)
    for app, toolset in case.workplace.toolsets.items():
        for table in toolset.app.tables:
            yield from _besides(case, app, table, rng)


def _written(case: Case, rng: Random) -> Iterator[Probe]:
    found: dict[str, bool | None] = {}
    changes = case.reference.trajectory.changes
    for n, change in enumerate(changes):
        if change.after is None:
            continue
        table = case.workplace.toolsets[change.app].app.table(change.table)
        for field in _fields(table):
            what = f"{change.app}.{change.table}.{field}"
            if not found.get(what):
                ends = (
                    [*changes[:n], *_differing(change, {**change.after, field: value}), *changes[n + 1 :]]
                    for value in _others(case.workplace, change.app, table, change.id, change.after, field, rng)
                )
                accepted = _all(case, ends)
                found[what] = found.get(what) if accepted is None else accepted
    yield from (Probe(what, "in rows that are written", accepted) for what, accepted in found.items())


def _besides(case: Case, app: str, table: type[Table], rng: Random) -> Iterator[Probe]:
    """One row that the reference leaves alone: changed in each field, removed; and one more like it."""
    place, name, changes = case.workplace, f"{app}.{table.table_name}", case.reference.trajectory.changes

    def accepted(id: str, before: dict[str, Any] | None, after: Iterable[dict[str, Any] | None]) -> bool | None:
        made = (Change(app=app, table=table.table_name, id=id, before=before, after=each) for each in after)
        return _all(case, ([*changes, each] for each in made))

    rows = place.rows.get(app, {}).get(table.table_name, {})
    if others := [id for id in rows if id not in case.named]:
        id = rng.choice(others)
        row = table.from_json(rows[id]).to_json()
        for field in _fields(table):
            values = _others(place, app, table, id, row, field, rng)
            yield Probe(f"{name}.{field}", "in other rows", accepted(id, row, ({**row, field: v} for v in values)))
        yield Probe(name, "a row removed", accepted(id, row, [None]))
        yield Probe(name, "a row added", accepted(_NEW, None, [row]))
    elif made := _made_up(place, table, rng):
        yield Probe(name, "a row added", accepted(_NEW, None, [made]))


def _all(case: Case, ends: Iterable[Sequence[Change]]) -> bool | None:
    """Whether the checks accept all of these ends; None where there is none."""
    found = None
    for end in ends:
        found = _accepted(case, end)
        if not found:
            break
    return found


def _accepted(case: Case, changes: Sequence[Change]) -> bool:
    played = case.reference.leaving(changes)
    try:
        return played.verdict == "correct"
    except Exception:  # noqa: BLE001 - a check that breaks on an end does not accept it
        return False


def _differing(change: Change, after: dict[str, Any]) -> list[Change]:
    """The change with another outcome; nothing where the row is then as it was."""
    return [] if after == change.before else [change.model_copy(update={"after": after})]


def _fields(table: type[Table]) -> list[str]:
    return [name for name in table.model_fields if name != "id"]


def _others(
    place: Workplace, app: str, table: type[Table], id: str, row: dict[str, Any], field: str, rng: Random
) -> Iterator[Any]:
    """Other values of a field that the row could have, told apart from its own by more than letter case."""
    value, schema = row[field], field_schema(table, field)
    near = off_by_one(value, schema, place.values(app, field), place.addresses, rng)
    drawn = (place.made_up(schema, field, rng) for _ in range(_TRIES))
    # In a new row null and the default are the same.
    seen = {_look(value)} | ({_look(table.defaults().get(field))} if value is None else set())
    odd = [f"x{value}"] if isinstance(value, str) else []
    for other in chain(islice(near[1], _TRIES) if near else (), drawn, odd):
        try:
            held = table.from_json({**row, "id": id, field: other}).to_json()[field]
        except ValidationError:
            continue
        if (look := _look(held)) not in seen:
            seen.add(look)
            yield held


def _look(value: Any) -> str:
    return folded(repr(value))


def _made_up(place: Workplace, table: type[Table], rng: Random) -> dict[str, Any] | None:
    """A row of a table that has none to copy; None where nothing fits."""
    needed = [name for name, info in table.model_fields.items() if info.is_required()]
    try:
        made = table.from_json({name: place.made_up(field_schema(table, name), name, rng) for name in needed})
    except ValidationError:
        return None
    return made.to_json()
