"""The way into the trash, out of it, and out of the mailbox for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from servers.gmail.conversations import MOST_AT_ONCE, conversations, mails
from servers.gmail.outgoing import attached
from servers.gmail.tables import Draft, Email, Envelope, Thread, ThreadLabel, Trashed
from servers.kernel import Rejected, State, Table, quoted

__all__ = ("Mode", "discarded")

Mode = Literal["trash", "restore", "forever"]

_FROM: dict[str, tuple[type[Table], ...]] = {
    "trash": (Email, Draft),
    "restore": (Trashed,),
    "forever": (Email, Trashed, Draft),
}


def discarded(state: State, conversation_ids: Sequence[str], email_ids: Sequence[str], mode: Mode) -> list[str]:
    """Do that with all mails of some conversations, and with single mails and drafts. Gives their ids.

    Raises `Rejected`, naming what is not there, or not where it would be taken from.
    """
    count = len(conversation_ids) + len(email_ids)
    if not 0 < count <= MOST_AT_ONCE:
        raise Rejected(f"conversation_ids and email_ids have {count} ids; give 1 to {MOST_AT_ONCE}.")
    rows: dict[str, Table] = {}
    missing = []
    for id in conversations(state, conversation_ids, "conversation_ids") if conversation_ids else ():
        some = [mail for table in _FROM[mode] if issubclass(table, Email) for mail in mails(state, id, table)]
        rows |= {mail.id: mail for mail in some}
        missing += [] if some else [id]
    for id in email_ids:
        found = [row for table in _FROM[mode] if (row := state.there(table, id))]
        rows |= {row.id: row for row in found}
        missing += [] if found else [id]
    if missing:
        where = {"trash": "the mailbox", "restore": "the trash", "forever": "the mailbox or the trash"}[mode]
        trashed = [id for id in missing if mode == "trash" and state.there(Trashed, id)]
        already = f" In the trash already: {quoted(*trashed)}." if trashed else ""
        raise Rejected(f"No email in {where} has the id {quoted(*missing)}.{already} Nothing was changed.")
    for row in rows.values():
        _discard(state, row, mode)
    return [*rows]


def _discard(state: State, row: Table, mode: Mode) -> None:
    state.delete(row)
    if isinstance(row, Trashed) and mode == "restore":
        state.add(Email.model_validate(row.model_dump(exclude={"trashed"})))
    elif isinstance(row, Email) and mode == "trash":
        state.add(Trashed(**row.model_dump(), trashed=state.now))
    else:
        _clear(state, row)


def _clear(state: State, row: Table) -> None:
    """Remove what belonged to a mail or a draft, and to its conversation if that was the last of it."""
    for each in attached(state, row.id):
        state.delete(each)
    if not isinstance(row, Email):
        return
    if envelope := state.there(Envelope, row.id):
        state.delete(envelope)
    id = row.thread or row.id
    if not mails(state, id) and not mails(state, id, Trashed):
        for table, column in ((Thread, "id"), (ThreadLabel, "thread")):
            for about in state.find(table, f"{column} = ?", [id]):
                state.delete(about)
