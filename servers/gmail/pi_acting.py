"""The tools of `pi` that write, send, and change what is known of a thread."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from servers.gmail import default
from servers.gmail.conversations import (
    began,
    change,
    in_mailbox,
    known_label,
    label_names,
    mails,
    put_label,
    take_label,
)
from servers.gmail.default import Saved, Sent
from servers.gmail.outgoing import SUBJECT, TEXT, Addressed, People, addresses, attached, dispatch, sender_of
from servers.gmail.pi import DraftId, EmailId, ThreadId, opened, pi
from servers.gmail.showing import moment_of
from servers.gmail.tables import Email, Thread, Trashed
from servers.kernel import Ref, Rejected, State, one_line, quoted, required

__all__ = ()

To = Annotated[
    People,
    Field(description="E-mail addresses as returned by `search_users`, or names where it returns one; 50 at most."),
]
Cc = Annotated[People, Field(description="Who gets a copy, given the same way; 50 at most.")]
Subject = Annotated[str, Field(max_length=SUBJECT, description="The subject.")]
Text = Annotated[str, Field(max_length=TEXT, description="Body, in plain text.")]
Label = Annotated[str, Field(description="Name of a label, as returned by `search_labels`.")]

_MOST_LABEL = 100


class Posted(BaseModel):
    """What went out; a conversation of `default` is a thread here."""

    id: str
    thread_id: str
    subject: str
    to: list[str]
    cc: list[str] | None
    attachments: list[str] | None
    note: str | None


_TRASHED = "`view_email` shows it, but it cannot be answered or forwarded from there"


@pi.writes
def send_email(state: State, to: To, subject: Subject, text: Text, cc: Cc = []) -> Posted:  # noqa: B006
    """Send a new email, which starts a thread."""
    sent = default.send_email(opened(state), to, subject, text, cc)
    state.add(Thread(id=sent.id))
    return _posted(sent)


@pi.writes
def reply_to_email(
    state: State,
    email_id: EmailId,
    text: Text,
    all: Annotated[bool, Field(description="Reply to everybody who received it, not just its sender.")] = False,
) -> Posted:
    """Reply to an email in its thread, with the same subject."""
    in_mailbox(opened(state), email_id, "email_id", _TRASHED)
    return _posted(default.reply_to_email(state, email_id, text, all))


@pi.writes
def forward_thread(
    state: State,
    thread_id: ThreadId,
    to: To,
    text: Annotated[str, Field(max_length=TEXT, description="Text above what is forwarded.")] = "",
    cc: Cc = [],  # noqa: B006
) -> Posted:
    """Forward all emails of a thread in one, with their attachments. It stays in the thread."""
    id = began(opened(state), thread_id)
    every = mails(state, id) or [in_mailbox(state, mails(state, id, Trashed)[0].id, "thread_id", _TRASHED)]
    whom = Addressed(addresses(state, to, "to"), addresses(state, cc, "cc"))
    parts = [each.body if len(every) == 1 else _headed(state, each) for each in every]
    body = "\n\n".join([text, *parts] if text else parts)
    files = attached(state, *(each.id for each in every))
    subject = f"FW: {every[0].subject}"
    return _posted(default.sent(state, dispatch(state, whom, subject, body, kept=files, conversation=id)))


@pi.writes
def create_draft(
    state: State,
    to: To = [],  # noqa: B006
    subject: Subject = "",
    text: Text = "",
    cc: Cc = [],  # noqa: B006
    email_id: Annotated[
        str | None, Ref(Email), Field(description="Email that it replies to, as returned by `view_thread`.")
    ] = None,
) -> Saved:
    """Create a draft, which nobody gets before `send_draft`."""
    if email_id is not None:
        in_mailbox(opened(state), email_id, "email_id", _TRASHED)
    return default.save_draft(
        opened(state), to=to or None, cc=cc or None, subject=subject or None, text=text or None, reply_to=email_id
    )


@pi.writes
def update_draft(
    state: State,
    draft_id: DraftId,
    to: Annotated[People | None, Field(description="Who it is for, 50 at most, replacing those it has.")] = None,
    subject: Annotated[str | None, Field(max_length=SUBJECT, description="The subject.")] = None,
    text: Annotated[str | None, Field(max_length=TEXT, description="Body, in plain text.")] = None,
    cc: Annotated[People | None, Field(description="Who gets a copy, 50 at most, replacing those it has.")] = None,
) -> Saved:
    """Change the given fields of a draft."""
    return default.save_draft(opened(state), draft_id, to=to, subject=subject, text=text, cc=cc)


@pi.writes(destructive=True)
def send_draft(state: State, draft_id: DraftId) -> Posted:
    """Send a draft as it is. It is then no longer a draft."""
    return _posted(default.send_draft(opened(state), draft_id))


@pi.writes(idempotent=True)
def archive_thread(state: State, thread_id: ThreadId) -> str:
    """Move a thread out of the inbox into the archive."""
    return _changed(state, thread_id, "archived", archived=True)


@pi.writes(idempotent=True)
def mark_read(state: State, thread_id: ThreadId) -> str:
    """Mark a thread as read."""
    return _changed(state, thread_id, "read", read=True)


@pi.writes(idempotent=True)
def mark_unread(state: State, thread_id: ThreadId) -> str:
    """Mark a thread as unread."""
    return _changed(state, thread_id, "unread", read=False)


@pi.writes(idempotent=True)
def star_thread(state: State, thread_id: ThreadId) -> str:
    """Star a thread."""
    return _changed(state, thread_id, "starred", starred=True)


@pi.writes(idempotent=True)
def label_thread(
    state: State,
    thread_id: ThreadId,
    label: Annotated[
        str, Field(max_length=_MOST_LABEL, description="Name of a label, as returned by `search_labels`.")
    ],
) -> str:
    """Label a thread; a label that does not exist is created."""
    required(label=label.strip())
    one_line(label=label.strip())
    id = began(opened(state), thread_id)
    put = put_label(state, id, label.strip())
    return f"Thread {id} has the label {known_label(state, label)}{'' if put else ' already'}."


@pi.writes(destructive=True, idempotent=True)
def remove_label(state: State, thread_id: ThreadId, label: Label) -> str:
    """Remove a label from a thread."""
    id = began(opened(state), thread_id)
    if (known := known_label(state, label)) is None:
        raise Rejected(
            f"label: there is no {quoted(label)}; labels there are: {', '.join(label_names(state)) or 'none'}."
        )
    if take_label(state, id, known):
        return f"Thread {id} has the label {known} no longer."
    return f"Thread {id} did not have the label {known}."


def _posted(sent: Sent) -> Posted:
    return Posted(**sent.model_dump(exclude={"conversation_id"}), thread_id=sent.conversation_id)


def _changed(state: State, thread_id: str, what: str, **fields: bool) -> str:
    id = began(opened(state), thread_id)
    return f"Thread {id} is {what}{'' if change(state, id, **fields) else ' already'}."


def _headed(state: State, email: Email) -> str:
    return f"From: {sender_of(state, email)}\nSent: {moment_of(email.sent_datetime)}\n\n{email.body}"
