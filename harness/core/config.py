"""What a run is made of: agents x conditions x tasks x trials, and its limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, SerializeAsAny, field_validator, model_validator

from harness.core.agent_config import (
    AgentConfig,
    Aspect,
    CommandConfig,
    FunctionConfig,
    IdleConfig,
    LlmConfig,
    OracleConfig,
    PlanExecute,
    Price,
    Prompts,
    ReferenceConfig,
    Reflexion,
    Rewoo,
    Settings,
)
from harness.core.trajectory import DisturbanceKind
from harness.core.user_config import (
    IntentUserConfig,
    JudgedIntentUserConfig,
    LlmUserConfig,
    ModelUserSettings,
    Persona,
    PersonaUserConfig,
    PlaceboUserConfig,
    PlayedPersonaConfig,
    UserConfig,
    UserSettings,
    as_user,
    user_settings,
)

__all__ = (
    "INSTRUMENTS",
    "ROUNDS",
    "AgentConfig",
    "Ask",
    "Aspect",
    "CommandConfig",
    "Condition",
    "ConfigProblem",
    "Disturbance",
    "FunctionConfig",
    "IdleConfig",
    "IntentUserConfig",
    "JudgedIntentUserConfig",
    "Limits",
    "LlmConfig",
    "LlmUserConfig",
    "ModelUserSettings",
    "OracleConfig",
    "Overlay",
    "Persona",
    "PersonaUserConfig",
    "PlaceboUserConfig",
    "PlanExecute",
    "PlayedPersonaConfig",
    "Price",
    "Prompts",
    "ReferenceConfig",
    "Reflexion",
    "Rewoo",
    "RunConfig",
    "UserConfig",
    "UserSettings",
    "check_size",
    "user_settings",
)


INSTRUMENTS = frozenset({"idle", "oracle", "reference"})
"""Kinds of agents that calibrate (docs/architecture.md, Statistics); every other kind is a model or stands for one."""


class ConfigProblem(Exception):
    """A config that cannot be run; the text names file, line and field where there are any, and the remedy."""


class Limits(Settings):
    """Budgets of one trial; None is unlimited. A trial that hits one has failed, it is not void.

    Where a trial is tried again (`LlmConfig.resample`), turns, tool calls and seconds are for each try,
    tokens and cost for all tries together. `hand_overs` are those after which it went on, `cost_usd` is of the user's
    model as well.
    """

    turns: int | None = Field(default=30, ge=1)
    tool_calls: int | None = Field(default=100, ge=1)
    hand_overs: int | None = Field(default=30, ge=1, exclude_if=lambda most: most == 30)
    seconds: float | None = Field(default=600, gt=0)
    tokens: int | None = Field(default=None, ge=1)
    cost_usd: float | None = Field(default=None, gt=0)


class Overlay(Settings):
    """What an agent sees of one app's tools in place of what they say of themselves; all by the tools' own names.

    `rename` maps tools to the names shown; `describe` a tool, or a parameter as `tool.parameter`, to its text;
    `hide` lists tools, and parameters as `tool.parameter` where a call goes without them.
    """

    rename: dict[str, str] = Field(default={})
    describe: dict[str, str] = Field(default={})
    hide: tuple[str, ...] = ()


class Disturbance(Settings):
    """Something that comes between calls and their tools, of which `rate` is the share that it meets.

    `tools` are those it may meet, as `app` or `app.tool` by their own names; empty for all. Tools that ask are never
    met, nor those that only read by a `late` one, whose effect lands before the `after`th call after it or at the
    end of the session. `once`: a call that it has met goes through when it is made again, its arguments the same;
    `always`: each call is drawn by itself.
    """

    kind: DisturbanceKind
    rate: float = Field(ge=0, le=1)
    tools: tuple[str, ...] = ()
    mode: Literal["once", "always"] = "once"
    after: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _only_late(self) -> Disturbance:
        if self.kind != "late" and self.after != 1:
            raise ValueError(f"`after` says when a late effect lands; {self.kind} has none")
        return self


ROUNDS = 5
"""Questions of `clarify` that are answered in a session, where a condition says nothing; Drift-Bench does not say."""

Ask = Literal["off", "ask_user", "clarify"]
"""The app that an agent may ask the user with."""


class Condition(Settings):
    """One cell of an experiment.

    `end_of_turn` says where the end of an agent's turn goes: `session` ends the session, `user` hands what it said to
    the user, whose answer starts its next turn. `tools`: `all` offers every app of a task, `required` only those that
    the suite says it needs (WorkBench table 5); those of `without` are not offered. `rounds` are the questions that are
    answered in a session where it asks with `clarify`. With `transcripts`, what was said in a session lies in files for
    those after it. With `accounts: off` nobody has to log in. `overlays`, by app, change what the agent sees of an
    app's tools; records have the tools' own names. `disturbances` come between calls and tools: of several that would
    meet a call, the first does.
    """

    prompt: str = "original"
    ask: Ask = "off"
    notice: Literal["none", "may-be-missing", "may-be-faulty", "do-not-ask"] = "none"
    persona: Literal["none", "supervisor", "standard", "executive"] = "none"
    end_of_turn: Literal["session", "user"] = "session"
    tools: Literal["all", "required"] = "all"
    without: tuple[str, ...] = Field(default=(), exclude_if=lambda without: not without)
    toolsets: dict[str, str] = Field(default={})
    rounds: int = Field(default=ROUNDS, ge=1, exclude_if=lambda rounds: rounds == ROUNDS)
    accounts: Literal["on", "off"] = Field(default="on", exclude_if=lambda accounts: accounts == "on")
    transcripts: bool = Field(default=False, exclude_if=lambda transcripts: not transcripts)
    overlays: dict[str, Overlay] = Field(default={}, exclude_if=lambda overlays: not overlays)
    disturbances: tuple[Disturbance, ...] = Field(default=(), exclude_if=lambda disturbances: not disturbances)
    user: Annotated[
        SerializeAsAny[
            UserConfig | PersonaUserConfig | PlayedPersonaConfig | PlaceboUserConfig | LlmUserConfig | UserSettings
        ],
        BeforeValidator(as_user),
    ] = UserConfig()

    @property
    def asks(self) -> bool:
        """Whether there is somebody who is asked."""
        return self.ask != "off" or self.end_of_turn == "user"


MOST_TRIALS = 100_000
"""Per task, agent and condition."""

MOST_SCALE = 10_000
"""At 100 a world has 50,000 mails and takes a quarter of a GB."""

MOST_JOBS = 10_000_000
"""Trials of a whole run: more would not fit into memory, nor into a folder."""

_LONGEST_NAME = 200


def _name(kind: str) -> Callable[[str], str]:
    """Refuses what no file name, table or terminal could show."""

    def check(name: str) -> str:
        if not name:
            raise ValueError(f"the name of {kind} may not be empty")
        if len(name) > _LONGEST_NAME:
            raise ValueError(f"the name of {kind} has {len(name):,} characters; {_LONGEST_NAME} are allowed")
        odd = next((c for c in name if not c.isprintable()), "")
        if odd:
            raise ValueError(f"the name of {kind} holds {odd!r}; use visible characters only")
        return name

    return check


class RunConfig(Settings):
    """A whole experiment, as one YAML file holds it (docs/config.md).

    `scale` multiplies the rows of the suite's worlds, where the suite scales.
    """

    suite: str
    name: str = ""
    trials: int = Field(default=1, ge=1, le=MOST_TRIALS)
    seed: int = 0
    scale: int = Field(default=1, ge=1, le=MOST_SCALE)
    limits: Limits = Limits()
    transport: Literal["memory", "http", "stdio"] = "memory"
    agents: tuple[AgentConfig, ...] = Field(min_length=1)
    conditions: dict[str, Condition] = Field(default={"default": Condition()}, min_length=1)
    tasks: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _over_http(cls, data: Any) -> Any:
        """A run with an external program goes over HTTP, which is how such a program reaches its apps."""
        agents = data.get("agents") if isinstance(data, dict) else None
        if isinstance(agents, list | tuple) and any(_is_command(agent) for agent in agents):
            return {"transport": "http", **data}
        return data

    @model_validator(mode="after")
    def _commands_fit(self) -> RunConfig:
        if any(isinstance(agent, CommandConfig) for agent in self.agents):
            if self.transport != "http":
                raise ValueError(
                    f"transport: a command agent reaches its apps over http, not {self.transport}; leave it out"
                )
            for name, condition in self.conditions.items():
                if condition.end_of_turn == "user":
                    raise ValueError(
                        f"conditions.{name}.end_of_turn: a command agent ends with its session, so nobody can answer "
                        "what it says last; write `session`, and `ask: ask_user` for questions"
                    )
        return self

    @model_validator(mode="after")
    def _tools_as_they_are_over_stdio(self) -> RunConfig:
        if self.transport == "stdio":
            for name, condition in self.conditions.items():
                for setting, what in (
                    ("overlays", "shows its tools as they are"),
                    ("disturbances", "nothing comes between"),
                ):
                    if getattr(condition, setting):
                        raise ValueError(
                            f"conditions.{name}.{setting}: over stdio each app is a server of its own, started in "
                            f"the usual way, and {what}; write transport `memory` or `http`"
                        )
        return self

    def calibrates(self, agents: Iterable[str] | None = None) -> bool:
        """Whether those of its agents, or all, are instruments alone, whose figures tell of no model."""
        kinds = {agent.name: agent.kind for agent in self.agents}
        return all(kinds.get(name) in INSTRUMENTS for name in (kinds if agents is None else agents))

    @field_validator("agents")
    @classmethod
    def _distinct(cls, agents: tuple[AgentConfig, ...]) -> tuple[AgentConfig, ...]:
        names = [_name("an agent")(agent.name) for agent in agents]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two agents are named {name!r}; give each its own `name`")
        return agents

    @field_validator("name")
    @classmethod
    def _a_folder(cls, name: str) -> str:
        """The name starts that of the run's folder."""
        if name and (any(c in "/\\" for c in _name("a run")(name)) or name in (".", "..")):
            raise ValueError(f"{name!r} cannot start the name of a folder; write it without `/` and `\\`")
        return name

    @field_validator("conditions")
    @classmethod
    def _named(cls, conditions: dict[str, Condition]) -> dict[str, Condition]:
        for name in conditions:
            _name("a condition")(name)
        return conditions

    @field_validator("tasks")
    @classmethod
    def _once(cls, tasks: tuple[str, ...]) -> tuple[str, ...]:
        seen: set[str] = set()
        for task in tasks:
            if task in seen:
                raise ValueError(f"{task!r} is listed twice; write `trials` to play a task several times")
            seen.add(task)
        return tasks


def _is_command(agent: Any) -> bool:
    return isinstance(agent, CommandConfig) or (isinstance(agent, dict) and agent.get("kind") == "command")


def check_size(config: RunConfig, tasks: int) -> None:
    """Refuse a run too large to be played over that many tasks. Raises `ConfigProblem`."""
    jobs = len(config.agents) * len(config.conditions) * tasks * config.trials
    if jobs > MOST_JOBS:
        raise ConfigProblem(
            f"trials: {len(config.agents)} agents x {len(config.conditions)} conditions x {tasks} tasks x "
            f"{config.trials} trials are {jobs:,}; {MOST_JOBS:,} are allowed in one run"
        )
