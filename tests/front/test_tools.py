"""A model's tool calls carried out, whichever interface they came through."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from harness import Task, ToolError, open_task

pytestmark = pytest.mark.usefixtures("only_board")

MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}
DONE = "Task 00000000 updated."


@pytest.fixture
def task() -> Iterator[Task]:
    with open_task("toy", "toy-0") as opened:
        yield opened


def chat(name: str, arguments: str) -> dict[str, Any]:
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


def test_tools_are_found_by_both_names(task: Task) -> None:
    assert "projects.update_task" in task.tools
    assert len(task.tools) == len(list(task.tools))
    assert task.tools["projects.update_task"].model_name == "projects_update_task"
    assert task.tools["projects_update_task"](**MOVE) == DONE
    with pytest.raises(ToolError, match=r"Did you mean 'projects\.update_task'"):
        task.tools["projects_update"]


def test_tools_are_a_mapping_like_any_other(task: Task) -> None:
    tools = task.tools
    with pytest.raises(KeyError):
        tools["projects.nothing"]

    assert tools.get("projects.nothing", "none") == "none"
    assert tools.get(1) is None  # type: ignore[call-overload]
    assert {**tools} == tools
    assert repr(tools).startswith(f"<{len(tools)} tools: projects.")


@pytest.mark.parametrize("name", ["projects.find_tasks", "projects_find_tasks", "find_tasks"])
def test_what_looks_up_the_same_by_another_verb_is_what_may_have_been_meant(task: Task, name: str) -> None:
    with pytest.raises(
        ToolError, match=r"^there is no tool '.*find_tasks' here\. Did you mean 'projects\.search_tasks'\?"
    ):
        task.tools[name]


def test_a_schema_that_is_changed_is_changed_for_nobody_else(task: Task) -> None:
    before = task.tools.openai()
    task.tools.openai()[0]["function"]["parameters"]["properties"].clear()
    task.tools.openai("responses")[0]["parameters"].clear()
    task.tools.anthropic()[0]["input_schema"].clear()
    first, *_ = task.tools.values()
    first.schema.clear()

    assert task.tools.openai() == before
    with open_task("toy", "toy-1") as other:
        assert other.tools.openai() == before


def test_schemas_are_those_of_each_interface(task: Task) -> None:
    name = "projects_update_task"
    (openai,) = [each for each in task.tools.openai() if each["function"]["name"] == name]
    (responses,) = [each for each in task.tools.openai("responses") if each["name"] == name]
    (anthropic,) = [each for each in task.tools.anthropic() if each["name"] == name]
    schema = task.tools["projects.update_task"].schema

    assert openai["type"] == responses["type"] == "function"
    assert openai["function"]["parameters"] == responses["parameters"] == anthropic["input_schema"] == schema
    assert set(schema["required"]) == {*MOVE}
    assert openai["function"]["description"] == anthropic["description"] != ""


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (chat("projects_update_task", json.dumps(MOVE)), {"role": "tool", "tool_call_id": "c1", "content": DONE}),
        (
            {"type": "function_call", "call_id": "c2", "name": "projects_update_task", "arguments": json.dumps(MOVE)},
            {"type": "function_call_output", "call_id": "c2", "output": DONE},
        ),
        (
            {"type": "tool_use", "id": "c3", "name": "projects_update_task", "input": MOVE},
            {"type": "tool_result", "tool_use_id": "c3", "content": DONE, "is_error": False},
        ),
    ],
)
def test_a_models_call_is_carried_out_and_answered(task: Task, call: dict[str, Any], answer: dict[str, Any]) -> None:
    assert task.tools.run(call) == answer
    assert task.score().value == 1.0


def test_a_call_may_be_an_object_of_a_clients_package(task: Task) -> None:
    function = SimpleNamespace(name="projects_update_task", arguments=json.dumps(MOVE))
    call = SimpleNamespace(id="c1", type="function", function=function)

    assert task.tools.run(call)["content"] == DONE


def test_a_models_call_is_carried_out_in_async_code() -> None:
    async def main() -> dict[str, Any]:
        async with open_task("toy", "toy-0") as task:
            return await task.tools.run(chat("projects_update_task", json.dumps(MOVE)))

    assert asyncio.run(main())["content"] == DONE


@pytest.mark.parametrize(
    ("name", "arguments", "told", "status"),
    [
        ("projects_move_task", "{}", "There is no tool 'projects_move_task'. Available: projects_", "unknown"),
        ("projects_update_task", "{", "the arguments are not valid JSON", "garbled"),
        ("projects_update_task", "[1]", "the arguments must be a JSON object, not list", "garbled"),
        ("projects_update_task", "{}", "Invalid arguments for update_task: 'task_id' is required", "invalid"),
    ],
)
def test_what_a_model_got_wrong_it_is_told_and_is_on_record(
    task: Task, name: str, arguments: str, told: str, status: str
) -> None:
    assert told in task.tools.run(chat(name, arguments))["content"]
    assert [call.status for call in task.calls] == [status]


def test_an_error_is_marked_where_the_interface_has_a_mark(task: Task) -> None:
    call = {"type": "tool_use", "id": "c3", "name": "projects_update_task", "input": {**MOVE, "task_id": "9"}}

    assert task.tools.run(call)["is_error"] is True


def test_what_is_no_tool_call_is_refused(task: Task) -> None:
    with pytest.raises(TypeError, match=r"is not a tool call: give one item of `message\.tool_calls`"):
        task.tools.run({"role": "assistant", "content": "hello"})


def test_an_interface_that_there_is_not_is_told(task: Task) -> None:
    with pytest.raises(ValueError, match="'respnses' is no interface of OpenAI's: write 'chat' or 'responses'"):
        task.tools.openai("respnses")  # type: ignore[arg-type]
