"""What tools show of messages, channels and people: a page at a time, each with a few queries for all of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel

from servers.chat.members import called, mention
from servers.chat.places import JOINED, labels, sign
from servers.chat.search import UNREAD
from servers.chat.tables import Channel, Member, Message
from servers.kernel import Page, State, snippet

__all__ = ("Note", "Place", "Thread", "notes", "people", "places")

_NAMES = 50
_REACTED = 10


class Note(BaseModel):
    """A message. `thread` is the id of the message it answers; `replies` counts the answers to this one."""

    id: str
    channel: str | None = None
    people: str | None = None
    author: str
    sent: str
    text: str
    thread: str | None = None
    replies: int | None = None
    last_reply: str | None = None
    reactions: list[str] | None = None
    edited: str | None = None
    unread: bool | None = None
    remark: str | None = None


class Thread(Page[Note]):
    """A message and the answers to it."""

    channel: str


class Place(BaseModel):
    """Where one can write: a channel, a direct conversation, or a person. `unread` and `mentions` count what is new."""

    id: str
    kind: str
    name: str
    topic: str | None = None
    members: int | None = None
    joined: bool | None = None
    unread: int | None = None
    mentions: int | None = None
    latest: str | None = None
    archived: bool | None = None
    created: str | None = None
    people: list[str] | None = None
    handle: str | None = None
    address: str | None = None
    title: str | None = None
    status: str | None = None
    zone: str | None = None
    deactivated: bool | None = None


def notes(state: State, own: Member | None, ids: Sequence[str], *, brief: bool = False) -> dict[str, Note]:
    """The messages of those ids; `brief` ones have the beginning of their text and no reactions."""
    rows = state.find(Message, "id IN (SELECT unnest(?))", [list(ids)])
    authors = {
        member.id: called(member)
        for member in state.find(Member, "id IN (SELECT unnest(?))", [[row.author_id for row in rows]])
    }
    channels = state.find(Channel, "id IN (SELECT unnest(?))", [[row.channel_id for row in rows]])
    signs = {channel.id: sign(channel) for channel in channels}
    directs = labels(state, own, channels)
    marks = dict(state.query(f"SELECT * FROM {JOINED}", [own.id if own else ""]))
    heads = _heads(state, [row.thread or row.id for row in rows])
    reactions = {} if brief else _reactions(state, ids)
    shown = {}
    for row in rows:
        head, count, last = heads[row.channel_id, row.thread or row.id]
        answered = head == row.id and count > 1
        read = marks.get(row.channel_id, row.sent)
        shown[row.id] = Note(
            id=row.id,
            channel=signs.get(row.channel_id),
            people=directs.get(row.channel_id),
            author=authors.get(row.author_id, row.author_id),
            sent=_time(row.sent),
            text=snippet(row.text, 200) if brief else row.text,
            thread=head if head != row.id else None,
            replies=count - 1 if answered else None,
            last_reply=_time(last) if answered else None,
            reactions=reactions.get(row.id),
            edited=_time(row.edited) if row.edited else None,
            unread=True if own and row.author_id != own.id and (read is None or row.sent > read) else None,
        )
    return shown


def _heads(state: State, keys: Sequence[str]) -> dict[tuple[str, str], tuple[str, int, datetime]]:
    """Of each thread the message that it hangs on, how many it has, and when the last was sent.

    Where that message was deleted, the thread hangs on the first answer that is left.
    """
    rows = state.query(
        "SELECT channel_id, coalesce(thread, id) AS begun, "
        "first(id ORDER BY thread IS NOT NULL, sent, _ord), count(*), max(sent) "
        "FROM messages WHERE coalesce(thread, id) IN (SELECT unnest(?)) GROUP BY ALL",
        [list(keys)],
    )
    return {(channel, begun): (head, count, last) for channel, begun, head, count, last in rows}


def _reactions(state: State, ids: Sequence[str]) -> dict[str, list[str]]:
    """Of each message, its emoji and who gave them."""
    given: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for id, emoji, name in state.query(
        "SELECT r.message_id, r.emoji, p.name FROM reactions AS r JOIN members AS p ON p.id = r.member_id "
        "WHERE r.message_id IN (SELECT unnest(?)) ORDER BY r._ord",
        [list(ids)],
    ):
        given[id][emoji].append(name)
    return {
        id: [f"{emoji}: {_several(names, _REACTED)}" for emoji, names in each.items()] for id, each in given.items()
    }


def places(state: State, own: Member | None, ids: Sequence[str], *, brief: bool = False) -> dict[str, Place]:
    """The channels and conversations of those ids; `brief` ones without who is in them and since when they are."""
    rows = state.find(Channel, "id IN (SELECT unnest(?))", [list(ids)])
    mentioned, params = mention(own) if own else ("false", [])
    news = {
        id: counts
        for id, *counts in state.query(
            f"SELECT m.channel_id, max(m.sent), count(*) FILTER ({UNREAD}), count(*) FILTER ({UNREAD} AND {mentioned}) "
            f"FROM messages AS m LEFT JOIN {JOINED} ON j.channel_id = m.channel_id "
            "WHERE m.channel_id IN (SELECT unnest(?)) GROUP BY m.channel_id",
            [*[own.id if own else ""] * 2, *params, own.id if own else "", list(ids)],
        )
    }
    inside: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for channel, member, name, handle in state.query(
        "SELECT DISTINCT ON (j.channel_id, j.member_id) j.channel_id, j.member_id, p.name, p.handle "
        "FROM channel_members AS j JOIN members AS p ON p.id = j.member_id "
        "WHERE j.channel_id IN (SELECT unnest(?)) ORDER BY j._ord",
        [list(ids)],
    ):
        inside[channel].append((member, f"{name} (@{handle})"))
    directs = labels(state, own, rows)
    shown = {}
    for row in rows:
        latest, unread, mentions = news.get(row.id, (None, 0, 0))
        shown[row.id] = Place(
            id=row.id,
            kind=row.kind,
            name=directs.get(row.id, sign(row)),
            topic=(snippet(row.topic) if brief else row.topic) or None,
            members=len(inside[row.id]),
            joined=own is not None and own.id in [member for member, _ in inside[row.id]],
            unread=unread or None,
            mentions=mentions or None,
            latest=_time(latest) if latest else None,
            archived=row.archived or None,
            created=_time(row.created) if row.created and not brief else None,
            people=None if brief else _few([who for _, who in inside[row.id]]),
        )
    return shown


def people(rows: Sequence[Member]) -> dict[str, Place]:
    return {
        row.id: Place(
            id=row.id,
            kind="person",
            name=row.name,
            handle=f"@{row.handle}",
            address=row.address,
            title=row.title or None,
            status=row.status or None,
            zone=row.zone or None,
            deactivated=None if row.active else True,
        )
        for row in rows
    }


def _time(moment: datetime) -> str:
    return moment.isoformat(" ", "minutes")


def _few(names: list[str]) -> list[str]:
    return names if len(names) <= _NAMES else [*names[:_NAMES], f"and {len(names) - _NAMES} more"]


def _several(names: list[str], most: int) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
