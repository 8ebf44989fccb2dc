"""Rows of shared expenses for the contract tests: a flat, a trip, and a club that Ines is not in."""

from __future__ import annotations

from typing import Any

__all__ = ("SPLITWISE",)

INES, MEI, TARIQ, SAM = (f"{name}@harbor.example" for name in ("ines.okafor", "mei.novak", "tariq.lund", "sam.lund"))

SPLITWISE: dict[str, list[dict[str, Any]]] = {
    "users": [
        {"id": "U1", "username": INES, "name": "Ines Okafor"},
        {"id": "U2", "username": MEI, "name": "Mei Novak"},
        {"id": "U3", "username": TARIQ, "name": "Tariq Lund"},
        {"id": "U4", "username": SAM, "name": "Sam Lund"},
    ],
    "groups": [
        {"id": "G1", "name": "Flat", "description": "Rua Nova 4", "created": "2023-09-01T10:00:00"},
        {"id": "G2", "name": "Porto (weekend)", "created": "2023-10-01T10:00:00"},
        {"id": "G3", "name": "Book club", "created": "2023-10-05T10:00:00"},
    ],
    "members": [
        {"id": f"M{place}", "group_id": group, "user_id": user, "joined": f"2023-09-0{place}T10:00:00"}
        for place, (group, user) in enumerate(
            [("G1", "U1"), ("G1", "U2"), ("G1", "U3"), ("G2", "U4"), ("G2", "U1"), ("G3", "U2"), ("G3", "U4")], start=1
        )
    ],
    "expenses": [
        {
            "id": "E1",
            "group_id": "G1",
            "description": "Broadband",
            "category": "home",
            "amount": 1000,
            "paid_by": "U1",
            "day": "2023-10-02",
            "recorded": "2023-10-02T10:00:00",
        },
        {
            "id": "E2",
            "group_id": "G1",
            "description": "Groceries & wine (100%)",
            "category": "food",
            "amount": 4550,
            "paid_by": "U2",
            "split": "unequal",
            "day": "2023-10-09",
            "notes": "Tariq's is the très good wine.",
            "recorded": "2023-10-09T10:00:00",
        },
        {
            "id": "E3",
            "group_id": "G1",
            "description": "Mei paid back",
            "category": "repayment",
            "amount": 200,
            "paid_by": "U2",
            "split": "unequal",
            "day": "2023-10-20",
            "recorded": "2023-10-20T10:00:00",
        },
        {
            "id": "E4",
            "group_id": "G2",
            "description": "Train to Porto",
            "category": "travel",
            "amount": 6001,
            "paid_by": "U4",
            "day": "2023-10-14",
            "recorded": "2023-10-15T10:00:00",
        },
        {
            "id": "E5",
            "group_id": "G3",
            "description": "Twelve copies",
            "amount": 9000,
            "paid_by": "U2",
            "day": "2023-10-06",
            "recorded": "2023-10-06T10:00:00",
        },
    ],
    "shares": [
        {"id": f"SH{place}", "expense_id": expense, "user_id": user, "amount": amount}
        for place, (expense, user, amount) in enumerate(
            [
                ("E1", "U1", 334),
                ("E1", "U2", 333),
                ("E1", "U3", 333),
                ("E2", "U1", 1000),
                ("E2", "U2", 1000),
                ("E2", "U3", 2550),
                ("E3", "U1", 200),
                ("E4", "U4", 3001),
                ("E4", "U1", 3000),
                ("E5", "U2", 4500),
                ("E5", "U4", 4500),
            ],
            start=1,
        )
    ],
    "accounts": [
        {"id": "A1", "username": INES, "password": "kelp-77", "name": "Ines Okafor"},
        {"id": "A2", "username": MEI, "password": "tin-drum", "name": "Mei Novak"},
    ],
    "logins": [{"id": "L1", "username": INES}],
}
"""Rows by table. Ines is logged in, and in two groups of three."""
