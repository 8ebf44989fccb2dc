"""What agents asked in a run, and what became of each question."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from harness.core.task import Task
from harness.core.trajectory import Trajectory
from harness.view.doubts import Exchange, doubts
from harness.view.trials import cut
from servers.kernel import Part

__all__ = ("asked",)


def asked(t: Trajectory, task: Task | None = None, *, answers: bool = True) -> Iterator[dict[str, Any]]:
    """The questions of a trial in their order, each with its answer and the place of its event.

    `became` are the kinds of the answer's parts, each once, but `pointed` where one points to the request in place of a
    value; or one word where it has none: `given` where it revealed something, `nothing` where it did not, `unanswered`.
    `doubts` are signs of a misunderstanding. Whatever one says who never `answers`, it told nothing.
    """
    for each, found in doubts(t, task, answers=answers):
        yield {
            "at": each.at, "question": cut(each.question.text), "answer": cut(each.answer.text) if each.answer else "",
            "became": _became(each) if answers or each.answer is None else ["nothing"],
            "doubts": [one._asdict() for one in found],
            "revealed": list(each.answer.revealed) if each.answer else [],
        }  # fmt: skip


def _became(each: Exchange) -> list[str]:
    if each.answer is None:
        return ["unanswered"]
    revealed = each.answer.revealed
    kinds = dict.fromkeys("pointed" if _points(part, revealed) else str(part.kind) for part in each.answer.parts)
    return list(kinds) or ["given" if revealed else "nothing"]


def _points(part: Part, revealed: tuple[str, ...]) -> bool:
    """Whether a part only says that the request states it ("That's in what I wrote."). The page asks the same."""
    return part.kind == "given" and not part.text and bool(part.target) and part.target not in revealed
