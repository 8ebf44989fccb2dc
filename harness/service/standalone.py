"""Apps standing alone: a process of their own, over stdio or HTTP, with state in memory or in files."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from harness.core.trajectory import CallRecord
from harness.service.keeping import Keeper, made
from harness.service.today import Clock, begun, wind
from harness.serving.coming import Arrivals, expect, reserved
from harness.serving.person import Person
from harness.serving.sandbox import Sandbox
from servers.kernel import Edit, Engine, Former, Toolset, User, World

if TYPE_CHECKING:
    from harness.service.sandboxes import Sources
    from harness.serving.guard import Guard
    from harness.serving.host import HttpHost

__all__ = ("Apps", "Listening", "Log", "http_host", "opened", "serve_http", "serve_stdio_apps")


@dataclass(frozen=True, kw_only=True)
class Apps:
    """What to serve: a toolset per app, the rows they start with, and where changes go.

    `state` is a folder that keeps each app's rows in `<app>.duckdb`; without it they live in memory, and all apps
    share one sandbox. `record` gets one JSON line per call, written before the call is answered.
    `user` answers questions: a `Person` where it is a person's own client that is served, which is then told
    that nothing is real. `pictures` as in `harness.serving.serve.server`.
    """

    toolsets: Sequence[Toolset]
    world: World
    state: Path | None = None
    setup: Sequence[Edit] = ()
    now: datetime | Clock | None = None
    """A clock runs, and the world is moved to its week; a time stands still; None is the world's."""
    user: User | None = None
    record: Path | None = None
    pictures: bool = True
    live: bool = False
    """Let in what the world's arrivals bring, as the clock passes."""
    tell: Callable[[str], None] = lambda text: None
    """Told what whoever serves should know: at the start, and of a call that failed without the caller's doing."""

    @cached_property
    def starting(self) -> World:
        """The world that a state without a folder, or in a new one, starts from: with a clock, moved to its week."""
        return begun(None, self.world, self.now if callable(self.now) else None).world


@dataclass(frozen=True, kw_only=True)
class Listening:
    """Where an HTTP server listens, whom it serves, and how long sandboxes last unused (seconds; None: for ever)."""

    host: str = "127.0.0.1"
    port: int = 0
    guard: Guard
    idle: float | None = 3600.0


@contextmanager
def opened(apps: Apps) -> Iterator[tuple[dict[str, Sandbox], dict[str, Keeper]]]:
    """Each app's sandbox, and what keeps its file, where it has one; closed at the end.

    Raises `StateInUse`, `WorldMismatch` or `StateError`, and `BrokenTool` for one that no client could be told of.
    """
    for toolset in apps.toolsets:
        toolset.prepare()
    listener = Log(apps.record) if apps.record else partial(_tell_fault, apps.tell)
    with ExitStack() as stack:
        if apps.state is None:
            engine = Engine()
            stack.callback(engine.close)
            toolsets = {toolset.app.name: toolset for toolset in apps.toolsets}
            world, offered = apps.starting, [toolset.app for toolset in apps.toolsets]
            base = engine.load(world)
            layer = engine.layer(base, apps.setup, offered)
            wind(layer, apps.now)
            if world.folder:  # rows that somebody wrote by hand are looked at now, and not when a tool needs them
                for app in offered:
                    for table in app.tables:
                        base.shelf(app, table)
            sandbox = Sandbox(layer, toolsets, apps.user, listener)
            if world.folder or apps.live:
                reserved(engine, world, layer, offered, apps.setup)
            else:
                expect(sandbox, engine, offered, apps.setup)
            if apps.live and apps.now is not None:
                sandbox.coming = Arrivals(world, offered)
            yield dict.fromkeys(toolsets, sandbox), {}
            return
        made(apps.state)
        keepers: dict[str, Keeper] = {}
        for toolset in apps.toolsets:
            keeper = Keeper(
                apps.state, toolset, apps.world, setup=apps.setup, now=apps.now, user=apps.user, listener=listener,
                live=apps.live,
            )  # fmt: skip
            stack.callback(keeper.close)
            keepers[toolset.app.name] = keeper
        if former := [app for app, keeper in keepers.items() if isinstance(keeper.world, Former)]:
            apps.tell(
                f"{apps.state}: {', '.join(former)} {'goes' if len(former) == 1 else 'go'} on with the rows that the "
                f"folder began with. World {apps.world.name} has others in this version, which a new folder gets"
                f"{'; here nothing comes by itself' if apps.live else ''}"
            )
        yield {app: keeper.sandbox for app, keeper in keepers.items()}, keepers


def serve_stdio_apps(apps: Apps) -> None:
    """Serve one app, or several as one server, on standard input and output until the client goes or a signal comes.

    Raises `StateInUse`, `WorldMismatch` or `StateError` before serving.
    """
    with opened(apps) as (sandboxes, keepers):
        anyio.run(_stdio, sandboxes, keepers, apps)


def _started() -> None:
    """From here on garbage is collected, but not looked for in what the start has made."""
    gc.freeze()
    gc.enable()


async def _stdio(sandboxes: Mapping[str, Sandbox], keepers: Mapping[str, Keeper], apps: Apps) -> None:
    from harness.serving.serve import serve_stdio

    _started()

    def leave() -> None:
        """End the process here: a thread that waits for standard input cannot be told to stop."""
        from harness.service.control import note_of

        for app, keeper in keepers.items():
            note_of(keeper.folder, app).unlink(missing_ok=True)
            keeper.close()
        os._exit(0)

    (name, *others) = sandboxes
    async with _reachable(keepers):
        with _on_signals(leave):
            serve = partial(serve_stdio, tell=apps.tell, pictures=apps.pictures, person=isinstance(apps.user, Person))
            if others:
                from harness.service.bundle import NAME, Bundle

                await serve(Bundle(sandboxes), NAME)
            else:
                await serve(sandboxes[name], name)


def serve_http(apps: Apps, sources: Sources, listening: Listening, ready: Callable[[str], None]) -> None:
    """Serve apps over HTTP until a signal comes: `/<app>/mcp` shared by all, `/s/<sandbox>/<app>/mcp` by program.

    `ready` gets the address once it listens. Raises `ConfigProblem` where it cannot, and what `opened` raises.
    """

    async def main(shared: Mapping[str, Sandbox], keepers: Mapping[str, Keeper]) -> None:
        stop = anyio.Event()
        with _on_signals(stop.set):
            async with _reachable(keepers), http_host(shared, sources, listening, pictures=apps.pictures) as host:
                ready(host.address)
                _started()
                await stop.wait()

    with opened(apps) as (shared, keepers):
        anyio.run(main, shared, keepers)


@asynccontextmanager
async def http_host(
    shared: Mapping[str, Sandbox], sources: Sources, listening: Listening, *, pictures: bool
) -> AsyncIterator[HttpHost]:
    """A host that listens, with shared sandboxes by app and the service for programs."""
    from harness.service.api import Api
    from harness.service.sandboxes import Sandboxes
    from harness.serving.host import BODY_LIMIT, RESULT_LIMIT, HttpHost

    engine = Engine()
    sandboxes = Sandboxes(engine, sources, idle=listening.idle)
    try:
        sandboxes.host = host = HttpHost(
            [toolset for app in sources.apps.values() for toolset in app.toolsets.values()],
            shared=shared,
            service=Api(sandboxes, body_limit=BODY_LIMIT),
            guard=listening.guard,
            seen=sandboxes.seen,
            result_limit=RESULT_LIMIT,
            pictures=pictures,
        )
        async with host.run(listening.port, listening.host):
            yield host
    finally:
        sandboxes.close()
        engine.close()


@asynccontextmanager
async def _reachable(keepers: Mapping[str, Keeper]) -> AsyncIterator[None]:
    """Answer `harness diff`, `reset`, `snapshot` and `restore`, where there are files to ask about."""
    if keepers:
        from harness.service.control import answering

        async with answering(keepers):
            yield
    else:
        yield


@contextmanager
def _on_signals(act: Callable[[], None]) -> Iterator[None]:
    """Do it on the event loop, and so never inside a tool call, when SIGINT or SIGTERM comes."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, lambda *_: loop.call_soon_threadsafe(act)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _tell_fault(tell: Callable[[str], None], record: CallRecord) -> None:
    """Tell whoever serves why a call failed where its client, who can do nothing about it, is not told."""
    if record.status in ("defect", "fault"):
        tell(f"a call of {record.app}.{record.tool} did not happen: {' '.join(record.text.split())}")


class Log:
    """Appends records to a file, each flushed before the next step."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.touch()

    def __call__(self, record: CallRecord) -> None:
        with self._path.open("a", encoding="utf-8", newline="\n") as lines:
            lines.write(json.dumps(record.shown(), ensure_ascii=False) + "\n")
