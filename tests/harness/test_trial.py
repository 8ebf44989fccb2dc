"""One trial: whose fault an ending is, what is recorded, and what an agent can see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import pytest
from pydantic import ValidationError

from harness.core.config import Condition, Limits
from harness.core.desk import Agent, Desk
from harness.play.run import evaluate
from harness.record.seeds import trial_seed
from harness.score import Score
from harness.task import SessionLimits, Task
from harness.trajectory import ModelCall, Trajectory
from servers.kernel import Edit
from tests.harness import toy
from userssim.scripted import ScriptedUser


def one(tmp_path: Path, agent: Any, tasks: Any = None, user: Any = None, **changes: Any) -> tuple[Trajectory, Score]:
    wiring = toy.Wiring(tasks or [toy.task(0)], lambda _: agent, user)
    run = evaluate(toy.config(**changes), wiring.suite("toy"), wiring, tmp_path / "run")
    (record,) = run.records()
    return record.trajectory, record.scores["outcome"]


MOVE = ("projects_update_task", {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"})


def test_a_right_outcome_counts_and_every_write_is_recorded(tmp_path: Path) -> None:
    trajectory, score = one(tmp_path, toy.Scripted([MOVE]))

    assert score.value == 1
    (call,) = trajectory.calls
    assert (call.app, call.tool, call.status) == ("projects", "update_task", "ok")
    assert call.writes[0].values is not None
    assert call.writes[0].values["list_name"] == "In Progress"
    assert [change.fields for change in trajectory.changes] == [{"list_name": "In Progress"}]


def test_the_call_limit_is_the_agents_failure(tmp_path: Path) -> None:
    trajectory, score = one(tmp_path, toy.Scripted([MOVE] * 4), limits=Limits(tool_calls=3))

    assert (trajectory.status, trajectory.reason) == ("limit", "limit reached: tool_calls")
    assert (len(trajectory.calls), score.value) == (3, 0)


def test_a_hung_agent_is_stopped_and_has_failed(tmp_path: Path) -> None:
    trajectory, score = one(tmp_path, toy.Hung(), limits=Limits(seconds=0.05))

    assert (trajectory.status, trajectory.reason, score.value) == ("limit", "limit reached: seconds", 0)


def test_an_agent_that_gives_up_on_itself_has_failed(tmp_path: Path) -> None:
    trajectory, score = one(tmp_path, toy.Broken())

    assert (trajectory.status, score.value) == ("crashed", 0)


def test_a_broken_user_voids_the_trial(tmp_path: Path) -> None:
    asks = toy.Scripted([("ask_user_ask_user", {"question": "Which list?"})])
    trajectory, score = one(tmp_path, asks, user=toy.BrokenUser(), conditions={"ask": Condition(ask="ask_user")})

    assert (trajectory.status, score.value) == ("void", None)


def test_a_question_is_recorded_with_what_it_revealed(tmp_path: Path) -> None:
    asks = toy.Scripted([("ask_user_ask_user", {"question": "Which list?"})])
    trajectory, _ = one(tmp_path, asks, conditions={"ask": Condition(ask="ask_user")})

    (asked,) = trajectory.questions
    assert (asked.text, asked.answer, asked.revealed) == ("Which list?", "In Progress", ("list",))


def test_a_tool_that_does_not_exist_is_answered_and_recorded(tmp_path: Path) -> None:
    trajectory, score = one(tmp_path, toy.Scripted([("projects_explode", {})]))

    assert (trajectory.status, trajectory.calls[0].status) == ("finished", "unknown")
    assert "projects_update_task" in trajectory.calls[0].text
    assert score.detail["side_effects"] is False


def test_asking_at_the_end_of_a_turn_goes_to_the_user_where_the_condition_says_so(tmp_path: Path) -> None:
    class Asker:
        def __init__(self) -> None:
            self.heard: list[str] = []

        async def turn(self, desk: Desk, message: str) -> str:
            self.heard.append(message)
            return "Which list do you want?" if len(self.heard) == 1 else "Thank you."

    asker = Asker()
    trajectory, _ = one(tmp_path, asker, conditions={"turns": Condition(end_of_turn="user")})

    assert asker.heard == ["Move job 0 to In Progress.", "In Progress"]
    assert trajectory.questions[0].targets == ("list",)


def test_setup_is_the_start_and_not_the_agents_doing(tmp_path: Path) -> None:
    setup = (Edit(op="change", app="projects", table="tasks", id="00000005", values={"board": "Front end"}),)
    trajectory, score = one(tmp_path, toy.Scripted([MOVE]), [toy.task(0, setup=setup)])

    assert score.value == 1
    assert [change.id for change in trajectory.start] == ["00000005"]


def test_sessions_share_a_state_and_nothing_else(tmp_path: Path) -> None:
    class Counting:
        async def turn(self, desk: Desk, message: str) -> str:
            seen.append((desk.session, len(desk.messages)))
            await desk.call(*MOVE)
            return ""

    seen: list[tuple[int, int]] = []
    trajectory, _ = one(tmp_path, Counting(), [toy.task(0, sessions=2)])

    assert seen == [(0, 0), (1, 0)]
    assert [bool(session.changes) for session in trajectory.sessions] == [True, True]
    assert trajectory.sessions[0].digest == trajectory.sessions[1].digest == trajectory.digest


def test_the_seed_pairs_agents() -> None:
    assert trial_seed(7, "t", "c", 0) == 9687645054983186054, "in every process, and of no agent"
    assert len({trial_seed(7, "t", "c", n) for n in range(3)} | {trial_seed(8, "t", "c", 0)}) == 4


@pytest.mark.parametrize("transport", ["memory", "http", pytest.param("stdio", marks=pytest.mark.slow)])
def test_every_transport_leaves_the_same_state_and_the_same_record(tmp_path: Path, transport: str) -> None:
    def careless(task: Task) -> Agent:
        calls = [(f"{call.app}_{call.tool}", call.arguments) for call in task.solution]
        return toy.Scripted([*calls, ("projects_delete_task", {"task_id": "missing"})])

    def play(folder: str, **changes: Any) -> list[Trajectory]:
        setup = (Edit(op="remove", app="projects", table="tasks", id="00000007"),)
        wiring = toy.Wiring([toy.task(0), toy.task(1, setup=setup)], careless)
        run = evaluate(toy.config(**changes), wiring.suite("toy"), wiring, tmp_path / folder)
        return [record.trajectory for record in run.records()]

    there, here = play("there", transport=transport), play("here")

    assert [t.digest for t in there] == [t.digest for t in here]
    assert [t.calls for t in there] == [t.calls for t in here]


def test_a_copy_of_a_task_has_the_hash_of_its_own_content() -> None:
    task = toy.suite().tasks[0]
    before = task.hash

    copy = task.model_copy(update={"id": "another"})

    assert copy.hash == Task.model_validate_json(copy.model_dump_json()).hash != before


def test_a_scripted_answer_at_the_end_of_a_turn_starts_the_next_until_the_script_is_over(tmp_path: Path) -> None:
    agent = toy.Scripted([MOVE])
    script = ScriptedUser(["Now job 1, please.", "And job 2."])
    trajectory, score = one(tmp_path, agent, user=script, conditions={"talk": Condition(end_of_turn="user")})

    assert agent.heard == ["Move job 0 to In Progress.", "Now job 1, please.", "And job 2."]
    assert [(asked.text, asked.answer) for asked in trajectory.questions] == [
        ("Done.", "Now job 1, please."), ("Done.", "And job 2."),
    ]  # fmt: skip
    assert (trajectory.status, score.value) == ("finished", 1)


def test_a_question_behind_the_end_of_a_script_voids_the_trial(tmp_path: Path) -> None:
    asks = toy.Scripted([("ask_user_ask_user", {"question": "Which list?"})])
    conditions = {"ask": Condition(ask="ask_user", end_of_turn="user")}
    trajectory, _ = one(tmp_path, asks, user=ScriptedUser(["This one.", "Go on."]), conditions=conditions)

    assert trajectory.status == "void"
    assert "the script holds 2 answers and a further question came: 'Which list?'" in trajectory.reason


class Dawdling:
    """Waits that long in each session, and then is done."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    async def turn(self, desk: Desk, message: str) -> str:
        with anyio.move_on_after(self._seconds):
            await anyio.Event().wait()
        return "Done."


class Chatty:
    """Asks a model for three turns, with a call after each."""

    async def turn(self, desk: Desk, message: str) -> str:
        for turn in range(3):
            desk.spend(ModelCall(session=desk.session, turn=turn, purpose="agent", request={}, response={}))
            await desk.call(*MOVE)
        return "Done."


def sessions(*limits: SessionLimits) -> list[Task]:
    """The toy task in as many sessions, each with limits of its own."""
    (session,) = (task := toy.task(0)).sessions
    return [task.model_copy(update={"sessions": tuple(session.model_copy(update={"limits": own}) for own in limits)})]


def test_the_time_of_a_trial_is_for_all_its_sessions(tmp_path: Path) -> None:
    trajectory, score = one(tmp_path, Dawdling(0.15), [toy.task(0, sessions=4)], limits=Limits(seconds=0.2))

    assert (trajectory.status, trajectory.reason, score.value) == ("limit", "limit reached: seconds", 0)
    assert len(trajectory.sessions) < 4


OWN = {
    "turns": (SessionLimits(turns=2), Chatty, 2),
    "tool_calls": (SessionLimits(tool_calls=2), Chatty, 2),
    "seconds": (SessionLimits(seconds=0.05), toy.Hung, 0),
}


@pytest.mark.parametrize("limit", OWN)
def test_a_session_that_runs_into_a_limit_of_its_own_ends_the_trial(tmp_path: Path, limit: str) -> None:
    own, agent, calls = OWN[limit]
    trajectory, score = one(tmp_path, agent(), sessions(own, SessionLimits()), limits=Limits(seconds=60))

    assert (trajectory.status, trajectory.reason) == ("limit", f"limit reached: {limit} of the session")
    assert (len(trajectory.sessions), len(trajectory.calls), score.value) == (1, calls, 0)


def test_a_sessions_own_limits_count_from_its_start(tmp_path: Path) -> None:
    own = SessionLimits(turns=3, tool_calls=3, seconds=60)
    trajectory, score = one(tmp_path, Chatty(), sessions(own, own, own))

    assert (trajectory.status, len(trajectory.calls), score.value) == ("finished", 9, 1)


def test_the_limits_of_a_trial_hold_beside_those_of_its_sessions(tmp_path: Path) -> None:
    own = SessionLimits(turns=3, tool_calls=3)
    turns, _ = one(tmp_path / "turns", Chatty(), sessions(own, own), limits=Limits(turns=4))
    calls, _ = one(tmp_path / "calls", Chatty(), sessions(own, own), limits=Limits(tool_calls=4))

    assert [(each.status, each.reason, len(each.sessions)) for each in (turns, calls)] == [
        ("limit", "limit reached: turns", 2), ("limit", "limit reached: tool_calls", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("given", [{"turns": 0}, {"tool_calls": 0}, {"seconds": 0}, {"tokens": 5}])
def test_a_session_has_no_other_limits_and_none_of_zero(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SessionLimits.model_validate(given)


def test_the_limits_of_a_session_are_part_of_its_task() -> None:
    assert sessions(SessionLimits(turns=3))[0].hash != toy.task(0).hash
    assert sessions(SessionLimits())[0].hash == toy.task(0).hash
