"""Recorded calls played again, and trials rebuilt to a step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.core.config import Condition, UserConfig, UserSettings
from harness.core.desk import Agent, Desk
from harness.core.hidden import Hidden
from harness.play.differing import otherwise
from harness.play.fork import go_on, restored
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.session import Prefix
from harness.play.stage import Job, Stage, Talk
from harness.play.trial import play
from harness.record.files import RunError
from harness.record.store import Run
from harness.serving.links import MemoryLinks
from harness.task import Brief, Task
from harness.trajectory import CallRecord, Trajectory
from servers.kernel import User
from tests.harness import toy
from userssim.scripted import ScriptedUser


def asking(task: Task) -> Agent:
    solution = [(f"{call.app}_{call.tool}", call.arguments) for call in task.solution]
    return toy.Scripted([("ask_user_ask_user", {"question": "Which list?"}), ("nonsense", {}), *solution])


@pytest.fixture
def run(tmp_path: Path) -> Run:
    conditions = {"ask": Condition(ask="ask_user")}
    return evaluate(toy.config(conditions=conditions), toy.suite(), toy.Wiring(make=asking), tmp_path / "run")


def test_replaying_a_run_gives_every_digest_again(run: Run) -> None:
    replayed = replay_run(run, toy.suite(), toy.Wiring())

    assert len(replayed) == 12
    assert all(one.equal for one in replayed)


def test_clarifying_is_replayed_with_its_strategy_and_candidates(tmp_path: Path) -> None:
    which = {"strategy": "disambiguate", "content": "Which list?", "candidates": ["Done", "In Progress"]}
    config = toy.config(conditions={"ask": Condition(ask="clarify")}, tasks=("toy-0",))
    wiring = toy.Wiring(make=lambda _: toy.Scripted([("clarify_clarify", which)]))
    run = evaluate(config, toy.suite(), wiring, tmp_path / "run")
    (asked,) = next(run.records()).trajectory.questions

    assert (asked.strategy, asked.candidates) == ("disambiguate", ("Done", "In Progress"))
    assert (asked.answer, asked.revealed) == ("In Progress", ("list",))
    assert [one.equal for one in replay_run(run, toy.suite(), wiring)] == [True]


def test_a_record_that_was_tampered_with_is_noticed(run: Run) -> None:
    record = next(run.records())
    record.trajectory.calls[2].arguments["new_value"] = "Backlog"
    run.write(record)

    unequal = [one for one in replay_run(run, toy.suite(), toy.Wiring()) if not one.equal]

    assert [one.task for one in unequal] == [record.trajectory.task]
    assert "call 2" in unequal[0].difference


def tampered(run: Run, **fields: Any) -> str:
    """How the last call of the first trial went differently, once its record says that."""
    record = next(run.records())
    for name, value in fields.items():
        setattr(record.trajectory.calls[2], name, value)
    run.write(record)
    (difference,) = [one.difference for one in replay_run(run, toy.suite(), toy.Wiring()) if one.difference]
    return difference.removeprefix("call 2, projects.update_task, went differently: ")


UPDATED = "Task 00000000 updated."


def test_a_result_that_differs_is_shown_around_where_it_does(run: Run) -> None:
    assert tampered(run, text="Task 00000001 updated.") == f"text: 'Task 00000001 updated.' then, {UPDATED!r} now"
    assert tampered(run, text=UPDATED + "x" * 500) == f"text: '{UPDATED}{'x' * 140}'... then, {UPDATED!r} now"
    assert otherwise(called("a" * 100 + "b" + "c" * 200), called("a" * 100 + "d")) == (
        f"text: ...'{'a' * 60}b{'c' * 139}'... then, ...'{'a' * 60}d' now"
    )


def test_a_call_that_fails_now_is_told_with_what_it_is_refused_for(run: Run) -> None:
    assert tampered(run, status="failed", text="No.") == (
        f"status: 'failed' then, 'ok' now; text: 'No.' then, {UPDATED!r} now"
    )


def test_a_call_whose_text_is_the_same_is_told_by_what_it_writes(run: Run) -> None:
    assert tampered(run, writes=[]).startswith("""writes: '[]' then, '[{"app":"projects",""")


def called(text: str) -> CallRecord:
    return CallRecord(session=0, n=0, turn=0, app="desk", tool="read", arguments={}, status="ok", text=text)


def test_changes_that_the_calls_do_not_make_are_noticed(run: Run) -> None:
    record = next(run.records())
    record.trajectory.changes = []
    run.write(record)

    unequal = [one for one in replay_run(run, toy.suite(), toy.Wiring()) if not one.equal]

    assert [one.difference for one in unequal] == [
        "its record has other changes, which are what is scored, than these calls make"
    ]


def test_a_trial_that_is_not_there_is_named(run: Run) -> None:
    with pytest.raises(RunError, match="no trial 'nobody'"):
        replay_run(run, toy.suite(), toy.Wiring(), "nobody")


def follow(run: Run, trajectory: Trajectory, wiring: toy.Wiring, step: int) -> Trajectory:
    async def main() -> Trajectory:
        stage = Stage(run.head.config, toy.suite(), wiring)
        job = Job(
            agent=run.head.config.agents[0],
            condition=trajectory.condition,
            prompt=trajectory.prompt,
            task=trajectory.task,
            trial=trajectory.trial,
        )
        return (await play(stage, job, MemoryLinks(), Prefix(trajectory, step))).trajectory

    return anyio.run(main)


def test_a_trial_can_be_rebuilt_to_every_step(run: Run) -> None:
    recorded = next(run.records()).trajectory

    for step in range(len(recorded.calls) + 1):
        again = follow(run, recorded, toy.Wiring(make=asking), step)
        assert (again.status, again.digest, again.calls) == ("finished", recorded.digest, recorded.calls)


def test_an_agent_that_leaves_the_recorded_path_is_caught(run: Run) -> None:
    recorded = next(run.records()).trajectory

    again = follow(run, recorded, toy.Wiring(make=lambda _: toy.Scripted([("other", {})] * 3)), 2)

    assert again.status == "void"
    assert "step 0 was ask_user.ask_user" in again.reason


class AsksBothWays:
    """Asks with the tool and at the end of its turns, by turns."""

    def __init__(self) -> None:
        self._turns = 0

    async def turn(self, desk: Desk, message: str) -> str:
        self._turns += 1
        await desk.call("ask_user_ask_user", {"question": f"Which list, for the {self._turns}. time?"})
        return "Which list do you want?" if self._turns < 3 else "Done."


class Scripting(toy.Wiring):
    """Every session has a user of its own, who reads out the condition's script."""

    def user(self, config: UserSettings, brief: Brief, talk: Talk | None = None, hidden: Hidden | None = None) -> User:
        assert isinstance(config, UserConfig)
        return ScriptedUser(config.script)


BOTH = {"both": Condition(ask="ask_user", end_of_turn="user")}
SCRIPT = ("In Review.", "In Progress.", "As I said.", "Have a nice day.", "Goodbye.")
BY_SCRIPT = {"both": BOTH["both"].model_copy(update={"user": UserConfig(kind="scripted", script=SCRIPT)})}
WAYS = {"told": (BOTH, toy.Wiring), "scripted": (BY_SCRIPT, Scripting)}


@pytest.fixture(params=list(WAYS.values()), ids=list(WAYS))
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Run, toy.Wiring]:
    conditions, kind = request.param
    wiring = kind([toy.task(0)], lambda _: AsksBothWays())
    config = toy.config(conditions=conditions)
    return evaluate(config, wiring.suite("toy"), wiring, tmp_path / "run"), wiring


def test_a_trial_that_asked_both_ways_is_replayed(both: tuple[Run, toy.Wiring]) -> None:
    run, wiring = both
    then = next(run.records()).trajectory

    assert [step.kind for step in then.steps[:4]] == ["call", "hand_over", "call", "hand_over"]
    assert [one.difference for one in replay_run(run, wiring.suite("toy"), wiring)] == [""]


def test_a_trial_that_asked_both_ways_goes_on_from_every_step(both: tuple[Run, toy.Wiring], tmp_path: Path) -> None:
    run, wiring = both
    name = next((run.folder / "trials").glob("*.json")).stem
    then = next(run.records()).trajectory

    for step in range(len(then.steps) + 1):
        child = go_on(run.head.config, wiring.suite("toy"), wiring, run, name, step, tmp_path / str(step))
        assert [record.trajectory.steps for record in child.records()] == [then.steps]


def _call(then: Trajectory, step: int) -> CallRecord:
    call = then.steps[step]
    assert isinstance(call, CallRecord)
    return call


def test_the_user_of_a_restored_sandbox_has_heard_what_was_asked_before(both: tuple[Run, toy.Wiring]) -> None:
    run, wiring = both
    then = next(run.records()).trajectory

    async def main() -> None:
        stage = Stage(run.head.config, wiring.suite("toy"), wiring)
        for step in (0, 2, 4):
            opened = await restored(stage, then, step)
            sandbox = opened.sandbox
            again = await sandbox.call("ask_user", "ask_user", _call(then, step).arguments)
            assert again.asked == _call(then, step).asked
            opened.close()
        stage.engine.close()

    anyio.run(main)
