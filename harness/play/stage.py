"""What is to be played, and what the trials of one process share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from harness.core.config import (
    AgentConfig,
    Condition,
    ConfigProblem,
    Disturbance,
    ModelUserSettings,
    Overlay,
    RunConfig,
    UserSettings,
)
from harness.core.credentials import held_back, played_by
from harness.core.desk import Agent
from harness.core.hidden import Hidden
from harness.core.secrets import secrets_in
from harness.core.suite import Suite
from harness.core.task import Brief, Task
from harness.core.trajectory import ModelCall, Trajectory
from harness.play.opening import OpenTask
from harness.serving.disturbing import may_meet
from harness.serving.toolsets import toolset_of
from servers import catalog
from servers.kernel import Base, Engine, Toolset, User, overlaid

__all__ = ("Job", "Stage", "Talk", "Wiring", "check_hidden", "toolsets_for")


@dataclass(frozen=True)
class Talk:
    """What the model behind a user needs beside its settings.

    `scope` names the trial, try and session, `recorded` are the replies that it is given first, and `keep` hears of
    each reply.
    """

    scope: str
    recorded: Sequence[ModelCall]
    keep: Callable[[ModelCall], object]


class Wiring(Protocol):
    """What the command line puts together: suites, users and agents by name."""

    def suite(self, name: str, scale: int = 1) -> Suite: ...

    def user(self, config: UserSettings, brief: Brief, talk: Talk | None = None, hidden: Hidden | None = None) -> User:
        """Whoever answers; with `talk` where the settings name a model, with what is `hidden` where the suite says."""

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        """A fresh agent for one trial, or for a subagent's part of it; a model's first replies are `recorded` ones."""

    async def aclose(self) -> None:
        """Give back connections, on the event loop that the trials ran on."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """One trial to play, as plain data that can go to another process, or be JSON by `pydantic.TypeAdapter`.

    `prompt` is the condition's prompt variant, `task` an id, `attempt` counts tries from 0. The agent is the live one,
    with its credentials. `subagent` is 0, save where the agent is wanted once more for a task that it handed on: then
    it says for which, from 1.
    """

    agent: AgentConfig
    condition: str
    prompt: str
    task: str
    trial: int
    attempt: int = 0
    subagent: int = 0


class Stage:
    """What the trials of one process share: the config, the suite, one engine, loaded worlds.

    The engine is one of their own unless another is given, whose giver closes it.
    """

    def __init__(self, config: RunConfig, suite: Suite, wiring: Wiring, engine: Engine | None = None) -> None:
        self.config, self.suite, self.wiring = config, suite, wiring
        self.engine = engine or Engine()
        self.secrets = secrets_in(also=held_back(played_by(config)))
        self._bases: dict[str, Base] = {}
        self._toolsets: dict[tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]], dict[str, Toolset]] = {}

    def base(self, world: str) -> Base:
        if world not in self._bases:
            self._bases[world] = self.engine.load(self.suite.load_world(world))
        return self._bases[world]

    def release(self, world: str) -> None:
        """Let go of a world that no trial needs any more."""
        if base := self._bases.pop(world, None):
            self.engine.forget(base)

    def toolsets(self, condition: str, task: Task, apps: Sequence[str] | None = None) -> dict[str, Toolset]:
        """`toolsets_for` of a task, or of some of its apps: worked out once for all that are alike."""
        apps = task.apps if apps is None else tuple(apps)
        key = condition, apps, task.needed
        if key not in self._toolsets:
            chosen, where = self.config.conditions[condition], f"conditions.{condition}."
            self._toolsets[key] = toolsets_for(self.suite, chosen, apps, where, needed=task.toolsets)
        return self._toolsets[key]

    def open(
        self,
        task: Task,
        trajectory: Trajectory,
        *,
        answering: bool = True,
        attempt: int = 0,
        recorded: Sequence[ModelCall] = (),
    ) -> OpenTask:
        """A task as its trial under the condition that the record names finds it.

        `answering`: with whoever answers there, whose model gives its `recorded` replies first. Raises `StateError`.
        """
        name = trajectory.condition
        condition = self.config.conditions[name]

        hidden = self.suite.hidden(task) if self.suite.hidden else None

        def user(brief: Brief) -> User:
            if not isinstance(condition.user, ModelUserSettings):
                return self.wiring.user(condition.user, brief, hidden=hidden)
            t, session = trajectory, opened.sandbox.session
            scope = f"user/{t.agent}/{t.condition}/{t.task}/{t.trial}" + f"/{attempt}" * bool(attempt)
            if session:  # who is made anew for each has nothing to do with what was said in those before
                scope = f"{scope}/session-{session}"
            own = [call for call in recorded if call.session >= session]
            chosen = condition.user.of_case(self.config.seed, t.task)
            return self.wiring.user(chosen, brief, Talk(scope, own, opened.sandbox.thinks), hidden)

        opened = OpenTask(
            self.engine,
            self.base(task.world),
            task,
            trajectory,
            self.toolsets(name, task),
            offered=self.toolsets(name, task, offered(self.suite, condition, task)),
            disturbances=condition.disturbances,
            rounds=condition.rounds,
            transcripts=condition.transcripts,
            logged_in=condition.accounts == "off",
            user=user if answering and condition.asks else None,
        )
        return opened


def offered(suite: Suite, condition: Condition, task: Task) -> tuple[str, ...]:
    """The apps of a task that an agent gets under a condition, the one for asking left out."""
    needed = task.apps if condition.tools == "all" or suite.required is None else suite.required(task)
    return tuple(app for app in task.apps if app in needed and app not in condition.without)


def toolsets_for(
    suite: Suite, condition: Condition, apps: Sequence[str], where: str = "", *, needed: Mapping[str, str] = {}
) -> dict[str, Toolset]:
    """The toolset of each app under a condition, the one for asking included, under the condition's overlays.

    It is the condition's, else that `needed` by a task (`Task.toolsets`), else the suite's, else the app's default.
    Raises `ConfigProblem` for a toolset that an app does not have or that needs what is not installed, or of an app
    that no task has, for an overlay or a disturbance that does not fit, and for `tools: required` where the suite does
    not say what a task needs, `UnknownApp` for an app that is not there.
    `where` is what an error about a setting of the condition begins with: the path of the condition in its config.
    """
    if condition.tools == "required" and suite.required is None:
        raise ConfigProblem(f"{where}tools: suite {suite.name} does not say which apps a task needs; write `all`")
    found: dict[str, Toolset] = {}
    for number, name in enumerate(condition.without):
        _check_served(name, suite, found, f"{where}without.{number}")
    for name in (*apps, condition.ask) if condition.ask != "off" else apps:
        own = condition.toolsets.get(name)
        wanted = own or needed.get(name) or suite.toolsets.get(name)
        found[name] = toolset_of(catalog.app(name), wanted or None, f"{where}toolsets.{name}: " if own else "")
    for name in condition.toolsets:
        if name not in found:
            _check_served(name, suite, found, f"{where}toolsets.{name}")
    for name, overlay in condition.overlays.items():
        place = f"{where}overlays.{name}"
        if name in found:
            try:
                found[name] = _overlaid(found[name], overlay.model_dump_json())
            except ValueError as error:
                raise ConfigProblem(f"{place}.{error}") from None
        else:
            _check_served(name, suite, found, place)
    if condition.overlays:
        _check_apart(found, f"{where}overlays")
    for number, disturbance in enumerate(condition.disturbances):
        _check_met(disturbance, suite, found, f"{where}disturbances.{number}.tools")
    return found


def check_hidden(suite: Suite, condition: Condition, where: str = "") -> None:
    """Refuse a user of kind `intents` where sessions have none, and any other who is asked where they have some.

    Raises:
        ConfigProblem: `where` names the condition.
    """
    kind = condition.user.kind
    if not condition.asks or (kind == "intents") == (suite.hidden is not None):
        return
    if suite.hidden is None:
        raise ConfigProblem(
            f"{where}user: kind intents needs a suite whose sessions have intents, and {suite.name} has none"
        )
    raise ConfigProblem(
        f"{where}user: kind {kind} knows nothing of the intents that sessions of {suite.name} have; use kind intents, "
        "or leave out `ask` and `end_of_turn: user`, so that nobody is asked"
    )


def _check_served(app: str, suite: Suite, found: Mapping[str, Toolset], where: str) -> None:
    """Raises `ConfigProblem` where no task has the app."""
    if app not in (served := {app for task in suite.tasks for app in task.apps}):
        there = ", ".join(sorted({*served, *found}))
        raise ConfigProblem(f"{where}: no task of {suite.name} has an app {app!r}; there are {there}")


def _check_met(disturbance: Disturbance, suite: Suite, found: Mapping[str, Toolset], where: str) -> None:
    """Raises `ConfigProblem` where a disturbance names a tool that is not there, or that it could not meet."""
    for place, name in enumerate(disturbance.tools):
        app, _, tool = name.partition(".")
        if app not in found:
            _check_served(app, suite, found, f"{where}.{place}")
            continue
        known = found[app].tools
        if tool and tool not in known:
            raise ConfigProblem(f"{where}.{place}: {app} has no tool {tool!r} here; it has {', '.join(known)}")
        named = [known[tool]] if tool else list(known.values())
        if not any(may_meet(disturbance.kind, each) for each in named):
            kinds = {each.kind for each in named}
            why = {"asks": "asks the user", "delegates": "hands work on"}.get("".join(kinds), "writes nothing")
            raise ConfigProblem(f"{where}.{place}: {name} {why}, so it is never met by {disturbance.kind}")


@lru_cache(maxsize=1024)
def _overlaid(toolset: Toolset, overlay: str) -> Toolset:
    """One toolset for one overlay, as JSON: what is served is looked up by the toolset."""
    wanted = Overlay.model_validate_json(overlay)
    return overlaid(toolset, wanted.rename, wanted.describe, wanted.hide)


def _check_apart(found: dict[str, Toolset], where: str) -> None:
    """Raises `ConfigProblem` where tools of two apps are shown under one name, as a_b_c may be b_c of a or c of a_b."""
    names = Counter(f"{app}_{tool.shown}" for app, toolset in found.items() for tool in toolset.tools.values())
    for name, times in names.items():
        if times > 1:
            raise ConfigProblem(f"{where}: two tools are shown as {name}")
