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
from harness.trajectory import Request, SessionRecord, Trajectory
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


def noticed(run: Run, tampered: Trajectory) -> str:
    """In what a replay finds a record to differ, once it is that one."""
    (record,) = run.records()
    run.write(record.model_copy(update={"trajectory": tampered}))
    (again,) = replay_run(run, SUITE, WIRING)
    return again.difference


def test_a_replay_notices_that_an_earlier_session_left_other_changes(run: Run, then: Trajectory) -> None:
    then.sessions[1].changes = []

    assert noticed(run, then) == (
        "session 1: its record has other changes, which are what is scored, than these calls make"
    )


def test_a_replay_notices_that_an_earlier_session_left_another_digest(run: Run, then: Trajectory) -> None:
    left, then.sessions[1].digest = then.sessions[1].digest, "0" * 64

    assert noticed(run, then) == f"session 1: digest {left[:12]}, not 000000000000"


def test_a_replay_notices_that_the_last_session_left_something_else_than_the_whole(run: Run, then: Trajectory) -> None:
    then.sessions[2] = SessionRecord(changes=[], digest="0" * 64)

    assert noticed(run, then) == f"session 2: digest {then.digest[:12]}, not 000000000000"


def test_a_replay_notices_that_a_session_was_at_another_time(run: Run, then: Trajectory) -> None:
    next(event for event in then.events if isinstance(event, Request) and event.session == 1).now = "2025-04-02"

    assert noticed(run, then) == (
        "the beginning of session 1 went differently: now: '2025-04-02' then, '2025-04-01T16:30:00' now"
    )


def test_a_replay_notices_that_a_session_is_not_on_record(run: Run, then: Trajectory) -> None:
    del then.sessions[2]

    assert noticed(run, then) == "its record has 2 sessions, where these calls are of 3"


def test_a_replay_notices_other_defaults_of_new_rows(run: Run, then: Trajectory) -> None:
    then.defaults = {"gmail.emails": {"folder": "other"}}

    assert noticed(run, then) == "its record has other defaults than the tables of its new rows"


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
