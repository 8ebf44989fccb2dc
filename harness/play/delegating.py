"""Tasks that an agent hands on: the app's tool waits, and the trial has a subagent work on them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import cache

import anyio

from harness.core.desk import AgentFailed, Reply
from harness.serving.sandbox import Sandbox
from servers.kernel import Failure, Rejected, Toolset

__all__ = ("alone", "handing_on")

_STOPPED = "The subagent was stopped before its end{}. What it did until then has been done."


def alone(toolsets: Mapping[str, Toolset]) -> dict[str, Toolset]:
    """What a subagent is offered of these: neither tools that ask a user nor any that start a further subagent."""
    left = {app: _alone(toolset) for app, toolset in toolsets.items()}
    return {app: toolset for app, toolset in left.items() if toolset.tools}


@cache
def _alone(toolset: Toolset) -> Toolset:
    tools = {name: tool for name, tool in toolset.tools.items() if tool.kind in ("reads", "writes")}
    if len(tools) == len(toolset.tools):
        return toolset
    left = Toolset(toolset.app, toolset.name, toolset.instructions, structured=toolset.structured)
    left.tools = tools
    return left


async def handing_on(
    sandbox: Sandbox, call: Callable[[], Awaitable[Reply]], work: Callable[[str], Awaitable[str]]
) -> Reply:
    """Make a call whose tool hands a task on, and do the work here meanwhile.

    The tool runs where its app is served, which over HTTP is out of reach of the trial's limits; the work is done where
    they end it. Raises what ended it, once the call, which is refused then, is on record. What ends the subagent alone
    (`Failure`, `AgentFailed`) is such a refusal and no more.
    """
    counter = _Counter()
    replies: list[Reply] = []
    problems: list[Exception] = []

    async def pass_on() -> None:
        try:
            with anyio.CancelScope(shield=True):  # whatever ends the work, the call comes to its own end
                replies.append(await call())
        except Exception as error:  # noqa: BLE001 - raised below, without the group around it
            problems.append(error)
        counter.no_more()

    sandbox.worker = counter
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(pass_on)
            try:
                while (task := await counter.task()) is not None:
                    try:
                        counter.answer(await work(task))
                    except Failure as refusal:
                        counter.answer(refusal)
                    except AgentFailed as failure:
                        counter.answer(Rejected(_STOPPED.format(f": {failure}")))
                    except Exception as error:  # noqa: BLE001 - raised below
                        problems.append(error)
                        counter.answer(Rejected(_STOPPED.format(f": {error}")))
            finally:
                counter.leave()
    finally:
        sandbox.worker = None
    if problems:
        raise problems[0]
    return replies[0]


class _Counter:
    """A worker with whom tasks wait until they are taken, and tools for what comes of them."""

    def __init__(self) -> None:
        self._in, self._taken = anyio.create_memory_object_stream[str](1)
        self._out, self._given = anyio.create_memory_object_stream[str | Failure](1)

    async def work(self, task: str) -> str:
        """Raises `Rejected` too where whoever takes tasks has left."""
        try:
            await self._in.send(task)
            answer = await self._given.receive()
        except (anyio.BrokenResourceError, anyio.EndOfStream):
            raise Rejected(_STOPPED.format("")) from None
        if isinstance(answer, Failure):
            raise answer
        return answer

    async def task(self) -> str | None:
        """The next task; None once there can be no more."""
        try:
            return await self._taken.receive()
        except anyio.EndOfStream:
            return None

    def answer(self, answer: str | Failure) -> None:
        self._out.send_nowait(answer)

    def no_more(self) -> None:
        """The call is over."""
        self._in.close()
        self._given.close()

    def leave(self) -> None:
        """Nobody takes tasks any more."""
        self._taken.close()
        self._out.close()
