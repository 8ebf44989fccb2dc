"""Profile `agentbench`: whether an answer is right by the rules of the published scorer.

Rules of `DBResultProcessor` in AgentBench at revision 578c5e9f706fc2dd96188ca6c8cf9095ca0c6528, read and written anew.
They forgive much (every kind of nothing is 0, 17 and 17.005 are one), and are kept as they are, for comparison.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

__all__ = ("TOLERANCE", "cleaned", "same")

TOLERANCE: Final = 0.01
"""Absolute; of numbers."""

_NOTHING: Final = frozenset({"", "none", "null", "undefined", "nan", "inf", "infinity", "-inf", "-infinity"})


def same(answers: Sequence[str], gold: Sequence[str]) -> bool:
    """Whether the answers are right.

    Where all on both sides are numbers, each needs a partner of its own within `TOLERANCE`; else both are equal as
    sets, letter case included.
    """
    ours, theirs = cleaned(answers), [_normal(each) for each in gold]
    if not all(map(_numeric, (*ours, *theirs))):
        return set(ours) == set(theirs)
    left = [float(each) for each in theirs]
    for each in map(float, ours):
        partner = next((n for n, other in enumerate(left) if abs(each - other) <= TOLERANCE), None)
        if partner is None:
            return False
        del left[partner]
    return not left


def cleaned(answers: Sequence[str]) -> list[str]:
    """An agent's values as they are compared. One text written as a list (`['a', 'b']`) stands for its items."""
    return [_normal(each) for each in (_items(answers[0]) if len(answers) == 1 else answers)]


def _items(text: str) -> Sequence[object]:
    """The items of a list literal, tuples of one opened; the text itself where it is none."""
    if not (text.strip().startswith("[") and text.strip().endswith("]")):
        return [text]
    try:
        found = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text.strip()[1:-1].split(",")
    return [each[0] if isinstance(each, tuple) and len(each) == 1 else each for each in found]


def _normal(value: object) -> str:
    """Without quotes around it, a percent sign at its end, or else commas; every kind of nothing is 0."""
    text = str(value).strip().strip("'\"").strip()
    if text.endswith("%"):
        return text[:-1].strip()
    if not (text.startswith("[") or text.endswith("]")):
        text = text.replace(",", "")
    return "0" if text.lower() in _NOTHING else text


def _numeric(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
