"""What a trial's questions met, and how replies of its model were cut short, told from its record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from harness.core.trajectory import Asked, CutShort, Trajectory
from servers.kernel import Part

__all__ = (
    "CUT_SHORT", "REFUSED", "REMARKS", "TOLD", "Trouble", "asked_for", "cut_short", "questions", "troubles",
)  # fmt: skip

Trouble = Literal["not understood", "contradiction", "asked twice"]

TOLD = frozenset({"given", "confirmed", "corrected"})
REFUSED = frozenset({"no_preference", "not_understood"})
"""Kinds of parts of an answer that tell a value, and that tell none."""

CUT_SHORT: Final[Mapping[CutShort, str]] = {
    "length": "cut at its limit of tokens",
    "content_filter": "cut by its provider's filter of content",
    "empty": "empty",
}
"""What a reply was that came to no ordinary end."""

REMARKS: Final[Mapping[CutShort, str]] = {
    "length": "reply_cut",
    "content_filter": "reply_filtered",
    "empty": "reply_empty",
}
"""The same as a remark on its trial, in one word."""


def troubles(trajectory: Trajectory) -> frozenset[Trouble]:
    """What a trial's questions met: one not understood, an answer with a value and a refusal, an item asked for twice.

    The first two go by the parts of answers, the third by their targets, within one session; what is read back rightly,
    and confirmed, is not asked for.
    """
    found: set[Trouble] = set()
    times: Counter[tuple[int, str]] = Counter()
    for session, asked in questions(trajectory):
        kinds = {part.kind for part in asked.parts}
        if "not_understood" in kinds:
            found.add("not understood")
        if kinds & TOLD and kinds & REFUSED:
            found.add("contradiction")
        times.update((session, target) for target in asked_for(asked.targets, asked.parts))
    if any(n > 1 for n in times.values()):
        found.add("asked twice")
    return frozenset(found)


def asked_for(targets: Iterable[str], parts: Iterable[Part]) -> frozenset[str]:
    """What a question asks for, of the `targets` it is about: not what it reads back rightly, and is confirmed."""
    return frozenset(targets) - {part.target for part in parts if part.kind == "confirmed"}


def questions(trajectory: Trajectory) -> list[tuple[int, Asked]]:
    """Each with its session: an item's id may stand for something else in the next one."""
    return [(step.session, asked) for step in trajectory.steps for asked in step.questions]


def cut_short(trajectory: Trajectory) -> Counter[CutShort]:
    """How many replies of the agent's model came to no ordinary end, by how; those of earlier tries among them."""
    told = (message.ended for each in (trajectory, *trajectory.tries) for message in each.messages)
    return Counter(ended for ended in told if ended)
