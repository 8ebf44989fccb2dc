"""Which fields of a record hold what somebody said, and may therefore hold a secret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from harness.core.config import (
    Aspect,
    CommandConfig,
    LlmConfig,
    ModelUserSettings,
    Overlay,
    Prompts,
    Rewoo,
    UserConfig,
)
from harness.core.scores import Criterion, Score
from harness.core.secrets import Secrets
from harness.core.trajectory import (
    AnswerRecord,
    Arrival,
    Asked,
    CallRecord,
    HandOver,
    Landing,
    Message,
    ModelCall,
    Process,
    QuestionRecord,
    Request,
    SessionRecord,
    Trajectory,
    Write,
)
from servers.kernel import Change, Part

__all__ = ("SAID", "hidden")

Model = TypeVar("Model", bound=BaseModel)

SAID: Mapping[type[BaseModel], frozenset[str]] = {
    AnswerRecord: frozenset({"text"}),
    Arrival: frozenset({"text"}),
    Asked: frozenset({"text", "context", "answer", "candidates"}),
    Aspect: frozenset({"about"}),
    CallRecord: frozenset({"tool", "arguments", "text", "data"}),
    Change: frozenset({"before", "after"}),
    CommandConfig: frozenset({"command", "environment", "readable"}),
    Criterion: frozenset({"evidence", "reason"}),
    HandOver: frozenset({"text"}),
    Landing: frozenset({"text", "data"}),
    LlmConfig: frozenset({"api_base", "extra"}),
    Message: frozenset({"content", "calls", "call_id"}),
    ModelCall: frozenset({"request", "response", "problem"}),
    ModelUserSettings: frozenset({"persona"}),
    Overlay: frozenset({"describe"}),
    Part: frozenset({"text"}),
    Process: frozenset({"stderr"}),
    Prompts: frozenset(Prompts.model_fields),
    QuestionRecord: frozenset({"text", "context", "candidates"}),
    Request: frozenset({"text"}),
    Rewoo: frozenset({"defaults"}),
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
    said = next((SAID[kind] for kind in type(model).__mro__ if kind in SAID), frozenset[str]())
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
