"""What is found of a sample once, and for how long."""

from __future__ import annotations

import gc
import weakref

from benchmarks.probe.records import Sample
from benchmarks.probe.scoring.remembered import remembered
from tests.probe.scoring.toys import sample


def test_a_sample_is_asked_once_and_a_copy_of_it_again() -> None:
    asked: list[str] = []

    @remembered
    def day(sample: Sample) -> str:
        asked.append(sample.now)
        return sample.now

    first = sample()
    other = first.model_copy(update={"now": "2031-01-01"})

    assert [day(first), day(first), day(other), day(first)] == [first.now, first.now, "2031-01-01", first.now]
    assert asked == [first.now, "2031-01-01"]


def test_what_is_remembered_of_a_sample_goes_with_it() -> None:
    class Found:
        pass

    @remembered
    def found(_: Sample) -> Found:
        return Found()

    key = sample()
    left = weakref.ref(found(key))
    assert left() is found(key)
    del key
    gc.collect()

    assert left() is None
