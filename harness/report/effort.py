"""What the trials of each cell took, and how reliable an agent is over several trials of one task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from harness.core.config import LlmConfig, RunConfig
from harness.core.metering import cost, is_unmetered, model_turns
from harness.core.suite import Suite, Table
from harness.core.trajectory import ModelCall, Trajectory
from harness.report.cells import Cell
from harness.report.cut_short import cut_replies
from harness.report.verdicts import verdict
from harness.scoring.stats import pass_at_k, pass_hat_k

__all__ = ("effort",)


def effort(title: str, cells: Sequence[Cell], config: RunConfig, suite: Suite) -> list[Table]:
    """Turns, calls, questions and US dollars; first, where a run has several trials of a task, how many passed.

    Of runs with an agent that scores itself also how many of these scores could not be read.
    """
    judging = {each.name for each in config.agents if isinstance(each, LlmConfig) and each.strategy == "reflexion"}
    rows: list[dict[str, Any]] = []
    silent: dict[str, None] = {}
    for cell in cells:
        row: dict[str, Any] = {"agent": cell.agent, "condition": cell.condition}
        if config.trials > 1:
            row |= _passes(cell, config.trials)
        sound = [scored.trajectory for scored in cell.trials if scored.trajectory.status != "void"]
        row["model turns"] = _mean([model_turns(t) for t in sound])
        row["tool calls"] = _mean([t.tool_calls for t in sound])
        row["failed calls"] = _mean([sum(call.status != "ok" for call in t.calls) for t in sound])
        row["questions"] = _mean([len(t.questions) for t in sound])
        row["cost USD"] = _mean([cost(t) for t in sound])
        if any(map(is_unmetered, sound)):
            silent[cell.agent] = None
        if judging:
            unread = [sum(bool(call.problem) for call in _own(t)) for t in sound]
            row["self-scores not read"] = _mean(unread) if cell.agent in judging else None
        rows.append(row)
    notes = ["means per trial that is not void"]
    notes += [f"model turns and cost of {', '.join(silent)} are unknown: not reported"] if silent else []
    notes += cut_replies(config, (each.trajectory for cell in cells for each in cell.trials))
    return [Table(f"{title}: effort", list(rows[0]), rows, notes)]


def _own(trajectory: Trajectory) -> list[ModelCall]:
    return [call for call in trajectory.model_calls if call.purpose == "agent"]


def _passes(cell: Cell, k: int) -> dict[str, Any]:
    """pass@k and pass^k over tasks with k valid trials; the others are incomplete."""
    counts = []
    for trials in cell.tasks():
        verdicts = Counter(map(verdict, trials))
        counts.append((verdicts["correct"] + verdicts["failed"], verdicts["correct"]))
    complete = [(n, c) for n, c in counts if n >= k]
    return {
        "complete": len(complete),
        "incomplete": len(counts) - len(complete),
        f"pass@{k}": _mean([pass_at_k(n, c, k) for n, c in complete]),
        f"pass^{k}": _mean([pass_hat_k(n, c, k) for n, c in complete]),
    }


def _mean(values: Sequence[float | None]) -> float | None:
    """None where there is nothing to average or a value is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None
