"""What goes over the wire of the sandbox service. Its OpenAPI description is generated from these models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator

from harness.core.config import (
    ROUNDS,
    Ask,
    IntentUserConfig,
    PersonaUserConfig,
    PlaceboUserConfig,
    UserConfig,
    UserSettings,
)
from harness.core.scores import Score
from harness.core.validation import own_words
from servers.kernel import excerpt, quoted, untimely

__all__ = (
    "START", "Calls", "Created", "Diff", "Fork", "Listing", "NewSandbox", "NewSnapshot", "Problem", "Restore",
    "RowChange", "SandboxInfo", "Scores", "ServedUser", "Snapshot", "Summary", "problems",
)  # fmt: skip

_NAME = r"^[A-Za-z0-9_.-]{0,64}$"
_SHOWN, _SHOWN_WHERE = 10, 100
"""Problems that an answer lists, and characters of where each of them is."""

START = "start"
"""The snapshot that every sandbox has: its state before the first call."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


_KINDS: Final[Mapping[str, type[UserSettings]]] = {
    "grounded": UserConfig,
    "scripted": UserConfig,
    "persona": PersonaUserConfig,
    "placebo": PlaceboUserConfig,
    "intents": IntentUserConfig,
}
"""Users that need no model, which whoever runs the server would pay for, and no file of the server's."""


def _served(value: Any) -> Any:
    """Settings as their kind has them, or that kind alone. Raises `ValueError` for what is not served."""
    if isinstance(value, str):
        value = {"kind": value}
    if isinstance(value, UserSettings):
        return value
    if not isinstance(value, dict):
        raise ValueError('it is an object such as {"kind": "grounded"}, or its kind alone')
    kind = value.get("kind", "grounded")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"users of kind {quoted(kind)} do not answer here; those of kind {', '.join(_KINDS)} do")
    fields = _KINDS[kind].model_fields
    if strange := [name for name in value if name not in fields]:
        why = "here no model speaks for a user, and" if strange[0] == "model" else ""
        raise ValueError(f"{why} a {kind} user has no setting {quoted(strange[0])}; it has {', '.join(fields)}".strip())
    return _KINDS[kind].model_validate(value)


ServedUser = Annotated[UserConfig | PersonaUserConfig | PlaceboUserConfig | IntentUserConfig, BeforeValidator(_served)]
"""Whoever answers in a sandbox of the service."""


class NewSandbox(_Model):
    """What to create: a sandbox over a world, or one set up for a task of a suite.

    With neither, the world that the server was started with.
    """

    world: str = Field(default="", description="A suite's starting rows: `SUITE` or `SUITE:WORLD`.")
    suite: str = Field(default="", description="With `task`: the suite it is from.")
    task: str = Field(default="", description="With `suite`: the id of a task with one session.")
    prompt: str = Field(default="original", description="Which wording of the task's request.")
    ask: Ask = Field(
        default="off",
        description="`ask_user` or `clarify` adds that app; `user` answers, from what the task's request withholds.",
    )
    user: ServedUser = UserConfig()
    rounds: int = Field(default=ROUNDS, ge=1, description="With `ask: clarify`: the questions that are answered.")
    apps: tuple[str, ...] | None = Field(
        default=None,
        json_schema_extra={"minItems": 1},
        description="Which apps; by default the task's, else those that the server serves by default.",
    )
    toolsets: dict[str, str] = Field(default={}, description="App to tool surface, where not the usual one.")
    now: datetime | None = Field(default=None, description="The time inside, if not the world's or the task's.")

    @model_validator(mode="after")
    def _one_source(self) -> NewSandbox:
        if bool(self.suite) != bool(self.task):
            raise ValueError("a task is named by `suite` and `task` together")
        if self.world and self.task:
            raise ValueError("give `world`, or `suite` and `task`, not both")
        if not self.task and (self.ask != "off" or self.prompt != "original"):
            raise ValueError("`prompt` and `ask` need a task: a world has no request, and nobody to ask about one")
        if self.apps is not None and not self.apps:
            raise ValueError("`apps` names none: leave it out for the usual ones")
        if self.now is not None and self.now.tzinfo is not None:
            raise ValueError("`now` is a local time: leave the time zone out")
        if self.now is not None and (why := untimely(self.now)):
            raise ValueError(f"`now` {why}")
        return self


class SandboxInfo(_Model):
    """A sandbox, to whoever has its control token."""

    id: str = Field(description="32 hexadecimal digits; part of the agent's URLs, and unguessable.")
    urls: dict[str, str] = Field(description="App to the URL of its MCP server (streamable HTTP).")
    suite: str = ""
    task: str = ""
    prompt: str = ""
    request: str = Field(default="", description="With a task: what to tell the agent in the session under way.")
    session: int = Field(default=0, description="With a task: the number of the session under way, from 0.")
    sessions: int = Field(default=0, description="With a task: how many it has; without one 0.")
    system: str = Field(default="", description="With a task: the suite's instructions to any agent.")
    now: datetime = Field(description="The time inside the sandbox.")
    calls: int = Field(description="Tool calls on record.")
    snapshots: list[str] = Field(description="Names that `restore`, `fork` and `diff` take.")
    digest: str = Field(description="SHA-256 of the state: equal if and only if two states are.")
    expires_in: float | None = Field(description="Seconds without use after which it is gone; null: never.")


class Created(SandboxInfo):
    """A new sandbox. The control token is told once, here."""

    control_token: str = Field(description="For the `Control-Token` header. Keep it from the agent.")


class Summary(_Model):
    """A sandbox, to anyone: not enough of its id to reach it."""

    prefix: str = Field(description="The first eight digits of the id.")
    apps: list[str]
    suite: str = ""
    task: str = ""
    calls: int
    idle: float = Field(description="Seconds since its last use.")


class Listing(_Model):
    """The sandboxes there are, least recently used first."""

    sandboxes: list[Summary]


class NewSnapshot(_Model):
    """What to call a snapshot."""

    name: str = Field(
        default="", json_schema_extra={"pattern": _NAME}, description="By default the next free number, from 1."
    )

    @field_validator("name")
    @classmethod
    def _short(cls, name: str) -> str:
        if not re.fullmatch(_NAME, name):
            raise ValueError("use up to 64 letters (A to Z), digits, `_`, `-` and `.`; without a name it gets a number")
        return name


class Snapshot(_Model):
    """A state that can be gone back to."""

    name: str
    digest: str
    calls: int


class Restore(_Model):
    """Which state to go back to."""

    snapshot: str = START


class Fork(_Model):
    """Where a copy starts: a snapshot, or empty for the state as it is."""

    snapshot: str = ""


class RowChange(_Model):
    """One row that differs. `before` is null for an insert, `after` for a delete; ids are left out of both."""

    op: Literal["insert", "update", "delete"]
    app: str
    table: str
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class Diff(_Model):
    """What differs from a snapshot, by app, table and id; changed and changed back is no difference."""

    since: str
    changes: list[RowChange]
    digest: str


class Calls(_Model):
    """Tool calls as the server saw them: `CallRecord` objects of `trial.json`."""

    calls: list[dict[str, Any]]


class Scores(_Model):
    """What the suite's checks say, from the recorded calls and changes alone."""

    suite: str
    suite_version: str
    task: str
    task_hash: str
    scores: dict[str, Score]
    calls: int
    digest: str


class Problem(_Model):
    """What was wrong, and what would be right."""

    error: str = Field(description="A short class: `unauthorized`, `not_found`, `invalid`, ...")
    message: str


def problems(error: ValidationError, model: type[BaseModel]) -> str:
    """What does not fit a model, in one line that names each field, of very many the first."""
    found = error.errors()
    more = [f"and {len(found) - _SHOWN:,} more"] if len(found) > _SHOWN else []
    return "; ".join([*(_problem(each, model) for each in found[:_SHOWN]), *more])


def _problem(error: Any, model: type[BaseModel]) -> str:
    where = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return f"unknown field {quoted(where)}; there are {', '.join(model.model_fields)}"
    text = own_words(error["msg"])
    return f"{excerpt(where, _SHOWN_WHERE)}: {text}" if where else text
