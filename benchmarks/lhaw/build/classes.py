"""What trials without a user show of variants: terminal states, and by these their empirical class (definition 3.1).

Instruments play no part in it: theirs is the designed class.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from benchmarks.lhaw.build.baseline import checkpoints
from benchmarks.lhaw.build.config import EmpiricalConfig
from benchmarks.lhaw.build.context import Context, Phase, prompt
from benchmarks.lhaw.build.joining import joined
from benchmarks.lhaw.build.records import Candidate, NewTask, Refusal, Trials, read
from benchmarks.lhaw.build.release import row
from benchmarks.lhaw.build.selection import select, spread
from benchmarks.lhaw.metrics import CHECKPOINTS
from benchmarks.lhaw.variants import LACKING
from benchmarks.probe.pipeline.work import Dropped, Work
from harness.core.agent_config import LlmConfig
from harness.core.config import Condition, RunConfig
from harness.record.store import TrialRecord
from harness.suite import SuiteError
from harness.task import Compare, Task
from servers.kernel import Change, canonical

__all__ = ("classes", "classified", "terminal_state")

Class = Literal["void", "new-task", "outcome-critical", "divergent", "benign"]


class _Verdict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    same: bool
    completed: bool
    reasoning: str


def classes(context: Context) -> Phase:
    """Play the variants without a user, and class them; nothing where the config names no agent for it."""
    empirical, classified = context.config.empirical, context.config.classified
    if classified is not None:
        return _read(context, classified)
    if empirical is None:
        return Phase((), said="skipped: `empirical` names no agent, so variants have their designed class alone")
    tried = _tried(context, empirical)
    tasks = _tasks(context, tried)
    suite = replace(context.suite, name=f"{context.suite.name}-candidates", tasks=tasks, aside=frozenset(), files=None)
    run = RunConfig(
        suite=suite.name,
        trials=empirical.n,
        seed=empirical.seed,
        limits=empirical.limits,
        agents=(empirical.agent,),
        conditions={"classes": Condition(prompt=LACKING)},
    )
    played: defaultdict[str, list[TrialRecord]] = defaultdict(list)
    for record in context.play("classes", run, suite):
        played[record.trajectory.task].append(record)
    for records in played.values():
        records.sort(key=lambda each: each.trajectory.trial)
    judged = _judged(context, tasks, played)
    found = [_trials(empirical, task, played[task.id], *judged[task.id]) for task in tasks]
    refused = [
        _refused(each, f"a new task: {trials.reasoning}")
        for each, trials in zip(tried, found, strict=True)
        if "new-task" in trials.classes and trials.new_task == "yes"
    ]
    return Phase(found, refused, said=f"{len(found)} variants classed by {empirical.agent.name}, n = {empirical.n}")


def _tasks(context: Context, candidates: Sequence[Candidate]) -> tuple[Task, ...]:
    rows = [row(context, each, None) for each in candidates]
    return joined(rows, context.suite, str(context.folder / "candidates.jsonl"))


def _read(context: Context, path: Path) -> Phase:
    """What an earlier build found, of variants that are as they were played. Raises `SuiteError`."""
    known = {each.task_id: each for each in context.read("candidates", Candidate)}
    told = read(path, Trials)
    if strange := next((each.variant_id for each in told if each.variant_id not in known), ""):
        raise SuiteError(f"{path}: {strange!r} is not one of the {len(known)} candidates of this build")
    tried = [known[each.variant_id] for each in told]
    found, refused = list[Trials](), list[Refusal]()
    for each, trials, task in zip(tried, told, _tasks(context, tried), strict=True):
        if trials.task_hash == task.hash:
            found.append(trials)
        else:
            names = ", ".join(trials.classes)
            refused.append(
                _refused(each, f"its class, {names}, is not told: the task was another one when it was played")
            )
    return Phase(found, refused, said=f"{len(found)} variants classed before; {len(refused)} more have changed since")


def _refused(each: Candidate, reason: str) -> Refusal:
    return Refusal(
        phase="classes",
        task=each.original_task,
        reason=reason,
        strategy=each.criteria.severity,
        segments=each.names,
    )


def classified(
    n: int, successes: int, states: Sequence[str], new_task: NewTask, definition: str = "ours", *, void: bool = False
) -> tuple[Class, ...]:
    """The class of n trials, of which so many succeeded, with the states that they ended in.

    Ours is the first that holds of void, new task, outcome-critical, benign and divergent. The paper's (definition 3.1)
    are all that hold of its four, which are no partition.
    """
    if void:
        return ("void",)
    alike = len(set(states)) == 1
    if definition == "paper":
        holds: dict[Class, bool] = {
            "outcome-critical": successes == 0,
            "divergent": successes > 0 and not alike,
            "benign": successes > 0 and alike,
            "new-task": successes == 0 and alike,
        }
        return tuple(name for name, held in holds.items() if held)
    if successes == 0:
        return ("new-task",) if alike and new_task == "yes" else ("outcome-critical",)
    return ("benign",) if successes == n else ("divergent",)


def terminal_state(task: Task, record: TrialRecord) -> str:
    """How a trial ended: each checkpoint met (1) or not (0), and whether anything else was changed.

    A task with fewer than three checkpoints has a digest of what was changed, without what is never compared.
    """
    changes = record.trajectory.changes
    if checkpoints(task) < CHECKPOINTS:
        normal = sorted(canonical(_normal(change, task.compare)).decode() for change in changes)
        return hashlib.sha256(canonical(normal)).hexdigest()[:12]
    detail = record.scores["outcome"].detail
    met = ", ".join(str(int(each)) for each in detail["checkpoints"])
    return f"({met}; {int(detail['unexpected'] > 0)})"


def _normal(change: Change, compare: Compare) -> dict[str, Any]:
    fields = {}
    for name, value in change.fields.items():
        where = f"{change.app}.{change.table}.{name}"
        if where in compare.free:
            continue
        folded = isinstance(value, str) and where in compare.text
        fields[name] = " ".join(value.casefold().split()) if folded else value
    whose = {} if change.op == "insert" else {"id": change.id}
    return {"op": change.op, "app": change.app, "table": change.table, "fields": fields, **whose}


def _tried(context: Context, empirical: EmpiricalConfig) -> list[Candidate]:
    """Every candidate, or so many of those that would be released, spread over tasks and classes."""
    found = context.read("candidates", Candidate)
    if empirical.number is None:
        return found
    return spread(select(context.config, found).chosen, empirical.number)


def _trials(
    empirical: EmpiricalConfig, task: Task, records: Sequence[TrialRecord], new_task: NewTask, reasoning: str
) -> Trials:
    void = any(record.trajectory.status == "void" for record in records)
    states = () if void else tuple(sorted({terminal_state(task, record) for record in records}))
    successes = sum(_right(record) for record in records)
    return Trials(
        variant_id=task.id,
        task_hash=task.hash,
        agent=empirical.agent.name,
        model=empirical.agent.model if isinstance(empirical.agent, LlmConfig) else None,
        n=len(records),
        seeds=tuple(record.trajectory.seed for record in records),
        successes=successes,
        terminal_states=states,
        new_task="unjudged" if void else new_task,
        classes=classified(len(records), successes, states, new_task, empirical.definition, void=void),
        reasoning=reasoning,
    )


def _right(record: TrialRecord) -> bool:
    return bool(record.scores["outcome"].right)


# Has it become a new task?


def _judged(
    context: Context, tasks: Sequence[Task], played: dict[str, list[TrialRecord]]
) -> dict[str, tuple[NewTask, str]]:
    """Of each variant whether it is a new task, and why: a model says so, where all trials fail alike."""
    found: dict[str, tuple[NewTask, str]] = {}
    asked: list[Task] = []
    for task in tasks:
        records = played[task.id]
        found[task.id] = ("unjudged", "")
        if any(record.trajectory.status == "void" for record in records):
            continue
        if any(map(_right, records)) or len({terminal_state(task, record) for record in records}) > 1:
            found[task.id] = ("no", "")
        else:
            asked.append(task)
    if asked and context.client is not None:
        verdicts = context.ask(lambda work: [_judge(task, played[task.id], work) for task in asked])
        found.update({task.id: verdict for task, verdict in zip(asked, verdicts, strict=True)})
    return found


def _judge(task: Task, records: Sequence[TrialRecord], work: Work) -> Callable[[], Awaitable[tuple[NewTask, str]]]:
    return partial(_verdict, task, records, work)


async def _verdict(task: Task, records: Sequence[TrialRecord], work: Work) -> tuple[NewTask, str]:
    trials = [
        {"reply": record.trajectory.sessions[-1].reply if record.trajectory.sessions else "", "changes": _told(record)}
        for record in records
    ]
    asked = prompt("new_task", request=task.sessions[0].requests[LACKING], trials=trials)
    try:
        said = await work.item("new_task", {"variant": task.id}, asked, _Verdict, reads=True)
    except Dropped:
        return "unjudged", ""  # no verdict is none: it is never a no
    return ("yes" if said.same and said.completed else "no"), said.reasoning


def _told(record: TrialRecord) -> list[str]:
    return [
        f"{change.op} {change.app}.{change.table} {canonical(dict(change.fields)).decode()}"
        for change in record.trajectory.changes
    ]
