"""Rows of a phone for the contract tests: Ines's line, and Sam's, whose texts to others she does not see."""

from __future__ import annotations

from typing import Any

__all__ = ("PHONE",)

INES, SAM = "ines.okafor@harbor.example", "sam.lund@harbor.example"
OWN, SAMS, MEI, TARIQ = "+351 910 550 101", "+351 910 550 102", "+351 910 550 103", "+44 7700 900104"


def _text(place: int, sender: str, recipient: str, text: str, sent: str) -> dict[str, Any]:
    return {"id": f"T{place}", "sender": sender, "recipient": recipient, "text": text, "sent": sent}


PHONE: dict[str, list[dict[str, Any]]] = {
    "lines": [
        {"id": "N1", "username": INES, "number": OWN},
        {"id": "N2", "username": SAM, "number": SAMS},
    ],
    "contacts": [
        {"id": "C1", "username": INES, "name": "Mei Novak", "number": MEI, "relation": "flatmate"},
        {"id": "C2", "username": INES, "name": "Sam Lund", "number": SAMS, "email": SAM, "note": "Until 2023-11-30."},
        {"id": "C3", "username": INES, "name": "Sam Lundqvist (100%)", "number": TARIQ, "relation": "très cher"},
        {"id": "C4", "username": SAM, "name": "Mei", "number": MEI},
    ],
    "messages": [
        _text(1, MEI, OWN, "Broadband is due on 2023-11-02, I paid last time & before.", "2023-10-20T19:05:00"),
        _text(2, OWN, MEI, "Mine then.", "2023-10-20T19:07:00"),
        _text(3, SAMS, OWN, "Train at 8:12?", "2023-10-13T21:30:00"),
        _text(4, SAMS, MEI, "Not for Ines to see.", "2023-10-22T10:00:00"),
        _text(5, "+351 210 000 000", OWN, "Your parcel comes today.", "2023-10-24T07:45:00"),
    ],
    "alarms": [
        {"id": "A1", "username": INES, "time": "06:45", "label": "Up", "days": ["Monday", "Tuesday", "Friday"]},
        {"id": "A2", "username": INES, "time": "18:00", "label": "Dentist", "day": "2023-12-01", "snooze": 0},
        {"id": "A3", "username": SAM, "time": "09:00", "label": "Late shift", "days": ["Sunday"], "on": False},
    ],
}  # fmt: skip
