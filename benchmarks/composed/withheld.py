"""Faults that leave a value open: omission (A1), widening (A2), a reference that fits several (E3), degree (E4).

The words are those of LHAW's phrases, which are written for kinds and roles of values (and, over workflows, for single
templates); days in a stretch of time and names cut short come from the values themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from typing import Final

from benchmarks.composed.days import shape, shown
from benchmarks.composed.premises import PEOPLE
from benchmarks.composed.ways import Way, instead, leaves, once
from benchmarks.composed.world import Spot
from benchmarks.drift.need import Refused
from benchmarks.drift.template import Fault
from benchmarks.lhaw.rewrite import Rewritten, Severity, Unnatural, ways

__all__ = ("omission", "referential", "vague_degree", "widening")

GRADED: Final = frozenset({"count", "date", "due_date", "duration", "period", "threshold", "time"})
"""Kinds that come in degrees: a vague word for them is one of degree, for others it gives a class."""

CLASSES: Final = frozenset({"metric", "plot_type"})
"""Kinds whose general word names a class ("our website traffic") and not one that the reader should know."""


def omission(spot: Spot) -> Iterator[Way]:
    """A1: the value is gone, and with it what cannot stand without it. Raises `Refused`."""
    if spot.slot.complete_without:
        raise Refused("A1", spot.where, "what is left is a complete request for something else")
    need = leaves("A1", spot, spot.rivals, findable=True)
    for left in _phrased("A1", spot, "delete"):
        yield Way("A1", spot, left.request, "", need, spot.rivals, lost=left.withheld[0].text)


def widening(spot: Spot) -> Iterator[Way]:
    """A2: a class of the value in its place, a stretch of days perhaps. Raises `Refused`."""
    yield from _stretches(spot)
    if spot.slot.kind == "comparison":
        raise Refused("A2", spot.where, "more and less have no class but different, which would be another condition")
    how: Severity = "genericize" if spot.slot.kind in CLASSES else "vagify"
    if spot.slot.kind in GRADED:
        raise Refused("A2", spot.where, f"a general word for a {_noun(spot)} is one of degree, or of a stretch of days")
    yield from _open("A2", spot, how)


def referential(spot: Spot) -> Iterator[Way]:
    """E3: something that the reader should know, or a part of a name that several have. Raises `Refused`."""
    yield from _parts(spot)
    if spot.slot.kind in CLASSES:
        raise Refused("E3", spot.where, f"nobody refers to a {_noun(spot)} without naming it")
    yield from _open("E3", spot, "genericize")


def vague_degree(spot: Spot) -> Iterator[Way]:
    """E4: a word of degree. Raises `Refused`."""
    if spot.slot.kind not in GRADED:
        raise Refused("E4", spot.where, f"a {_noun(spot)} does not come in degrees")
    yield from _open("E4", spot, "vagify")


def _noun(spot: Spot) -> str:
    return spot.slot.kind.replace("_", " ")


def _open(fault: Fault, spot: Spot, how: Severity) -> Iterator[Way]:
    need = leaves(fault, spot, spot.rivals, findable=True)
    for left in _phrased(fault, spot, how):
        yield Way(fault, spot, left.request, _put(spot.request, left.request), need, spot.rivals,
                  lost=left.withheld[0].text)  # fmt: skip


def _phrased(fault: Fault, spot: Spot, how: Severity) -> Sequence[Rewritten]:
    """What LHAW's phrases leave of the request, where that shows that something is open."""
    try:
        found = list(ways(spot.request, spot.slot, how, task=spot.task.id, template=spot.task.template))
    except Unnatural as error:
        raise Refused(fault, spot.where, f"no natural wording: {error}") from None
    sound = [left for left in found if left.gap == "shown" or spot.slot.guessability == 1]
    if not sound:
        gap = found[0].gap
        what = "something can honestly be supposed there" if gap == "default" else "it does not show that it lacks one"
        raise Refused(fault, spot.where, f"what is left is a request of its own: {what}")
    return sound


def _put(before: str, after: str) -> str:
    """The words of a text that another has not: from where the two part to where they meet again."""
    one, two = before.split(), after.split()
    start = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    rest = min(len(one), len(two)) - start
    end = next((n for n in range(rest) if one[-1 - n] != two[-1 - n]), rest)
    return " ".join(two[start : len(two) - end]).strip(",.:;")


def _stretches(spot: Spot) -> Iterator[Way]:
    """A day in the week or the part of the month that it lies in, with those of its rivals that lie there too."""
    own = shape(spot.own)
    if own is None or not (place := once("A2", spot)) or not spot.request[: place.start()].endswith(" on "):
        return
    monday = _monday(own.day)
    parts: tuple[tuple[str, Callable[[date], object]], ...] = (
        (f"on a day in the week of {shown(monday, own.order)}", _monday),
        (f"some time in {_third(own.day)} {own.day:%B}", _part),
    )
    for words, part in parts:
        fits = tuple(each for each in spot.rivals if (other := shape(each)) and part(other.day) == part(own.day))
        try:
            need = leaves("A2", spot, fits)
        except Refused:
            continue
        text = f"{spot.request[: place.start() - 3]}{words}{spot.request[place.end() :]}"
        yield Way("A2", spot, text, words, need, fits)


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _part(day: date) -> tuple[int, int, str]:
    return day.year, day.month, _third(day)


def _third(day: date) -> str:
    return "early" if day.day <= 10 else "the middle of" if day.day <= 20 else "late"


def _parts(spot: Spot) -> Iterator[Way]:
    """One word of a name, which others of its kind have too."""
    if spot.slot.kind not in PEOPLE or not spot.refers:
        return
    for word in spot.own.text.split():
        fits = tuple(each for each in spot.alike if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", each.text))
        if word == spot.own.text or not re.fullmatch(r"[^\W\d_]{3,}", word):
            continue
        try:
            need = leaves("E3", spot, fits)
        except Refused:
            continue
        yield Way("E3", spot, instead("E3", spot, word), word, need, fits)
