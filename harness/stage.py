"""What is to be played, and what the trials of one process share."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from harness.agents.desk import Agent
from harness.config import AgentConfig, Condition, ConfigProblem, RunConfig, UserConfig
from harness.credentials import held_back
from harness.secrets import secrets_in
from harness.suite import Suite
from harness.task import Brief, Task
from harness.trajectory import ModelCall
from servers import catalog
from servers.kernel import Base, Engine, Toolset, User, canonical

__all__ = ("Job", "Stage", "Wiring", "toolsets_for", "trial_seed")


class Wiring(Protocol):
    """What the command line puts together: suites, users and agents by name."""

    def suite(self, name: str, scale: int = 1) -> Suite: ...

    def user(self, config: UserConfig, brief: Brief) -> User: ...

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        """A fresh agent for one trial; a model's first replies come from `recorded` where it is given."""

    async def aclose(self) -> None:
        """Give back connections, on the event loop that the trials ran on."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """One trial to play. `prompt` is the condition's prompt variant, `attempt` counts tries from 0."""

    agent: AgentConfig
    condition: str
    prompt: str
    task: Task
    trial: int
    attempt: int = 0


def trial_seed(run_seed: int, task: str, condition: str, trial: int) -> int:
    """The trial's seed: the agent is not part of it, so that comparisons between agents are paired."""
    body = canonical([run_seed, task, condition, trial])
    return int.from_bytes(hashlib.sha256(body).digest()[:8])


class Stage:
    """What the trials of one process share: the config, the suite, one engine, loaded worlds."""

    def __init__(self, config: RunConfig, suite: Suite, wiring: Wiring) -> None:
        self.config, self.suite, self.wiring = config, suite, wiring
        self.engine = Engine()
        self.secrets = secrets_in(also=held_back(config.agents))
        self._bases: dict[str, Base] = {}
        self._toolsets: dict[tuple[str, tuple[str, ...]], dict[str, Toolset]] = {}

    def base(self, world: str) -> Base:
        if world not in self._bases:
            self._bases[world] = self.engine.load(self.suite.load_world(world))
        return self._bases[world]

    def toolsets(self, condition: str, apps: tuple[str, ...]) -> dict[str, Toolset]:
        """`toolsets_for`, worked out once per condition and set of apps."""
        if (condition, apps) not in self._toolsets:
            self._toolsets[condition, apps] = toolsets_for(self.suite, self.config.conditions[condition], apps)
        return self._toolsets[condition, apps]

    def offered(self, condition: str, task: Task) -> tuple[str, ...]:
        """The apps of a task that an agent gets under a condition, the one for asking left out."""
        if self.config.conditions[condition].tools == "all" or self.suite.required is None:
            return task.apps
        needed = self.suite.required(task)
        return tuple(app for app in task.apps if app in needed)


def toolsets_for(suite: Suite, condition: Condition, apps: Sequence[str]) -> dict[str, Toolset]:
    """The toolset of each app under a condition, the one for asking included.

    Raises `ConfigProblem` for one that an app does not have and for `tools: required` where the suite does
    not say what a task needs, `UnknownApp` for an app that is not there.
    """
    if condition.tools == "required" and suite.required is None:
        raise ConfigProblem(f"tools: suite {suite.name} does not say which apps a task needs; write `all`")
    found: dict[str, Toolset] = {}
    for name in (*apps, condition.ask) if condition.ask != "off" else apps:
        app = catalog.app(name)
        wanted = condition.toolsets.get(name) or suite.toolsets.get(name)
        if wanted and wanted not in app.toolsets:
            known = ", ".join(app.toolsets)
            raise ConfigProblem(f"toolsets.{name}: {name} has no toolset {wanted!r}; it has {known}")
        found[name] = app.toolsets[wanted] if wanted else app.default
    return found
