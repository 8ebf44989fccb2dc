"""What the matcher says of labelled answers, beside what two labellers agree on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from benchmarks.probe.matching.items import ASKED, Item, MatchingError
from benchmarks.probe.scoring.answers import Answer, DetailName, Grade
from benchmarks.probe.scoring.identification import identification
from harness.scoring.agreement import Agreement, agreement

__all__ = ("ACCURACY", "FALSE_ACCEPTS", "Labels", "Measured", "Said", "agreed", "measured", "read_labels", "said")

ACCURACY, FALSE_ACCEPTS = 0.95, 0.01
"""The gate: at least this share of a detail's decisions is right, and at most this share of wrong ones is accepted."""

_LETTERS: Mapping[str, Grade | None] = {"c": "correct", "i": "incorrect", "m": "missing", "?": None}

Labels: TypeAlias = Mapping[str, Mapping[DetailName, Grade | None]]
"""By item and detail; None where the labeller could not tell."""


class Said(NamedTuple):
    """A detail of an item: what each labeller said, and what the matcher does (None: it leaves it to a judge)."""

    item: Item
    detail: DetailName
    one: Grade | None
    other: Grade | None
    program: Grade | None

    @property
    def label(self) -> bool | None:
        """Whether it is right, by both labellers; None where they disagree or could not tell."""
        if self.one is None or self.other is None or (self.one == "correct") != (self.other == "correct"):
            return None
        return self.one == "correct"

    @property
    def amiss(self) -> bool:
        """Whether the matcher decided against both labellers."""
        return self.program is not None and self.label is not None and (self.program == "correct") != self.label


class Measured(NamedTuple):
    """The matcher on one detail, or on all.

    `labelled` details have a label that both gave, of which the matcher decided `decided` and got `right` right.
    `wrong` are those labelled as not correct, `accepted` the ones among them that the matcher took as correct.
    """

    detail: str
    labelled: int
    decided: int
    right: int
    wrong: int
    accepted: int

    @property
    def share(self) -> float | None:
        """Of the labelled details, how many it decides without a judge."""
        return self.decided / self.labelled if self.labelled else None

    @property
    def accuracy(self) -> float | None:
        """Of those that it decides, how many it gets right as far as scores go (correct or not)."""
        return self.right / self.decided if self.decided else None

    @property
    def false_accepts(self) -> float | None:
        """Of those that are not correct, how many it takes as correct."""
        return self.accepted / self.wrong if self.wrong else None

    @property
    def passed(self) -> bool:
        """Whether the gate holds. Nothing measured is nothing passed."""
        return (
            self.accuracy is not None
            and self.accuracy >= ACCURACY
            and self.false_accepts is not None
            and self.false_accepts <= FALSE_ACCEPTS
        )


def said(items: Sequence[Item], one: Labels, other: Labels) -> list[Said]:
    """Every detail of every item, with both labels and the matcher's verdict."""
    found = []
    for item in items:
        verdicts = identification(item.as_sample, Answer(bottleneck=item.answer, action="any"), {}).verdicts
        found += [Said(item, name, one[item.id][name], other[item.id][name], verdicts[name]) for name in ASKED]
    return found


def measured(rows: Iterable[Said]) -> list[Measured]:
    """A row per detail and one over all."""
    rows = [row for row in rows if row.label is not None]
    return [_row(name, [row for row in rows if name in (row.detail, "all")]) for name in (*ASKED, "all")]


def agreed(rows: Iterable[Said]) -> dict[str, Agreement]:
    """How far the labellers agree on whether a detail is right, per detail and over all; what one left open is out."""
    pairs = [
        (row.detail, (row.one == "correct", row.other == "correct"))
        for row in rows
        if row.one is not None and row.other is not None
    ]
    return {name: agreement([pair for detail, pair in pairs if name in (detail, "all")]) for name in (*ASKED, "all")}


def read_labels(path: Path, items: Sequence[Item]) -> Labels:
    """A labeller's file: JSON, a string of letters c, i, m or ? by the id of each item. Raises `MatchingError`."""
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise MatchingError(f"{path} cannot be read as JSON: {error}") from None
    if not isinstance(given, dict):
        raise MatchingError(f"{path} is not an object with a string of letters for each item")
    wanted = {item.id for item in items}
    for id in sorted(wanted ^ set(given)):
        raise MatchingError(f"{path}: {id} {'has no labels' if id in wanted else 'is not an item'}")
    for id, letters in given.items():
        if not isinstance(letters, str) or len(letters) != len(ASKED) or set(letters) - set(_LETTERS):
            raise MatchingError(
                f"{path}: {id}: expected {len(ASKED)} letters out of {', '.join(_LETTERS)}, found {letters!r:.40}"
            )
    return {id: {name: _LETTERS[one] for name, one in zip(ASKED, given[id], strict=True)} for id in given}


def _row(name: str, rows: Sequence[Said]) -> Measured:
    decided = [row for row in rows if row.program is not None]
    wrong = [row for row in rows if not row.label]
    return Measured(
        detail=name,
        labelled=len(rows),
        decided=len(decided),
        right=sum(not row.amiss for row in decided),
        wrong=len(wrong),
        accepted=sum(row.program == "correct" for row in wrong),
    )
