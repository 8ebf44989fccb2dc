"""The user with intents in whole trials: what it hears of the work, and statuses from the record alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.core.config import RunConfig, UserSettings
from harness.core.desk import Agent, Desk
from harness.core.hidden import Hidden
from harness.play.fork import restored
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.stage import Job, Stage, Talk
from harness.record.store import Run
from harness.suite import Suite
from harness.task import Brief, Session
from harness.trajectory import Asked, HandOver, ModelCall, Trajectory
from harness.wiring import Wired
from servers.kernel import Answer, Intent, Part, Question, Turn, User
from tests.harness import toy
from userssim.intents.protocol import IntentUser, assigned
from userssim.intents.rules import Rules

INTENTS = (
    Intent(id="00000000", text="", says="Job 0 is done.", cues=(("job 0",),)),
    Intent(id="00000001", text="", says="Job 1 is done.", cues=(("job 1",),)),
    Intent(id="00000002", text="", says="Job 2 is done.", cues=(("job 2",),)),
)


PROVIDED = Part(kind="given", target="00000001", text="Job 1 is done.")


def moved(intent: Intent, turn: Turn) -> bool:
    """Whether the job was moved since the last hand-over."""
    return any(row.id == intent.id for row in turn.since.changed)


class Mover:
    """Moves the first job, asks about the second, and moves the third when it is told of it."""

    async def turn(self, desk: Desk, message: str) -> str:
        if "Job 2" in message:
            await self._move(desk, "00000002")
            return "Moved."
        await self._move(desk, "00000000")
        self.told = (await desk.call("ask_user_ask_user", {"question": "Where does job 1 go?"})).text
        return "One is left."

    @staticmethod
    async def _move(desk: Desk, id: str) -> None:
        where = {"task_id": id, "field": "list_name", "new_value": "Completed"}
        await desk.call("projects_update_task", where)


class Holding(Wired):
    """Two sessions of the toy suite, each with the three intents."""

    def __init__(self) -> None:
        super().__init__()
        session = Session(requests={"original": "Tidy up."})
        self.task = toy.task(0).model_copy(update={"sessions": (session, session)})
        self.agents: list[Mover] = []

    def suite(self, name: str, scale: int = 1) -> Suite:
        return toy.suite([self.task])

    def user(self, config: UserSettings, brief: Brief, talk: Talk | None = None, hidden: Hidden | None = None) -> User:
        return IntentUser([INTENTS, INTENTS], Rules(moved))

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        self.agents.append(Mover())
        return self.agents[-1]


CONFIG = RunConfig.model_validate(
    {
        "suite": "toy",
        "agents": [{"kind": "idle"}],
        "conditions": {"asking": {"end_of_turn": "user", "ask": "ask_user", "user": {"kind": "grounded"}}},
    }
)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Run, Holding]:
    wiring = Holding()
    return evaluate(CONFIG, wiring.suite("toy"), wiring, tmp_path / "run"), wiring


def told(run: Run) -> Trajectory:
    return next(run.records()).trajectory


def statuses(then: Trajectory, session: int) -> dict[str, Any]:
    answers = [asked for step in then.steps if step.session == session for asked in step.asked]
    return assigned([intent.id for intent in INTENTS], answers)


def test_statuses_stand_in_the_record(played: tuple[Run, Holding]) -> None:
    then = told(played[0])

    assert (then.status, then.reason) == ("finished", "")
    for session in (0, 1):
        assert statuses(then, session) == {"00000000": "completed", "00000001": "inferred", "00000002": "provided"}
    assert Trajectory.model_validate_json(then.model_dump_json()) == then


def test_an_end_of_a_turn_that_asks_nothing_is_no_question_whatever_is_told(played: tuple[Run, Holding]) -> None:
    then = told(played[0])
    ends = [step for step in then.steps if isinstance(step, HandOver) and step.session == 0]

    assert [(step.text, [asked.revealed for asked in step.asked]) for step in ends] == [
        ("One is left.", [("00000002",)]), ("Moved.", [()]),
    ]  # fmt: skip
    assert [asked.text for asked in then.questions] == ["Where does job 1 go?"] * 2


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Tell me where job 1 goes.", {"targets": ("00000001",), "revealed": ("00000001",)}),
        ("What about job 9?", {"revealed": ("00000001",), "parts": (PROVIDED,)}),
        ("Tell me where you live.", {"revealed": ("00000001",), "parts": (Part(kind="given", text="Here."), PROVIDED)}),
    ],
)
def test_an_end_of_a_turn_that_asks_is_a_question(text: str, answer: dict[str, Any]) -> None:
    said = HandOver(session=0, n=0, turn=0, text=text, asked=[Asked(text=text, answer="Job 1 is done.", **answer)])

    assert len(said.questions) == 1


def test_the_agent_sees_what_is_said_and_no_status(played: tuple[Run, Holding]) -> None:
    run, wiring = played

    assert wiring.agents[0].told == "Job 1 is done."
    messages = [asked.answer for step in told(run).steps for asked in step.asked]
    assert messages[:3] == ["Job 1 is done.", "Job 2 is done.", ""]


def test_what_was_done_before_a_question_in_a_call_counts_at_that_question(played: tuple[Run, Holding]) -> None:
    first = next(asked for step in told(played[0]).steps for asked in step.asked)

    assert [(part.kind, part.target) for part in first.parts] == [("confirmed", "00000000"), ("given", "00000001")]


def test_a_replay_has_the_same_statuses(played: tuple[Run, Holding]) -> None:
    run, wiring = played

    assert [(one.equal, one.difference) for one in replay_run(run, wiring.suite("toy"), wiring)] == [(True, "")]


def test_a_restored_user_knows_what_is_settled(played: tuple[Run, Holding]) -> None:
    run, wiring = played
    then = told(run)

    async def main() -> Answer:
        stage = Stage(CONFIG, wiring.suite("toy"), wiring)
        opened = await restored(stage, then, 2)
        assert opened.sandbox.user
        answer = await opened.sandbox.user.answer(Question(text="On it.", end_of_turn=True))
        opened.close()
        stage.engine.close()
        await wiring.aclose()
        return answer

    assert [part.target for part in anyio.run(main).parts] == ["00000002"]
