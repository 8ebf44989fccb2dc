"""The mail tools of the paper's table, over the same rows: accounts, and what shows mail. `pi_acting` has the rest.

Names are the paper's, parameters and texts our own. Nothing that shows mail marks it as read.
"""

from __future__ import annotations

from typing import Annotated, get_args

from pydantic import BaseModel, Field

from servers.gmail import default, keeping
from servers.gmail.outgoing import known_people
from servers.gmail.showing import Characters, Conversation, Found
from servers.gmail.tables import Category, Draft, Email, app
from servers.kernel import (
    Account,
    Page,
    Ref,
    Rejected,
    Skip,
    State,
    caseless,
    leave,
    one_line,
    paged,
    required,
    signed_in,
)
from servers.kernel import log_in as _log_in

__all__ = ("DraftId", "EmailId", "ThreadId", "opened", "pi")

pi = app.toolset(
    "pi",
    "The mailbox of {owner} ({address}), in threads of e-mail. If there are accounts, log in with `log_in` first.",
    structured=False,
)

_THREAD = "Id of a thread, or of an email in it, as returned by `view_inbox_threads` or `view_outbox_threads`."
ThreadId = Annotated[str, Ref(Email), Field(description=_THREAD)]
EmailId = Annotated[str, Ref(Email), Field(description="Id of an email, as returned by `view_thread`.")]
DraftId = Annotated[str, Ref(Draft), Field(description="Id of a draft (D1), as returned by `view_drafts`.")]
Part = Annotated[str, Field(description="Part of it, case-insensitive; empty lists all.")]

_LONGEST = 200


class User(BaseModel):
    """Somebody with an address."""

    name: str | None = None
    address: str


class LabelFound(BaseModel):
    """A label, and how many threads have it."""

    name: str
    threads: int
    unread: int


class Size(BaseModel):
    """How many threads of the inbox a category has."""

    category: Category
    threads: int
    unread: int


def opened(state: State) -> State:
    """The same state, once whoever calls may see the mailbox. Raises `Rejected`.

    It belongs to the account that has the owner's address, or to the first where none has; others have no mail here.
    """
    account = signed_in(state)
    if account is None:
        return state
    accounts = state.find(Account)
    owning = next((each for each in accounts if each.username.casefold() == state.address.casefold()), accounts[0])
    if account.id != owning.id:
        raise Rejected(f"{account.username} has no mail here; `log_in` as {owning.username} to see this mailbox.")
    return state


@pi.writes
def sign_up(
    state: State,
    username: Annotated[str, Field(max_length=_LONGEST, description="Name to log in with, such as an e-mail address.")],
    password: Annotated[str, Field(max_length=_LONGEST, description="Password to log in with.")],
    name: Annotated[str, Field(max_length=_LONGEST, description="The person's name.")] = "",
) -> str:
    """Create an account. Whoever is logged in stays logged in."""
    required(username=username.strip(), password=password)
    one_line(username=username.strip(), name=name)
    if state.find(Account, "lower(username) = lower(?)", [username.strip()]):
        raise Rejected(f"username: there is an account {username.strip()!r} already.")
    account = state.add(Account(username=username.strip(), password=password, name=name))
    return f"The account {account.username!r} was made; `log_in` opens it."


@pi.writes(idempotent=True)
def log_in(
    state: State,
    username: Annotated[str, Field(description="Name of an account.")],
    password: Annotated[str, Field(description="Its password.")],
) -> str:
    """Log in to an account, replacing whoever was logged in."""
    return f"Logged in as {_log_in(state, username, password).username}."


pi.writes(name="log_out", destructive=True)(leave)


@pi.reads
def search_users(state: State, query: Part = "", skip: Skip = 0) -> Page[User]:
    """Find people by name or address: those in emails, and those with an account under an address."""
    fitting = [person for person in known_people(opened(state)) if caseless(query) in caseless(str(person))]
    return paged(fitting, skip, lambda person: User(name=person.name or None, address=person.address))


@pi.reads
def search_labels(state: State, query: Part = "", skip: Skip = 0) -> Page[LabelFound]:
    """Find labels by name, with the number of threads that have each."""
    found = keeping.find_labels(opened(state), query, skip)
    items = [LabelFound(name=each.name, threads=each.conversations, unread=each.unread) for each in found.items]
    return Page(shown=found.shown, items=items, next=found.next)


@pi.reads
def view_inbox_threads(state: State, skip: Skip = 0) -> Page[Found]:
    """List threads with received email that are not archived, newest first."""
    return default.find_emails(opened(state), "in:inbox", skip=skip)


@pi.reads
def view_outbox_threads(state: State, skip: Skip = 0) -> Page[Found]:
    """List threads with sent email, newest first."""
    return default.find_emails(opened(state), "in:sent", skip=skip)


@pi.reads
def view_starred_threads(state: State, skip: Skip = 0) -> Page[Found]:
    """List starred threads, newest first."""
    return default.find_emails(opened(state), "is:starred", skip=skip)


@pi.reads
def view_category_sizes(state: State) -> list[Size]:
    """Count the threads of the inbox by category, and how many of them are unread."""
    rows = opened(state).query(
        "SELECT coalesce(t.category, 'primary'), count(*), count(*) FILTER (NOT coalesce(t.read, true)) FROM "
        "(SELECT DISTINCT coalesce(thread, id) AS began FROM emails WHERE folder = 'inbox') m "
        "LEFT JOIN threads t ON t.id = m.began WHERE NOT coalesce(t.archived, false) GROUP BY 1"
    )
    counts = {category: (threads, unread) for category, threads, unread in rows}
    sizes = ((category, *counts.get(category, (0, 0))) for category in get_args(Category))
    return [Size(category=category, threads=threads, unread=unread) for category, threads, unread in sizes]


@pi.reads
def view_thread(state: State, thread_id: ThreadId, skip: Characters = 0) -> Conversation:
    """Read all emails of a thread, oldest first."""
    return default.get_conversation(opened(state), thread_id, skip=skip)


@pi.reads
def view_email(state: State, email_id: EmailId, skip: Characters = 0) -> Conversation:
    """Read one email."""
    return default.get_conversation(opened(state), email_id, alone=True, skip=skip)


@pi.reads
def view_drafts(state: State, skip: Skip = 0) -> Page[Found]:
    """List drafts, last changed first."""
    return default.find_emails(opened(state), "in:drafts", skip=skip)


@pi.reads
def view_draft(state: State, draft_id: DraftId, skip: Characters = 0) -> Conversation:
    """Read a draft."""
    return default.get_conversation(opened(state), state.get(Draft, draft_id).id, skip=skip)
