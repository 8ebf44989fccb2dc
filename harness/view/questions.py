"""What agents asked in a run, and what became of each question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from harness.core.trajectory import AnswerRecord, HandOver, QuestionRecord, Trajectory
from harness.record.troubles import asked_for
from harness.view.trials import cut

__all__ = ("asked",)


def asked(t: Trajectory) -> Iterator[dict[str, Any]]:
    """The questions of a trial in their order, each with its answer and the place of its event.

    `became` are the kinds of the answer's parts, each once, or one word where it has none: `given` where it revealed
    something, `nothing` where it did not, `unanswered`. `asked_twice` is added where something that it asks for was
    asked for before in the session (`harness.record.troubles.asked_for`).
    """
    times: Counter[tuple[int, str]] = Counter()
    for at, event, answer in _pairs(t):
        again = False
        for target in sorted(asked_for(answer.targets, answer.parts)) if answer and answer.goes_on else ():
            again = again or times[event.session, target] > 0
            times[event.session, target] += 1
        yield {
            "at": at, "question": cut(event.text), "answer": cut(answer.text) if answer else "",
            "became": _became(answer) + (["asked_twice"] if again else []),
            "revealed": list(answer.revealed) if answer else [],
        }  # fmt: skip


def _pairs(t: Trajectory) -> Iterator[tuple[int, QuestionRecord | HandOver, AnswerRecord | None]]:
    """Each question with its place and answer; a hand-over is one where the user answered that something was asked."""
    last: tuple[int, QuestionRecord | HandOver] | None = None
    for at, event in enumerate(t.events):
        if isinstance(event, QuestionRecord | HandOver):
            if last and isinstance(last[1], QuestionRecord):
                yield *last, None
            last = at, event
        elif isinstance(event, AnswerRecord) and last:
            if isinstance(last[1], QuestionRecord) or event.parts or event.targets:
                yield *last, event
            last = None
    if last and isinstance(last[1], QuestionRecord):
        yield *last, None


def _became(answer: AnswerRecord | None) -> list[str]:
    if answer is None:
        return ["unanswered"]
    kinds: list[str] = list(dict.fromkeys(str(part.kind) for part in answer.parts))
    return kinds or ["given" if answer.revealed else "nothing"]
