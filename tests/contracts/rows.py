"""Rows of a small office at work for the contract tests: what its people wrote, agreed on, and have yet to do.

It is Ines Okafor's. Each app that wants a login has her logged in, and a colleague's account beside hers.
"""

from __future__ import annotations

from typing import Any

from servers.kernel import Owner
from servers.sql import records
from tests.contracts.rows_amazon import AMAZON
from tests.contracts.rows_desk import DESK
from tests.contracts.rows_phone import PHONE
from tests.contracts.rows_skills import SKILLS
from tests.contracts.rows_splitwise import SPLITWISE
from tests.contracts.rows_spotify import music
from tests.contracts.rows_web import WEB

__all__ = ("OFFICE", "OWNER")

Rows = dict[str, list[dict[str, Any]]]

INES, TARIQ, MEI, SAM = (f"{name}@harbor.example" for name in ("ines.okafor", "tariq.lund", "mei.novak", "sam.lund"))

OWNER = Owner(name="Ines Okafor", address=INES, zone="Europe/Lisbon")

ENTRANCE: Rows = {
    "accounts": [
        {"id": "A1", "username": INES, "password": "kelp-77", "name": "Ines Okafor"},
        {"id": "A2", "username": MEI, "password": "tin-drum", "name": "Mei Novak"},
    ],
    "logins": [{"id": "L1", "username": INES}],
}

CALENDAR: Rows = {
    "calendars": [
        {"id": "C1", "name": "Holidays", "colour": "green"},
        {"id": "C2", "name": "Tariq", "owner": TARIQ, "zone": "America/New_York"},
    ],
    "busy": [
        {"id": "B1", "person": MEI, "start": "2024-03-07T09:00:00", "minutes": 90},
        {"id": "B2", "person": SAM, "start": "2024-03-07T14:00:00", "minutes": 30},
    ],
    "events": [
        {
            "id": "00000013",
            "event_name": "Stand-up",
            "participant_email": TARIQ,
            "event_start": "2024-02-26 09:30:00",
            "duration": "15",
            "zone": "Europe/Lisbon",
            "location": "Room 4",
            "attendees": [{"address": TARIQ, "name": "Tariq Lund"}, {"address": MEI, "name": "Mei Novak"}],
            "organizer": INES,
            "recurrence": "FREQ=WEEKLY;BYDAY=MO,WE",
            "until": "2024-05-29",
            "skipped": ["2024-03-04"],
        },
        {
            "id": "00000014",
            "event_name": "Stand-up (late)",
            "participant_email": TARIQ,
            "event_start": "2024-03-06 11:00:00",
            "duration": "15",
            "zone": "Europe/Lisbon",
            "attendees": [{"address": TARIQ, "name": "Tariq Lund", "response": "accepted"}],
            "organizer": INES,
            "series": "00000013",
            "original": "2024-03-06",
        },
        {
            "id": "00000015",
            "event_name": "Supplier review",
            "participant_email": MEI,
            "event_start": "2024-03-08 15:00:00",
            "duration": "45",
            "description": "Bring the offers of 2024-03-01.",
            "attendees": [
                {"address": MEI, "name": "Mei Novak", "response": "accepted"},
                {"address": SAM, "name": "Sam Lund", "optional": True},
            ],
            "organizer": MEI,
            "response": "needs action",
        },
        {
            "id": "00000016",
            "event_name": "Office closed",
            "participant_email": "",
            "event_start": "2024-03-29 00:00:00",
            "duration": "1440",
            "calendar": "C1",
            "all_day": True,
            "free": True,
        },
    ],
}

CHAT: Rows = {
    "members": [
        {"id": "U001", "handle": "ines", "name": "Ines Okafor", "address": INES, "zone": "Europe/Lisbon"},
        {"id": "U002", "handle": "tariq", "name": "Tariq Lund", "address": TARIQ, "title": "Engineer"},
        {"id": "U003", "handle": "mei.novak", "name": "Mei Novak", "address": MEI, "status": "Away until 2024-03-11"},
        {"id": "U004", "handle": "sam", "name": "Sam Lund", "address": SAM, "active": False},
    ],
    "channels": [
        {"id": "C001", "name": "general", "topic": "Everything", "created": "2023-01-02T09:00:00"},
        {"id": "C002", "name": "budget", "kind": "private", "topic": "Closes on 2024-03-29"},
        {"id": "C003", "name": "old-plans", "status": "archived"},
        {"id": "C004", "kind": "direct", "created": "2024-02-01T10:00:00"},
        {"id": "C005", "name": "design"},
    ],
    "channel_members": [
        {"id": f"J{place:04d}", "channel_id": channel, "member_id": member, "last_read": read}
        for place, (channel, member, read) in enumerate(
            [
                ("C001", "U001", "2024-03-05T09:00:00"),
                ("C001", "U002", None),
                ("C001", "U003", None),
                ("C002", "U001", None),
                ("C002", "U003", None),
                ("C003", "U001", None),
                ("C004", "U001", "2024-03-04T12:00:00"),
                ("C004", "U003", None),
                ("C005", "U002", None),
            ],
            start=1,
        )
    ],
    "messages": [
        {
            "id": f"M{place:05d}",
            "channel_id": channel,
            "author_id": author,
            "sent": sent,
            "text": text,
            "thread": thread,
        }
        for place, (channel, author, sent, text, thread) in enumerate(
            [
                ("C001", "U002", "2024-03-04T09:10:00", "Is the projector of Room 4 back, @ines?", None),
                ("C001", "U001", "2024-03-04T09:20:00", "On Friday (100% sure).", "M00001"),
                ("C001", "U003", "2024-03-05T16:45:00", "Thanks! https://harbor.example/rooms?id=4", "M00001"),
                ("C001", "U002", "2024-03-06T08:00:00", "@channel cake in the kitchen :)", None),
                ("C002", "U003", "2024-03-05T11:00:00", "Draft budget:\n- travel 900\n- `tools` 300", None),
                ("C004", "U003", "2024-03-04T12:30:00", "Lunch on Thursday?", None),
                ("C005", "U002", "2024-03-01T10:00:00", "New colours are up.", None),
            ],
            start=1,
        )
    ],
    "reactions": [
        {"id": "R00001", "message_id": "M00001", "member_id": "U001", "emoji": "eyes"},
        {"id": "R00002", "message_id": "M00004", "member_id": "U003", "emoji": "tada"},
    ],
}

CRM: Rows = {
    "companies": [
        {"id": "C1", "name": "Quarry", "domain": "quarry.example", "industry": "Stone", "owner": MEI},
        {"id": "C2", "name": "Millworks", "phone": "555-010-9000", "owner": INES, "description": "Moved 2024-01-15."},
    ],
    "owners": [
        {"id": "O1", "name": "Mei Novak", "address": MEI},
        {"id": "O2", "name": "Tariq Lund", "address": TARIQ},
    ],
    "deals": [
        {
            "id": "D1",
            "title": "Quarry: 40 seats",
            "owner": MEI,
            "amount": 12_500.5,
            "currency": "EUR",
            "stage": "Proposal",
            "close_date": "2024-03-28",
            "company_id": "C1",
            "contact_id": "00000000",
        },
        {
            "id": "D2",
            "title": "Millworks: training",
            "owner": INES,
            "amount": 900,
            "stage": "Lost",
            "company_id": "C2",
            "closed": "2024-02-20",
            "reason": "Chose a cheaper offer",
        },
    ],
    "stage_changes": [
        {"id": "H1", "deal_id": "D1", "after": "Lead", "day": "2024-01-10", "by": MEI},
        {"id": "H2", "deal_id": "D1", "before": "Lead", "after": "Proposal", "day": "2024-02-12", "by": MEI},
        {"id": "H3", "deal_id": "D2", "after": "Lead", "day": "2024-01-20", "by": INES},
        {
            "id": "H4",
            "deal_id": "D2",
            "before": "Lead",
            "after": "Lost",
            "day": "2024-02-20",
            "by": INES,
            "reason": "Chose a cheaper offer",
        },
    ],
    "notes": [
        {
            "id": "N1",
            "record_id": "D1",
            "type": "call",
            "text": "Wants 100% uptime.",
            "day": "2024-02-28",
            "author": MEI,
        },
        {"id": "N2", "record_id": "C2", "text": "New office by 2024-04-01.", "day": "2024-02-21", "author": INES},
    ],
    "tasks": [
        {"id": "T1", "title": "Send the offer", "record_id": "D1", "assignee": MEI, "due": "2024-03-08"},
        {"id": "T2", "title": "Call Bruno", "record_id": "00000001", "assignee": INES, "completed": "2024-03-01"},
        {"id": "T3", "title": "Tidy the list", "description": "All of 2023."},
    ],
    "associations": [{"id": "A1", "from_id": "C1", "to_id": "C2", "label": "partner"}],
}

GMAIL: Rows = {
    "emails": [
        {
            "id": "00000103",
            "folder": "inbox",
            "address": SAM,
            "subject": "Offers",
            "sent_datetime": "2024-03-04 10:00:00",
            "body": "Two offers are attached.\nWhich one?",
            "cc": [TARIQ],
        },
        {
            "id": "00000104",
            "folder": "outbox",
            "address": SAM,
            "subject": "Re: Offers",
            "sent_datetime": "2024-03-04 11:30:00",
            "body": "The first (cheaper).",
            "thread": "00000103",
            "starred": True,
        },
    ],
    "envelopes": [
        {"id": "00000103", "to": [INES, MEI], "sender_name": "Sam Lund"},
        {"id": "00000104", "to": [SAM, MEI]},
    ],
    "threads": [
        {"id": "00000103", "read": False, "starred": True},
        {"id": "00000100", "archived": True, "category": "updates"},
    ],
    "labels": [{"id": "L1", "name": "Receipts"}, {"id": "L2", "name": "To do"}],
    "thread_labels": [{"id": "TL1", "thread": "00000103", "label": "Receipts"}],
    "attachments": [
        {"id": "F1", "email": "00000103", "name": "offers.csv", "type": "text/csv", "text": "item,eur\nlamp,90\n"},
        {"id": "F2", "email": "D1", "name": "plan 2024-03-06.txt", "text": "First, measure."},
        {"id": "F3", "email": "00000090", "name": "old.txt", "text": "None of this holds any more."},
    ],
    "drafts": [
        {"id": "D1", "address": TARIQ, "subject": "Plan", "body": "Here it is.", "saved": "2024-03-05T17:00:00"},
        {
            "id": "D2",
            "address": SAM,
            "to": [SAM, MEI],
            "subject": "Re: Offers",
            "body": "By Friday?",
            "answers": "00000103",
            "saved": "2024-03-06T09:00:00",
        },
    ],
    "trash": [
        {
            "id": "00000090",
            "folder": "inbox",
            "address": "news@lamps.example",
            "subject": "50% off",
            "sent_datetime": "2024-02-01 06:00:00",
            "body": "Today only!",
            "trashed": "2024-02-02T08:00:00",
        }
    ],
    **ENTRANCE,
}

HOMES: Rows = {
    "entries": [
        {"id": path, "path": path, "created": "2024-03-01T08:00:00", "modified": "2024-03-01T08:00:00", **rest}
        for path, rest in (
            (f"/home/{INES}", {"kind": "directory"}),
            (f"/home/{INES}/todo.txt", {"text": "Book a room\n"}),
            (f"/home/{MEI}", {"kind": "directory"}),
            (f"/home/{MEI}/diary.txt", {"text": "Call Ines\n"}),
        )
    ],
    **ENTRANCE,
}

MEMORY: Rows = {
    "memories": [
        {"id": "M1", "text": "Ines likes lists.", "kept": "2024-03-01T09:00:00"},
        {
            "id": "M2",
            "text": "Room 4 has no projector until 2024-03-08.",
            "kept": "2024-03-02T09:00:00",
            "changed": "2024-03-04T09:20:00",
        },
    ]
}

NOTES: Rows = {
    "notes": [
        {
            "id": "N1",
            "title": "Offers",
            "text": "Lamp: 90\n\nDesk: 300 (or 280)",
            "tags": ["office", "to buy"],
            "pinned": True,
            "created": "2024-03-01T09:00:00",
            "changed": "2024-03-04T10:05:00",
            "username": INES,
        },
        {"id": "N2", "title": "Très bien", "created": "2024-03-02T12:00:00", "username": INES},
        {"id": "N3", "title": "Diary", "text": "2024-03-05: rain", "created": "2024-03-05T20:00:00", "username": MEI},
        {"id": "N4", "title": "For all", "text": "Wi-Fi: harbor", "tags": ["office"], "created": "2024-02-01T08:00:00"},
    ],
    **ENTRANCE,
}

TODOIST: Rows = {
    "people": [
        {"id": "U1", "name": "Tariq Lund", "email": TARIQ},
        {"id": "U2", "name": "Mei Novak", "email": MEI},
    ],
    "projects": [
        {"id": "P1", "name": "Website", "owner": INES, "members": [TARIQ, MEI], "description": "Live on 2024-04-02."},
        {"id": "P2", "name": "Home", "favorite": True},
        {"id": "P3", "name": "Audit 2022", "owner": INES, "archived": True},
        {"id": "P4", "name": "Plans", "owner": MEI},
    ],
    "sections": [
        {"id": "S1", "project_id": "P1", "name": "Copy", "position": 1},
        {"id": "S2", "project_id": "P1", "name": "Design", "position": 2},
    ],
    "tasks": [
        {
            "id": "T1",
            "content": "Write the post",
            "description": "500 words",
            "project_id": "P1",
            "section_id": "S1",
            "assignee": INES,
            "due_date": "2024-03-08",
            "priority": "p1",
        },
        {"id": "T2", "content": "Draft", "project_id": "P1", "section_id": "S1", "parent_id": "T1"},
        {
            "id": "T3",
            "content": "Redraw icons",
            "project_id": "P1",
            "section_id": "S2",
            "assignee": TARIQ,
            "position": 1,
        },
        {
            "id": "T4",
            "content": "Water the plants",
            "project_id": "P2",
            "due_date": "2024-03-05",
            "due_time": "08:00",
            "recurrence": "every 3 days",
        },
        {"id": "T5", "content": "Buy a lamp"},
        {"id": "T6", "content": "Send invitations", "project_id": "P1", "completed": "2024-03-01T16:30:00"},
        {"id": "T7", "content": "A surprise", "project_id": "P4"},
    ],
    "labels": [
        {"id": "L1", "name": "errands"},
        {"id": "L2", "name": "waiting", "owner": INES},
        {"id": "L3", "name": "private", "owner": MEI},
    ],
    "task_labels": [
        {"id": "TL1", "task_id": "T5", "label_id": "L1"},
        {"id": "TL2", "task_id": "T1", "label_id": "L2"},
    ],
    "comments": [
        {"id": "C1", "task_id": "T1", "text": "By Friday?", "posted": "2024-03-04T09:00:00", "author": TARIQ},
        {"id": "C2", "task_id": "T1", "text": "Yes.", "posted": "2024-03-04T09:30:00", "author": INES},
    ],
    "notifications": [
        {
            "id": "N1",
            "kind": "commented",
            "text": "Tariq Lund: By Friday?",
            "posted": "2024-03-04T09:00:00",
            "sender": TARIQ,
            "task_id": "T1",
            "recipient": INES,
        },
        {"id": "N2", "kind": "reminder", "text": "Due 2024-03-05", "posted": "2024-03-05T08:00:00", "read": True},
        {"id": "N3", "kind": "shared", "text": "Plans", "posted": "2024-03-01T08:00:00", "recipient": MEI},
    ],
    **ENTRANCE,
}

DATASTORE: Rows = {
    "emails": [
        {
            "id": "D001",
            "place": 0,
            "payload": {
                "from": f"Tariq Lund <{TARIQ}>",
                "to": [f"Ines Okafor <{INES}>"],
                "cc": [],
                "subject": "Figures",
                "date": "2024-03-01T08:00",
                "body": "Hi,\nup 10% [again].",
            },
        }
    ],
    "events": [
        {
            "id": "D003",
            "place": 2,
            "payload": {
                "title": "Budget check",
                "organizer": f"Mei Novak <{MEI}>",
                "attendees": [f"Ines Okafor <{INES}>"],
                "start": "2024-03-05T16:00",
                "end": "2024-03-05T17:30",
                "location": "Room 4",
                "description": "Figures of the quarter.",
            },
        }
    ],
    "documents": [
        {
            "id": "D002",
            "place": 1,
            "payload": {
                "title": "How to search",
                "author": "Mei Novak",
                "date": "2024-03-02",
                "content": "SELECT id FROM documents",
            },
        }
    ],
}

ACTIONS: Rows = {
    "actions": [
        {"id": "A01", "type": "conduct_review", "description": "Look through the plans once more."},
        {
            "id": "A02",
            "type": "request_approval",
            "description": "Ask for a sign-off.",
            "constraints": ["Only from those who may give it."],
            "params_schema": {
                "required": ["decider"],
                "properties": {
                    "decider": {"kind": "person", "description": "Who decides."},
                    "urgency": {"kind": "enum", "choices": ["low", "high"]},
                },
            },
        },
    ],
    "decisions": [{"id": "DEC1", "made": "2024-03-01T09:00:00", "action": "A01", "evidence": ["D001"]}],
}

SQL: Rows = {
    "relation": [
        {
            "id": "rooms",
            "name": "rooms",
            "header": [
                {"name": "number", "type": "INTEGER"},
                {"name": "label", "type": "VARCHAR"},
                {"name": "rent", "type": "DECIMAL(10,2)"},
                {"name": "free_from", "type": "DATE"},
            ],
        }
    ],
    "record": records("rooms", [(1, "Attic", "420.00", "2024-03-08"), (4, "Office", "90.50", None)]),
}

TERMINAL: Rows = {
    "nodes": [
        {"id": "/workspace/notes.txt", "content": "Call Mei (again)\nBook a room\n"},
        {"id": "/workspace/docs", "kind": "directory", "mode": "750"},
        {"id": "/workspace/docs/plan v2.csv", "content": "room,seats\nhall,40\n", "mode": "600"},
        {"id": "/workspace/docs/logo.png", "data": "iVBORw0KGgo="},
        {"id": "/workspace/latest", "kind": "link", "content": "docs/plan v2.csv"},
    ]
}

OFFICE: dict[str, Rows] = {
    "actions": ACTIONS,
    "amazon": AMAZON,
    "answer": {"submissions": []},
    "apis": {"limits": [{"id": "weather", "quota": 3, "outages": 300, "seed": 7}], "usage": []},
    "calendar": CALENDAR,
    "chat": CHAT,
    "crm": CRM,
    "datastore": DATASTORE,
    "desk": DESK,
    "filesystem": HOMES,
    "gmail": GMAIL,
    "memory": MEMORY,
    "phone": {**PHONE, **ENTRANCE},
    "simple_note": NOTES,
    "skills": SKILLS,
    "splitwise": SPLITWISE,
    "spotify": {**music(INES, MEI), **ENTRANCE},
    "sql": SQL,
    "terminal": TERMINAL,
    "todoist": TODOIST,
    "web": WEB,
}
"""Rows by app and table."""
