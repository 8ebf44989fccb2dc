"""What an agent's model took, where that is known."""

from __future__ import annotations

from harness.core.trajectory import Trajectory

__all__ = ("cost", "is_unmetered", "model_turns")


def is_unmetered(trajectory: Trajectory) -> bool:
    """Whether nobody reported what the model calls of a trial used; they may have been any number.

    Whoever was asked without a prompt of ours is a program: it may have called a model before it said anything.
    """
    usage, said = trajectory.usage, {message.role for message in trajectory.messages}
    if usage.prompt_tokens or usage.completion_tokens or usage.cost_usd:
        return False
    return "assistant" in said if "system" in said else bool(said) and not _model_calls(trajectory)


def cost(trajectory: Trajectory) -> float | None:
    """US dollars that a trial took; None where nobody knows."""
    return None if is_unmetered(trajectory) else trajectory.usage.cost_usd


def model_turns(trajectory: Trajectory) -> int | None:
    """Replies of its model; None where nobody knows."""
    if is_unmetered(trajectory):
        return None
    return _model_calls(trajectory) or sum(message.role == "assistant" for message in trajectory.messages)


def _model_calls(trajectory: Trajectory) -> int:
    return sum(call.purpose == "agent" for call in trajectory.model_calls)
