"""What goes out: whom it is for, what is attached, and the rows it leaves. For `default` and `pi`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field

from servers.gmail.sending import send
from servers.gmail.tables import Attachment, Email, Envelope, Trashed
from servers.kernel import (
    Account,
    Nobody,
    Person,
    Rejected,
    State,
    addressee,
    is_address,
    quoted,
)

__all__ = (
    "SUBJECT",
    "TEXT",
    "Addressed",
    "Attached",
    "File",
    "Files",
    "People",
    "addresses",
    "answering",
    "attach",
    "attach_again",
    "attached",
    "dispatch",
    "envelope",
    "known_people",
    "own_address",
    "sender_of",
    "to_of",
)

_MOST_PEOPLE, _MOST_FILES = 50, 10
SUBJECT, TEXT, _FILE = 1_000, 100_000, 200_000
_TYPES = {
    "csv": "text/csv",
    "html": "text/html",
    "ics": "text/calendar",
    "json": "application/json",
    "md": "text/markdown",
    "xml": "application/xml",
}


class File(BaseModel, extra="forbid"):
    """A text file to attach."""

    name: str = Field(min_length=1, max_length=200)
    text: str = Field(max_length=_FILE)


def _several(given: object) -> object:
    """Models give a list of one as that one."""
    return [given] if isinstance(given, str) else given


def _object(value: object) -> object:
    if isinstance(value, (Mapping, File)):
        return value
    raise ValueError(f"{quoted(value)} is not a file; give its name and text, as {{name: plan.md, text: ...}}")


People = Annotated[list[str], BeforeValidator(_several)]
Attached = Annotated[File, BeforeValidator(_object)]
Files = Annotated[list[Attached], Field(description="Text files to attach, such as `{name: plan.md, text: ...}`.")]


class Addressed(NamedTuple):
    """Whom a mail is for, by addresses in lower case."""

    to: list[str]
    cc: list[str]


def own_address(state: State) -> str:
    """Of whoever the mailbox belongs to; "" where nothing says it."""
    return state.address.lower()


def envelope(state: State, id: str) -> Envelope:
    """What is said beside a mail, which may be nothing."""
    return state.there(Envelope, id) or Envelope(id=id)


def sender_of(state: State, email: Email) -> Person:
    """Who wrote a mail; of a sent one that is the owner."""
    if email.folder == "inbox":
        return Person(envelope(state, email.id).sender_name, email.address)
    return Person(state.owner.name if state.owner else "", own_address(state) or "me")


def to_of(state: State, email: Email) -> list[str]:
    """All whom a mail was addressed to, without copies."""
    alone = email.address if email.folder == "outbox" else own_address(state) or "me"
    return envelope(state, email.id).to or [alone]


def known_people(state: State) -> list[Person]:
    """Whoever stands in a mail or has an account that is called by an address, and the owner; in order of addresses."""
    rows = state.query(
        "SELECT lower(m.address), max(coalesce(e.sender_name, '')) FILTER (m.folder = 'inbox') "
        "FROM emails m LEFT JOIN envelopes e ON e.id = m.id GROUP BY 1"
    )
    found = {address: name or "" for address, name in rows}
    lists = state.query(
        "SELECT cc FROM emails WHERE cc <> '[]' UNION ALL SELECT \"to\" FROM envelopes WHERE \"to\" <> '[]'"
    )
    for (text,) in lists:
        for address in json.loads(text):
            found.setdefault(address.lower(), "")
    for account in state.find(Account):
        if is_address(address := account.username.lower()):
            found[address] = found.get(address) or account.name
    if state.owner:
        found[state.owner.address.lower()] = state.owner.name
    return [Person(found[address], address) for address in sorted(found)]


def addresses(state: State, people: Sequence[str], argument: str) -> list[str]:
    """The address of each of some people, in lower case and once: by address, a name known here, or `me`, the owner.

    Raises `Rejected`.
    """
    if len(people) > _MOST_PEOPLE:
        raise Rejected(f"{argument} has {len(people)} people; it may have {_MOST_PEOPLE}.")
    known: list[Person] | None = None
    found = []
    for text in people:
        if text.strip().casefold() == "me" and (own := own_address(state)):
            found.append(own)
            continue
        if known is None and "@" not in text:
            known = known_people(state)
        try:
            found.append(addressee(text, known or (), argument).address.lower())
        except Nobody:
            if "@" not in text:
                raise
            raise Rejected(
                f"{argument}: {quoted(text)} is not a whole e-mail address; write it as in mei@harbor.example."
            ) from None
    return [*dict.fromkeys(found)]


def answering(state: State, email: Email, *, everybody: bool) -> Addressed:
    """Whom an answer to a mail is for: who wrote it, or those whom the owner wrote it to, perhaps with all others."""
    own = own_address(state)
    to = to_of(state, email)
    if email.folder == "inbox":
        others = [] if len(to) == 1 and not own else to  # to one alone: that is the owner
        to = [email.address, *(others if everybody else [])]
    to = _once(to, without=(own, "me")) or [email.address.lower()]
    return Addressed(to, _once(email.cc, without=(own, *to)) if everybody else [])


def dispatch(
    state: State,
    to: Addressed,
    subject: str,
    text: str,
    *,
    files: Sequence[File] = (),
    kept: Iterable[Attachment] = (),
    conversation: str | None = None,
) -> Email:
    """Send a mail: its row, an envelope where it is for several, and its attachments.

    `kept` are attachments of other mails that it carries too. Raises `Rejected`.
    """
    if not to.to:
        raise Rejected("to must not be empty; give an e-mail address, or a name as it is shown.")
    first, *others = to.to
    cc = _once(to.cc, without=to.to)
    id = send(state, first, subject, text, cc=cc, thread=conversation)
    while state.there(Trashed, id):  # whoever is in the trash may come back under that id
        state.delete(state.get(Email, id))
        id = send(state, first, subject, text, cc=cc, thread=conversation)
    if others:
        state.add(Envelope(id=id, to=to.to))
    attach(state, id, files)
    attach_again(state, id, kept)
    return state.get(Email, id)


def attach(state: State, email: str, files: Sequence[File]) -> None:
    """Attach text files to a mail or a draft. Raises `Rejected`."""
    if len(files) > _MOST_FILES:
        raise Rejected(f"attachments has {len(files)} files; it may have {_MOST_FILES}.")
    for file in files:
        kind = _TYPES.get(file.name.lower().rpartition(".")[2], "text/plain")
        state.add(Attachment(email=email, name=file.name, type=kind, text=file.text))


def attach_again(state: State, email: str, files: Iterable[Attachment]) -> None:
    """Attach to a mail what other mails carry."""
    for each in files:
        state.add(each.model_copy(update={"id": "", "email": email}))


def attached(state: State, *emails: str) -> list[Attachment]:
    """What is attached to some mails or drafts."""
    return state.find(Attachment, "email IN (SELECT unnest(?))", [emails])


def _once(people: Iterable[str], without: Iterable[str]) -> list[str]:
    left = {address.lower() for address in without}
    return [address for address in dict.fromkeys(each.lower() for each in people) if address not in left]
