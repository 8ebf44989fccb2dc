"""A run as logs of Inspect: one for each agent under each condition, its trials as samples and their numbers as epochs.

Names and ids are made from what a trial is, so that the same run gives the same again. Records hold no time of day:
dates are those of the run's files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalPlan,
    EvalPlanStep,
    EvalResults,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import ModelUsage

from harness.core.config import AgentConfig, LlmConfig
from harness.core.suite import Scored, Suite
from harness.core.writing import beside
from harness.interop.inspect_sample import id_of, sample
from harness.record.belonging import belonging
from harness.record.judgements import judged
from harness.record.store import Run
from harness.report.order import ordered
from harness.report.verdicts import accuracy, primary, verdict
from harness.scoring.stats import clusters, rate

__all__ = ("Exported", "export", "logs")

Format = Literal["eval", "json"]


class Exported(NamedTuple):
    """A log on disk: how many samples it has, how many are correct, failed, unscored or void, and the accuracy."""

    file: Path
    agent: str
    condition: str
    samples: int
    correct: int
    failed: int
    unscored: int
    void: int
    accuracy: float | None


def export(run: Run, suite: Suite, folder: Path, format: Format = "eval") -> list[Exported]:
    """Write the logs of a run into a folder, which is made once all records were read.

    Raises `RunError`, `SuiteError` and, where there is no writing, `OSError`.
    """
    written = []
    for log, trials in logs(run, suite):
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{_named(log)}.{format}"
        with beside(file, f".{os.getpid()}.{file.name}") as scratch:
            write_eval_log(log, scratch, format=format)
        found = [verdict(each) for each in trials]
        written.append(
            Exported(
                file, trials[0].trajectory.agent, trials[0].trajectory.condition, len(trials), found.count("correct"),
                found.count("failed"), found.count("unscored"), found.count("void"), accuracy(trials, suite).value,
            )
        )  # fmt: skip
    return written


def logs(run: Run, suite: Suite) -> Iterator[tuple[EvalLog, Sequence[Scored]]]:
    """Each log with the trials that it is of, in the order of reports. Raises `RunError` and `SuiteError`."""
    head = run.head
    trials = ordered(judged(run, suite, belonging(run, suite)), head.config, suite)
    for agent in head.config.agents:
        for condition in head.config.conditions:
            own = [
                each for each in trials if (each.trajectory.agent, each.trajectory.condition) == (agent.name, condition)
            ]
            if own:
                yield _log(run, suite, agent, condition, own), own


def _log(run: Run, suite: Suite, agent: AgentConfig, condition: str, trials: Sequence[Scored]) -> EvalLog:
    head, config = run.head, run.head.config
    ended = {id(each): _ended(run, each) for each in trials}
    samples = [
        sample(each, suite.task(each.trajectory.task), limits=config.limits, run=head.identity, ended=ended[id(each)])
        for each in trials
    ]
    ids = list(dict.fromkeys(each.trajectory.task for each in trials))
    epochs = max(each.trajectory.trial for each in trials) + 1
    created = datetime.fromtimestamp((run.folder / "run.json").stat().st_mtime, UTC).isoformat()
    settings = agent.model_dump(mode="json")
    chosen = config.conditions[condition].model_dump(mode="json")
    usage = _summed([each.model_usage for each in samples])
    spec = EvalSpec(
        eval_id=id_of(head.identity, agent.name, condition),
        run_id=id_of(head.identity),
        created=created,
        task=head.suite,
        task_id=id_of(head.identity, agent.name, condition, "task"),  # logs of one id count as tries of one eval
        task_version=head.suite_version,
        task_display_name=f"{head.suite} ({condition})",
        task_args={"condition": condition, **chosen},
        solver=agent.kind,
        solver_args=settings,
        tags=[agent.name, condition],
        dataset=EvalDataset(name=head.suite, samples=len(ids), sample_ids=ids, shuffled=False),
        model=agent.model if isinstance(agent, LlmConfig) else f"workplace/{agent.name}",
        config=EvalConfig(
            epochs=epochs,
            epochs_reducer=["mean"],
            turn_limit=config.limits.turns,
            token_limit=config.limits.tokens,
            time_limit=int(config.limits.seconds) if config.limits.seconds else None,
            cost_limit=config.limits.cost_usd,
        ),
        packages={"workplace-harness": head.package},
        metadata={
            "agent": agent.name, "condition": condition, "run": run.folder.name, "identity": head.identity,
            "suite_digest": head.suite_digest, "seed": config.seed, "limits": config.limits.model_dump(mode="json"),
        },
    )  # fmt: skip
    return EvalLog(
        status="success",
        eval=spec,
        plan=EvalPlan(steps=[EvalPlanStep(solver=agent.kind, params=settings)]),
        results=_results(trials, suite, head.config.trials),
        stats=EvalStats(
            started_at=created,
            completed_at=max(ended.values()).isoformat(),
            model_usage=usage,
            role_usage=_summed([each.role_usage for each in samples]),
        ),
        samples=samples,
    )


def _results(trials: Sequence[Scored], suite: Suite, epochs: int) -> EvalResults:
    """What our tables say, of each check: void trials are errors, and unscored ones are in no figure."""
    sound = [each for each in trials if each.trajectory.status != "void"]
    scores = [_figures(name, sound, suite, epochs) for name in dict.fromkeys(name for t in sound for name in t.scores)]
    return EvalResults(total_samples=len(trials), completed_samples=len(sound), scores=scores)


def _figures(name: str, trials: Sequence[Scored], suite: Suite, epochs: int) -> EvalScore:
    templates = {task.id: task.template for task in suite.tasks}
    decides = any(each.scores.get(name) is primary(each.scores) for each in trials)
    values = {
        (each.trajectory.task, each.trajectory.trial): each.scores[name].value for each in trials if name in each.scores
    }
    known = [(templates.get(task, ""), task, value) for (task, _), value in values.items() if value is not None]
    measured = {"mean": rate(*clusters(known), bounded=False)}
    scored = len(known)
    if decides:
        measured = {"accuracy": accuracy(trials, suite), **(measured if _graded(values) else {})}
        scored = sum(verdict(each) in ("correct", "failed") for each in trials)
    metrics = {}
    for title, interval in measured.items():
        parts: Mapping[str, float | None] = {
            title: interval.value, f"{title} (low)": interval.low, f"{title} (high)": interval.high
        }  # fmt: skip
        about: dict[str, Any] = {"level": interval.level, "n": interval.n, "clusters": interval.clusters}
        for label, value in parts.items():
            if value is not None:
                metrics[label] = EvalMetric(name=label, value=value, metadata=about)
    return EvalScore(
        name=name,
        scorer=name,
        reducer="mean" if epochs > 1 else None,
        scored_samples=scored,
        unscored_samples=len(trials) - scored,
        metrics=metrics,
    )


def _graded(values: Mapping[Any, float | None]) -> bool:
    """Whether a score is more than right and wrong."""
    return any(value not in (0.0, 1.0, None) for value in values.values())


def _ended(run: Run, scored: Scored) -> datetime:
    """When a trial was over, as its file has it."""
    t = scored.trajectory
    return datetime.fromtimestamp(run.path(t.agent, t.condition, t.task, t.trial).stat().st_mtime, UTC)


def _summed(usages: Sequence[Mapping[str, ModelUsage]]) -> dict[str, ModelUsage]:
    found: dict[str, ModelUsage] = {}
    for usage in usages:
        for name, used in usage.items():
            found[name] = found[name] + used if name in found else used
    return dict(sorted(found.items()))


def _named(log: EvalLog) -> str:
    """A file name: readable, and distinct even where names need cleaning. An underscore would part it for Inspect."""
    facts = log.eval.metadata or {}
    readable = re.sub(r"[^A-Za-z0-9.+-]+", "-", f"{log.eval.task}.{facts['agent']}.{facts['condition']}")[:120]
    return f"{readable}-{log.eval.eval_id[:8]}"
