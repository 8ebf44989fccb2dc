"""The trials of a run in report order: their digest, their label, and which of them the tasks have left behind."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

from harness.core.config import RunConfig
from harness.core.suite import Scored, Suite
from harness.record.store import TrialRecord

__all__ = ("digest", "labelled", "ordered", "stale")


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


def digest(trials: Sequence[Scored]) -> str:
    """SHA-256 over all final states, in report order."""
    return hashlib.sha256("\n".join(scored.trajectory.digest for scored in trials).encode()).hexdigest()


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
