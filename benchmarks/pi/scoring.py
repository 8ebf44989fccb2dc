"""What a trial is worth: Comp of items and guards, and Proc, over the sessions of a unit (pi-Bench section 3.3).

Rules decide items with a `check`; a judge decides those with a rubric, and until one has they are unscored, and so is
the trial: Comp is of the other items, and the bounds that it has without these stand beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple, get_args

from benchmarks.pi.ended import shares, weighed
from benchmarks.pi.failures import SETTLED, Played, failures
from benchmarks.pi.playing import Unit
from benchmarks.pi.predicates import holds, why
from benchmarks.pi.session import Item, Rubric, Session
from benchmarks.pi.view import TrialView, message, of_trajectory
from harness.core.scores import Criterion
from harness.score import NO_VERDICTS, Query, Score, Verdicts, settled
from harness.suite import Check, Questions
from harness.task import Task
from harness.trajectory import HandOver, QuestionRecord, Trajectory
from servers.kernel import World
from userssim.intents.asking import units
from userssim.intents.intent import Status
from userssim.intents.protocol import assigned

__all__ = ("STATUSES", "checks", "evidence", "queries", "query", "ruled")

STATUSES: Final = get_args(Status)
"""What may become of an intent."""

_FISHING = 5
"""Questions of one message; more are fishing (specs, section 7)."""


def checks(unit: Callable[[Task], Unit], world: Callable[[str], World]) -> dict[str, Check]:
    """Checks by name.

    `outcome` is Comp, right if all items are met and no guard is broken; while an item awaits a judge it is unscored,
    failed or not: where only what rules have failed counted, a rate would be one of failures. Its detail has `comp` of
    the items that are scored, also then; `sessions`, their shares session by session; `maximum`, the same of items
    that are met at some hand-over or at the end, and `regressed`, how much more that is; `low` and `high`, what Comp is
    with unscored items all failed or all met; the number of items `unscored`; and the guards: how many there are
    (`guarded`), and those that are broken; and `failures`, how often each pattern is there and of how many. `proc` is
    Proc, with all statuses, and the numbers of `hand_overs`, of those that were `asking` (of these, `targeted` at an
    intent, and `fishing` with more than five questions), of `words` that the user said, and of model calls (`turns`).
    Of several units both are the mean, weighted by their sessions (specs, section 5).
    """
    by_rule = ruled(unit, world)

    def outcome(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS) -> Score:
        found = by_rule(task, trajectory, verdicts)
        if not found.detail.get("unscored"):
            return found
        return found.model_copy(update={"value": None, "correct": None, "label": "unscored"})

    def proc(task: Task, trajectory: Trajectory, _: Verdicts = NO_VERDICTS) -> Score:
        if trajectory.status == "void":
            return Score(value=None, reason="void")
        sessions = unit(task).sessions
        statuses = [_statuses(session, trajectory, number) for number, session in enumerate(sessions)]
        every = [status for each in statuses for status in each.values()]
        told = {name: every.count(name) for name in STATUSES}
        settled = (
            (session, sum(each in SETTLED for each in status.values()), len(status))
            for session, status in zip(sessions, statuses, strict=True)
        )
        return Score(
            value=_weighed(settled),
            reason=", ".join(f"{count} {name}" for name, count in told.items() if count),
            detail={
                **told,
                "statuses": [dict(each) for each in statuses],
                **_burden(trajectory),
            },
        )

    return {"outcome": outcome, "proc": proc}


def ruled(unit: Callable[[Task], Unit], world: Callable[[str], World]) -> Check:
    """`outcome` with the items that are scored alone: what rules say, for those who ask no judge."""

    def check(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS) -> Score:
        if trajectory.status == "void":
            return Score(value=None, reason="void")
        sessions = unit(task).sessions
        views = of_trajectory(trajectory, world(task.world), len(sessions))
        ends = [_ended(session, seen, verdicts) for session, seen in zip(sessions, views, strict=True)]
        criteria = tuple(criterion for end in ends for criterion in end.criteria)
        failed = [criterion.name for criterion in criteria if criterion.value is not None and criterion.value < 1]
        waiting = sum(criterion.value is None for criterion in criteria)
        broken = [guard for end in ends for guard in end.broken]
        statuses = [_statuses(session, trajectory, number) for number, session in enumerate(sessions)]
        played = [
            Played(session, status, end.ruled, seen[-1])
            for session, status, end, seen in zip(sessions, statuses, ends, views, strict=True)
        ]
        parts = list(zip(sessions, ends, strict=True))
        comp = _weighed((session, end.met, end.weight) for session, end in parts)
        maximum = _weighed((session, end.best, end.weight) for session, end in parts)
        reason = f"Not met: {', '.join(failed)}." if failed else "All scored items are met."
        if broken:
            reason += f" Guards broken: {len(broken)}."
        if waiting:
            reason += f" {waiting} await a judge."
        return Score(
            value=comp, correct=not failed and not broken, reason=reason, criteria=criteria,
            detail={
                "comp": comp, "sessions": [end.met / end.weight if end.weight else None for end in ends],
                "maximum": maximum, "regressed": None if comp is None or maximum is None else maximum - comp,
                "low": _weighed((session, end.met, end.every) for session, end in parts),
                "high": _weighed((session, end.met + end.every - end.weight, end.every) for session, end in parts),
                "guards": broken, "guarded": sum(len(session.guards) for session in sessions), "unscored": waiting,
                "failures": {name: list(found) for name, found in failures(played).items()},
            },
        )  # fmt: skip

    return check


def queries(unit: Callable[[Task], Unit], world: Callable[[str], World]) -> Questions:
    """What judges are to say of a trial: a question for each item with a rubric, at the end of its session."""

    def asked(task: Task, trajectory: Trajectory) -> Sequence[Query]:
        sessions = unit(task).sessions
        views = of_trajectory(trajectory, world(task.world), len(sessions))
        return [
            query(session, item, item.rubric, seen[-1])
            for session, seen in zip(sessions, views, strict=True)
            for item in session.checklist
            if item.rubric
        ]

    return asked


class _End(NamedTuple):
    """Every item at a session's end, and the guards broken.

    `ruled` says of those with a check whether they are met. `every` is the weight of all items, `weight` that of the
    scored ones, `met` that of those met at the end among them, `best` of those met at some hand-over or at the end.
    """

    criteria: tuple[Criterion, ...]
    ruled: dict[str, bool]
    met: float
    best: float
    weight: float
    every: float
    broken: tuple[str, ...]


def _ended(session: Session, seen: Sequence[TrialView], verdicts: Verdicts) -> _End:
    *before, view = seen
    criteria = [_criterion(session, item, view, verdicts) for item in session.checklist]
    best = [
        max([criterion.value, *(float(holds(item.check, each)) for each in before if item.check)])
        for item, criterion in zip(session.checklist, criteria, strict=True)
        if criterion.value is not None
    ]
    scored = [each for each in criteria if each.value is not None]
    weights, values = [each.weight for each in scored], [each.value or 0.0 for each in scored]
    return _End(
        tuple(criteria),
        {item.id: bool(each.value) for item, each in zip(session.checklist, criteria, strict=True) if item.check},
        met=_sum(weights, values),
        best=_sum(weights, best),
        weight=sum(weights),
        every=sum(each.weight for each in criteria),
        broken=tuple(why(each, view) for each in session.guards if holds(each, view)),
    )


def _criterion(session: Session, item: Item, view: TrialView, verdicts: Verdicts) -> Criterion:
    if item.check is None:
        if item.rubric is None:
            raise ValueError(f"{session.id}: item {item.id} has neither a check nor a rubric")
        return settled(query(session, item, item.rubric, view), verdicts, weight=item.weight)
    return Criterion(
        name=f"{session.id}.{item.id}",
        value=float(holds(item.check, view)),
        weight=item.weight,
        evidence=why(item.check, view),
        reason=item.text,
    )


def query(session: Session, item: Item, rubric: Rubric, view: TrialView) -> Query:
    """What a judge is asked of an item."""
    text = f"{item.text}\nYes: {rubric.passes}\nNo: {rubric.fails}"
    shown = [part for place in rubric.evidence for part in evidence(place, view)]
    return Query(id=f"{session.id}.{item.id}", text=text, evidence="\n\n".join(shown))


def evidence(place: str, view: TrialView) -> Iterator[str]:
    """What a rubric looks at: all that the agent said, files by their paths, rows that the session left changed."""
    kind, _, where = place.partition(":")
    if kind == "said":
        yield from (f"The assistant said:\n{message}" for message in view.said())
    elif kind == "file":
        yield from (f"{path}:\n{text}" for path, text in view.files().items() if fnmatchcase(path, where))
    else:
        app, _, table = where.partition(".")
        before = view.began.get((app, table), {})
        for id, row in view.ended.get((app, table), {}).items():
            if before.get(id) != row:
                yield f"{where} {id}: {json.dumps(row, ensure_ascii=False, sort_keys=True, default=str)}"


def _weighed(parts: Iterable[tuple[Session, float, float]]) -> float | None:
    """What sessions come to of each of which so much is had of so much."""
    return weighed(shares(parts).values())


def _sum(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def _burden(trajectory: Trajectory) -> dict[str, int]:
    """What the trial cost the user."""
    messages = [message(event) for event in trajectory.events if isinstance(event, HandOver | QuestionRecord)]
    answers = [event for event in trajectory.events if event.kind == "answer"]
    asked = [(len(units(said)), bool(answer.targets)) for said, answer in zip(messages, answers, strict=False)]
    return {
        "hand_overs": len(messages),
        "asking": sum(questions > 0 for questions, _ in asked),
        "targeted": sum(questions > 0 and targeted for questions, targeted in asked),
        "fishing": sum(questions > _FISHING for questions, _ in asked),
        "words": sum(len(answer.text.split()) for answer in answers),
        "turns": sum(event.kind == "model_call" and event.purpose == "agent" for event in trajectory.events),
    }


def _statuses(session: Session, trajectory: Trajectory, number: int) -> dict[str, Any]:
    answers = [event for event in trajectory.events if event.kind == "answer" and event.session == number]
    return dict(assigned([intent.id for intent in session.intents], answers))
