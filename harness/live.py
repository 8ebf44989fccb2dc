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

from harness.cli import wiring
from harness.cli.worlds import DEFAULT, world_named
from harness.config import Ask, Condition, ConfigProblem, IdleConfig, RunConfig
from harness.host import HttpHost
from harness.links import apps_of
from harness.outside import trajectory_of
from harness.sandbox import Sandbox
from harness.score import Score
from harness.stage import Stage, toolsets_for
from harness.suite import Suite, SuiteError
from harness.task import Brief, Task
from harness.trajectory import CallRecord, Trajectory
from servers.kernel import Change, Engine, Layer, Toolset, User, World

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
        world: World | Path | str = DEFAULT,
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
        return self._serve(layer, found)

    def task(
        self,
        suite: str,
        id: str,
        *,
        prompt: str = "original",
        ask: Ask = "off",
        toolsets: Mapping[str, str] | None = None,
    ) -> LiveTask:
        """Open the sandbox of a task, as a trial would find it.

        With `ask` other than `off` that app is there too, and a simulated user who knows the whole request.
        Raises `SuiteError` for a suite or task that is not there, and for a task of several sessions.
        """
        loaded = _suite(suite)
        task = loaded.task(id)
        if len(task.sessions) != 1:
            raise SuiteError(f"task {id} has {len(task.sessions)} sessions; here a task has one")
        requests = task.sessions[0].requests
        if prompt not in requests:
            raise ConfigProblem(f"task {id} has no prompt {prompt!r}; it has {', '.join(requests)}")
        condition = Condition(prompt=prompt, ask=ask, toolsets=dict(toolsets or {}))
        config = RunConfig(suite=suite, agents=(IdleConfig(kind="idle"),), conditions={_CONDITION: condition})
        wired = wiring.wiring()
        stage = self._portal().call(Stage, config, loaded, wired)
        self._ends.callback(self._portal().call, stage.engine.close)
        session = task.sessions[0]
        user: User | None = None
        if ask != "off":
            user = wired.user(condition.user, session.briefs.get(prompt) or Brief(intent=requests[prompt]))
        found = stage.toolsets(_CONDITION, task.apps)

        def start() -> Layer:
            layer = stage.engine.layer(stage.base(task.world), task.setup, apps_of(found))
            layer.now = session.now or layer.base.world.now
            return layer

        layer = self._portal().call(start)
        return LiveTask(loaded, task, prompt, self._serve(layer, found, user))

    def _serve(self, layer: Layer, toolsets: Mapping[str, Toolset], user: User | None = None) -> LiveSandbox:
        sandbox = Sandbox(layer, toolsets, user)
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
    """A task in its sandbox. `request` is what to tell the agent, `system` what its suite tells every agent."""

    def __init__(self, suite: Suite, task: Task, prompt: str, sandbox: LiveSandbox) -> None:
        self._suite, self._task, self._prompt = suite, task, prompt
        self.sandbox = sandbox
        self.id, self.request, self.system = task.id, task.sessions[0].requests[prompt], suite.system

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
        return self._suite.checks[check](self._task, self.sandbox._portal.call(self._trajectory))

    def _trajectory(self) -> Trajectory:
        return trajectory_of(
            self.sandbox._sandbox, self._suite, self._task, prompt=self._prompt, agent=_CONDITION, condition=_CONDITION
        )


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
