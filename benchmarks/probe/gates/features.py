"""What can be told of a document without reasoning: numbers that mean the same in any sample.

A feature that nothing is known of (no day in the header, say) has the sample's median there, which tells nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from benchmarks.probe.gates.parts import Parts, codes, names, persona, plain_words, taken_apart
from benchmarks.probe.records import Document, Sample

if TYPE_CHECKING:
    from numpy import ndarray

__all__ = ("FEATURES", "features")

FEATURES = (
    "place", "id",
    "characters", "words", "title length", "header length",
    "day", "day off the middle", "hour", "weekday", "that day's documents", "days in text", "minutes",
    "email", "event", "document",
    "people in header", "from persona", "to persona", "documents by sender", "its people's documents",
    "paragraphs", "list lines", "longest paragraph", "sentence length", "question marks", "punctuation",
    "digits", "capitals", "vocabulary", "words nowhere else", "near misses of words",
    "like world model", "like one action", "like all actions", "like one document", "like all documents",
    "codes", "shared codes", "documents per code", "its codes' documents",
    "names", "documents per name", "rarest name", "names of world model", "persona in text",
)  # fmt: skip
"""Columns of `features`, in their order."""

_LONG = 5
"""Letters; among shorter words there are too many that are one letter apart."""
_UNKNOWN = float("nan")
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s", re.MULTILINE)
_SENTENCE = re.compile(r"[.!?]+(?:\s|$)")
_DAY = re.compile(
    r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b(?:\d{1,2} )?(?:January|February|March|April|May|June|"
    r"July|August|September|October|November|December)(?: \d{1,2}\b)?|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b"
)


def features(sample: Sample) -> ndarray:
    """A row for each document, in their order, with a column for each of `FEATURES` (float)."""
    import numpy as np

    parts = [taken_apart(each) for each in sample.documents]
    columns: dict[str, Sequence[float]] = {
        **_order(sample.documents),
        **_dates(parts),
        **{kind: [float(each.type == kind) for each in sample.documents] for kind in ("email", "event", "document")},
        **_people(parts, persona(sample)),
        **_layout(parts),
        **_likeness(sample, parts),
        **_named(sample, parts),
    }
    found = np.array([columns[name] for name in FEATURES], dtype=float).T
    for column in found.T:
        unknown = np.isnan(column)
        column[unknown] = 0.0 if unknown.all() else np.median(column[~unknown])
    return found


def _order(documents: Sequence[Document]) -> dict[str, Sequence[float]]:
    ranked = sorted({each.id for each in documents}, key=lambda id: ([int(n) for n in re.findall(r"\d+", id)], id))
    rank = {id: float(place) for place, id in enumerate(ranked)}
    return {
        "place": [float(place) for place in range(len(documents))],
        "id": [rank[each.id] for each in documents],
    }


def _dates(parts: Sequence[Parts]) -> dict[str, Sequence[float]]:
    begins = [each.begins for each in parts]
    days = [float(each.toordinal()) if each else _UNKNOWN for each in begins]
    known = sorted(day for day in days if day == day)
    middle = known[len(known) // 2] if known else 0.0
    times = Counter(days)
    return {
        "day": days,
        "day off the middle": [abs(day - middle) for day in days],
        "hour": [each.hour + each.minute / 60 if each else _UNKNOWN for each in begins],
        "weekday": [float(each.weekday()) if each else _UNKNOWN for each in begins],
        "that day's documents": [float(times[day]) if day == day else day for day in days],
        "days in text": [float(len(_DAY.findall(each.text))) for each in parts],
        "minutes": [each.minutes for each in parts],
    }


def _people(parts: Sequence[Parts], marks: Sequence[str]) -> dict[str, Sequence[float]]:
    senders = Counter(each.sender for each in parts)
    there = Counter(person for each in parts for person in {each.sender, *each.others})
    return {
        "people in header": [float(len(each.others)) for each in parts],
        "from persona": [float(any(mark in each.sender for mark in marks)) for each in parts],
        "to persona": [float(any(mark in one for mark in marks for one in each.others)) for each in parts],
        "documents by sender": [float(senders[each.sender]) if each.sender else _UNKNOWN for each in parts],
        "its people's documents": [_mean([there[one] for one in {each.sender, *each.others} if one])
                                      for each in parts],
    }  # fmt: skip


def _layout(parts: Sequence[Parts]) -> dict[str, Sequence[float]]:
    texts = [each.text for each in parts]
    words = [plain_words(text.lower()) for text in texts]
    homes = Counter(word for each in words for word in set(each))
    blocks = [[block for block in re.split(r"\n\s*\n", text) if block.strip()] for text in texts]

    def share(pattern: str) -> list[float]:
        return [len(re.findall(pattern, text)) / (len(text) or 1) for text in texts]

    return {
        "characters": [float(len(text)) for text in texts],
        "words": [float(len(each)) for each in words],
        "title length": [float(len(each.title)) for each in parts],
        "header length": [float(len(each.header)) for each in parts],
        "paragraphs": [float(len(each)) for each in blocks],
        "list lines": [float(len(_ITEM.findall(text))) for text in texts],
        "longest paragraph": [float(max(map(len, each), default=0)) for each in blocks],
        "sentence length": [
            len(each) / (len(_SENTENCE.findall(text)) or 1) for each, text in zip(words, texts, strict=True)
        ],
        "question marks": [float(text.count("?")) for text in texts],
        "punctuation": share(r"[^\w\s]"),
        "digits": share(r"\d"),
        "capitals": share(r"[A-Z]"),
        "vocabulary": [len(set(each)) / (len(each) or 1) for each in words],
        "words nowhere else": [sum(homes[word] == 1 for word in set(each)) / (len(each) or 1) for each in words],
        "near misses of words": _misses(words, homes),
    }


def _misses(words: Sequence[Sequence[str]], homes: Mapping[str, int]) -> list[float]:
    """How many words of each document stand nowhere else and are one letter off from one that does, as typos are.

    A word that goes on where another ends is an inflection.
    """
    near: dict[str, list[str]] = {}
    for word in homes:
        if homes[word] > 1 and len(word) >= _LONG:
            for shorter in _shorter(word):
                near.setdefault(shorter, []).append(word)

    def missed(word: str) -> bool:
        return any(
            not word.startswith(other) and not other.startswith(word)
            for shorter in _shorter(word)
            for other in near.get(shorter, ())
        )

    alone = [[word for word in dict.fromkeys(each) if homes[word] == 1 and len(word) >= _LONG] for each in words]
    return [float(sum(map(missed, each))) for each in alone]


def _shorter(word: str) -> set[str]:
    """The word, and with each letter left out in turn: of words one letter apart, or swapped, some are the same."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def _likeness(sample: Sample, parts: Sequence[Parts]) -> dict[str, Sequence[float]]:
    """Cosines of TF-IDF: with the world model, with descriptions of actions, with other documents."""
    import numpy as np
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [f"{each.title}\n{each.text}" for each in parts]
    actions = [each.description for each in sample.actions]
    vectors = TfidfVectorizer(sublinear_tf=True).fit_transform([*texts, *actions, _told(sample.world_model)])
    count = len(texts)
    own, choices, world = vectors[:count], vectors[count:-1], vectors[-1]
    to_world = (own @ world.T).toarray()[:, 0]
    to_actions = (own @ choices.T).toarray() if actions else np.zeros((count, 1))
    to_others = (own @ own.T).toarray()
    np.fill_diagonal(to_others, 0.0)
    return {
        "like world model": list(to_world),
        "like one action": list(to_actions.max(axis=1)),
        "like all actions": list(to_actions.mean(axis=1)),
        "like one document": list(to_others.max(axis=1)),
        "like all documents": list(to_others.sum(axis=1)),
    }


def _named(sample: Sample, parts: Sequence[Parts]) -> dict[str, Sequence[float]]:
    """Codes and persons that texts name, and in how many documents each of these stands."""
    world = _told(sample.world_model)
    common = {word for text in (world, *(each.text for each in parts)) for word in plain_words(text) if word.islower()}
    coded = [codes(f"{each.title}\n{each.text}") for each in parts]
    named = [names(each.text, common) for each in parts]
    code_homes = Counter(code for each in coded for code in each)
    name_homes = Counter(name for each in named for name in each)
    known = names(world, common)
    marks = persona(sample)
    linked = _linked(coded, code_homes)
    return {
        "codes": [float(len(each)) for each in coded],
        "shared codes": [float(sum(code_homes[code] > 1 for code in each)) for each in coded],
        "documents per code": [_mean([code_homes[code] for code in each]) for each in coded],
        "its codes' documents": linked,
        "names": [float(len(each)) for each in named],
        "documents per name": [_mean([name_homes[name] for name in each]) for each in named],
        "rarest name": [float(min((name_homes[name] for name in each), default=0)) for each in named],
        "names of world model": [float(len(each & known)) for each in named],
        "persona in text": [float(any(mark in each.text for mark in marks)) for each in parts],
    }


def _linked(coded: Sequence[set[str]], homes: Mapping[str, int]) -> list[float]:
    there = [{code for code in each if homes[code] > 1} for each in coded]
    return [float(sum(bool(one & other) for other in there) - bool(one)) for one in there]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else _UNKNOWN


def _told(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
