"""Two sides held against each other task by task: agents, conditions, surfaces or runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from harness.core.counts import counted
from harness.core.suite import Scored, Table
from harness.report.figures import Chart, Figure
from harness.report.intervals import notes as limits
from harness.report.texts import percent
from harness.report.users import titled
from harness.report.verdicts import verdict
from harness.scoring.stats import Interval, clusters, flips, paired, rate

__all__ = ("Rates", "Side", "flipped", "noise_of", "rates_of", "side_by_side")

Rates = Mapping[str, Sequence[float]]
"""Task -> 1.0 or 0.0 for each trial that counts."""


_DRAWN: Final = 50
"""Pairs that are drawn: of more nobody could read the bars."""


class Side(NamedTuple):
    """One agent under one condition in one run, under the name that tables have for it.

    `user` is the label of whom it could ask, "" for nobody.
    """

    name: str
    agent: str
    condition: str
    user: str
    rates: Rates


def rates_of(trials: Iterable[Scored]) -> dict[str, list[float]]:
    """`Rates` of trials; void and unscored ones do not count."""
    rates: dict[str, list[float]] = {}
    for scored in trials:
        found = verdict(scored)
        if found in ("correct", "failed"):
            rates.setdefault(scored.trajectory.task, []).append(float(found == "correct"))
    return rates


def side_by_side(
    title: str,
    users: Sequence[str],
    pairs: Sequence[tuple[Side, Side]],
    templates: Mapping[str, str],
    told: Sequence[str] = (),
) -> Table:
    """A row for each pair: accuracy of both, the paired difference, and how many tasks did better or worse.

    `users` are those of all these pairs, `told` what else is to be said of them.
    """
    rows: list[dict[str, Any]] = []
    unpaired: list[tuple[int, Side, Side]] = []
    changes: list[Interval] = []
    for first, second in pairs:
        a, b = _means(first.rates), _means(second.rates)
        both = sorted(a.keys() & b.keys())
        changed = flips(a, b)
        unpaired.append((changed.unpaired, first, second))
        groups, level = clusters((templates.get(task, ""), task, b[task] - a[task]) for task in both)
        change = paired(groups, level, within=(-1.0, 1.0))
        changes.append(change)
        own = [noise_of({task: rates[task] for task in both}, templates).value for rates in (first.rates, second.rates)]
        noise = _mean([each for each in own if each is not None])
        apart = [a[task] * (1 - b[task]) + b[task] * (1 - a[task]) for task in both]
        rows.append(
            {
                "first": first.name,
                "second": second.name,
                "tasks": len(both),
                "first %": percent(_mean([a[task] for task in both])),
                "second %": percent(_mean([b[task] for task in both])),
                "difference": percent(change.value),
                "low": percent(change.low),
                "high": percent(change.high),
                "gained": len(changed.gained),
                "lost": len(changed.lost),
                "unchanged": changed.kept,
                "p": changed.p if both else None,
                "differ %": percent(_mean(apart)),
                "noise %": percent(noise),
            }
        )
    differ = ["The users differ: what differs here may be their doing, not the agent's."] if len(users) > 1 else []
    alone = [
        f"{counted(n, 'task')} of {a.name} and {b.name} {'is' if n == 1 else 'are'} in one of them only."
        for n, a, b in unpaired
        if n
    ]
    notes = [
        *differ,
        *alone,
        *told,
        "Paired by task. Difference in percentage points.",
        *limits(changes, "Low and high"),
        "Gained: tasks that the second got right in more of its trials than the first; lost: in fewer.",
        "p: exact sign test of gained against lost (McNemar's for single trials). It takes tasks for independent; "
        "where they share templates the interval is the one to trust.",
        "Differ: how often a trial of the first and one of the second end differently. Noise: how often two trials of "
        "the same do, which takes two trials per task. Both over the paired tasks.",
    ]
    if len(rows) > _DRAWN:
        return Table(title, list(rows[0]), rows, notes)
    chart = Chart("bars", ("first", "second"), ("gained", "lost", "unchanged"), unit="tasks")
    return Figure.of(title, list(rows[0]), rows, notes, chart)


def flipped(title: str, first: Side, second: Side, templates: Mapping[str, str]) -> Table:
    """The tasks that did better or worse under the second; without rows where none did."""
    a, b = _means(first.rates), _means(second.rates)
    found = flips(a, b)
    rows = [
        {
            "task": task,
            "template": templates.get(task, ""),
            "first %": percent(a[task]),
            "second %": percent(b[task]),
            "change": "gained" if b[task] > a[task] else "lost",
        }
        for task in (*found.lost, *found.gained)
    ]
    columns = ["task", "template", "first %", "second %", "change"]
    name = titled(f"{title}: tasks that flip from {first.name} to {second.name}", (first.user, second.user))
    return Table(name, columns, rows)


def noise_of(rates: Rates, templates: Mapping[str, str]) -> Interval:
    """Chance that two different trials of a task end differently, over tasks with two or more: 2c(n-c)/n(n-1)."""
    values = []
    for task, found in rates.items():
        n, c = len(found), sum(found)
        if n > 1:
            values.append((templates.get(task, ""), task, 2 * c * (n - c) / (n * (n - 1))))
    return rate(*clusters(values))


def _means(rates: Rates) -> dict[str, float]:
    return {task: sum(found) / len(found) for task, found in rates.items()}


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
