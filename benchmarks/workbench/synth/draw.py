"""Random draws keyed by what they decide, never by their order."""

from __future__ import annotations

import hashlib
import random

__all__ = ("keyed",)


def keyed(seed: int, *decision: object) -> random.Random:
    """A generator for one decision: the same in every process, whatever was drawn before."""
    key = "|".join(map(str, (seed, *decision))).encode()
    return random.Random(int.from_bytes(hashlib.sha256(key).digest()))
