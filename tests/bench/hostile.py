"""Hostile calls through whole evaluations (`python -m tests.hostile` plays more of them, and names what goes wrong)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.bench.timing import Figure
from tests.hostile.runs import AGENTS, played

__all__ = ("figures",)

CALLS = 1_000


def figures() -> Iterator[Figure]:
    """What becomes of them, and how many a second are made, recorded and read back."""
    for agent in AGENTS:
        with tempfile.TemporaryDirectory() as folder:
            outcome = played(agent, CALLS, Path(folder) / "run")
        kept = f"{len(outcome.void)} void, {len(outcome.unreadable)} unreadable, {len(outcome.different)} differ"
        yield Figure(
            f"hostile calls, {agent}",
            f"{CALLS} through eval, to every tool of every app",
            outcome.made / outcome.seconds,
            "a second",
            kept,
        )
