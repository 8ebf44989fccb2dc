"""The tools of `default` for what becomes of mail: archive, trash, labels, marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field

from servers.gmail import conversations as talks
from servers.gmail.conversations import MOST_AT_ONCE, conversations
from servers.gmail.default import default
from servers.gmail.removing import Mode, discarded
from servers.gmail.tables import Email
from servers.kernel import Page, Ref, Rejected, Skip, State, caseless, one_line, paged, quoted

__all__ = ("LabelFound", "find_labels")

_MOST_NAME = 100
_MOST_LABELS = 20
_NO_LABELS = {
    "inbox": "`archive_emails` with archived=false moves conversations to the inbox",
    "starred": "`mark_emails` with starred=true stars conversations",
    "unread": "`mark_emails` with read=false marks conversations as unread",
    "trash": "`delete_emails` moves conversations to the trash",
    "sent": "what was sent is found with in:sent",
    "drafts": "`save_draft` writes drafts",
}
"""What Gmail shows among labels and is none here."""

ConversationIds = Annotated[
    list[str],
    Ref(Email),
    Field(description="Ids of conversations, or of emails in them, as returned by `find_emails`; 1 to 50."),
]


class Done(BaseModel):
    """What became of what was named: the ids that changed, and those that were so already."""

    changed: list[str]
    unchanged: list[str] | None = None


class Labelled(Done):
    """The conversations whose labels changed, and labels that did not exist before."""

    new_labels: list[str] | None = None


class LabelFound(BaseModel):
    """A label, and how much has it."""

    name: str
    conversations: int
    unread: int


@default.writes(idempotent=True)
def archive_emails(
    state: State,
    conversation_ids: ConversationIds,
    archived: Annotated[bool, Field(description="False moves them back.")] = True,
) -> Done:
    """Move conversations out of the inbox into the archive, or back."""
    ids = conversations(state, conversation_ids, "conversation_ids")
    return _done({id: talks.change(state, id, archived=archived) for id in ids})


@default.writes(destructive=True)
def delete_emails(
    state: State,
    conversation_ids: Annotated[list[str], Field(description="Whole conversations, as in `archive_emails`.")] = [],  # noqa: B006
    email_ids: Annotated[
        list[str],
        Field(description="Single emails, as returned by `get_conversation`, and drafts, which are deleted for good."),
    ] = [],  # noqa: B006
    mode: Annotated[
        Mode, Field(description="trash: can be restored; restore: out of the trash; forever: cannot be undone.")
    ] = "trash",
) -> Done:
    """Move conversations or single emails to the trash, restore them, or delete them for good.

    Emails in the trash are found only with `in:trash`. Returns the ids of all emails affected.
    """
    return Done(changed=discarded(state, conversation_ids, email_ids, mode))


@default.writes(destructive=True, idempotent=True)
def label_emails(
    state: State,
    conversation_ids: ConversationIds,
    add: Annotated[list[str], Field(description="Labels by name; one that does not exist is created.")] = [],  # noqa: B006
    remove: Annotated[list[str], Field(description="Labels by name, as returned by `find_labels`.")] = [],  # noqa: B006
) -> Labelled:
    """Add labels to conversations and remove others, 20 labels at most.

    When paging through a `label:` search and removing that label, ask for the first page again, without `skip`.
    """
    if not add and not remove:
        raise Rejected("add and remove are both empty; give a label, such as add=['Receipts'].")
    if len(add) + len(remove) > _MOST_LABELS:
        raise Rejected(f"add and remove have {len(add) + len(remove):,} labels; they may have {_MOST_LABELS}.")
    ids = conversations(state, conversation_ids, "conversation_ids")
    before = set(talks.label_names(state))
    taken = [_known(state, name) for name in remove]
    put = [talks.known_label(state, _named(name)) or _new(name) for name in add]
    if both := {*put}.intersection(taken):
        raise Rejected(f"{', '.join(sorted(both))} is in add and in remove; say which.")
    changed = {}
    for id in ids:
        moves = [talks.put_label(state, id, name) for name in put] + [
            talks.take_label(state, id, name) for name in taken
        ]
        changed[id] = any(moves)
    done = _done(changed)
    new = [name for name in talks.label_names(state) if name not in before]
    return Labelled(changed=done.changed, unchanged=done.unchanged, new_labels=new or None)


@default.writes(idempotent=True)
def mark_emails(
    state: State,
    conversation_ids: ConversationIds,
    read: Annotated[bool | None, Field(description="False marks as unread.")] = None,
    starred: Annotated[bool | None, Field(description="False unstars.")] = None,
) -> Done:
    """Mark conversations as read or unread, or star or unstar them."""
    if read is None and starred is None:
        raise Rejected("Neither read nor starred is given; give one, such as read=true.")
    ids = conversations(state, conversation_ids, "conversation_ids")
    return _done({id: _marked(state, id, read, starred) for id in ids})


@default.reads
def find_labels(
    state: State,
    query: Annotated[str, Field(description="Part of a name, case-insensitive.")] = "",
    skip: Skip = 0,
) -> Page[LabelFound]:
    """List labels by name, with the number of conversations that have each."""
    rows = state.query(
        "SELECT l.label, count(*), count(*) FILTER (NOT coalesce(t.read, true)) FROM thread_labels l "
        "LEFT JOIN threads t ON t.id = l.thread WHERE EXISTS "
        "(SELECT 1 FROM emails m WHERE coalesce(m.thread, m.id) = l.thread) GROUP BY l.label"
    )
    counted = {name: (has, unread) for name, has, unread in rows}
    names = [name for name in talks.label_names(state) if caseless(query) in caseless(name)]
    return paged(names, skip, lambda name: _label(name, counted.get(name, (0, 0))))


def _label(name: str, counts: Sequence[int]) -> LabelFound:
    return LabelFound(name=name, conversations=counts[0], unread=counts[1])


def _marked(state: State, id: str, read: bool | None, starred: bool | None) -> bool:
    """A conversation has a star as a whole or by one of its mails; taking it away takes all."""
    fields = {name: value for name, value in (("read", read), ("starred", starred)) if value is not None}
    mails = [mail for mail in talks.mails(state, id) if mail.starred]
    if starred and mails:
        del fields["starred"]
    changed = talks.change(state, id, **fields)
    if starred is False:
        for mail in mails:
            state.save(mail.model_copy(update={"starred": False}))
        changed |= bool(mails)
    return changed


def _known(state: State, name: str) -> str:
    if (label := talks.known_label(state, name)) is None:
        known = ", ".join(talks.label_names(state)[:MOST_AT_ONCE]) or "none"
        raise Rejected(f"remove: there is no label {quoted(name)}; labels there are: {known}.")
    return label


def _named(name: str) -> str:
    if not 0 < len(name.strip()) <= _MOST_NAME:
        raise Rejected(f"add: a label has 1 to {_MOST_NAME} characters, not {len(name.strip())}.")
    one_line(add=name.strip())
    return name


def _new(name: str) -> str:
    """A label that is to be made. Raises `Rejected` for what is none: another tool does that."""
    if tool := _NO_LABELS.get(name.strip().casefold()):
        raise Rejected(f"add: {quoted(name.strip())} is not a label; {tool}.")
    return name.strip()


def _done(changed: dict[str, bool]) -> Done:
    same = [id for id, is_so in changed.items() if not is_so]
    return Done(changed=[id for id, is_so in changed.items() if is_so], unchanged=same or None)
