"""The mailbox: its table, and the app whose surfaces are made over it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from servers.kernel import App, Dated, Table

__all__ = ("Email", "app")


class Email(Table, name="emails", ids="{:08d}", noun="email"):
    """A mail received or sent. `address` is the other side; `sent_datetime` is YYYY-MM-DD HH:MM:SS.

    `thread` is the id of the mail that began the conversation, None for that mail itself and for one that stands
    alone; `cc` lists further addresses that it went to.
    """

    folder: Literal["inbox", "outbox"]
    address: str
    subject: Dated
    sent_datetime: Dated
    body: Dated
    starred: bool = False
    thread: str | None = None
    cc: list[str] = Field(default=[])


app = App("gmail", "Search, read, send, forward, answer and delete the user's e-mail.", tables=(Email,))
app.toolset("workbench")  # the surface of whoever asks for none
