"""A simulated user on the questions that published variants expect: is it told what is asked for, and only that?

Each question is put to a user of its own, who knows the variant's prompts and what the one lacks of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import anyio

from benchmarks.lhaw.dimensions import DIMENSIONS
from benchmarks.lhaw.published.rows import Removed, Row
from harness.report.texts import percent
from harness.scoring.stats import clusters, rate
from harness.suite import Table
from harness.task import Brief, Segment, Slot
from servers.kernel import Fault, Question, User
from userssim.wish import holds

__all__ = ("KINDS", "Put", "brief", "put", "tables")

KINDS: Final[Mapping[str, str]] = {
    "target": "thing to produce",
    "format": "format",
    "content": "content",
    "acceptance": "success criterion",
    "numeric_bound": "limit",
    "precision": "precision",
    "temporal": "period",
    "selection": "selection criterion",
    "method": "method",
    "source": "data source",
    "location": "location",
    "identifier": "identifier",
    "version": "version",
    "terminology": "meaning of a term",
    "business_logic": "business rule",
    "conventions": "convention",
    "tool_knowledge": "tool",
}
"""Subdimensions in plain words, which users go by to tell what a question is about. Rows say nothing nearer."""


class Put(NamedTuple):
    """One question, and what came of it.

    `asked` is the segment that it is expected to ask for, `told` those that the answer tells, `others` how many further
    segments the variant withholds. `fault` says why there was no answer, "" where there was one.
    """

    variant: str
    task: str
    dataset: str
    asked: Removed
    question: str
    answer: str
    told: tuple[str, ...]
    others: int
    fault: str = ""

    @property
    def got(self) -> bool:
        return self.asked.id in self.told

    @property
    def strayed(self) -> bool:
        """Whether another segment was told."""
        return any(id != self.asked.id for id in self.told)


def brief(row: Row) -> Brief:
    """What a user knows of a variant: both prompts, and the values that the second lacks."""
    return Brief(
        intent=row.original_prompt,
        sent=row.underspecified_prompt,
        withheld=tuple(Segment(id=each.id, slot=_slot(each)) for each in row.removed_segments),
    )


def _slot(segment: Removed) -> Slot:
    kind = KINDS.get(segment.subdimension, segment.subdimension.replace("_", " "))
    return Slot(
        name=segment.id, kind=kind, text=segment.value, dimension=segment.dimension, subdimension=segment.subdimension
    )


async def put(rows: Iterable[Row], make: Callable[[Brief], User], *, at_once: int = 1) -> list[Put]:
    """Put every expected question to a user made for it, so many at once; in the order of the file.

    Questions of a group that names no removed segment are left out: nobody can say what they ask for.
    """
    wanted = [(row, segment, question) for row in rows for segment, question in _questions(row)]
    found: dict[int, Put] = {}
    free = anyio.CapacityLimiter(at_once)

    async def ask(number: int, row: Row, segment: Removed, question: str) -> None:
        async with free:
            found[number] = await _put(row, segment, question, make)

    async with anyio.create_task_group() as all_questions:
        for number, each in enumerate(wanted):
            all_questions.start_soon(ask, number, *each)
    return [found[number] for number in range(len(wanted))]


def _questions(row: Row) -> Iterator[tuple[Removed, str]]:
    segments = {segment.id: segment for segment in row.removed_segments}
    for group in row.expected_questions:
        if group.segment in segments:
            yield from ((segments[group.segment], question) for question in group.questions if question.strip())


async def _put(row: Row, segment: Removed, question: str, make: Callable[[Brief], User]) -> Put:
    others = len(row.removed_segments) - 1
    none = Put(row.variant_id, row.original_task, row.dataset, segment, question, "", (), others)
    try:
        said = await make(brief(row)).answer(Question(text=question))
    except Fault as error:
        return none._replace(fault=str(error) or type(error).__name__)
    return none._replace(answer=said.text, told=said.revealed or tuple(_heard(row, question, said.text)))


def _heard(row: Row, question: str, answer: str) -> Iterator[str]:
    """Segments whose value an answer holds and its question does not, for users that do not say what they told."""
    for segment in row.removed_segments:
        if holds(answer, segment.value) and not holds(question, segment.value):
            yield segment.id


def tables(asked: Sequence[Put], user: str) -> list[Table]:
    """What the user made of the questions, by dimension and by subdimension."""
    strange = sorted({each.asked.dimension for each in asked} - {*DIMENSIONS})
    by_dimension = [
        {"dimension": name, **_figures([each for each in asked if each.asked.dimension == name])}
        for name in (*DIMENSIONS, *strange)
    ]
    pairs = list(dict.fromkeys((each.asked.dimension, each.asked.subdimension) for each in asked))
    known = [(dimension, each) for dimension, names in DIMENSIONS.items() for each in names]
    by_subdimension = [
        {"dimension": pair[0], "subdimension": pair[1], **_figures(found)}
        for pair in sorted(pairs, key=lambda pair: (known.index(pair) if pair in known else len(known), pair))
        for found in [[each for each in asked if (each.asked.dimension, each.asked.subdimension) == pair]]
    ]
    columns = tuple(_figures([]))
    notes = (
        "recall %: questions whose segment was told, of all that had an answer; low and high: 95% interval over "
        "original tasks.",
        "segments told: by any of their questions, of those asked for. Another told: an answer tells a segment that "
        "its question is not about, of answers where another is withheld.",
    )
    return [
        Table(f"Calibration: expected questions put to {user}", ("dimension", *columns),
              [*by_dimension, {"dimension": "all", **_figures(asked)}], notes),
        Table(f"Calibration: the same by subdimension, {user}", ("dimension", "subdimension", *columns),
              by_subdimension),
    ]  # fmt: skip


def _figures(asked: Sequence[Put]) -> dict[str, Any]:
    heard = [each for each in asked if not each.fault]
    recall = rate(*clusters(("", f"{each.dataset}/{each.task}", float(each.got)) for each in heard))
    segments = {(each.variant, each.asked.id) for each in heard}
    beside = [each for each in heard if each.others]
    strayed = sum(each.strayed for each in beside)
    return {
        "questions": len(asked),
        "void": len(asked) - len(heard),
        "recall %": percent(recall.value),
        "low": percent(recall.low),
        "high": percent(recall.high),
        "segments": len(segments),
        "segments told": len({(each.variant, each.asked.id) for each in heard if each.got}),
        "another told": strayed if beside else None,
        "of": len(beside),
    }
