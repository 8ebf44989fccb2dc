"""Runs of eight words: what unrelated mails of one office must not share, outside quotes and signatures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

__all__ = ("RUN", "Said", "runs")

RUN = 8
_TRIES = 40
_WORD = re.compile(r"[\w'€,]+")


def runs(text: str) -> list[str]:
    """All runs of eight words in a text, in order; none where it has fewer words."""
    words = _WORD.findall(text.lower())
    return [" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1)]


class Said:
    """The runs that a world has used already."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def repeated(self, text: str) -> list[str]:
        """The runs of a text that have been used."""
        return [run for run in runs(text) if run in self._seen]

    def add(self, text: str) -> None:
        """Have its runs used."""
        self._seen.update(runs(text))

    def fresh(self, write: Callable[[Sequence[int]], str], choices: int, draws: Random) -> tuple[list[int], list[str]]:
        """How to write a text whose runs are all new, and the runs that are not where that is not found.

        `write` makes the text of a list of numbers, one for each choice in it and zeros at first: another number draws
        that choice again. One choice after another is, and stays so where no more runs are repeated than before.
        """
        again = [0] * choices
        left = self.repeated(write(again))
        for attempt in range(1, _TRIES):
            if not left:
                break
            place = draws.randrange(choices)
            before, again[place] = again[place], attempt
            now = self.repeated(write(again))
            if len(now) > len(left):
                again[place] = before
            else:
                left = now
        return again, left
