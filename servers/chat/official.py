"""What the tools of well-known chat servers are called here."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("OFFICIAL",)

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "slack": {
        "slack_list_channels": "default.find_channels",
        "slack_post_message": "default.send_message",
        "slack_reply_to_thread": "default.send_message",
        "slack_add_reaction": "default.react",
        "slack_get_channel_history": "default.get_messages",
        "slack_get_thread_replies": "default.get_thread",
        "slack_get_users": "default.find_channels",
        "slack_get_user_profile": "default.find_channels",
    }
}
"""Server, its tool, and the toolset and tool that do the same: `slack` is the reference server for Slack."""
