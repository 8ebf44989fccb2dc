"""Decides without a model: what was acted on by a rule of the task's, what is asked for by the cues of each intent."""

from __future__ import annotations

from collections.abc import Callable

from userssim.intents.asking import asks
from userssim.intents.intent import Intent, Turn

__all__ = ("ByRule",)


class ByRule:
    """`completed` says whether the agent acted on the intent of that id by what a hand-over shows."""

    def __init__(self, completed: Callable[[Turn, str], bool]) -> None:
        self._completed = completed

    async def completed(self, intent: Intent, turn: Turn) -> bool:
        return self._completed(turn, intent.id)

    async def asked(self, intent: Intent, turn: Turn) -> bool:
        return asks(turn.message, intent.cues, intent.not_cues)
