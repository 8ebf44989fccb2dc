"""Tables and totals of a run, folded from scored trials: a pure function of what is on disk."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from harness.config import CommandConfig, RunConfig
from harness.credentials import stored
from harness.score import Score
from harness.stats import Interval, clusters, pass_at_k, pass_hat_k, rate
from harness.store import Run, TrialRecord
from harness.suite import Scored, Suite, Table

__all__ = (
    "INSTRUMENTS", "Agents", "Verdict", "digest", "labelled", "ordered", "primary", "stale", "summary", "tables",
    "verdict",
)  # fmt: skip

Verdict = Literal["void", "unscored", "failed", "correct"]
"""What became of a trial; exactly one holds. Only `failed` and `correct` enter an accuracy."""

INSTRUMENTS = frozenset({"idle", "oracle", "reference"})
"""Kinds of agents that calibrate (docs/architecture.md, Statistics); every other kind is a model or stands for one."""


class Agents(dict[str, Mapping[str, Any]]):
    """Agent name -> its config, as a suite's `report` gets it. `conditions` are the run's, by name."""

    def __init__(self, config: RunConfig) -> None:
        super().__init__({agent.name: agent.model_dump(mode="json") for agent in stored(config).agents})
        self.conditions = {name: each.model_dump(mode="json") for name, each in config.conditions.items()}


def primary(scores: Mapping[str, Score]) -> Score | None:
    """The score that decides whether a trial is correct: `outcome`, else the suite's first check."""
    return scores.get("outcome") or next(iter(scores.values()), None)


def verdict(scored: Scored) -> Verdict:
    """Void, unscored, failed or correct (docs/architecture.md, A trial). One that hit a limit or crashed has failed."""
    if scored.trajectory.status == "void":
        return "void"
    score = primary(scored.scores)
    if score is None or score.value is None:
        return "unscored"
    right = bool(score.detail.get("correct", score.value == 1.0))
    return "correct" if right and scored.trajectory.status == "finished" else "failed"


def ordered(records: Iterable[TrialRecord], config: RunConfig, suite: Suite) -> list[Scored]:
    """Records in report order: agent and condition as configured, task as in the suite, trial."""
    agents = {agent.name: place for place, agent in enumerate(config.agents)}
    conditions = {name: place for place, name in enumerate(config.conditions)}
    tasks = {task.id: place for place, task in enumerate(suite.tasks)}

    def place(scored: Scored) -> tuple[int, int, int, int]:
        t = scored.trajectory
        last = len(tasks) + len(agents) + len(conditions)
        return agents.get(t.agent, last), conditions.get(t.condition, last), tasks.get(t.task, last), t.trial

    return sorted((Scored(record.trajectory, record.scores) for record in records), key=place)


def labelled(suite: Suite) -> str:
    """Name and version, once: an imported suite has its version in its name."""
    return suite.name if "@" in suite.name else f"{suite.name}@{suite.version}"


def stale(records: Iterable[TrialRecord], suite: Suite) -> dict[str, tuple[str, str]]:
    """Tasks whose trials were played on other content than the suite has now: id -> (hash played, hash now)."""
    hashes = {task.id: task.hash for task in suite.tasks}
    found = {}
    for record in records:
        t = record.trajectory
        if t.task_hash != hashes.get(t.task, ""):
            found[t.task] = (t.task_hash, hashes.get(t.task, ""))
    return dict(sorted(found.items()))


def digest(trials: Sequence[Scored]) -> str:
    """SHA-256 over all final states, in report order."""
    return hashlib.sha256("\n".join(scored.trajectory.digest for scored in trials).encode()).hexdigest()


def tables(config: RunConfig, suite: Suite, trials: Sequence[Scored]) -> list[Table]:
    """The general tables, then the suite's own. Instruments get tables of their own, titled Calibration."""
    kinds = {agent.name: agent.kind for agent in config.agents}
    found: list[Table] = []
    for title, instruments in (("Results", False), ("Calibration", True)):
        cells = [cell for cell in _cells(trials) if (kinds.get(cell.agent) in INSTRUMENTS) == instruments]
        if cells:
            found += [_outcomes(f"{title}: outcomes", cells, config, suite), _effort(f"{title}: effort", cells, config)]
    if suite.report is not None:
        found += suite.report(suite, Agents(config), trials)
    return found


def summary(
    run: Run, suite: Suite, records: Iterable[TrialRecord], found: Sequence[Table] | None = None
) -> dict[str, Any]:
    """A whole run as one JSON object (docs/reports.md): totals, the same per cell, and every table's rows.

    `found` are the run's tables where they are there already.
    """
    config = run.head.config
    trials = ordered(records, config, suite)
    found = tables(config, suite, trials) if found is None else found
    return {
        "run": str(run.folder),
        "identity": run.head.identity,
        "suite": run.head.suite,
        "suite_version": run.head.suite_version,
        **_totals(trials, suite),
        "conditions": [
            {"agent": cell.agent, "condition": cell.condition, **_totals(cell.trials, suite)} for cell in _cells(trials)
        ],
        "tables": {table.title: [dict(row) for row in table.rows] for table in found},
    }


class _Cell(NamedTuple):
    """All trials of one agent under one condition, in task order."""

    agent: str
    condition: str
    trials: list[Scored]

    def tasks(self) -> list[list[Scored]]:
        """The trials of each task."""
        return [list(found) for _, found in groupby(self.trials, key=lambda scored: scored.trajectory.task)]


def _cells(trials: Sequence[Scored]) -> list[_Cell]:
    def cell(scored: Scored) -> tuple[str, str]:
        return scored.trajectory.agent, scored.trajectory.condition

    return [_Cell(*key, list(found)) for key, found in groupby(trials, key=cell)]


def _totals(trials: Sequence[Scored], suite: Suite) -> dict[str, Any]:
    verdicts = Counter(map(verdict, trials))
    return {
        "trials": len(trials),
        "void": verdicts["void"],
        "unscored": verdicts["unscored"],
        "failed": verdicts["failed"],
        "correct": verdicts["correct"],
        "side_effects": sum(map(_side_effects, trials)),
        "accuracy": _accuracy(trials, suite)._asdict(),
        "digest": digest(trials),
    }


def _side_effects(scored: Scored) -> bool:
    score = primary(scored.scores)
    return score is not None and bool(score.detail.get("side_effects"))


def _accuracy(trials: Sequence[Scored], suite: Suite) -> Interval:
    """Share of correct among scored trials, clustered at the highest level that the tasks declare."""
    templates = {task.id: task.template for task in suite.tasks}
    verdicts = [(scored.trajectory.task, verdict(scored)) for scored in trials]
    return rate(
        *clusters(
            (templates.get(task, ""), task, float(found == "correct"))
            for task, found in verdicts
            if found in ("correct", "failed")
        )
    )


def _outcomes(title: str, cells: Sequence[_Cell], config: RunConfig, suite: Suite) -> Table:
    rows = []
    for cell in cells:
        totals = _totals(cell.trials, suite)
        accuracy = totals["accuracy"]
        rows.append(
            {
                "agent": cell.agent,
                "condition": cell.condition,
                "tasks": len(cell.tasks()),
                **{key: totals[key] for key in ("trials", "void", "unscored", "failed", "correct")},
                "accuracy": accuracy["value"],
                "low": accuracy["low"],
                "high": accuracy["high"],
                "level": accuracy["level"],
                "side effects": totals["side_effects"],
            }
        )
    notes = ["accuracy = correct / (correct + failed); low and high: 95% interval, clustered by level"]
    played, chosen = max(len(cell.tasks()) for cell in cells), len(config.tasks) or len(suite.tasks)
    if played < chosen:
        notes.append(f"{played} of {chosen} tasks played")
    return Table(title, list(rows[0]), rows, [*notes, *_circumstances(cells, config)])


_COULD = {
    "none": "could read the files of this machine, answers included",
    "bwrap": "saw the system's programs, its own folder and what the config names only, and the network",
    "container": "saw its image, its own folder and what the config names only, and the network",
}


def _circumstances(cells: Sequence[_Cell], config: RunConfig) -> Iterator[str]:
    """What a reader has to know of how agents were kept apart and where trials began."""
    played = {cell.agent for cell in cells}
    for agent in config.agents:
        if isinstance(agent, CommandConfig) and agent.name in played:
            yield f"{agent.name} is an external program; isolation {agent.isolation}: it {_COULD[agent.isolation]}"
    for cell in cells:
        flagged = sum(scored.trajectory.canary for scored in cell.trials)
        if flagged:
            yield f"{flagged} trials of {cell.agent}, {cell.condition}, repeat a canary: it read a run's folder"


def _effort(title: str, cells: Sequence[_Cell], config: RunConfig) -> Table:
    rows = []
    for cell in cells:
        row: dict[str, Any] = {"agent": cell.agent, "condition": cell.condition}
        if config.trials > 1:
            row |= _passes(cell, config.trials)
        sound = [scored.trajectory for scored in cell.trials if scored.trajectory.status != "void"]
        row["model turns"] = _mean([sum(m.role == "assistant" for m in t.messages) for t in sound])
        row["tool calls"] = _mean([len(t.calls) for t in sound])
        row["failed calls"] = _mean([sum(call.status != "ok" for call in t.calls) for t in sound])
        row["questions"] = _mean([len(t.questions) for t in sound])
        row["cost USD"] = _mean([t.usage.cost_usd for t in sound])
        rows.append(row)
    return Table(title, list(rows[0]), rows, ["means per trial that is not void"])


def _passes(cell: _Cell, k: int) -> dict[str, Any]:
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
