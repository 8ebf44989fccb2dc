"""Documents taken apart in one way, whoever wrote them: ours, rewritten ones, and published ones with other fields."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import JsonValue

from benchmarks.probe.records import Document, Sample

__all__ = ("BEGINS", "TEXT", "Parts", "codes", "names", "persona", "plain_words", "taken_apart", "when")

TEXT = ("body", "content", "description", "text")
BEGINS = ("date", "timestamp", "start", "start_time", "created_at")
_ENDS = ("end", "end_time")
_TITLE = ("subject", "title", "name")
_SENDER = ("from", "sender", "organizer", "organiser", "author", "created_by")
_OTHERS = ("to", "recipients", "cc", "attendees", "participants")
_CODE = re.compile(r"\b(?=[\w/-]*\d)(?=[\w/-]*[A-Z])\w+(?:[-/]\w+)*")
_PAIR = re.compile(r"(?<!\w)([^\W\d_]+) (?=([^\W\d_]+))")
_ADDRESS = re.compile(r"\S+@\S+")
_WORD = re.compile(r"[^\W\d_]+")


class Parts(NamedTuple):
    """One document: `begins` is None where no field has a day; `minutes` is how long it lasts, if it does."""

    title: str
    text: str
    header: str
    begins: datetime | None
    minutes: float
    sender: str
    others: tuple[str, ...]


def taken_apart(document: Document) -> Parts:
    """Title, text, header (all but the text, as JSON), time and people of a document."""
    payload = document.payload
    text = _first(payload, TEXT)
    begins, ends = when(_first(payload, BEGINS)), when(_first(payload, _ENDS))
    others = [person for name in _OTHERS for person in _people(payload.get(name))]
    sender = _people(next((payload[name] for name in _SENDER if payload.get(name)), None))
    shown = {name: value for name, value in payload.items() if name not in TEXT}
    return Parts(
        title=_first(payload, _TITLE),
        text=text,
        header=json.dumps(shown, ensure_ascii=False),
        begins=begins,
        minutes=(ends - begins).total_seconds() / 60 if begins and ends else 0.0,
        sender=sender[0] if sender else "",
        others=tuple(others),
    )


def when(text: str) -> datetime | None:
    """A day or time in ISO, without its zone; None for anything else."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        return None


def codes(text: str) -> set[str]:
    """What looks like the number of a paper, a desk or a case: capitals and digits in one word."""
    return set(_CODE.findall(text))


def plain_words(text: str) -> list[str]:
    """The words of a text, without figures and addresses."""
    return _WORD.findall(_ADDRESS.sub(" ", text))


def names(text: str, common: Collection[str]) -> set[str]:
    """Pairs of capitalised words of which none is among the `common` ones, which also stand in lower case."""
    pairs = (match.groups() for match in _PAIR.finditer(text))
    capital = {pair for pair in pairs if all(word[0].isupper() for word in pair)}
    return {" ".join(pair) for pair in capital if not any(word.lower() in common for word in pair)}


def persona(sample: Sample) -> tuple[str, ...]:
    """How documents name the person whose they are: full name and address, as far as the world model says."""
    world = sample.world_model
    inside = world["persona"] if isinstance(world.get("persona"), dict) else world
    if not isinstance(inside, dict):
        return ()
    ways = (("persona_full_name", "persona_name", "full_name", "name"), ("persona_email", "email"))
    return tuple(told for way in ways if (told := _first(inside, way)))


def _first(payload: dict[str, JsonValue], fields: Sequence[str]) -> str:
    return next((value for name in fields if isinstance(value := payload.get(name), str)), "")


def _people(value: JsonValue) -> list[str]:
    if isinstance(value, dict):
        return [" ".join(str(each) for each in value.values() if each)]
    if isinstance(value, list):
        return [person for each in value for person in _people(each)]
    return [value] if isinstance(value, str) and value else []
