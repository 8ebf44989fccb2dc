"""What a trial is worth: Comp of rule items and guards, and Proc, over the sessions of a unit (pi-Bench section 3.3).

Items with a rubric wait for a judge, and none is asked yet: they count in no figure, and each score says how many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.pi.playing import Unit
from benchmarks.pi.predicates import holds, why
from benchmarks.pi.session import Session
from benchmarks.pi.view import TrialView, of_trajectory
from harness.core.scores import Criterion
from harness.score import Score
from harness.suite import Check
from harness.task import Task
from harness.trajectory import Trajectory
from servers.kernel import World
from userssim.intents.protocol import assigned

__all__ = ("checks",)


def checks(unit: Callable[[Task], Unit], world: Callable[[str], World]) -> dict[str, Check]:
    """Checks by name.

    `outcome` is the mean over sessions of the share, by weight, of rule items that are met at the session's end; right
    if all are and no guard is broken. `proc` is the share of the unit's intents that were completed or inferred.
    """

    def outcome(task: Task, trajectory: Trajectory, _: Any = None) -> Score:
        if trajectory.status == "void":
            return Score(value=None, reason="void")
        found = [
            _ended(session, of_trajectory(trajectory, world(task.world), number))
            for number, session in enumerate(unit(task).sessions)
        ]
        criteria = tuple(criterion for each in found for criterion in each.criteria)
        broken = [guard for each in found for guard in each.broken]
        waiting = sum(criterion.value is None for criterion in criteria)
        shares = [each.met / each.of for each in found if each.of]
        value = sum(shares) / max(1, len(shares))
        failed = [criterion.name for criterion in criteria if criterion.value == 0]
        reason = f"Not met: {', '.join(failed)}." if failed else "All rule items are met."
        if broken:
            reason += f" Guards broken: {len(broken)}."
        if waiting:
            reason += f" {waiting} await a judge."
        return Score(
            value=value, correct=not failed and not broken, reason=reason, criteria=criteria,
            detail={"sessions": shares, "guards": broken, "unscored": waiting},
        )  # fmt: skip

    def proc(task: Task, trajectory: Trajectory, _: Any = None) -> Score:
        if trajectory.status == "void":
            return Score(value=None, reason="void")
        sessions = unit(task).sessions
        statuses = [_statuses(session, trajectory, number) for number, session in enumerate(sessions)]
        every = [status for each in statuses for status in each.values()]
        told = {name: every.count(name) for name in ("completed", "inferred", "provided", "open")}
        return Score(
            value=(told["completed"] + told["inferred"]) / len(every),
            reason=", ".join(f"{count} {name}" for name, count in told.items() if count),
            detail={**told, "statuses": [dict(each) for each in statuses]},
        )

    return {"outcome": outcome, "proc": proc}


class _End(NamedTuple):
    """Every item at a session's end, the weight of the rule items that are met and of all, and the guards broken."""

    criteria: tuple[Criterion, ...]
    met: float
    of: float
    broken: tuple[str, ...]


def _ended(session: Session, view: TrialView) -> _End:
    criteria = []
    for item in session.checklist:
        value = None if item.check is None else float(holds(item.check, view))
        evidence = "" if item.check is None else why(item.check, view)
        name = f"{session.id}.{item.id}"
        criteria.append(Criterion(name=name, value=value, weight=item.weight, evidence=evidence, reason=item.text))
    ruled = [each for each in criteria if each.value is not None]
    return _End(
        tuple(criteria),
        sum(each.weight for each in ruled if each.value),
        sum(each.weight for each in ruled),
        tuple(why(each, view) for each in session.guards if holds(each, view)),
    )


def _statuses(session: Session, trajectory: Trajectory, number: int) -> dict[str, Any]:
    answers = [event for event in trajectory.events if event.kind == "answer" and event.session == number]
    return dict(assigned([intent.id for intent in session.intents], answers))
