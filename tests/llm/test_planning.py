"""The agent that plans, has each step carried out, and plans anew: what it reads in a plan, and whole trials."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.agents.planning import Plan, PlanExecuteAgent, read_plan
from harness.agents.react import ReactAgent
from harness.agents.text import sent as as_text
from harness.core.config import Limits, PlanExecute
from harness.stub import Reply, StubServer, ToolCall
from tests.llm.scenes import TASK, Requests, Said, sent, trial
from tests.llm.support import FakeDesk, model, run
from tests.llm.test_react import act

PLANNING: dict[str, Any] = {"strategy": "plan_execute"}
(CALL,) = TASK.solution
LOOK = act("projects_search_tasks", {"task_name": "Job 0"})
MOVE = act("projects_update_task", dict(CALL.arguments))
FOUND, MOVED = act("Final Answer", "Job 0 is 00000000."), act("Final Answer", "It is moved.")


def plan(*steps: str, answer: str = "") -> str:
    return f"Well.\n{json.dumps({'steps': steps, 'answer': answer})}"


FIRST, SECOND, END = plan("Find job 0.", "Move it."), plan("Move 00000000."), plan(answer="All done.")
WHOLE: tuple[Said, ...] = (FIRST, LOOK, FOUND, SECOND, MOVE, MOVED, END)


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        (FIRST, Plan(("Find job 0.", "Move it."))),
        ('First {"x": 1}, then {"steps": ["a"]}.', Plan(("a",))),
        ('{"answer": "Nothing to do."}', Plan((), "Nothing to do.")),
        ('{"steps": [], "answer": {"moved": 1}}', Plan((), '{"moved": 1}')),
    ],
)
def test_a_plan_is_found_in_whatever_surrounds_it(reply: str, read: Plan) -> None:
    assert read_plan(reply) == read


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "no such object"),
        ("1. Find job 0.", "no such object"),
        ('{"steps": [' + "1" * 5_000 + "]}", "no such object"),  # more digits than Python reads
        ('{"steps": "find it"}', "`steps` must be a list of texts"),
        ('{"steps": ["a", ""]}', "`steps` must be a list of texts"),
        ('{"steps": [{"do": "a"}]}', "`steps` must be a list of texts"),
    ],
)
def test_a_reply_without_a_plan_says_what_is_wrong(reply: str, problem: str) -> None:
    assert problem in read_plan(reply).problem


def test_steps_are_carried_out_one_by_one_and_the_plan_is_looked_at_anew() -> None:
    record, requests = trial(WHOLE, **PLANNING)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    assert record.trajectory.sessions[0].reply == "All done."
    assert [call.tool for call in record.trajectory.calls] == ["search_tasks", "update_task"]
    assert [call.turn for call in record.trajectory.model_calls] == [1, 2, 3, 4, 5, 6, 7]
    assert len(requests) == 7


def test_a_worker_knows_the_request_its_step_and_what_was_said_before() -> None:
    _, requests = trial(WHOLE, **PLANNING)
    system, asked = requests[4]["messages"]

    assert "projects_update_task" in system["content"]
    for text in ("Move job 0 to In Progress.", "1. Find job 0.\nJob 0 is 00000000.", "no other:\nMove 00000000."):
        assert text in asked["content"]
    assert "Move it." not in asked["content"]


def test_the_planner_sees_tools_request_and_what_each_step_came_to() -> None:
    _, requests = trial(WHOLE, **PLANNING)

    assert "\nprojects_update_task\n" in requests[0]["messages"][0]["content"]
    assert sent(requests)[0] == "[user]\nMove job 0 to In Progress.\n\nSteps carried out so far:\n\nnone"
    assert sent(requests)[3].endswith("Steps carried out so far:\n\n1. Find job 0.\nJob 0 is 00000000.")


def test_a_plan_that_cannot_be_read_is_told_and_asked_for_again() -> None:
    record, requests = trial(["I will find it.", *WHOLE], **PLANNING)

    assert record.scores["outcome"].value == 1
    assert [call.status for call in record.trajectory.calls] == ["garbled", "ok", "ok"]
    assert "Your last reply was not a plan: It holds no such object" in sent(requests)[1]


@pytest.mark.parametrize("patience", [1, 3])
def test_without_any_plan_the_agent_has_failed_when_patience_ends(patience: int) -> None:
    record, requests = trial(["Hm."] * patience, **PLANNING, patience=patience)

    assert (record.trajectory.status, len(requests)) == ("crashed", patience)
    assert record.trajectory.reason.endswith("held no plan")


def test_a_plan_without_end_is_a_limit() -> None:
    again = plan("Find job 0.")
    record, _ = trial([again, FOUND, again, FOUND, again], **PLANNING, plan_execute={"steps": 2})

    assert (record.trajectory.status, record.trajectory.reason) == ("limit", "limit reached: steps of a plan")


def test_budgets_of_the_run_end_the_trial() -> None:
    record, _ = trial(WHOLE, **PLANNING, limits=Limits(turns=4))

    assert (record.trajectory.status, record.trajectory.reason) == ("limit", "limit reached: turns")


def test_workers_may_use_tool_calling() -> None:
    move = Reply(calls=(ToolCall(name="projects_update_task", arguments=dict(CALL.arguments)),))
    record, requests = trial([SECOND, move, "Moved.", END], **PLANNING, plan_execute={"by": "tools"})

    assert record.scores["outcome"].value == 1
    assert ["tools" in request for request in requests] == [False, True, True, False]


def test_a_second_turn_knows_what_was_asked_and_answered() -> None:
    requests = Requests([plan(answer="The first."), plan(answer="Yes.")])

    async def scene() -> list[str]:
        async with StubServer(requests) as stub:
            live, desk = model(stub), FakeDesk()
            agent = PlanExecuteAgent(live, ReactAgent(live), as_text, PlanExecute())
            return [await agent.turn(desk, "find it"), await agent.turn(desk, "sure?")]

    assert run(scene) == ["The first.", "Yes."]
    assert sent(requests)[1].startswith("[user]\nfind it\n\n[assistant]\nThe first.\n\n[user]\nsure?\n\n")


def test_prompts_of_ones_own_take_the_place_of_ours() -> None:
    prompts = {"steps": "Plan it, {{ day }}.", "step": "Do {{ step }} after {{ done | length }}."}
    _, requests = trial(WHOLE, **PLANNING, prompts=prompts)

    assert requests[0]["messages"][0]["content"] == "Plan it, Thursday."
    assert sent(requests)[4] == "Do Move 00000000. after 1."
