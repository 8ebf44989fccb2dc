"""A run of faulty requests by agents under conditions: its scored trials, its arms and its tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.drift import metrics
from benchmarks.drift.tables import report
from benchmarks.drift.trials import Arm, arm, by_agent
from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.suite import Scored, Suite, Table
from tests.harness.wired import Over

__all__ = ("Agents", "Played")


class Agents(dict[str, Mapping[str, Any]]):
    """Agents as a report gets them."""

    conditions: Mapping[str, Mapping[str, Any]]


class Played:
    """The run of a suite that goes by `name`, over all its tasks or some."""

    def __init__(
        self,
        folder: Path,
        suite: Suite,
        name: str,
        agents: Mapping[str, Mapping[str, Any]],
        conditions: Mapping[str, Mapping[str, Any]],
        tasks: Sequence[str] = (),
    ) -> None:
        self.config = RunConfig.model_validate(
            {
                "suite": name,
                "agents": [{"name": name, **each} for name, each in agents.items()],
                "conditions": conditions,
                "tasks": tasks,
            }
        )
        run = evaluate(self.config, suite, Over(suite), folder / "run")
        self.scored = [Scored(each.trajectory, each.scores) for each in run.records()]
        self.arms = by_agent(suite.tasks, self.scored)
        told = Agents({each.name: each.model_dump() for each in self.config.agents})
        told.conditions = {name: each.model_dump(mode="json") for name, each in self.config.conditions.items()}
        self.tables: Sequence[Table] = report(suite, told, self.scored)

    def needy(self, agent: str, condition: str, environment: str = "") -> Arm:
        """The trials of requests that cannot be done as they are said."""
        found = arm(self.arms[agent], condition, environment)
        return {name: trials for name, trials in found.items() if trials[0].needy}

    def success(self, agent: str, condition: str, environment: str = "") -> float | None:
        """How many of these were right, as a share."""
        return metrics.success(self.needy(agent, condition, environment)).value
