"""The agent that is a person, at work in an MCP client of their own."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from harness.core.desk import Desk, Reply
from harness.core.trajectory import Message
from harness.serving.links import MemoryLink, MemoryLinks
from harness.serving.offer import offered
from harness.serving.person import Person
from harness.serving.sandbox import Sandbox
from servers.kernel import Edit, whole

__all__ = ("PersonAgent", "PersonLinks")


class PersonAgent:
    """Opens the session's apps over HTTP and waits.

    `show` is told what is asked for, what is said besides, and each app's URL; `wait` returns when the person is
    done, with what they have to say. `seconds` adds up what they took, from being shown a request to being done.
    Tools that ask reach the `person` in their client (see `PersonLinks`), unless a simulated user is there.
    """

    def __init__(
        self,
        show: Callable[[str, str, Mapping[str, str]], None],
        wait: Callable[[], Awaitable[str]],
        port: int = 0,
        person: Person | None = None,
    ) -> None:
        self._show, self._wait, self._port, self.person = show, wait, port, person or Person()
        self.seconds = 0.0

    async def turn(self, desk: Desk, message: str) -> str:
        reply = ""
        desk.say(Message(session=desk.session, role="user", content=message))
        async with offered(desk, self._port, self.person) as urls:
            began = time.perf_counter()
            try:
                self._show(message, f"{desk.system.strip()}\n\nIt is {desk.now:%Y-%m-%d %H:%M}.".strip(), urls)
                reply = await self._wait()
            finally:
                self.seconds += time.perf_counter() - began
        desk.say(Message(session=desk.session, role="assistant", content=whole(reply)))
        return reply


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
