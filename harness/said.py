"""Which fields of a record hold what somebody said, and may therefore hold a secret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from harness.config import CommandConfig, LlmConfig, Prompts, UserConfig
from harness.score import Score
from harness.secrets import Secrets
from harness.trajectory import (
    Asked,
    CallRecord,
    Message,
    ModelCall,
    Process,
    SessionRecord,
    Trajectory,
    Write,
)
from servers.kernel import Change

__all__ = ("SAID", "hidden")

Model = TypeVar("Model", bound=BaseModel)

SAID: Mapping[type[BaseModel], frozenset[str]] = {
    Asked: frozenset({"text", "context", "answer", "candidates"}),
    CallRecord: frozenset({"tool", "arguments", "text", "data"}),
    Change: frozenset({"before", "after"}),
    CommandConfig: frozenset({"command", "environment", "readable"}),
    LlmConfig: frozenset({"api_base", "extra"}),
    Message: frozenset({"content", "calls", "call_id"}),
    ModelCall: frozenset({"request", "response"}),
    Process: frozenset({"stderr"}),
    Prompts: frozenset({"system", "react"}),
    Score: frozenset({"reason", "detail"}),
    SessionRecord: frozenset({"request", "reply"}),
    Trajectory: frozenset({"reason"}),
    UserConfig: frozenset({"script"}),
    Write: frozenset({"values"}),
}
"""What models, agents, programs, tools and users said or wrote, and settings in free text. Every other field is a
name, an id, a hash, a number or one of few words: hiding there would make a record unreadable or another's."""


def hidden(model: Model, secrets: Secrets) -> Model:
    """A copy whose said fields are without secrets, however deep they lie; all others are as they were."""
    said = SAID.get(type(model), frozenset())
    return model.model_copy(
        update={
            name: secrets.hidden(value) if name in said else _inside(value, secrets)
            for name, value in model.__dict__.items()
        }
    )


def _inside(value: Any, secrets: Secrets) -> Any:
    if isinstance(value, BaseModel):
        return hidden(value, secrets)
    if isinstance(value, list | tuple):
        return type(value)(_inside(item, secrets) for item in value)
    if isinstance(value, dict):
        return {key: _inside(item, secrets) for key, item in value.items()}
    return value
