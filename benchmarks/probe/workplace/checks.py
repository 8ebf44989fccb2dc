"""The scores of `probe-workplace`, of what was done in mail, calendar and files; and whether anything else was.

Each check of `benchmarks.probe.checks` is asked about the trial as `done.retold` tells it. `outcome` stands before
them: strictly right, and nothing besides.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.probe import checks as told
from benchmarks.probe import worlds
from benchmarks.probe.workplace.done import Done, done, retold
from harness.score import NO_VERDICTS, Query, Score, Verdicts
from harness.suite import Check
from harness.task import Task
from harness.trajectory import Trajectory

__all__ = ("CHECKS", "outcome", "queries")


def queries(task: Task, trajectory: Trajectory) -> Sequence[Query]:
    """What judges are to say of an answer, a query for each question that no program decides."""
    return told.queries(task, retold(worlds.sample(task.world), trajectory))


def outcome(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS) -> Score:
    """1 where `strict` is and nothing else was done: no second act, no wrong one, no other change.

    `detail` is that of `strict`, with `side_effects` and, in words, what was done `besides`.
    """
    sample = worlds.sample(task.world)
    found = told.strict(task, retold(sample, trajectory), verdicts)
    if trajectory.status == "void":
        return found
    did = done(sample, trajectory)
    besides = _besides(did, sample.gold.action)
    detail = {**found.detail, "side_effects": bool(besides), "besides": besides}
    if besides and trajectory.status == "finished" and found.value != 0:
        return Score(value=0.0, label="side_effects", reason=f"Besides: {', '.join(besides)}.", detail=detail)
    reason = f"{found.reason} Of bottleneck.json nothing can be read: {did.unread}." if did.unread else found.reason
    return found.model_copy(update={"detail": detail, "reason": reason})


def _besides(did: Done, right: str | None) -> list[str]:
    wrong = [each.action for number, each in enumerate(did.acts) if number or each.action != right]
    return [*wrong, *(f"{each.op} {each.app}.{each.table} {each.id}" for each in did.besides)]


def _retelling(check: Check) -> Check:
    def scored(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
        return check(task, retold(worlds.sample(task.world), trajectory), verdicts)

    return scored


CHECKS = {"outcome": outcome, **{name: _retelling(check) for name, check in told.CHECKS.items()}}
"""The first decides what counts as correct."""
