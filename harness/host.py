"""Sandboxes of one process over streamable HTTP, on loopback.

One server per toolset serves every sandbox, which it reads from the request path.
"""

from __future__ import annotations

import re
import secrets
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from typing import Any

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse

from harness.sandbox import Sandbox
from harness.serve import server
from servers.kernel import Toolset

__all__ = ("HttpHost",)


class _Quiet(uvicorn.Server):
    """Leaves signals to whoever runs the event loop."""

    def capture_signals(self) -> Any:
        return nullcontext()


_PATH = re.compile(r"/s/(?P<sandbox>[0-9a-f]{32})/(?P<app>[a-z0-9_]+)/mcp")


class HttpHost:
    """Sandboxes of this process at `http://127.0.0.1:<port>/s/<sandbox>/<app>/mcp`.

    Sandbox ids are random and unguessable; a removed one answers 404. `pictures` as in `harness.serve.server`.
    """

    def __init__(self, toolsets: Iterable[Toolset], *, pictures: bool = True) -> None:
        self._pictures = pictures
        self._sandboxes: dict[str, Sandbox] = {}
        self._managers = {toolset: self._manager(toolset) for toolset in toolsets}
        self._address = ""

    def add(self, sandbox: Sandbox) -> str:
        """Put a sandbox on offer; the id is part of its URLs."""
        id = secrets.token_hex(16)
        self._sandboxes[id] = sandbox
        return id

    def remove(self, id: str) -> None:
        del self._sandboxes[id]

    def url(self, id: str, app: str) -> str:
        return f"{self._address}/s/{id}/{app}/mcp"

    @asynccontextmanager
    async def run(self, port: int = 0) -> AsyncIterator[None]:
        """Listen on loopback while the block runs; port 0 takes a free one."""
        # asyncio turns Nagle's algorithm off only for sockets that name TCP; with it a call takes 40 ms.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        self._address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        config = uvicorn.Config(
            self._app, interface="asgi3", lifespan="off", log_level="error", access_log=False, ws="none"
        )
        web = _Quiet(config)
        async with AsyncExitStack() as stack:
            for manager in self._managers.values():
                await stack.enter_async_context(manager.run())
            group = await stack.enter_async_context(anyio.create_task_group())
            group.start_soon(web.serve, [listening])
            try:
                yield
            finally:
                web.should_exit = True

    def _manager(self, toolset: Toolset) -> StreamableHTTPSessionManager:
        bound = server(
            toolset, lambda context: self._sandboxes[context.request.path_params["sandbox"]], pictures=self._pictures
        )
        hosts = ["127.0.0.1:*", "localhost:*"]
        security = TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
        return StreamableHTTPSessionManager(bound, json_response=True, stateless=True, security_settings=security)

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        match = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        sandbox = self._sandboxes.get(match["sandbox"]) if match else None
        toolset = sandbox.toolsets.get(match["app"]) if sandbox and match else None
        if match is None or toolset is None:
            await PlainTextResponse("no such sandbox or app", status_code=404)(scope, receive, send)
            return
        scope = {**scope, "path_params": match.groupdict()}
        await self._managers[toolset].handle_request(scope, receive, send)
