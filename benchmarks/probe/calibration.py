"""Instruments against what is known of them beforehand: true values beside measured ones.

Each trial of an instrument has an expected score and a spread, worked out from its settings and the sample's numbers
alone. A scorer that is right measures their mean, within what chance allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import sqrt
from statistics import fmean
from typing import Any, NamedTuple

from benchmarks.probe.reference import Settings
from benchmarks.probe.scoring.dials import Dials, Expected, Outcome, expected, outcomes
from benchmarks.probe.scoring.scored import Scored as Answer
from harness.report.texts import rounded
from harness.suite import Table

__all__ = ("Played", "calibrated")

_WITHIN = 3.0
"""Standard errors."""
_ROUNDING = 1e-9

_MEASURED: Mapping[str, Callable[[Answer], float | None]] = {
    "P": lambda each: each.search.precision if each.search else None,
    "R": lambda each: each.search.recall if each.search else None,
    "F1": lambda each: each.search.f1 if each.search else None,
    "Bottleneck Identification": lambda each: each.identification.score,
    "right action": lambda each: float(each.execution.right_action),
    "Task Execution": lambda each: each.execution.score,
    "overall": lambda each: each.overall,
    "strict": lambda each: None if each.strict is None else float(each.strict),
}
_BY_DIALS: Mapping[str, Callable[[Outcome], float]] = {
    "P": lambda way: way.precision,
    "R": lambda way: way.recall,
    "F1": lambda way: way.f1,
    "Bottleneck Identification": lambda way: way.identification,
    "Task Execution": lambda way: way.execution,
    "overall": lambda way: way.overall,
    "strict": lambda way: way.strict,
}


class Played(NamedTuple):
    """An instrument's trial: its answer as scored, numbers of the sample, and the agent as a config has it."""

    answer: Answer
    relevant: int
    documents: int
    actions: int
    config: Mapping[str, Any]


def calibrated(title: str, trials: Iterable[Played]) -> Table:
    """A row for each score of each instrument; scores that wait for a judge are left out of both sides."""
    by_name: dict[str, list[Played]] = {}
    for each in trials:
        by_name.setdefault(each.answer.agent, []).append(each)
    rows: list[dict[str, Any]] = []
    for name, mine in by_name.items():
        for score, measure in _MEASURED.items():
            both = [(value, _truth(each)[score]) for each in mine if (value := measure(each.answer)) is not None]
            if both:
                rows.append({"Instrument": name, "score": score, **_row(both)})
    columns = ["Instrument", "score", "true", "measured", "standard error", "apart", "within 3", "answers"]
    return Table(
        f"{title}: what instruments must score, and what they do",
        columns,
        rows,
        (
            "The true value follows from the instrument's settings and the numbers of documents, true positives and "
            "actions. `apart` is in standard errors; by chance one row in some hundreds is more than 3 apart. Where a "
            "true value knows no spread the measured one has to be equal.",
        ),
    )


def _row(both: list[tuple[float, Expected]]) -> dict[str, Any]:
    measured, true = fmean(value for value, _ in both), fmean(truth.mean for _, truth in both)
    error = sqrt(sum(truth.sd**2 for _, truth in both)) / len(both)
    off = abs(measured - true)
    return {
        "true": rounded(true, 4),
        "measured": rounded(measured, 4),
        "standard error": rounded(error, 4),
        "apart": rounded(off / error, 2) if error else None,
        "within 3": "yes" if off <= _WITHIN * error + _ROUNDING else "no",
        "answers": len(both),
    }


def _truth(trial: Played) -> Mapping[str, Expected]:
    kind = trial.config["kind"]
    if kind != "reference":
        return dict.fromkeys(_MEASURED, Expected(float(kind == "oracle"), 0.0))
    settings = Settings.model_validate(trial.config.get("settings", {}))
    if settings.policy == "grammar":
        dials = Dials(**{name: getattr(settings, name) for name in Dials.model_fields})
        return _of_dials(dials, trial.relevant, trial.documents)
    return _of_any(settings.policy == "everything", trial)


@lru_cache(256)
def _of_dials(dials: Dials, relevant: int, documents: int) -> Mapping[str, Expected]:
    ways = list(outcomes(dials, relevant, documents))
    found = {name: expected(iter(ways), score) for name, score in _BY_DIALS.items()}
    return {**found, "right action": _coin(dials.recall**relevant)}


def _of_any(everything: bool, trial: Played) -> Mapping[str, Expected]:
    """Any action at random, whose parameters mean nothing, on all documents or on none."""
    share = trial.relevant / trial.documents if everything else 0.0
    f1 = 2 * share / (1 + share)
    return {
        **dict.fromkeys(_MEASURED, Expected(0.0, 0.0)),
        "P": Expected(share, 0.0),
        "R": Expected(float(everything), 0.0),
        "F1": Expected(f1, 0.0),
        "right action": _coin(1 / trial.actions),
        "overall": Expected(f1 / 3, 0.0),
    }


def _coin(chance: float) -> Expected:
    return Expected(chance, sqrt(chance * (1 - chance)))
