"""The baseline filter: variants are made only of tasks that can be done as they are written (section 3.1, table 15)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from benchmarks.lhaw.build.context import Context, Phase
from benchmarks.lhaw.build.records import Baseline, Refusal
from benchmarks.lhaw.metrics import CHECKPOINTS
from benchmarks.lhaw.variants import FULL
from harness.cli.problems import CallProblem
from harness.core.config import Condition, RunConfig
from harness.record.store import TrialRecord
from harness.suite import Suite, Table
from harness.task import Task

__all__ = ("baseline", "by_domain", "checkpoints", "sources")

_PARTIAL = 0.5
"""The mean share of checkpoints that keeps a task that some agent never does whole."""


def baseline(context: Context) -> Phase:
    """Play every source as it is written by every reference agent. Raises `CallProblem` where there is none to play."""
    config = context.config
    tasks, refused = sources(context)
    if not tasks:
        raise CallProblem(
            f"suite {context.suite.name} has no task that variants can be made of: one session with a full request, "
            "and changes expected at every accepted end"
        )
    run = RunConfig(
        suite=context.suite.name,
        trials=config.baseline.trials,
        seed=config.seed,
        limits=config.baseline.limits,
        agents=config.baseline.agents,
        conditions={"baseline": Condition(prompt=FULL)},
        tasks=tuple(task.id for task in tasks),
    )
    played: defaultdict[str, list[TrialRecord]] = defaultdict(list)
    for record in context.play("baseline", run, context.suite):
        if record.trajectory.status == "void":
            raise CallProblem(
                f"baseline: trial {record.trajectory.trial} of {record.trajectory.agent} on {record.trajectory.task} "
                f"is void: {record.trajectory.reason}; the same command plays it again"
            )
        played[record.trajectory.task].append(record)
    found = [_judged(context, task, played[task.id]) for task in tasks]
    for each in (each for each in found if not each.kept):
        shown = ", ".join(f"{agent} {right}/{each.trials}" for agent, right in each.solved.items())
        partial = "no checkpoints to go by" if each.ckpt is None else f"mean Ckpt {100 * each.ckpt:.0f}%"
        reason = f"as written right: {shown}; {partial}"
        refused.append(Refusal(phase="baseline", task=each.task, reason=reason))
    return Phase(found, refused, said=f"{sum(each.kept for each in found)} of {len(found)} sources kept")


def by_domain(found: Sequence[Baseline], suite: Suite) -> Table:
    """The sources that were kept, by what they are about (table 15): mean Ckpt, and how many some agent did whole."""
    kept: defaultdict[str, list[Baseline]] = defaultdict(list)
    for each in found:
        if each.kept:
            kept[_domain(suite.task(each.task))].append(each)
    groups = {**dict(sorted(kept.items())), "total": [each for each in found if each.kept]}
    rows = []
    for domain, of in groups.items():
        known = [each.ckpt for each in of if each.ckpt is not None]
        mean = round(100 * sum(known) / len(known), 1) if known else None
        rows.append({"domain": domain, "tasks": len(of), "mean ckpt %": mean, "solvable": sum(map(_solvable, of))})
    notes = (
        f"Mean ckpt: the share of expected changes made, over tasks with {CHECKPOINTS} or more. Solvable: tasks that a "
        "reference agent did right at least once. Each task's own figures are in baseline.jsonl.",
    )
    return Table("Sources kept (as table 15 of the paper)", tuple(rows[0]), rows, notes)


def _solvable(source: Baseline) -> bool:
    return any(source.solved.values())


def _domain(task: Task) -> str:
    """What a suite says that a task is about, else its template."""
    facts = task.facts
    return str(facts["domain"]) if "domain" in facts else ", ".join(facts.get("domains") or [task.template or "-"])


def sources(context: Context) -> tuple[list[Task], list[Refusal]]:
    """The tasks that variants may be made of, and those that none can be made of."""
    config, suite = context.config, context.suite
    named = [suite.task(id) for id in config.tasks] or [task for task in suite.tasks if task.id not in suite.aside]
    counted: Counter[str] = Counter()
    kept: list[Task] = []
    refused: list[Refusal] = []
    for task in named:
        if config.per_template is not None and counted[task.template] == config.per_template:
            continue
        if problem := _unfit(task, config.route):
            refused.append(Refusal(phase="baseline", task=task.id, reason=problem))
            continue
        counted[task.template] += 1
        kept.append(task)
    return kept, refused


def checkpoints(task: Task) -> int:
    """Expected changes, of the end with fewest."""
    return min((len(end.changes) for end in task.ends), default=0)


def _unfit(task: Task, route: str) -> str:
    if len(task.sessions) != 1 or FULL not in task.sessions[0].requests:
        return "not one session with a full request"
    if not checkpoints(task):
        return "source without expected changes"
    return "source without slots" if route == "slots" and not task.slots else ""


def _judged(context: Context, task: Task, records: list[TrialRecord]) -> Baseline:
    config = context.config.baseline
    solved = {agent.name: 0 for agent in config.agents}
    shares = []
    for record in records:
        score = record.scores["outcome"] if "outcome" in record.scores else next(iter(record.scores.values()))
        solved[record.trajectory.agent] += bool(score.right)
        shares.append(score.detail.get("ckpt"))
    known = [share for share in shares if share is not None]
    ckpt = sum(known) / len(known) if known and checkpoints(task) >= CHECKPOINTS else None
    return Baseline(
        task=task.id,
        template=task.template,
        solved=solved,
        trials=config.trials,
        ckpt=None if ckpt is None else round(ckpt, 4),
        kept=all(solved.values()) or (ckpt is not None and ckpt >= _PARTIAL),
    )
