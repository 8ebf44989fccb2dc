"""The rows of pi-Bench's table of tools about contacts and texts; `pi_alarms` has those about alarms and the time.

Where there are accounts, somebody has to log in to all but the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from pydantic import BaseModel, Field

from servers.kernel import (
    Day,
    NotFound,
    Page,
    Ref,
    Rejected,
    Skip,
    State,
    between,
    bounded,
    enter,
    has_words,
    in_order,
    is_address,
    paged,
    quoted,
    required,
    to_minute,
)
from servers.phone.lines import EXAMPLE, contacts, digits, mine, names, party, texts, whole
from servers.phone.tables import Contact, Line, Message, app

__all__ = ("pi",)

_NAME, _EMAIL, _RELATION, _NOTE, _TEXT = 100, 200, 100, 2_000, 1_600
"""Characters; of a text as many as ten linked ones of 160."""

pi = app.toolset(
    "pi",
    "The phone of {owner} ({address}). If a tool says so, `log_in` first. A thread is named by the other number; where "
    "a number is wanted, the whole name of a contact does too.",
    structured=False,
)

ContactId = Annotated[str, Ref(Contact), Field(description="Id of a contact (C7), from `search_contacts`.")]
Other = Annotated[str, Field(description=f"A number, such as {EXAMPLE}, or the whole name of a contact.")]
Query = Annotated[str, Field(description="Words that all occur, in any order, case-insensitive; empty for all.")]


class Known(BaseModel):
    """A contact."""

    id: str
    name: str
    number: str
    email: str | None
    relation: str | None
    note: str | None


class Texted(BaseModel):
    """A text; `name` is what the other number is called in the contacts, if it is there."""

    id: str
    sent: str
    sender: str
    recipient: str
    name: str | None
    text: str


pi.writes(name="log_in", idempotent=True)(enter)


@pi.reads
def search_contacts(state: State, query: Query = "", skip: Skip = 0) -> Page[Known]:
    """Find contacts by words in name, number, email address, relation or note; by name, twenty at a time."""
    found = [
        each
        for each in contacts(state, mine(state))
        if has_words(query, each.name, each.number, digits(each.number), each.email, each.relation, each.note)
    ]
    return paged(found, skip, _known)


@pi.writes
def add_contact(
    state: State,
    name: Annotated[str, Field(max_length=_NAME, description="Name.")],
    number: Annotated[str, Field(description=f"Number in international form, such as {EXAMPLE}.")],
    email: Annotated[str, Field(max_length=_EMAIL, description="Email address.")] = "",
    relation: Annotated[str, Field(max_length=_RELATION, description="Who it is to the owner, in a few words.")] = "",
    note: Annotated[str, Field(max_length=_NOTE, description="Anything else.")] = "",
) -> Known:
    """Add somebody to the contacts."""
    line = mine(state)
    made = Contact(
        username=line.username, name=name.strip(), number=number, email=email.strip(), relation=relation, note=note
    )
    return _known(state.add(_checked(state, made)))


@pi.writes(destructive=True, idempotent=True)
def update_contact(
    state: State,
    contact_id: ContactId,
    name: Annotated[str | None, Field(max_length=_NAME, description="New name.")] = None,
    number: Annotated[str | None, Field(description="New number, in international form.")] = None,
    email: Annotated[str | None, Field(max_length=_EMAIL, description="New email address; empty for none.")] = None,
    relation: Annotated[str | None, Field(max_length=_RELATION, description="New relation; empty for none.")] = None,
    note: Annotated[str | None, Field(max_length=_NOTE, description="New note; empty for none.")] = None,
) -> Known:
    """Change a contact. What is left out stays as it is; texts stay with the number that they were sent to."""
    line = mine(state)
    contact = state.get(Contact, contact_id)
    if contact.username != line.username:
        raise NotFound("contact", contact_id)
    given = {"name": name and name.strip(), "number": number, "email": email, "relation": relation, "note": note}
    changes = {field: value for field, value in given.items() if value is not None}
    if not changes:
        raise Rejected("Nothing to change; give a new name, number, email, relation or note.")
    return _known(state.save(_checked(state, contact.model_copy(update=changes))))


@pi.reads
def search_messages(
    state: State,
    query: Query = "",
    other: Annotated[str, Field(description="Only texts with this number or contact; empty for all.")] = "",
    after: Annotated[Day | None, Field(description="Only from this day on, as YYYY-MM-DD.")] = None,
    before: Annotated[Day | None, Field(description="Only up to this day, as YYYY-MM-DD.")] = None,
    skip: Skip = 0,
) -> Page[Texted]:
    """Find texts, sent and received, by words in the text or the name of the other; newest first, twenty at a time."""
    line = mine(state)
    in_order(after, before)
    found = [
        each
        for each in _texted(state, line, texts(state, line, party(state, line, other) if other else None))
        if between(date.fromisoformat(each.sent[:10]), after, before) and has_words(query, each.text, each.name or "")
    ]
    return paged(found, skip, lambda each: each)


@pi.reads
def view_message_thread(state: State, other: Other, skip: Skip = 0) -> Page[Texted]:
    """Show the texts with one number, newest first, twenty at a time. Nothing is marked as read."""
    line = mine(state)
    return paged(_texted(state, line, texts(state, line, party(state, line, other))), skip, lambda each: each)


@pi.reads
def view_text_message(
    state: State,
    message_id: Annotated[str, Ref(Message), Field(description="Id of a text (T12), from `search_messages`.")],
) -> Texted:
    """Show one text."""
    line = mine(state)
    message = state.get(Message, message_id)
    if digits(line.number) not in (digits(message.sender), digits(message.recipient)):
        raise NotFound("text message", message_id)
    return _texted(state, line, [message])[0]


@pi.writes
def send_text_message(
    state: State, to: Other, text: Annotated[str, Field(description="What to say; at most 1,600 characters.")]
) -> Texted:
    """Send a text at once."""
    line = mine(state)
    required(text=text.strip())
    bounded(_TEXT, text=text)
    if not line.number:
        raise Rejected("This phone has no number, so that nothing can be sent from it.")
    sent = state.add(Message(sender=line.number, recipient=party(state, line, to), text=text, sent=state.now))
    return _texted(state, line, [sent])[0]


def _checked(state: State, contact: Contact) -> Contact:
    """The contact as it may be kept. Raises `Rejected`."""
    required(name=contact.name)
    if contact.email and not is_address(contact.email):
        raise Rejected(f"email, {quoted(contact.email)}, is not an email address.")
    contact = contact.model_copy(update={"number": whole(contact.number)})
    line = mine(state)
    if digits(contact.number) == digits(line.number):
        raise Rejected("That is the phone's own number.")
    for each in contacts(state, line):
        if each.id != contact.id and digits(each.number) == digits(contact.number):
            advice = "two contacts cannot share one" if contact.id else "use `update_contact`"
            raise Rejected(f"{each.name} ({each.id}) has the number {each.number} already; {advice}.")
    return contact


def _known(contact: Contact) -> Known:
    return Known(
        id=contact.id,
        name=contact.name,
        number=contact.number,
        email=contact.email or None,
        relation=contact.relation or None,
        note=contact.note or None,
    )


def _texted(state: State, line: Line, messages: Sequence[Message]) -> list[Texted]:
    called, own = names(state, line), digits(line.number)
    return [
        Texted(
            id=each.id,
            sent=to_minute(each.sent),
            sender=each.sender,
            recipient=each.recipient,
            name=called.get(digits(each.recipient if digits(each.sender) == own else each.sender)),
            text=each.text,
        )
        for each in messages
    ]
