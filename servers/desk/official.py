"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("OFFICIAL",)

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {
        "schedule_task": "pi.schedule_task",
        "send_message": "pi.send_message",
        "spawn_subagent": "pi_subagents.spawn_subagent",
    },
}
"""Well-known server -> its tool -> ours, as toolset.tool."""
