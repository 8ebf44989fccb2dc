"""The first screen: what a run comes to in one table and one sentence, for people who have read nothing yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.core.config import RunConfig
from harness.core.counts import dollars
from harness.core.metering import cost
from harness.core.raised import place
from harness.core.suite import Headline, Scored, Suite, SuiteError, Table
from harness.report import intervals, words
from harness.report.cells import Cell, cells, meant
from harness.report.order import labelled
from harness.report.texts import rounded
from harness.report.users import labels
from harness.report.verdicts import accuracy, primary, side_effects, verdict
from harness.scoring.stats import Interval, clusters, rate

__all__ = (
    "SEVERAL", "UNASKED", "UNASKED_NOTE", "check_share", "framed", "headline", "idle_share", "limits", "named",
    "percent", "scored_share", "shown", "span", "touching", "unasked",
)  # fmt: skip

UNASKED, UNASKED_NOTE = "unasked", "Unasked: share of trials with a change not asked for, or asked for otherwise."
"""A column, and what it says; `unasked` has its values."""

SEVERAL = 3
"""Rows that a sentence tells one by one; of more it tells the ends."""


def headline(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline:
    """The suite's own, else accuracy. `trials` are in report order. Raises `SuiteError` where its own breaks."""
    found = _own(config, suite, trials) or _usual(config, suite, trials)
    notes = (*_unfinished(config, trials), *found.table.notes)
    return found._replace(table=found.table._replace(notes=notes))


def _unfinished(config: RunConfig, trials: Sequence[Scored]) -> list[str]:
    """What is missing of the grid over tasks that were begun: a run does not say which tasks it was to take."""
    if any(each.trajectory.parent for each in trials):
        return []  # forks and branches are no grid
    there = Counter((each.trajectory.agent, each.trajectory.condition, each.trajectory.task) for each in trials)
    tasks = {task for _, _, task in there}
    cells = [(agent.name, condition) for agent in config.agents for condition in config.conditions]
    played = sum(min(there[*cell, task], config.trials) for cell in cells for task in tasks)
    if played == (asked := len(cells) * len(tasks) * config.trials):
        return []
    agents = [f"by {each.name}" for each in config.agents if each.name not in {name for name, _, _ in there}]
    conditions = [f"under {each}" for each in config.conditions if each not in {name for _, name, _ in there}]
    none = f", none {' or '.join([*agents, *conditions])}" if agents or conditions else ""
    return [f"Unfinished: {played:,} of {asked:,} trials of these tasks were played{none}."]


def _own(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline | None:
    if suite.headline is None or not trials:
        return None
    with suite.calling(suite.headline, "its `headline` raised"):
        found = suite.headline(config, suite, trials)
    if found is not None and not isinstance(found, Headline):
        where = place(suite.headline)
        raise SuiteError(f"suite {suite.name}: its `headline`{where} gave {found!r:.80}, and it gives a `Headline`")
    return found


def _usual(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> Headline:
    """Accuracy with its interval, and what was changed besides where the suite tells that."""
    found = shown(config, trials)
    told = any(_unexpected(each) is not None for each in trials)

    def figures(cell: Cell) -> dict[str, Any]:
        return {"accuracy": accuracy(cell.trials, suite)} | (
            {UNASKED: limits(unasked(cell, suite), bare=True)} if told else {}
        )

    notes = (UNASKED_NOTE,) if told else ()
    return Headline(framed(config, suite, found, figures, notes), _sentence(config, suite, found))


def _sentence(config: RunConfig, suite: Suite, found: Sequence[Cell]) -> str:
    values = [(named(cell, found), accuracy(cell.trials, suite).value) for cell in found]
    shares = [(name, value) for name, value in values if value is not None]
    if not shares:
        return "No trial has been scored yet, so there is nothing to say."
    if len(shares) > SEVERAL:
        text = f"Trials that were right: {span(shares)}"
    else:
        told = [f"{name} was right in {percent(value)} of its trials" for name, value in shares[:1]]
        text = ", ".join([*told, *(f"{name} in {percent(value)}" for name, value in shares[1:])])
    floor = idle_share(suite, found)
    return f"{text}; doing nothing would be right in {percent(floor)}." if floor else f"{text}."


# What headlines are made with, for suites too.


def shown(config: RunConfig, trials: Sequence[Scored]) -> list[Cell]:
    """The cells that a first screen is about: those of models, or where no model played those of instruments."""
    every = cells(trials)
    return [cell for cell in every if not config.calibrates([cell.agent])] or every


def framed(
    config: RunConfig,
    suite: Suite,
    found: Sequence[Cell],
    figures: Callable[[Cell], Mapping[str, Any]],
    notes: Sequence[str] = (),
    *,
    brackets: Sequence[str] | None = None,
) -> Table:
    """A row for each cell: its names, what `figures` says of it, and what was left out or paid, where there was any.

    Figures that are intervals are shown with their limits in brackets. Its notes say how many trials there are of what,
    who played and answered, and `brackets`, what these limits are: by default what they cluster by, or why there are
    none.
    """
    several = len({cell.condition for cell in found}) > 1
    rows: list[dict[str, Any]] = []
    told: list[Interval] = []
    for cell in found:
        own = figures(cell)
        told += [each for each in own.values() if isinstance(each, Interval)]
        row: dict[str, Any] = {"agent": cell.agent} | ({"condition": cell.condition} if several else {})
        row |= {name: limits(each) if isinstance(each, Interval) else each for name, each in own.items()}
        verdicts = [verdict(each) for each in cell.trials]
        costs = [cost(each.trajectory) for each in cell.trials]
        more = {
            "crashed": sum(each.trajectory.status == "crashed" for each in cell.trials),
            "void": verdicts.count("void"),
            "unscored": verdicts.count("unscored"),
            "cost": None if None in costs else sum(each or 0 for each in costs),
        }
        rows.append(row | more)
    for name in ("crashed", "void", "unscored", "cost"):
        if all(row[name] == 0 for row in rows):
            for row in rows:
                del row[name]
    for row in rows:
        if isinstance(row.get("cost"), int | float):
            row["cost"] = dollars(row["cost"])
    calibrating = config.calibrates(cell.agent for cell in found)
    title = words.CALIBRATION if calibrating else f"Results: {labelled(suite)}"
    columns = list(rows[0]) if rows else ["agent"]
    lines = [*_circumstances(config, suite, found), *(intervals.notes(told) if brackets is None else brackets)]
    return Table(title, columns, rows, [*lines, *notes, *words.of(columns)])


def limits(interval: Interval, *, bare: bool = False) -> str | None:
    """A share with its 95% interval: `0.60 (0.55-0.65)`; `bare` without."""
    if interval.value is None:
        return None
    value, low, high = (each if each is None else f"{rounded(each, 2):.2f}" for each in interval[:3])
    return value if bare or low is None or high is None else f"{value} ({low}-{high})"


def percent(share: float) -> str:
    """A share in words: whole percent, save where that would say all or nothing of what is neither."""
    decimals = 0 if share in (0, 1) or 0.005 <= share < 0.995 else 1
    return f"{rounded(100 * share, decimals):.{decimals}f}%"


def named(cell: Cell, among: Sequence[Cell]) -> str:
    """What a sentence calls a cell: its agent, with its condition where there are several."""
    return cell.agent if len({each.condition for each in among}) < 2 else f"{cell.agent} under {cell.condition}"


def span(shares: Sequence[tuple[str, float | None]], worded: Callable[[float], str] = percent) -> str:
    """From whose is lowest to whose is highest of those known, of equals the first, or `unknown`.

    Once, where all are the same in words.
    """
    known = [(name, share) for name, share in shares if share is not None]
    if not known:
        return "unknown"
    (least, low), (most, high) = min(known, key=lambda each: each[1]), max(known, key=lambda each: each[1])
    if worded(low) == worded(high):
        more = f" and {len(known) - 1} more" if len(known) > 1 else ""
        return f"{worded(low)} ({known[0][0]}{more})"
    return f"from {worded(low)} ({least}) to {worded(high)} ({most})"


def scored_share(cell: Cell, suite: Suite, value: Callable[[Scored], float | None]) -> Interval:
    """The mean of what `value` says of a cell's trials, clustered as accuracies are; None counts nowhere."""
    templates = {task.id: task.template for task in suite.tasks}
    known = [(each.trajectory.task, found) for each in cell.trials if (found := value(each)) is not None]
    return rate(*clusters((templates.get(task, ""), task, found) for task, found in known))


def check_share(cell: Cell, suite: Suite, check: str) -> Interval:
    """The mean of a check's values; trials without one count nowhere."""
    return scored_share(cell, suite, lambda each: each.scores[check].value if check in each.scores else None)


def touching(cell: Cell, suite: Suite) -> Interval:
    """Share of trials with side effects as published for WorkBench: changed, and not right; of those with a verdict."""
    return _share(cell, suite, side_effects)


def unasked(cell: Cell, suite: Suite) -> Interval:
    """Share of trials with an unexpected change (docs/reports.md, Counting), of those that are not void or unscored."""
    return _share(cell, suite, _unexpected)


def _share(cell: Cell, suite: Suite, what: Callable[[Scored], bool | None]) -> Interval:
    """Share of trials of which something holds, of those with a verdict."""
    return scored_share(
        cell, suite, lambda each: float(what(each) or 0) if verdict(each) in ("correct", "failed") else None
    )


def idle_share(suite: Suite, found: Sequence[Cell]) -> float | None:
    """Share of the tasks played whose end is right where nothing was done; None of no task."""
    played = {each.trajectory.task for cell in found for each in cell.trials}
    ends = [any(not end.changes for end in task.ends) for task in suite.tasks if task.id in played]
    return sum(ends) / len(ends) if ends else None


def _unexpected(scored: Scored) -> bool | None:
    """Whether anything changed that no expected change matches; None where the suite's check does not tell."""
    score = primary(scored.scores)
    return None if score is None or "unexpected" not in score.detail else score.detail["unexpected"] > 0


def _circumstances(config: RunConfig, suite: Suite, found: Sequence[Cell]) -> list[str]:
    """How many trials of what, who played, and who answered."""
    kinds = {agent.name: agent.kind for agent in config.agents}
    tasks = len({each.trajectory.task for cell in found for each in cell.trials})
    chosen = meant(config, suite)
    of = f"{tasks:,} of {chosen:,}" if tasks < chosen else f"{tasks:,}"
    counts = Counter((cell.agent, cell.condition, each.trajectory.task) for cell in found for each in cell.trials)
    least, most = min(counts.values(), default=0), max(counts.values(), default=0)
    times = "one trial" if most == 1 else f"{most} trials" if least == most else f"{least} to {most} trials"
    users = [each for each in dict.fromkeys(labels(config).get(cell.condition, "") for cell in found) if each]
    answers = f"; {words.joined(users)} answer{'s' * (len(users) == 1)} questions" if users else ""
    lines = [
        f"{of} {'task' if of == '1' else 'tasks'} of {labelled(suite)}, {times} each{answers}.",
        *words.dials(users),
    ]
    if least < most:
        lines.append(words.UNEVEN)
    if config.calibrates(cell.agent for cell in found):
        played = dict.fromkeys(kinds[cell.agent] for cell in found if cell.agent in kinds)
        lines += words.instruments(played)
    elif left_out := [name for name in kinds if config.calibrates([name])]:
        lines.append(f"Instruments, which calibrate, are in the full report: {', '.join(left_out)}.")
    return lines
