"""The matcher against 300 labelled details: what it decides is right, but for what it is known not to understand."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks.probe.scoring.answers import DETAILS, DetailName, Grade
from benchmarks.probe.scoring.identification import identification
from tests.probe.scoring.toys import answer, sample

LABELLED = Path(__file__).parent / "labelled.txt"
LABELS: dict[str, Grade] = {"c": "correct", "i": "incorrect", "m": "missing"}

NOT_UNDERSTOOD = {("what_task", "a price list for kilns")}
"""Right, in words that are no alias."""


class Labelled(NamedTuple):
    prose: bool
    detail: DetailName
    said: str
    label: Grade
    found: Grade | None

    @property
    def amiss(self) -> bool:
        """Whether it was decided, and otherwise than by the reader as far as scores go."""
        return self.found is not None and (self.found == "correct") != (self.label == "correct")


def labelled() -> list[Labelled]:
    rows = []
    for line in LABELLED.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        about, said, labels = (part.strip() for part in line.split("|"))
        if about == "prose":
            found = identification(sample(), answer(bottleneck=said), {}).verdicts
            rows += [
                Labelled(True, name, said, LABELS[label], found[name])
                for name, label in zip(DETAILS[:6], labels, strict=True)
            ]
        else:
            (name,) = (each for each in DETAILS if each == about)
            found = identification(sample(), answer(details={name: said}), {}).verdicts
            rows.append(Labelled(False, name, said, LABELS[labels], found[name]))
    return rows


def test_there_are_three_hundred_of_them() -> None:
    assert len(labelled()) == 300


def test_what_is_decided_is_what_a_reader_says() -> None:
    assert {(each.detail, each.said) for each in labelled() if each.amiss} == NOT_UNDERSTOOD


@pytest.mark.parametrize(("prose", "share"), [(False, 0.75), (True, 0.4)])
def test_so_much_is_decided(prose: bool, share: float) -> None:
    rows = [each for each in labelled() if each.prose is prose]

    assert sum(each.found is not None for each in rows) / len(rows) >= share


def test_in_prose_nothing_is_found_right_without_a_judge() -> None:
    assert {each.found for each in labelled() if each.prose} == {"missing", None}
