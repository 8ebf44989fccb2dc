"""Tables 2 to 5 of the paper, from scored answers. A row is a dict from the name of a column to its value.

Rates are in [0, 1], None where nothing is known. Intervals (`low`, `high`: 95%) cluster by persona, as the samples of
one persona share distractors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict

from benchmarks.probe.scoring.modes import Modes, modes
from benchmarks.probe.scoring.scored import Scored
from benchmarks.probe.scoring.search import Search, micro
from harness.scoring.stats import Interval, rate

__all__ = ("HumanEntry", "Row", "failures", "frameworks", "humans", "models")

Row: TypeAlias = dict[str, Any]


class HumanEntry(BaseModel):
    """One sample that a person did: its scores, the seconds spent on it, and whether all of it seemed real to them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    annotator: str
    scored: Scored
    seconds: float
    documents_realistic: bool
    actions_realistic: bool


def humans(entries: Sequence[HumanEntry], chance: float | None = None) -> list[Row]:
    """Table 2: a row per annotator, one of averages, and one of chance where it is given.

    The averages are over entries, except those of entries and of samples an hour, which are over annotators and hours.
    Beside the entries stand how many of them have a score for identification and for selection: what waits for a
    verdict is in no mean.
    """
    names = list(dict.fromkeys(entry.annotator for entry in entries))
    rows = [_human(name, [entry for entry in entries if entry.annotator == name]) for name in names]
    if entries:
        average = _human("Avg", entries)
        rows.append({**average, **{name: average[name] / len(names) for name in _COUNTS}})
    if chance is not None:
        rows.append({**dict.fromkeys(_human("", ())), "Annotator": "chance", "Task Selection": chance})
    return rows


def models(answers: Iterable[Scored]) -> list[Row]:
    """Table 3: a row per model, in the order in which they come.

    P, R and F1 are means over samples; two of the printed F1 lie below any value that pooling could give. Beside them
    stand pooled ones (micro), precision without neutral documents, the mean of all three scores, the strict score,
    the share right for the wrong reason, execution where half of the parameters are most, and counts: of answers, and
    of those that the means of identification and of execution are over.
    """
    return [_compared("Model", name, each) for name, each in _by_agent(answers).items()]


def frameworks(answers: Iterable[Scored]) -> list[Row]:
    """Table 4: a row per framework, as in table 3, and what search would be if all that was opened were evidence."""
    return [
        {**_compared("Framework", name, each), **_search("touched ", [one.touched for one in each if one.touched])}
        for name, each in _by_agent(answers).items()
    ]


def failures(answers: Iterable[Scored]) -> list[Row]:
    """Table 5: a row per failure mode with a column per model, as shares of what `Modes` says; `of NAME` has counts."""
    found = {name: modes(each) for name, each in _by_agent(answers).items()}
    rows = []
    for mode in Modes.model_fields:
        row: Row = {"Failure Mode": mode}
        for name, each in found.items():
            row[name], row[f"of {name}"] = getattr(each, mode).value, getattr(each, mode).of
        rows.append(row)
    return rows


def _by_agent(answers: Iterable[Scored]) -> dict[str, list[Scored]]:
    found: dict[str, list[Scored]] = {}
    for each in answers:
        found.setdefault(each.agent, []).append(each)
    return found


def _compared(title: str, name: str, answers: Sequence[Scored]) -> Row:
    pooled = micro([each.search for each in answers if each.search])
    return {
        title: name,
        **_search("", [each.search for each in answers if each.search]),
        "F1 interval": _rate(answers, lambda each: each.search.f1 if each.search else None),
        "Bottleneck Identification": _rate(answers, _identified).value,
        "Identification interval": _rate(answers, _identified),
        "Task Execution": _rate(answers, _executed).value,
        "Execution interval": _rate(answers, _executed),
        "micro P": pooled and pooled.precision,
        "micro R": pooled and pooled.recall,
        "micro F1": pooled and pooled.f1,
        "overall": _rate(answers, lambda each: each.overall).value,
        "overall interval": _rate(answers, lambda each: each.overall),
        "strict": _rate(answers, lambda each: each.strict).value,
        "right for the wrong reason": _rate(answers, lambda each: each.wrong_reason).value,
        "execution at 50%": _rate(answers, lambda each: each.execution.score_at_half).value,
        "decided by program": _decided(answers),
        "answers": len(answers),
        "identification scored": sum(_identified(each) is not None for each in answers),
        "execution scored": sum(_executed(each) is not None for each in answers),
        "unscored": sum(each.overall is None for each in answers),
    }


def _search(prefix: str, each: Sequence[Search]) -> Row:
    return {
        f"{prefix}P": _mean([one.precision for one in each]),
        f"{prefix}R": _mean([one.recall for one in each]),
        f"{prefix}F1": _mean([one.f1 for one in each]),
        f"{prefix}precision (neutral excluded)": _mean([one.precision_without_neutral for one in each]),
    }


_COUNTS = ("Entries", "identification scored", "selection scored")


def _human(name: str, entries: Sequence[HumanEntry]) -> Row:
    scored, hours = [entry.scored for entry in entries], sum(entry.seconds for entry in entries) / 3600
    return {
        "Annotator": name,
        "Search F1": _mean([each.search.f1 for each in scored if each.search]),
        "Bottleneck Identification": _mean([_identified(each) for each in scored]),
        "Task Selection": _mean([_executed(each) for each in scored]),
        "Entries": len(entries),
        "identification scored": sum(_identified(each) is not None for each in scored),
        "selection scored": sum(_executed(each) is not None for each in scored),
        "Samples/hour": len(entries) / hours if hours else None,
        "Realistic": all(each.documents_realistic and each.actions_realistic for each in entries),
    }


def _identified(each: Scored) -> float | None:
    return each.identification.score


def _executed(each: Scored) -> float | None:
    return each.execution.score


def _decided(answers: Sequence[Scored]) -> float | None:
    """The share of verdicts on details, where there is something to know, that a program gave."""
    asked = [
        name in each.identification.by_program
        for each in answers
        for name, verdict in each.identification.verdicts.items()
        if verdict != "n/a"
    ]
    return _mean(asked)


def _rate(answers: Iterable[Scored], value: Callable[[Scored], float | None]) -> Interval:
    grouped: dict[str, list[float]] = {}
    for each in answers:
        if (found := value(each)) is not None:
            grouped.setdefault(each.persona, []).append(float(found))
    return rate(grouped, "persona")


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None
