"""A decider without a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from servers.kernel import Intent, Turn
from userssim.intents.asking import asks
from userssim.intents.likeness import likeness

__all__ = ("Rules", "asked")

_SURE: Final = 0.55
"""Likeness from which a question asks for an intent, whatever its words: from questions to tune on (docs/users.md)."""

_UNLIKE: Final = 0.35
"""And up to which it does not, though it has the cues."""


class Rules:
    """`done` says whether an intent was acted on, its cues and examples whether it is asked for."""

    def __init__(self, done: Callable[[Intent, Turn], bool]) -> None:
        self._done = done

    async def completed(self, intent: Intent, turn: Turn) -> bool:
        return self._done(intent, turn)

    async def asked(self, intent: Intent, turn: Turn) -> bool:
        return asked(intent, turn.message)


def asked(intent: Intent, message: str) -> bool:
    """Whether a message asks for an intent: by its cues alone where it has no examples."""
    cued = asks(message, intent.cues, intent.not_cues)
    if not intent.asking:
        return cued
    return likeness(message, intent.asking, intent.beside) > (_UNLIKE if cued else _SURE)
