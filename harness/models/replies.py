"""What comes of asking a model: a reply, from whoever gives it, or the reason why there is none.

A request that cannot be answered raises one of three, which mean different things for a trial:

Fault                 void
├── ModelError        the caller's to mend: name, key, parameters, cassette. Never retried
└── ModelFault        the provider or the network failed, retries included
ContextWindow         the conversation no longer fits the model: the agent hit a limit
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict

from harness.core.trajectory import CutShort, Usage
from servers.kernel import Fault

__all__ = ("Completes", "Completion", "ContextWindow", "ModelError", "ModelFault", "ToolCall")


class ModelError(Fault):
    """A request that no retry can mend; names the model and the remedy."""

    def __init__(self, model: str, problem: str) -> None:
        super().__init__(f"model {model!r}: {problem}")
        self.model = model


class ModelFault(Fault):
    """The provider or the network failed, after retries."""

    def __init__(self, model: str, attempts: int, problem: str) -> None:
        super().__init__(f"model {model!r} failed in {attempts} attempt{'s' * (attempts > 1)}: {problem}")
        self.model, self.attempts = model, attempts


class ContextWindow(Exception):
    """The conversation is longer than the model can take."""

    def __init__(self, model: str, problem: str) -> None:
        super().__init__(f"model {model!r}: the conversation does not fit: {problem}")
        self.model = model


class ToolCall(NamedTuple):
    """A tool call as the model gave it: `arguments` is its raw text, JSON or not."""

    id: str
    name: str
    arguments: str


class Completion(BaseModel):
    """A model's reply with the request that led to it, both whole, as JSON and without secrets."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    request: dict[str, Any]
    response: dict[str, Any]
    usage: Usage
    attempts: int = 1
    seconds: float = 0.0
    """How long the attempt took that was answered."""
    waited: float = 0.0
    """How long before that there was no room for it in its rate (`harness.models.rate_limit`), or attempts failed."""

    @property
    def text(self) -> str:
        return _text(self._message.get("content"))

    @cached_property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tool calls in the order given."""
        given = [(call.get("id"), call.get("function") or {}) for call in self._message.get("tool_calls") or ()]
        return tuple(ToolCall(_text(id), _text(f.get("name")), _text(f.get("arguments"))) for id, f in given)

    @property
    def ended(self) -> Literal["", CutShort]:
        """How the reply came to no ordinary end; "" where it did. LiteLLM has the reasons of all providers as these."""
        match self.response["choices"][0].get("finish_reason"):
            case "length":
                return "length"
            case "content_filter":
                return "content_filter"
        return "" if self.text.strip() or self.calls else "empty"

    @property
    def _message(self) -> dict[str, Any]:
        message: dict[str, Any] = self.response["choices"][0]["message"]
        return message


class Completes(Protocol):
    """Whatever replies to a conversation: `Model`, a recording, or anything else."""

    async def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
    ) -> Completion: ...


def _text(part: Any) -> str:
    """What should be text in a reply, of a provider that sends something else there as well."""
    return part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) if part else ""
