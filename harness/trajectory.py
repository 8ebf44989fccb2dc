"""Everything that happened in one trial. With the task, the only input of scoring.

These models are the published record format: `harness/schemas/trial.json` is generated from them.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from servers.kernel import Change

__all__ = (
    "RECORD_VERSION", "Asked", "CallRecord", "Message", "ModelCall", "Parent", "Process", "SessionRecord", "Trajectory",
    "Usage", "Write",
)  # fmt: skip

RECORD_VERSION = 1


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Write(_Record):
    """One row that one call wrote: its values afterwards, None where it was removed."""

    app: str
    table: str
    id: str
    values: dict[str, Any] | None


class Asked(_Record):
    """One question that reached the user: what it targeted, what the answer revealed."""

    text: str
    context: str = ""
    answer: str
    targets: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    strategy: str = Field(default="", description="Of `clarify`: which of its kinds of question it was.")
    candidates: tuple[str, ...] = Field(default=(), description="Of `clarify`: the answers that it offered.")


class CallRecord(_Record):
    """One tool call as the server saw it.

    `status`: `ok`; `failed` (refused on purpose), `invalid` (arguments that do not fit), `unknown`
    (no such tool), `garbled` (could not be read, or holds what no record could keep: it reached no app, `arguments`
    has the start of what was sent as `raw`); `defect` and `fault` are not the agent's doing.
    """

    n: int
    session: int
    turn: int
    app: str
    tool: str
    arguments: dict[str, Any]
    status: Literal["ok", "failed", "invalid", "unknown", "garbled", "defect", "fault"]
    text: str
    data: dict[str, Any] | None = None
    writes: list[Write] = []
    asked: list[Asked] = []


class Process(_Record):
    """How an external program went, beside what it printed (`harness.agents.command`).

    `exit` is its status (negative: the signal that ended it), None where it was killed at a limit. `isolation`
    is what kept it from the rest of the machine. `killed` counts the processes that had to be ended, its own
    among them. `cut` is the number of bytes left out of what it printed, both streams together.
    """

    isolation: Literal["none", "bwrap", "container"]
    exit: int | None
    stderr: str = ""
    killed: int = 0
    cut: int = 0


class Message(_Record):
    """One message of the conversation, in the chat-completions shape.

    `calls` are the tool calls of an assistant message: id, name and arguments as the model gave them.
    `process` is there where the message is what an external program printed.
    """

    session: int
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: list[dict[str, Any]] = []
    call_id: str = ""
    process: Process | None = None


class Usage(_Record):
    """Tokens of one or more model calls, and their price in US dollars; None where it is unknown."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        unknown = self.cost_usd is None or other.cost_usd is None
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost_usd=None if unknown else (self.cost_usd or 0) + (other.cost_usd or 0),
        )


class ModelCall(_Record):
    """One request to a model and its reply, whole; secrets are never part of it.

    `purpose` is `agent`, `user` or `judge`. `attempts` counts tries, the last one included.
    """

    session: int
    turn: int
    purpose: Literal["agent", "user", "judge"]
    request: dict[str, Any]
    response: dict[str, Any]
    usage: Usage = Usage()
    attempts: int = 1


class SessionRecord(_Record):
    """How one session went: what was asked, the last thing said, and the state it left."""

    request: str
    now: str
    reply: str = ""
    changes: list[Change] = []
    digest: str = ""


class Parent(_Record):
    """The trial that a fork went on from: the calls before `step` are its calls."""

    run: str
    trial: str
    step: int


class Trajectory(_Record):
    """One agent on one task under one condition, once.

    `status`: `finished`; `limit`, `crashed` (both the agent's failure); `void` (not its doing).
    `changes` is the normalised delta from the task's start to the end, `digest` names world, start and end.
    `tries` are earlier tries of the same trial, whole, each in a sandbox of its own: each was given up because
    the agent made no action that could be read (`LlmConfig.resample`). All else is of the last try, save
    `usage` and `seconds`, which are of all tries together.
    """

    version: Literal[1] = 1
    suite: str
    task: str
    task_hash: str
    agent: str
    condition: str
    trial: int
    seed: int
    prompt: str
    status: Literal["finished", "limit", "crashed", "void"]
    reason: str = ""
    sessions: list[SessionRecord] = []
    messages: list[Message] = []
    calls: list[CallRecord] = []
    model_calls: list[ModelCall] = []
    start: list[Change] = Field(default=[], description="The setup's own changes to the world.")
    changes: list[Change] = []
    defaults: dict[str, dict[str, Any]] = Field(
        default={},
        description="Of tables (`app.table`) with a new row in `changes`: what a field has where nobody sets it, "
        "if not null. New rows are compared without such values.",
    )
    digest: str = ""
    world: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    transport: str = "memory"
    package: str = ""
    tries: list[Trajectory] = []
    parent: Parent | None = None
    canary: bool = Field(default=False, description="A run's canary stood in what the agent said or sent.")

    @property
    def questions(self) -> list[Asked]:
        return [asked for call in self.calls for asked in call.asked]
