"""What the person of a task wants and its requests do not say: a suite's part of a user of kind `intents`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from harness.core.config import ConfigProblem

if TYPE_CHECKING:
    from harness.core.config import Condition
    from harness.core.suite import Suite
    from servers.kernel import Since

__all__ = ("Fact", "HandedOver", "Hidden", "Intent", "check_hidden")


@dataclass(frozen=True, kw_only=True)
class Intent:
    """A requirement that a session's request does not state.

    `text` describes it to a judge, `says` is how the person tells it, `values` are words of `says` that carry it. A
    question asks for it that has all words and phrases of a group of `cues` and of no group of `not_cues`. `proxy`: a
    rule can only approximate whether an agent acted on it.
    """

    id: str
    text: str
    says: str
    cues: tuple[tuple[str, ...], ...] = ()
    not_cues: tuple[tuple[str, ...], ...] = ()
    proxy: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Something that the person answers when asked, and that nobody withholds."""

    says: str
    cues: tuple[tuple[str, ...], ...]
    not_cues: tuple[tuple[str, ...], ...] = ()


class HandedOver(Protocol):
    """What an agent shows when it waits for the person, in which session, from 0.

    `stated` is what it says without its questions, which are no acts; `since` is what it did since it last waited,
    `so_far` in the session.
    """

    @property
    def session(self) -> int: ...
    @property
    def stated(self) -> str: ...
    @property
    def since(self) -> Since: ...
    @property
    def so_far(self) -> Since: ...


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """Of each session of a task the intents, in the order in which they are told, and facts of the person.

    `completed` says whether an agent acted on the intent of that id, which nobody had told it.
    """

    sessions: tuple[tuple[Intent, ...], ...]
    completed: Callable[[HandedOver, str], bool]
    facts: tuple[Fact, ...] = ()


def check_hidden(suite: Suite, condition: Condition, where: str = "") -> None:
    """Refuse a user of kind `intents` where the suite has none. Raises `ConfigProblem`; `where` names the condition."""
    if condition.asks and condition.user.kind == "intents" and suite.hidden is None:
        raise ConfigProblem(
            f"{where}user: kind intents needs a suite whose sessions have intents, and {suite.name} has none"
        )
