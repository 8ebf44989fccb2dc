"""How well the grounded user tells what it is asked, measured on labelled questions of our own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from userssim.first.grounded import GroundedUser
from userssim.wish import Known, Wish, holds

__all__ = ("Labelled", "Routing", "labelled", "measure", "scenes")


class Labelled(NamedTuple):
    """A question in a scene, and the ids of the withheld facts that it asks for.

    `split` is `dev` (the router was tuned on it) or `held-out` (written before the router, its failures never
    looked at). `family`: plain, paraphrase, yes-no, compound, decoy, near-miss, generic or fishing.
    """

    scene: str
    split: str
    family: str
    question: str
    targets: tuple[str, ...]


@dataclass(frozen=True)
class Routing:
    """Micro-averaged over (question, withheld fact) pairs.

    `leaks` counts values in answers that the question, by its label, did not ask for; `untargeted` those that
    not even the answer's own targets account for.
    """

    questions: int
    right: int
    targeted: int
    expected: int
    leaks: int
    untargeted: int

    @property
    def precision(self) -> float | None:
        """Facts rightly targeted / facts targeted; None when none was."""
        return self.right / self.targeted if self.targeted else None

    @property
    def recall(self) -> float | None:
        """Facts rightly targeted / facts asked for; None when none was."""
        return self.right / self.expected if self.expected else None


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with (Path(__file__).parent / name).open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@cache
def scenes() -> Mapping[str, Wish]:
    """The scenes by name."""
    return {
        scene["scene"]: Wish(
            full=scene["full"],
            sent=scene["sent"],
            withheld=tuple(Known(**fact) for fact in scene["withheld"]),
            stated=tuple(Known(**fact) for fact in scene["stated"]),
        )
        for scene in _lines("scenes.jsonl")
    }


@cache
def labelled() -> tuple[Labelled, ...]:
    """All labelled questions."""
    return tuple(Labelled(**{**line, "targets": tuple(line["targets"])}) for line in _lines("questions.jsonl"))


def measure(questions: Sequence[Labelled]) -> Routing:
    """Put each question to a fresh, strict user of its scene."""
    right = targeted = expected = leaks = untargeted = 0
    for item in questions:
        wish = scenes()[item.scene]
        answer = GroundedUser(wish).reply(item.question)
        wanted, got = set(item.targets), set(answer.targets)
        right, targeted, expected = right + len(wanted & got), targeted + len(got), expected + len(wanted)
        held = {fact.id for fact in wish.withheld if holds(answer.text, fact.value)}
        leaks, untargeted = leaks + len(held - wanted), untargeted + len(held - got)
    return Routing(len(questions), right, targeted, expected, leaks, untargeted)
