"""What a fault does to a request: the words that it puts into a value's place, and the readings that these leave."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.composed.world import Spot
from benchmarks.drift.need import MOST_LUCK, Need, Refused
from benchmarks.drift.template import Fault, Value

__all__ = ("Way", "instead", "leaves", "once")


class Way(NamedTuple):
    """A faulty request, as one fault makes it.

    `words` were added, or took the value's place (perhaps none did); `spot` is None where they are only added.
    `readings` are the values that its reader may take, the one that was meant first; `lost` is what went with the
    value, its unit perhaps. `claim` says what is wrong with a false premise, as the user would.
    """

    fault: Fault
    spot: Spot | None
    text: str
    words: str
    need: Need
    readings: tuple[Value, ...] = ()
    claim: str = ""
    lost: str = ""

    @property
    def luck(self) -> float:
        """The worth of a guess."""
        return 1 / max(1, len(self.readings))


def leaves(fault: Fault, spot: Spot, readings: Sequence[Value], *, findable: bool = False) -> Need:
    """What these readings make of a request: the precondition of every fault that hides a value.

    `findable`: a value that a paper of the house gives may be looked up. Raises `Refused`.
    """
    slot = spot.slot
    if slot.criticality < 1:
        raise Refused(fault, spot.where, f"another value may come to the same (criticality {slot.criticality:g})")
    if 0 < slot.guessability < 1:
        raise Refused(fault, spot.where, f"it can often be found or supposed ({slot.reason or slot.guessability})")
    if slot.guessability == 1 and not findable:
        raise Refused(fault, spot.where, f"it goes without saying ({slot.reason or 'guessability 1'})")
    if len(readings) < 2 or 1 / len(readings) > MOST_LUCK:
        raise Refused(fault, spot.where, f"its words leave {len(readings)} value, and they should leave two at least")
    if slot.guessability == 1:
        return "discoverable"
    return "blocked" if fault.startswith("P") else "required"


def once(fault: Fault, spot: Spot) -> re.Match[str]:
    """Where the value stands in its request. Raises `Refused` where that is not one place."""
    found = list(re.finditer(rf"(?<![\w@]){re.escape(spot.own.text)}(?![\w@])", spot.request))
    if len(found) != 1:
        raise Refused(fault, spot.where, f"{spot.own.text!r} stands in the request {len(found)} times")
    return found[0]


def instead(fault: Fault, spot: Spot, words: str) -> str:
    """The request with other words in the value's place. Raises `Refused`."""
    place = once(fault, spot)
    before, after = spot.request[: place.start()], spot.request[place.end() :]
    if not before or before.endswith((". ", "? ", "! ")):
        words = words[:1].upper() + words[1:]
    if article := re.search(r"\b([Aa])n? $", before):
        before = (
            before[: article.start()] + article[1] + ("n " if words[:1] in "aeiou" or words.startswith("hour") else " ")
        )
    return before + words + after
