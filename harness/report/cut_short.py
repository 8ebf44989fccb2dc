"""Replies of models that came to no ordinary end: an agent whose replies are cut looks worse than it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from harness.core.config import LlmConfig, RunConfig
from harness.core.trajectory import CutShort, Trajectory
from harness.record.troubles import CUT_SHORT, cut_short

__all__ = ("cut_replies",)


def cut_replies(config: RunConfig, trajectories: Iterable[Trajectory]) -> list[str]:
    """A line for each agent and each way in which replies of its model ended early; none where none did."""
    counts: dict[str, Counter[CutShort]] = {}
    for trajectory in trajectories:
        counts.setdefault(trajectory.agent, Counter()).update(cut_short(trajectory))
    limits = {agent.name: agent.max_tokens for agent in config.agents if isinstance(agent, LlmConfig)}
    return [
        f"{_replies(n)} of {agent} {'was' if n == 1 else 'were'} {CUT_SHORT[how]}{_remedy(how, limits.get(agent))}"
        for agent, found in counts.items()
        for how in CUT_SHORT
        if (n := found[how])
    ]


def _replies(n: int) -> str:
    return "1 reply" if n == 1 else f"{n:,} replies"


def _remedy(how: CutShort, limit: int | None) -> str:
    if how != "length":
        return ""
    return f": raise `max_tokens`, which is {limit:,}" if limit else ": set `max_tokens`, or the provider does"
