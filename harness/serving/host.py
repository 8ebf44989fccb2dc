"""Sandboxes of one process over streamable HTTP.

One server per toolset serves every sandbox, which it reads from the request path.
"""

from __future__ import annotations

import re
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from functools import partial
from typing import Any

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from harness.core.config import ConfigProblem
from harness.core.trajectory import CallRecord
from harness.serving.giving_up import GivenUp
from harness.serving.guard import SERVICE, Guard, Refused, refuse
from harness.serving.heard import hear
from harness.serving.person import Caller
from harness.serving.receiving import Limited, Limits, Quiet, listen
from harness.serving.sandbox import Sandbox
from harness.serving.serve import server
from servers.kernel import Owner, Picture, Resource, Toolset

__all__ = ("BODY_LIMIT", "RESULT_LIMIT", "HttpHost")

BODY_LIMIT = 4 * 1024 * 1024
"""Bytes of a request's body."""

RESULT_LIMIT = 1024 * 1024
"""Bytes of text that a reading tool may answer with where the caller did not say otherwise."""

_KEEP_ALIVE = 75
"""Seconds that an idle connection stays open. Clients give theirs up after 5: a server that does so too would now and
then hang up just as a request is on its way."""

_SESSION = 24 * 3600
"""Seconds that a session lasts unused, where there are any: a client that sleeps over lunch finds it again."""

_GRACE = 3
"""Seconds that requests in flight have left when the server stops."""

SHARED = (
    "This is the server's one default sandbox, shared by everyone who connects here: what others do shows up here too."
)
"""What clients of `/<app>/mcp` are told."""

_PATH = re.compile(r"(?:/s/(?P<sandbox>[0-9a-f]{32}))?/(?P<app>[a-z][a-z0-9_]*)/mcp")

Asgi = Callable[[Any, Any, Any], Awaitable[None]]


class HttpHost:
    """Sandboxes of this process at `http://<address>:<port>/s/<sandbox>/<app>/mcp`.

    Sandbox ids are random and unguessable; a removed one answers 404. `shared` are those at
    `/<app>/mcp`, by app. `service` answers what lies under `/v1/`. `seen` hears of each sandbox that a
    request names, before it is looked up. Results over `result_limit` bytes become an error that says so.
    `limits` are of connections and of the time that a request takes to come.
    `pictures` and `person`, which those at `/<app>/mcp` always are for, as in `harness.serving.serve.server`.
    """

    def __init__(
        self,
        toolsets: Iterable[Toolset],
        *,
        shared: Mapping[str, Sandbox] | None = None,
        service: Asgi | None = None,
        guard: Guard | None = None,
        seen: Callable[[str], None] | None = None,
        body_limit: int = BODY_LIMIT,
        result_limit: int | None = None,
        limits: Limits = Limits(),
        pictures: bool = True,
        person: bool = False,
    ) -> None:
        self.guard, self.service, self._seen = guard or Guard(), service, seen
        self._body_limit, self._result_limit, self._limits = body_limit, result_limit, limits
        self._pictures, self._person = pictures, person
        self._sandboxes: dict[str, Sandbox] = {}
        self._shared = dict(shared or {})
        self._managers = {toolset: self._manager(toolset) for toolset in toolsets}
        self._sharing = {app: self._manager(each.toolsets[app], each) for app, each in self._shared.items()}
        self.address = ""

    def add(self, sandbox: Sandbox) -> str:
        """Put a sandbox on offer; the id is part of its URLs."""
        id = secrets.token_hex(16)
        self._sandboxes[id] = sandbox
        sandbox.name = sandbox.name or f"sandbox {id[:8]}"
        return id

    def remove(self, id: str) -> None:
        """Take a sandbox off offer; its calls that wait are given up."""
        self._sandboxes.pop(id).give_up()

    def url(self, id: str, app: str) -> str:
        return f"{self.address}/s/{id}/{app}/mcp"

    @asynccontextmanager
    async def run(self, port: int = 0, host: str = "127.0.0.1") -> AsyncIterator[None]:
        """Listen while the block runs; port 0 takes a free one.

        At its end calls that wait are given up, and requests in flight are answered, within limits. Raises
        `ConfigProblem` where it cannot listen.
        """
        listening = _listen(host, port)
        name = f"[{host}]" if ":" in host else host
        self.address = f"http://{name}:{listening.getsockname()[1]}"
        config = uvicorn.Config(
            self._app,
            interface="asgi3",
            http=partial(Limited, limits=self._limits),  # type: ignore[arg-type] # called like the class itself
            lifespan="off",
            log_level="error",
            access_log=False,
            ws="none",
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=_GRACE,
        )
        web = Quiet(config)
        async with AsyncExitStack() as stack:
            stack.enter_context(listening)  # uvicorn closes it too, unless it is cancelled
            for manager in (*self._managers.values(), *self._sharing.values()):
                await stack.enter_async_context(manager.run())
            group = await stack.enter_async_context(anyio.create_task_group())
            group.start_soon(web.serve, [listening])
            try:
                yield
            finally:
                for sandbox in (*self._sandboxes.values(), *self._shared.values()):
                    sandbox.give_up()
                web.should_exit = True

    def _manager(self, toolset: Toolset, shared: Sandbox | None = None) -> StreamableHTTPSessionManager:
        """Serves a toolset: for the sandbox of each request's path, or for the one that is shared."""
        person = self._person or shared is not None
        bound = server(
            toolset,
            lambda context: context.request.path_params["sandbox"],
            pictures=self._pictures,
            person=person,
        )
        if shared:
            bound.instructions = f"{SHARED}\n\n{bound.instructions or ''}".strip()
        # A server that asks a client of the older era something needs a session to get the answer in, and a stream.
        alone = not (person and any(tool.kind == "asks" for tool in toolset.tools.values()))
        return StreamableHTTPSessionManager(
            bound,
            json_response=alone,
            stateless=alone,
            session_idle_timeout=None if alone else _SESSION,
            max_request_body_size=self._body_limit,
        )

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            self.guard.check(scope["path"], headers)
            if self.service and scope["path"].startswith(SERVICE):
                if int(headers.get("content-length", 0)) > self._body_limit:
                    raise Refused(413, "too_large", f"a body may have at most {self._body_limit} bytes")
                await self.service(scope, receive, send)
                return
            manager, params = self._find(scope["path"])
            allowed = "POST" if manager.stateless else "POST, DELETE"
            if scope["method"] == "GET":  # it would stay open, and hold up the end
                why = "nothing is sent here besides the answers to POST requests"
                raise Refused(405, "no_stream", why, {"Allow": allowed})
            if scope["method"] not in allowed.split(", "):
                why = f"{scope['path']} takes {allowed}, not {scope['method']}"
                raise Refused(405, "wrong_method", why, {"Allow": allowed})
        except Refused as refused:
            await refuse(refused, send)
            return
        shared = params["sandbox"] is None
        found = self._shared[params["app"]] if shared else self._sandboxes[params["sandbox"]]
        sandbox = _Bounded(found, self._result_limit, forget=shared)
        if "accept" not in headers:  # HTTP has it that such a client takes anything
            scope = {**scope, "headers": [*scope["headers"], (b"accept", b"*/*")]}
        scope = {**scope, "path_params": {"sandbox": sandbox}}
        await hear(sandbox, manager.handle_request, sandbox.gone, self._body_limit, scope, receive, send)

    def _find(self, path: str) -> tuple[StreamableHTTPSessionManager, dict[str, Any]]:
        """Who serves a path. Raises `Refused`."""
        match = _PATH.fullmatch(path)
        if match is None:
            known = "/s/<sandbox>/<app>/mcp" + ("" if not self._shared else f", /<app>/mcp ({', '.join(self._shared)})")
            known += ", /v1/sandboxes (/v1/openapi.json describes it)" if self.service else ""
            raise Refused(404, "not_found", f"nothing is at {path[:200]}; there is {known}")
        id, app = match["sandbox"], match["app"]
        if id is None:
            if app not in self._sharing:
                raise Refused(
                    404, "not_found", f"no app {app!r} is shared here; {', '.join(self._shared) or 'none'} is"
                )
            return self._sharing[app], match.groupdict()
        if self._seen:
            self._seen(id)
        sandbox = self._sandboxes.get(id)
        if sandbox is None:
            raise Refused(404, "not_found", "no such sandbox: its id is wrong, it was deleted, or it expired")
        toolset = sandbox.toolsets.get(app)
        if toolset is None:
            raise Refused(404, "not_found", f"this sandbox has no app {app!r}; it has {', '.join(sandbox.toolsets)}")
        return self._managers[toolset], match.groupdict()


class _Bounded:
    """A sandbox for one request, whose reading tools answer with so much and no more.

    What a tool writes is bounded by the body that asked for it, and a call that changed something must
    not look failed, so only calls that wrote nothing are cut. `forget` keeps no records, for a sandbox that
    nobody scores. A call that waits for a user or a worker is given up once its connection ends, as no answer can
    be fetched by another; others, which are one transaction each, are made all the same.
    """

    def __init__(self, sandbox: Sandbox, limit: int | None, *, forget: bool) -> None:
        self._sandbox, self._limit, self._forget = sandbox, limit, forget
        self._waiting = anyio.CancelScope()

    def gone(self) -> None:
        self._waiting.cancel()

    @property
    def owner(self) -> Owner | None:
        return self._sandbox.owner

    def resources(self, app: str) -> dict[str, Resource]:
        return self._sandbox.resources(app)

    def garbled(self, tool: str, given: object, problem: str) -> CallRecord:
        record = self._sandbox.garbled(tool, given, problem)
        if self._forget:
            self._sandbox.rewind(())
        return record

    async def show(
        self, app: str, tool: str, arguments: Mapping[str, Any], caller: Caller
    ) -> tuple[CallRecord, Picture | None]:
        found = self._sandbox.toolsets[app].tools.get(tool)
        with self._waiting if found and found.kind in ("asks", "delegates") else nullcontext():
            record, picture = await self._sandbox.show(app, tool, arguments, caller)
        if self._waiting.cancelled_caught:
            raise GivenUp
        if self._limit and not record.writes and (size := len(record.text.encode())) > self._limit:
            text = f"The result has {size} bytes, and {self._limit} is the limit. Ask for less: narrow the search."
            whole, record = record, record.model_copy(update={"status": "failed", "text": text, "data": None})
            events = self._sandbox.events
            place = next(at for at in reversed(range(len(events))) if events[at] is whole)
            events[place], picture = record, None
        if self._forget:
            self._sandbox.rewind(())
        return record, picture


def _listen(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as error:
        raise ConfigProblem(
            f"cannot listen on {host} port {port}: {error.strerror}. "
            "Give another with --host or --port; port 0 takes a free one"
        ) from None
