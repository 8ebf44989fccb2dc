"""The agent that is a person, at work in an MCP client of their own."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskStatus

from harness.core.desk import Desk, Reply
from harness.core.trajectory import Message
from harness.serving.links import MemoryLink, MemoryLinks
from harness.serving.offer import Counter, urls
from harness.serving.person import Person
from harness.serving.sandbox import Sandbox
from servers.kernel import Edit, whole

__all__ = ("PersonAgent", "PersonLinks")


class PersonAgent:
    """Opens the trial's apps over HTTP while its own block runs, and waits.

    `show` is told what a session asks for, what is said besides, and each app's URL, the same in all sessions; `answer`
    what a user said to the end of a turn, which starts the next. `wait` returns when the person is done with a turn,
    with what they have to say. `seconds` adds up what they took, from being shown something to being done.
    Tools that ask reach the `person` in their client (see `PersonLinks`), unless a simulated user is there.
    """

    def __init__(
        self,
        show: Callable[[str, str, Mapping[str, str]], None],
        answer: Callable[[str], None],
        wait: Callable[[], Awaitable[str]],
        port: int = 0,
        person: Person | None = None,
    ) -> None:
        self._show, self._answer, self._wait = show, answer, wait
        self._port, self.person = port, person or Person()
        self._counter: Counter | None = None
        self._urls: Mapping[str, str] = {}
        self.seconds = 0.0

    async def __aenter__(self) -> PersonAgent:
        self._group, self._done = anyio.create_task_group(), anyio.Event()
        await self._group.__aenter__()
        return self

    async def __aexit__(self, *raised: Any) -> None:
        self._done.set()
        await self._group.__aexit__(*raised)

    async def turn(self, desk: Desk, message: str) -> str:
        """Raises `ConfigProblem` where the port cannot be listened at."""
        reply, goes_on = "", bool(desk.messages)
        desk.say(Message(session=desk.session, role="user", content=message))
        if self._counter is None:
            self._counter = Counter(desk, self.person)
            self._urls = await self._group.start(self._serve, self._counter)
        async with self._counter.at(desk):
            began = time.perf_counter()
            try:
                if goes_on:
                    self._answer(message)
                else:
                    said = f"{desk.system.strip()}\n\nIt is {desk.now:%Y-%m-%d %H:%M}.".strip()
                    self._show(message, said, self._urls)
                reply = await self._wait()
            finally:
                self.seconds += time.perf_counter() - began
        if self._counter.stopped:
            raise self._counter.stopped
        desk.say(Message(session=desk.session, role="assistant", content=whole(reply)))
        return reply

    async def _serve(self, counter: Counter, *, task_status: TaskStatus[Mapping[str, str]]) -> None:
        """Until the trial is over: a client stays connected from turn to turn."""
        async with urls(counter, self._port, person=True) as found:
            task_status.started(found)
            await self._done.wait()


class _PersonLink(MemoryLink):
    """Calls the sandbox itself: no client comes between it and the person's, so that a question can end a call."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any]) -> Reply:
        record = await self.sandbox.call(app, tool, arguments)
        return Reply(record.text, record.data or {}, record.status != "ok")


class PersonLinks(MemoryLinks):
    """Links of trials that a person plays, who also answers where nobody is simulated."""

    def __init__(self, person: Person) -> None:
        self._person = person

    @asynccontextmanager
    async def link(self, sandbox: Sandbox, setup: Sequence[Edit]) -> AsyncIterator[_PersonLink]:
        sandbox.user = self._person
        yield _PersonLink(sandbox)
