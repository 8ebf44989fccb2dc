"""The surface for models at work: finding, reading, writing. `keeping` has its tools for what becomes of mail."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from servers.gmail import showing
from servers.gmail.conversations import began, in_mailbox, mails
from servers.gmail.drafts import draft_to, filled, sent_off
from servers.gmail.outgoing import (
    SUBJECT,
    TEXT,
    Addressed,
    Attached,
    Files,
    People,
    addresses,
    answering,
    attached,
    dispatch,
    to_of,
)
from servers.gmail.search import QUERY, search
from servers.gmail.showing import Characters, Conversation, Detail, Found
from servers.gmail.tables import Attachment, Draft, Email, Trashed, app
from servers.kernel import Page, Ref, Skip, State, one_line, paged, part, required, snippet

__all__ = (
    "Saved",
    "Sent",
    "default",
    "find_emails",
    "get_conversation",
    "reply_to_email",
    "save_draft",
    "send_draft",
    "send_email",
    "sent",
)

default = app.toolset(
    "default",
    "The mailbox of {owner} ({address}): e-mail in conversations, drafts and labels. Begin with `find_emails`, which "
    "returns the ids that other tools take, and read with `get_conversation`. What is sent cannot be recalled.",
    structured=False,
)

_FOUND = "as returned by `find_emails` or `get_conversation`."
EmailId = Annotated[
    str, Ref(Email), Field(description=f"Id of an email, {_FOUND} A conversation's id is that of its first email.")
]
To = Annotated[People, Field(description="E-mail addresses, or names of people who appear in emails; 50 at most.")]
Cc = Annotated[People, Field(description="Who gets a copy, given as in `to`; 50 at most.")]
Text = Annotated[str, Field(max_length=TEXT, description="Body, in plain text.")]

_ALONE = "The email that it replied to was deleted for good, so it starts a conversation of its own."


class Read(BaseModel):
    """An attachment, or a part of it."""

    id: str
    name: str
    type: str
    email_id: str
    text: str
    next: str | None = None


class Sent(BaseModel):
    """What went out."""

    id: str
    conversation_id: str
    subject: str
    to: list[str]
    cc: list[str] | None = None
    attachments: list[str] | None = None
    note: str | None = None


class Saved(BaseModel):
    """A draft as it is now."""

    id: str
    to: list[str]
    cc: list[str] | None = None
    subject: str
    text: str
    attachments: list[str] | None = None
    reply_to: str | None = None


@default.reads
def find_emails(
    state: State,
    query: Annotated[
        str,
        Field(
            max_length=QUERY,
            description='Words (each in subject, text, names or addresses), "phrases", and from: to: (cc too) cc: '
            "(me is the owner) subject: label: has:attachment filename: "
            "is:unread|read|starred in:inbox|sent|archive|trash|drafts|anywhere "
            "category:primary|social|promotions|updates|forums after: before: (2026-03-12, inclusive) "
            "newer_than: older_than: (7d, 2m, 1y), with - and ( ), and OR between two of them. Empty finds all.",
        ),
    ] = "",
    detail: Annotated[Detail, Field(description="detailed: longer previews, and attachments.")] = "concise",
    skip: Skip = 0,
) -> Page[Found]:
    """Find conversations with an email that matches a Gmail-style query, newest first.

    Searches everything but drafts and trash, unless `in:` says otherwise.
    """
    hits = search(state, query)
    return paged(hits, skip, showing.found(state, hits, skip, detail))


@default.reads
def get_conversation(
    state: State,
    email_id: Annotated[
        str,
        Ref(Email),
        Field(description="Id of a conversation, of any email in it, or of a draft, as returned by `find_emails`."),
    ],
    alone: Annotated[bool, Field(description="Only the email with that id.")] = False,
    skip: Characters = 0,
) -> Conversation:
    """Read a whole conversation, oldest email first, or one email or draft; this marks nothing as read.

    Attachments are listed; `get_attachment` reads them. Quoted text at the end of an email is shown with `alone`.
    """
    if draft := state.there(Draft, email_id):
        return showing.draft(state, draft, skip)
    id = began(state, email_id)
    trashed = state.there(Trashed, email_id)
    some = mails(state, id, Trashed) if trashed else mails(state, id) or mails(state, id, Trashed)
    if alone:
        some = [email for email in some if email.id == email_id] or [state.get(Email, email_id)]
        return showing.conversation(state, id, some, skip)
    elsewhere = mails(state, id, Email if isinstance(some[0], Trashed) else Trashed)
    return showing.conversation(state, id, some, skip, elsewhere)


@default.reads
def get_attachment(
    state: State,
    attachment_id: Annotated[
        str, Ref(Attachment), Field(description="Id of an attachment (F1), as returned by `get_conversation`.")
    ],
    skip: Characters = 0,
) -> Read:
    """Read the text of an attachment."""
    found = state.get(Attachment, attachment_id)
    text, next = part(found.text, skip)
    return Read(id=found.id, name=found.name, type=found.type, email_id=found.email, text=text, next=next)


@default.writes
def send_email(
    state: State,
    to: To,
    subject: Annotated[str, Field(max_length=SUBJECT, description="The subject.")],
    text: Text,
    cc: Cc = [],  # noqa: B006
    attachments: Files = [],  # noqa: B006
) -> Sent:
    """Send a new email, which starts a conversation. To reply to one, use `reply_to_email`.

    One to the owner's own address appears in `in:sent` alone, not in the inbox.
    """
    required(subject=subject.strip(), text=text.strip())
    one_line(subject=subject)
    whom = Addressed(addresses(state, to, "to"), addresses(state, cc, "cc"))
    return sent(state, dispatch(state, whom, subject, text, files=attachments))


@default.writes
def reply_to_email(
    state: State,
    email_id: EmailId,
    text: Text,
    all: Annotated[bool, Field(description="Reply to everybody who received it, not just its sender.")] = False,
    cc: Cc = [],  # noqa: B006
    attachments: Files = [],  # noqa: B006
) -> Sent:
    """Reply to an email in its conversation, with the same subject.

    It goes to whoever sent that email; a reply to one that the owner sent goes to those who received it.
    """
    required(text=text.strip())
    email = in_mailbox(state, email_id, "email_id")
    to, copies = answering(state, email, everybody=all)
    whom = Addressed(to, [*copies, *addresses(state, cc, "cc")])
    id = email.thread or email.id
    return sent(state, dispatch(state, whom, email.subject, text, files=attachments, conversation=id))


@default.writes
def forward_email(
    state: State,
    email_id: EmailId,
    to: To,
    text: Annotated[str, Field(max_length=TEXT, description="Text above that of the forwarded email.")] = "",
    cc: Cc = [],  # noqa: B006
) -> Sent:
    """Forward a whole email with its attachments. It stays in the conversation, with FW: before the subject."""
    email = in_mailbox(state, email_id, "email_id")
    whom = Addressed(addresses(state, to, "to"), addresses(state, cc, "cc"))
    body = f"{text}\n\n{email.body}" if text else email.body
    kept = attached(state, email.id)
    id = email.thread or email.id
    return sent(state, dispatch(state, whom, f"FW: {email.subject}", body, kept=kept, conversation=id))


@default.writes
def save_draft(
    state: State,
    draft_id: Annotated[
        str | None, Ref(Draft), Field(description="Draft to change, as returned by `find_emails` or `save_draft`.")
    ] = None,
    to: Annotated[People | None, Field(description="As for `send_email`, 50 at most.")] = None,
    cc: Annotated[People | None, Field(description="Who gets a copy; 50 at most.")] = None,
    subject: Annotated[str | None, Field(max_length=SUBJECT, description="The subject.")] = None,
    text: Annotated[str | None, Field(max_length=TEXT, description="Body, in plain text.")] = None,
    attachments: Annotated[list[Attached] | None, Field(description="Text files, replacing all it has.")] = None,
    reply_to: Annotated[
        str | None,
        Ref(Email),
        Field(
            description="Email that it replies to, as returned by `find_emails`; its sender and subject are filled in."
        ),
    ] = None,
) -> Saved:
    """Create a draft, or with `draft_id` change the given fields of one. Nobody gets it before `send_draft`."""
    row = state.get(Draft, draft_id) if draft_id is not None else state.add(Draft(saved=state.now))
    row = filled(state, row, to=to, cc=cc, subject=subject, text=text, files=attachments, answers=reply_to)
    return Saved(
        id=row.id,
        to=draft_to(row),
        cc=row.cc or None,
        subject=row.subject,
        text=snippet(row.body),
        attachments=_files(state, row.id),
        reply_to=row.answers,
    )


@default.writes(destructive=True)
def send_draft(
    state: State,
    draft_id: Annotated[
        str,
        Ref(Draft),
        Field(description="Draft to send, as returned by `save_draft`, or by `find_emails` with in:drafts."),
    ],
) -> Sent:
    """Send a draft as it is. It is then no longer a draft."""
    draft = state.get(Draft, draft_id)
    email = sent_off(state, draft)
    return sent(state, email, _ALONE if draft.answers and email.thread is None else None)


def sent(state: State, email: Email, note: str | None = None) -> Sent:
    """What to say of a mail that went out."""
    return Sent(
        id=email.id,
        conversation_id=email.thread or email.id,
        subject=email.subject,
        to=to_of(state, email),
        cc=email.cc or None,
        attachments=_files(state, email.id),
        note=note,
    )


def _files(state: State, email: str) -> list[str] | None:
    return [showing.named(each) for each in attached(state, email)] or None
