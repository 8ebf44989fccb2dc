"""The model that speaks for a user: somebody hears of its every reply, and it is asked again where one will not do."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from harness.core.trajectory import ModelCall
from harness.models.readable import TRIES, Messages, Replied, Unreadable, until_readable
from harness.models.replies import Completes, Completion, ContextWindow
from servers.kernel import UserFault

__all__ = ("UserModel",)

T = TypeVar("T")


class UserModel:
    """The model that speaks for a user: `keep` is told of each reply, whatever the user makes of it."""

    def __init__(self, model: Completes, keep: Callable[[ModelCall], object]) -> None:
        self._model, self._keep = model, keep

    async def complete(self, messages: Messages, tools: Sequence[Mapping[str, Any]] = ()) -> Completion:
        """The model's reply. Raises `Fault`, also where the conversation has outgrown the model: no agent's doing."""
        completion, call = await self._ask(messages, tools)
        self._keep(call)
        return completion

    async def checked(self, messages: Messages, read: Callable[[str], T]) -> T:
        """What `read` makes of the model's reply.

        Where it raises `ValueError` the model is told why and asked again, twice at most; what was wrong is on record
        with each such reply. Raises `UserFault` where none would do, and as `complete` does.
        """
        try:
            return await until_readable(messages, self._replied, read, _again)
        except Unreadable as error:
            problem = f"none of {TRIES} replies of the user's model could be used; the last one: {error}"
            raise UserFault(problem) from None

    async def _replied(self, messages: Messages) -> Replied:
        completion, call = await self._ask(messages)

        def keep(problem: str) -> None:
            self._keep(call.model_copy(update={"problem": problem}))

        return completion.text, keep

    async def _ask(self, messages: Messages, tools: Sequence[Mapping[str, Any]] = ()) -> tuple[Completion, ModelCall]:
        began = time.perf_counter()
        try:
            completion = await self._model.complete(messages, tools)
        except ContextWindow as error:
            raise UserFault(f"the user's {error}") from None
        told = completion.model_dump(include={"request", "response", "attempts", "waited"})
        seconds = round(max(time.perf_counter() - began - completion.waited, 0), 4)
        return completion, ModelCall(
            session=0, turn=0, purpose="user", usage=completion.usage, duration=seconds, **told
        )


def _again(problem: str) -> str:
    return f"That reply cannot be used: {problem}. Write the reply again, in the same form."
