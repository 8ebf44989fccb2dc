"""What seeds a trial: its run's seed and its own place in the run, so that a record's seed says whose it can be."""

from __future__ import annotations

import hashlib

from servers.kernel import canonical

__all__ = ("PLACES", "seeds_of", "trial_seed")

PLACES = 1000
"""Questions of a trial, and continuations of a branch: both are part of a branch's number."""


def trial_seed(run_seed: int, task: str, condition: str, trial: int) -> int:
    """The trial's seed: the agent is not part of it, so that comparisons between agents are paired."""
    body = canonical([run_seed, task, condition, trial])
    return int.from_bytes(hashlib.sha256(body).digest()[:8])


def seeds_of(run_seed: int, task: str, condition: str, trial: int) -> set[int]:
    """The seeds that a record filed so may have: the trial's own, or that of the trial which a branch forks.

    The condition of a branch is called as that of its trial, a comma and its kind (`harness.play.branching.plan`).
    """
    of = condition.rpartition(", ")[0]
    places = {(condition, trial), (of, trial), (of, trial // PLACES**2)}
    return {trial_seed(run_seed, task, *place) for place in places}
