"""Mails, events and papers around what they state: headers, greetings, and statements woven into filler."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, time, timedelta

from pydantic import JsonValue

from benchmarks.probe.filler.days import working_days
from benchmarks.probe.grammar.setting import SEAM, Person, Scene, Setting, plain
from benchmarks.probe.records import Kind

__all__ = ("TEXT", "addressed", "composed", "days", "headed", "kinds", "writer")

TEXT: dict[Kind, str] = {"email": "body", "event": "description", "document": "content"}
"""The field of a payload that holds its text."""
_SHARES: dict[Kind, float] = {"document": 0.3, "event": 0.2}
_DAYS = 42
_OURS = 0.15
"""How often the persona writes or invites."""
_GREETINGS = ("Dear {name},", "Hello {name},", "Hi {name},", "Good morning {name},", "{name},")
_TO_ALL = ("Dear all,", "Hello all,", "Dear colleagues,", "Good morning,", "Hello everybody,")
_ENDINGS = ("Best regards,", "Kind regards,", "Best,", "Regards,", "Many thanks,", "With best wishes,", "Thank you,")
_TOGETHER = 2
"""Statements that a paragraph takes while there is room elsewhere."""
_LOOKED_AT = 4
"""Of so many places for a statement the one whose words are most like it is chosen."""
_WORD = re.compile(r"[a-z]{4,}")
_BULLET = re.compile(r"[-*•] ")
_Spot = tuple[int, int]
"""A paragraph, and after which of its passages."""


def kinds(draw: random.Random, count: int) -> list[Kind]:
    """Half mails, three tenths papers, the rest events, in drawn order."""
    found: list[Kind] = [kind for kind, share in _SHARES.items() for _ in range(round(share * count))]
    found += ["email"] * (count - len(found))
    draw.shuffle(found)
    return found


def days(draw: random.Random, count: int, now: date) -> list[date]:
    """Working days of the six weeks before `now`, one for each document."""
    return draw.choices(working_days(now - timedelta(days=_DAYS), now - timedelta(days=1)), k=count)


def headed(draw: random.Random, setting: Setting, kind: Kind, scene: Scene, barred: Collection[str],
           before: Mapping[str, JsonValue] | None = None) -> dict[str, JsonValue]:  # fmt: skip
    """Everything of a payload but its text.

    Who writes is none of those whose names the document states (`barred`), so that nobody speaks of themselves by name.
    An answer comes from somebody who got the mail `before` it and goes to whoever wrote that.
    """
    minute = draw.choice((0, 15, 30, 45)) if kind == "event" else draw.randint(0, 59)
    at = datetime.combine(scene.day, time(draw.randint(8, 17), minute))
    team = draw.sample(scene.team, len(scene.team))
    people = [*team, *draw.sample(setting.people, len(setting.people))]
    if draw.random() < _OURS:
        people.insert(0, setting.persona)
    earlier: list[Person] = []
    if before is not None and scene.answers is not None:
        of_mailbox = {each.mailbox: each for each in (setting.persona, *setting.people)}
        earlier = [of_mailbox[box] for box in _boxes(before)]
        people = [*(earlier if scene.answers.again else earlier[1:]), *people]
    first = next((each for each in people if each.name not in barred), people[0])
    others = dict.fromkeys(each for each in (*earlier[:1], setting.persona, *team) if each.name != first.name)
    if kind == "email":
        addressed = [*others][: 3 + draw.choice((0, 0, 1, 2))]
        some = 2 if addressed[0].name in barred else draw.choice((1, 1, 2, 3))
        return {
            "from": first.mailbox,
            "to": [each.mailbox for each in addressed[:some]],
            "cc": [each.mailbox for each in addressed[3:]],
            "subject": f"Re: {scene.title}" if scene.answers else scene.title,
            "date": at.isoformat(timespec="minutes"),
        }
    if kind == "event":
        return {
            "title": scene.title,
            "organizer": first.mailbox,
            "attendees": [each.mailbox for each in (first, *[*others][: draw.randint(2, 5)])],
            "start": at.isoformat(timespec="minutes"),
            "end": (at + timedelta(minutes=scene.minutes)).isoformat(timespec="minutes"),
            "location": scene.location,
        }
    return {"title": scene.title, "author": first.mailbox, "date": scene.day.isoformat()}


def _boxes(mail: Mapping[str, JsonValue]) -> list[str]:
    """Whoever wrote a mail and then those who got it."""
    to = mail["to"]
    return [str(mail["from"]), *map(str, to if isinstance(to, list) else ())]


def writer(payload: Mapping[str, JsonValue]) -> str:
    """The mailbox of whoever wrote a document or invited to an event."""
    return str(next(payload[name] for name in ("from", "organizer", "author") if name in payload))


def addressed(payload: Mapping[str, JsonValue]) -> list[str]:
    """The mailboxes to which a mail goes; none for what is no mail."""
    return _boxes(payload)[1:] if "to" in payload else []


def composed(draw: random.Random, payload: Mapping[str, JsonValue], paragraphs: Sequence[str],
             statements: Sequence[str], people: Mapping[str, Person], barred: Collection[str] = ()) -> str:  # fmt: skip
    """The text of a document: its statements at the seams of its paragraphs, and the greeting and end of a mail.

    `people` are persons by mailbox; those `barred` are spoken of in the text, so it does not address them alone.
    """
    blocks = _woven(draw, paragraphs, statements)
    if "from" in payload:
        to = [people[box] for box in _boxes(payload)[1:]]
        in_person = draw.random() < (1 if len(to) == 1 else 0.3)
        named = in_person and to[0].name not in barred
        blocks.insert(0, draw.choice(_GREETINGS).format(name=to[0].given) if named else draw.choice(_TO_ALL))
        sender = people[str(payload["from"])]
        role = f"\n{sender.role}" if draw.random() < 0.3 else ""
        blocks.append(f"{draw.choice(_ENDINGS)}\n{sender.name}{role}")
    return "\n\n".join(blocks)


def _woven(draw: random.Random, paragraphs: Sequence[str], statements: Sequence[str]) -> list[str]:
    """The paragraphs with the statements in them, few in any and apart where there is room.

    They stand at seams; where these are taken, at the ends of other paragraphs; without any, in some of their own.
    """
    pieces = [each.split(SEAM) for each in paragraphs]
    seams = [(at, after) for at, each in enumerate(pieces) if len(each) > 1 for after in range(len(each))]
    plain_ones = [at for at, each in enumerate(paragraphs) if len(pieces[at]) == 1 and "\n" not in each]
    ends = [(at, 0) for at in plain_ones if paragraphs[at].endswith(".")]
    if not seams and not ends:
        return [*map(plain, paragraphs), *(" ".join(statements[at : at + 2]) for at in range(0, len(statements), 2))]
    held: dict[_Spot, list[str]] = {}
    words = {(at, after): {*_WORD.findall(pieces[at][after].lower())} for at, after in (*seams, *ends)}
    for statement in draw.sample(statements, len(statements)):
        apart = [spot for spot in seams if _apart(spot, held)] or [spot for spot in ends if spot not in held]
        free = apart or [spot for spot in seams if spot not in held] or seams or ends
        mine = {*_WORD.findall(statement.lower())}
        looked_at = draw.sample(free, min(_LOOKED_AT, len(free)))
        held.setdefault(max(looked_at, key=lambda spot: len(mine & words[spot])), []).append(statement)
    return [_joined(at, each, held) for at, each in enumerate(pieces)]


def _apart(spot: _Spot, held: Collection[_Spot]) -> bool:
    """Whether no statement stands beside this place yet, and few in its paragraph."""
    at, after = spot
    if any((at, after + step) in held for step in (-1, 0, 1)):
        return False
    return sum(block == at for block, _ in held) < _TOGETHER


def _joined(at: int, pieces: Sequence[str], held: Mapping[_Spot, Sequence[str]]) -> str:
    """A paragraph or list with the statements that stand in it."""
    listed = len(pieces) > 1 and pieces[1].startswith("\n")
    bullet = _BULLET.match(pieces[1], 1) if listed else None
    mark = f"\n{bullet[0]}" if bullet else " "
    said = [piece + "".join(mark + each for each in held.get((at, after), ())) for after, piece in enumerate(pieces)]
    return ("" if listed else " ").join(said)
