"""The ten rows of pi-Bench's table of tools that are about notes. Where there are accounts, somebody has to log in.

Whoever is logged in sees their own notes, and those that belong to no account.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from servers.kernel import (
    Account,
    Page,
    Ref,
    Rejected,
    Skip,
    State,
    enter,
    leave,
    paged,
    quoted,
    required,
    signed_in,
)
from servers.simple_note.finding import Found, Whole, found, mine, shown, whole
from servers.simple_note.tables import Note, app
from servers.simple_note.writing import TEXT, TITLE, Saved, added, changed, joined

__all__ = ("pi",)

pi = app.toolset(
    "pi",
    "Notes of {owner} ({address}). If a tool says so, `log_in` first; `search_notes` returns ids.",
    structured=False,
)

NoteId = Annotated[
    str, Ref(Note), Field(description="Id of a note, such as N12, from `search_notes` or `create_note`.")
]
Title = Annotated[str, Field(max_length=TITLE, description="Title, in one line.")]


class Profile(BaseModel):
    """Who somebody is."""

    username: str
    name: str


class Holding(Profile):
    """An account, and how many notes it has."""

    notes: int
    pinned: int


pi.writes(name="log_in", idempotent=True)(enter)
pi.writes(name="log_out", destructive=True)(leave)


@pi.reads
def view_account(state: State) -> Holding:
    """Show the account that is logged in, and how many notes it has."""
    account = signed_in(state)
    who = _profile(account) if account else _owner(state)
    every = found(state, "", account=account)
    return Holding(**who.model_dump(), notes=len(every), pinned=len(found(state, "", pinned=True, account=account)))


@pi.reads
def view_profile(
    state: State,
    username: Annotated[str, Field(description="Username of an account; empty for the one that is logged in.")] = "",
) -> Profile:
    """Show the name behind a username. No login is needed for another person's."""
    if not username:
        account = signed_in(state)
        return _profile(account) if account else _owner(state)
    accounts = state.find(Account, "lower(username) = lower(?)", [username])
    if not accounts:
        raise Rejected(f"No account has the username {quoted(username)}.")
    return _profile(accounts[0])


@pi.reads
def search_notes(
    state: State,
    query: Annotated[
        str,
        Field(
            description="Words that all occur in title, text or tags, in any order, case-insensitive; empty for all."
        ),
    ] = "",
    tag: Annotated[str, Field(description="Only notes with this whole tag.")] = "",
    pinned: Annotated[bool | None, Field(description="Only pinned notes, or only unpinned ones.")] = None,
    skip: Skip = 0,
) -> Page[Found]:
    """Find notes; last changed first, twenty at a time. `view_note` shows one in full."""
    ids = found(state, query, tag=tag, pinned=pinned, account=signed_in(state))
    return paged(ids, skip, lambda id: shown(state.get(Note, id), query))


@pi.reads
def view_note(
    state: State,
    note_id: NoteId,
    skip: Annotated[
        int, Field(ge=0, description="Characters of a long text to skip, as given by `next` in a result.")
    ] = 0,
) -> Whole:
    """Show a note in full."""
    return whole(mine(state, note_id, signed_in(state)), skip)


@pi.writes
def create_note(
    state: State,
    title: Title,
    content: Annotated[str, Field(max_length=TEXT, description="The text.")] = "",
    tags: Annotated[list[str], Field(description="Tags, such as travel; 20 at most.")] = [],  # noqa: B006
    pinned: Annotated[bool, Field(description="Whether to pin it.")] = False,
) -> Saved:
    """Write a new note."""
    account = signed_in(state)
    return added(state, title, content, tags, pinned, account.username if account else "")


@pi.writes(destructive=True, idempotent=True)
def update_note(
    state: State,
    note_id: NoteId,
    title: Annotated[str | None, Field(max_length=TITLE, description="New title.")] = None,
    content: Annotated[
        str | None, Field(max_length=TEXT, description="New text, replacing all of the old one.")
    ] = None,
    tags: Annotated[
        list[str] | None, Field(description="New tags, 20 at most, replacing the old ones; [] for none.")
    ] = None,
    pinned: Annotated[bool | None, Field(description="Pin or unpin it.")] = None,
) -> Saved:
    """Change a note; omitted fields keep their value. To add to its text, use `add_content_to_note`."""
    note = mine(state, note_id, signed_in(state))
    if all(given is None for given in (title, content, tags, pinned)):
        raise Rejected("Say what to change: title, content, tags or pinned.")
    return changed(state, note, title=title, text=content, tags=tags, pinned=pinned)


@pi.writes
def add_content_to_note(
    state: State,
    note_id: NoteId,
    content: Annotated[str, Field(max_length=TEXT, description="Text to add, on lines of its own.")],
    place: Annotated[Literal["end", "beginning"], Field(description="Where in the note.")] = "end",
) -> Saved:
    """Add to the text of a note, keeping what is there."""
    note = mine(state, note_id, signed_in(state))
    required(content=content)
    return changed(state, note, text=joined(note.text, content, place))


@pi.writes(destructive=True)
def delete_note(state: State, note_id: NoteId) -> str:
    """Delete a note for good."""
    note = mine(state, note_id, signed_in(state))
    state.delete(note)
    return f"Deleted {note.id}, {note.title!r}."


def _profile(account: Account) -> Profile:
    return Profile(username=account.username, name=account.name)


def _owner(state: State) -> Profile:
    """Whoever calls, in an app without accounts."""
    return (
        Profile(username=state.owner.address, name=state.owner.name) if state.owner else Profile(username="", name="")
    )
