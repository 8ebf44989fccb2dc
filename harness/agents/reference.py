"""The reference agent: a seeded policy that plays a template's program through tools alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Protocol

__all__ = ("GiveUp", "ToolRefused", "Worker")


class ToolRefused(Exception):
    """A call came back as an error; the text is what the tool said."""


class GiveUp(Exception):
    """The agent lacks a value that it neither found, was told, nor guessed; it stops there."""


class Worker(Protocol):
    """What a program works with. It sees slot values that the prompt gives, and tools; nothing else."""

    now: datetime

    async def call(self, app: str, tool: str, **arguments: Any) -> Any:
        """The structured result, unwrapped (`{"result": x}` gives x). Raises `ToolRefused`."""

    async def slot(self, name: str) -> Any:
        """The slot's value: from the prompt, else explored, asked for or guessed by the dials. Raises `GiveUp`."""
