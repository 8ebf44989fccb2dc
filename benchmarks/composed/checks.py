"""What a faulty request has to pass before it is played; each gives the reason for which it refuses one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from benchmarks.composed.ways import Way
from benchmarks.composed.world import ORIGINAL, folded
from benchmarks.drift.faults import Fails
from benchmarks.drift.need import MOST_LUCK, NEEDY
from benchmarks.drift.template import Fault
from benchmarks.lhaw.leaks import found, plain
from harness.task import Task

__all__ = ("CHECKS", "check")

_NEAR: Final[frozenset[Fault]] = frozenset({"P1", "P2", "P3", "P4", "E3"})
"""Their words stand near the value: it counts as said where it is said whole."""


def check(task: Task, way: Way) -> None:
    """Put a faulty request to all checks. Raises `Fails` of the first that refuses it."""
    for name, each in CHECKS.items():
        if reason := each(task, way):
            raise Fails(name, way.fault, task.id, reason)


def readable(task: Task, way: Way) -> str:
    """It differs from the request, begins and ends like a sentence, and has no blanks and no doubled words."""
    full = task.sessions[0].requests[ORIGINAL]
    if plain(way.text) == plain(full):
        return "it says the same as the request"
    if odd := re.search(r"[{}]|\s\s|\s[,.?!;]|[,;:]$|\bNone\b|\.\.|\b(\w+) \1\b(?<!that that)(?<!had had)", way.text):
        return f"it has {odd[0]!r} in it"
    if way.text[:1].islower() or way.text[-1:] not in ".?!)\"'":
        return "it does not begin and end like a sentence"
    return ""


def quoted(task: Task, way: Way) -> str:
    """The words that were added, or that took a value's place, stand in it."""
    return "" if folded(way.words) in folded(way.text) else f"{way.words!r} does not stand in it"


def others_verbatim(task: Task, way: Way) -> str:
    """The values of all other slots are there word for word."""
    gone = way.spot.slot.name if way.spot else ""
    lost = [f"{slot.name} ({slot.text!r})" for slot in task.slots if slot.name != gone and slot.text not in way.text]
    return f"it lost {', '.join(lost)}" if lost else ""


def hidden(task: Task, way: Way) -> str:
    """A value that it hides is nowhere in it, in whatever form; a conflict (A3) has it beside another."""
    if way.spot is None or way.need == "robust" or way.fault == "A3":
        return ""
    if way.fault in _NEAR:
        shape = plain(way.spot.own.text)
        there = re.search(rf"(?<!\w){re.escape(shape)}(?!\w)", plain(way.text)) if shape else None
        return f"it gives {way.spot.slot.name} away: {there[0]!r} is said" if there else ""
    leak = found(way.text, way.spot.slot, way.spot.now)
    return f"it gives {way.spot.slot.name} away: {leak}" if leak else ""


def adds_only(task: Task, way: Way) -> str:
    """Words that are only added leave the request as it is, and speak of none of its values."""
    if way.spot is not None:
        return ""
    if task.sessions[0].requests[ORIGINAL] not in way.text:
        return "the request is not in it word for word"
    for slot in task.slots:
        if re.search(rf"(?<!\w){re.escape(plain(slot.text))}(?!\w)", plain(way.words)):
            return f"what it adds speaks of {slot.name}"
    return ""


def several(task: Task, way: Way) -> str:
    """Where the user is needed its readings are two at least, with the value that was meant among them once."""
    if way.need not in NEEDY or way.spot is None:
        return ""
    if way.luck > MOST_LUCK:
        return f"a guess is right {way.luck:.0%} of the time, and it may be {MOST_LUCK:.0%}"
    texts = [each.text for each in way.readings]
    if texts.count(way.spot.own.text) != 1 or len(set(texts)) < len(texts):
        return "told a value, a reader would not know which of its readings that is"
    return ""


def absent(task: Task, way: Way) -> str:
    """What a false premise names (P1, P2) stands nowhere in the world, nor in what the task adds to it."""
    if way.fault not in ("P1", "P2") or way.spot is None:
        return ""
    return f"{way.words!r} stands in the world" if way.spot.place.says(way.words, way.spot.setup) else ""


_Check = Callable[[Task, Way], str]

CHECKS: Final[Mapping[str, _Check]] = {
    each.__name__: each for each in (readable, quoted, others_verbatim, hidden, adds_only, several, absent)
}
"""By name."""
