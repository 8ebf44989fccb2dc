"""What every surface does when a note is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel

from servers.kernel import Rejected, State, bounded, one_line, quoted, required
from servers.simple_note.tables import Note

__all__ = ("TEXT", "TITLE", "Saved", "added", "changed", "joined")

TITLE, TEXT = 200, 100_000
_TAG, _TAGS = 50, 20


class Saved(BaseModel):
    """A note that was written; `characters` are those of its text now."""

    id: str
    title: str
    tags: list[str] | None
    pinned: bool | None
    characters: int


def added(state: State, title: str, text: str, tags: Sequence[str], pinned: bool, username: str = "") -> Saved:
    """Keep a new note. Raises `Rejected`."""
    note = Note(
        title=_title(title), text=_text(text), tags=_tags(tags), pinned=pinned, created=state.now, username=username
    )
    return _saved(state.add(note))


def changed(
    state: State,
    note: Note,
    *,
    title: str | None = None,
    text: str | None = None,
    tags: Sequence[str] | None = None,
    pinned: bool | None = None,
) -> Saved:
    """Give a note what is not None. One that stays as it is was not changed now. Raises `Rejected`."""
    given = {
        "title": None if title is None else _title(title),
        "text": None if text is None else _text(text),
        "tags": None if tags is None else _tags(tags),
        "pinned": pinned,
    }
    after = note.model_copy(update={name: value for name, value in given.items() if value is not None})
    if after == note:
        return _saved(note)
    after.changed = state.now
    return _saved(state.save(after))


def joined(text: str, more: str, place: Literal["end", "beginning"] = "end") -> str:
    """The text with more, on lines of their own."""
    above, below = (text, more) if place == "end" else (more, text)
    return f"{above}{'' if not above or above.endswith(chr(10)) else chr(10)}{below}"


def _title(given: str) -> str:
    title = given.strip()
    required(title=title)
    one_line(title=title)
    return title


def _text(given: str) -> str:
    bounded(TEXT, text=given)
    return given


def _tags(given: Sequence[str]) -> list[str]:
    """Each tag once, as it was first written."""
    tags: dict[str, str] = {}
    for each in given:
        tag = each.strip()
        if not 0 < len(tag) <= _TAG:
            raise Rejected(f"tags: each has 1 to {_TAG} characters, such as 'travel', unlike {quoted(each)}.")
        one_line(tags=tag)
        tags.setdefault(tag.casefold(), tag)
    if len(tags) > _TAGS:
        raise Rejected(f"tags: a note has at most {_TAGS}, not {len(tags)}.")
    return [*tags.values()]


def _saved(note: Note) -> Saved:
    return Saved(
        id=note.id,
        title=note.title,
        tags=note.tags or None,
        pinned=note.pinned or None,
        characters=len(note.text),
    )
