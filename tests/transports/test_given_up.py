"""A call that waits for a user ends, unrecorded, once nobody waits for it; one that waits for nobody is made whole."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from harness.core.config import Condition
from harness.core.desk import Desk, Reply
from harness.play.run import evaluate
from harness.play.session import specs
from harness.serving.giving_up import GivenUp
from harness.serving.host import HttpHost
from harness.serving.offer import Counter
from harness.serving.sandbox import Sandbox
from servers.kernel import Answer, Engine, Question
from tests.harness import toy
from tests.llm.support import FakeDesk
from tests.person.scenes import EMPTY, ERAS, over_http, toolsets

ASK = {"question": "When?"}
MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}
QUESTION = ("ask_user_ask_user", ASK)


class Thinking:
    """A user who says when they were asked, answers once they may, and says when they stopped thinking."""

    def __init__(self) -> None:
        self.asked, self.may_answer, self.stopped = anyio.Event(), anyio.Event(), anyio.Event()

    async def answer(self, question: Question) -> Answer:
        self.asked.set()
        try:
            await self.may_answer.wait()
            return Answer(text="On Friday.")
        finally:
            self.stopped.set()


@pytest.mark.parametrize("person", [False, True], ids=["without sessions", "with sessions"])
@pytest.mark.parametrize("era", ERAS)
def test_a_question_is_given_up_once_whoever_asked_it_has_gone(era: str, person: bool) -> None:
    async def main() -> None:
        user = Thinking()

        async def ask() -> None:
            async with served.connect("ask_user", None, era) as client:
                await client.call_tool("ask_user", ASK)

        with anyio.fail_after(20):
            async with over_http(toolsets("ask_user"), user, person=person) as (served, _):
                async with anyio.create_task_group() as group:
                    group.start_soon(ask)
                    await user.asked.wait()
                    group.cancel_scope.cancel()
                await user.stopped.wait()
        assert served.records() == []

    anyio.run(main)


@pytest.mark.parametrize("era", ERAS)
def test_a_client_that_waits_loses_no_answer_to_one_that_goes(era: str) -> None:
    async def main() -> None:
        user = Thinking()
        said: list[Any] = []

        async def ask() -> None:
            async with served.connect("ask_user", None, era) as client:
                said.append((await client.call_tool("ask_user", ASK)).structured_content)

        async def look() -> None:
            async with served.connect("ask_user", None, era) as client:
                await client.list_tools()

        with anyio.fail_after(20):
            async with (
                over_http(toolsets("ask_user"), user, person=True) as (served, _),
                anyio.create_task_group() as group,
            ):
                group.start_soon(ask)
                await user.asked.wait()
                await look()
                user.may_answer.set()
        assert said == [{"result": "On Friday."}]
        assert len(served.records()) == 1

    anyio.run(main)


@pytest.mark.parametrize("end", ["the server stops", "the sandbox is removed"])
def test_a_question_is_given_up_at_the_end_of_what_serves_it(end: str) -> None:
    async def main() -> None:
        engine, user = Engine(), Thinking()
        found = toolsets("ask_user")
        sandbox = Sandbox(engine.layer(engine.load(EMPTY)), found, user)
        host = HttpHost(found.values())
        id = host.add(sandbox)

        async def ask() -> None:
            async with Client(host.url(id, "ask_user")) as client:
                with pytest.raises(MCPError, match="The server stopped before the call was answered"):
                    await client.call_tool("ask_user", ASK)

        with anyio.fail_after(20):
            async with anyio.create_task_group() as group, host.run():
                group.start_soon(ask)
                await user.asked.wait()
                if end == "the sandbox is removed":
                    host.remove(id)
                    await user.stopped.wait()
        assert sandbox.calls == []
        engine.close()

    anyio.run(main)


def test_an_answer_that_comes_as_the_question_is_given_up_is_not_heard() -> None:
    async def main() -> None:
        engine, user = Engine(), Thinking()
        sandbox = Sandbox(engine.layer(engine.load(EMPTY)), toolsets("ask_user"), user)

        async def ask() -> None:
            with pytest.raises(GivenUp):
                await sandbox.call("ask_user", "ask_user", ASK)

        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await user.asked.wait()
            user.may_answer.set()
            sandbox.give_up()
        assert sandbox.events == []
        engine.close()

    anyio.run(main)


class Slow(FakeDesk):
    """A desk whose user thinks, and whose writes take until they may go on."""

    def __init__(self, user: Thinking) -> None:
        super().__init__()
        self.toolsets = toolsets("ask_user", "projects")
        self.tools = [spec for toolset in self.toolsets.values() for spec in specs(toolset)]
        self.user, self.begun, self.may_write, self.wrote = user, anyio.Event(), anyio.Event(), anyio.Event()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        if name == QUESTION[0]:
            return Reply((await self.user.answer(Question(text="When?"))).text, {}, False)
        self.begun.set()
        await self.may_write.wait()
        self.wrote.set()
        return Reply("Moved.", {}, False)


def test_a_write_that_has_begun_is_finished_though_whoever_made_it_has_gone() -> None:
    async def main() -> None:
        user = Thinking()
        desk = Slow(user)
        writes, asks = Counter(desk), Counter(desk)  # two, as one takes its calls one after the other
        host = HttpHost(desk.toolsets.values())
        ids = {"projects": host.add(writes), "ask_user": host.add(asks)}

        async def call(app: str, tool: str, arguments: Mapping[str, Any]) -> None:
            async with Client(host.url(ids[app], app)) as client:
                await client.call_tool(tool, dict(arguments))

        with anyio.fail_after(20):
            async with host.run(), writes.at(desk), asks.at(desk):
                async with anyio.create_task_group() as group:
                    group.start_soon(call, "projects", "update_task", MOVE)
                    await desk.begun.wait()
                    group.start_soon(call, "ask_user", "ask_user", ASK)
                    await user.asked.wait()
                    group.cancel_scope.cancel()
                await user.stopped.wait()  # the server knows by now that the client has gone
                desk.may_write.set()
                await desk.wrote.wait()

    anyio.run(main)


class Impatient:
    """Gives up a question in its first session; has it answered, too late, in the second, and makes calls there."""

    def __init__(self, user: Thinking) -> None:
        self._user = user

    async def turn(self, desk: Desk, message: str) -> str:
        if desk.session == 0:
            async with anyio.create_task_group() as group:
                group.start_soon(desk.call, *QUESTION)
                await self._user.asked.wait()
                group.cancel_scope.cancel()
        else:
            self._user.may_answer.set()
            for _ in range(5):
                await desk.call("projects_update_task", MOVE)
        return "Done."


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_a_question_given_up_in_one_session_is_not_answered_in_the_next(
    tmp_path: Path, transport: Literal["memory", "http"]
) -> None:
    user = Thinking()
    wiring = toy.Wiring([toy.task(0, sessions=2)], lambda _: Impatient(user), user)
    config = toy.config(transport=transport, conditions={"asking": Condition(ask="ask_user")})
    (record,) = evaluate(config, wiring.suite("toy"), wiring, tmp_path / "run").records()

    trajectory = record.trajectory
    assert (trajectory.status, trajectory.reason) == ("finished", "")
    assert {(call.session, call.tool, call.status) for call in trajectory.calls} == {(1, "update_task", "ok")}


class Leaving:
    """Ends its first turn with a question still under way in the background; it is answered, too late, in the next."""

    def __init__(self, user: Thinking) -> None:
        self._user = user

    async def turn(self, desk: Desk, message: str) -> str:
        if desk.session == 0:
            self._asking = asyncio.create_task(desk.call(*QUESTION))
            await self._user.asked.wait()
        else:
            self._user.may_answer.set()
            with pytest.raises(MCPError, match="before the call was answered"):
                await self._asking
        return "Done."


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_a_question_that_is_under_way_at_the_end_of_its_turn_is_given_up(
    tmp_path: Path, transport: Literal["memory", "http"]
) -> None:
    user = Thinking()
    wiring = toy.Wiring([toy.task(0, sessions=2)], lambda _: Leaving(user), user)
    config = toy.config(transport=transport, conditions={"asking": Condition(ask="ask_user")})
    (record,) = evaluate(config, wiring.suite("toy"), wiring, tmp_path / "run").records()

    assert (record.trajectory.status, record.trajectory.calls) == ("finished", [])
