"""Runs side by side: what flipped per task, whether that is more than chance, and how much chance alone flips.

Only trials of the same task content are held against each other: tasks whose hashes differ are listed and left
out, as are void and unscored trials. Nothing is pooled over runs. The first run is compared with each other one. Pairs
whose agents could ask different users have a table of their own, which says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from math import sqrt
from typing import Any, NamedTuple

from harness.core.config import RunConfig
from harness.core.suite import Scored, Table
from harness.report.tables import INSTRUMENTS
from harness.report.users import titled, user_of
from harness.report.verdicts import verdict
from harness.scoring.stats import Interval, clusters, flips, paired, rate

__all__ = ("Played", "compare", "differing")

Rates = Mapping[str, Sequence[float]]
"""Task -> 1.0 or 0.0 for each trial that counts."""


class Played(NamedTuple):
    """One run to compare. `trials` are in report order, `templates` says which template a task is from."""

    label: str
    config: RunConfig
    trials: Sequence[Scored]
    templates: Mapping[str, str]


class _Cell(NamedTuple):
    """One agent under one condition in one run. `name` is the run's alone where it has no other cell.

    `user` is the label of whom it could ask, "" for nobody.
    """

    name: str
    agent: str
    condition: str
    user: str
    instrument: bool
    thing: Mapping[str, Any]
    rates: Rates


def differing(runs: Sequence[Played]) -> list[dict[str, str]]:
    """Tasks that not all runs played with the same content, or from the same rows, with the hash of it in each run."""
    found: dict[str, dict[str, str]] = {}
    for what in ("world", "task_hash"):
        hashes: dict[str, dict[str, set[str]]] = {}
        for run in runs:
            for scored in run.trials:
                if hash := getattr(scored.trajectory, what):  # a void trial may never have had a world
                    hashes.setdefault(scored.trajectory.task, {}).setdefault(run.label, set()).add(hash)
        for task, each in hashes.items():
            if len(set().union(*each.values())) > 1:
                found[task] = {"task": task, **{label: ", ".join(sorted(those)) for label, those in each.items()}}
    return [found[task] for task in sorted(found)]


def compare(runs: Sequence[Played]) -> list[Table]:
    """Tables for two or more runs. Instruments and models are never paired, nor in one table.

    Raises ValueError for fewer than two runs, or two of one label.
    """
    if len(runs) < 2 or len({run.label for run in runs}) < len(runs):
        raise ValueError("a comparison takes two or more runs, each with a label of its own")
    refused = differing(runs)
    gone = {row["task"] for row in refused}
    templates = {task: template for run in reversed(runs) for task, template in run.templates.items()}
    cells = [list(_cells(run, gone)) for run in runs]
    found: list[Table] = []
    for title, instruments in (("Results", False), ("Calibration", True)):
        chosen = [[cell for cell in group if cell.instrument == instruments] for group in cells]
        pairs = [pair for others in chosen[1:] for pair in _pairs(chosen[0], others)]
        for users, those in _by_users(pairs).items():
            found.append(_side_by_side(title, users, those, templates))
        if noise := _noise(title, chosen, templates):
            found.append(noise)
        found += [table for pair in pairs if (table := _flips(title, *pair, templates)).rows]
    if refused:
        labels = [run.label for run in runs]
        rows = [{"task": row["task"], **{label: row.get(label, "")[:12] for label in labels}} for row in refused]
        what = "what they start from, ask for or count as done is not the same."
        note = f"{len(rows)} tasks are neither paired nor pooled: {what}"
        found.append(Table("Not compared: tasks whose content differs", ["task", *labels], rows, [note]))
    return found


def _cells(run: Played, gone: set[str]) -> Iterator[_Cell]:
    alone = len({(scored.trajectory.agent, scored.trajectory.condition) for scored in run.trials}) == 1
    configs = {agent.name: agent for agent in run.config.agents}
    conditions = run.config.conditions
    for (agent, condition), group in groupby(run.trials, lambda s: (s.trajectory.agent, s.trajectory.condition)):
        rates: dict[str, list[float]] = {}
        for scored in group:
            found = verdict(scored)
            if found in ("correct", "failed") and scored.trajectory.task not in gone:
                rates.setdefault(scored.trajectory.task, []).append(float(found == "correct"))
        config, played = configs.get(agent), conditions.get(condition)
        instrument = config is not None and config.kind in INSTRUMENTS
        unasked = None if played and played.asks else {"user"}
        what = [config and config.model_dump(mode="json"), played and played.model_dump(mode="json", exclude=unasked)]
        thing = {"what": what, "limits": run.config.limits}
        name = run.label if alone else f"{run.label}: {agent}, {condition}"
        yield _Cell(name, agent, condition, user_of(played), instrument, thing, rates)


def _pairs(first: Iterable[_Cell], second: Iterable[_Cell]) -> list[tuple[_Cell, _Cell]]:
    """Cells that belong together: same agent and condition; of the rest, same condition; then same agent.

    Where one is left on either side, these two.
    """
    left, right = list(first), list(second)
    found: list[tuple[_Cell, _Cell]] = []
    for what in (("agent", "condition"), ("condition",), ("agent",), ()):
        if not what and not len(left) == len(right) == 1:
            break
        pairs = [(a, b) for a in left for b in right if all(getattr(a, name) == getattr(b, name) for name in what)]
        found += pairs
        left = [cell for cell in left if all(cell is not a for a, _ in pairs)]
        right = [cell for cell in right if all(cell is not b for _, b in pairs)]
    return found


def _by_users(pairs: Iterable[tuple[_Cell, _Cell]]) -> dict[tuple[str, ...], list[tuple[_Cell, _Cell]]]:
    """Pairs by the users of both: none, one, or two that differ."""
    found: dict[tuple[str, ...], list[tuple[_Cell, _Cell]]] = {}
    for first, second in pairs:
        found.setdefault(tuple(sorted({first.user, second.user} - {""})), []).append((first, second))
    return found


def _side_by_side(
    title: str, users: Sequence[str], pairs: Sequence[tuple[_Cell, _Cell]], templates: Mapping[str, str]
) -> Table:
    rows: list[dict[str, Any]] = []
    unpaired: list[tuple[int, _Cell, _Cell]] = []
    level = "template"
    for first, second in pairs:
        a, b = _means(first.rates), _means(second.rates)
        both = sorted(a.keys() & b.keys())
        flipped = flips(a, b)
        unpaired.append((flipped.unpaired, first, second))
        groups, level = clusters((templates.get(task, ""), task, b[task] - a[task]) for task in both)
        change = paired(groups, level)
        noise = _mean([n for cell in (first, second) if (n := _noise_of(cell.rates, templates).value) is not None])
        apart = [a[task] * (1 - b[task]) + b[task] * (1 - a[task]) for task in both]
        rows.append(
            {
                "first": first.name,
                "second": second.name,
                "tasks": len(both),
                "first %": _percent(_mean([a[task] for task in both])),
                "second %": _percent(_mean([b[task] for task in both])),
                "difference": _percent(change.value),
                "low": _percent(change.low),
                "high": _percent(change.high),
                "gained": len(flipped.gained),
                "lost": len(flipped.lost),
                "p": flipped.p if both else None,
                "differ %": _percent(_mean(apart)),
                "noise %": _percent(noise),
            }
        )
    differ = ["The users differ: what differs here may be their doing, not the agent's."] if len(users) > 1 else []
    alone = [f"{n} tasks of {a.name} and {b.name} are in one of them only." for n, a, b in unpaired if n]
    notes = [
        *differ,
        *alone,
        f"Paired by task. Difference in percentage points; low and high: 95% interval, resampling {level}s whole.",
        "p: exact sign test of gained against lost (McNemar's for single trials). It takes tasks for independent; "
        "where they share templates the interval is the one to trust.",
        "Differ: how often a trial of the first and one of the second end differently. Noise: how often two trials of "
        "the same do, which takes two trials per task.",
    ]
    return Table(titled(f"{title}: side by side", users), list(rows[0]), rows, notes)


def _flips(title: str, first: _Cell, second: _Cell, templates: Mapping[str, str]) -> Table:
    a, b = _means(first.rates), _means(second.rates)
    found = flips(a, b)
    rows = [
        {
            "task": task,
            "template": templates.get(task, ""),
            "first %": _percent(a[task]),
            "second %": _percent(b[task]),
            "change": "gained" if b[task] > a[task] else "lost",
        }
        for task in (*found.lost, *found.gained)
    ]
    columns = ["task", "template", "first %", "second %", "change"]
    name = titled(f"{title}: tasks that flip from {first.name} to {second.name}", (first.user, second.user))
    return Table(name, columns, rows)


def _noise(title: str, cells: Sequence[Sequence[_Cell]], templates: Mapping[str, str]) -> Table | None:
    """How much trials of the same agent under the same condition differ, within runs and between them."""
    repeated = [cell for group in cells for cell in group if any(len(rates) > 1 for rates in cell.rates.values())]
    rows = [{"trials of": cell.name, "and": "the same run", **_noise_row(cell.rates, templates)} for cell in repeated]
    users = [cell.user for cell in repeated]
    for one, other in combinations(cells, 2):
        for a, b in ((a, b) for a in one for b in other if a.thing == b.thing):
            both = {task: (*a.rates[task][:1], *b.rates[task][:1]) for task in sorted(a.rates.keys() & b.rates.keys())}
            rows.append({"trials of": a.name, "and": b.name, **_noise_row(both, templates)})
            users.append(a.user)
    if not rows:
        return None
    notes = [
        "How often two trials of the same agent, task and condition end differently: what differs by chance alone.",
        "Points: two runs with one trial per task differ in accuracy by no more than that in 95 of 100 cases, if "
        "nothing but chance is between them.",
    ]
    return Table(titled(f"{title}: noise floor", users), list(rows[0]), rows, notes)


def _noise_row(rates: Rates, templates: Mapping[str, str]) -> dict[str, Any]:
    found = _noise_of(rates, templates)
    points = None if found.value is None else 1.96 * sqrt(found.value / found.n)
    limits = {"differ %": _percent(found.value), "low": _percent(found.low), "high": _percent(found.high)}
    return {"tasks": found.n, **limits, "points": _percent(points)}


def _noise_of(rates: Rates, templates: Mapping[str, str]) -> Interval:
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


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1) + 0.0  # no -0.0
