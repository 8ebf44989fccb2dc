"""A model whose every reply somebody hears of."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from harness.core.trajectory import ModelCall
from harness.models.llm import Completes, Completion, ContextWindow
from servers.kernel import UserFault

__all__ = ("Kept",)


class Kept:
    """The model that speaks for a user: `keep` is told of each reply, whatever the user makes of it."""

    def __init__(self, model: Completes, keep: Callable[[ModelCall], object]) -> None:
        self._model, self._keep = model, keep

    async def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
    ) -> Completion:
        """The model's reply. Raises `Fault`, also where the conversation has outgrown the model: no agent's doing."""
        began = time.perf_counter()
        try:
            completion = await self._model.complete(messages, tools)
        except ContextWindow as error:
            raise UserFault(f"the user's {error}") from None
        told = completion.model_dump(include={"request", "response", "attempts"})
        seconds = round(time.perf_counter() - began, 4)
        self._keep(ModelCall(session=0, turn=0, purpose="user", usage=completion.usage, duration=seconds, **told))
        return completion
