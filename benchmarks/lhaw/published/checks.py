"""Whether published variants are what they claim to be: the checks that our own variants pass, put to their rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from benchmarks.lhaw.dimensions import DIMENSIONS
from benchmarks.lhaw.leaks import leaks, plain
from benchmarks.lhaw.published.rows import Removed, Row
from benchmarks.lhaw.published.statistics import by_dataset
from harness.suite import Table
from harness.task import Slot

__all__ = ("CHECKS", "Failure", "failures", "tables")

_LONG_AGO: Final = datetime(1900, 1, 1)
"""Stands for the day of a request, which rows do not tell: one so far away that no value is counted from it."""


class Failure(NamedTuple):
    """A row that fails a check: which, at which segment ("" for the whole row), and what is there."""

    variant: str
    dataset: str
    check: str
    segment: str
    found: str


def _in_original(row: Row) -> Iterator[tuple[str, str]]:
    for segment in row.removed_segments:
        if segment.value not in row.original_prompt:
            alike = plain(segment.value) in plain(row.original_prompt)
            there = "in other case or marks only" if alike else "nowhere"
            yield segment.id, f"{_cut(segment.value)} stands there {there}"


def _gone(row: Row) -> Iterator[tuple[str, str]]:
    for segment in row.removed_segments:
        if form := leaks(row.underspecified_prompt, _slot(segment), _LONG_AGO):
            yield segment.id, f"{_cut(segment.value)} is given away by {_cut(form)}"


def _cut(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _slot(segment: Removed) -> Slot:
    """The segment as our leak check takes it, of the kind that the shape of its value tells."""
    value = segment.value.strip()
    kind = ""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value) and _is_day(value):
        kind = "date"
    elif re.fullmatch(r"\d{1,2}:\d\d", value):
        kind = "time"
    elif re.fullmatch(r"\d{1,9}", value):
        kind = "count"
    return Slot(name=segment.id, kind=kind, text=segment.value, value=int(value) if kind == "count" else value)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _in_taxonomy(row: Row) -> Iterator[tuple[str, str]]:
    for segment in row.removed_segments:
        if segment.subdimension not in DIMENSIONS.get(segment.dimension, ()):
            yield segment.id, f"{segment.dimension}/{segment.subdimension} is none of the 17"


def _as_labelled(row: Row) -> Iterator[tuple[str, str]]:
    there = list(dict.fromkeys(segment.dimension for segment in row.removed_segments))
    if {*row.information_dimension} != {*there}:
        yield "", f"says {', '.join(row.information_dimension) or 'nothing'}; segments are of {', '.join(there)}"


def _with_questions(row: Row) -> Iterator[tuple[str, str]]:
    if not row.expected_questions:
        yield "", "there is no group of questions"
    for group in row.expected_questions:
        if not group.questions:
            yield group.segment, "its group is empty"
        elif not all(question.strip() for question in group.questions):
            yield group.segment, "one of its questions is empty"


def _for_each(row: Row) -> Iterator[tuple[str, str]]:
    segments = {segment.id for segment in row.removed_segments}
    groups = {group.segment for group in row.expected_questions}
    for id in sorted(segments - groups):
        yield id, "no group is for it"
    for id in sorted(groups - segments):
        yield id, "a group is for it, and no such segment was removed"


def _with_states(row: Row) -> Iterator[tuple[str, str]]:
    if not row.terminal_states:
        yield "", "there are none, or not as a list of lists of numbers"


CHECKS: Final[dict[str, Callable[[Row], Iterator[tuple[str, str]]]]] = {
    "value is in the original prompt": _in_original,
    "value is gone from the underspecified prompt": _gone,
    "segment is in the taxonomy": _in_taxonomy,
    "information_dimension is that of the segments": _as_labelled,
    "questions are not empty": _with_questions,
    "each segment has its group of questions": _for_each,
    "terminal states can be read": _with_states,
}
"""Checks by name. Each gives segment and finding of whatever fails it."""


def failures(rows: Sequence[Row]) -> list[Failure]:
    """Everything that fails, in the order of rows and checks."""
    return [
        Failure(row.variant_id, row.dataset, name, segment, found)
        for row in rows
        for name, check in CHECKS.items()
        for segment, found in check(row)
    ]


def tables(rows: Sequence[Row], found: Sequence[Failure]) -> list[Table]:
    """How many rows fail which check; and, where any does, what was found in each."""
    sets = list(by_dataset(rows))
    failing = {(each.check, each.dataset, each.variant) for each in found}
    counted = []
    for name in CHECKS:
        by_set = {each: sum(check == name and dataset == each for check, dataset, _ in failing) for each in sets}
        counted.append({"check": name, "rows": len(rows), **by_set, "fail": sum(by_set.values())})
    summary = Table("Rows that fail a check", ("check", "rows", *sets, "fail"), counted)
    if not found:
        return [summary]
    listed = [{"variant": e.variant, "check": e.check, "segment": e.segment or None, "found": e.found} for e in found]
    return [summary, Table("What fails", ("variant", "check", "segment", "found"), listed)]
