"""Whoever decides whether an agent acted on what a person wants, or asked for it."""

from __future__ import annotations

from typing import Literal, Protocol

from servers.kernel import Intent, Turn

__all__ = ("Decider", "Status")

Status = Literal["completed", "inferred", "provided", "open"]
"""What became of an intent: acted on unheard, asked for, told unasked, or none of these by the end."""


class Decider(Protocol):
    """Raises `UserFault` where it cannot say."""

    async def completed(self, intent: Intent, turn: Turn) -> bool:
        """Whether the agent acted on the intent, which nobody had told it."""

    async def asked(self, intent: Intent, turn: Turn) -> bool:
        """Whether what it says asks a question to which the intent is the answer."""
