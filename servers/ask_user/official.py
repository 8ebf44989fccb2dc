"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("OFFICIAL",)

OFFICIAL: Mapping[str, Mapping[str, str]] = {"pi": {"ask_user": "default.ask_user"}}
"""Well-known server -> its tool -> ours, as toolset.tool."""
