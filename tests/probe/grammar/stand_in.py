"""Filler for tests: sentences of made-up sense that no wording can be taken for, and no more."""

from __future__ import annotations

import random

from benchmarks.probe.grammar.setting import Setting
from benchmarks.probe.records import Kind

_WORDS = (
    "market", "morning", "paper", "visit", "corner", "window", "garden", "river", "letter", "bridge", "summer", "music",
    "teacher", "village", "kitchen", "journey", "picture", "animal", "station", "weather", "harbour", "question",
    "mountain", "answer", "evening", "doctor", "flower", "winter", "carpet", "story",
)  # fmt: skip


def stand_in(draw: random.Random, setting: Setting, kind: Kind, words: int) -> list[str]:
    """About that many words, in paragraphs of sentences."""
    paragraphs: list[str] = []
    left = words
    while left > 0:
        sentences = []
        for _ in range(min(4, -(-left // 15))):
            size = min(15, left)
            text = " ".join(draw.choices(_WORDS, k=max(size - 3, 1)))
            sentences.append(f"{draw.choice(setting.people).given} likes {text}.")
            left -= size
        paragraphs.append(" ".join(sentences))
    return paragraphs
