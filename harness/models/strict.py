"""Replies that fit a schema, asked for until one does (`harness.models.readable`) and stored whole.

It has no opinion on prompts: whoever asks says in the messages what is wanted, and in which form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from harness.core.trajectory import Usage
from harness.models.readable import TRIES, Messages, Replied, Unreadable, until_readable
from harness.models.replies import Completes

__all__ = ("Strict", "StrictCall", "Unparsable")

T = TypeVar("T")

_SHOWN = 3
"""Problems of one reply that the model is told."""


class StrictCall(BaseModel):
    """One request for a strict reply, whole and without secrets. `problem` says what was wrong with the reply."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    purpose: str
    request: dict[str, Any]
    response: dict[str, Any]
    usage: Usage = Usage()
    attempts: int = 1
    problem: str = ""


class Unparsable(Exception):
    """No reply of three could be read; `problem` says what was wrong with the last."""

    def __init__(self, purpose: str, problem: str) -> None:
        super().__init__(f"none of {TRIES} replies could be read ({purpose}); of the last: {problem}")
        self.problem = problem


class Strict:
    """Asks a model for JSON of a schema; an argument for those who may not know where models come from.

    `keep` is told of each call as soon as it is answered, so that nothing paid for is lost, whatever comes after.
    """

    def __init__(self, model: Completes, purpose: str, keep: Callable[[StrictCall], object]) -> None:
        self._model, self._purpose, self._keep = model, purpose, keep

    async def __call__(self, messages: Messages, schema: type[T] | TypeAdapter[T]) -> T:
        """The reply as the schema reads it: JSON alone, or in one Markdown fence.

        Raises `Unparsable`, and whatever the model raises: `ModelError`, `ModelFault`, `ContextWindow`.
        """
        adapter: TypeAdapter[T] = schema if isinstance(schema, TypeAdapter) else TypeAdapter(schema)
        try:
            return await until_readable(messages, self._ask, partial(_read, adapter), partial(_again, adapter))
        except Unreadable as error:
            raise Unparsable(self._purpose, str(error)) from None

    async def _ask(self, messages: Messages) -> Replied:
        completion = await self._model.complete(messages)
        call = completion.model_dump(include={"request", "response", "attempts"})

        def keep(problem: str) -> None:
            self._keep(StrictCall(purpose=self._purpose, usage=completion.usage, problem=problem, **call))

        return completion.text, keep


def _read(adapter: TypeAdapter[T], text: str) -> T:
    """Raises ValueError, with what the model is told."""
    try:
        return adapter.validate_json(_bare(text))
    except ValidationError as error:
        raise ValueError(_told(error)) from None


def _bare(text: str) -> str:
    """The text without one fence around it, as models like to put there."""
    text = text.strip()
    if len(text) < 6 or not (text.startswith("```") and text.endswith("```")):
        return text
    return text[3:-3].removeprefix("json")


def _told(error: ValidationError) -> str:
    """The first few problems in a few words, without the reply itself."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    shown = [f"{'.'.join(map(str, each['loc'])) or 'the reply'}: {each['msg']}" for each in found[:_SHOWN]]
    return "; ".join(shown)[:1000]


def _again(adapter: TypeAdapter[Any], problem: str) -> str:
    from json import dumps

    schema = dumps(adapter.json_schema(), ensure_ascii=False)
    return f"That could not be read: {problem}. Reply with nothing but JSON of this schema: {schema}"
