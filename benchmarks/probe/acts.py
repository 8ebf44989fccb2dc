"""Tables of acting and of leaving alone: false alarms beside hits, acting in time, and what wrong acts cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from benchmarks.probe import naming
from harness.report.texts import rounded
from harness.score import Score
from harness.suite import Table

__all__ = ("Acted", "alarms", "costs", "in_time")

_ANY = "any"
_BENEFITS = (1, 3, 10, 30)
_TIMINGS = ("early", "on time", "late", "never")


class Acted(NamedTuple):
    """A trial: its agent (with its condition, where there are several), task, trial number and prompt, and what it did.

    `execution` is None of a control and where it waits for a judge.
    """

    agent: str
    task: str
    trial: int
    prompt: str
    control: bool
    acts: int
    wrong_acts: int
    cost: int
    execution: float | None


def alarms(title: str, trials: Iterable[Acted]) -> list[Table]:
    """False alarms beside hits, under the prompt that leaves open whether there is anything; none without controls."""
    rows: list[dict[str, Any]] = []
    for name, mine in _by_agent(each for each in trials if each.prompt == _ANY).items():
        controls = {(each.task, each.trial): each for each in mine if each.control}
        samples = [each for each in mine if not each.control]
        if not controls:
            continue
        pairs = [
            (each, control)
            for each in samples
            if each.execution is not None
            and (control := controls.get((naming.control_of(each.task), each.trial))) is not None
        ]
        hits = _mean([float(each.execution == 1) for each in samples if each.execution is not None])
        false = _mean([float(each.acts > 0) for each in controls.values()])
        rows.append(
            {
                "Model": name,
                "sample trials": len(samples),
                "acted": _rounded(_mean([float(each.acts > 0) for each in samples])),
                "hits": _rounded(hits),
                "control trials": len(controls),
                "false alarms": _rounded(false),
                "hits - false alarms": None if hits is None or false is None else _rounded(hits - false),
                "pairs": len(pairs),
                "both right": _rounded(
                    _mean([float(each.execution == 1 and control.acts == 0) for each, control in pairs])
                ),
            }
        )
    return _made(
        f"{title}: false alarms beside hits",
        rows,
        "A hit is an execution of 1, a false alarm any act where nothing is blocked. A pair is a sample and its "
        "control, which differ in one sentence, in trials of the same number. Under prompt `any` alone: `one` says "
        "that there is a bottleneck.",
    )


def costs(title: str, trials: Iterable[Acted]) -> list[Table]:
    """What wrong acts cost, what is left at several benefits, and the benefit at which nothing is; controls count."""
    rows: list[dict[str, Any]] = []
    for name, mine in _by_agent(trials).items():
        known = [each for each in mine if each.control or each.execution is not None]
        if not known:
            continue
        solved, cost = sum(each.execution or 0.0 for each in known), sum(each.cost for each in known)
        rows.append(
            {
                "Model": name,
                "answers": len(known),
                "solved": _rounded(solved),
                "wrong acts": sum(each.wrong_acts for each in known),
                "cost": cost,
                **{f"net at B={b}": _rounded((b * solved - cost) / len(known)) for b in _BENEFITS},
                "break-even B": _rounded(cost / solved) if solved else None,
            }
        )
    return _made(
        f"{title}: what wrong acts cost",
        rows,
        "A wrong act costs 1 where it can be taken back, 3 where somebody was told or asked, 10 where it goes over "
        "somebody's head or gives away what was theirs; so does the right one with parameters that are worth nothing. "
        "`solved` adds up executions, of which each is worth B; net values are per answer. Below the break-even B it "
        "would have been better to do nothing.",
    )


def in_time(title: str, trials: Iterable[tuple[str, Score]]) -> list[Table]:
    """When the first act came, by agent: before, on or after the day on which the decisive document arrived."""
    by_agent: dict[str, list[Score]] = {}
    for name, strict in trials:
        by_agent.setdefault(name, []).append(strict)
    rows: list[dict[str, Any]] = []
    for name, mine in by_agent.items():
        timings = [each.detail["timing"] for each in mine]
        delays = [float(each.detail["delay"]) for each in mine if each.detail["timing"] in ("on time", "late")]
        rows.append(
            {
                "Model": name,
                "trials": len(mine),
                **{
                    label: _rounded(timings.count(label) / len(mine)) for label in ("early", "on time", "late", "never")
                },
                "mean delay": _rounded(_mean(delays)),
                "right": _rounded(_mean([each.detail["right"] for each in mine if each.detail["right"] is not None])),
                "right and on time": _rounded(_mean([each.value for each in mine if each.value is not None])),
                "cost": sum(each.detail["cost"] for each in mine),
            }
        )
    return _made(
        f"{title}: acting in time",
        rows,
        "Shares of trials by when the first act came: `on time` is the day on which the decisive document arrived, "
        "before which nothing can be known. The delay is in working days, of acts that were not early. `right` scores "
        "the first act as if its day did not matter; of a trial that did not end in order it is 0, whatever was done.",
    )


def _by_agent(trials: Iterable[Acted]) -> Mapping[str, Sequence[Acted]]:
    found: dict[str, list[Acted]] = {}
    for each in trials:
        found.setdefault(each.agent, []).append(each)
    return found


def _made(title: str, rows: Sequence[dict[str, Any]], note: str) -> list[Table]:
    return [Table(title, list(rows[0]), rows, (note,))] if rows else []


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _rounded(value: float | None) -> float | None:
    return rounded(value, 3)
