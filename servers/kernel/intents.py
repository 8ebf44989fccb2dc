"""What a person wants and did not say, as suites state it and users hold it back."""

from __future__ import annotations

from dataclasses import dataclass, field

from servers.kernel.user import Since

__all__ = ("Cues", "Fact", "Intent", "Turn")

Cues = tuple[tuple[str, ...], ...]
"""Groups of words and phrases, with bars between forms (`mail|text`); a question has a group where it has all of it."""


@dataclass(frozen=True, kw_only=True)
class Intent:
    """A requirement that the request does not state.

    `text` describes it to a decider, `says` is how the person tells it, `values` are words of `says` that carry it and
    outlast any rewording. A question asks for it that has a group of `cues` and none of `not_cues`, or that is like
    examples: questions `asking` for it, and others `beside` them that do not. `proxy`: a rule can only approximate
    whether it was acted on.
    """

    id: str
    text: str
    says: str
    cues: Cues = ()
    not_cues: Cues = ()
    asking: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    proxy: bool = False
    values: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Something that the person answers when asked, and that is nothing withheld."""

    says: str
    cues: Cues
    not_cues: Cues = ()


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What a hand-over shows of the agent's work, in which session (from 0) and upon what request.

    `message` is what it says, `stated` the same without its questions, which are no acts. `since` is what it did since
    the hand-over before, `so_far` in this session and those before it. The calls by which it asked are in neither.
    """

    session: int
    request: str
    message: str
    stated: str
    since: Since = field(default_factory=Since)
    so_far: Since = field(default_factory=Since)
