"""Full text: which trials hold all of some words, in their records, tasks or annotations, and where they hold them.

A record is looked through as it lies on disk first; only one that seems to hold everything is read. What counts is
texts that somebody said, wrote or named: names of fields do not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic_core import from_json

__all__ = ("Beside", "Found", "Place", "found", "hits", "places", "wanted")

_WANTED = re.compile(r'"([^"]*)"?|(\S+)')

_REPEATING: Final = ("request", "response", "data")
"""Fields of events that mostly say again what other events say."""

_HITS: Final = 2_000
_AROUND: Final = (20, 160)
"""Characters of an excerpt before and after the first word that is found."""


class Place(NamedTuple):
    """A text and where it stands: in which earlier try (from 1, else 0), at which event (-1: none), in which field.

    White space in the text is single.
    """

    attempt: int
    at: int
    field: str
    text: str


@dataclass(frozen=True)
class Beside:
    """What is told of a trial beside its record; `plain` is all of its texts, case folded."""

    places: tuple[Place, ...]
    plain: str

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Beside:
        """Of values by what they are."""
        made = tuple(Place(0, -1, field, text) for field, text in _named(values))
        return cls(made, "\n".join(dict.fromkeys(place.text.casefold() for place in made)))

    def __add__(self, other: Beside) -> Beside:
        return Beside((*self.places, *other.places), f"{self.plain}\n{other.plain}")


class Found(NamedTuple):
    """Where words were found first: the field, and the text around it, every second part one of the words."""

    field: str
    parts: list[str]


def wanted(query: str) -> list[str]:
    """The words of a query, and its phrases in quotes, case folded, white space single."""
    each = (_tidy(match[1] if match[1] is not None else match[2]).casefold() for match in _WANTED.finditer(query))
    return [word for word in dict.fromkeys(each) if word]


def found(words: Sequence[str], path: Path, beside: Beside) -> Found | None:
    """An excerpt of a record, or of what is told `beside` it, if together they hold all of the words; else None.

    `words` are of `wanted`. A file that is gone holds nothing.
    """
    left = [word for word in words if word not in beside.plain]
    if not left:
        return _excerpt(words, beside.places)
    try:
        raw = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    folded = raw.casefold()
    if "\\u" not in folded and not all(_seems_held(word, folded) for word in left):
        return None
    try:
        record = from_json(raw)
    except ValueError:
        return None
    there = places(record)
    text = "\n".join(place.text for place in there).casefold()
    return _excerpt(words, [*there, *beside.places]) if all(word in text for word in left) else None


def hits(words: Sequence[str], there: Iterable[Place]) -> dict[str, Any]:
    """Where any of the words stands: each event, or part of the record that is none, with the fields that hold one.

    `{"hits": [{"attempt", "at", "fields": [[field, parts], ...]}, ...], "total": int}`, events first.
    """
    marks = _marks(words)
    made: dict[tuple[int, int, str], list[Any]] = {}
    for place in there:
        text = place.text.casefold()
        if any(word in text for word in words):
            part = "" if place.at >= 0 else place.field.partition(".")[0]
            fields = made.setdefault((place.attempt, place.at, part), [])
            fields.append([place.field, _around(place.text, marks)])
    ordered = sorted(made.items(), key=lambda one: (one[0][0], one[0][1] < 0, one[0][1]))
    shown = [{"attempt": attempt, "at": at, "fields": fields} for (attempt, at, _), fields in ordered[:_HITS]]
    return {"hits": shown, "total": len(made)}


def places(record: Mapping[str, Any]) -> list[Place]:
    """All texts of a record as it lies on disk: those of events, then what no event says, each once."""
    trajectory = record.get("trajectory")
    if not isinstance(trajectory, Mapping):
        return [Place(0, -1, field, text) for field, text in _named(record)]
    made = list(_of_try(trajectory, 0))
    for number, earlier in enumerate(_listed(trajectory.get("tries")), 1):
        made += _of_try(earlier, number)
    rest = {name: value for name, value in trajectory.items() if name not in ("events", "tries")}
    said = {place.text for place in made}
    for field, text in _named({**rest, **{name: value for name, value in record.items() if name != "trajectory"}}):
        if text not in said:
            said.add(text)
            made.append(Place(0, -1, field, text))
    return made


def _of_try(trajectory: Mapping[str, Any], attempt: int) -> Iterator[Place]:
    """Of a try: what its events say, and what only those fields have that repeat others."""
    said = set()
    again = []
    for at, event in enumerate(_listed(trajectory.get("events"))):
        own = {name: value for name, value in event.items() if name != "kind"}
        repeats = _repeating(own)
        for text in _called(own):
            said.add(text)
            yield Place(attempt, at, "tool", text)
        for field, text in _named({name: value for name, value in own.items() if name not in repeats}):
            said.add(text)
            yield Place(attempt, at, field, text)
        again += [(at, name, own[name]) for name in repeats]
    for at, name, value in again:
        for field, text in _named({name: value}):
            if text not in said:
                said.add(text)
                yield Place(attempt, at, field, text)
    if attempt:
        rest = {name: value for name, value in trajectory.items() if name not in ("events", "tries")}
        for field, text in _named(rest):
            if text not in said:
                yield Place(attempt, -1, field, text)


def _repeating(event: Mapping[str, Any]) -> list[str]:
    """What the agent reads of a result is the result of the call before it."""
    read = ("content",) if event.get("role") == "tool" else ()
    return [name for name in (*_REPEATING, *read) if name in event]


def _called(event: dict[str, Any]) -> tuple[str, ...]:
    """A call's tool as the page has it and as models are told it, taken out of the event."""
    app, tool = event.get("app"), event.get("tool")
    if not (app and tool and isinstance(app, str) and isinstance(tool, str)):
        return ()
    del event["app"], event["tool"]
    return f"{app}.{tool}", f"{app}_{tool}"


def _listed(value: Any) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def _named(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Each text within a JSON value, with the path to it: `arguments.to.0`."""
    if isinstance(value, str):
        if text := _tidy(value):
            yield field, text
    elif isinstance(value, Mapping | list | tuple):
        inner = value.items() if isinstance(value, Mapping) else enumerate(value)
        for name, each in inner:
            yield from _named(each, f"{field}.{name}" if field else str(name))


def _excerpt(words: Sequence[str], there: Sequence[Place]) -> Found:
    """Of the place that holds most of the words; of several an argument of a call, else the first."""
    most, best = (0, False), Place(0, -1, "", "")
    for place in there:
        text = place.text.casefold()
        held = sum(word in text for word in words), place.field.startswith("arguments")
        if held[0] and held > most:
            most, best = held, place
            if held == (len(words), True):
                break
    return Found(best.field, _around(best.text, _marks(words)))


def _marks(words: Sequence[str]) -> re.Pattern[str] | None:
    """What finds the words in a text that is case folded."""
    longest = sorted(words, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest))) if words else None


def _spans(text: str, marks: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where words stand in a text as it is: folded, some characters are several, as the German sharp s is two."""
    folded = text.casefold()
    if len(folded) == len(text):  # no character gets shorter, so each is one
        yield from (match.span() for match in marks.finditer(folded))
        return
    places = [at for at, character in enumerate(text) for _ in character.casefold()]
    past = 0
    for match in marks.finditer(folded):
        start, end = places[match.start()], places[match.end() - 1] + 1
        if start >= past:
            yield start, end
            past = end


def _around(text: str, marks: re.Pattern[str] | None) -> list[str]:
    """The text around the first word, in parts of which every second one is a word."""
    first = next((start for start, _ in _spans(text, marks)), None) if marks else None
    start = max(0, (first or 0) - _AROUND[0])
    end = min(len(text), (first or 0) + _AROUND[1])
    cut = f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
    if marks is None:
        return [cut]
    parts, at = [], 0
    for since, until in _spans(cut, marks):
        parts += [cut[at:since], cut[since:until]]
        at = until
    return [*parts, cut[at:]]


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _seems_held(word: str, folded: str) -> bool:
    """Whether a record may hold the word, by its text as it lies on disk: an app and its tool are two texts there."""
    tokens = (json.dumps(token, ensure_ascii=False)[1:-1] for token in word.split())
    if all(token in folded for token in tokens):
        return True
    cuts = (match.start() for match in re.finditer(r"[._]", word))
    return any(f'{word[:cut]}"' in folded and f'"{word[cut + 1 :]}' in folded for cut in cuts)
