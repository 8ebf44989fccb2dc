"""A session's apps on offer over HTTP, to whoever can read an MCP client config: a program, or a person's client."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio

from harness.core.config import ConfigProblem
from harness.core.desk import Desk, on_offer
from harness.core.trajectory import CallRecord
from harness.serving.giving_up import GivenUp, UnderWay
from harness.serving.person import Caller, Person
from harness.serving.sandbox import Sandbox
from servers.kernel import Owner, Resource, UnknownTool, excerpt

__all__ = ("Counter", "client_config", "offered", "urls")


def client_config(found: Mapping[str, str], prefix: str = "") -> dict[str, Any]:
    """What MCP clients take as their list of servers; `found` maps apps to URLs, `prefix` goes before each name."""
    return {"mcpServers": {f"{prefix}{app}": {"type": "http", "url": url} for app, url in found.items()}}


@asynccontextmanager
async def urls(sandbox: Sandbox, port: int = 0, *, person: bool = False) -> AsyncIterator[dict[str, str]]:
    """The URL of each app of a sandbox, served on loopback while the block runs; `person` as in `serve`.

    Raises `ConfigProblem`.
    """
    from harness.serving.host import HttpHost

    host, ready, leave = HttpHost(sandbox.toolsets.values(), person=person), anyio.Event(), anyio.Event()
    id = host.add(sandbox)
    problem: ConfigProblem | None = None

    async def serve() -> None:
        nonlocal problem
        with anyio.CancelScope(shield=True):  # a block that is cancelled still has its sockets closed in order
            try:
                async with host.run(port):
                    ready.set()
                    await leave.wait()
            except ConfigProblem as error:  # raised after the group, which would wrap it
                problem = error
                ready.set()

    async with anyio.create_task_group() as group:
        group.start_soon(serve)  # not `start`, which waits for its task where it is cancelled, and so for `leave`
        try:
            await ready.wait()
            if not problem:
                yield {app: host.url(id, app) for app in sandbox.toolsets}
        finally:
            leave.set()
    if problem:
        raise problem


@asynccontextmanager
async def offered(desk: Desk) -> AsyncIterator[dict[str, str]]:
    """The URL of each app of a desk. Calls that arrive there are calls at the desk, one after the other.

    Once a call raises, because a budget is spent or something of ours failed, the block is cancelled and the
    exception is raised after it. Exceptions of the block itself come in a group: raise after it instead.
    """
    counter = Counter(desk)
    async with urls(counter) as found, counter.at(desk):
        yield found
    if counter.stopped:
        raise counter.stopped


class Counter(Sandbox):
    """Desks of one trial, one after the other, as a sandbox that can be served at the same URLs throughout.

    It holds no state: the desk's own sandbox runs and records the calls. With `person` it is theirs: their client is
    told that nothing is real, and they are asked through it.
    """

    def __init__(self, first: Desk, person: Person | None = None) -> None:
        self.toolsets, self._owner, self._person = first.toolsets, first.owner, person
        self._desk: Desk | None = None
        self._one_at_a_time = anyio.Lock()
        self._under_way = UnderWay()
        self._over = anyio.Event()
        self.stopped: Exception | None = None

    @property
    def owner(self) -> Owner | None:
        return self._owner

    @asynccontextmanager
    async def at(self, desk: Desk) -> AsyncIterator[None]:
        """Calls that arrive while the block runs are calls at that desk; one still waiting at its end is given up.

        The block is cancelled once a call raises: `stopped` says with what.
        """
        self._desk, self._over = desk, anyio.Event()
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._watch, group.cancel_scope)
                yield
                group.cancel_scope.cancel()
        finally:
            self._desk = None
            self.give_up()

    def give_up(self) -> None:
        """End the calls that are not answered yet."""
        self._under_way.give_up()

    async def _watch(self, scope: anyio.CancelScope) -> None:
        await self._over.wait()
        scope.cancel()

    async def show(
        self, app: str, tool: str, arguments: Mapping[str, Any], caller: Caller | None = None
    ) -> tuple[CallRecord, None]:
        """Call at the desk, which gives text and data; pictures are not for agents."""
        try:
            with self._under_way.one():
                async with self._one_at_a_time:
                    return await self._called(app, tool, arguments, caller), None
        except GivenUp:
            return _record(app, tool, arguments, "failed", self._closed, {}), None

    async def _called(self, app: str, tool: str, arguments: Mapping[str, Any], caller: Caller | None) -> CallRecord:
        if self._person:
            self._person.caller = caller
        if self._desk and self.stopped is None:
            try:
                reply = await self._desk.call(on_offer(self._desk, app, tool), arguments)
                status = "failed" if reply.is_error else "ok"
                return _record(
                    app, tool, arguments, status, self._as_here(self._desk, app, tool, reply.text), reply.data
                )
            except Exception as error:  # noqa: BLE001 - it ends the session, and is raised again after it
                self._stop(error)
        return _record(app, tool, arguments, "failed", self._closed, {})

    def _as_here(self, desk: Desk, app: str, tool: str, text: str) -> str:
        """What a call is told: of a tool that is not there with names as they are at the app's URL, not at the desk."""
        if any((spec.app, spec.tool) == (app, tool) for spec in desk.tools):
            return text
        return str(UnknownTool(tool, (each.shown for each in self.toolsets[app].tools.values())))

    def resources(self, app: str) -> dict[str, Resource]:
        """None: whoever works at a desk reads with tools, so that what they have read is on record."""
        return {}

    def garbled(self, tool: str, given: object, problem: str) -> CallRecord:
        """The same for what is no call that could be taken."""
        if self._desk and self.stopped is None:
            try:
                return _record("", tool, {}, "garbled", self._desk.garbled(tool, excerpt(given), problem).text, {})
            except Exception as error:  # noqa: BLE001 - as above
                self._stop(error)
        return _record("", tool, {}, "failed", self._closed, {})

    @property
    def _closed(self) -> str:
        """What is said to a call that no desk takes."""
        if self.stopped:
            return f"The session is over: {self.stopped}."
        return "Nothing is asked of you at the moment: wait for what comes next, and call again then."

    def _stop(self, error: Exception) -> None:
        self.stopped = error
        self._over.set()


def _record(
    app: str, tool: str, arguments: Mapping[str, Any], status: Any, text: str, data: dict[str, Any]
) -> CallRecord:
    """What the caller is told; the record that counts is the one of the desk's sandbox."""
    return CallRecord.model_construct(
        n=0, session=0, turn=0, app=app, tool=tool, arguments=dict(arguments), status=status, text=text, data=data
    )
