"""A user of kind `intents`, from a config to the record: who is wanted of a suite, and what a trial keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness import ConfigProblem, open_task
from harness import wiring as wirings
from harness.core.config import Condition, UserSettings
from harness.core.desk import Desk
from harness.core.hidden import Hidden
from harness.play.run import evaluate
from harness.play.stage import Talk
from harness.suite import Suite, SuiteEntry
from harness.task import Brief, Task
from harness.trajectory import Trajectory
from servers.kernel import Fact, Intent, Turn, User
from tests.cli.conftest import offer
from tests.harness import toy
from userssim.intents.protocol import assigned

INTENTS = (
    Intent(id="i1", text="The job goes to review.", says="It goes to In Review.", cues=(("list",), ("review",))),
    Intent(id="i2", text="Ines is told.", says="Tell Ines.", cues=(("ines",),)),
)
FACTS = (Fact(says="It is a Thursday.", cues=(("day",),)),)
ASKING = {"asking": Condition.model_validate({"ask": "ask_user", "end_of_turn": "user", "user": {"kind": "intents"}})}


def moved(intent: Intent, shown: Turn) -> bool:
    """The first is acted on by the row that it wants, the second by saying so."""
    if intent.id == "i1":
        return any(row.values and row.values["list_name"] == "In Review" for row in shown.so_far.changed)
    return "ines is told" in shown.stated.lower()


def hidden(task: Task) -> Hidden:
    return Hidden(sessions=(INTENTS,), facts=FACTS, completed=moved)


def suite() -> Suite:
    return replace(toy.suite([toy.task(1)]), hidden=hidden)


ENTRY = SuiteEntry("toy-intents", "Jobs on a board.", lambda: replace(suite(), name="toy-intents"))


class Wiring(toy.Wiring):
    """A scripted agent, and the user that a real run has."""

    def user(self, config: UserSettings, brief: Brief, talk: Talk | None = None, hidden: Hidden | None = None) -> User:
        return wirings.Wired().user(config, brief, talk, hidden)


class Speaking(toy.Scripted):
    """Makes its calls in its first turn, and says one of these in each."""

    def __init__(self, words: Sequence[str], calls: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
        super().__init__(calls)
        self._words = list(words)

    async def turn(self, desk: Desk, message: str) -> str:
        await super().turn(desk, message)
        self._calls = ()
        return self._words.pop(0) if self._words else ""


def played(folder: Path, *words: str, calls: Sequence[tuple[str, Mapping[str, Any]]] = ()) -> Trajectory:
    config = toy.config(conditions=ASKING)
    run = evaluate(config, suite(), Wiring(make=lambda _: Speaking(words, calls)), folder / "run")
    (record,) = run.records()
    return record.trajectory


def statuses(played: Trajectory) -> dict[str, str]:
    answers = [event for event in played.events if event.kind == "answer"]
    return dict(assigned([intent.id for intent in INTENTS], answers))


MOVE = ("projects_update_task", {"task_id": "00000001", "field": "list_name", "new_value": "In Review"})


def test_what_nobody_asks_for_is_told_one_at_a_time(tmp_path: Path) -> None:
    trial = played(tmp_path, "I am on it.", "I see.", "Done.")

    assert statuses(trial) == {"i1": "provided", "i2": "provided"}
    told = [event.text for event in trial.events if event.kind == "answer"]
    assert told[:2] == ["It goes to In Review.", "Tell Ines."]


def test_what_the_agent_does_by_itself_is_completed(tmp_path: Path) -> None:
    trial = played(tmp_path, "I moved it, and Ines is told.", calls=[MOVE])

    assert statuses(trial) == {"i1": "completed", "i2": "completed"}
    assert trial.status == "finished"


def test_what_a_question_asks_for_is_inferred(tmp_path: Path) -> None:
    trial = played(tmp_path, "Which list does it go to?", "Should I write to Ines?", "Done.")

    assert statuses(trial) == {"i1": "inferred", "i2": "inferred"}


def test_a_question_put_by_a_call_is_a_hand_over_like_any_other(tmp_path: Path) -> None:
    asked = ("ask_user_ask_user", {"question": "Which list is it?"})

    assert statuses(played(tmp_path, "Ines is told.", calls=[asked, MOVE])) == {"i1": "inferred", "i2": "completed"}


def test_a_fact_is_told_without_a_status(tmp_path: Path) -> None:
    trial = played(tmp_path, "What day is it?", "Done.", "Done.")

    first = next(event for event in trial.events if event.kind == "answer")
    assert first.text == "It is a Thursday.\nIt goes to In Review."
    assert [part.target for part in first.parts] == ["", "i1"]


def test_a_suite_without_intents_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(ConfigProblem, match=r"conditions\.asking\.user: kind intents needs a suite whose"):
        evaluate(toy.config(conditions=ASKING), toy.suite(), Wiring(), tmp_path / "run")


@pytest.mark.parametrize("asking", [{"ask": "ask_user"}, {"end_of_turn": "user"}])
def test_whoever_else_is_asked_is_refused_where_sessions_have_intents(tmp_path: Path, asking: dict[str, str]) -> None:
    conditions = {"asking": Condition.model_validate(asking)}

    with pytest.raises(ConfigProblem, match=r"conditions\.asking\.user: kind grounded knows .* use kind intents"):
        evaluate(toy.config(conditions=conditions), suite(), Wiring(), tmp_path / "run")


def test_a_task_whose_sessions_have_intents_is_not_opened_with_anybody_else_to_ask(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    offer(monkeypatch, ENTRY)

    with (
        pytest.raises(ConfigProblem, match="user: kind grounded knows nothing of the intents"),
        open_task("toy-intents", "toy-1", ask="ask_user"),
    ):
        raise AssertionError("nothing is opened")


def test_where_nobody_is_asked_sessions_with_intents_are_played(tmp_path: Path) -> None:
    config = toy.config(conditions={"alone": Condition()})
    run = evaluate(config, suite(), Wiring(make=lambda _: Speaking(["Done."], ())), tmp_path / "run")

    assert [each.trajectory.status for each in run.records()] == ["finished"]


def test_such_a_user_answers_in_a_task_opened_from_python(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ENTRY)

    with open_task("toy-intents", "toy-1", ask="ask_user", user="intents") as task:
        assert task.ask("Which list is it for?") == "It goes to In Review."
