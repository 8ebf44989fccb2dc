"""Records of all kinds by their ids, and which of them go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Literal, TypeVar

from servers.crm.tables import Association, Company, Customer, Deal, Note, Task
from servers.kernel import NotFound, Rejected, State, Table, each_of, snippet

__all__ = ("KINDS", "Kind", "Row", "contact", "linked", "look_up", "name_of", "named", "several")

Kind = Literal["contact", "company", "deal", "task", "note"]
Row = Customer | Company | Deal | Task | Note
T = TypeVar("T", bound=Table)

KINDS: Mapping[Kind, type[Row]] = {"contact": Customer, "company": Company, "deal": Deal, "task": Task, "note": Note}


def look_up(state: State, id: str) -> tuple[Kind, Row]:
    """The record of that id, whatever its kind. Raises `NotFound`."""
    for kind, table in sorted(KINDS.items(), key=lambda each: not each[1].id_number(id)):
        if row := state.there(table, id):
            return kind, row
    raise NotFound("record", id)


def contact(state: State, id: str) -> Customer:
    """The contact of that id. Raises `NotFound`, in words of this surface."""
    if row := state.there(Customer, id):
        return row
    raise NotFound("contact", id)


def several(state: State, ids: Sequence[str], argument: str, *kinds: Kind) -> list[tuple[Kind, Row]]:
    """The records of those ids, each once. Raises `NotFound` or `Rejected`, naming all that are none of those kinds."""

    def get(id: str) -> tuple[Kind, Row]:
        kind, row = look_up(state, id)
        if kind not in kinds:
            raise Rejected(f"{argument}: {id} is a {kind}; give ids of {' or '.join(kinds)} records alone.")
        return kind, row

    return each_of(ids, get, "record", argument)


def name_of(row: Row) -> str:
    """What a person would call it."""
    match row:
        case Customer():
            return row.customer_name
        case Company():
            return row.name
        case Note():
            return snippet(row.text, 60)
        case _:
            return row.title


def named(state: State, id: str | None) -> str | None:
    """Name and id of a record; the id alone of one that is not there."""
    if not id:
        return None
    try:
        return f"{snippet(name_of(look_up(state, id)[1]), 80)} ({id})"
    except NotFound:
        return id


def linked(state: State, row: Row, *kinds: Kind) -> dict[Kind, list[tuple[Row, str]]]:
    """Records of those kinds that go with one, by a column of one of them or by an association, which has a label.

    Each table is asked on its own, and only where it can say something: a tenth of what one query over all costs.
    """
    found: dict[str, tuple[Kind, Row, str]] = {}

    def add(id: str | None, label: str = "") -> None:
        with suppress(NotFound):
            if id:
                found[id] = (*look_up(state, id), label)

    for column in ("company_id", "contact_id", "record_id"):
        add(getattr(row, column, None))
    for kind in kinds:
        if where := _POINTING.get((kind, type(row))) or _ABOUT.get(kind):
            found |= {other.id: (kind, other, "") for other in state.find(KINDS[kind], where, [row.id])}
    for tie in state.find(Association, "from_id = ? OR to_id = ?", [row.id, row.id]):
        add(tie.to_id if tie.from_id == row.id else tie.from_id, tie.label)
    found.pop(row.id, None)
    return {kind: [(other, label) for each, other, label in found.values() if each == kind] for kind in kinds}


_POINTING: Mapping[tuple[Kind, type[Row]], str] = {
    ("contact", Company): "company_id = ?",
    ("deal", Company): "company_id = ?",
    ("deal", Customer): "contact_id = ?",
}
_ABOUT: Mapping[Kind, str] = {"task": "record_id = ?", "note": "record_id = ?"}
"""Which rows of a kind name another one in a column."""
