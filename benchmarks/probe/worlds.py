"""Samples by name, and the world of each."""

from __future__ import annotations

from functools import lru_cache

from benchmarks.probe import days
from benchmarks.probe.controls import control
from benchmarks.probe.filler import filler
from benchmarks.probe.grammar.generate import generate
from benchmarks.probe.naming import base_of, parsed
from benchmarks.probe.pipeline import stored
from benchmarks.probe.pouring import poured
from benchmarks.probe.records import Sample
from servers.kernel import World

__all__ = ("sample", "world")

_KEPT = 8
"""Samples that a process keeps: jobs come grouped by world, and each is half a megabyte and a third of a second."""


@lru_cache(_KEPT)
def sample(name: str) -> Sample:
    """The sample of that name, generated and proved, or made of one: a control, with days, or as told anew.

    The last few are kept.

    Raises:
        ValueError: a control for which the sample has no room, which would be a fault of the grammar.
        SuiteError: no sample can have that name, or what is stored of it is not as it was.
    """
    if name.startswith("rewrite-"):
        return stored.load(name)
    seed, number, level = parsed(name)
    if name.startswith("days-"):
        return days.derived(sample(base_of(name)), days.coming(name))
    if base_of(name) != name:
        return control(sample(base_of(name)), name)
    return generate(seed, number, difficulty=level, filler=filler)


def world(name: str) -> World:
    """The world of the sample of that name, without what is still to arrive. Raises `SuiteError`."""
    made = sample(name)
    if name.startswith("days-"):
        made = made.model_copy(update={"documents": made.documents[:-1]})
    return poured(made)
