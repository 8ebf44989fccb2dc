"""Whole trials of the llm agent: sandbox, real HTTP to the stub, and whose fault an ending is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.agents.llm import LlmAgent
from harness.core.config import Limits, RunConfig
from harness.core.desk import Agent
from harness.models.recorded import Recorded
from harness.play.session import Prefix
from harness.play.stage import Job, Stage
from harness.play.trial import play
from harness.record.troubles import cut_short
from harness.serving.links import MemoryLinks
from harness.stub import Fault, Reply, StubServer, ToolCall
from harness.suite import Suite
from harness.trajectory import ModelCall, Trajectory
from tests.harness import toy
from tests.llm.support import config, model, run

TASK = toy.task(0)
REQUEST = TASK.sessions[0].requests["original"]
LOOK = Reply(calls=(ToolCall(name="projects_search_tasks", arguments={"task_name": "Job 0"}),))
MOVE = Reply(
    calls=(
        ToolCall(
            name="projects_update_task",
            arguments={"task_id": "00000000", "field": "list_name", "new_value": "In Progress"},
        ),
    )
)
DONE = Reply(text="Moved.")
VALUES = {"finished": 1.0, "limit": 0.0, "crashed": 0.0, "void": None}
"""What the outcome check makes of an ending, for scripts that do the work or are kept from it."""


class Wiring(toy.Wiring):
    """The llm agent on a stub, as the command line wires it."""

    def __init__(self, stub: StubServer) -> None:
        super().__init__([TASK])
        self._stub = stub

    def agent(self, job: Job, suite: Suite, recorded: Sequence[ModelCall] = ()) -> Agent:
        live = model(self._stub)
        return LlmAgent(Recorded(recorded, live) if recorded else live)


def trial(replies: Sequence[Reply | Fault], prefix: Prefix | None = None, **changes: Any) -> tuple[Trajectory, int]:
    """What happened, and how many requests the model got."""

    async def scene() -> tuple[Trajectory, int]:
        async with StubServer({REQUEST: replies}) as stub:
            wiring = Wiring(stub)
            setting = RunConfig(suite="toy", agents=(config(stub),), **changes)
            stage = Stage(setting, wiring.suite("toy"), wiring)
            job = Job(agent=setting.agents[0], condition="default", prompt="original", task=TASK.id, trial=0)
            try:
                record = await play(stage, job, MemoryLinks(), prefix)
            finally:
                stage.engine.close()
            assert record.scores["outcome"].value == VALUES[record.trajectory.status]
            return record.trajectory, stub.requests

    return run(scene)


def test_a_reply_that_was_cut_filtered_or_empty_is_on_record_as_such_and_no_other_is() -> None:
    cut = LOOK.model_copy(update={"finish_reason": "length"})
    filtered = MOVE.model_copy(update={"finish_reason": "content_filter"})
    trajectory, _ = trial([cut, filtered, LOOK, Reply()])
    said = [message for message in trajectory.messages if message.role == "assistant"]

    assert [message.ended for message in said] == ["length", "content_filter", "", "empty"]
    assert "ended" not in said[2].model_dump()
    assert cut_short(trajectory) == {"length": 1, "content_filter": 1, "empty": 1}


def test_a_model_does_a_task_through_faults_of_every_kind() -> None:
    faults = [
        Fault(fault=503, times=2, then=LOOK),
        Fault(fault="bad_arguments", then=MOVE),
        Fault(fault="unknown_tool", then=MOVE),
        Fault(fault="truncated", then=DONE),
    ]
    trajectory, requests = trial(faults)

    assert (trajectory.status, trajectory.sessions[0].reply) == ("finished", "Moved.")
    assert [call.status for call in trajectory.calls] == ["ok", "garbled", "ok", "unknown", "ok"]
    assert [call.attempts for call in trajectory.model_calls] == [3, 1, 1, 1, 1, 2]
    assert [call.turn for call in trajectory.model_calls] == [1, 2, 3, 4, 5, 6]
    assert [call.turn for call in trajectory.calls] == [1, 2, 3, 4, 5]
    assert requests == 9


def test_a_provider_that_stays_down_voids_the_trial() -> None:
    trajectory, _ = trial([LOOK, Fault(fault=500, times=None)])

    assert trajectory.status == "void"
    assert "failed in 3 attempts" in trajectory.reason
    assert len(trajectory.messages) == 4


def test_a_refused_key_voids_the_trial_with_the_remedy() -> None:
    trajectory, requests = trial([Fault(fault=401)])

    assert trajectory.status == "void"
    assert "check the key" in trajectory.reason
    assert requests == 1


@pytest.mark.parametrize(
    ("replies", "status", "reason"),
    [
        ([MOVE, Fault(fault="context")], "limit", "context window"),
        ([Fault(fault="cut_arguments", times=None, then=MOVE)], "crashed", "5 replies in a row"),
        ([Fault(fault="unknown_tool", times=None, then=MOVE)], "crashed", "5 replies in a row"),
    ],
)
def test_a_model_at_its_wits_end_has_failed(replies: list[Reply | Fault], status: str, reason: str) -> None:
    trajectory, _ = trial(replies)

    assert trajectory.status == status
    assert reason in trajectory.reason


def test_the_turn_that_is_one_too_many_is_recorded() -> None:
    trajectory, _ = trial([LOOK, LOOK, DONE], limits=Limits(turns=2))

    assert (trajectory.status, trajectory.reason) == ("limit", "limit reached: turns")
    assert len(trajectory.model_calls) == 3
    assert trajectory.messages[-1].content == "Moved."


def test_a_trial_is_rebuilt_to_each_step_and_goes_on_live() -> None:
    replies = [LOOK, MOVE, DONE]
    recorded, _ = trial(replies)

    for step in range(len(recorded.calls) + 1):
        again, requests = trial(replies, Prefix(recorded, step))
        assert (again.status, again.digest, again.messages) == ("finished", recorded.digest, recorded.messages)
        assert again.usage == recorded.usage
        assert requests == 3 - step
