"""What every surface does when a mail goes out."""

from __future__ import annotations

from collections.abc import Sequence

from servers.gmail.tables import Email
from servers.kernel import Rejected, State, quoted

__all__ = ("address", "send")


def send(state: State, to: str, subject: str, body: str, *, cc: Sequence[str] = (), thread: str | None = None) -> str:
    """Put a mail into the outbox, dated now, and return its id."""
    sent = state.now.strftime("%Y-%m-%d %H:%M:%S")
    email = Email(
        folder="outbox", address=to, subject=subject, sent_datetime=sent, body=body, thread=thread, cc=list(cc)
    )
    return state.add(email).id


def address(recipient: str) -> str:
    """The address as it is stored. Raises `Rejected` for what is none."""
    if "@" not in recipient or "." not in recipient:
        raise Rejected(f"{quoted(recipient)} is not an e-mail address; it should look like name@company.com.")
    return recipient.lower()
