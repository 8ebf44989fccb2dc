"""Sandboxes for whoever is no coroutine: served on loopback by a thread of their own, read from any other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from anyio.from_thread import BlockingPortal, start_blocking_portal

from harness import wiring
from harness.core.config import Ask, Condition, IdleConfig, RunConfig, UserConfig, UserSettings
from harness.core.judgement import NO_VERDICTS
from harness.core.scores import Score
from harness.core.suite import Suite, SuiteError
from harness.core.trajectory import CallRecord
from harness.play.arriving import check_sessions
from harness.play.opening import OpenTask, begun
from harness.play.stage import Stage, toolsets_for
from harness.serving.host import HttpHost
from harness.serving.links import apps_of
from harness.serving.sandbox import Sandbox
from harness.wiring import FORMER, world_named
from servers.kernel import Change, Engine, World

__all__ = ("LiveSandbox", "LiveTask", "Workplace", "as_text")

T = TypeVar("T")

_suite = cache(wiring.suite)
_CONDITION = "live"


class Workplace:
    """Opens sandboxes and tasks; all of them end with the `with` block."""

    def __init__(self) -> None:
        self._ends = ExitStack()
        self._thread: BlockingPortal | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ends.close()

    def sandbox(
        self,
        *apps: str,
        world: World | Path | str = FORMER,
        toolsets: Mapping[str, str] | None = None,
    ) -> LiveSandbox:
        """Open a sandbox with these apps; without any, with all that the world has rows for.

        `world` is one, or a folder with a `world.json`, or the name of a suite or of `SUITE:WORLD`.
        Raises `UnknownApp`, `ConfigProblem` for a toolset that an app does not have, and `SuiteError`.
        """
        start = _world(world)
        condition = Condition(toolsets=dict(toolsets or {}))
        neutral = Suite("live", "", "", (), lambda _: start, {})
        found = toolsets_for(neutral, condition, apps or tuple(start.rows))
        engine = self._engine()
        layer = self._portal().call(lambda: engine.layer(engine.load(start), (), apps_of(found)))
        return self._serve(Sandbox(layer, found))

    def task(
        self,
        suite: str,
        id: str,
        *,
        prompt: str = "original",
        ask: Ask = "off",
        user: UserSettings | None = None,
        toolsets: Mapping[str, str] | None = None,
    ) -> LiveTask:
        """Open the sandbox of a task, as a trial would find it.

        With `ask` other than `off` that app is there too, and a user who answers: by default a simulated one who
        knows the whole request. One who opens sessions (docs/users.md) does so here too.
        A task of several sessions is in its first; `advance` ends that and begins the next. Raises `SuiteError` for a
        suite or task that is not there, and `ConfigProblem` for a prompt that it does not have and for rows that
        would arrive after a hand-over: there is none here.
        """
        loaded = _suite(suite)
        task = loaded.task(id)
        condition = Condition(prompt=prompt, ask=ask, toolsets=dict(toolsets or {}), user=user or UserConfig())
        config = RunConfig(suite=suite, agents=(IdleConfig(kind="idle"),), conditions={_CONDITION: condition})
        wired = wiring.wiring()
        stage = self._portal().call(Stage, config, loaded, wired)
        self._ends.callback(self._portal().call, wired.aclose)
        self._ends.callback(self._portal().call, stage.engine.close)

        async def start() -> OpenTask:
            record = begun(loaded.name, task, prompt=prompt, agent=_CONDITION, condition=_CONDITION)
            record.transport = "http"
            check_sessions(task, condition)
            opened = stage.open(task, record)
            opened.begin()
            await opened.greet()
            return opened

        opened = self._portal().call(start)
        return LiveTask(loaded, opened, self._serve(opened.sandbox))

    def _serve(self, sandbox: Sandbox) -> LiveSandbox:
        toolsets = sandbox.toolsets
        host = HttpHost(toolsets.values())
        self._ends.enter_context(self._portal().wrap_async_context_manager(host.run()))
        id = host.add(sandbox)
        live = LiveSandbox(self._portal(), sandbox, {app: host.url(id, app) for app in toolsets})
        self._ends.callback(live._end)
        return live

    def _portal(self) -> BlockingPortal:
        """The thread that serves, and that alone touches state; started when first needed."""
        if self._thread is None:
            self._thread = self._ends.enter_context(start_blocking_portal("asyncio"))
        return self._thread

    def _engine(self) -> Engine:
        engine = self._portal().call(Engine)
        self._ends.callback(self._portal().call, engine.close)
        return engine


class LiveSandbox:
    """A sandbox that MCP clients reach at `urls` (app name -> URL)."""

    def __init__(self, portal: BlockingPortal, sandbox: Sandbox, urls: Mapping[str, str]) -> None:
        self._portal, self._sandbox, self.urls = portal, sandbox, dict(urls)

    @property
    def mcp_config(self) -> dict[str, Any]:
        """What MCP clients read: `{"mcpServers": {"sandbox-gmail": {"type": "http", "url": ...}, ...}}`."""
        return {"mcpServers": {f"sandbox-{app}": {"type": "http", "url": url} for app, url in self.urls.items()}}

    @property
    def calls(self) -> list[CallRecord]:
        """Every tool call so far, as the server saw it."""
        return self._portal.call(lambda: list(self._sandbox.calls))

    @property
    def changes(self) -> list[Change]:
        """Rows that differ from the start."""
        return self._portal.call(self._sandbox.layer.changes)

    def _end(self) -> None:
        """Let go of the rows: pytest keeps what a failed test held until the process ends."""
        del self._sandbox

    def diff(self) -> str:
        """The same as text to keep and to review: see `as_text`."""
        return as_text(self.changes)


class LiveTask:
    """A task in its sandbox. `system` is what its suite tells every agent."""

    def __init__(self, suite: Suite, opened: OpenTask, sandbox: LiveSandbox) -> None:
        self._suite, self._opened = suite, opened
        self.sandbox = sandbox
        self.id, self.system = opened.task.id, suite.system

    @property
    def request(self) -> str:
        """What to tell the agent in the session under way."""
        return self._opened.request

    @property
    def session(self) -> int:
        """The number of the session under way, from 0."""
        return self._opened.session

    def advance(self) -> str:
        """End the session and begin the next, with its own time and request, which is returned.

        Raises `SuiteError` where there is none.
        """
        if not self._opened.sessions_left:
            raise SuiteError(f"task {self.id} has no session after this one; it has {len(self._opened.task.sessions)}")
        self.sandbox._portal.call(self._go_on)
        return self.request

    async def _go_on(self) -> None:
        self._opened.advance()
        await self._opened.greet()

    @property
    def mcp_config(self) -> dict[str, Any]:
        """That of its sandbox."""
        return self.sandbox.mcp_config

    def score(self, check: str = "outcome") -> Score:
        """What a check of the suite says of the calls and the rows as they are now.

        `value` is 1.0 for right and 0.0 for wrong, None where a tool broke. Raises `SuiteError` for a check that
        the suite does not have.
        """
        if check not in self._suite.checks:
            raise SuiteError(f"suite {self._suite.name} has no check {check!r}; it has {', '.join(self._suite.checks)}")
        told = self.sandbox._portal.call(self._opened.told)
        return self._suite.checks[check](self._opened.task, told, NO_VERDICTS)


def _world(given: World | Path | str) -> World:
    match given:
        case World():
            return given
        case Path():
            return World.read(given)
        case str():
            return world_named(given, _suite)


def as_text(changes: list[Change]) -> str:
    """Changes for a reader: `+` a row added, `~` one changed, `-` one removed, and its fields; in a fixed order.

    Equal changes give equal text, so that it can be kept in a file and compared.
    """
    lines: list[str] = []
    for change in sorted(changes, key=lambda change: (change.app, change.table, change.id)):
        sign = {"insert": "+", "update": "~", "delete": "-"}[change.op]
        lines.append(f"{sign} {change.app}.{change.table} {change.id}")
        before, after = change.before or {}, change.after or {}
        for field in change.fields if change.op == "update" else (after or before):
            now = _json((after or before)[field])
            lines.append(
                f"    {field}: {_json(before[field])} -> {now}" if change.op == "update" else f"    {field}: {now}"
            )
    return "".join(f"{line}\n" for line in lines) or "nothing changed\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
