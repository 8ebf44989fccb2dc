"""What an agent's model took, where that is known."""

from __future__ import annotations

from harness.core.trajectory import Trajectory

__all__ = ("cost", "is_unmetered", "model_turns")


def is_unmetered(trajectory: Trajectory) -> bool:
    """Whether a program spoke, and nobody reported what its model calls used; they may have been any number."""
    usage = trajectory.usage
    spoke = any(message.role == "assistant" for message in trajectory.messages)
    return spoke and not (usage.prompt_tokens or usage.completion_tokens or usage.cost_usd)


def cost(trajectory: Trajectory) -> float | None:
    """US dollars that a trial took; None where nobody knows."""
    return None if is_unmetered(trajectory) else trajectory.usage.cost_usd


def model_turns(trajectory: Trajectory) -> int | None:
    """Replies of its model; None where nobody knows."""
    if is_unmetered(trajectory):
        return None
    return sum(message.role == "assistant" for message in trajectory.messages)
