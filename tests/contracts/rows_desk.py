"""Rows of an assistant's desk for the contract tests."""

from __future__ import annotations

from typing import Any

__all__ = ("DESK",)

DESK: dict[str, list[dict[str, Any]]] = {
    "messages": [
        {
            "id": "M1",
            "title": "Offers",
            "text": "Both offers are in offers/2023-11.md (très long); the cheaper one ends on 2023-12-01.",
            "written": "2023-11-29T17:40:00",
        },
        {"id": "M2", "text": "Done: 100% of it.", "written": "2023-11-30T08:00:00"},
    ],
    "entries": [
        {"id": "E1", "what": "Send the figures", "due": "2023-11-29T16:00:00", "made": "2023-11-28T09:00:00"},
        {
            "id": "E2",
            "what": "Read what came overnight",
            "due": "2023-11-20T08:15:00",
            "repeat": "weekday",
            "made": "2023-11-17T12:00:00",
        },
        {
            "id": "E3",
            "what": "Water the fern (again)",
            "due": "2023-11-26T18:00:00",
            "repeat": "week",
            "made": "2023-11-20T10:00:00",
        },
        {"id": "E4", "what": "Renew the domain", "due": "2024-05-01T09:00:00", "made": "2023-11-20T10:01:00"},
    ],
    "subagents": [
        {
            "id": "S1",
            "title": "Trains",
            "task": "Find the trains to Lyon on 4 December and their prices.",
            "report": "Four trains; the cheapest, 49 EUR, leaves at 06:04 (très tôt).",
            "started": "2023-11-29T16:30:00",
        },
        {"id": "S2", "task": "Count the open invoices.", "report": "", "started": "2023-11-30T08:10:00"},
    ],
}
"""Rows by table. At a quarter past eight on 30 November 2023 the first entry is over."""
