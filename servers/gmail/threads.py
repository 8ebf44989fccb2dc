"""A small surface with what the one of the paper lacks: stars, conversations, and further recipients.

It shows rows as they are kept. A mail that is sent as an answer joins the conversation of the mail it answers.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.gmail.sending import address, send
from servers.gmail.tables import Email, app
from servers.kernel import Ref, Rejected, State, bounded, required

__all__ = ("threads",)

_MOST_FOUND, _MOST_COPIES, _LONGEST = 20, 50, 500
_SEARCHED = ("subject", "body", "address")

threads = app.toolset("threads", "Search, star, read as conversations, and send the e-mail of {owner} ({address}).")

_ID = "Id of an email, eight digits, as `search_emails` returns it in `id`."
EmailId = Annotated[str, Ref(Email), Field(description=_ID)]


@threads.reads
def search_emails(
    state: State,
    text: Annotated[
        str,
        Field(
            description="Text that occurs in the subject, the body or the address, regardless of case. "
            "Empty matches every email."
        ),
    ] = "",
    starred: Annotated[
        bool | None, Field(description="Only emails with a star, or only those without. Leave out for both.")
    ] = None,
) -> list[Email]:
    """Find emails, received and sent, by text and star.

    Returns the twenty newest matches at most, newest first, whole. `thread` is the id of the email that began the
    conversation, null for that email itself and for one that stands alone.
    """
    bounded(_LONGEST, text=text)
    where, params = ["(" + " OR ".join(f"contains(lower({c}), lower(?))" for c in _SEARCHED) + ")"], [text] * 3
    if starred is not None:
        where.append("starred" if starred else "NOT starred")
    return state.find(Email, " AND ".join(where), params, order="sent_datetime DESC", limit=_MOST_FOUND)


@threads.reads
def read_thread(state: State, email_id: EmailId) -> list[Email]:
    """Read the conversation that an email belongs to.

    Returns all its emails, received and sent, oldest first; that email alone if it stands alone.
    """
    required(email_id=email_id)
    first = _began(state.get(Email, email_id))
    return state.find(Email, "id = ? OR thread = ?", [first, first], order="sent_datetime")


@threads.writes(idempotent=True)
def star_email(
    state: State,
    email_id: EmailId,
    starred: Annotated[bool, Field(description="False takes the star away.")] = True,
) -> Email:
    """Give an email a star, or take it away. Returns the email."""
    required(email_id=email_id)
    return state.save(state.get(Email, email_id).model_copy(update={"starred": starred}))


@threads.writes
def send_email(
    state: State,
    to: Annotated[str, Field(description="One e-mail address. It is stored in lower case.")],
    subject: Annotated[str, Field(description="Subject line.")],
    body: Annotated[str, Field(description="Text of the email.")],
    cc: Annotated[list[str], Field(description="E-mail addresses of those who get a copy; 50 at most.")] = [],  # noqa: B006
    reply_to: Annotated[
        str | None,
        Ref(Email),
        Field(description=f"{_ID} The new email joins its conversation. Leave out for a new conversation."),
    ] = None,
) -> Email:
    """Send an email, perhaps with copies and as an answer.

    It is kept in the outbox, dated now. Returns the new email.
    """
    required(to=to, subject=subject, body=body)
    if len(cc) > _MOST_COPIES:
        raise Rejected(f"cc has {len(cc)} addresses; it may have {_MOST_COPIES}.")
    thread = _began(state.get(Email, reply_to)) if reply_to is not None else None
    copies = dict.fromkeys(address(copy) for copy in cc)
    return state.get(Email, send(state, address(to), subject, body, cc=[*copies], thread=thread))


def _began(email: Email) -> str:
    """The id of the email that began the conversation."""
    return email.thread or email.id
