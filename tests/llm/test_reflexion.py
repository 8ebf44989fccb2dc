"""The agent that attempts, judges itself, reflects and tries again: only the attempt it chose reaches the world."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from pydantic import ValidationError

from harness.agents.holding import Held, carry_out, changes
from harness.agents.llm import LlmAgent
from harness.agents.react import ReactAgent
from harness.agents.reflexion import RUBRIC, ReflexionAgent, self_score
from harness.agents.text import sent as as_text
from harness.core.config import Limits, LlmConfig, Prompts, Reflexion, RunConfig
from harness.core.desk import AgentFailed, ToolSpec
from harness.report.cells import Cell
from harness.report.effort import effort
from harness.score import Aspect
from harness.stub import Fault, Reply, StubServer, ToolCall
from harness.suite import Scored
from servers import catalog
from tests.harness import toy
from tests.llm.scenes import TASK, Requests, Said, sent, trial
from tests.llm.support import FakeDesk, model, run
from tests.llm.test_react import DONE, act

LOOK = act("projects_search_tasks", {"task_name": "Job 0"})
MOVE = act("projects_update_task", {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"})
WRONG = act("projects_update_task", {"task_id": "00000001", "field": "list_name", "new_value": "Completed"})
NOWHERE = act("projects_update_task", {"task_id": "99999999", "field": "list_name", "new_value": "Completed"})
GOOD = '{"grounds": 1, "complete": 0.9, "exact": 0.8}'
FAIR = 'Hm. {"grounds": 0.5, "complete": 0.5, "exact": 0.5}'
POOR = '{"grounds": 0.1, "complete": 0.1, "exact": 0.1}'
LEARNED = "It was job 0, not job 1."
TWICE: tuple[Said, ...] = (LOOK, WRONG, DONE, POOR, LEARNED, MOVE, DONE, GOOD)
REFLEXION: dict[str, Any] = {"strategy": "reflexion"}


def finals(*texts: str) -> list[str]:
    return [act("Final Answer", text) for text in texts]


def test_a_good_attempt_is_carried_out_and_no_other_made() -> None:
    record, requests = trial([LOOK, MOVE, DONE, GOOD], **REFLEXION)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    assert record.trajectory.sessions[0].reply == "All done."
    assert [call.tool for call in record.trajectory.calls] == ["search_tasks", "update_task"]
    assert len(requests) == 4
    assert [call.turn for call in record.trajectory.model_calls] == [1, 2, 3, 4]


def test_no_attempt_but_the_chosen_one_leaves_a_trace_in_the_world() -> None:
    record, _ = trial(TWICE, **REFLEXION)

    assert record.scores["outcome"].value == 1
    assert [change.id for change in record.trajectory.changes] == ["00000000"]
    assert [call.tool for call in record.trajectory.calls] == ["search_tasks", "update_task"]
    assert record.trajectory.calls[1].arguments["task_id"] == "00000000"


def test_what_is_held_back_is_said_to_be() -> None:
    _, requests = trial([MOVE, DONE, GOOD], **REFLEXION)

    assert sent(requests)[1].startswith("Observation: Held back as call 1. It has not been carried out")


def test_an_attempt_starts_anew_with_the_reflections_alone() -> None:
    _, requests = trial(TWICE, **REFLEXION)
    second = requests[5]["messages"]

    assert [message["role"] for message in second] == ["system", "user"]
    assert LEARNED in second[1]["content"]
    assert "00000001" not in second[1]["content"]
    assert "tried this before" not in requests[0]["messages"][1]["content"]


def test_the_model_judges_what_was_found_what_would_be_done_and_what_would_be_said() -> None:
    _, requests = trial([LOOK, MOVE, DONE, GOOD], **REFLEXION)
    instruction, material = requests[3]["messages"]

    for aspect in RUBRIC:
        assert f"- {aspect.name}: {aspect.about}" in instruction["content"]
    assert "Move job 0 to In Progress." in material["content"]
    assert "1. projects_update_task(" in material["content"]
    assert material["content"].endswith("Would be answered:\nAll done.")


@pytest.mark.parametrize(
    ("scores", "commit", "said"),
    [
        ((FAIR, POOR), "best", "first"),
        ((POOR, FAIR), "best", "second"),
        ((FAIR, FAIR), "best", "second"),
        ((FAIR, POOR), "last", "second"),
        (("no idea", POOR), "best", "second"),
    ],
)
def test_the_attempt_with_the_best_score_is_carried_out_or_the_last(
    scores: tuple[str, str], commit: str, said: str
) -> None:
    first, second = finals("first", "second")
    replies = [MOVE, first, scores[0], LEARNED, WRONG, second, scores[1]]
    record, _ = trial(replies, **REFLEXION, reflexion={"commit": commit})

    assert record.trajectory.sessions[0].reply == said
    assert [change.id for change in record.trajectory.changes] == ["00000000" if said == "first" else "00000001"]


@pytest.mark.parametrize(
    ("score", "problem"),
    [
        ("", "is not a JSON object"),
        ("I would say 0.9.", "is not a JSON object"),
        ('{"score": 0.9}', "is not a JSON object"),
        ('{"grounds": 1, "complete": 1', "is not a JSON object"),
        ('{"grounds": 1, "complete": 1}', "'exact' is None"),
        ('{"grounds": 1, "complete": "high", "exact": 1}', "'complete' is 'high'"),
        ('{"grounds": true, "complete": 1, "exact": 1}', "'grounds' is True"),
        ('{"grounds": 1.5, "complete": 1, "exact": 1}', "'grounds' is 1.5"),
        ('{"grounds": NaN, "complete": 1, "exact": 1}', "'grounds' is nan"),
        ('{"grounds": ' + "[" * 100_000, "is not a JSON object"),
    ],
)
def test_a_self_score_that_cannot_be_read_is_nothing_and_says_why(score: str, problem: str) -> None:
    value, why = self_score(score, RUBRIC)

    assert value == 0
    assert problem in why


def test_a_self_score_is_the_mean_by_the_weights() -> None:
    value, why = self_score('Well: {"grounds": 1, "complete": 0.5, "exact": 0}', RUBRIC)

    assert (round(value, 12), why) == (0.5, "")


def test_unread_self_scores_are_on_record_and_counted() -> None:
    record, _ = trial([MOVE, DONE, "Good!", LEARNED, MOVE, DONE, GOOD], **REFLEXION)
    problems = [bool(call.problem) for call in record.trajectory.model_calls]
    agents = (LlmConfig(kind="llm", model="m/x", strategy="reflexion"),)
    cell = Cell("m/x", "default", [Scored(record.trajectory, record.scores)])
    (table,) = effort("Results", [cell], RunConfig(suite="toy", agents=agents), toy.suite())

    assert problems == [False, False, True, False, False, False, False]
    assert table.rows[0]["self-scores not read"] == 1


@pytest.mark.parametrize(("memory", "kept"), [(2, ["b", "c"]), (1, ["c"]), (0, []), (9, ["a", "b", "c"])])
def test_the_last_reflections_are_kept(memory: int, kept: list[str]) -> None:
    attempt: list[Said] = [DONE, POOR]
    replies = [*attempt, "<a>", *attempt, "<b>", *attempt, "<c>", *attempt]
    _, requests = trial(replies, **REFLEXION, reflexion={"attempts": 4, "memory": memory})
    last = requests[9]["messages"][1]["content"]

    assert [name for name in "abc" if f"<{name}>" in last] == kept


def test_an_attempt_that_runs_out_of_turns_is_told_and_never_carried_out() -> None:
    replies = [WRONG, LOOK, LOOK, LEARNED, MOVE, DONE, POOR]
    record, requests = trial(replies, **REFLEXION, reflexion={"turns": 2})

    assert record.scores["outcome"].value == 1
    assert "it was cut short (limit reached: turns of an attempt)" in requests[3]["messages"][0]["content"]


def test_where_no_attempt_ends_the_trial_ends_at_its_limit_and_nothing_is_done() -> None:
    record, _ = trial([MOVE, LOOK, LEARNED, MOVE, LOOK], **REFLEXION, reflexion={"turns": 1})

    assert (record.trajectory.status, record.trajectory.reason) == ("limit", "limit reached: turns of an attempt")
    assert record.trajectory.changes == []


def test_the_last_attempt_as_published_fails_where_it_did_not_end() -> None:
    settings = {"turns": 1, "commit": "last"}
    record, _ = trial([DONE, FAIR, LEARNED, MOVE, LOOK], **REFLEXION, reflexion=settings)

    assert record.trajectory.status == "limit"


def test_an_attempt_without_a_readable_action_gives_way_to_another() -> None:
    record, requests = trial([MOVE, "Hm.", LEARNED, MOVE, DONE, GOOD], **REFLEXION, patience=1)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    assert "held no readable action" in requests[2]["messages"][0]["content"]


def test_where_no_attempt_can_be_read_the_agent_has_failed() -> None:
    record, _ = trial(["Hm.", LEARNED, "Hm."], **REFLEXION, patience=1)

    assert (record.trajectory.status, record.trajectory.changes) == ("crashed", [])


def test_what_is_refused_when_it_is_made_is_told_and_gone_on_from_at_once() -> None:
    replies = [NOWHERE, WRONG, DONE, GOOD, MOVE, act("Final Answer", "Moved job 0 instead.")]
    record, requests = trial(replies, **REFLEXION)

    assert [(call.status, call.arguments["task_id"]) for call in record.trajectory.calls] == [
        ("failed", "99999999"),
        ("ok", "00000000"),
    ]
    assert record.trajectory.sessions[0].reply == "Moved job 0 instead."
    told = sent(requests)[4]
    assert '"99999999"' in told
    assert "): not carried out" in told
    assert record.scores["outcome"].value == 1


def test_arguments_that_do_not_fit_are_refused_in_the_attempt() -> None:
    record, requests = trial([act("projects_update_task", {}), MOVE, DONE, GOOD], **REFLEXION)

    assert [call.status for call in record.trajectory.calls] == ["invalid", "ok"]
    assert "task_id" in sent(requests)[1]


def test_a_tool_that_does_not_exist_is_an_error_of_the_attempt() -> None:
    record, _ = trial([act("no_such_tool", {}), MOVE, DONE, GOOD], **REFLEXION)

    assert [call.status for call in record.trajectory.calls] == ["unknown", "ok"]


def test_a_later_call_finds_the_id_of_what_an_earlier_one_made() -> None:
    new = {"task_name": "New", "assigned_to_email": "ines@example.test", "list_name": "Backlog"}
    create = act("projects_create_task", {**new, "due_date": "2025-04-01", "board": "Design"})
    rename = act("projects_update_task", {"task_id": "@1", "field": "list_name", "new_value": "In Review"})
    record, _ = trial([create, rename, DONE, GOOD], **REFLEXION)
    first, second = record.trajectory.calls

    assert (first.status, second.status) == ("ok", "ok")
    assert first.data is not None
    assert second.arguments["task_id"] == first.data["result"]
    (change,) = record.trajectory.changes
    assert change.after is not None
    assert change.after["list_name"] == "In Review"


def test_an_id_that_no_call_gave_is_an_error_and_stops_there() -> None:
    desk = FakeDesk()
    held = [Held("gmail_search", {}), Held("gmail_send", {"to": ["@1"]}), Held("gmail_send", {})]
    replies = run(lambda: carry_out(desk, held))

    assert [reply.is_error for reply in replies] == [False, True]
    assert "@1 stands for an id, and that call gave none" in replies[1].text
    assert desk.made == [("gmail_search", {})]


def test_a_text_that_only_looks_like_a_later_id_stays_a_text() -> None:
    desk = FakeDesk()
    run(lambda: carry_out(desk, [Held("gmail_send", {"to": "@2"})]))

    assert desk.made == [("gmail_send", {"to": "@2"})]


def test_looking_and_asking_change_nothing_and_what_is_unknown_may() -> None:
    desk = FakeDesk()
    desk.toolsets = {"ask_user": _toolset("ask_user"), "projects": _toolset("projects")}

    def of(app: str, tool: str) -> bool:
        return changes(desk, ToolSpec(f"{app}_{tool}", app, tool, "", {}))

    assert [of("ask_user", "ask_user"), of("projects", "search_tasks")] == [False, False]
    assert [of("projects", "update_task"), of("elsewhere", "search")] == [True, True]


def _toolset(app: str) -> Any:
    return next(iter(catalog.app(app).toolsets.values()))


def test_budgets_of_the_run_end_the_trial_and_no_attempt_is_chosen() -> None:
    record, _ = trial(TWICE, **REFLEXION, limits=Limits(turns=6))

    assert (record.trajectory.status, record.trajectory.reason) == ("limit", "limit reached: turns")
    assert record.trajectory.changes == []


def test_a_provider_that_fails_voids_the_trial() -> None:
    record, _ = trial([MOVE, DONE, Fault(fault=500, times=None)], **REFLEXION)

    assert (record.trajectory.status, record.trajectory.changes) == ("void", [])


def test_every_model_call_is_paid_for() -> None:
    record, requests = trial(TWICE, **REFLEXION, price={"prompt": 1, "completion": 2})
    calls = [call.usage for call in record.trajectory.model_calls]

    assert len(calls) == len(requests) == len(TWICE)
    assert record.trajectory.usage.prompt_tokens == sum(usage.prompt_tokens for usage in calls)
    assert record.trajectory.usage.cost_usd == pytest.approx(sum(usage.cost_usd or 0 for usage in calls))


def test_attempts_can_be_made_with_tool_calling() -> None:
    (call,) = TASK.solution
    move = Reply(calls=(ToolCall(name="projects_update_task", arguments=dict(call.arguments)),))
    record, requests = trial([move, "Moved.", GOOD], **REFLEXION, reflexion={"by": "tools"})

    assert record.scores["outcome"].value == 1
    assert record.trajectory.sessions[0].reply == "Moved."
    assert [("tools" in request) for request in requests] == [True, True, False]
    assert "projects_update_task(" in sent(requests)[2]


RUBRICS = (Aspect(name="documents", weight=3, about="All of them?"), Aspect(name="action", weight=1, about="The one?"))


def test_the_rubric_is_the_suites_and_the_settings_go_before() -> None:
    own = [{"name": "mine", "weight": 1, "about": "Well?"}]
    score = '{"documents": 1, "action": 0.2}'
    first, requests = trial([MOVE, DONE, score], **REFLEXION, rubric=RUBRICS)
    _, others = trial([MOVE, DONE, '{"mine": 1}'], **REFLEXION, rubric=RUBRICS, reflexion={"rubric": own})

    assert first.trajectory.status == "finished"  # (3 + 0.2) / 4 is 0.8
    assert "- documents: All of them?" in requests[2]["messages"][0]["content"]
    assert "- mine: Well?" in others[2]["messages"][0]["content"]


def test_a_second_turn_goes_on_from_the_attempt_that_was_chosen() -> None:
    requests = Requests([*finals("first"), POOR, LEARNED, *finals("second"), GOOD, *finals("third"), GOOD])
    desk = FakeDesk()

    async def scene() -> list[str]:
        async with StubServer(requests) as stub:
            live = model(stub)
            agent = ReflexionAgent(live, ReactAgent(live), as_text, Reflexion())
            return [await agent.turn(desk, "find it"), await agent.turn(desk, "and now?")]

    assert run(scene) == ["second", "third"]
    last = [message["content"] for message in requests[5]["messages"]]
    assert [message["role"] for message in requests[5]["messages"]] == ["system", "user", "assistant", "user"]
    assert LEARNED in last[1]
    assert last[3].startswith("and now?")
    assert "find it" not in sent(requests)[6]


def test_another_session_starts_without_the_last_ones_past() -> None:
    requests = Requests([DONE, GOOD, DONE, GOOD])

    async def scene() -> None:
        async with StubServer(requests) as stub:
            live = model(stub)
            agent = ReflexionAgent(live, LlmAgent(live), as_text, Reflexion())
            for _ in range(2):
                await agent.turn(FakeDesk(), "find it")

    run(scene)

    assert [len(request["messages"]) for request in requests] == [2, 2, 2, 2]


def test_prompts_of_ones_own_take_the_place_of_ours() -> None:
    prompts = {
        "attempt": "{{ message }} Mind: {{ reflections | join }}",
        "score": "Score {% for each in rubric %}{{ each.name }} {% endfor %}",
        "reflection": "Why did {{ number }} fail? {{ ended }}",
    }
    _, requests = trial([DONE, POOR, LEARNED, DONE, GOOD], **REFLEXION, prompts=prompts)

    assert sent(requests)[3] == f"Move job 0 to In Progress. Mind: {LEARNED}"
    assert requests[1]["messages"][0]["content"] == "Score grounds complete exact"
    assert requests[2]["messages"][0]["content"] == "Why did 1 fail?"


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"strategy": "tools", "reflexion": {}}, "strategy is tools"),
        ({"strategy": "reflexion", "rewoo": {}}, "`rewoo` holds settings of strategy rewoo"),
        ({"strategy": "rewoo", "summary_above": 10}, "`summary_above` is for conversations"),
        ({**REFLEXION, "reflexion": {"attempts": 0}}, "greater than or equal to 1"),
        ({**REFLEXION, "reflexion": {"by": "rewoo"}}, "'react' or 'tools'"),
        ({**REFLEXION, "reflexion": {"rubric": [{"name": "a", "weight": 1, "about": "b"}] * 2}}, "two aspects 'a'"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(settings: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        LlmConfig.model_validate({"kind": "llm", "model": "m/x", **settings})


def test_settings_that_are_not_given_leave_no_trace_in_a_stored_config() -> None:
    stored = LlmConfig(kind="llm", model="m/x").model_dump(mode="json")

    assert not {"reflexion", "rewoo", "summary_above"} & stored.keys()
    assert stored["prompts"] == {"system": "", "react": ""}
    assert Prompts.model_validate(stored["prompts"]) == Prompts()


def test_a_held_call_is_checked_before_it_is_held() -> None:
    desk = FakeDesk("projects_update_task")
    desk.toolsets = {"projects": catalog.app("projects").toolsets["workbench"]}
    desk.now = datetime(2025, 1, 1)
    requests = Requests([act("projects_update_task", {"task_id": 3}), DONE, POOR])

    async def scene() -> str:
        async with StubServer(requests) as stub:
            live = model(stub)
            return await ReflexionAgent(live, ReactAgent(live), as_text, Reflexion(attempts=1)).turn(desk, "go")

    assert run(scene) == "All done."
    assert desk.made == [("projects_update_task", {"task_id": 3})]


def test_an_attempt_that_fails_for_good_is_the_agents_failure_on_any_desk() -> None:
    requests = Requests(["Hm."])

    async def scene() -> None:
        async with StubServer(requests) as stub:
            live = model(stub)
            await ReflexionAgent(live, ReactAgent(live, patience=1), as_text, Reflexion(attempts=1)).turn(
                FakeDesk(), "go"
            )

    with pytest.raises(AgentFailed, match="held no readable action"):
        run(scene)
