"""Sessions at times of their own: what tools, agents, records, replays and forks are told."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import anyio
import pytest

from harness.agents.talking import system_message
from harness.core.config import Limits
from harness.core.desk import Desk
from harness.play.fork import go_on, restored
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.stage import Stage
from harness.record.store import Run
from harness.task import Session, SessionLimits
from harness.trajectory import Trajectory
from tests.harness import toy

LATER = datetime(2025, 4, 1, 16, 30)
TIMES = (toy.NOW, LATER, toy.NOW)
MAIL = {"to": ["ines@example.test"], "subject": "Jobs", "text": "All moved."}
TASK = toy.task(0).model_copy(
    update={
        "apps": ("projects", "gmail"),
        "sessions": tuple(
            Session(requests={"original": "Write."}, now=now, limits=SessionLimits(tool_calls=9 if now else None))
            for now in (None, LATER, None)
        ),
    }
)
"""A mail is written in each of three sessions; only the second is at a time of its own, and has a budget of its own."""


def test_a_session_at_an_end_of_the_calendar_is_refused() -> None:
    with pytest.raises(ValueError, match="the time is in the year 9999, and clocks stand in the years 1000 to 9900"):
        Session(requests={"original": "Write."}, now=datetime(9999, 12, 31))


class Writer:
    """Reads what a model would read first, and writes one mail a session."""

    async def turn(self, desk: Desk, message: str) -> str:
        desk.say(system_message(desk, "system.j2"))
        await desk.call("gmail_send_email", MAIL)
        return "Done."


WIRING = toy.Wiring([TASK], lambda _: Writer())
SUITE = WIRING.suite("toy")


def sent(then: Trajectory) -> list[str]:
    """When each mail was sent, by the rows that calls wrote."""
    return [(call.writes[0].values or {})["sent_datetime"] for call in then.calls]


@pytest.fixture(params=["memory", "http"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    return evaluate(toy.config(transport=request.param), SUITE, WIRING, tmp_path / "run")


@pytest.fixture
def then(run: Run) -> Trajectory:
    return next(run.records()).trajectory


def test_tools_have_the_time_of_the_session(then: Trajectory) -> None:
    assert sent(then) == [str(now) for now in TIMES]


def test_an_agent_is_told_the_time_of_the_session(then: Trajectory) -> None:
    told = [message.content for message in then.messages if message.role == "system"]

    assert ["2025-04-01, 16:30" in text for text in told] == [False, True, False]
    assert ["2025-03-13, 00:00" in text for text in told] == [True, False, True]


def test_an_agent_is_told_how_many_calls_a_session_has(then: Trajectory) -> None:
    told = [message.content for message in then.messages if message.role == "system"]

    assert ["\n\nYou have 9 tool calls for this.\n\n" in text for text in told] == [False, True, False]
    assert ["tool calls" in text for text in told] == [False, True, False]


def test_an_agent_is_told_no_more_calls_than_the_run_leaves(tmp_path: Path) -> None:
    run = evaluate(toy.config(limits=Limits(tool_calls=5)), SUITE, WIRING, tmp_path / "run")

    told = [message.content for message in next(run.records()).trajectory.messages if message.role == "system"]

    assert "\n\nYou have 4 tool calls for this.\n\n" in told[1]


def test_the_record_has_the_time_of_each_session(then: Trajectory) -> None:
    assert [session.now for session in then.sessions] == [now.isoformat() for now in TIMES]


def test_a_replay_is_at_the_time_of_each_session(run: Run) -> None:
    assert [(one.difference, one.equal) for one in replay_run(run, SUITE, WIRING)] == [("", True)]


def test_a_fork_goes_on_at_the_time_of_each_session(run: Run, then: Trajectory, tmp_path: Path) -> None:
    name = next((run.folder / "trials").glob("*.json")).stem

    for step in range(4):
        (record,) = go_on(run.head.config, SUITE, WIRING, run, name, step, tmp_path / str(step)).records()
        assert (sent(record.trajectory), record.trajectory.digest) == (sent(then), then.digest)


def test_a_restored_sandbox_is_at_the_time_of_the_session_it_stands_in(run: Run, then: Trajectory) -> None:
    async def main() -> list[datetime]:
        stage = Stage(run.head.config, SUITE, WIRING)
        found = []
        for step in range(3):
            sandbox = await restored(stage, then, step)
            found.append(sandbox.layer.now)
            sandbox.layer.close()
        stage.engine.close()
        return found

    assert anyio.run(main) == list(TIMES)
