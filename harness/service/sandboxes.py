"""The sandboxes that programs have created: what they are, and what can be done with them. Knows no HTTP."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

import anyio
import anyio.to_thread

from harness.core.config import Condition, ConfigProblem, UserSettings
from harness.core.hidden import Hidden
from harness.core.suite import Suite
from harness.core.task import Brief, Task
from harness.play.arriving import check_sessions
from harness.play.fork import copied
from harness.play.opening import OpenTask, begun
from harness.play.stage import check_hidden, toolsets_for
from harness.record.scores import kept, scores
from harness.service.models import START, NewSandbox
from harness.serving.guard import Refused
from harness.serving.sandbox import Mark, Sandbox
from harness.serving.toolsets import toolset_of
from servers.kernel import App, Change, Engine, Layer, Partner, Toolset, User, UserFault, World, quoted

if TYPE_CHECKING:
    from harness.core.scores import Score
    from harness.serving.host import HttpHost

__all__ = ("Live", "Sandboxes", "Sources")

IDLE = 3600.0
MOST = 10_000


class MakesUser(Protocol):
    """Makes whoever answers, of the kinds that need no model."""

    def __call__(self, config: UserSettings, brief: Brief, *, hidden: Hidden | None = None) -> User: ...


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Where worlds, suites and users come from: the command line puts them together.

    `apps` are those that can be had, `usual` those that a sandbox over a world has where nobody names any, by default
    all; `world` is the one served by default.
    """

    apps: Mapping[str, App]
    usual: Sequence[str] | None = None
    world: World
    suite: Callable[[str], Suite]
    user: MakesUser


class _Played(NamedTuple):
    """The task that a sandbox was made for."""

    suite: Suite
    opened: OpenTask

    @property
    def task(self) -> Task:
        return self.opened.task

    @property
    def prompt(self) -> str:
        return self.opened.trajectory.prompt

    @property
    def request(self) -> str:
        return self.opened.request


@dataclass
class Live:
    """One sandbox that a program created."""

    id: str
    control: str
    sandbox: Sandbox
    played: _Played | None
    used: float
    snapshots: dict[str, Mark] = field(default_factory=dict)

    @property
    def layer(self) -> Layer:
        return self.sandbox.layer

    def snapshot(self, name: str) -> str:
        """Keep the state under a name, by default the next free number; gives the name."""
        if not name:
            name = next(
                each for number in range(1, len(self.snapshots) + 2) if (each := str(number)) not in self.snapshots
            )
        if name in self.snapshots:
            raise Refused(409, "conflict", f"this sandbox has a snapshot {name!r} already: choose another name")
        self.snapshots[name] = self.held.mark()
        return name

    @property
    def held(self) -> OpenTask | Sandbox:
        """What has a mark and goes back to one: the task, where it was made for one."""
        return self.played.opened if self.played else self.sandbox

    async def advance(self) -> None:
        """End the session and begin the next. Raises `Refused` where there is none."""
        if self.played is None:
            raise Refused(409, "conflict", "this sandbox was made from a world: only a task has sessions")
        opened = self.played.opened
        if not opened.sessions_left:
            number = len(opened.task.sessions)
            raise Refused(409, "conflict", f"task {opened.task.id} has no session after this one; it has {number}")
        opened.advance()
        await _greeted(opened)

    def kept(self, name: str) -> Mark:
        if name not in self.snapshots:
            raise Refused(
                404, "not_found", f"no snapshot is named {quoted(name)}; there are {', '.join(self.snapshots)}"
            )
        return self.snapshots[name]

    def restore(self, name: str) -> None:
        """Go back to a snapshot; the record then holds the calls that led there."""
        self.held.back_to(self.kept(name))

    def changes(self, since: str) -> list[Change]:
        kept = self.kept(since)
        return self.layer.changes() if since == START else self.layer.changes(kept.layer)  # the start moves on

    def score(self) -> Mapping[str, Score]:
        """What the checks of the task's suite say. Raises `Refused` where there is no task."""
        if self.played is None:
            raise Refused(
                409, "conflict", "this sandbox was made from a world: only a task can be scored; ask for its diff"
            )
        checks = self.played.suite.checks
        return kept(scores(checks, self.played.task, self.played.opened.told()), checks)

    def close(self) -> None:
        self.layer.close()
        for each in self.snapshots.values():
            each.layer.close()


class Sandboxes:
    """Every sandbox that programs created on one host. Those not used for `idle` seconds are given up.

    Whoever serves them calls `seen` on every use. At most `most` live at a time. `clock` counts seconds.
    """

    def __init__(
        self,
        engine: Engine,
        sources: Sources,
        *,
        idle: float | None = IDLE,
        most: int = MOST,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine, self.sources, self.idle, self.most, self.clock = engine, sources, idle, most, clock
        self.host: HttpHost | None = None
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._suites: dict[str, Suite] = {}
        self._loading = anyio.Lock()

    def seen(self, id: str) -> None:
        """Give up what expired; and if that sandbox is still there, it was used just now."""
        now = self.clock()
        while self._live and self.idle is not None:
            oldest = next(iter(self._live.values()))
            if now - oldest.used < self.idle:
                break
            self.delete(oldest)
        if id in self._live:
            self._live[id].used = now
            self._live.move_to_end(id)

    def all(self) -> list[Live]:
        self.seen("")
        return list(self._live.values())

    def find(self, id: str, control: str) -> Live:
        """The sandbox of that id, for whoever has its control token. Raises `Refused`."""
        self.seen("")
        live = self._live.get(id)
        if live is None:
            raise Refused(404, "not_found", "no such sandbox: its id is wrong, it was deleted, or it expired")
        if not secrets.compare_digest(control.encode(), live.control.encode()):
            raise Refused(403, "forbidden", "send this sandbox's control token in the header `Control-Token`")
        self.seen(id)
        return live

    async def create(self, wanted: NewSandbox) -> Live:
        """A new sandbox. Raises `Refused`, and what naming things wrongly raises elsewhere."""
        self._room()
        if wanted.task:
            return await self._for_task(wanted)
        world = await self._world(wanted.world) if wanted.world else self.sources.world
        toolsets = self._chosen(wanted.apps or self.sources.usual or tuple(self.sources.apps), wanted.toolsets)
        layer = self.engine.layer(self.engine.load(world))
        layer.now = wanted.now or layer.now
        return self._offer(Sandbox(layer, toolsets), None)

    async def fork(self, live: Live, name: str) -> Live:
        """A copy with ids and tokens of its own, from a snapshot or the state as it is."""
        self._room()
        kept = live.kept(name) if name else live.held.mark()
        try:
            if live.played:
                opened = await copied(live.played.opened, kept)
                return self._offer(opened.sandbox, live.played._replace(opened=opened), live.snapshots[START])
            return self._offer(Sandbox.of(kept, live.sandbox.toolsets), None, live.snapshots[START])
        finally:
            if not name:
                kept.layer.close()

    def delete(self, live: Live) -> None:
        if self.host is None:
            raise RuntimeError("these sandboxes have no host")
        self.host.remove(live.id)
        del self._live[live.id]
        live.close()

    def close(self) -> None:
        """Give everything up."""
        for live in list(self._live.values()):
            self.delete(live)

    # Inside.

    async def _for_task(self, wanted: NewSandbox) -> Live:
        suite = await self._suite(wanted.suite)
        task = suite.task(wanted.task)
        condition = Condition(
            prompt=wanted.prompt, ask=wanted.ask, toolsets=wanted.toolsets, user=wanted.user, rounds=wanted.rounds
        )
        usual = toolsets_for(suite, condition, task.apps, needed=task.toolsets)
        self._served(usual)
        if strange := [app for app in wanted.apps or () if app not in usual]:
            raise Refused(422, "invalid", f"task {task.id} has no app {quoted(strange[0])}; it has {', '.join(usual)}")
        asking = [] if wanted.ask == "off" else [wanted.ask]
        toolsets = {app: usual[app] for app in dict.fromkeys((*wanted.apps, *asking))} if wanted.apps else usual
        record = begun(suite.name, task, prompt=wanted.prompt, agent="external", condition="service")
        record.transport = "http"
        check_sessions(task, condition)
        check_hidden(suite, condition)
        hidden = suite.hidden(task) if suite.hidden else None
        opened = OpenTask(
            self.engine,
            self.engine.load(suite.load_world(task.world)),
            task,
            record,
            usual,
            offered=toolsets,
            user=partial(self.sources.user, wanted.user, hidden=hidden) if wanted.ask != "off" else None,
            now=wanted.now,
            rounds=wanted.rounds,
        )
        try:
            opened.begin()
            await _greeted(opened)
        except (ConfigProblem, UserFault):
            opened.close()
            raise
        return self._offer(opened.sandbox, _Played(suite, opened))

    def _offer(self, sandbox: Sandbox, played: _Played | None, start: Mark | None = None) -> Live:
        if self.host is None:
            raise RuntimeError("these sandboxes have no host")
        live = Live(self.host.add(sandbox), secrets.token_urlsafe(24), sandbox, played, self.clock())
        live.snapshots[START] = start._replace(layer=start.layer.fork()) if start else live.held.mark()
        self._live[live.id] = live
        return live

    def _room(self) -> None:
        self.seen("")
        if len(self._live) >= self.most:
            raise Refused(
                503, "full", f"{self.most} sandboxes are here already: delete some, or wait for idle ones to go"
            )

    async def _suite(self, name: str) -> Suite:
        """A suite, loaded once; on another thread, since that may take seconds and others are being served."""
        async with self._loading:
            if name not in self._suites:
                self._suites[name] = await anyio.to_thread.run_sync(self.sources.suite, name)
            return self._suites[name]

    async def _world(self, name: str) -> World:
        suite_name, _, wanted = name.partition(":")
        suite = await self._suite(suite_name)
        return await anyio.to_thread.run_sync(suite.world_of, wanted)

    def _chosen(self, apps: Sequence[str], wanted: Mapping[str, str]) -> dict[str, Toolset]:
        self._served(apps)
        if strange := [app for app in wanted if app not in apps]:
            raise Refused(422, "invalid", f"toolsets names {quoted(strange[0])}, which is not among {', '.join(apps)}")
        return {app: toolset_of(self.sources.apps[app], wanted.get(app), f"toolsets.{app}: ") for app in apps}

    def _served(self, apps: Sequence[str] | Mapping[str, object]) -> None:
        if strange := [app for app in apps if app not in self.sources.apps]:
            known = ", ".join(self.sources.apps)
            raise Refused(422, "invalid", f"this server has no app {quoted(strange[0])}; it serves {known}")


async def _greeted(opened: OpenTask) -> None:
    """Tell a user who is there for the whole task that a session has begun. Raises `UserFault`."""
    if isinstance(opened.sandbox.user, Partner):
        await opened.greet()
