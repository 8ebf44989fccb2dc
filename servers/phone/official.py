"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("OFFICIAL",)

_PI = (
    "add_contact", "create_alarm", "get_date_and_time", "log_in", "search_contacts", "search_messages",
    "send_text_message", "update_alarm", "update_contact", "view_alarm", "view_message_thread", "view_text_message",
)  # fmt: skip

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {name: f"pi.{name}" for name in _PI},
}
"""Well-known server -> its tool -> ours, as toolset.tool."""
