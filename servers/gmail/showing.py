"""How mails, drafts and conversations are shown by `default`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from servers.gmail.conversations import labels_of, thread
from servers.gmail.drafts import draft_to
from servers.gmail.outgoing import attached, sender_of, to_of
from servers.gmail.search import Hit
from servers.gmail.tables import Attachment, Draft, Email, Thread, Trashed
from servers.kernel import PAGE, RESULT, State, few, few_of, fitting, snippet, to_minute

__all__ = ("Characters", "Conversation", "Detail", "Found", "conversation", "draft", "found", "moment_of", "named")

Characters = Annotated[int, Field(ge=0, description="Characters to skip, as given by `next` in a result.")]
Detail = Literal["concise", "detailed"]

_TABLES: dict[str, type[Email]] = {"mail": Email, "trash": Trashed}
_SNIPPET, _MORE = 120, 600
_MOST_PEOPLE = 5
_QUOTED = re.compile(r"\n+On [^\n]{5,150} wrote:\n(?:>[^\n]*(?:\n|\Z))+\s*\Z")
_LEAST = 500
"""Characters of a mail that a part begins with, at least, where it is not the first."""


class Found(BaseModel):
    """A conversation in a list, by its latest mail that was looked for."""

    id: str
    email_id: str | None = Field(default=None, description="That mail; a draft has its id alone.")
    sender: str | None = Field(default=None, serialization_alias="from")
    subject: str
    people: list[str]
    sent: str
    emails: int | None = Field(default=None, description="In the conversation, where there are several.")
    marks: list[str] | None = Field(default=None, description="Unread, starred, archived, ...")
    labels: list[str] | None = None
    attachments: list[str] | None = None
    text: str


class Shown(BaseModel):
    """A mail of a conversation, or a part of it."""

    id: str
    sender: str = Field(serialization_alias="from")
    to: list[str]
    cc: list[str] | None = None
    subject: str | None = Field(default=None, description="Where it is not that of the conversation.")
    sent: str
    attachments: list[str] | None = None
    text: str


class Conversation(BaseModel):
    """A conversation, oldest mail first; `next` says how to read on, `note` which mails of it are not shown."""

    id: str
    subject: str
    marks: list[str] | None = None
    labels: list[str] | None = None
    emails: list[Shown]
    next: str | None = None
    note: str | None = None


def moment_of(sent: str) -> str:
    """When a mail was sent, to the minute."""
    return sent[:16]


def named(each: Attachment) -> str:
    """An attachment in a list: id, name and size."""
    return f"{each.id} {each.name} ({len(each.text):,} characters)"


def found(state: State, hits: Sequence[Hit], skip: int, detail: Detail) -> Callable[[Hit], Found]:
    """What shows a hit of the page that begins behind the first `skip`."""
    page = hits[skip : skip + PAGE]
    labels = labels_of(state, (hit.conversation for hit in page))
    of = {
        table: _grouped(state, table, [hit.conversation for hit in page if hit.kept == kept])
        for kept, table in _TABLES.items()
    }

    def show(hit: Hit) -> Found:
        if hit.kept == "draft":
            return _draft_found(state, state.get(Draft, hit.email), detail)
        table = _TABLES[hit.kept]
        every, email = of[table][hit.conversation], state.get(table, hit.email)
        files = attached(state, *(mail.id for mail in every)) if detail == "detailed" else []
        about = thread(state, hit.conversation)
        senders = {str(who): who.address.lower() for who in (sender_of(state, mail) for mail in every)}
        others = [address for address in _to(state, every) if address.lower() not in senders.values()]
        return Found(
            id=hit.conversation,
            email_id=hit.email,
            sender=str(sender_of(state, email)),
            subject=email.subject,
            people=few([*senders, *(f"to {address}" for address in others)], _MOST_PEOPLE),
            sent=moment_of(email.sent_datetime),
            emails=len(every) if len(every) > 1 else None,
            marks=_marks(about, every),
            labels=labels.get(hit.conversation),
            attachments=[named(each) for each in files] or None,
            text=snippet(_own(email.body), _MORE if detail == "detailed" else _SNIPPET),
        )

    return show


def conversation(
    state: State, id: str, some: Sequence[Email], skip: int, elsewhere: Sequence[Email] = ()
) -> Conversation:
    """Some mails of a conversation from a character on, as much as a result may hold.

    Several are shown without what they quote at their end, which stands above them. A note says of those `elsewhere`
    whether they are in the mailbox or in the trash.
    """
    about, subject = thread(state, id), some[0].subject
    shown: list[Shown] = []
    left, place, next = RESULT - 2_000, 0, None
    for email in some:
        body = _own(email.body) if len(some) > 1 else email.body
        begin, size = max(0, skip - place), len(body) + 1
        if begin >= size:
            place += size
            continue
        item = _shown(state, email, subject)
        left -= len(_json(item))
        text = fitting(body[begin:], left)
        if len(text) < min(_LEAST, len(body) - begin) and shown:
            next = f"skip={place + begin}"
            break
        item.text = text
        shown.append(item)
        left -= len(json.dumps(text, ensure_ascii=False))
        if begin + len(text) < len(body):
            next = f"skip={place + begin + len(text)}"
            break
        place += size
    labels = labels_of(state, [id]).get(id)
    marks, note = _marks(about, some), _elsewhere(elsewhere)
    return Conversation(id=id, subject=subject, marks=marks, labels=labels, emails=shown, next=next, note=note)


def _elsewhere(some: Sequence[Email]) -> str | None:
    if not some:
        return None
    where = "in the trash" if isinstance(some[0], Trashed) else "still in the mailbox"
    ids = few_of((mail.id for mail in some), _MOST_PEOPLE)
    return f"Not shown, as {'it is' if len(some) == 1 else 'they are'} {where}: {ids}."


def _own(body: str) -> str:
    """A mail without the earlier one that it quotes below."""
    quoted = _QUOTED.search(body)
    if not quoted or not quoted.start():
        return body
    return f"{body[: quoted.start()]}\n[{len(quoted[0].strip()):,} characters of an earlier email quoted here]"


def draft(state: State, row: Draft, skip: int) -> Conversation:
    """A draft, shown as a conversation of one mail."""
    email = _as_email(row)
    item = _shown(state, email, row.subject)
    item.to = draft_to(row)
    item.text = fitting(row.body[skip:], RESULT - 2_000 - len(_json(item)))
    end = skip + len(item.text)
    marks = ["draft", *([f"answers {row.answers}"] if row.answers else [])]
    next = f"skip={end}" if end < len(row.body) else None
    return Conversation(id=row.id, subject=row.subject, marks=marks, emails=[item], next=next)


def _grouped(state: State, table: type[Email], conversations: list[str]) -> dict[str, list[Email]]:
    """The mails of some conversations, oldest first."""
    of: dict[str, list[Email]] = {id: [] for id in conversations}
    where = "coalesce(thread, id) IN (SELECT unnest(?))"
    for mail in state.find(table, where, [conversations], order="sent_datetime") if conversations else ():
        of[mail.thread or mail.id].append(mail)
    return of


def _draft_found(state: State, row: Draft, detail: Detail) -> Found:
    files = attached(state, row.id) if detail == "detailed" else []
    return Found(
        id=row.id,
        subject=row.subject,
        people=few([f"to {address}" for address in draft_to(row)], _MOST_PEOPLE),
        sent=to_minute(row.saved),
        marks=["draft"],
        attachments=[named(each) for each in files] or None,
        text=snippet(row.body, _MORE if detail == "detailed" else _SNIPPET),
    )


def _shown(state: State, email: Email, subject: str) -> Shown:
    """A mail without its text."""
    return Shown(
        id=email.id,
        sender=str(sender_of(state, email)),
        to=to_of(state, email),
        cc=email.cc or None,
        subject=email.subject if email.subject != subject else None,
        sent=moment_of(email.sent_datetime),
        attachments=[named(each) for each in attached(state, email.id)] or None,
        text="",
    )


def _as_email(row: Draft) -> Email:
    values = {name: getattr(row, name) for name in ("id", "address", "subject", "body", "cc")}
    return Email(folder="outbox", sent_datetime=to_minute(row.saved), **values)


def _to(state: State, every: Sequence[Email]) -> list[str]:
    """Whom the owner wrote to."""
    return [*dict.fromkeys(to for mail in every if mail.folder == "outbox" for to in to_of(state, mail))]


def _marks(about: Thread, some: Sequence[Email]) -> list[str] | None:
    marks = {
        "unread": not about.read,
        "starred": about.starred or any(email.starred for email in some),
        "archived": about.archived,
        "in the trash": isinstance(some[0], Trashed),
        about.category: about.category != "primary",
    }
    return [mark for mark, is_so in marks.items() if is_so] or None


def _json(item: BaseModel) -> str:
    return json.dumps(item.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
