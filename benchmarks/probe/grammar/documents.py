"""Mails, events and papers around what they state: headers, greetings, and statements among paragraphs of filler."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from pydantic import JsonValue

from benchmarks.probe.grammar.lines import entries
from benchmarks.probe.grammar.setting import Person, Setting
from benchmarks.probe.records import Kind

__all__ = ("TEXT", "composed", "days", "headed", "kinds")

TEXT: dict[Kind, str] = {"email": "body", "event": "description", "document": "content"}
"""The field of a payload that holds its text."""
_SHARES: dict[Kind, float] = {"document": 0.3, "event": 0.2}
_DAYS = 42
_GREETINGS = (
    "Dear {name},",
    "Hello {name},",
    "Hi {name},",
    "Good morning {name},",
    "{name},",
    "Dear all,",
    "Hello all,",
)
_ENDINGS = ("Best regards,", "Kind regards,", "Best,", "Regards,", "Many thanks,", "With best wishes,", "Thank you,")


def kinds(draw: random.Random, count: int) -> list[Kind]:
    """Half mails, three tenths papers, the rest events, in drawn order."""
    found: list[Kind] = [kind for kind, share in _SHARES.items() for _ in range(round(share * count))]
    found += ["email"] * (count - len(found))
    draw.shuffle(found)
    return found


def days(draw: random.Random, count: int, now: date) -> list[date]:
    """Working days of the six weeks before `now`, one for each document."""
    before = [now - timedelta(days=ago) for ago in range(1, _DAYS + 1)]
    return draw.choices([day for day in before if day.weekday() < 5], k=count)


def headed(draw: random.Random, setting: Setting, kind: Kind, day: date) -> dict[str, JsonValue]:
    """Everything of a payload but its text."""
    project = draw.choice(setting.projects)
    minute = draw.choice((0, 15, 30, 45)) if kind == "event" else draw.randint(0, 59)
    at = datetime.combine(day, time(draw.randint(8, 17), minute))
    people = draw.sample(setting.people, 6)
    mine = draw.random() < 0.15
    first, *others = [setting.persona, *people] if mine else [people[0], setting.persona, *people[1:]]
    if kind == "email":
        to = others[: draw.choice((1, 1, 2, 3))]
        return {
            "from": first.mailbox,
            "to": [each.mailbox for each in to],
            "cc": [each.mailbox for each in others[3 : 3 + draw.choice((0, 0, 1, 2))]],
            "subject": _title(draw, "subjects", project),
            "date": at.isoformat(timespec="minutes"),
        }
    if kind == "event":
        return {
            "title": _title(draw, "meetings", project),
            "organizer": first.mailbox,
            "attendees": [each.mailbox for each in (first, *others[: draw.randint(2, 5)])],
            "start": at.isoformat(timespec="minutes"),
            "end": (at + timedelta(minutes=draw.choice((30, 45, 60, 90)))).isoformat(timespec="minutes"),
            "location": draw.choice(entries("rooms")),
        }
    return {"title": _title(draw, "papers", project), "author": first.mailbox, "date": day.isoformat()}


def _title(draw: random.Random, section: str, project: str) -> str:
    return draw.choice(entries(section)).format(project=project)


def composed(draw: random.Random, payload: dict[str, JsonValue], paragraphs: Sequence[str], statements: Sequence[str],
             people: dict[str, Person]) -> str:  # fmt: skip
    """The text of a document: statements in paragraphs or lists of their own, or at the end of one of filler.

    `people` are persons by mailbox, for greeting and signature of a mail.
    """
    blocks = [*paragraphs]
    rest = [*statements]
    while rest:
        size = min(len(rest), draw.choice((1, 1, 2, 3)))
        group, rest = rest[:size], rest[size:]
        prose = [place for place, block in enumerate(blocks) if "\n" not in block and block.endswith(".")]
        how = draw.random()
        if size == 1 and prose and how < 0.6:
            place = draw.choice(prose)
            blocks[place] = f"{blocks[place]} {group[0]}" if how < 0.4 else f"{group[0]} {blocks[place]}"
            continue
        text = "\n".join(f"- {each}" for each in group) if how < 0.5 and size > 1 else " ".join(group)
        blocks.insert(draw.randint(1, len(blocks)) if blocks else 0, text)
    if "from" in payload:
        mailboxes = payload["to"]
        first = str(mailboxes[0]) if isinstance(mailboxes, list) else ""
        blocks.insert(0, draw.choice(_GREETINGS).format(name=people[first].given))
        blocks.append(f"{draw.choice(_ENDINGS)}\n{people[str(payload['from'])].name}")
    return "\n\n".join(blocks)
