"""Settings of agents."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from harness.core.secrets import looks_secret

__all__ = (
    "KINDS", "PLACEHOLDERS", "AgentConfig", "Aspect", "CodeAct", "CommandConfig", "FunctionConfig", "IdleConfig",
    "LlmConfig", "OracleConfig", "PlanExecute", "Price", "Prompts", "ReferenceConfig", "Reflexion", "Rewoo", "Settings",
    "SingleShot", "no_url", "read_text",
)  # fmt: skip


class Settings(BaseModel):
    """A part of a config: what is not known in it is refused, and so are numbers that are none."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _no_truth(cls, data: Any) -> Any:
        """Pydantic takes `true` for 1."""
        for name, value in data.items() if isinstance(data, Mapping) else ():
            if isinstance(value, bool) and name in cls.model_fields:
                kinds = _kinds(cls.model_fields[name].annotation)
                if (int in kinds or float in kinds) and bool not in kinds:
                    raise ValueError(f"{name}: must be a number, not `{str(value).lower()}`")
        return data


def _kinds(annotation: Any) -> tuple[Any, ...]:
    """What a value may be: of a union each."""
    return get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)


def _is_written(info: ValidationInfo) -> bool:
    """Whether a config is read, and not what was played with one: what was taken once is read as it is."""
    return info.context is not None


class IdleConfig(Settings):
    """Does nothing: the floor that every table shows."""

    kind: Literal["idle"]
    name: str = "idle"


class OracleConfig(Settings):
    """Plays the reference solution: the ceiling, and the proof that a suite can be solved."""

    kind: Literal["oracle"]
    name: str = "oracle"


class ReferenceConfig(Settings):
    """A seeded policy with a program over a task's slots; each dial is a probability.

    `settings` are the suite's own, by name: it says which there are (`Suite.settings`), and refuses others.
    """

    kind: Literal["reference"]
    name: str = "reference"
    explore: float = Field(default=1.0, ge=0, le=1)
    ask: float = Field(default=1.0, ge=0, le=1)
    guess: float = Field(default=0.0, ge=0, le=1)
    settings: dict[str, bool | int | float | str] = Field(default={}, exclude_if=lambda settings: not settings)


class Price(Settings):
    """US dollars per million tokens, for a model that LiteLLM has no price of."""

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)


class Prompts(Settings):
    """Jinja2 templates that take the place of the agent's own (docs/llm-agent.md); empty keeps it.

    Given as the path of a `.j2` file or as the template itself. A file's text takes the place of its path
    when the config is loaded, so that it is stored with the run and part of its identity. A path is
    relative to `folder` of the validation context, else to the working directory.
    """

    system: str = ""
    react: str = ""
    summary: str = Field(default="", exclude_if=lambda text: not text)
    attempt: str = Field(default="", exclude_if=lambda text: not text)
    score: str = Field(default="", exclude_if=lambda text: not text)
    reflection: str = Field(default="", exclude_if=lambda text: not text)
    plan: str = Field(default="", exclude_if=lambda text: not text)
    work: str = Field(default="", exclude_if=lambda text: not text)
    solve: str = Field(default="", exclude_if=lambda text: not text)
    steps: str = Field(default="", exclude_if=lambda text: not text)
    step: str = Field(default="", exclude_if=lambda text: not text)
    codeact: str = Field(default="", exclude_if=lambda text: not text)

    @field_validator("*", mode="before")
    @classmethod
    def _template(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, str) or not value:
            return value
        text = read_text(value, Path((info.context or {}).get("folder", "")), "template") if _is_path(value) else value
        _check_template(
            text, _VARIABLES[info.field_name or ""], f"template {value!r}" if _is_path(value) else "template"
        )
        return text


_DESK = {"system", "now", "day"}
_VARIABLES: dict[str, set[str]] = {
    "system": _DESK,
    "react": {*_DESK, "tools"},
    "summary": set(),
    "attempt": {"message", "reflections"},
    "score": {"rubric"},
    "reflection": {"number", "ended"},
    "plan": {*_DESK, "tools"},
    "work": set(),
    "solve": {*_DESK, "tools"},
    "steps": {*_DESK, "tools"},
    "step": {"request", "done", "step"},
    "codeact": {*_DESK, "tools"},
}
"""What a template of each name may use."""


def _is_path(value: str) -> bool:
    return value.endswith(".j2") and "\n" not in value


def read_text(value: str, folder: Path, what: str) -> str:
    path = folder / value
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"the {what} {str(path)!r} cannot be read: {error}") from None
    if not text.strip():
        raise ValueError(f"the {what} {str(path)!r} is empty")
    return text if text.endswith("\n") else f"{text}\n"


def _check_template(text: str, known: set[str], what: str) -> None:
    from jinja2 import TemplateSyntaxError, meta

    from harness.core.templates import Templates

    templates = Templates()
    try:
        tree = templates.parse(text)
        used = meta.find_undeclared_variables(tree)
    except TemplateSyntaxError as error:
        raise ValueError(f"line {error.lineno} of the {what}: {error.message}") from None
    for name in sorted(used - known):
        raise ValueError(f"the {what} uses {name!r}; it may use {', '.join(sorted(known)) or 'no names'}")
    if refused := templates.refused(tree):
        line, why = refused
        raise ValueError(f"line {line} of the {what}: {why}")


class Aspect(Settings):
    """One thing that an agent scores its own work by, from 0 to 1: what it is to look at, and how much that weighs."""

    name: str = Field(min_length=1)
    weight: float = Field(gt=0)
    about: str = Field(min_length=1)


class Reflexion(Settings):
    """Several `attempts` at a request by strategy `by`, each of at most `turns` turns, of which one is carried out.

    After each the model scores its own work, by `rubric`, else by the suite's or our own; at `stop` or more there is no
    further attempt, else it is told its last `memory` reflections. `commit` is the attempt with the best score (of
    equals the last), or the last as published.
    """

    by: Literal["react", "tools"] = "react"
    attempts: int = Field(default=2, ge=1)
    turns: int = Field(default=20, ge=1)
    stop: float = Field(default=0.8, ge=0, le=1)
    memory: int = Field(default=2, ge=0)
    commit: Literal["best", "last"] = "best"
    rubric: tuple[Aspect, ...] = ()

    @field_validator("rubric")
    @classmethod
    def _distinct(cls, rubric: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        names = [aspect.name for aspect in rubric]
        if twice := next((name for name in names if names.count(name) > 1), ""):
            raise ValueError(f"there are two aspects {twice!r}: give each its own name")
        return rubric


class SingleShot(Settings):
    """`think`: whether the model is told to think as long as it likes, or (false) to answer straight away."""

    think: bool = True


class Rewoo(Settings):
    """`defaults`: tool as models call it -> arguments that its steps have where the plan gives none."""

    defaults: dict[str, dict[str, Any]] = {}


class PlanExecute(Settings):
    """At most `steps` steps in a turn, each carried out by strategy `by`."""

    by: Literal["react", "tools"] = "react"
    steps: int = Field(default=20, ge=1)


class CodeAct(Settings):
    """What a block of code may take: `seconds` of computing, tools aside, and memory; `output` characters are shown."""

    seconds: float = Field(default=5, gt=0, allow_inf_nan=False)
    memory_mb: int = Field(default=64, ge=1, le=4096)
    output: int = Field(default=4000, ge=100)


class LlmConfig(Settings):
    """A model through LiteLLM.

    `strategy`: `tools` is native tool calling, `react` the text protocol of WorkBench (appendix A.5) for
    models without it; `single_shot` shows it everything at once and takes one answer, where the suite can tell a
    task so; `codeact` has it write Python that calls the tools; the others are built on the first two
    (docs/llm-agent.md). All but the first two have settings of their own name.
    A conversation that takes more than `summary_above` tokens is summed up. After `patience` replies in a
    row without a call that can be made out, the agent has failed. A trial that failed so is tried again,
    up to `resample` times, each in a fresh sandbox and at `resample_temperature` (WorkBench section 4.4);
    the last try counts. A `temperature` of 0 is left out for a model that takes none, and null for all.
    """

    kind: Literal["llm"]
    name: str = ""
    model: str
    strategy: Literal["tools", "react", "single_shot", "reflexion", "rewoo", "plan_execute", "codeact"] = "tools"
    reflexion: Reflexion | None = Field(default=None, exclude_if=lambda settings: settings is None)
    single_shot: SingleShot | None = Field(default=None, exclude_if=lambda settings: settings is None)
    rewoo: Rewoo | None = Field(default=None, exclude_if=lambda settings: settings is None)
    plan_execute: PlanExecute | None = Field(default=None, exclude_if=lambda settings: settings is None)
    codeact: CodeAct | None = Field(default=None, exclude_if=lambda settings: settings is None)
    summary_above: int | None = Field(default=None, ge=1, exclude_if=lambda tokens: tokens is None)
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

    @field_validator("api_base")
    @classmethod
    def _a_url(cls, url: str | None, info: ValidationInfo) -> str | None:
        if url is not None and _is_written(info) and (problem := no_url(url)):
            raise ValueError(f"{problem}, or leave it out")
        return url

    @model_validator(mode="after")
    def _of_its_strategy(self) -> LlmConfig:
        for name in ("reflexion", "single_shot", "rewoo", "plan_execute", "codeact"):
            if getattr(self, name) is not None and self.strategy != name:
                raise ValueError(f"`{name}` holds settings of strategy {name}, and strategy is {self.strategy}")
        if self.summary_above is not None and self.strategy == "rewoo":
            raise ValueError("`summary_above` is for conversations, and strategy rewoo has none")
        return self


def no_url(text: str) -> str:
    """Why no model can be served there; empty where one may be. The text itself is not told: it may hold a password."""
    example = "write a URL, such as http://127.0.0.1:8000/v1"
    if not re.fullmatch(r"https?://[^\s\0]+", text, re.IGNORECASE):
        return example
    try:
        url = urlsplit(text)
        url.port  # noqa: B018 - raises for what is none
    except ValueError:
        return "write a URL with a number for its port, and `/`, `?` and `#` in a password as %2F, %3F and %23"
    if re.match(r"[^:]+://[^/?#@\]]*:\d*[/?#].*@", text):  # digits of a password pass for a port, and all is stored
        return "write `/`, `?` and `#` in a password as %2F, %3F and %23, and an `@` behind the host as %40"
    return "" if url.hostname else example


PLACEHOLDERS: Final = ("mcp_config", "request_file", "request", "system", "python")
"""What a program's command may have in braces. Anything else in braces stays as it is."""


class CommandConfig(Settings):
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

    @field_validator("command", "environment", "pass_environment", "readable", "image")
    @classmethod
    def _can_be_given(cls, value: Any, info: ValidationInfo) -> Any:
        """No process takes a NUL, nor a variable whose name is empty or has an equals sign."""
        if not _is_written(info):
            return value
        names = value if isinstance(value, Mapping) else value if info.field_name == "pass_environment" else ()
        if odd := [name for name in names if not name or "=" in name or "\0" in name]:
            raise ValueError(f"no variable can have the name {odd[0]!r:.60}")
        texts = value.values() if isinstance(value, Mapping) else [value] if isinstance(value, str) else value
        if any("\0" in text for text in texts):
            raise ValueError("there is a NUL (\\0) in it, which no program can be given; leave it out")
        return value

    @field_validator("command")
    @classmethod
    def _whole(cls, command: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        if _is_written(info):
            for number, part in enumerate(command):
                _check_placeholders(part, number)
        if not any("{mcp_config}" in part for part in command):
            raise ValueError("no argument has {mcp_config}, so the program could not find its apps")
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


class FunctionConfig(Settings):
    """A Python function, given to `harness.evaluate` (docs/python.md). Name and version stand for what it does."""

    kind: Literal["function"]
    name: str
    version: str = Field(min_length=1, max_length=200)


def _check_placeholders(part: str, number: int) -> None:
    """Refuse what looks like a misspelt placeholder: a word in braces that is all of an argument, or close to one.

    Any other may be meant, as in `${HOME}`, or in what `awk` and `jq` are told.
    """
    for word in re.findall(r"(?<!\$)\{([A-Za-z_]+)\}", part):
        if word in PLACEHOLDERS:
            continue
        close = get_close_matches(word.lower(), PLACEHOLDERS, n=1, cutoff=0.7)
        if close or re.fullmatch(rf"(-[\w-]+=)?\{{{word}\}}", part):
            known = ", ".join(f"{{{name}}}" for name in PLACEHOLDERS)
            raise ValueError(
                f"argument {number} has {{{word}}}, which stands for nothing."
                f"{f' Did you mean {{{close[0]}}}?' if close else ''} Known: {known}. "
                f"If it is meant as it stands, write it with spaces: {{ {word} }}"
            )


def _absolute(part: str, folder: Path, is_program: bool) -> str:
    if is_program and Path(part).name == part:
        return part
    try:
        # Links are kept: the interpreter of a virtual environment is one, and is found there only by its own name.
        return os.path.abspath(folder / part) if (folder / part).is_file() else part
    except (OSError, ValueError):
        return part  # a text, and too long or odd to be a path


AgentConfig = Annotated[
    IdleConfig | OracleConfig | ReferenceConfig | LlmConfig | CommandConfig | FunctionConfig,
    Field(discriminator="kind"),
]

KINDS: Mapping[str, type[Settings]] = {
    "idle": IdleConfig,
    "oracle": OracleConfig,
    "reference": ReferenceConfig,
    "llm": LlmConfig,
    "command": CommandConfig,
    "function": FunctionConfig,
}
