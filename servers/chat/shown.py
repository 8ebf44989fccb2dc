"""What tools show of messages, channels and people: a page at a time, each with a few queries for all of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import BaseModel

from servers.chat.members import called, mention
from servers.chat.places import JOINED, labels, sign
from servers.chat.search import UNREAD
from servers.chat.tables import Channel, Member, Membership, Message, Reaction
from servers.kernel import Page, State, few, few_of, snippet, to_minute

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
    given = [] if brief else state.find(Reaction, "message_id IN (SELECT unnest(?))", [list(ids)])
    who = [*(row.author_id for row in rows), *(reaction.member_id for reaction in given)]
    members = {member.id: member for member in state.find(Member, "id IN (SELECT unnest(?))", [who])}
    channels = state.find(Channel, "id IN (SELECT unnest(?))", [[row.channel_id for row in rows]])
    signs = {channel.id: sign(channel) for channel in channels}
    directs = labels(state, own, channels)
    marks = _marks(state, own, channels)
    heads = _heads(state, [row.thread or row.id for row in rows])
    reactions = _reactions(given, members)
    shown = {}
    for row in rows:
        head, count, last = heads[row.channel_id, row.thread or row.id]
        answered = head == row.id and count > 1
        read = marks.get(row.channel_id, row.sent)
        shown[row.id] = Note(
            id=row.id,
            channel=signs.get(row.channel_id),
            people=directs.get(row.channel_id),
            author=called(members[row.author_id]) if row.author_id in members else row.author_id,
            sent=to_minute(row.sent),
            text=snippet(row.text, 200) if brief else row.text,
            thread=head if head != row.id else None,
            replies=count - 1 if answered else None,
            last_reply=to_minute(last) if answered else None,
            reactions=reactions.get(row.id),
            edited=to_minute(row.edited) if row.edited else None,
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


def _marks(state: State, own: Member | None, channels: Sequence[Channel]) -> dict[str, datetime | None]:
    """How far the owner has read those of some open channels that they are in."""
    marks: dict[str, datetime | None] = {}
    if own:
        open_ = [channel.id for channel in channels if not channel.archived]
        where = "member_id = ? AND channel_id IN (SELECT unnest(?))"
        for row in state.find(Membership, where, [own.id, open_], order="last_read NULLS FIRST"):
            marks[row.channel_id] = row.last_read
    return marks


def _reactions(given: Sequence[Reaction], members: Mapping[str, Member]) -> dict[str, list[str]]:
    """Of each message, its emoji and who gave them."""
    names: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for reaction in given:
        who = members.get(reaction.member_id)
        names[reaction.message_id][reaction.emoji].append(who.name if who else reaction.member_id)
    return {id: [f"{emoji}: {few_of(by, _REACTED)}" for emoji, by in each.items()] for id, each in names.items()}


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
    inside: dict[str, dict[str, Member]] = defaultdict(dict)
    entries = state.query(
        "SELECT channel_id, member_id FROM channel_members WHERE channel_id IN (SELECT unnest(?)) ORDER BY _ord",
        [list(ids)],
    )
    members = {
        member.id: member for member in state.find(Member, "id IN (SELECT unnest(?))", [[m for _, m in entries]])
    }
    for channel, member in entries:
        if member in members:
            inside[channel][member] = members[member]
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
            joined=own is not None and own.id in inside[row.id],
            unread=None if row.archived else unread or None,
            mentions=None if row.archived else mentions or None,
            latest=to_minute(latest) if latest else None,
            archived=row.archived or None,
            created=to_minute(row.created) if row.created and not brief else None,
            people=None if brief else few([called(member) for member in inside[row.id].values()], _NAMES),
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
