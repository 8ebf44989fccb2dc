"""Faults that only add words: another topic (I1), what no tool serves (I3), details that mean nothing (A4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from benchmarks.composed.ways import Way
from benchmarks.composed.words import words
from benchmarks.composed.world import ORIGINAL
from benchmarks.drift.faults.catalogue import additions, placed
from benchmarks.drift.need import ADDED, Refused
from benchmarks.drift.template import Draw, Fault
from harness.task import Task

__all__ = ("added", "remarks")

_OFFICE: Final = re.compile(r"\b(?:agenda|board|calendar|mails?|meeting|meet|notes?|tasks?|website)\b")
"""A remark that names what offices work on would be about the request after all."""


def remarks(fault: Fault) -> Sequence[str]:
    """The sentences that a fault may add: those of Drift-Bench where they go with an office, and errands of our own."""
    if fault == "I3":
        errands: Sequence[str] = words("errands")
        return errands
    return [each for each in additions("sql", fault) if not _OFFICE.search(each.casefold())]


def added(fault: Fault, task: Task) -> Way:
    """The request with a sentence more, chosen by hash. Raises `Refused` for a fault that needs a slot."""
    if fault not in ADDED:
        raise Refused(fault, task.id, f"it needs a slot; only {', '.join(sorted(ADDED))} are added without one")
    sentence = Draw(task.id, fault).one("remark", remarks(fault))
    request = task.sessions[0].requests[ORIGINAL]
    return Way(fault, None, placed(fault, request, sentence), sentence, "robust")
