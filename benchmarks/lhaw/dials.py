"""An instrument's dials beside what a run lets one see of them: do the measures measure what they should?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from benchmarks.lhaw.conditions import Condition
from benchmarks.lhaw.metrics import Arm, Trial
from harness.agents.reference import GAVE_UP
from harness.report.texts import percent
from harness.scoring.stats import Interval, clusters, rate
from harness.suite import Table

__all__ = ("DIALS", "has", "measured", "table")

DIALS = ("explore", "ask", "guess")


def has(config: Mapping[str, Any]) -> bool:
    """Whether an agent of that config has dials."""
    return all(dial in config for dial in DIALS)


def measured(
    lacking: Arm, asking: Arm, config: Mapping[str, Any], condition: Condition
) -> list[tuple[str, float | None, Interval]]:
    """What is to be seen, its true value by the dials, None where they do not say, and what was seen.

    `condition` is that of `asking`.

    Variants with one segment withheld are where a dial shows undisguised: with two, giving up on the first hides
    the second.

    - `asked`: share of trials that asked, where exploring finds nothing. True value: `ask`, but where the end of a
      turn reaches the user: there giving up is a question too, whatever that dial says.
    - `went on unasked`: share of trials without a user that did not give up for want of the value, where exploring
      finds nothing: `guess`. One that was cut at a limit had not given up: who does says so at once.
    - `went on, explorable`: the same where exploring finds a value: explore + (1 - explore) x guess.
    """
    explore, ask, guess = (float(config[dial]) for dial in DIALS)
    return [
        ("asked", None if _hears_endings(condition) else ask, _share(asking, _barren, lambda trial: trial.calls > 0)),
        ("went on unasked", guess, _share(lacking, _barren, _went_on)),
        ("went on, explorable", explore + (1 - explore) * guess, _share(lacking, _explorable, _went_on)),
    ]


def _hears_endings(condition: Condition) -> bool:
    """Whether the user is told what ends a turn, which then counts as a question."""
    return bool(condition.get("end_of_turn", "session") == "user")


def _share(arm: Arm, counts: Callable[[Trial], bool], did: Callable[[Trial], bool]) -> Interval:
    trials = [trial for trial in _single(arm) if counts(trial)]
    return rate(*clusters((trial.task.template, trial.original, float(did(trial))) for trial in trials))


def _single(arm: Arm) -> Iterable[Trial]:
    """Valid trials of variants that lack one segment."""
    for _, trials in sorted(arm.items()):
        yield from (trial for trial in trials if trial.valid and trial.task.facts.get("segments") == 1)


def _explorable(trial: Trial) -> bool:
    """Whether the lacking slot has a way of being found in the workplace."""
    gone = trial.task.withheld["underspecified"]
    return any(name in trial.task.facts.get("explorable", ()) for name in gone)


def _barren(trial: Trial) -> bool:
    return not _explorable(trial)


def _went_on(trial: Trial) -> bool:
    return not trial.reply.startswith(GAVE_UP)


def table(
    title: str, agents: Mapping[str, Mapping[str, Any]], arms: Mapping[str, tuple[Arm, Arm]], condition: Condition
) -> Table:
    """True beside measured, for every agent that has dials; `condition` is the one with a user to ask."""
    columns = ["agent", "seen", "true %", "measured %", "low", "high", "trials"]
    rows = [
        {
            "agent": name,
            "seen": seen,
            "true %": percent(true),
            "measured %": percent(interval.value),
            "low": percent(interval.low),
            "high": percent(interval.high),
            "trials": interval.n,
        }
        for name, config in agents.items()
        if has(config)
        for seen, true, interval in measured(*arms[name], config, condition)
    ]
    return Table(
        f"{title}: dials",
        columns,
        rows,
        (
            "Over variants that lack one segment: with two, giving up on the first hides the second. "
            "Explorable: the workplace holds a value that exploring finds, right or wrong. Went on: did not give up "
            "for want of the value, whether or not a limit cut it later.",
            *([_NO_TRUTH] if _hears_endings(condition) else []),
        ),
    )


_NO_TRUTH: Final = (
    "Asked has no true value here: what ends a turn goes to the user, so that giving up counts as a question."
)
