"""Where messages stand: which channels one sees, which is meant, and whether one may write there."""

from __future__ import annotations

from collections.abc import Sequence

from servers.chat.members import called, everybody, person
from servers.chat.tables import Channel, Member, Membership, Message
from servers.kernel import NotFound, Rejected, State, quoted

__all__ = ("JOINED", "VISIBLE", "begun", "direct", "joined", "labels", "message", "named", "place", "sign", "writable")

JOINED = (
    "(SELECT channel_id, max(last_read) AS last_read FROM channel_members WHERE member_id = ? GROUP BY channel_id) AS j"
)
"""What somebody is in, and how far they have read; joined with `LEFT JOIN {JOINED} ON j.channel_id = c.id`."""

VISIBLE = "(c.kind = 'public' OR j.channel_id IS NOT NULL)"
_SUGGESTED = 5


def place(state: State, own: Member | None, text: str, argument: str) -> Channel:
    """The channel that a text means: its id or name, or, of a conversation with one person, who that is.

    Raises `Rejected`, which names the argument, and names that are near.
    """
    wanted = text.strip()
    if not wanted.startswith("@") and (found := named(state, own, wanted)):
        return found
    if wanted.startswith("#"):
        raise Rejected(f"{argument}: you see no channel {quoted(text)}.{_near(state, own, wanted)}")
    try:
        other = person(wanted, everybody(state), own, argument)
    except Rejected as error:
        raise Rejected(f"{error} No channel is called that either.{_near(state, own, wanted)}") from None
    found = direct(state, [own.id, other.id]) if own else None
    if found is None:
        raise Rejected(f"{argument}: there is no conversation with {called(other)} yet; `send_message` begins one.")
    return found


def named(state: State, own: Member | None, wanted: str) -> Channel | None:
    """The channel or conversation of that id, or the channel of that name, among those that the owner sees."""
    found = state.find(
        Channel,
        "id = ? OR (kind <> 'direct' AND lower(name) = lower(?))",
        [wanted, wanted.removeprefix("#")],
    )
    seen = [channel for channel in found if _seen(state, channel, own)]
    return min(seen, key=lambda channel: channel.id != wanted, default=None)


def _seen(state: State, channel: Channel, own: Member | None) -> bool:
    return channel.kind == "public" or (own is not None and bool(joined(state, channel, own)))


def _near(state: State, own: Member | None, wanted: str) -> str:
    """Channels whose names hold that, in words that follow an error."""
    near = state.query(
        f"SELECT c.name FROM channels AS c LEFT JOIN {JOINED} ON j.channel_id = c.id WHERE {VISIBLE} "
        "AND c.kind <> 'direct' AND contains(lower(c.name), lower(?)) ORDER BY c.name LIMIT ?",
        [own.id if own else "", wanted.lstrip("#@"), _SUGGESTED],
    )
    names = ", ".join(f"#{name}" for (name,) in near)
    return f" Near it: {names}." if names else " `find_channels` lists channels and people."


def direct(state: State, members: Sequence[str]) -> Channel | None:
    """The direct conversation of exactly these members, by their ids."""
    found = state.query(
        "SELECT m.channel_id FROM channel_members AS m JOIN channels AS c ON c.id = m.channel_id "
        "WHERE c.kind = 'direct' GROUP BY m.channel_id "
        "HAVING list_sort(list_distinct(list(m.member_id))) = ? ORDER BY min(m._ord) LIMIT 1",
        [sorted(set(members))],
    )
    return state.get(Channel, found[0][0]) if found else None


def begun(state: State, members: Sequence[str]) -> Channel:
    """Their direct conversation, which begins now if there is none yet."""
    if found := direct(state, members):
        return found
    channel = state.add(Channel(kind="direct", created=state.now))
    for member in dict.fromkeys(members):
        state.add(Membership(channel_id=channel.id, member_id=member))
    return channel


def joined(state: State, channel: Channel, member: Member) -> list[Membership]:
    """The member's places in a channel: one, or none."""
    return state.find(Membership, "channel_id = ? AND member_id = ?", [channel.id, member.id])


def writable(state: State, channel: Channel, own: Member) -> None:
    """Raises `Rejected` for a channel that is archived, or that the owner is not in."""
    if channel.archived:
        raise Rejected(f"{sign(channel)} is archived: it can be read, and nothing in it can be written or changed.")
    if not joined(state, channel, own):
        raise Rejected(f"You are not in {sign(channel)}; join it first, with `manage_channel` and add=['me'].")


def message(state: State, own: Member | None, id: str) -> Message:
    """The message of that id. Raises `NotFound` also for one in a channel that the owner does not see."""
    found = state.get(Message, id)
    if not _seen(state, state.get(Channel, found.channel_id), own):
        raise NotFound(Message.noun, id)
    return found


def sign(channel: Channel) -> str:
    """What a channel is called, which is also how it can be given; a direct conversation by its id."""
    return channel.id if channel.kind == "direct" else f"#{channel.name}"


def labels(state: State, own: Member | None, channels: Sequence[Channel]) -> dict[str, str]:
    """Who is in each of the direct conversations among some channels, besides the owner."""
    directs = [channel.id for channel in channels if channel.kind == "direct"]
    if not directs:
        return {}
    people: dict[str, list[str]] = {id: [] for id in directs}
    for id, member, name in state.query(
        "SELECT j.channel_id, j.member_id, p.name FROM channel_members AS j JOIN members AS p ON p.id = j.member_id "
        "WHERE j.channel_id IN (SELECT unnest(?)) ORDER BY j._ord",
        [directs],
    ):
        if own is None or member != own.id:
            people[id].append(name)
    return {id: ", ".join(names) or "only you" for id, names in people.items()}
