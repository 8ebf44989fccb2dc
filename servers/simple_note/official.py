"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {
        "add_content_to_note": "pi.add_content_to_note",
        "create_note": "pi.create_note",
        "delete_note": "pi.delete_note",
        "log_in": "pi.log_in",
        "log_out": "pi.log_out",
        "search_notes": "pi.search_notes",
        "update_note": "pi.update_note",
        "view_account": "pi.view_account",
        "view_note": "pi.view_note",
        "view_profile": "pi.view_profile",
    },
}
"""Well-known server -> its tool -> ours, as toolset.tool."""

NOT_OFFERED: Mapping[str, str] = {}
"""Tools without one of ours, and why."""
