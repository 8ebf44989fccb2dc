"""Conversations that have become long are gone on with from a summary."""

from __future__ import annotations

from typing import Any

import pytest

from harness.play.session import Prefix
from harness.stub import Reply, ToolCall
from tests.llm.scenes import TASK, Said, answering, sent, trial
from tests.llm.test_react import DONE, act

LOOK = act("projects_search_tasks", {"task_name": "Job 0"})
(CALL,) = TASK.solution
MOVE = act("projects_update_task", dict(CALL.arguments))
SUMMARY = "Job 0 is 00000000, in Backlog."
SHORT: dict[str, Any] = {"strategy": "react", "summary_above": 1}


def test_a_long_conversation_goes_on_from_its_summary() -> None:
    record, requests = trial([LOOK, SUMMARY, MOVE, "Moved 00000000.", DONE], **SHORT)
    system, asked = requests[2]["messages"]

    assert record.scores["outcome"].value == 1
    assert system == requests[0]["messages"][0]
    assert asked["content"].startswith("Move job 0 to In Progress.\n\nWhat you have found")
    assert asked["content"].endswith(SUMMARY)


def test_the_model_sums_up_all_that_was_said_and_found() -> None:
    record, requests = trial([LOOK, SUMMARY, DONE], **SHORT)
    material = sent(requests)[1]

    assert "Move job 0 to In Progress." in material
    assert LOOK in material
    assert f"Observation: {record.trajectory.calls[0].text}" in material


def test_a_summary_takes_in_the_one_before() -> None:
    _, requests = trial([LOOK, SUMMARY, LOOK, "Still so.", DONE], **SHORT)

    assert SUMMARY in sent(requests)[3]
    assert SUMMARY not in sent(requests)[4]
    assert sent(requests)[4].startswith("Move job 0 to In Progress.\n\nWhat")


def test_below_its_length_a_conversation_is_left_alone() -> None:
    record, requests = trial([LOOK, MOVE, DONE], strategy="react", summary_above=100_000)

    assert record.scores["outcome"].value == 1
    assert [len(request["messages"]) for request in requests] == [2, 4, 6]


def test_a_summary_is_on_record_and_paid_for_as_any_reply() -> None:
    record, requests = trial([LOOK, SUMMARY, DONE], **SHORT, price={"prompt": 1, "completion": 1})
    calls = record.trajectory.model_calls

    assert [call.turn for call in calls] == [1, 2, 3]
    assert calls[1].request["messages"] == requests[1]["messages"]
    assert SUMMARY in [message.content for message in record.trajectory.messages]
    assert record.trajectory.usage.prompt_tokens == sum(call.usage.prompt_tokens for call in calls)


def test_an_empty_summary_is_a_failure_of_the_agent() -> None:
    record, _ = trial([LOOK, " ", DONE], **SHORT)

    assert (record.trajectory.status, record.trajectory.reason) == (
        "crashed",
        "the summary of the conversation is empty",
    )


@pytest.mark.parametrize("strategy", ["tools", "reflexion"])
def test_other_conversing_strategies_are_summed_up_too(strategy: str) -> None:
    look = Reply(calls=(ToolCall(name="projects_search_tasks", arguments={"task_name": "Job 0"}),))
    move = Reply(calls=(ToolCall(name="projects_update_task", arguments=dict(CALL.arguments)),))
    good = '{"grounds": 1, "complete": 1, "exact": 1}'
    settings: dict[str, Any] = {"strategy": strategy, "summary_above": 1}
    if strategy == "reflexion":
        settings["reflexion"] = {"by": "tools"}
    record, requests = trial([look, SUMMARY, move, "Moved 00000000.", "Done.", good], **settings)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    assert [message["role"] for message in requests[4]["messages"]] == ["system", "user"]
    assert "projects_search_tasks(" in sent(requests)[1]


def test_a_trial_with_summaries_is_rebuilt_to_each_step() -> None:
    said: list[Said] = [LOOK, SUMMARY, MOVE, "Moved 00000000.", DONE]
    recorded = trial(said, **SHORT)[0].trajectory

    for step in range(len(recorded.calls) + 1):
        prefix = Prefix(recorded, step)
        again = trial(answering(said, prefix), **SHORT, prefix=prefix)[0].trajectory
        assert (again.status, again.digest, again.messages) == ("finished", recorded.digest, recorded.messages)
