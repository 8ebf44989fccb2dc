"""Conversations: which mails they have, what is known of them as a whole, and their labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from servers.gmail.tables import Email, Label, Thread, ThreadLabel, Trashed
from servers.kernel import NotFound, Rejected, State, caseless, each_of

__all__ = (
    "MOST_AT_ONCE",
    "began",
    "change",
    "conversations",
    "in_mailbox",
    "known_label",
    "label_names",
    "labels_of",
    "mails",
    "put_label",
    "take_label",
    "thread",
)

MOST_AT_ONCE = 50

_BETWEEN = re.compile(r"[-_\s]+")


def began(state: State, id: str) -> str:
    """The conversation that an id means: its own, or that of a mail in it, perhaps in the trash. Raises `NotFound`."""
    email = state.there(Email, id)
    if email is None:
        others = state.find(Email, "thread = ?", [id], limit=1) or state.find(
            Trashed, "id = ? OR thread = ?", [id, id], limit=1
        )
        if not others:
            raise NotFound(Email.noun, id)
        email = others[0]
    return email.thread or email.id


def in_mailbox(state: State, id: str, argument: str, advice: str = "") -> Email:
    """The mail of that id. Raises `NotFound`, and `Rejected` for one in the trash.

    `advice` is what is said then; without it, how `default` restores a mail.
    """
    if email := state.there(Email, id):
        return email
    if not state.there(Trashed, id):
        raise NotFound(Email.noun, id)
    advice = advice or f"restore it first, by `delete_emails` with email_ids=[{id!r}] and mode='restore'"
    raise Rejected(f"{argument}: email {id!r} is in the trash; {advice}.")


def conversations(state: State, ids: Sequence[str], argument: str) -> list[str]:
    """Each conversation that some ids mean, once. Raises `NotFound` for one, `Rejected` naming all that mean none."""
    if not 0 < len(ids) <= MOST_AT_ONCE:
        raise Rejected(f"{argument} has {len(ids)} ids; give 1 to {MOST_AT_ONCE}, as `find_emails` gives them.")
    return [*dict.fromkeys(each_of(ids, lambda id: began(state, id), Email.noun, argument))]


def mails(state: State, conversation: str, table: type[Email] = Email) -> Sequence[Email]:
    """The mails of a conversation, oldest first: those in the mailbox, or those in the trash.

    The one that began it is looked up by its id: a search for either took twice as long among ten thousand mails.
    """
    found = state.find(table, "thread = ?", [conversation], order="sent_datetime")
    began = state.there(table, conversation)
    if began is None or began.thread == conversation:
        return found
    return sorted([began, *found], key=lambda mail: mail.sent_datetime)


def thread(state: State, conversation: str) -> Thread:
    """What is known of a conversation, which may be nothing but the defaults."""
    return state.there(Thread, conversation) or Thread(id=conversation)


def change(state: State, conversation: str, **fields: Any) -> bool:
    """Set what belongs to a conversation as a whole. Gives whether anything is another now."""
    before = thread(state, conversation)
    after = before.model_copy(update=fields)
    if after == before:
        return False
    if state.there(Thread, conversation):
        state.save(after)
    else:
        state.add(after)
    return True


def label_names(state: State) -> list[str]:
    """All labels there are, by name."""
    rows = state.query("SELECT name FROM labels UNION SELECT label FROM thread_labels")
    return sorted((name for (name,) in rows), key=lambda name: (name.casefold(), name))


def known_label(state: State, name: str) -> str | None:
    """How a label is written that somebody names; case, and what stands between words, do not matter."""
    return next((known for known in label_names(state) if _same(known) == _same(name)), None)


def labels_of(state: State, conversations: Iterable[str]) -> dict[str, list[str]]:
    """The labels of each conversation that has any, by name."""
    rows = state.query(
        "SELECT thread, label FROM thread_labels WHERE thread IN (SELECT unnest(?)) ORDER BY label", [[*conversations]]
    )
    found: dict[str, list[str]] = {}
    for conversation, label in rows:
        found.setdefault(conversation, []).append(label)
    return found


def put_label(state: State, conversation: str, name: str) -> bool:
    """Label a conversation. Gives whether it lacked the label; one that did not exist is made."""
    label = known_label(state, name)
    if label is None:
        label = state.add(Label(name=name)).name
    if state.find(ThreadLabel, "thread = ? AND label = ?", [conversation, label]):
        return False
    state.add(ThreadLabel(thread=conversation, label=label))
    return True


def take_label(state: State, conversation: str, label: str) -> bool:
    """Take a label off. Gives whether the conversation had it."""
    found = state.find(ThreadLabel, "thread = ? AND label = ?", [conversation, label])
    for row in found:
        state.delete(row)
    return bool(found)


def _same(label: str) -> str:
    return _BETWEEN.sub("-", caseless(label.strip()))
