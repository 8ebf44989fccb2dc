"""What an agent's model took, where that is known."""

from __future__ import annotations

from harness.core.trajectory import ModelCall, Trajectory, Usage

__all__ = ("cost", "is_unmetered", "known_cost", "model_turns", "tokens")


def is_unmetered(trajectory: Trajectory) -> bool:
    """Whether nobody reported what the model calls of a trial used; they may have been any number.

    Whoever was asked without a prompt of ours is a program: it may have called a model before it said anything. What a
    model took that speaks for the user says nothing of that.
    """
    usage, said = _own_usage(trajectory), {message.role for message in trajectory.messages}
    if _has_tokens(usage) or usage.cost_usd:
        return False
    return "assistant" in said if "system" in said else bool(said) and not _own_calls(trajectory)


def cost(trajectory: Trajectory) -> float | None:
    """US dollars that a trial took; None where nobody knows."""
    return None if is_unmetered(trajectory) else trajectory.usage.cost_usd


def known_cost(trajectory: Trajectory) -> float:
    """US dollars that a trial is known to have taken, on its user too: all of them, or those that were reported."""
    if trajectory.usage.cost_usd is not None:
        return trajectory.usage.cost_usd
    calls = (call for each in (*trajectory.tries, trajectory) for call in each.model_calls)
    return sum(call.usage.cost_usd or 0.0 for call in calls)


def tokens(trajectory: Trajectory) -> tuple[int, int] | tuple[None, None]:
    """Tokens that a trial took, sent and replied; None where nobody knows. A call that took none did not tell."""
    if is_unmetered(trajectory) or not all(_has_tokens(call.usage) for call in _own_calls(trajectory)):
        return None, None
    return trajectory.usage.prompt_tokens, trajectory.usage.completion_tokens


def model_turns(trajectory: Trajectory) -> int | None:
    """Replies of its model; None where nobody knows."""
    if is_unmetered(trajectory):
        return None
    return len(_own_calls(trajectory)) or sum(message.role == "assistant" for message in trajectory.messages)


def _own_calls(trajectory: Trajectory) -> list[ModelCall]:
    return [call for call in trajectory.model_calls if call.purpose == "agent"]


def _own_usage(trajectory: Trajectory) -> Usage:
    """What is known of the agent: all of it where no other model was asked, earlier tries included."""
    own = _own_calls(trajectory)
    if len(own) == len(trajectory.model_calls):
        return trajectory.usage
    return sum((call.usage for call in own), start=Usage())


def _has_tokens(usage: Usage) -> bool:
    return bool(usage.prompt_tokens or usage.completion_tokens)
