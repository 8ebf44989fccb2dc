"""Chat: channels, direct conversations and threads of a workspace, as one of its members sees them."""

from servers.chat.default import default
from servers.chat.tables import Channel, Member, Membership, Message, Reaction, app

__all__ = ("Channel", "Member", "Membership", "Message", "Reaction", "app", "default")
