"""Rows of a small web for the contract tests."""

from __future__ import annotations

from typing import Any

__all__ = ("WEB",)

WEB: dict[str, list[dict[str, Any]]] = {
    "pages": [
        {
            "id": "W1",
            "address": "https://harbour-rail.example/timetable",
            "title": "Timetable of the coast line",
            "published": "2023-05-02",
            "text": "Trains leave at 07:10 and 09:40.\n\nBicycles travel free of charge.",
        },
        {
            "id": "W2",
            "address": "https://www.harbour-rail.example/notices",
            "title": "Engineering works",
            "published": "2023-11-02",
            "text": "No trains run on the coast line on 2023-12-09. Buses replace them; bicycles stay at home.",
        },
        {
            "id": "W3",
            "address": "https://harbour-rail.example/timetable",
            "title": "Timetable of the coast line",
            "published": "2023-11-20",
            "text": "Trains leave at 07:25 and 09:40.\n\nA bicycle costs 2 euros.",
        },
        {
            "id": "W4",
            "address": "https://ledger.example/blog/days",
            "title": "Counting days",
            "published": "2023-01-15",
            "text": "Which day count does a swap have? Policies differ (100% of them).",
        },
        {
            "id": "W5",
            "address": "https://ledger.example/",
            "title": "Ledger",
            "published": "2022-06-30",
            "text": "A journal about sums, très court.",
        },
        {
            "id": "W6",
            "address": "https://ledger.example/blog/news",
            "title": "Days, once more",
            "published": "2024-02-29",
            "text": "The working day changes on 2024-03-04.",
        },
    ]
}
"""Rows by table. At the end of November 2023 the last one is not out yet."""
