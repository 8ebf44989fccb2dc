"""The surface of notes for models at work."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from servers.kernel import Day, Page, Ref, Rejected, Skip, State, paged, required
from servers.simple_note.finding import Found, Whole, found, shown, whole
from servers.simple_note.tables import Note, app
from servers.simple_note.writing import TEXT, TITLE, Saved, added, changed, joined

__all__ = ("default",)

default = app.toolset(
    "default",
    "Notes of {owner} ({address}). Begin with `find_notes`, which returns ids. To add to a note, use `append` of "
    "`update_note`, which keeps the rest.",
    structured=False,
)

NoteId = Annotated[str, Ref(Note), Field(description="Id of a note, such as N12, from `find_notes` or `create_note`.")]


@default.reads
def find_notes(
    state: State,
    query: Annotated[
        str,
        Field(
            description="Words that all occur in title, text or tags, in any order, case-insensitive; empty for all."
        ),
    ] = "",
    tag: Annotated[str, Field(description="Only notes with this whole tag.")] = "",
    pinned: Annotated[bool | None, Field(description="Only pinned notes, or only unpinned ones.")] = None,
    after: Annotated[Day | None, Field(description="Only notes changed on this day or later, as YYYY-MM-DD.")] = None,
    before: Annotated[
        Day | None, Field(description="Only notes changed on this day or earlier, as YYYY-MM-DD.")
    ] = None,
    detail: Annotated[
        Literal["concise", "detailed"], Field(description="detailed: more of each text, and when it was created.")
    ] = "concise",
    skip: Skip = 0,
) -> Page[Found]:
    """Find notes by words, tag or day; last changed first, twenty at a time. `get_note` shows one in full."""
    ids = found(state, query, tag=tag, pinned=pinned, after=after, before=before)
    return paged(ids, skip, lambda id: shown(state.get(Note, id), query, detailed=detail == "detailed"))


@default.reads
def get_note(
    state: State,
    note_id: NoteId,
    skip: Annotated[
        int, Field(ge=0, description="Characters of a long text to skip, as given by `next` in a result.")
    ] = 0,
) -> Whole:
    """Show a note in full."""
    return whole(state.get(Note, note_id), skip)


@default.writes
def create_note(
    state: State,
    title: Annotated[str, Field(max_length=TITLE, description="Title, in one line.")],
    text: Annotated[str, Field(max_length=TEXT, description="The text.")] = "",
    tags: Annotated[list[str], Field(description="Tags, such as travel; 20 at most.")] = [],  # noqa: B006
    pinned: Annotated[bool, Field(description="Whether to pin it.")] = False,
) -> Saved:
    """Write a new note."""
    return added(state, title, text, tags, pinned)


@default.writes(destructive=True)
def update_note(
    state: State,
    note_id: NoteId,
    title: Annotated[str | None, Field(max_length=TITLE, description="New title.")] = None,
    text: Annotated[str | None, Field(max_length=TEXT, description="New text, replacing all of the old one.")] = None,
    append: Annotated[
        str | None, Field(max_length=TEXT, description="Text to add on a new line at the end; not with `text`.")
    ] = None,
    tags: Annotated[
        list[str] | None, Field(description="New tags, 20 at most, replacing the old ones; [] for none.")
    ] = None,
    pinned: Annotated[bool | None, Field(description="Pin or unpin it.")] = None,
) -> Saved:
    """Change a note or add to it; omitted fields keep their value."""
    note = state.get(Note, note_id)
    if append is not None:
        if text is not None:
            raise Rejected("Give text, which replaces all there is, or append, which adds to it; not both.")
        required(append=append)
        text = joined(note.text, append)
    if all(given is None for given in (title, text, tags, pinned)):
        raise Rejected("Say what to change: title, text, append, tags or pinned.")
    return changed(state, note, title=title, text=text, tags=tags, pinned=pinned)


@default.writes(destructive=True)
def delete_note(state: State, note_id: NoteId) -> str:
    """Delete a note for good."""
    note = state.get(Note, note_id)
    state.delete(note)
    return f"Deleted {note.id}, {note.title!r}."
