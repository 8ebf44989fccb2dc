"""A reply that can be read: asked for up to three times, each time told what was wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

__all__ = ("TRIES", "Messages", "Replied", "Unreadable", "until_readable")

T = TypeVar("T")

TRIES = 3

Messages: TypeAlias = Sequence[Mapping[str, Any]]

Replied: TypeAlias = tuple[str, Callable[[str], object]]
"""A reply's text, and what keeps that reply once it is known what is wrong with it: "" where nothing is."""


class Unreadable(Exception):
    """No reply of three could be read; it says what was wrong with the last."""


async def until_readable(
    messages: Messages,
    ask: Callable[[Messages], Awaitable[Replied]],
    read: Callable[[str], T],
    again: Callable[[str], str],
) -> T:
    """What `read` makes of a reply. Where it raises `ValueError`, the model is told `again` of that and asked again.

    Raises `Unreadable`, and whatever `ask` does.
    """
    conversation, problem = list(messages), ""
    for _ in range(TRIES):
        text, keep = await ask(conversation)
        try:
            found = read(text)
        except ValueError as error:
            problem = str(error)
            keep(problem)
        else:
            keep("")
            return found
        conversation += [
            {"role": "assistant", "content": text or "(nothing)"},
            {"role": "user", "content": again(problem)},
        ]
    raise Unreadable(problem)
