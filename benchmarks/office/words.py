"""Facts in texts: `{visit}`, `{visit:wd}`, `{@buyer}` become words in the manner of whoever writes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from datetime import date, timedelta
from typing import Any

from servers.kernel import ordinal

__all__ = (
    "DATE_STYLES",
    "MONEY_STYLES",
    "NAMES",
    "TOKEN",
    "date_words",
    "later",
    "money_words",
    "stated",
    "time_words",
)

TOKEN = re.compile(r"\{(@{0,2})([a-z0-9_.-]+)(?::([a-z]+))?\}")
"""`{fact}`, `{fact:form}`, `{@person}` (first name), `{@@person}` (whole name)."""

DATE_STYLES: dict[str, Callable[[date], str]] = {
    "d month": lambda day: f"{day.day} {day:%B}",
    "d mon": lambda day: f"{day.day} {day:%b}",
    "month d": lambda day: f"{day:%B} {day.day}",
    "wd m/d": lambda day: f"{day:%a} {day.month}/{day.day}",
    "wd d month": lambda day: f"{day:%A} {day.day} {day:%B}",
    "dth": lambda day: f"{ordinal(day.day)} {day:%B}",
    "iso": lambda day: f"{day}",
}

MONEY_STYLES: dict[str, Callable[[int], str]] = {
    "sign": lambda amount: f"€{amount:,}",
    "code": lambda amount: f"{amount:,} EUR",
    "first": lambda amount: f"EUR {amount:,}",
    "word": lambda amount: f"{amount:,} euros",
    "plain": lambda amount: f"{amount}",
}


def date_words(day: date, style: str, form: str | None) -> str:
    """A day as a writer says it; a form asks for a part of it."""
    match form:
        case "wd":
            return f"{day:%A}"
        case "month":
            return f"{day:%B}"
        case "full":
            return f"{day:%A} {day.day} {day:%B} {day.year}"
        case "iso":
            return str(day)
        case "file":
            return f"{day:%Y%m%d}"
        case "quarter":
            return f"Q{(day.month + 2) // 3}"
        case _:
            return DATE_STYLES[style](day)


def money_words(amount: int, style: str, form: str | None) -> str:
    """Euros as a writer says them."""
    return MONEY_STYLES["plain" if form == "num" else style](amount)


def time_words(minutes: int, form: str | None) -> str:
    """A time of day."""
    hours, rest = divmod(minutes, 60)
    if form == "pm":
        return f"{(hours - 1) % 12 + 1}{f':{rest:02d}' if rest else ''}{'am' if hours < 12 else 'pm'}"
    return f"{hours:02d}:{rest:02d}"


def stated(event: Any) -> tuple[str, ...]:
    """The facts that an event's texts name, each once."""
    texts = [getattr(event, each.name) for each in fields(event) if each.name in ("subject", "text", "title", "note")]
    found = (match[2] for text in texts for match in TOKEN.finditer(text) if not match[1])
    amount = getattr(event, "amount", None)
    return tuple(dict.fromkeys((*found, *([amount] if amount else []))))


def later(today: date, day: int) -> date:
    """The day of that number."""
    return today + timedelta(days=day)


NAMES = frozenset(
    [
        "Antwerp",
        "Arkle",
        "Bakeries",
        "Bexford",
        "Bilbao",
        "Brackley",
        "Brannock",
        "Brewing",
        "Brightwell",
        "Calder",
        "Canadian",
        "Castle",
        "Colby",
        "Components",
        "Cork",
        "Corran",
        "Dairies",
        "Dragon",
        "Dunmore",
        "Farms",
        "Fenwick",
        "Foods",
        "Gdynia",
        "Halvard",
        "Harrow",
        "Harwich",
        "Helsinki",
        "Hexham",
        "Juniper",
        "Kessock",
        "Larkhill",
        "Lille",
        "Lindale",
        "Lomax",
        "Ltd",
        "Malm",
        "Marchbank",
        "Marsh",
        "Meats",
        "Mouldings",
        "Mrs",
        "Norlake",
        "Northquay",
        "Oakwell",
        "Ostermill",
        "Ottery",
        "Pellew",
        "Pennant",
        "Penrose",
        "Quillfeldt",
        "Rotterdam",
        "Selby",
        "Sir",
        "St",
        "Tarn",
        "Tideway",
        "Tollgate",
        "Trading",
        "Trieste",
        "Turku",
        "Vantorp",
        "Vets",
    ]
)
"""Words that texts of stories have with a capital only: of firms, places, products. A test finds them in the texts."""
