"""To whom a message goes, and who is let into a channel."""

from __future__ import annotations

import re
from collections.abc import Sequence

from servers.chat.members import called, everybody, person
from servers.chat.places import begun, joined, named, place, sign
from servers.chat.tables import Channel, Member, Membership
from servers.kernel import Rejected, State, quoted

__all__ = ("addressed", "created", "let_in", "listed", "take_out")

_MOST = 8
"""People besides the owner in a direct conversation."""

_NAME = re.compile(r"[^\W_][\w-]{0,79}")


def listed(given: str | Sequence[str], most: int, argument: str) -> list[str]:
    """One text or several, as several. Raises `Rejected` for more than so many."""
    found = [given] if isinstance(given, str) else list(given)
    if len(found) > most:
        raise Rejected(f"{argument} has {len(found)} entries; it may have {most}.")
    return found


def addressed(state: State, own: Member, to: list[str]) -> Channel:
    """The channel that a message goes to, or the direct conversation of several people, which may begin with it."""
    channels = {text: found for text in to if not text.startswith("@") and (found := named(state, own, text.strip()))}
    if len(to) == 1 and (channels or to[0].strip().startswith("#")):
        return _certain(state, own, to[0])
    if wrong := [text for text in to if text in channels or text.strip().startswith("#")]:
        raise Rejected(f"to: {quoted(wrong[0])} is a channel; a message goes to one channel, or to people.")
    members = everybody(state)
    people = {who.id: who for who in (person(text, members, own, "to") for text in to)}
    others = [id for id in people if id != own.id]
    if gone := [who for who in people.values() if not who.active]:
        raise Rejected(f"to: {called(gone[0])} has left; their account is deactivated.")
    if len(others) > _MOST:
        raise Rejected(f"to: {len(others)} people; a direct conversation has {_MOST} at most. Make a channel for them.")
    return begun(state, [own.id, *others])


def _certain(state: State, own: Member, text: str) -> Channel:
    """The channel of that name, unless it may be a person as well."""
    channel = place(state, own, text, "to")
    if channel.id != text.strip() and not text.strip().startswith("#"):
        for member in everybody(state):
            if text.strip().casefold() in (member.handle.casefold(), *member.name.casefold().split()):
                raise Rejected(
                    f"to: {quoted(text)} may be the channel {sign(channel)} or {called(member)}; write # or @."
                )
    return channel


def created(state: State, own: Member, text: str, private: bool) -> Channel:
    """A new channel, with the owner in it."""
    name = text.strip().removeprefix("#")
    if not _NAME.fullmatch(name) or name != name.lower():
        raise Rejected(
            f"channel: {quoted(text)} cannot be the name of a channel; write lower-case letters, digits, - and _, such "
            "as launch-plan, 80 at most."
        )
    if taken := state.find(Channel, "kind <> 'direct' AND lower(name) = ?", [name]):
        what = "is archived" if taken[0].archived else "already exists"
        raise Rejected(f"channel: a channel #{name} {what}; choose another name, or change that one without create.")
    channel = state.add(Channel(kind="private" if private else "public", name=name, created=state.now))
    state.add(Membership(channel_id=channel.id, member_id=own.id, last_read=state.now))
    return channel


def let_in(state: State, own: Member, channel: Channel, people: list[str]) -> list[Member]:
    """Put people into a channel and return who they are. Those who are in already stay as they are."""
    members = everybody(state)
    coming = [person(text, members, own, "add") for text in people]
    for who in coming:
        if not who.active:
            raise Rejected(f"add: {called(who)} has left; their account is deactivated.")
        if not joined(state, channel, who):
            read = state.now if who.id == own.id else None
            state.add(Membership(channel_id=channel.id, member_id=who.id, last_read=read))
    return coming


def take_out(state: State, own: Member, channel: Channel, people: list[str], staying: list[Member]) -> None:
    """Take people out of a channel, but nobody of those who are to stay."""
    members = everybody(state)
    for who in {who.id: who for who in (person(text, members, own, "remove") for text in people)}.values():
        if who in staying:
            raise Rejected(f"add: {called(who)} is to be taken out too; name them in add or in remove.")
        if not (rows := joined(state, channel, who)):
            raise Rejected(f"remove: {called(who)} is not in {sign(channel)}.")
        for row in rows:
            state.delete(row)
