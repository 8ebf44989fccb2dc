"""The agent that plans every look-up beforehand: what it reads in a plan and in a solution, and whole trials."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.agents.holding import Held
from harness.agents.rewoo import RewooAgent, Solution, Step, planned, solved
from harness.core.config import Limits, Rewoo
from harness.core.desk import ToolSpec
from harness.stub import Fault, StubServer
from servers import catalog
from tests.llm.scenes import Requests, Said, sent, trial
from tests.llm.support import FakeDesk, model, run

REWOO: dict[str, Any] = {"strategy": "rewoo"}
SEARCH = '#E1 = projects_search_tasks[{"task_name": "Job 0"}]'
PLAN = f"Plan: find the job\n{SEARCH}\nPlan: its id\n#E2 = LLM[Which id has the job in #E1?]\n"
UPDATE = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}


def solution(*calls: tuple[str, dict[str, Any]], answer: str = "Moved.") -> str:
    actions = [{"action": name, "action_input": arguments} for name, arguments in calls]
    return f"It is clear.\n```json\n{json.dumps({'actions': actions, 'answer': answer})}\n```"


MOVE = solution(("projects_update_task", UPDATE))
WHOLE: tuple[Said, ...] = (PLAN, "00000000", MOVE)


# What is read in a plan.


@pytest.mark.parametrize(
    ("reply", "steps"),
    [
        (SEARCH, [Step(1, "projects_search_tasks", '{"task_name": "Job 0"}')]),
        ("- #E1=crm_find [ budget ]  (first)", [Step(1, "crm_find", "budget")]),
        (PLAN, [planned(SEARCH)[0][0], Step(2, "LLM", "Which id has the job in #E1?")]),
        (
            '#E1 = sql_reader[{"query": "select a[1] from t\n where b"}]\nPlan: then\n#E2 = LLM[all of\n[#E1]\n]',
            [Step(1, "sql_reader", '{"query": "select a[1] from t\n where b"}'), Step(2, "LLM", "all of\n[#E1]")],
        ),
        ("```\n#E3 = x[]\n```", [Step(3, "x", "")]),
    ],
)  # fmt: skip
def test_steps_are_read_in_whatever_surrounds_them(reply: str, steps: list[Step]) -> None:
    assert planned(reply) == (steps, True)


def test_a_step_that_cannot_be_read_and_a_number_given_twice_say_so() -> None:
    (first, second, third), _ = planned("#E1 = search for it\n#E2 = x[a]\n#E2 = y[b]")

    assert first.problem == "The step #E1 cannot be read: write #E1 = tool[arguments]."
    assert (second.problem, third.problem) == ("", "There is a step #E2 already: number them anew.")


@pytest.mark.parametrize(
    ("reply", "is_plan"), [("Plan: nothing to look up", True), ("", False), ("I would search first.", False)]
)
def test_a_plan_may_say_that_nothing_has_to_be_looked_up(reply: str, is_plan: bool) -> None:
    assert planned(reply) == ([], is_plan)


# What is read in a solution.


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        (MOVE, Solution([Held("projects_update_task", UPDATE)], "Moved.")),
        ('{"answer": "Nothing to do."}', Solution([], "Nothing to do.")),
        ('With {"x": 1}: {"actions": [{"action": "a"}]} and more', Solution([Held("a", {})], "")),
    ],
)
def test_a_solution_is_found_in_whatever_surrounds_it(reply: str, read: Solution) -> None:
    assert solved(reply) == read


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "It holds no solution"),
        ("I have moved it.", "It holds no solution"),
        ('{"actions": [{"action": "a"}', "It holds no solution"),
        ('{"actions": {"action": "a"}}', "`actions` must be a list"),
        ('{"answer": 3}', "`answer` a text"),
        ('{"actions": ["a"]}', "Action 1 names no tool"),
        ('{"actions": [{"action": "a"}, {"action": "b", "action_input": "c"}]}', "Action 2 names no tool, or"),
    ],
)  # fmt: skip
def test_a_solution_that_cannot_be_read_does_nothing_and_says_why(reply: str, problem: str) -> None:
    read = solved(reply)

    assert read.calls == ()
    assert problem in read.problem


# Whole trials.


def test_a_plan_is_worked_off_and_its_solution_carried_out() -> None:
    record, requests = trial(WHOLE, **REWOO)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    assert record.trajectory.sessions[0].reply == "Moved."
    assert [(call.tool, call.status) for call in record.trajectory.calls] == [
        ("search_tasks", "ok"),
        ("update_task", "ok"),
    ]
    assert len(requests) == 3
    assert [call.turn for call in record.trajectory.model_calls] == [1, 2, 3]


def test_what_a_step_gave_takes_the_place_of_its_name() -> None:
    _, requests = trial(WHOLE, **REWOO)
    given = sent(requests)[1]

    assert given.startswith("Which id has the job in ")
    assert "#E1" not in given
    assert '"task_name": "Job 0"' in given or "Job 0" in given


def test_names_are_replaced_within_arguments_too() -> None:
    plan = '#E1 = LLM[the job]\n#E2 = projects_search_tasks[{"task_name": "#E1"}]'
    record, _ = trial([plan, "Job 0", MOVE], **REWOO)

    assert record.trajectory.calls[0].arguments == {"task_name": "Job 0"}


def test_the_solver_sees_the_request_and_each_step_with_what_it_gave() -> None:
    record, requests = trial(WHOLE, **REWOO)
    instruction, material = requests[2]["messages"]

    assert "Move job 0 to In Progress." in material["content"]
    assert f"{SEARCH}\n{record.trajectory.calls[0].text}" in material["content"]
    assert material["content"].endswith("#E2 = LLM[Which id has the job in #E1?]\n00000000")
    assert "\nprojects_update_task\n" in instruction["content"]


def test_the_planner_is_shown_what_looks_and_the_solver_what_acts() -> None:
    _, requests = trial(WHOLE, **REWOO)
    plan, solve = (requests[number]["messages"][0]["content"] for number in (0, 2))

    assert [f"\n{name}\n" in plan for name in ("projects_search_tasks", "projects_update_task")] == [True, False]
    assert [f"\n{name}\n" in solve for name in ("projects_search_tasks", "projects_update_task")] == [False, True]
    assert all("tools" not in request for request in requests)


@pytest.mark.parametrize(
    ("step", "status", "text"),
    [
        ('#E1 = projects_search_tasks[{"task_name": "#E7"}]', "garbled", "#E7 stands for no earlier step; there are"),
        ("#E1 = LLM[What is #E1?]", "garbled", "#E1 stands for no earlier step"),
        ("#E1 = projects_find[Job 0]", "unknown", "There is no tool 'projects_find'. Available: "),
        ('#E1 = projects_search_tasks[{"task_name": ]', "garbled", "The arguments are not valid JSON"),
        ('#E1 = projects_search_tasks[{"name": "Job 0"}]', "invalid", "name"),
        ("#E1 = look for job 0", "garbled", "The step #E1 cannot be read"),
        (f"#E1 = projects_update_task[{json.dumps(UPDATE)}]", "garbled", "projects_update_task may change something"),
    ],
)  # fmt: skip
def test_a_step_that_cannot_be_made_is_on_record_and_told_to_the_solver(step: str, status: str, text: str) -> None:
    record, requests = trial([step, solution(answer="I could not find it.")], **REWOO)

    assert [call.status for call in record.trajectory.calls] == [status]
    assert text in record.trajectory.calls[0].text
    assert text in sent(requests)[1]
    assert record.trajectory.changes == []


def test_a_bare_text_is_the_first_argument() -> None:
    record, _ = trial(["#E1 = projects_search_tasks[Job 0]", MOVE], **REWOO)

    assert record.trajectory.calls[0].arguments == {"task_name": "Job 0"}


def test_arguments_that_a_plan_leaves_out_come_from_the_settings() -> None:
    defaults = {"projects_search_tasks": {"list_name": "Backlog", "task_name": "Job 9"}}
    record, _ = trial([SEARCH, MOVE], **REWOO, rewoo={"defaults": defaults})

    assert record.trajectory.calls[0].arguments == {"list_name": "Backlog", "task_name": "Job 0"}


def test_a_plan_without_look_ups_goes_straight_to_the_solver() -> None:
    record, requests = trial(["Plan: nothing to look up", MOVE], **REWOO)

    assert record.scores["outcome"].value == 1
    assert len(requests) == 2


@pytest.mark.parametrize("plan", ["", "I would look for job 0 first.", '{"steps": []}'])
def test_without_a_plan_the_agent_has_failed(plan: str) -> None:
    record, requests = trial([plan], **REWOO)

    assert (record.trajectory.status, record.trajectory.reason) == (
        "crashed",
        "the plan held no step that could be read",
    )
    assert [call.status for call in record.trajectory.calls] == ["garbled"]
    assert len(requests) == 1


def test_a_solution_that_cannot_be_read_is_a_failure_and_nothing_is_done_in_its_place() -> None:
    record, _ = trial([SEARCH, "Moved it."], **REWOO)

    assert record.trajectory.status == "crashed"
    assert record.trajectory.reason.startswith("the solver's reply cannot be read: It holds no solution")
    assert [call.status for call in record.trajectory.calls] == ["ok", "garbled"]
    assert record.trajectory.changes == []


def test_an_unread_plan_is_tried_again_as_any_unread_action() -> None:
    record, _ = trial(["Hm.", *WHOLE], **REWOO, resample=1)

    assert (record.scores["outcome"].value, len(record.trajectory.tries)) == (1, 1)


def test_actions_are_carried_out_up_to_the_first_that_is_refused() -> None:
    lost = ("projects_update_task", {**UPDATE, "task_id": "99999999"})
    record, _ = trial([SEARCH, solution(lost, ("projects_update_task", UPDATE))], **REWOO)

    assert [call.status for call in record.trajectory.calls] == ["ok", "failed"]
    assert (record.trajectory.status, record.trajectory.changes) == ("finished", [])


def test_budgets_end_it_before_anything_is_done() -> None:
    turns, _ = trial(WHOLE, **REWOO, limits=Limits(turns=2))
    calls, _ = trial([f"{SEARCH}\n#E2 = projects_search_tasks[Job 1]"], **REWOO, limits=Limits(tool_calls=1))
    context, _ = trial([PLAN, "00000000", Fault(fault="context")], **REWOO)

    found = [(each.trajectory.status, each.trajectory.reason) for each in (turns, calls, context)]
    assert found == [("limit", f"limit reached: {name}") for name in ("turns", "tool_calls", "context window")]
    assert [each.trajectory.changes for each in (turns, calls, context)] == [[], [], []]


def test_a_second_turn_knows_what_was_asked_and_answered() -> None:
    desk = FakeDesk("ask_user_ask_user")
    desk.toolsets = {"ask_user": next(iter(catalog.app("ask_user").toolsets.values()))}
    desk.tools = [ToolSpec("ask_user_ask_user", "ask_user", "ask_user", "Asks.", {"properties": {"question": {}}})]
    replies = ["#E1 = ask_user_ask_user[Which?]", solution(answer="The first."), "Plan: none", solution(answer="Yes.")]
    requests = Requests(replies)

    async def scene() -> list[str]:
        async with StubServer(requests) as stub:
            agent = RewooAgent(model(stub), Rewoo())
            return [await agent.turn(desk, "find it"), await agent.turn(desk, "sure?")]

    assert run(scene) == ["The first.", "Yes."]
    assert desk.made == [("ask_user_ask_user", {"question": "Which?"})]
    assert [message["content"] for message in requests[2]["messages"][1:]] == ["find it", "The first.", "sure?"]
    assert "[assistant]\nThe first." in sent(requests)[3]


def test_prompts_of_ones_own_take_the_place_of_ours() -> None:
    prompts = {"plan": "Plan it, {{ day }}.", "work": "Work.", "solve": "Solve with {{ tools | length }}."}
    _, requests = trial(WHOLE, **REWOO, prompts=prompts)

    assert [request["messages"][0]["content"] for request in requests] == [
        "Plan it, Thursday.",
        "Work.",
        "Solve with 3.",
    ]
