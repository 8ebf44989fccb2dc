"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("OFFICIAL",)

_PI = (
    "add_content_to_note", "create_note", "delete_note", "log_in", "log_out", "search_notes", "update_note",
    "view_account", "view_note", "view_profile",
)  # fmt: skip

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {name: f"pi.{name}" for name in _PI},
}
"""Well-known server -> its tool -> ours, as toolset.tool."""
