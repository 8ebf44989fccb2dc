"""A service over the toy suite on loopback, and clients of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import httpx2

from harness.play.stage import Wiring
from harness.service import Client
from harness.service.api import Api
from harness.service.sandboxes import Sandboxes, Sources
from harness.serving.guard import Guard
from harness.serving.host import HttpHost
from harness.serving.serve import call, connect_http
from harness.task import Task
from servers import catalog
from servers.kernel import App, Engine
from tests.harness import toy

MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "Completed"}
APPS = {name: catalog.app(name) for name in ("projects", "directory", "ask_user")}


_UNLIMITED = httpx2.Limits(max_connections=None, max_keepalive_connections=None)


class Clock:
    """Seconds that pass when told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Scene(NamedTuple):
    host: HttpHost
    sandboxes: Sandboxes
    client: Client
    http: httpx2.AsyncClient
    clock: Clock

    async def move(self, url: str, **arguments: Any) -> str:
        """Call `update_task` through MCP; gives what the agent reads."""
        async with connect_http(url, self.http) as agent:
            (part,) = (await call(agent, "update_task", {**MOVE, **arguments})).content
            return str(getattr(part, "text", part))


@asynccontextmanager
async def service(
    tasks: Sequence[Task] = (),
    *,
    guard: Guard | None = None,
    token: str = "",
    body_limit: int = 1 << 20,
    apps: Mapping[str, App] = APPS,
    wiring: Wiring | None = None,
    **limits: Any,
) -> AsyncIterator[Scene]:
    engine, clock, wired = Engine(), Clock(), wiring or toy.Wiring(tasks)
    sources = Sources(apps=apps, world=toy.world(), suite=wired.suite, user=wired.user)
    sandboxes = Sandboxes(engine, sources, clock=clock, **limits)
    toolsets = [toolset for app in apps.values() for toolset in app.toolsets.values()]
    host = HttpHost(
        toolsets, service=Api(sandboxes, body_limit=body_limit), guard=guard, seen=sandboxes.seen, body_limit=body_limit
    )
    sandboxes.host = host
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        host.run(),
        Client(host.address, token=token) as client,
        httpx2.AsyncClient(timeout=None, limits=_UNLIMITED, headers=headers) as http,
    ):
        yield Scene(host, sandboxes, client, http, clock)
        sandboxes.close()
    engine.close()
