"""What a run is made of: agents x conditions x tasks x trials, and its limits."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError

from harness.core.secrets import looks_secret
from harness.core.trajectory import DisturbanceKind
from harness.core.users import BrokenUser, brought, plugins

__all__ = (
    "AgentConfig",
    "Ask",
    "CommandConfig",
    "Condition",
    "ConfigProblem",
    "Disturbance",
    "IdleConfig",
    "Limits",
    "LlmConfig",
    "LlmUserConfig",
    "ModelUserSettings",
    "OracleConfig",
    "Overlay",
    "Persona",
    "Price",
    "Prompts",
    "ReferenceConfig",
    "RunConfig",
    "UserConfig",
    "UserSettings",
    "check_size",
    "user_settings",
)


class ConfigProblem(Exception):
    """A config that cannot be run; the text names file, line and field where there are any, and the remedy."""


class _Config(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Limits(_Config):
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


class IdleConfig(_Config):
    """Does nothing: the floor that every table shows."""

    kind: Literal["idle"]
    name: str = "idle"


class OracleConfig(_Config):
    """Plays the reference solution: the ceiling, and the proof that a suite can be solved."""

    kind: Literal["oracle"]
    name: str = "oracle"


class ReferenceConfig(_Config):
    """A seeded policy with a program over a task's slots; each dial is a probability."""

    kind: Literal["reference"]
    name: str = "reference"
    explore: float = Field(default=1.0, ge=0, le=1)
    ask: float = Field(default=1.0, ge=0, le=1)
    guess: float = Field(default=0.0, ge=0, le=1)


class Price(_Config):
    """US dollars per million tokens, for a model that LiteLLM has no price of."""

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class Prompts(_Config):
    """Jinja2 templates that take the place of the agent's own (docs/agents.md); empty keeps it.

    Given as the path of a `.j2` file or as the template itself. A file's text takes the place of its path
    when the config is loaded, so that it is stored with the run and part of its identity. A path is
    relative to `folder` of the validation context, else to the working directory.
    """

    system: str = ""
    react: str = ""

    @field_validator("system", "react", mode="before")
    @classmethod
    def _template(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, str) or not value:
            return value
        text = _read(value, Path((info.context or {}).get("folder", "")), "template") if _is_path(value) else value
        _check_template(text, _VARIABLES[info.field_name or ""])
        return text


_VARIABLES = {"system": {"system", "now", "day"}, "react": {"system", "now", "day", "tools"}}
"""What a template of each name may use."""


def _is_path(value: str) -> bool:
    return value.endswith(".j2") and "\n" not in value


def _read(value: str, folder: Path, what: str) -> str:
    path = folder / value
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"the {what} {str(path)!r} cannot be read: {error}") from None
    if not text.strip():
        raise ValueError(f"the {what} {str(path)!r} is empty")
    return text if text.endswith("\n") else f"{text}\n"


def _check_template(text: str, known: set[str]) -> None:
    from jinja2 import Environment, TemplateSyntaxError, meta

    try:
        used = meta.find_undeclared_variables(Environment(autoescape=False).parse(text))
    except TemplateSyntaxError as error:
        raise ValueError(f"line {error.lineno} of the template: {error.message}") from None
    for name in sorted(used - known):
        raise ValueError(f"the template uses {name!r}; it may use {', '.join(sorted(known))}")


class LlmConfig(_Config):
    """A model through LiteLLM.

    `strategy`: `tools` is native tool calling, `react` the text protocol of WorkBench (appendix A.5) for
    models without it. After `patience` replies in a row without a call that can be made out, the
    agent has failed. A trial that failed so is tried again, up to `resample` times, each in a fresh
    sandbox and at `resample_temperature` (WorkBench section 4.4); the last try counts.
    """

    kind: Literal["llm"]
    name: str = ""
    model: str
    strategy: Literal["tools", "react"] = "tools"
    prompts: Prompts = Prompts()
    patience: int = Field(default=5, ge=1)
    resample: int = Field(default=0, ge=0)
    resample_temperature: float | None = Field(default=0.5, ge=0)
    api_base: str | None = Field(default=None, repr=False)
    temperature: float | None = 0.0
    max_tokens: int | None = None
    timeout: float = Field(default=120, gt=0)
    retries: int = Field(default=4, ge=0)
    price: Price | None = None
    extra: dict[str, Any] = Field(default={}, repr=False)

    @model_validator(mode="before")
    @classmethod
    def _named(cls, data: Any) -> Any:
        if isinstance(data, dict) and not data.get("name") and isinstance(data.get("model"), str):
            return {**data, "name": data["model"]}
        return data


class CommandConfig(_Config):
    """An external program: one process per session, given an MCP client config and the request.

    In `command`, `{mcp_config}` and `{request_file}` stand for paths, `{request}` and `{system}` for texts,
    `{python}` for the interpreter that runs the harness. A request that is not named comes on standard input.
    A part that names a file is made absolute when the config is loaded, relative to `folder` of the validation
    context, else to the working directory; the first part only where it holds a separator.

    `environment` is all it gets besides PATH, HOME, TMPDIR and LANG; `pass_environment` names variables
    to hand on, which keeps keys out of the config. With `isolation: bwrap` it sees the system's programs, with
    `container` those of `image`, run by `runtime` or whichever of podman and docker is found; besides, its own folder,
    the files among its arguments and the paths in `readable`, which are made absolute likewise.
    """

    kind: Literal["command"]
    name: str = "command"
    command: tuple[str, ...] = Field(min_length=1)
    environment: dict[str, str] = {}
    pass_environment: tuple[str, ...] = ()
    isolation: Literal["none", "bwrap", "container"] = "none"
    readable: tuple[str, ...] = ()
    image: str = ""
    runtime: Literal["podman", "docker"] | None = None

    @field_validator("command")
    @classmethod
    def _whole(cls, command: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if not any("{mcp_config}" in part for part in command):
            raise ValueError("nothing says {mcp_config}, so the program could not find its apps")
        folder = Path((info.context or {}).get("folder", ""))
        return tuple(_absolute(part, folder, n == 0) for n, part in enumerate(command))

    @field_validator("readable")
    @classmethod
    def _found(cls, readable: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        folder = Path((info.context or {}).get("folder", ""))
        return tuple(os.path.abspath(folder / Path(path).expanduser()) for path in readable)

    @model_validator(mode="after")
    def _in_its_image(self) -> CommandConfig:
        if self.isolation == "container":
            if not self.image:
                raise ValueError("isolation container needs an `image`, such as python:3.12-slim")
            if any("{python}" in part for part in self.command):
                raise ValueError("{python} is this machine's interpreter; in a container write the image's: python3")
        return self

    @field_validator("environment")
    @classmethod
    def _without_secrets(cls, environment: dict[str, str]) -> dict[str, str]:
        for name in environment:
            if looks_secret(name) or name.upper().endswith("TOKEN"):
                raise ValueError(f"the value of {name} would be stored with the run; name it in `pass_environment`")
        return environment


def _absolute(part: str, folder: Path, is_program: bool) -> str:
    if is_program and Path(part).name == part:
        return part
    try:
        # Links are kept: the interpreter of a virtual environment is one, and is found there only by its own name.
        return os.path.abspath(folder / part) if (folder / part).is_file() else part
    except (OSError, ValueError):
        return part  # a text, and too long or odd to be a path


AgentConfig = Annotated[
    IdleConfig | OracleConfig | ReferenceConfig | LlmConfig | CommandConfig, Field(discriminator="kind")
]


class UserSettings(_Config):
    """What every kind of user has: its kind. Those of plugins derive from it (docs/users.md)."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": True})

    kind: str

    @property
    def label(self) -> str:
        """What reports call such a user. Users of different labels are never pooled."""
        return self.kind


class UserConfig(UserSettings):
    """Who answers, of the kinds that come with the harness (docs/benchmarks/lhaw.md, The simulated user).

    `version` is that of the grounded user: 1 is kept so that what was measured with it can be measured again, and has
    no manners. `consent` `on` has version 1 let the agent go ahead where it ends its turn with a question; version 2
    always does.
    """

    model_config = ConfigDict(json_schema_extra={})

    kind: Literal["grounded", "scripted"] = "grounded"
    version: Literal[1, 2] = 2
    policy: Literal["segments", "original_prompt"] = "segments"
    deferral: Literal["best_judgment", "dont_know"] = "best_judgment"
    memory: Literal["off", "on"] = "off"
    probe: Literal["strict", "lenient"] = "strict"
    consent: Literal["off", "on"] = Field(default="off", exclude_if=lambda consent: consent == "off")
    manner: Literal["plain", "terse", "chatty", "one_at_a_time", "reluctant"] = Field(
        default="plain", exclude_if=lambda manner: manner == "plain"
    )
    script: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_manners(self) -> UserConfig:
        if self.version == 1 and self.manner != "plain":
            raise ValueError("`manner` is of version 2 of the grounded user; version 1 has none")
        return self

    @property
    def label(self) -> str:
        """With the version and manner of a grounded user: `grounded@2`, `grounded@2 (terse)`."""
        if self.kind != "grounded":
            return self.kind
        name = f"grounded@{self.version}"
        return name if self.manner == "plain" else f"{name} ({self.manner})"


def _persona(value: Any, info: ValidationInfo) -> Any:
    """A file's text in place of its path; what has a line end is the text already."""
    if not isinstance(value, str) or not value or "\n" in value:
        return value
    return _read(value, Path((info.context or {}).get("folder", "")), "persona")


Persona = Annotated[str, BeforeValidator(_persona)]
"""Who a user is, in words: the path of a text file, relative to the config, whose text takes its place (as `Prompts`).

A text with a line end is taken as it stands.
"""


def _as_llm(value: Any) -> Any:
    """A model's name alone, or its settings as an `llm` agent has them."""
    if isinstance(value, str):
        return {"kind": "llm", "model": value}
    return {"kind": "llm", **value} if isinstance(value, dict) else value


class ModelUserSettings(UserSettings):
    """Settings of a user whom a model speaks for: which model, and who the user is."""

    model: Annotated[LlmConfig, BeforeValidator(_as_llm)]
    persona: Persona = ""

    @property
    def label(self) -> str:
        """With its model, which is another user than the next one: `patient (local/m)`."""
        return f"{self.kind} ({self.model.model})"


_PUBLISHED = {"temperature": 0.7, "max_tokens": 500}
"""How the user of LHAW asks its model (appendix G.2)."""


class LlmUserConfig(ModelUserSettings):
    """A model tells what is asked for without knowing the values, then says them; needs a model.

    `profile` `paper` is LHAW's user instead: one call that sees original request, sent text and removed values, and
    remembers nothing. Where its model's settings do not say otherwise it has a temperature of 0.7 and 500 tokens.
    """

    model_config = ConfigDict(json_schema_extra={})

    kind: Literal["llm"] = "llm"
    profile: Literal["standard", "paper"] = "standard"

    @model_validator(mode="before")
    @classmethod
    def _as_published(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("profile") == "paper":
            model = _as_llm(data.get("model"))
            if isinstance(model, dict):
                return {**data, "model": {**_PUBLISHED, **model}}
        return data

    @model_validator(mode="after")
    def _has_a_persona(self) -> LlmUserConfig:
        if self.profile == "paper" and self.persona:
            raise ValueError("`persona` is of profile `standard`; the user of profile `paper` has none")
        return self


_OWN_USERS: dict[str, type[UserSettings]] = {"grounded": UserConfig, "scripted": UserConfig, "llm": LlmUserConfig}


def user_settings(kind: str) -> type[UserSettings]:
    """What a kind of user has for settings. Raises `KeyError` for one that is not there, and `BrokenUser`."""
    if kind in _OWN_USERS:
        return _OWN_USERS[kind]
    settings = brought(kind).config
    if not issubclass(settings, UserSettings):
        raise BrokenUser(f"plugins/{kind}: {settings.__name__} does not derive from `UserSettings`")
    return settings


def _user(value: Any, info: ValidationInfo) -> Any:
    """Settings as their kind has them: one of ours, or a plugin's."""
    if isinstance(value, UserSettings):
        return value
    if not isinstance(value, dict):
        raise PydanticKnownError("dict_type")
    kind = value.get("kind", "grounded")
    try:
        settings = user_settings(str(kind))
    except KeyError:
        problem = PydanticCustomError("user_kind", "no such kind of user", {"known": (*_OWN_USERS, *plugins())})
    except BrokenUser as error:
        problem = PydanticCustomError("user_plugin", "{why}", {"why": str(error)})
    else:
        return settings.model_validate(value, context=info.context)
    details = InitErrorDetails(type=problem, loc=("kind",), input=kind)
    raise ValidationError.from_exception_data("UserSettings", [details])


class Overlay(_Config):
    """What an agent sees of one app's tools in place of what they say of themselves; all by the tools' own names.

    `rename` maps tools to the names shown; `describe` a tool, or a parameter as `tool.parameter`, to its text;
    `hide` lists tools, and parameters as `tool.parameter` where a call goes without them.
    """

    rename: dict[str, str] = {}
    describe: dict[str, str] = {}
    hide: tuple[str, ...] = ()


class Disturbance(_Config):
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


Ask = Literal["off", "ask_user", "clarify"]
"""The app that an agent may ask the user with."""


class Condition(_Config):
    """One cell of an experiment.

    `end_of_turn` says where the end of an agent's turn goes: `session` ends the session, `user`
    hands what it said to the user, whose answer starts its next turn. `tools`: `all` offers every app of
    a task, `required` only those that the suite says it needs (WorkBench table 5). `overlays`, by app, change what
    the agent sees of an app's tools; records have the tools' own names. `disturbances` come between calls and tools:
    of several that would meet a call, the first does.
    """

    prompt: str = "original"
    ask: Ask = "off"
    notice: Literal["none", "may-be-missing", "do-not-ask"] = "none"
    persona: Literal["none", "supervisor", "standard", "executive"] = "none"
    end_of_turn: Literal["session", "user"] = "session"
    tools: Literal["all", "required"] = "all"
    toolsets: dict[str, str] = {}
    overlays: dict[str, Overlay] = Field(default={}, exclude_if=lambda overlays: not overlays)
    disturbances: tuple[Disturbance, ...] = Field(default=(), exclude_if=lambda disturbances: not disturbances)
    user: Annotated[SerializeAsAny[UserConfig | LlmUserConfig | UserSettings], BeforeValidator(_user)] = UserConfig()

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
            raise ValueError(f"the name of {kind} holds {odd!r}; write it in characters that can be seen")
        return name

    return check


class RunConfig(_Config):
    """A whole experiment, as one YAML file holds it (docs/cli.md, Config).

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
                            f"conditions.{name}.{setting}: over stdio each app is a server of its own, started as "
                            f"anybody starts it, and {what}; write transport `memory` or `http`"
                        )
        return self

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
