"""Artifacts put into samples on purpose: gates that do not see these see nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from datetime import timedelta

from pydantic import JsonValue

from benchmarks.probe.gates.parts import TEXT, taken_apart, when
from benchmarks.probe.records import Document, Sample

__all__ = ("PLANTS", "Plant")

Plant = Callable[[Sample], Sample]

_LONGER = 1.15
_PART = 10 / 28
_WRONG = 0.02


def _longer(sample: Sample) -> Sample:
    """True positives are longer by 15%, by sentences of other documents that have no figures."""
    draw = _draw(sample, "length")
    others = [each for each in sample.documents if each.id not in sample.gold.true_positives]
    plain = [
        sentence
        for each in others
        for sentence in re.split(r"(?<=[.!?])\s+", taken_apart(each).text)
        if sentence.endswith(".") and not re.search(r"\d|\n", sentence)
    ]

    def change(text: str) -> str:
        wanted, block = _LONGER * len(text), ""
        while plain and len(text) + len(block) < wanted:
            block += ("\n\n" if not block else " ") + draw.choice(plain)
        return text + block

    return _changed(sample, lambda each: _text(each, change) if each.id in sample.gold.true_positives else each)


def _late(sample: Sample) -> Sample:
    """True positives are of the last 10 of 28 parts of the time that the documents span."""
    draw = _draw(sample, "dates")
    days = sorted(begins.date() for each in sample.documents if (begins := taken_apart(each).begins))
    if not days:
        return sample
    window = max(1, round(_PART * ((days[-1] - days[0]).days + 1)))
    choice = [day for day in (days[-1] - timedelta(days=ago) for ago in range(window)) if day.weekday() < 5]

    def moved(document: Document) -> Document:
        begins = taken_apart(document).begins
        if begins is None or document.id not in sample.gold.true_positives:
            return document
        by = draw.choice(choice or [days[-1]]) - begins.date()
        payload = {name: _shifted(value, by) for name, value in document.payload.items()}
        return document.model_copy(update={"payload": payload})

    return _changed(sample, moved)


def _first(sample: Sample) -> Sample:
    """True positives stand first."""
    evidence = set(sample.gold.true_positives)
    return sample.model_copy(
        update={"documents": tuple(sorted(sample.documents, key=lambda each: each.id not in evidence))}
    )


def _mistyped(sample: Sample) -> Sample:
    """Half of the documents that are no true positives have two letters swapped in one word of fifty."""
    draw = _draw(sample, "typos")
    others = [each.id for each in sample.documents if each.id not in sample.gold.true_positives]
    half = {*draw.sample(others, len(others) // 2)}

    def swapped(match: re.Match[str]) -> str:
        word = match[0]
        if draw.random() >= _WRONG:
            return word
        at = draw.randrange(1, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]

    def change(text: str) -> str:
        return re.sub(r"\b[a-z]{5,}\b", swapped, text)

    return _changed(sample, lambda each: _text(each, change) if each.id in half else each)


PLANTS: Mapping[str, Plant] = {"length": _longer, "dates": _late, "order": _first, "typos": _mistyped}
"""Artifacts by name."""


def _draw(sample: Sample, what: str) -> random.Random:
    return random.Random(f"probe gates {what} {sample.id}")


def _changed(sample: Sample, change: Callable[[Document], Document]) -> Sample:
    return sample.model_copy(update={"documents": tuple(map(change, sample.documents))})


def _text(document: Document, change: Callable[[str], str]) -> Document:
    name = next((name for name in TEXT if isinstance(document.payload.get(name), str)), None)
    if name is None:
        return document
    return document.model_copy(update={"payload": {**document.payload, name: change(str(document.payload[name]))}})


def _shifted(value: JsonValue, by: timedelta) -> JsonValue:
    """A field that is a day or a time, moved by days; any other as it was."""
    time = when(value) if isinstance(value, str) else None
    if time is None or not isinstance(value, str):
        return value
    return f"{(time + by).date().isoformat()}{value[10:]}"
