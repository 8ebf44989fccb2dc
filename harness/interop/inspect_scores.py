"""What we say of a trial and of a task, as Inspect has it: scores, and what counts as done as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from inspect_ai.scorer import CORRECT, INCORRECT
from inspect_ai.scorer import Score as InspectScore

from harness.core.scores import Score
from harness.core.suite import Scored
from harness.core.task import End, Task
from harness.report.verdicts import primary, verdict

__all__ = ("as_inspect", "target")


def as_inspect(name: str, scored: Scored) -> InspectScore:
    """A check's score: `C` or `I` of the one that decides whether a trial is correct, else its number.

    A trial that hit a limit or crashed has failed, as in our tables. An unscored one is in no metric of Inspect's.
    """
    score, reply = scored.scores[name], scored.trajectory.sessions[-1].reply if scored.trajectory.sessions else ""
    told = {
        "answer": reply or None,
        "explanation": "\n".join(_explained(score)) or None,
        "metadata": score.model_dump(mode="json"),
    }
    decides = score is primary(scored.scores)
    if score.value is None or (decides and verdict(scored) in ("void", "unscored")):
        return InspectScore.unscored(reason=score.reason or None, **told)
    if not decides:
        return InspectScore(value=score.value, **told)
    return InspectScore(value=CORRECT if verdict(scored) == "correct" else INCORRECT, **told)


def target(task: Task) -> str:
    """What counts as done: the changes of each end that is accepted, one a line."""
    ends = ["\n".join(_end(end)) for end in task.ends]
    own = [
        f"after session {number}:\n" + "\nor\n".join("\n".join(_end(end)) for end in session.ends)
        for number, session in enumerate(task.sessions, start=1)
        if session.ends
    ]
    return "\n\n".join([*own, "\nor\n".join(ends)])


def _end(end: End) -> Iterator[str]:
    if not end.changes:
        yield "nothing has changed"
    for change in end.changes:
        values = _json(change.values) if change.values else ""
        yield " ".join(filter(None, (change.op, f"{change.app}.{change.table}", change.id or change.name, values)))


def _explained(score: Score) -> Iterator[str]:
    if first := ": ".join(filter(None, (score.label, score.reason))):
        yield first
    for name, value in score.detail.items():
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            yield f"{name}:\n" + "\n".join(f"- {each}" for each in value)
    for each in score.criteria:
        found = "unscored" if each.value is None else f"{each.value:g}"
        yield f"{each.name} (weight {each.weight:g}): {found}{': ' * bool(each.reason)}{each.reason}"
        for opinion in each.opinions:
            yield f"  {opinion.judge}: {', '.join('-' if vote is None else str(vote) for vote in opinion.votes)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
