"""What drafts are made of, and how they become mails. For `default` and `pi`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from servers.gmail.conversations import began, in_mailbox
from servers.gmail.outgoing import (
    Addressed,
    File,
    addresses,
    answering,
    attach,
    attached,
    dispatch,
)
from servers.gmail.tables import Draft, Email, Trashed
from servers.kernel import NotFound, Rejected, State, one_line, required

__all__ = ("draft_to", "filled", "sent_off")


def draft_to(row: Draft) -> list[str]:
    """All whom a draft is for, without copies."""
    return row.to or ([row.address] if row.address else [])


def filled(
    state: State,
    row: Draft,
    *,
    to: Sequence[str] | None = None,
    cc: Sequence[str] | None = None,
    subject: str | None = None,
    text: str | None = None,
    files: Sequence[File] | None = None,
    answers: str | None = None,
) -> Draft:
    """Put what is given into a draft; None leaves a part as it is. Raises `Rejected` where nothing is given.

    One that answers a mail gets whom that came from, and its subject, where it has neither.
    """
    if all(part is None for part in (to, cc, subject, text, files, answers)):
        raise Rejected("There is nothing to save; give something, such as to, subject or text.")
    one_line(subject=subject or "")
    if answers is not None:
        email = in_mailbox(state, answers, "reply_to")
        row.answers = email.id
        if to is None and not row.address:
            to = answering(state, email, everybody=False).to
        if subject is None and not row.subject:
            subject = email.subject
    if to is not None:
        found = addresses(state, to, "to")
        row.address, row.to = next(iter(found), ""), found if len(found) > 1 else []
    if cc is not None:
        row.cc = addresses(state, cc, "cc")
    row.subject = row.subject if subject is None else subject
    row.body = row.body if text is None else text
    row.saved = state.now
    if files is not None:
        for each in attached(state, row.id):
            state.delete(each)
        attach(state, row.id, files)
    return state.save(row)


def sent_off(state: State, row: Draft) -> Email:
    """Send a draft, in the conversation of the mail that it answers, also where that is in the trash.

    It begins one of its own where that mail was deleted for good, and nothing tells its conversation any more. Raises
    `Rejected`, also for an empty subject unless it answers a mail that has none.
    """
    answered = row.answers and (state.there(Email, row.answers) or state.there(Trashed, row.answers))
    bare = answered and not answered.subject.strip()
    required(text=row.body.strip(), **({} if bare else {"subject": row.subject.strip()}))
    conversation = None
    if row.answers:
        with suppress(NotFound):
            conversation = began(state, row.answers)
    sent = dispatch(state, Addressed(draft_to(row), row.cc), row.subject, row.body, conversation=conversation)
    for each in attached(state, row.id):
        state.save(each.model_copy(update={"email": sent.id}))
    state.delete(row)
    return sent
