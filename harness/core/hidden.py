"""What the person of a task wants and its requests do not say: a suite's part of a user of kind `intents`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from servers.kernel import Fact, Intent, Turn

__all__ = ("Hidden",)


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """Of each session of a task the intents, in the order in which they are told, and facts of the person.

    `completed` says whether an agent acted on an intent, which nobody had told it, by what a hand-over shows. `items`
    are what counts at the end of each session, in words, for people who look at a task.
    """

    sessions: tuple[tuple[Intent, ...], ...]
    completed: Callable[[Intent, Turn], bool]
    facts: tuple[Fact, ...] = ()
    items: tuple[tuple[str, ...], ...] = ()
