"""A small surface with what the one of the paper lacks: stars, conversations, and further recipients.

It shows rows as they are kept. A mail that is sent as an answer joins the conversation of the mail it answers.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from servers.gmail.finding import Day, Words, conditions
from servers.gmail.outgoing import attach_again, attached
from servers.gmail.sending import address as stored
from servers.gmail.sending import send
from servers.gmail.tables import Email, app
from servers.kernel import Ref, Rejected, State, one_line, required

__all__ = ("threads",)

_MOST_FOUND, _MOST_COPIES = 20, 50

threads = app.toolset(
    "threads", "Search, star, read as conversations, send, forward and delete the e-mail of {owner} ({address})."
)

_ID = "Id of an email, eight digits, as `search_emails` returns it in `id`."
EmailId = Annotated[str, Ref(Email), Field(description=_ID)]
To = Annotated[str, Field(description="One e-mail address. It is stored in lower case.")]
Copies = Annotated[list[str], Field(description="E-mail addresses of those who get a copy; 50 at most.")]


@threads.reads
def search_emails(
    state: State,
    query: Words = "",
    folder: Annotated[
        Literal["inbox", "outbox"] | None, Field(description="inbox: received; outbox: sent. Leave out for both.")
    ] = None,
    address: Annotated[
        str | None,
        Field(
            description="Full e-mail address of whoever sent it (inbox) or received it (outbox). Leave out for anybody."
        ),
    ] = None,
    starred: Annotated[
        bool | None, Field(description="Only emails with a star, or only those without. Leave out for both.")
    ] = None,
    date_min: Day = None,
    date_max: Day = None,
) -> list[Email]:
    """Find emails that meet every condition given: words, folder, address, star, and the days they were sent.

    Returns at most the twenty newest matches, newest first, in full; narrow the query or the days to see others.
    `address` is the sender in the inbox and the recipient in the outbox. `thread` is the id of the email that began
    the conversation, null for that email itself and for one on its own: `read_thread` shows which it is.
    """
    where, params = conditions(query, date_min, date_max)
    for column, value in (("folder", folder), ("lower(address)", address and address.lower())):
        if value:
            where.append(f"{column} = ?")
            params.append(value)
    if starred is not None:
        where.append("starred" if starred else "NOT starred")
    return state.find(Email, " AND ".join(where), params, order="sent_datetime DESC, _ord DESC", limit=_MOST_FOUND)


@threads.reads
def read_thread(state: State, email_id: EmailId) -> list[Email]:
    """Read the conversation that an email belongs to.

    Returns all its emails, received and sent, oldest first; only that email if it is on its own.
    """
    required(email_id=email_id)
    first = _began(state.get(Email, email_id))
    return state.find(Email, "id = ? OR thread = ?", [first, first], order="sent_datetime")


@threads.writes(idempotent=True)
def star_email(
    state: State,
    email_id: EmailId,
    starred: Annotated[bool, Field(description="False unstars.")] = True,
) -> Email:
    """Star or unstar an email. Returns the email."""
    required(email_id=email_id)
    return state.save(state.get(Email, email_id).model_copy(update={"starred": starred}))


@threads.writes(destructive=True, idempotent=True)
def delete_email(state: State, email_id: EmailId) -> Email:
    """Delete an email for good, received or sent. Returns the deleted email."""
    required(email_id=email_id)
    email = state.get(Email, email_id)
    state.delete(email)
    return email


@threads.writes
def send_email(
    state: State,
    to: To,
    body: Annotated[str, Field(description="Text of the email.")],
    subject: Annotated[
        str | None,
        Field(description="Subject line. A reply may omit it: it gets that of the email replied to."),
    ] = None,
    cc: Copies = [],  # noqa: B006
    reply_to: Annotated[
        str | None,
        Ref(Email),
        Field(description=f"{_ID} The new email is a reply to it and joins its conversation. Leave out for none."),
    ] = None,
) -> Email:
    """Send an email, optionally with copies or as a reply.

    It is sent at once and kept in the outbox, dated now. Returns the new email.
    """
    answered = state.get(Email, reply_to) if reply_to is not None else None
    headed = answered.subject if subject is None and answered else subject or ""
    required(to=to, subject=headed, body=body)
    one_line(subject=subject or "")
    thread = _began(answered) if answered else None
    return _sent(state, to, headed, body, cc, thread)


@threads.writes
def forward_email(
    state: State,
    email_id: EmailId,
    to: To,
    note: Annotated[str, Field(description="Text above the forwarded email. Leave out for none.")] = "",
    cc: Copies = [],  # noqa: B006
) -> Email:
    """Forward an existing email with its attachments, optionally with copies.

    The body stays as it is, below the note; the subject gets `FW: ` in front. Returns the new email, which starts a
    conversation of its own.
    """
    required(email_id=email_id, to=to)
    email = state.get(Email, email_id)
    body = f"{note}\n\n{email.body}" if note else email.body
    sent = _sent(state, to, f"FW: {email.subject}", body, cc, None)
    attach_again(state, sent.id, attached(state, email.id))
    return sent


def _sent(state: State, to: str, subject: str, body: str, cc: list[str], thread: str | None) -> Email:
    if len(cc) > _MOST_COPIES:
        raise Rejected(f"cc has {len(cc)} addresses; it may have {_MOST_COPIES}.")
    address = stored(to)
    copies = [copy for copy in dict.fromkeys(map(stored, cc)) if copy != address]
    return state.get(Email, send(state, address, subject, body, cc=copies, thread=thread))


def _began(email: Email) -> str:
    """The id of the email that began the conversation."""
    return email.thread or email.id
