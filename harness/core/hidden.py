"""What the person of a task wants and its requests do not say: a suite's part of a user of kind `intents`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from harness.core.config import ConfigProblem

if TYPE_CHECKING:
    from harness.core.config import Condition
    from harness.core.suite import Suite
    from servers.kernel import Fact, Intent, Turn

__all__ = ("Hidden", "check_hidden")


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


def check_hidden(suite: Suite, condition: Condition, where: str = "") -> None:
    """Refuse a user of kind `intents` where sessions have none, and any other who is asked where they have some.

    Raises:
        ConfigProblem: `where` names the condition.
    """
    kind = condition.user.kind
    if not condition.asks or (kind == "intents") == (suite.hidden is not None):
        return
    if suite.hidden is None:
        raise ConfigProblem(
            f"{where}user: kind intents needs a suite whose sessions have intents, and {suite.name} has none"
        )
    raise ConfigProblem(
        f"{where}user: kind {kind} knows nothing of the intents that sessions of {suite.name} have; use kind intents, "
        "or leave out `ask` and `end_of_turn: user`, so that nobody is asked"
    )
