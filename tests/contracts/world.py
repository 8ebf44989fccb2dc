"""A small world for the contract tests: a few rows for every table of every app there is.

Rows written out here and in `rows` are realistic; a table without any gets rows made from its types, so that a
new app is covered before anybody writes a line for it.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

from harness.contracts.world import world_of
from servers import catalog
from servers.kernel import World
from tests.contracts.rows import OFFICE, OWNER

__all__ = ("contract_world",)

ROWS: dict[str, dict[str, list[dict[str, Any]]]] = {
    "analytics": {
        "visits": [
            {
                "id": str(place),
                "date_of_visit": f"2024-03-0{1 + place % 5}",
                "visitor_id": f"{place % 4:04d}",
                "page_views": 1 + place,
                "session_duration_seconds": 10 * place,
                "traffic_source": ("direct", "referral", "search engine", "social media")[place % 4],
                "user_engaged": place % 3 == 0,
            }
            for place in range(9)
        ],
        "plots": [{"id": "1", "file_path": "plots/2024-03-01_2024-03-05_total_visits_line.png"}],
    },
    "calendar": {
        "events": [
            {
                "id": f"{10 + place:08d}",
                "event_name": name,
                "participant_email": email,
                "event_start": start,
                "duration": minutes,
            }
            for place, (name, email, start, minutes) in enumerate(
                [
                    ("Roadmap (draft)", "ines.okafor@harbor.example", "2024-03-04 09:00:00", "30"),
                    ("Sync with Tariq", "tariq.lund@harbor.example", "2024-03-05 13:30:00", "60"),
                    ("Budget check", "mei.novak@harbor.example", "2024-03-05 16:00:00", "90"),
                ]
            )
        ]
    },
    "crm": {
        "customers": [
            {
                "id": f"{place:08d}",
                "assigned_to_email": "mei.novak@harbor.example",
                "customer_name": name,
                "customer_email": email,
                "customer_phone": phone,
                "last_contact_date": "2024-02-28",
                "product_interest": product,
                "status": status,
                "follow_up_by": "2024-03-20",
                "notes": notes,
                "company_id": "C1" if name == "Ada Ferrand" else None,
            }
            for place, (name, email, phone, product, status, notes) in enumerate(
                [
                    ("Ada Ferrand", "ada.ferrand@quarry", "555-010-2030", "Software", "Lead", "Wants 100% uptime."),
                    ("Bruno Castel", "bruno.castel@millworks", None, "Hardware", "Won", None),
                    ("Chidi Larsen", None, None, None, "Proposal", ""),
                ]
            )
        ]
    },
    "directory": {
        "people": [
            {"id": str(place), "email_address": f"{name}@harbor.example"}
            for place, name in enumerate(["ines.okafor", "tariq.lund", "mei.novak", "sam.lund"])
        ]
    },
    "filesystem": {
        "entries": [
            {"id": path, "path": path, "created": "2024-03-01T08:00:00", "modified": "2024-03-02T09:30:00", **rest}
            for path, rest in (
                ("/workspace/notes.txt", {"text": "Call Mei (again)\n  Book a room\n"}),
                ("/workspace/docs", {"kind": "directory"}),
                ("/workspace/docs/plan.md", {"text": "Book a room\n\n  Call Mei (again)\n"}),
                ("/workspace/docs/très.md", {"text": "Call Mei (again)\r\nBook a room\r\n"}),
                ("/workspace/docs/logo.png", {"data": "iVBORw0KGgo="}),
                ("/workspace/sums.ipynb", {"text": json.dumps({"cells": [{"cell_type": "code", "source": "1"}] * 12})}),
            )
        ]
    },
    "gmail": {
        "emails": [
            {
                "id": f"{100 + place:08d}",
                "folder": folder,
                "address": address,
                "subject": subject,
                "sent_datetime": sent,
                "body": body,
            }
            for place, (folder, address, subject, sent, body) in enumerate(
                [
                    ("inbox", "tariq.lund@harbor.example", "Figures", "2024-03-01 08:00:00", "Hi,\nup 10% [again]."),
                    ("inbox", "mei.novak@harbor.example", "RE: figures", "2024-03-02 09:15:00", "Thanks, très bien."),
                    ("outbox", "ines.okafor@harbor.example", "Lunch?", "2024-03-02 11:00:00", "At noon (12:00)?"),
                ]
            )
        ]
    },
    "projects": {
        "tasks": [
            {
                "id": f"{place:08d}",
                "task_name": name,
                "assigned_to_email": email,
                "list_name": list_name,
                "due_date": "2024-03-15",
                "board": board,
            }
            for place, (name, email, list_name, board) in enumerate(
                [
                    ("Fix log-in", "tariq.lund@harbor.example", "Backlog", "Back end"),
                    ("Redraw icons", "ines.okafor@harbor.example", "In Review", "Design"),
                    ("Fix footer", "tariq.lund@harbor.example", "Completed", "Front end"),
                ]
            )
        ]
    },
}


@cache
def contract_world() -> World:
    """Rows for every table in the catalogue."""
    written = {app: _both(app) for app in ROWS.keys() | OFFICE.keys()}
    return replace(world_of(catalog.apps().values(), written), owner=OWNER)


def _both(app: str) -> dict[str, list[dict[str, Any]]]:
    first, more = ROWS.get(app, {}), OFFICE.get(app, {})
    return {name: [*first.get(name, ()), *more.get(name, ())] for name in {**first, **more}}
