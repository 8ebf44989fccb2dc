"""What became of the trials of each cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from harness.core.config import CommandConfig, FunctionConfig, RunConfig
from harness.core.counts import counted
from harness.core.suite import Suite, Table
from harness.report import words
from harness.report.cells import Cell, meant, totals
from harness.report.figures import Chart, Figure
from harness.report.intervals import notes as limits
from harness.report.users import labels
from harness.report.verdicts import withdrew
from harness.scoring.stats import Interval

__all__ = ("outcomes",)


def outcomes(title: str, cells: Sequence[Cell], config: RunConfig, suite: Suite) -> list[Table]:
    """Verdicts counted, and accuracy with its interval. Its notes say what a reader has to know beside them."""
    rows = []
    every = [totals(cell.trials, suite) for cell in cells]
    for cell, found in zip(cells, every, strict=True):
        accuracy = found["accuracy"]
        rows.append(
            {
                "agent": cell.agent,
                "condition": cell.condition,
                "tasks": len(cell.tasks()),
                **{key: found[key] for key in ("trials", "void", "unscored", "failed", "correct")},
                "accuracy": accuracy["value"],
                "low": accuracy["low"],
                "high": accuracy["high"],
                "level": None if accuracy["value"] is None else accuracy["level"],
                "side effects": found["side_effects"],
            }
        )
    intervals = [Interval(**found["accuracy"]) for found in every]
    notes = ["Accuracy = correct / (correct + failed).", *limits(intervals, "Low and high")]
    if title == "Calibration":
        kinds = {agent.name: agent.kind for agent in config.agents}
        notes = [f"{words.CALIBRATION}.", *words.instruments(kinds.get(cell.agent, "") for cell in cells), *notes]
    notes += words.of([word for word in ("void", "unscored") if any(row[word] for row in rows)])
    for cell in cells:
        if crashed := sum(each.trajectory.status == "crashed" for each in cell.trials):
            notes.append(
                f"{cell.agent}, {cell.condition}: crashed in {crashed} of {counted(len(cell.trials), 'trial')}."
            )
        if taken := sum(withdrew(each) for each in cell.trials):
            notes.append(
                f"{cell.agent}, {cell.condition}: in {taken} of {counted(len(cell.trials), 'trial')} new rows were "
                "removed again, which is no change at the end; reasons of trials name their tables."
            )
    labelled = labels(config)
    notes += words.users(label for cell in cells if (label := labelled.get(cell.condition)))
    played, chosen = max(len(cell.tasks()) for cell in cells), meant(config, suite)
    if played < chosen:
        notes.append(f"{played} of {chosen} tasks played")
    notes += _circumstances(cells, config)
    return [Figure.of(f"{title}: outcomes", list(rows[0]), rows, notes, *_charts(rows))]


def _charts(rows: Sequence[Mapping[str, Any]]) -> list[Chart]:
    """Accuracy with its interval, and side effects beside it.

    Agents are drawn apart where what they differ in is what each does under several conditions, else conditions.
    """
    agents, conditions = ({row[name] for row in rows} for name in ("agent", "condition"))
    by_agent = len(conditions) > 1 and (len(conditions) > 2 or len(agents) <= len(conditions))
    label, other = ("condition", "agent") if by_agent else ("agent", "condition")
    panels = (other,) if len(agents) > 1 and len(conditions) > 1 else ()
    return [
        Chart("bars", label, ("accuracy",), "low", "high", panels=panels, unit="share", title="accuracy"),
        Chart(
            "bars", label, ("side effects",), panels=panels, unit="share", of=("correct", "failed"),
            title="side effects",
        ),
    ]  # fmt: skip


_COULD = {
    "none": "could read the files of this machine, answers included",
    "bwrap": "saw the system's programs, its own folder and what the config names only, and the network",
    "container": "saw its image, its own folder and what the config names only, and the network",
}


def _circumstances(cells: Sequence[Cell], config: RunConfig) -> Iterator[str]:
    """What a reader has to know of how agents were kept apart and where trials began."""
    played = {cell.agent for cell in cells}
    for agent in config.agents:
        if isinstance(agent, CommandConfig) and agent.name in played:
            yield f"{agent.name} is an external program; isolation {agent.isolation}: it {_COULD[agent.isolation]}"
        if isinstance(agent, FunctionConfig) and agent.name in played:
            yield f"{agent.name} is a Python function, version {agent.version}: it {_COULD['none']}"
    for cell in cells:
        flagged = sum(scored.trajectory.canary for scored in cell.trials)
        if flagged:
            repeat = f"of {cell.agent}, {cell.condition}, {'repeats' if flagged == 1 else 'repeat'} a canary"
            yield f"{counted(flagged, 'trial')} {repeat}: it read a run's folder"
