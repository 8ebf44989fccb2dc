"""Tasks of three sessions, through everything that opens a task: the oracle is right in all of them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.audit.play import Player
from harness.audit.run import audit
from harness.core.config import Condition, OracleConfig, RunConfig
from harness.live import Workplace
from harness.play.fork import go_on, restored
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.stage import Stage
from harness.record.store import Run
from harness.score import outcome
from harness.service import ServiceError
from harness.suite import Suite, SuiteEntry, SuiteError
from harness.task import Call, End, Expected, Session, Task
from harness.trajectory import Trajectory
from tests.cli.conftest import offer
from tests.harness import toy
from tests.harness.wired import Over
from tests.service.scenes import service

LISTS = ("In Progress", "In Review", "Completed")
TIMES = tuple(datetime(2025, 3, day) for day in (13, 20, 27))


def _moved(to: str) -> End:
    id = {"id": "00000000"}
    return End(changes=(Expected(op="update", app="projects", table="tasks", values={"list_name": to}, **id),))


def _move(number: int) -> dict[str, Any]:
    return {"task_id": "00000000", "field": "list_name", "new_value": LISTS[number]}


TASK = Task(
    id="long",
    world="toy",
    apps=("projects",),
    sessions=tuple(
        Session(requests={"original": f"Move job 0 to {to}."}, now=now, ends=(_moved(to),))
        for to, now in zip(LISTS, TIMES, strict=True)
    ),
    ends=(_moved(LISTS[-1]),),
    solution=tuple(Call(app="projects", tool="update_task", arguments=_move(n), session=n) for n in range(3)),
)
"""A job moves on every week; what each session is to leave is said too."""


def suite() -> Suite:
    return toy.suite([TASK])


@pytest.fixture
def run(tmp_path: Path) -> Run:
    config = RunConfig(suite="toy", agents=(OracleConfig(kind="oracle"),))
    return evaluate(config, suite(), Over(suite()), tmp_path / "run")


@pytest.fixture
def then(run: Run) -> Trajectory:
    return next(run.records()).trajectory


def test_a_run_begins_each_session_at_its_time_with_its_request(then: Trajectory) -> None:
    assert [session.request for session in then.sessions] == [f"Move job 0 to {to}." for to in LISTS]
    assert [session.now for session in then.sessions] == [now.isoformat() for now in TIMES]
    assert [call.session for call in then.calls] == [0, 1, 2]


def test_the_oracle_is_right_in_every_session(then: Trajectory) -> None:
    score = outcome(TASK, then)

    assert score.value == 1
    assert [each["correct"] for each in score.detail["sessions"]] == [True, True, True]


def test_a_session_that_leaves_something_else_makes_the_trial_wrong(then: Trajectory) -> None:
    sessions = [then.sessions[0].model_copy(update={"changes": []}), *then.sessions[1:]]
    score = outcome(TASK, then.model_copy(update={"sessions": sessions}))

    assert (score.value, score.detail["matched"], score.detail["expected"]) == (0, 1, 1)
    assert score.reason.endswith("Session 0 left: 0 of 1 expected changes, 0 unexpected.")


def test_a_session_that_was_not_reached_left_nothing_right(then: Trajectory) -> None:
    score = outcome(TASK, then.model_copy(update={"sessions": then.sessions[:1]}))

    assert [each["correct"] for each in score.detail["sessions"]] == [True, False, False]


def test_a_replay_gives_the_digest_again(run: Run) -> None:
    assert [one.equal for one in replay_run(run, suite(), Over(suite()))] == [True]


def test_a_fork_at_each_step_ends_as_the_trial_did(run: Run, then: Trajectory, tmp_path: Path) -> None:
    name = next((run.folder / "trials").glob("*.json")).stem

    for step in range(4):
        (record,) = go_on(run.head.config, suite(), Over(suite()), run, name, step, tmp_path / str(step)).records()
        assert (record.trajectory.digest, record.scores["outcome"].value) == (then.digest, 1)


def test_a_restored_sandbox_stands_in_the_session_of_its_step(run: Run, then: Trajectory) -> None:
    async def main() -> list[tuple[int, datetime]]:
        stage = Stage(run.head.config, suite(), Over(suite()))
        found = []
        for step in range(3):
            opened = await restored(stage, then, step)
            found.append((opened.session, opened.layer.now))
            opened.close()
        stage.engine.close()
        return found

    assert anyio.run(main) == list(enumerate(TIMES))


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = (SuiteEntry("sessions", "A job that moves on.", suite),)
    offer(monkeypatch, *entries, where="benchmarks/sessions")


@pytest.mark.usefixtures("offered")
def test_live_a_task_is_advanced_from_session_to_session(then: Trajectory) -> None:
    with Workplace() as workplace:
        task = workplace.task("sessions", "long")
        sandbox = task.sandbox._sandbox
        for number in range(3):
            assert (task.session, task.request) == (number, f"Move job 0 to {LISTS[number]}.")
            task.sandbox._portal.call(sandbox.call, "projects", "update_task", _move(number))
            if number < 2:
                assert task.advance() == f"Move job 0 to {LISTS[number + 1]}."

        assert task.score().value == 1
        assert sandbox.layer.now == TIMES[-1]
        with pytest.raises(SuiteError, match="long has no session after this one; it has 3"):
            task.advance()


def test_the_service_advances_a_task_and_scores_its_sessions() -> None:
    async def main() -> None:
        async with service([TASK]) as scene:
            box = await scene.client.create(suite="toy", task="long")
            for number in range(3):
                assert (box.info.session, box.info.sessions, box.info.now) == (number, 3, TIMES[number])
                assert box.request == f"Move job 0 to {LISTS[number]}."
                await scene.move(box.urls["projects"], **_move(number))
                if number < 2:
                    await box.advance()

            assert (await box.score()).scores["outcome"].value == 1
            with pytest.raises(ServiceError, match="task long has no session after this one; it has 3"):
                await box.advance()

    anyio.run(main)


def test_the_service_takes_a_task_back_to_an_earlier_session() -> None:
    async def main() -> None:
        async with service([TASK]) as scene:
            box = await scene.client.create(suite="toy", task="long")
            await scene.move(box.urls["projects"], **_move(0))
            await box.snapshot("first")
            await box.advance()
            fork = await box.fork("first")
            await box.restore("first")

            assert (await box.show()).session == (await fork.show()).session == 0
            await fork.advance()
            assert ((await box.show()).session, (await fork.show()).session) == (0, 1)

    anyio.run(main)


def test_a_sandbox_of_a_world_has_no_sessions() -> None:
    async def main() -> None:
        async with service([TASK]) as scene:
            box = await scene.client.create()
            with pytest.raises(ServiceError, match="made from a world: only a task has sessions"):
                await box.advance()

    anyio.run(main)


def test_the_audit_plays_each_call_in_its_session() -> None:
    player = Player(suite())
    try:
        played = anyio.run(player.play, TASK, TASK.solution)
    finally:
        player.close()

    assert played.verdict == "correct"
    assert [record.session for record in played.records if record] == [0, 1, 2]
    assert [len(session.changes) for session in played.trajectory.sessions] == [1, 1, 1]


def test_the_audit_finds_no_fault_in_the_task() -> None:
    assert audit(suite()).sound


def test_an_oracle_plays_the_solution_of_the_toolset_that_is_on_offer(tmp_path: Path) -> None:
    task = TASK.model_copy(update={"solution": (), "solutions": {"workbench": TASK.solution}})

    config = RunConfig(suite="toy", agents=(OracleConfig(kind="oracle"),), conditions={"c": Condition()})
    (record,) = evaluate(config, toy.suite([task]), Over(toy.suite([task])), tmp_path / "run").records()

    assert record.scores["outcome"].value == 1
