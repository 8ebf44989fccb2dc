"""Tools that have somebody else answer a question (`asks`) or work on a task (`delegates`)."""

from __future__ import annotations

import anyio
import pytest

from servers.kernel import Answer, App, InvalidArguments, NoUser, NoWorker, Question, State, UserFault, Worker
from tests.kernel.desk import Paper, Scene, app


class Colleague:
    async def work(self, task: str) -> str:
        return f"{task} is done."


@pytest.mark.parametrize("error", [ConnectionError("gone"), SystemExit("gone")])
def test_asking_nobody_is_a_failure_and_a_broken_user_a_fault(error: BaseException) -> None:
    class Broken:
        async def answer(self, question: Question) -> Answer:
            raise error

    state, ask = Scene().state, app.default.tool("ask_title")
    with pytest.raises(NoUser, match="Nobody is available"):
        anyio.run(ask.ask, state, None, {"paper_id": "0001"})
    with pytest.raises(UserFault, match=f"{type(error).__name__}: gone"):
        anyio.run(ask.ask, state, Broken(), {"paper_id": "0001"})


def test_the_task_goes_to_whoever_is_bound_and_the_report_comes_back() -> None:
    new = App("new", "", tables=(Paper,))

    @new.toolset("other").delegates
    async def pass_on(state: State, worker: Worker, task: str) -> str:
        """Pass it on."""
        return await worker.work(task)

    tool, state = new.toolset("other").tool("pass_on"), Scene().state

    assert tool.input_schema["required"] == ["task"]
    assert anyio.run(tool.delegate, state, Colleague(), {"task": "It"}).text == "It is done."
    with pytest.raises(NoWorker, match="Nobody is there to take the task on"):
        anyio.run(tool.delegate, state, None, {"task": "It"})
    with pytest.raises(InvalidArguments, match="'task' is required"):
        anyio.run(tool.delegate, state, None, {})


def test_an_app_itself_may_have_one() -> None:
    new = App("new", "")

    @new.delegates
    async def pass_on(state: State, worker: Worker, task: str) -> str:
        """Pass it on."""
        return await worker.work(task)

    assert new.default.tool("pass_on").kind == "delegates"


def test_such_a_tool_is_a_coroutine_and_returns_text() -> None:
    def plain(state: State, worker: Worker) -> str:
        """Pass it on."""
        return ""

    async def number(state: State, worker: Worker) -> int:
        """Pass it on."""
        return 1

    other = App("new", "").toolset("other")
    with pytest.raises(TypeError, match=r"new\.plain: `asks` and `delegates` tools are `async def`"):
        other.delegates(plain)
    with pytest.raises(TypeError, match=r"new\.number: a `delegates` tool returns the report of its worker, a `str`"):
        other.delegates(number)
