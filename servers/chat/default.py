"""The surface for models at work: what somebody does in a chat, in ten tools."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from servers.chat.emoji import emoji_name
from servers.chat.members import called, everybody, me, mention, myself, resolved
from servers.chat.places import JOINED, VISIBLE, joined, message, place, sign, writable
from servers.chat.search import QUERY, UNREAD, Term, found, terms
from servers.chat.sending import addressed, created, let_in, listed, take_out
from servers.chat.shown import Note, Place, Thread, notes, people, places
from servers.chat.tables import TEXT, Channel, Member, Message, Reaction, app
from servers.kernel import (
    PAGE,
    Day,
    Page,
    Ref,
    Rejected,
    Skip,
    State,
    bounded,
    containing,
    in_order,
    paged,
    required,
    words_of,
)

__all__ = ("default",)

_LATEST = "(SELECT channel_id, max(sent) AS latest FROM messages GROUP BY channel_id) AS l"
_PEOPLE_IN = (
    "(SELECT i.channel_id, string_agg(concat(w.name, ' ', w.handle), ' ' ORDER BY i._ord) AS names "
    "FROM channel_members AS i JOIN members AS w ON w.id = i.member_id JOIN channels AS d ON d.id = i.channel_id "
    "WHERE d.kind = 'direct' GROUP BY i.channel_id) AS p"
)
_CHANNELS, _PEOPLE, _TOPIC = 50, 50, 250

default = app.toolset(
    "default",
    "The workplace chat of {owner} ({address}): what they see of channels, direct conversations and threads, and what "
    "they write there. Begin with `find_channels` (unread=true for what is new) or `find_messages`. People are named "
    "by handle (@maya.chen), name or e-mail address; a name shared by several is refused.",
    structured=False,
)

MessageId = Annotated[str, Ref(Message), Field(description="Id of a message, as `find_messages` returns it.")]
Where = Annotated[
    str, Field(description="#name or id, as `find_channels` returns them; @handle for the conversation with a person.")
]
Detail = Annotated[Literal["concise", "detailed"], Field(description="detailed shows more of each.")]


@default.reads
def find_channels(
    state: State,
    query: Annotated[str, Field(description="Words in names, topics, people's titles. Empty finds all.")] = "",
    kind: Annotated[
        Literal["public", "private", "direct", "person"] | None,
        Field(
            description="direct: conversations with people; person: people themselves. Leave out for all but people."
        ),
    ] = None,
    unread: Annotated[bool, Field(description="Only those with unread messages.")] = False,
    archived: Annotated[bool, Field(description="Archived channels (or people who left) instead.")] = False,
    detail: Detail = "concise",
    skip: Skip = 0,
) -> Page[Place]:
    """Find channels and direct conversations, latest message first, or people with their status.

    Shows how many messages are unread, and how many of those mention the user.
    """
    words = words_of(" ".join(word.lstrip("#@") for word in query.split()))
    if kind == "person":
        if unread:
            raise Rejected("unread goes with channels and conversations; leave it out where kind is person.")
        return _people(state, words, archived, skip)
    own = me(state)
    where, params = [VISIBLE, "c.status = ?"], [own.id if own else "", "archived" if archived else "open"]
    if kind:
        where.append("c.kind = ?")
        params.append(kind)
    if unread:
        where.append(
            f"c.id IN (SELECT m.channel_id FROM messages AS m JOIN {JOINED} USING (channel_id) WHERE {UNREAD})"
        )
        params += [own.id if own else ""] * 2
    where += [containing("concat_ws(' ', c.name, c.topic, p.names)")] * len(words)
    who = f"LEFT JOIN {_PEOPLE_IN} ON p.channel_id = c.id" if words else ""
    rows = state.query(
        f"SELECT c.id FROM channels AS c LEFT JOIN {JOINED} ON j.channel_id = c.id "
        f"LEFT JOIN {_LATEST} ON l.channel_id = c.id {who} "
        f"WHERE {' AND '.join(where)} ORDER BY l.latest DESC NULLS LAST, c._ord",
        [*params, *words],
    )
    ids = [id for (id,) in rows]
    shown = places(state, own, ids[skip : skip + PAGE], brief=detail == "concise")
    return paged(ids, skip, lambda id: shown[id])


def _people(state: State, words: list[str], left: bool, skip: int) -> Page[Place]:
    named = "concat_ws(' ', name, handle, address, title)"
    where = " AND ".join(["active <> ?", *[containing(named)] * len(words)])
    ids = [id for (id,) in state.query(f"SELECT id FROM members WHERE {where} ORDER BY name, _ord", [left, *words])]
    shown = people(state.find(Member, "id IN (SELECT unnest(?))", [ids[skip : skip + PAGE]]))
    return paged(ids, skip, lambda id: shown[id])


@default.reads
def find_messages(
    state: State,
    query: Annotated[
        str,
        Field(
            max_length=QUERY,
            description='Words, "phrases" and operators, - before what must not match: from:maya to:me in:#launch '
            "has:link|reaction|thread|:eyes: is:thread|dm after: before: on: (YYYY-MM-DD, both ends included), and OR "
            "between two of them.",
        ),
    ] = "",
    unread: Annotated[bool, Field(description="Only what the user has not read.")] = False,
    mentions: Annotated[bool, Field(description="Only what mentions the user, by handle or @channel.")] = False,
    detail: Detail = "concise",
    skip: Skip = 0,
) -> Page[Note]:
    """Search messages and replies in everything the user can see, newest first.

    `detailed` has whole texts and reactions. To read around a hit, use `get_thread` or `get_messages`.
    """
    own = me(state)
    wanted = terms(state, own, query)
    if unread:
        wanted.append(Term(f"c.status = 'open' AND {UNREAD}", [own.id if own else ""]))
    if mentions:
        wanted.append(Term(*mention(own)) if own else Term("false", []))
    ids = found(state, own, wanted)
    shown = notes(state, own, ids[skip : skip + PAGE], brief=detail == "concise")
    return paged(ids, skip, lambda id: shown[id])


@default.reads
def get_messages(
    state: State,
    channel: Where,
    after: Annotated[Day | None, Field(description="First day, YYYY-MM-DD. Leave out for no bound.")] = None,
    before: Annotated[Day | None, Field(description="Last day, inclusive. Leave out for no bound.")] = None,
    skip: Skip = 0,
) -> Page[Note]:
    """Read a channel or direct conversation, newest first, without the replies in threads.

    `replies` counts those; `get_thread` shows them. It marks nothing as read.
    """
    own = me(state)
    here = place(state, own, channel, "channel")
    in_order(after, before)
    where, params = ["true"], []
    for bound, day in ((">=", after), ("<=", before)):
        if day:
            where.append(f"CAST(began AS DATE) {bound} ?")
            params.append(day)
    order = "ORDER BY thread IS NOT NULL, sent, _ord"
    rows = state.query(
        f"SELECT first(id {order}) AS head, first(sent {order}) AS began, first(_ord {order}) AS place FROM messages "
        f"WHERE channel_id = ? GROUP BY coalesce(thread, id) HAVING {' AND '.join(where)} "
        "ORDER BY began DESC, place DESC",
        [here.id, *params],
    )
    ids = [head for head, *_ in rows]
    shown = notes(state, own, ids[skip : skip + PAGE])
    return paged(ids, skip, lambda id: _within(shown[id]))


@default.reads
def get_thread(state: State, message_id: MessageId, skip: Skip = 0) -> Thread:
    """Read a message and all replies to it, oldest first; `message_id` may be any of them."""
    own = me(state)
    of = message(state, own, message_id)
    rows = state.query(
        "SELECT id FROM messages WHERE channel_id = ? AND coalesce(thread, id) = ? "
        "ORDER BY thread IS NOT NULL, sent, _ord",
        [of.channel_id, of.thread or of.id],
    )
    ids = [id for (id,) in rows]
    shown = notes(state, own, ids[skip : skip + PAGE])
    page = paged(ids, skip, lambda id: _within(shown[id]))
    return Thread(channel=sign(state.get(Channel, of.channel_id)), **dict(page))


def _within(note: Note) -> Note:
    """A message as its own channel shows it."""
    return note.model_copy(update={"channel": None, "people": None})


@default.writes
def send_message(
    state: State,
    text: Annotated[str, Field(max_length=TEXT, description="At most 10,000 characters. @handle mentions somebody.")],
    to: Annotated[
        str | list[str],
        Field(description="A #channel, or one to eight people, who get it directly. Leave out with thread."),
    ] = [],  # noqa: B006
    thread: Annotated[
        str | None, Ref(Message), Field(description="Id of a message to reply to, as `find_messages` returns it.")
    ] = None,
) -> Note:
    """Send a message to a channel, directly to one or several people, or into a thread.

    The same people always share one conversation, which starts with the first message.
    """
    own = myself(state)
    answered = message(state, own, thread) if thread is not None else None
    kept, mentioned = _text(state, text)
    given = listed(to, _PEOPLE, "to")
    if not given and answered is None:
        raise Rejected("to must not be empty: give a channel such as #general, or people; or thread, to answer.")
    channel = addressed(state, own, given) if given else None
    if answered:
        if channel and channel.id != answered.channel_id:
            raise Rejected(f"to: {answered.id} is not in {sign(channel)}; leave `to` out to answer where it stands.")
        channel = state.get(Channel, answered.channel_id)
    assert channel is not None
    writable(state, channel, own)
    head = (answered.thread or answered.id) if answered else None
    sent = state.add(Message(channel_id=channel.id, author_id=own.id, text=kept, sent=state.now, thread=head))
    outside = [called(who) for who in mentioned if not joined(state, channel, who)]
    remark = f"Not in {sign(channel)}, so not notified: {', '.join(outside)}." if outside else None
    return _note(state, own, sent.id).model_copy(update={"remark": remark})


@default.writes(destructive=True, idempotent=True)
def update_message(
    state: State,
    message_id: MessageId,
    text: Annotated[str, Field(max_length=TEXT, description="The whole new text.")],
) -> Note:
    """Change the text of a message that the user wrote."""
    own, edited = _own(state, message_id, "edited")
    kept, _ = _text(state, text)
    if kept != edited.text:
        state.save(edited.model_copy(update={"text": kept, "edited": state.now}))
    return _note(state, own, edited.id)


@default.writes(destructive=True)
def delete_message(state: State, message_id: MessageId) -> str:
    """Delete a message that the user wrote, for good. Replies to it stay."""
    _, gone = _own(state, message_id, "deleted")
    for reaction in state.find(Reaction, "message_id = ?", [gone.id]):
        state.delete(reaction)
    state.delete(gone)
    return f"Deleted {gone.id}."


@default.writes(destructive=True, idempotent=True)
def react(
    state: State,
    message_id: MessageId,
    emoji: Annotated[str, Field(description="Name of an emoji, such as thumbsup.")],
    remove: Annotated[bool, Field(description="Remove the user's reaction.")] = False,
) -> Note:
    """Add an emoji reaction to a message, or remove it."""
    own = myself(state)
    of = message(state, own, message_id)
    writable(state, state.get(Channel, of.channel_id), own)
    name = emoji_name(emoji, "emoji")
    given = state.find(Reaction, "message_id = ? AND member_id = ? AND emoji = ?", [of.id, own.id, name])
    if remove:
        for reaction in given:
            state.delete(reaction)
    elif not given:
        state.add(Reaction(message_id=of.id, member_id=own.id, emoji=name))
    return _note(state, own, of.id)


@default.writes(idempotent=True)
def mark_read(
    state: State,
    channels: Annotated[
        str | list[str], Field(description="#names, ids or @handles, as `find_channels` returns them; 50 at most.")
    ],
) -> str:
    """Mark all messages in some channels or conversations as read, including threads."""
    own = myself(state)
    given = listed(channels, _CHANNELS, "channels")
    if not given:
        raise Rejected("channels must not be empty; name those to mark, such as #general.")
    here = {found.id: found for found in (place(state, own, text, "channels") for text in given)}
    for channel in here.values():
        if not (rows := joined(state, channel, own)):
            raise Rejected(f"channels: you are not in {sign(channel)}, so nothing in it is unread.")
        ((latest,),) = state.query("SELECT max(sent) FROM messages WHERE channel_id = ?", [channel.id])
        for row in rows:
            if latest and (row.last_read is None or row.last_read < latest):
                state.save(row.model_copy(update={"last_read": latest}))
    return f"All read in {', '.join(map(sign, here.values()))}."


@default.writes(destructive=True)
def manage_channel(
    state: State,
    channel: Annotated[str, Field(description="#name or id, as `find_channels` returns them; a new name to create.")],
    create: Annotated[bool, Field(description="Create a new channel, with the user in it.")] = False,
    private: Annotated[bool, Field(description="For a new channel: only its members see it.")] = False,
    topic: Annotated[str | None, Field(max_length=_TOPIC, description="New topic.")] = None,
    add: Annotated[list[str], Field(description="People to invite, 50 at most; ['me'] joins.")] = [],  # noqa: B006
    remove: Annotated[list[str], Field(description="People to remove, 50 at most; ['me'] leaves.")] = [],  # noqa: B006
    archived: Annotated[bool | None, Field(description="True archives, false restores.")] = None,
) -> Place:
    """Create a channel, or change one: its topic, who is in it, whether it is archived."""
    own = myself(state)
    add, remove = listed(add, _PEOPLE, "add"), listed(remove, _PEOPLE, "remove")
    stays = "a channel that is there stays as it is, public or private."
    if private and not create:
        raise Rejected(f"private goes with create; {stays}")
    if not create and topic is None and archived is None and not add and not remove:
        raise Rejected(f"Nothing to change: give create, topic, add, remove or archived; {stays}")
    here = created(state, own, channel, private) if create else place(state, own, channel, "channel")
    if here.kind == "direct":
        raise Rejected("channel: a direct conversation stays as it is; write to other people to begin another.")
    closed = here.archived if archived is None else archived
    if closed and here.archived and (topic is not None or add or remove):
        raise Rejected(f"{sign(here)} is archived; give archived=false to change it.")
    came = let_in(state, own, here, add)
    if not joined(state, here, own):
        raise Rejected(f"You are not in {sign(here)}; join it with add=['me'] to change it.")
    take_out(state, own, here, remove, came)
    status = "archived" if closed else "open"
    state.save(here.model_copy(update={"status": status, "topic": here.topic if topic is None else topic}))
    return places(state, own, [here.id])[here.id]


def _text(state: State, text: str) -> tuple[str, list[Member]]:
    """A text as it is kept, and whom it mentions."""
    required(text=text.strip())
    kept, mentioned = resolved(text, everybody(state))
    bounded(TEXT, text=kept)
    return kept, mentioned


def _own(state: State, id: str, done: str) -> tuple[Member, Message]:
    """The owner and a message that they wrote and may change."""
    own = myself(state)
    of = message(state, own, id)
    if of.author_id != own.id:
        wrote = state.get(Member, of.author_id)
        raise Rejected(f"{of.id} was written by {called(wrote)}; only what you wrote yourself can be {done}.")
    writable(state, state.get(Channel, of.channel_id), own)
    return own, of


def _note(state: State, own: Member, id: str) -> Note:
    return notes(state, own, [id])[id]
