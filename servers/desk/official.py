"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "pi": {
        "schedule_task": "pi.schedule_task",
        "send_message": "pi.send_message",
        "spawn_subagent": "",
    },
}
"""Well-known server -> its tool -> ours, as toolset.tool."""

NOT_OFFERED: Mapping[str, str] = {
    "spawn_subagent": "It has a second agent work on a part of the task, and the harness does not run one yet.",
}
"""Tools without one of ours, and why."""
