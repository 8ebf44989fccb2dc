"""How every surface looks for notes, and what it shows of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from pydantic import BaseModel

from servers.kernel import Account, NotFound, State, in_order, items_of, part, snippet, to_minute, worded, words_of
from servers.simple_note.tables import Note

__all__ = ("Found", "Whole", "found", "mine", "shown", "whole")

_SHORT, _LONG = 120, 1_200
"""Characters of a note that a list shows."""

_BEFORE = 60
"""Characters before the first word that was looked for, which are shown with it."""

_SEARCHED = ("title", "text", items_of("tags"))


class Found(BaseModel):
    """A note in a list. `snippet` is its beginning, or begins where a word stands that was looked for."""

    id: str
    title: str
    tags: list[str] | None
    pinned: bool | None
    created: str | None = None
    changed: str
    snippet: str | None


class Whole(BaseModel):
    """A note. `next` says how to read on, where the text was too long for one result."""

    id: str
    title: str
    tags: list[str] | None
    pinned: bool | None
    created: str
    changed: str
    text: str
    next: str | None


def found(
    state: State,
    query: str,
    *,
    tag: str = "",
    pinned: bool | None = None,
    after: date | None = None,
    before: date | None = None,
    account: Account | None = None,
) -> list[str]:
    """Ids of the notes that fulfil all conditions, and that an account may see if one is given; last changed first.

    Raises `Rejected` for a first day that is later than the last.
    """
    in_order(after, before)
    has, words = worded(query, *_SEARCHED)
    where, params = [has], list[Any](words)
    for condition, value in (
        ("list_contains(from_json(nfc_normalize(lower(tags)), '[\"VARCHAR\"]'), nfc_normalize(lower(?)))", tag.strip()),
        ("CAST(changed AS DATE) >= ?", after),
        ("CAST(changed AS DATE) <= ?", before),
    ):
        if value:
            where.append(condition)
            params.append(value)
    if pinned is not None:
        where.append("pinned" if pinned else "NOT pinned")
    if account:
        where.append("username IN ('', ?)")
        params.append(account.username)
    rows = state.query(f"SELECT id FROM notes WHERE {' AND '.join(where)} ORDER BY changed DESC, _ord DESC", params)
    return [id for (id,) in rows]


def mine(state: State, note_id: str, account: Account | None) -> Note:
    """The note of that id. Raises `NotFound`, also for a note of another account."""
    note = state.get(Note, note_id)
    if account and note.username not in ("", account.username):
        raise NotFound(Note.noun, note_id)
    return note


def shown(note: Note, query: str, *, detailed: bool = False) -> Found:
    """A note as a list shows it."""
    return Found(
        id=note.id,
        title=note.title,
        tags=note.tags or None,
        pinned=note.pinned or None,
        created=to_minute(note.created) if detailed else None,
        changed=to_minute(note.changed),
        snippet=_around(note.text, words_of(query), _LONG if detailed else _SHORT) or None,
    )


def whole(note: Note, skip: int = 0) -> Whole:
    """A note with its text, from a character on."""
    text, rest = part(note.text, skip)
    return Whole(
        id=note.id,
        title=note.title,
        tags=note.tags or None,
        pinned=note.pinned or None,
        created=to_minute(note.created),
        changed=to_minute(note.changed),
        text=text,
        next=rest,
    )


def _around(text: str, words: Sequence[str], most: int) -> str:
    lower = text.lower()
    places = [place for word in words if (place := lower.find(word.lower())) >= 0]
    first = min(places, default=0)
    start = max(text.rfind("\n", 0, first) + 1, first - _BEFORE)
    return f"{'... ' if start else ''}{snippet(text[start:], most)}"
