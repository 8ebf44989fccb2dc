"""Records of all kinds by their ids, and which of them go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from servers.crm.tables import Company, Customer, Deal, Note, Task
from servers.kernel import NotFound, Rejected, State, Table, snippet

__all__ = ("KINDS", "LINKS", "Kind", "Row", "contact", "linked", "look_up", "name_of", "named", "several")

Kind = Literal["contact", "company", "deal", "task", "note"]
Row = Customer | Company | Deal | Task | Note
T = TypeVar("T", bound=Table)

KINDS: Mapping[Kind, type[Row]] = {"contact": Customer, "company": Company, "deal": Deal, "task": Task, "note": Note}

LINKS = """(
    SELECT from_id AS a, to_id AS b, label FROM associations
    UNION ALL SELECT id, company_id, '' FROM customers WHERE company_id IS NOT NULL
    UNION ALL SELECT id, company_id, '' FROM deals WHERE company_id IS NOT NULL
    UNION ALL SELECT id, contact_id, '' FROM deals WHERE contact_id IS NOT NULL
    UNION ALL SELECT id, record_id, '' FROM tasks WHERE record_id IS NOT NULL
    UNION ALL SELECT id, record_id, '' FROM notes
)"""
"""Every pair of records that go together, by an association or by a column of one of them."""


def look_up(state: State, id: str) -> tuple[Kind, Row]:
    """The record of that id, whatever its kind. Raises `NotFound`."""
    for kind, table in sorted(KINDS.items(), key=lambda each: not each[1].id_number(id)):
        try:
            return kind, state.get(table, id)
        except NotFound:
            continue
    raise NotFound("record", id)


def contact(state: State, id: str) -> Customer:
    """The contact of that id. Raises `NotFound`, in words of this surface."""
    try:
        return state.get(Customer, id)
    except NotFound:
        raise NotFound("contact", id) from None


def several(state: State, ids: Sequence[str], argument: str, *kinds: Kind) -> list[tuple[Kind, Row]]:
    """The records of those ids, each once. Raises `NotFound` or `Rejected`, naming all that are none of those kinds."""
    found, missing = [], []
    for id in dict.fromkeys(ids):
        try:
            kind, row = look_up(state, id)
        except NotFound:
            missing.append(id)
            continue
        if kind not in kinds:
            raise Rejected(f"{argument}: {id} is a {kind}; give ids of {' or '.join(kinds)} records alone.")
        found.append((kind, row))
    if len(missing) == 1:
        raise NotFound("record", missing[0])
    if missing:
        raise Rejected(f"{argument}: no records have the ids {', '.join(map(repr, missing))}; nothing was changed.")
    return found


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


def linked(state: State, id: str) -> dict[str, str]:
    """Ids of the records that go with one, in the order of their rows, with what their association is labelled."""
    rows = state.query(
        f"SELECT b, label FROM {LINKS} WHERE a = ? UNION ALL SELECT a, label FROM {LINKS} WHERE b = ?", [id, id]
    )
    found: dict[str, str] = {}
    for other, label in rows:
        found[other] = found.get(other) or label
    return found
