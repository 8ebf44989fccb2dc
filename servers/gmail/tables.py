"""The mailbox: its tables, and the app whose surfaces are made over them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from servers.kernel import Account, App, Dated, Login, Table

__all__ = ("Attachment", "Category", "Draft", "Email", "Envelope", "Label", "Thread", "ThreadLabel", "Trashed", "app")

Category = Literal["primary", "social", "promotions", "updates", "forums"]


class Email(Table, name="emails", ids="{:08d}", noun="email"):
    """A mail received or sent. `address` is the other side; `sent_datetime` is YYYY-MM-DD HH:MM:SS.

    `thread` is the id of the mail that began the conversation, None for that mail itself and for one on its
    own; `cc` lists further addresses that it went to.
    """

    folder: Literal["inbox", "outbox"]
    address: str
    subject: Dated
    sent_datetime: Dated
    body: Dated
    starred: bool = False
    thread: str | None = None
    cc: list[str] = Field(default=[])


class Envelope(Table, name="envelopes", ids="{:08d}", noun="envelope"):
    """What the row of a mail, under the same id, has no place for: most mails have none.

    `to` lists all whom it was addressed to, [] where that is the one in `address` (sent) or the owner alone
    (received); `sender_name` is how whoever sent it is called, "" where nothing is said. A table of its own, since
    every column that mails have makes each search among them slower, and states of old would not be the same.
    """

    to: list[str] = Field(default_factory=list)
    sender_name: str = ""


class Trashed(Email, name="trash", ids="{:08d}", noun="email in the trash"):
    """A mail in the trash, as it was, under the id that it had: no other table has it any more."""

    trashed: datetime


class Thread(Table, name="threads", ids="{:08d}", noun="conversation"):
    """What belongs to a conversation as a whole. Its id is that of the mail that began it.

    A conversation without a row is as the defaults say.
    """

    archived: bool = False
    read: bool = True
    starred: bool = False
    category: Category = "primary"


class Label(Table, name="labels", ids="L{}", noun="label"):
    """A label that there is, whether anything has it or not. Names differ in more than case."""

    name: str


class ThreadLabel(Table, name="thread_labels", ids="TL{}", noun="label of a conversation"):
    """A label on a conversation: `thread` is its id, `label` a name."""

    thread: str
    label: str


class Attachment(Table, name="attachments", ids="F{}", noun="attachment"):
    """A file in a mail, a draft or a mail in the trash, by whose id it goes (`email`). `text` is what it says."""

    email: str
    name: Dated
    type: str = "text/plain"
    text: Dated = ""


class Draft(Table, name="drafts", ids="D{}", noun="draft"):
    """A mail not sent yet, in the columns of one.

    `address` is the first it is for, "" while that is nobody, and `to` lists all where there are several. `answers` is
    the id of the mail that it will answer, None for one that begins a conversation.
    """

    address: str = ""
    to: list[str] = Field(default_factory=list)
    cc: list[str] = Field(default_factory=list)
    subject: Dated = ""
    body: Dated = ""
    answers: str | None = None
    saved: datetime


app = App(
    "gmail",
    "Search, read, send, forward, reply to and delete the user's e-mail.",
    tables=(Email, Envelope, Thread, Label, ThreadLabel, Attachment, Draft, Trashed, Account, Login),
)
app.toolset("workbench")  # declared first, as it was before there was `default`
