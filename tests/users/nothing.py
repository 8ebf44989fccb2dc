"""Texts that ask for nothing, to train on and to measure on: whoever sends them is to be told nothing."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import yaml

__all__ = ("drawn", "texts")

_MARKS: Final = ("?", "!", ".", "...", '"', "''", "-", "*", "#", "/", ":", ";", "()", "[]", "{}", "<>", "??", "?!", "|")


@cache
def texts() -> Mapping[str, Sequence[str]]:
    """Those that are written down, by kind; `measured` are never trained on."""
    found: Mapping[str, Sequence[str]] = yaml.safe_load(
        Path(__file__).with_name("nothing.yaml").read_text(encoding="utf-8")
    )
    return found


def drawn(draw: random.Random, vocabulary: Mapping[str, int]) -> tuple[str, bool]:
    """A text of any kind, and whether it asks for everything."""
    kind = draw.randrange(8)
    if kind == 0:
        return "".join(draw.choices(_MARKS, k=draw.randint(1, 4))), False
    if kind == 1:
        letters = "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(1, 6)))
        return letters + draw.choice(("", "", "?", ".", " " + letters[::-1])), False
    if kind == 2:
        numbers = ", ".join(str(draw.randint(0, 99)) for _ in range(draw.randint(1, 4)))
        return draw.choice(("{}", "{}?", "Is it {}?", "Is it {} or another?", "{} or what?")).format(numbers), False
    if kind in (3, 4):
        words = [word for word in draw.sample([*vocabulary], 24) if word.isalpha() and word.isascii() and len(word) > 2]
        return " ".join(words[: draw.randint(1, 6)]) + draw.choice(("", "?", ".", "?")), False
    if kind == 5:
        return draw.choice(texts()["remarks"]), False
    if kind == 6:
        return draw.choice(texts()["bare"]), False
    return draw.choice(texts()["probes"]), True
