"""A model that hands a task on: two conversations in one trial, over HTTP to the stub."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from harness.core.config import Limits, Reflexion
from harness.play.session import Prefix
from harness.play.stage import Job, Stage
from harness.play.trial import play
from harness.record.store import TrialRecord
from harness.serving.links import open_links
from harness.stub import Fault, Reply, StubServer, ToolCall
from harness.view.trials import Trial
from tests.harness.subagents import MOVED, SPAWN, config, handed, suite, task
from tests.harness.wired import Over
from tests.llm import support

TASK = task(0)
REQUEST = TASK.sessions[0].requests["original"]
HAND_ON = Reply(
    text="Somebody else may.", calls=(ToolCall(name=SPAWN, arguments={"task": handed(0), "title": "Board"}),)
)
MOVE = Reply(
    calls=(
        ToolCall(
            name="projects_update_task",
            arguments={"task_id": "00000000", "field": "list_name", "new_value": "In Progress"},
        ),
    )
)
AGAIN = Reply(calls=(ToolCall(name=SPAWN, arguments={"task": "And you?"}),))
DONE = Reply(text="It was moved.")
WORK = [AGAIN, MOVE, Reply(text=MOVED)]

Script = Mapping[str, Sequence[Reply | Fault]]


def trial(
    script: Script, *, prefix: Prefix | None = None, fields: Mapping[str, Any] | None = None, **changes: Any
) -> tuple[TrialRecord, int]:
    """The trial of the task, and how many requests the model got."""

    async def scene() -> tuple[TrialRecord, int]:
        async with StubServer(script) as stub:
            given = suite([TASK])
            setting = config(agents=(support.config(stub, name="m", **fields or {}),), **changes)
            stage = Stage(setting, given, Over(given))
            job = Job(agent=setting.agents[0], condition="sub", prompt="original", task=TASK.id, trial=0)
            toolsets = stage.toolsets("sub", TASK).values()
            try:
                async with open_links(setting.transport, [*toolsets]) as links:
                    return await play(stage, job, links, prefix), stub.requests
            finally:
                stage.engine.close()

    return support.run(scene)


SCRIPT: Script = {REQUEST: [HAND_ON, DONE], handed(0): WORK}


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_each_has_a_conversation_of_its_own_and_the_report_is_the_result_of_the_call(transport: str) -> None:
    record, _ = trial(SCRIPT, transport=transport)
    t = record.trajectory
    own, other = ([call.request for call in t.model_calls if call.subagent == number] for number in (0, 1))

    assert (t.status, t.sessions[0].reply, record.scores["outcome"].value) == ("finished", DONE.text, 1.0)
    assert [(call.turn, call.subagent) for call in t.model_calls] == [(1, 0), (2, 1), (3, 1), (4, 1), (5, 0)]
    assert [(call.tool, call.status, call.subagent) for call in t.calls] == [
        (SPAWN, "unknown", 1),
        ("update_task", "ok", 1),
        ("spawn_subagent", "ok", 0),
    ]
    assert [message["role"] for message in own[-1]["messages"]] == ["system", "user", "assistant", "tool"]
    assert own[-1]["messages"][-1]["content"] == MOVED
    assert REQUEST not in json.dumps([request["messages"] for request in other])
    assert other[0]["messages"][1:] == [{"role": "user", "content": handed(0)}]
    offered, less = ({tool["function"]["name"] for tool in requests[0]["tools"]} for requests in (own, other))
    assert offered - less == {SPAWN}


@pytest.mark.parametrize(
    "limits", [Limits(turns=2), Limits(tool_calls=2), Limits(tokens=500), Limits(cost_usd=0.00005)], ids=str
)
def test_both_spend_from_one_purse(limits: Limits) -> None:
    record, _ = trial(SCRIPT, limits=limits, fields={"price": {"prompt": 0.1, "completion": 0.1}})
    t = record.trajectory
    (name,) = limits.model_fields_set

    assert (t.status, t.reason) == ("limit", f"limit reached: {name}")
    assert (t.calls[-1].tool, t.calls[-1].status) == ("spawn_subagent", "failed")
    assert t.usage.prompt_tokens == sum(call.usage.prompt_tokens for call in t.model_calls)


def test_a_subagent_at_its_wits_end_fails_alone() -> None:
    lost = {**SCRIPT, handed(0): [Fault(fault="unknown_tool", times=None, then=MOVE)]}
    t = trial(lost)[0].trajectory

    assert (t.status, t.calls[-1].status) == ("finished", "failed")
    assert "5 replies in a row" in t.calls[-1].text


def test_a_provider_that_refuses_it_voids_the_trial() -> None:
    t = trial({**SCRIPT, handed(0): [Fault(fault=401)]})[0].trajectory

    assert t.status == "void"
    assert "check the key" in t.reason


def test_a_trial_is_rebuilt_to_each_step_of_both_and_goes_on_live() -> None:
    recorded = trial(SCRIPT)[0].trajectory
    live = []

    for step in range(4):
        record, requests = trial(SCRIPT, prefix=Prefix(recorded, step))
        again = record.trajectory
        assert (again.status, again.digest, again.messages) == ("finished", recorded.digest, recorded.messages)
        assert again.calls == recorded.calls
        live.append(requests)

    assert live == [5, 3, 2, 1]


def test_an_attempt_that_is_not_carried_out_starts_no_subagent() -> None:
    """What a subagent does is real: it is held back until an attempt is chosen, as any call that changes something."""
    fields = {"strategy": "reflexion", "reflexion": Reflexion(by="tools", attempts=1)}

    def answer(request: dict[str, Any]) -> Reply:
        said = [str(message["content"]) for message in request["messages"]]
        turns = sum(message["role"] == "assistant" for message in request["messages"])
        if any(handed(0) in each for each in said) and not any(REQUEST in each for each in said):
            return WORK[1:][turns] if turns < 2 else DONE
        return HAND_ON if request.get("tools") and turns == 0 else DONE

    record, _ = trial(answer, fields=fields)  # type: ignore[arg-type]
    t = record.trajectory
    held = next(message for message in t.messages if message.role == "tool")

    assert held.content.startswith("Held back as call 1.")
    assert t.calls[-1].tool == "spawn_subagent"


def test_the_trials_page_says_whose_doing_it_was_and_takes_no_subagents_words_for_the_last() -> None:
    record, _ = trial({**SCRIPT, REQUEST: [HAND_ON, Reply(text="")]})
    head = Trial(record.trajectory, record.scores, TASK).head(suite([TASK]))
    events = head["first"]

    assert {event.get("subagent") for event in events} == {None, 1}
    assert [event["kind"] for event in events if event["kind"] == "call" and event.get("subagent")] == ["call"] * 2
    last = [each["label"] for each in head["outline"] if each["kind"] == "last_words"]
    assert last == [HAND_ON.text]
