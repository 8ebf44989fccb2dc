"""The six e-mail tools of WorkBench (the paper's appendix A.5, release of 2024).

They neither show nor set stars, threads and further recipients.

Departures from the release, each where it has a defect or says nothing useful:

- A search after a send works (the release fails to order old and new mails together).
- A new mail never overwrites another, whatever was deleted before, and its id is new, zero-padded
  to eight digits as all others are; ids of deleted mails do not come back.
- Mails sent at the same moment are found in mailbox order (the release leaves ties open).
- A search takes at most 32 different words, so that its cost does not grow with the text.
- Fields are those a mail has; the release's own list names two that do not exist.
- Sending, forwarding and replying name the new mail's id.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from servers.gmail.finding import Day, Words, conditions
from servers.gmail.sending import address, send
from servers.gmail.tables import Email, app
from servers.kernel import Ref, State, required

__all__ = ("workbench",)


class Mail(BaseModel):
    """A mail as the tools show it."""

    email_id: str
    folder: str = Field(serialization_alias="inbox/outbox")
    address: str = Field(serialization_alias="sender/recipient")
    subject: str
    sent_datetime: str
    body: str


_SHOWN = set(Mail.model_fields) - {"email_id"}

workbench = app.toolset("workbench")

EmailField = Literal["email_id", "inbox/outbox", "sender/recipient", "subject", "sent_datetime", "body"]
EmailId = Annotated[
    str, Ref(Email), Field(description="Id of an email, eight digits, as `search_emails` returns it in `email_id`.")
]
Recipient = Annotated[str, Field(description="One e-mail address. It is stored in lower case.")]
Body = Annotated[str, Field(description="Text of the email.")]


@workbench.reads
def get_email_information_by_id(
    state: State, email_id: EmailId, field: Annotated[EmailField, Field(description="Which field to read.")]
) -> dict[str, str]:
    """Read one field of an email.

    `inbox/outbox` says whether it was received or sent, `sender/recipient` is the address of the other party.
    Returns an object with only that field.
    """
    required(email_id=email_id)
    return {field: _mail(state.get(Email, email_id)).model_dump(by_alias=True)[field]}


@workbench.reads
def search_emails(
    state: State,
    query: Words = "",
    date_min: Day = None,
    date_max: Day = None,
) -> list[Mail]:
    """Find emails, received and sent, by words and by the day they were sent.

    Returns at most the five newest matches, newest first; narrow the query or the days to see others.
    Returns an empty list if nothing matches.
    """
    where, params = conditions(query, date_min, date_max)
    rows = state.find(Email, " AND ".join(where), params, order="sent_datetime DESC", limit=5)
    return [_mail(row) for row in rows]


@workbench.writes
def send_email(
    state: State,
    recipient: Recipient,
    subject: Annotated[str, Field(description="Subject line.")],
    body: Body,
) -> str:
    """Send an email to one recipient.

    It is kept in the outbox, dated now. Returns a confirmation with the new email's id.
    """
    required(recipient=recipient, subject=subject, body=body)
    new = send(state, address(recipient), subject, body)
    return f"Email sent to {recipient}. Its id is {new}."


@workbench.writes(destructive=True, idempotent=True)
def delete_email(state: State, email_id: EmailId) -> str:
    """Delete an email for good, received or sent."""
    required(email_id=email_id)
    state.delete(state.get(Email, email_id))
    return f"Email {email_id} deleted."


@workbench.writes
def forward_email(state: State, email_id: EmailId, recipient: Recipient) -> str:
    """Forward an existing email to one recipient.

    The body stays as it is and the subject gets `FW: ` in front. Returns a confirmation with the new email's id.
    """
    required(email_id=email_id, recipient=recipient)
    email = state.get(Email, email_id)
    new = send(state, address(recipient), f"FW: {email.subject}", email.body)
    return f"Email {email_id} forwarded to {recipient}. The new email's id is {new}."


@workbench.writes
def reply_email(state: State, email_id: EmailId, body: Body) -> str:
    """Reply to an email: send a text to the other party with the same subject.

    For a received email, that is its sender; for a sent one, its recipient.
    Returns a confirmation with the new email's id.
    """
    required(email_id=email_id, body=body)
    email = state.get(Email, email_id)
    new = send(state, email.address.lower(), email.subject, body)
    return f"Email {email_id} answered. The new email's id is {new}."


def _mail(row: Email) -> Mail:
    return Mail(email_id=row.id, **row.model_dump(include=_SHOWN))
