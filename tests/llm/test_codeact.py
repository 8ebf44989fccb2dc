"""The agent that writes Python: what it reads in a reply, its tools as functions, and whole trials on the toy board."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from pydantic import ValidationError

from harness.agents.codeact import CodeActAgent, check, read
from harness.agents.text import Final, Step, Unread
from harness.core.config import ConfigProblem, Limits, LlmConfig, RunConfig
from harness.core.desk import AgentFailed
from harness.stub import Reply, StubServer
from harness.trajectory import Trajectory
from harness.wiring import check as check_run
from tests.harness import toy
from tests.llm.scenes import Requests, Said, sent, trial
from tests.llm.support import FakeDesk, model, run

CODING: dict[str, Any] = {"strategy": "codeact"}
DONE = "Job 0 is moved."


def block(code: str, thought: str = "Let me see.") -> str:
    """A reply as the prompt asks for it."""
    return f"{thought}\n\n```python\n{code}\n```"


LOOK = block("(job,) = projects_search_tasks(task_name='Job 0')\nprint(job['list_name'])")
MOVE = block("projects_update_task(task_id=job['task_id'], field='list_name', new_value='In Progress')")
WHOLE: tuple[Said, ...] = (LOOK, MOVE, DONE)
SEVERAL: tuple[Said, ...] = (
    LOOK,
    block("for n in range(4):\n    projects_search_tasks(task_name=f'Job {n}')\nprint(projects_search_tasks('Job'))"),
    MOVE,
    DONE,
)
"""With a block of several calls."""


def observed(*codes: str, **settings: Any) -> list[str]:
    """What a model is told of blocks that it writes one after the other."""
    record, _ = trial([*map(block, codes), DONE], **CODING, **settings)
    assert record.trajectory.status == "finished"
    return [message.content for message in record.trajectory.messages if message.role == "tool"]


def made(trajectory: Trajectory) -> list[tuple[str, str]]:
    return [(call.tool, call.status) for call in trajectory.calls]


# What is read in a reply.


@pytest.mark.parametrize(
    "reply",
    [
        block("x = 1"),
        "```python\nx = 1\n```",
        "```Python\r\nx = 1\r\n```\r\n",
        "First:\n  ```py\n  x = 1\n  ```",
        "``` python3\nx = 1\n```\nObservation: 1\n```python\ny = 2\n```",
        "Not ```python here.\n```json\n{}\n```\n```python\nx = 1\n```",
    ],
)
def test_the_first_block_fenced_as_python_is_the_action(reply: str) -> None:
    step = read(reply)

    assert isinstance(step, Step)
    assert step.given["code"].strip() == "x = 1"


def test_what_follows_a_block_is_not_part_of_what_was_said() -> None:
    step = read(f"{LOOK}\nObservation: Backlog\n{DONE}")

    assert isinstance(step, Step)
    assert step.said == LOOK


@pytest.mark.parametrize("reply", [DONE, "```\nx = 1\n```", "```json\n{}\n```", "Run python: x = 1"])
def test_a_reply_without_such_a_block_is_the_final_answer(reply: str) -> None:
    assert read(reply) == Final(reply)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("", "The reply is empty."),
        (" \n", "The reply is empty."),
        ("```python\nx = 1", "is not closed"),
        ("```python\n\n```", "is empty"),
        ("```python\nx = '\ud800'\n```", "unpaired surrogate"),
    ],
)
def test_neither_block_nor_answer_is_told_what_is_wrong(reply: str, problem: str) -> None:
    step = read(reply)

    assert isinstance(step, Unread)
    assert problem in step.problem


# What code meets.


def test_a_block_calls_tools_as_functions_and_the_next_one_has_its_variables() -> None:
    record, requests = trial(WHOLE, **CODING)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    assert made(record.trajectory) == [("search_tasks", "ok"), ("update_task", "ok")]
    assert record.trajectory.sessions[0].reply == DONE
    assert sent(requests)[1:] == ["Observation: Backlog", "Observation: 'Task 00000000 updated.'"]
    assert [message["role"] for message in requests[2]["messages"]] == ["system", "user", *["assistant", "user"] * 2]
    assert "tools" not in requests[0]


def test_every_call_of_a_block_is_on_record_in_its_turn() -> None:
    move = "for n in range(3):\n    projects_update_task(f'0000000{n}', 'list_name', 'In Review')"
    record, _ = trial([block(move), DONE], **CODING)

    assert [(call.turn, call.arguments["task_id"]) for call in record.trajectory.calls] == [
        (1, "00000000"), (1, "00000001"), (1, "00000002"),
    ]  # fmt: skip


def test_a_result_is_plain_values_and_the_last_line_is_shown() -> None:
    (told,) = observed("found = projects_search_tasks(task_name='Job 1')\n[type(found), found[0]['due_date']]")

    assert told == "[<type>, '2025-03-11']"


def test_a_tool_that_refuses_raises_its_text_and_can_be_caught() -> None:
    call = "projects_update_task('99999999', 'list_name', 'In Progress')"
    caught, raised = observed(f"try:\n    {call}\nexcept RuntimeError as error:\n    print('no:', error)", call)

    assert caught == "no: No task has the id '99999999'."
    assert raised.endswith("RuntimeError: No task has the id '99999999'.")


def test_arguments_go_by_place_or_by_name() -> None:
    record, _ = trial([block("projects_update_task('00000000', 'list_name', new_value='In Progress')"), DONE], **CODING)

    assert record.scores["outcome"].value == 1


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("projects_delete_task('1', '2')", "takes at most 1 arguments, task_id, and 2 were given"),
        ("projects_delete_task('1', task_id='1')", "'task_id' is given twice"),
        ("projects_delete_task({1, 2})", "a value of type set, which JSON does not have"),
        ("projects_delete_task(float('nan'))", "a number that JSON does not have"),
    ],
)
def test_a_call_that_cannot_be_taken_is_garbled_and_raises(call: str, problem: str) -> None:
    record, requests = trial([block(call), DONE], **CODING)

    assert [each.status for each in record.trajectory.calls] == ["garbled"]
    assert record.trajectory.calls[0].arguments == {"raw": f"{call}\n"}
    assert problem in sent(requests)[1].splitlines()[-1]


def test_a_tool_that_does_not_exist_is_on_record_and_a_name_error() -> None:
    record, requests = trial([block("projects_archive(1, why='old')"), DONE], **CODING)

    assert [(call.status, call.arguments) for call in record.trajectory.calls] == [("unknown", {"0": 1, "why": "old"})]
    assert "NameError: There is no tool 'projects_archive'. Available: projects_get" in sent(requests)[1]


def test_a_builtin_that_is_not_there_is_no_tool() -> None:
    record, requests = trial([block("input('Which list?')"), DONE], **CODING)

    assert record.trajectory.calls == []
    assert sent(requests)[1].endswith("NameError: name 'input' is not defined here")


def test_a_function_keeps_its_tool_from_block_to_block() -> None:
    record, _ = trial(
        [block("move = projects_update_task\ndef go(to):\n    return move('00000000', 'list_name', to)"),
         block("go('In Progress')"), DONE], **CODING,
    )  # fmt: skip

    assert record.scores["outcome"].value == 1


@pytest.mark.parametrize(
    ("code", "problem"),
    [
        ("print(1", "SyntaxError"),
        ("def each():\n    yield 1", "NotImplementedError"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
    ],
)
def test_an_error_is_an_observation_and_variables_stay(code: str, problem: str) -> None:
    _, told, after = observed("x = 7", code, "x")

    assert problem in told.splitlines()[-1]
    assert after == "7"


def test_what_was_printed_before_an_error_is_shown_with_it() -> None:
    (told,) = observed("print('so far')\n1 / 0")

    assert told.startswith("so far\nTraceback (most recent call last):")


def test_a_block_that_prints_nothing_says_so() -> None:
    assert observed("x = 1") == ["(nothing was printed)"]


def test_output_is_cut_with_a_note() -> None:
    (told,) = observed("print('a' * 5000)", codeact={"output": 100})

    assert told == "a" * 100 + "\n[... cut: 100 characters are shown of a block]"


def test_time_stands_still_and_chance_follows_the_seed() -> None:
    code = (
        "import datetime, random, time\ntime.sleep(1000)\nprint(datetime.datetime.now())\n"
        "print(random.random(), {'b', 'a'}, hash('a'))"
    )
    first, second = observed(code, codeact={"seconds": 60}), observed(code, codeact={"seconds": 60})

    assert first[0].startswith("2025-03-13 00:00:00\n")
    assert first == second


# Ends of trials.


def test_a_block_that_goes_over_a_limit_ends_the_trial_as_a_limit() -> None:
    code = "for n in range(9):\n    try:\n        projects_delete_task('99')\n    except BaseException:\n        pass"
    record, requests = trial([block(code)], **CODING, limits=Limits(tool_calls=3))

    assert (record.trajectory.status, record.trajectory.reason) == ("limit", "limit reached: tool_calls")
    assert (len(record.trajectory.calls), len(requests)) == (3, 1)


@pytest.mark.parametrize("patience", [1, 3])
def test_a_model_that_says_nothing_has_failed_when_patience_ends(patience: int) -> None:
    record, requests = trial(["```python\nx = 1"] * patience, **CODING, patience=patience)

    assert (record.trajectory.status, len(requests)) == ("crashed", patience)
    assert [(call.tool, call.status) for call in record.trajectory.calls] == [("", "garbled")] * patience
    assert record.trajectory.reason.endswith("held neither a block of Python that can be run nor an answer")


def test_patience_is_for_replies_in_a_row_and_errors_of_code_do_not_count() -> None:
    record, _ = trial(["", block("1 / 0"), "", block("1 / 0"), block("(("), DONE], **CODING, patience=2)

    assert record.trajectory.status == "finished"


def test_a_failed_try_is_made_again_in_a_fresh_sandbox() -> None:
    wrong = block("x = projects_update_task('00000001', 'list_name', 'Completed')")
    record, _ = trial([wrong, "", *WHOLE], **CODING, patience=1, resample=1)

    assert (record.trajectory.status, record.scores["outcome"].value, len(record.trajectory.tries)) == (
        "finished",
        1,
        1,
    )


# Again, and on.


def test_variables_outlast_a_summary() -> None:
    said = [block("x = 'a' * 16_000\nprint(x)"), "I looked.", block("len(x)"), DONE]
    _, requests = trial(said, **CODING, codeact={"output": 20_000}, summary_above=3000)

    assert "as you summed it up:\n\nI looked." in sent(requests)[2]
    assert sent(requests)[3] == "Observation: 16000"


def test_variables_outlast_a_turn() -> None:
    requests = Requests([block("x = 7"), "Seven.", block("x"), "As I said."])

    async def scene() -> list[str]:
        async with StubServer(requests) as stub:
            agent, desk = CodeActAgent(model(stub)), FakeDesk()
            return [await agent.turn(desk, "find it"), await agent.turn(desk, "sure?")]

    assert run(scene) == ["Seven.", "As I said."]
    assert sent(requests)[2:] == ["sure?", "Observation: 7"]


def test_a_session_begins_without_the_variables_of_the_last() -> None:
    said = [block("x = 7"), "Done.", block("x"), "Done."]
    _, requests = trial(said, **CODING, task=toy.task(0, sessions=2))

    assert sent(requests)[3].endswith("NameError: name 'x' is not defined")


# Settings.


def test_the_prompt_holds_the_desks_words_the_time_and_every_tool() -> None:
    _, requests = trial([DONE], **CODING)
    prompt = requests[0]["messages"][0]["content"]

    assert prompt.startswith("Today is Thursday.\n\nIt is Thursday, 2025-03-13, 00:00, ")
    assert "\nprojects_update_task\n" in prompt
    assert "  - new_value (text): The field's new value" in prompt


def test_a_template_of_ones_own_takes_the_place_of_the_prompt() -> None:
    _, requests = trial([DONE], **CODING, prompts={"codeact": "Code, {{ day }}: {{ tools | length }}."})

    assert requests[0]["messages"][0]["content"] == "Code, Thursday: 5."


def test_settings_of_the_strategy_are_refused_with_another() -> None:
    with pytest.raises(ValidationError, match="`codeact` holds settings of strategy codeact, and strategy is react"):
        LlmConfig.model_validate({"kind": "llm", "model": "m", "strategy": "react", "codeact": {"seconds": 1}})


@pytest.mark.parametrize("settings", [{"seconds": 0}, {"memory_mb": 0}, {"output": 10}, {"turns": 3}])
def test_settings_that_bound_nothing_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        LlmConfig.model_validate({"kind": "llm", "model": "m", "strategy": "codeact", "codeact": settings})


def test_a_run_without_the_interpreter_is_refused_and_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_monty", None)
    agent = LlmConfig.model_validate({"kind": "llm", "model": "openai/stub", "strategy": "codeact"})

    with pytest.raises(ConfigProblem) as told:
        check_run(RunConfig(suite="toy", agents=(agent,)), toy.suite(), replaying=True)

    assert str(told.value) == (
        "agent openai/stub: strategy codeact runs its code in pydantic-monty, which is not installed: "
        "pip install 'workplace-harness[codeact]'"
    )


def test_an_interpreter_that_does_not_start_is_a_problem_of_the_config(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONTY_BIN", "/nowhere")

    with pytest.raises(ConfigProblem, match=r"agent me: .* does not start \(.*/nowhere"):
        check("me")


def test_an_interpreter_that_starts_is_none() -> None:
    check("me")


def test_the_model_is_told_of_its_failure_before_it_fails() -> None:
    desk = FakeDesk()

    async def scene() -> str:
        async with StubServer({"find it": [Reply(text="")] * 2}) as stub:
            return await CodeActAgent(model(stub), patience=2).turn(desk, "find it")

    with pytest.raises(AgentFailed, match="2 replies in a row"):
        run(scene)
    assert [message.role for message in desk.messages][2:] == ["assistant", "tool"] * 2
