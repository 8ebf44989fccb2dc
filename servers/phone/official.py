"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {
        "add_contact": "pi.add_contact",
        "create_alarm": "pi.create_alarm",
        "get_date_and_time": "pi.get_date_and_time",
        "log_in": "pi.log_in",
        "search_contacts": "pi.search_contacts",
        "search_messages": "pi.search_messages",
        "send_text_message": "pi.send_text_message",
        "update_alarm": "pi.update_alarm",
        "update_contact": "pi.update_contact",
        "view_alarm": "pi.view_alarm",
        "view_message_thread": "pi.view_message_thread",
        "view_text_message": "pi.view_text_message",
    },
}
"""Well-known server -> its tool -> ours, as toolset.tool."""

NOT_OFFERED: Mapping[str, str] = {}
"""Tools without one of ours, and why."""
