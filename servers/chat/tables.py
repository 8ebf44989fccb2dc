"""The workspace: its tables, and the app over them.

Who uses it is the member with the address of the world's owner; in a world that names no owner, the first member.
Mentions are not kept: they are the handles in the text of a message, so that an edit changes both.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from servers.kernel import App, Dated, Ref, Table

__all__ = ("TEXT", "Channel", "Member", "Membership", "Message", "Reaction", "app")

TEXT = 10_000
"""Characters of a message, so that any is shown whole."""


class Member(Table, name="members", ids="U{:03d}"):
    """Somebody in the workspace. `handle` is what follows an @ in texts; `status` is what they say of themselves.

    `zone` is an IANA name. Whoever is not `active` cannot be written to any more.
    """

    handle: str
    name: str
    address: str
    title: str = ""
    status: Dated = ""
    zone: str = ""
    active: bool = True


class Channel(Table, name="channels", ids="C{:03d}"):
    """Where messages stand: a channel, or a direct conversation, which has no name.

    Everybody may read and join a public one; private and direct ones are seen by their members alone.
    """

    kind: Literal["public", "private", "direct"] = "public"
    name: str = ""
    topic: Dated = ""
    status: Literal["open", "archived"] = "open"
    created: datetime | None = None

    @property
    def archived(self) -> bool:
        """Whether it can only be read any more."""
        return self.status == "archived"


class Membership(Table, name="channel_members", ids="J{:04d}"):
    """Somebody in a channel or direct conversation.

    `last_read` is the moment up to which the owner has read it, None for not at all; of others it is not kept.
    """

    channel_id: Annotated[str, Ref(Channel)]
    member_id: Annotated[str, Ref(Member)]
    last_read: datetime | None = None


class Message(Table, name="messages", ids="M{:05d}"):
    """A message. `thread` is the id of the message that it answers, None where it stands in the channel itself."""

    channel_id: Annotated[str, Ref(Channel)]
    author_id: Annotated[str, Ref(Member)]
    text: Annotated[Dated, Field(max_length=TEXT)]
    sent: datetime
    thread: str | None = None
    edited: datetime | None = None


class Reaction(Table, name="reactions", ids="R{:05d}"):
    """An emoji by its name (thumbsup) that a member put under a message."""

    message_id: Annotated[str, Ref(Message)]
    member_id: Annotated[str, Ref(Member)]
    emoji: str


app = App(
    "chat",
    "Read, search and write the user's workplace chat: channels, direct messages and threads.",
    tables=(Member, Channel, Membership, Message, Reaction),
)
