"""The notes: their table, and the app whose surfaces are made over it."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from servers.kernel import Account, App, Dated, Login, Table

__all__ = ("Note", "app")


class Note(Table, name="notes", ids="N{}"):
    """A note. `changed` is when its title, text, tags or pin last changed: when it was made, unless a row says more.

    `username` is that of the account it belongs to, "" for no account in particular.
    """

    title: Dated
    text: Dated = ""
    tags: list[str] = Field(default=[])
    pinned: bool = False
    created: datetime
    changed: datetime = Field(default_factory=lambda row: row["created"])
    username: str = ""


app = App("simple_note", "Find, read, write and delete the user's notes.", tables=(Note, Account, Login))
