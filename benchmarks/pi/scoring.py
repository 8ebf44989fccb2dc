"""What a trial is worth: Comp of items and guards, and Proc, over the sessions of a unit (pi-Bench section 3.3).

Rules decide items with a `check`; a judge decides those with a rubric, and until one has they are unscored: they count
in no figure, and the bounds that Comp has without them stand beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple, get_args

from benchmarks.pi.failures import Played, failures
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

__all__ = ("STATUSES", "checks", "evidence", "queries", "query")

STATUSES: Final = get_args(Status)
"""What may become of an intent."""

_FISHING = 5
"""Questions of one message; more are fishing (specs, section 7)."""


def checks(unit: Callable[[Task], Unit], world: Callable[[str], World]) -> dict[str, Check]:
    """Checks by name.

    `outcome` is the mean over sessions of the share, by weight, of scored items that are met at the session's end;
    right if all are and no guard is broken. Its detail has `sessions`, these shares; `maximum`, the same of items
    that are met at some hand-over or at the end, and `regressed`, how much more that is, both as means; `low` and
    `high`, what the value is with unscored items all failed or all met; the number of items `unscored`; and the
    guards: how many there are (`guarded`), and those that are broken; and `failures`, how often each pattern is
    there and of how many. `proc` is the share of the unit's intents that were completed or inferred, with all
    statuses, and the numbers of `hand_overs`, of those that were `asking` (of these, `targeted` at an intent, and
    `fishing` with more than five questions), of `words` that the user said, and of model calls (`turns`).
    """

    def outcome(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS) -> Score:
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
            Played(session, status, end.met, seen[-1])
            for session, status, end, seen in zip(sessions, statuses, ends, views, strict=True)
        ]
        value, maximum = _mean([end.share for end in ends]), _mean([end.maximum for end in ends])
        reason = f"Not met: {', '.join(failed)}." if failed else "All scored items are met."
        if broken:
            reason += f" Guards broken: {len(broken)}."
        if waiting:
            reason += f" {waiting} await a judge."
        return Score(
            value=value, correct=not failed and not broken, reason=reason, criteria=criteria,
            detail={
                "sessions": [end.share for end in ends], "maximum": maximum, "regressed": maximum - value,
                "low": _mean([end.low for end in ends]), "high": _mean([end.high for end in ends]),
                "guards": broken, "guarded": sum(len(session.guards) for session in sessions), "unscored": waiting,
                "failures": {name: list(found) for name, found in failures(played).items()},
            },
        )  # fmt: skip

    def proc(task: Task, trajectory: Trajectory, _: Verdicts = NO_VERDICTS) -> Score:
        if trajectory.status == "void":
            return Score(value=None, reason="void")
        sessions = unit(task).sessions
        statuses = [_statuses(session, trajectory, number) for number, session in enumerate(sessions)]
        every = [status for each in statuses for status in each.values()]
        told = {name: every.count(name) for name in STATUSES}
        return Score(
            value=(told["completed"] + told["inferred"]) / len(every),
            reason=", ".join(f"{count} {name}" for name, count in told.items() if count),
            detail={
                **told,
                "statuses": [dict(each) for each in statuses],
                **_burden(trajectory),
            },
        )

    return {"outcome": outcome, "proc": proc}


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
    """Every item at a session's end, whether those with a check are met, the shares that are, and the guards broken."""

    criteria: tuple[Criterion, ...]
    met: dict[str, bool]
    share: float
    maximum: float
    low: float
    high: float
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
    met, every = _sum(weights, values), sum(each.weight for each in criteria)
    of = sum(weights) or 1.0
    return _End(
        tuple(criteria),
        {item.id: bool(each.value) for item, each in zip(session.checklist, criteria, strict=True) if item.check},
        share=met / of,
        maximum=_sum(weights, best) / of,
        low=met / every,
        high=(met + every - sum(weights)) / every,
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


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares)


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
