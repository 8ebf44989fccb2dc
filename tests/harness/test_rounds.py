"""How many questions of `clarify` are answered in a session."""

from __future__ import annotations

from pathlib import Path

from harness.core.config import Condition
from harness.play.run import evaluate
from tests.harness import toy

WHICH = ("clarify_clarify", {"strategy": "ask_parameter", "content": "Which list?"})


def played(folder: Path, rounds: int, questions: int) -> list[tuple[str, str]]:
    """Status and text of each call of an agent that asks so many questions."""
    condition = Condition(ask="clarify", rounds=rounds)
    config = toy.config(conditions={"ask": condition}, tasks=("toy-2",))
    wiring = toy.Wiring(make=lambda _: toy.Scripted([WHICH] * questions))
    run = evaluate(config, toy.suite(), wiring, folder / "run")
    return [(call.status, call.text) for record in run.records() for call in record.trajectory.calls]


def test_as_many_as_the_condition_says_are_answered_and_the_next_is_refused(tmp_path: Path) -> None:
    (first, one), (second, two), (third, refusal) = played(tmp_path, 2, 3)

    assert [first, second, third] == ["ok", "ok", "failed"]
    assert one.endswith("Questions left: 1")
    assert two.endswith("Questions left: 0")
    assert "has answered 2 questions" in refusal
