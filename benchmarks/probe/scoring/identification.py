"""Whether the bottleneck was made out (section 3.1, Bottleneck Identification; appendix B.6, listing 24).

Each of eight details has a verdict, and code gives the score: 1 where all are right, 0.5 where the four essential ones
are, else 0. The published code lets the judge say both, and overrules it in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, JsonValue

from benchmarks.probe.records import ESSENTIAL, OTHER, Detail, Sample
from benchmarks.probe.scoring.answers import DETAILS, Answer, DetailName, Grade, Question, Structured
from benchmarks.probe.scoring.matcher import days, hinted, named, person_names, same_day, vague, words
from benchmarks.probe.scoring.people import others, parts, person

__all__ = ("Identification", "identification", "identification_questions", "rubric")


class Identification(BaseModel):
    """A verdict per detail, None where a judge is to say it, and the score: 0, 0.5, 1, or None while any is open.

    `by_program` names the details that were decided without a judge. Of a control, where there is no bottleneck to make
    out, the score is None.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdicts: dict[DetailName, Grade | None]
    by_program: tuple[DetailName, ...]
    score: float | None


def identification(sample: Sample, answer: Answer | None, judged: Mapping[str, Grade]) -> Identification:
    """The verdicts on an answer: a program's where it can tell, else the judge's by the name of the detail."""
    known = {name: _decided(sample, name, answer) for name in DETAILS}
    found = {name: known[name] or judged.get(name) for name in DETAILS}
    by_program = tuple(name for name in DETAILS if known[name])
    score = None if sample.gold.action is None else rubric(found)
    return Identification(verdicts=found, by_program=by_program, score=score)


def identification_questions(sample: Sample, answer: Answer | None) -> list[Question]:
    """What a judge is to say of an answer, a question for each detail that the program leaves open."""
    return [
        Question(
            about=name,
            gold=_value(detail),
            accept=detail.accept if detail else (),
            said=_said(answer, name),
        )
        for name in DETAILS
        if answer and _decided(sample, name, answer) is None
        for detail in (_gold(sample, name),)
    ]


def rubric(verdicts: Mapping[DetailName, Grade | None]) -> float | None:
    """The score that eight verdicts come to (section 3.1; `n/a` counts as right); None while one is open.

    Open verdicts are not guessed from the others: answers that a program can refute would be scored without a judge,
    and right ones not.
    """
    if any(verdicts[name] is None for name in DETAILS):
        return None
    right = {name for name in DETAILS if verdicts[name] in ("correct", "n/a")}
    if not right.issuperset(ESSENTIAL):
        return 0.0
    return 1.0 if right.issuperset(OTHER) else 0.5


def _gold(sample: Sample, name: DetailName) -> Detail | None:
    found: Detail | None = getattr(sample.gold.details, name)
    return found


def _value(detail: Detail | None) -> JsonValue:
    if detail is None:
        return None
    return detail.value if isinstance(detail.value, str) else dict(detail.value)


def _described(sample: Sample) -> bool:
    """Whether the key only describes the bottleneck as a whole, as in published samples."""
    return sample.gold.action is not None and not any(getattr(sample.gold.details, name) for name in ESSENTIAL)


def _said(answer: Answer | None, name: DetailName) -> str:
    if answer is None:
        return ""
    given = answer.bottleneck
    found: str = getattr(given, name) if isinstance(given, Structured) else given
    return found.strip()


def _decided(sample: Sample, name: DetailName, answer: Answer | None) -> Grade | None:
    """What a program can tell of a detail; None where it takes a judge."""
    detail, said = _gold(sample, name), _said(answer, name)
    if detail is None and not _described(sample):
        return "n/a"
    if not said:
        return "missing"
    if detail is None:
        return None
    structured = answer is not None and isinstance(answer.bottleneck, Structured)
    match detail.kind:
        case "person":
            aliases = person(sample, person_names((str(detail.value), *detail.accept)))
            strangers = others(sample, aliases)
            there = named(said, aliases, strangers)
            if not there.wanted and (
                named(said, parts(sample, aliases), strangers).wanted or hinted(said, aliases, structured)
            ):
                return None
            return _of_name(structured, there.wanted, there.others)
        case "work" | "system":
            aliases = (str(detail.value), *detail.accept)
            there = named(said, aliases)
            if not there.wanted and hinted(said, aliases, structured):
                return None
            return _of_name(structured, there.wanted, there.figures)
        case "date":
            return _of_day(structured, said, str(detail.value), detail.accept)
        case "cause" if isinstance(detail.value, dict):
            aliases = (detail.value.get("object", ""), *detail.accept)
            if not named(said, aliases).wanted:
                return None if hinted(said, aliases, structured) else "incorrect" if structured else "missing"
            return "correct" if structured and named(said, (detail.value.get("type", ""),)).wanted else None
        case _:
            same = words(said) in {words(str(alias)) for alias in (detail.value, *detail.accept)}
            return "correct" if structured and same else None


def _of_name(structured: bool, there: bool, others_too: bool) -> Grade | None:
    """In a field of its own a name decides, unless others stand beside it; in prose only that it is absent."""
    if not there:
        return "incorrect" if structured else "missing"
    return "correct" if structured and not others_too else None


def _of_day(structured: bool, said: str, value: str, accept: tuple[str, ...]) -> Grade | None:
    wanted = [day for alias in (value, *accept) for day in days(alias)]
    there = days(said)
    hits = [any(same_day(day, gold) for gold in wanted) for day in there]
    if any(hits):
        return "correct" if structured and all(hits) else None
    if named(said, accept).wanted:
        return "correct" if structured and not there else None
    if vague(said) or not wanted:
        return None
    if structured:
        return "incorrect" if there else None
    return "missing"
