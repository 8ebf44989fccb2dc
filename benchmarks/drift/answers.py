"""Did the agent answer right, and leave the rows right? Section *Answers* of docs/benchmarks/drift.md.

A task that asks something is done by `answer.submit_answer`, whose first call counts; every task is judged by the rows
that it leaves, which after a question are those that there were.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from math import isclose, isnan
from typing import Final

from benchmarks.drift.template import AnswerKind
from harness.score import NO_VERDICTS, Score, Verdicts, outcome
from harness.task import Task
from harness.trajectory import CallRecord, Trajectory
from servers.kernel.shell import STOPPED as SCRIPT_STOPPED
from servers.sql.running import STOPPED as STATEMENT_STOPPED

__all__ = ("BOOKS", "TOLERANCE", "given", "handed_in", "predicted", "right", "same", "settled", "stopped")

TOLERANCE: Final = 1e-6
"""Relative; of numbers."""

BOOKS: Final = frozenset({"answer.submissions", "apis.usage"})
"""Tables in which apps keep what happened (answers handed in, calls counted): what stands there is nobody's work."""


def right(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS) -> Score:
    """The outcome check: the rows as `harness.score.outcome` compares them, and the answer where one is due.

    `detail` is that of `outcome`, with `answer` (None where none was due) and `answered`, and marked `timing` where
    calls were `stopped`. `label` is `wrong` where the rows are right and the answer is not, `nothing_done` where there
    is none.
    """
    found = _right(task, trajectory, verdicts)
    marked = {"timing": many} if (many := stopped(trajectory)) else {}
    return found.model_copy(update={"detail": {**found.detail, **marked}})


def _right(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
    found = outcome(*settled(task, trajectory), verdicts)
    expected = task.facts.get("answers")
    if expected is None or found.value is None:
        return found
    answers = given(trajectory)
    fits = answers is not None and same(
        answers, expected, task.facts.get("answer_kind", "text"), ranked=bool(task.facts.get("ranked"))
    )
    detail = {**found.detail, "answer": fits, "answered": answers is not None}
    if not found.right or fits:
        return found.model_copy(update={"detail": detail})
    label, reason = (
        ("wrong", "The answer is not right") if answers is not None else ("nothing_done", "No answer was given")
    )
    return Score(
        value=0.0, label=label, reason=f"{reason}. {found.reason}", detail={**detail, "correct": False}, correct=False
    )


def settled(task: Task, trajectory: Trajectory) -> tuple[Task, Trajectory]:
    """Task and trial without the rows in which apps keep books: they are not part of what is judged by rows."""
    changes = [change for change in trajectory.changes if f"{change.app}.{change.table}" not in BOOKS]
    return task, trajectory.model_copy(update={"changes": changes})


def handed_in(trajectory: Trajectory) -> CallRecord | None:
    """The answer that counts: the first `submit_answer` that was taken, None where there is none."""
    taken = ("answer", "submit_answer", "ok")
    return next((call for call in trajectory.calls if (call.app, call.tool, call.status) == taken), None)


def given(trajectory: Trajectory) -> Sequence[str] | None:
    """The answers that count, None where none were handed in."""
    call = handed_in(trajectory)
    return None if call is None else [str(each) for each in call.arguments.get("answers") or []]


def predicted(trajectory: Trajectory) -> str:
    """What the agent says that was meant (`predicted_question`), "" where it says nothing."""
    call = handed_in(trajectory)
    return "" if call is None else str(call.arguments.get("predicted_question") or "")


def stopped(trajectory: Trajectory) -> int:
    """Calls that were stopped because their time was up: what comes of them depends on how fast the machine is."""
    begins = (STATEMENT_STOPPED, SCRIPT_STOPPED)
    return sum(
        call.app in ("sql", "terminal") and call.status == "failed" and call.text.startswith(begins)
        for call in trajectory.calls
    )


def same(one: Sequence[str], other: Sequence[str], kind: AnswerKind, *, ranked: bool = False) -> bool:
    """Whether two answers are equal: as lists where `ranked`, else as multisets.

    Numbers to `TOLERANCE`, text without letter case and superfluous white space, dates by the day. What is not a number
    or a date is compared as text, so null is not 0.
    """
    if len(one) != len(other):
        return False
    first, second = ([_read(each, kind) for each in side] for side in (one, other))
    if not ranked:
        first, second = sorted(first, key=_order), sorted(second, key=_order)
    return all(map(_equal, first, second))


def _read(text: str, kind: AnswerKind) -> float | str:
    folded = " ".join(text.split()).casefold()
    try:
        if kind == "number":
            number = float(folded.replace(",", ""))
            return folded if isnan(number) else number
        if kind == "date":
            return _day(folded).isoformat()
    except ValueError:
        return folded
    return folded


def _day(text: str) -> date:
    return datetime.fromisoformat(text.upper()).date()


def _order(value: float | str) -> tuple[bool, float, str]:
    return (isinstance(value, str), 0.0, value) if isinstance(value, str) else (False, value, "")


def _equal(one: float | str, other: float | str) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=TOLERANCE, abs_tol=0.0)
    return one == other
