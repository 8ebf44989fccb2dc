"""Slots have a place in LHAW's taxonomy, and one that has none is refused where LHAW is."""

from __future__ import annotations

import pytest

from benchmarks.lhaw.dimensions import DIMENSIONS, check
from benchmarks.workbench.synth.suite import load
from harness.suite import SuiteError
from harness.task import Slot
from tests.harness import toy


def test_the_taxonomy_has_the_seventeen_of_the_paper() -> None:
    assert [len(each) for each in DIMENSIONS.values()] == [4, 5, 4, 4]


def test_every_slot_of_the_sources_has_its_place() -> None:
    check(load().tasks)


@pytest.mark.parametrize(
    ("dimension", "subdimension", "problem"),
    [
        ("purpose", "target", "dimension 'purpose', not one of goal, constraint, input, context"),
        ("", "", "dimension '', not one of"),
        ("goal", "temporal", "subdimension 'temporal'; of goal there are target, format, content, acceptance"),
    ],
)
def test_a_slot_without_a_place_is_refused(dimension: str, subdimension: str, problem: str) -> None:
    slot = Slot(name="list", kind="list", text="Leads", dimension=dimension, subdimension=subdimension)
    task = toy.task(0).model_copy(update={"slots": (slot,)})

    with pytest.raises(SuiteError, match=f"task toy-0: slot list has {problem}"):
        check([task])
