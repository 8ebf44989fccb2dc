"""What the tools of well-known calendar servers are called here: Google's own, and nspady's google-calendar (2.6.3).

The paper has no calendar among its apps, so there are no rows of `pi`.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "google": {
        "list_calendars": "default.list_calendars",
        "list_events": "default.find_events",
        "search_events": "default.find_events",
        "get_event": "default.get_event",
        "create_event": "default.create_event",
        "update_event": "default.update_event",
        "delete_event": "default.delete_event",
        "respond_to_event": "default.respond_to_event",
        "suggest_time": "default.find_free_times",
    },
    "nspady": {
        "list-calendars": "default.list_calendars",
        "list-events": "default.find_events",
        "search-events": "default.find_events",
        "get-event": "default.get_event",
        "create-event": "default.create_event",
        "create-events": "",
        "update-event": "default.update_event",
        "delete-event": "default.delete_event",
        "respond-to-event": "default.respond_to_event",
        "get-freebusy": "default.find_free_times",
        "get-current-time": "",
        "list-colors": "",
        "manage-accounts": "",
    },
}
"""Server, and its tool -> `toolset.tool` of ours, "" where there is none."""

NOT_OFFERED: Mapping[str, str] = {
    "create-events": "`create_event` creates one event or series per call, and names what each overlaps.",
    "get-current-time": "`find_events` says which days it shows, which begin today.",
    "list-colors": "Colours are plain words; there is nothing to look up.",
    "manage-accounts": "A sandbox has one owner.",
}
"""Why a tool has no like here."""
