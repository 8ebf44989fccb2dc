"""Opens worlds and tasks for whoever is no coroutine, and for those who are: `open_world`, `open_task`, `Workplace`."""

from __future__ import annotations

import asyncio
import atexit
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from contextvars import copy_context
from functools import cache
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import anyio
from anyio.from_thread import BlockingPortal

from harness import wiring
from harness.core.config import (
    ROUNDS,
    Ask,
    Condition,
    ConfigProblem,
    IdleConfig,
    ModelUserSettings,
    RunConfig,
    UserConfig,
    UserSettings,
)
from harness.core.config_file import fitted
from harness.core.near import near
from harness.core.suite import Suite, SuiteError
from harness.front.opened import AsyncSandbox, AsyncTask, Closing, Sandbox, Task
from harness.play.arriving import check_sessions
from harness.play.opening import OpenTask, begun
from harness.play.stage import Stage, check_hidden
from harness.serving import sandbox as serving
from harness.serving.host import HttpHost
from harness.serving.toolsets import apps_of, toolset_of
from harness.wiring import DEFAULT, FORMER, world_named
from servers import catalog
from servers.kernel import Engine, World, check_rows, few_of

__all__ = ("Opening", "Workplace", "open_task", "open_world")

S = TypeVar("S", bound=Sandbox)
A = TypeVar("A", bound=AsyncSandbox)
T = TypeVar("T", bound=Sandbox | AsyncSandbox)
R = TypeVar("R")

_suite = cache(wiring.suite)
_CONDITION = "live"


class Opening(Generic[S, A]):
    """A world or task to be opened: by `with`, by `async with`, or by `open`, where `close` has to follow."""

    def __init__(self, what: str, plain: Callable[[Workplace], S], asynchronous: Callable[[Workplace], A]) -> None:
        self._what, self._plain, self._asynchronous = what, plain, asynchronous
        self._entered: list[Sandbox | AsyncSandbox] = []

    def open(self) -> S:
        """Open it for longer than a block, in a notebook say: whoever does closes it (`close`)."""
        return _begun(self._plain)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What is missing here is mostly there once it is open."""
            raise AttributeError(f"{name!r}: nothing is open yet. Write `with ... as task:`, or `task = ....open()`")

    def __repr__(self) -> str:
        return f"<Opening of {self._what}>"

    def __enter__(self) -> S:
        opened = self.open()
        self._entered.append(opened)
        return opened

    def __exit__(self, *_: object) -> None:
        self._entered.pop().close()

    async def __aenter__(self) -> A:
        opening: asyncio.Future[A] = _elsewhere(_begun, self._asynchronous)
        try:
            opened = await _ended(opening)
            await opened._wait(opened._begin)
        except (Exception, asyncio.CancelledError):
            if not opening.exception():
                await _ended(_elsewhere(opening.result().close))
            raise
        self._entered.append(opened)
        return opened

    async def __aexit__(self, *_: object) -> None:
        await _ended(_elsewhere(self._entered.pop().close))


def open_world(
    world: World | Path | str = DEFAULT, *apps: str, toolsets: Mapping[str, str] | None = None
) -> Opening[Sandbox, AsyncSandbox]:
    """A sandbox over a world, to open by `with` or `async with`.

    `world` is one (`servers.kernel.World`), or a folder with a `world.json`, or the name of a suite or of
    `SUITE:WORLD`. `apps` are names; without any the sandbox has all that the world has rows for. `toolsets` says
    through which of its toolsets an app is served, `{"gmail": "workbench"}`, where that is not its default.

    Opening raises `UnknownApp`, `ConfigProblem` for a toolset that an app does not have, `SuiteError` for a suite or
    world that is not there, and `StateError` for rows that do not fit. It gives a `Sandbox`, or an `AsyncSandbox`.
    """
    named = f"world {world.name!r}" if isinstance(world, World) else f"world {str(world)!r:.80}"
    return Opening(
        named,
        lambda workplace: workplace.sandbox(*apps, world=world, toolsets=toolsets),
        lambda workplace: workplace._async_sandbox(*apps, world=world, toolsets=toolsets),
    )


def open_task(
    suite: str,
    id: str,
    *,
    prompt: str = "original",
    ask: Ask = "off",
    user: UserSettings | Mapping[str, Any] | str | None = None,
    rounds: int = ROUNDS,
    toolsets: Mapping[str, str] | None = None,
) -> Opening[Task, AsyncTask]:
    """A task in a sandbox of its own, as a trial would find it, to open by `with` or `async with`.

    `suite` is a suite's name, or the folder of one that was built or imported, and `id` that of a task. `prompt` is the
    variant of its request: `original` is the full one, others withhold something. With `ask`, `ask_user` or `clarify`,
    that app is there too, and a user who answers: by default a simulated one who knows the whole request. `user` is
    another, by its kind or with settings, `{"kind": "persona", ...}`, as in a config (docs/users.md); one who opens
    sessions does so here too. `rounds` are the questions of `clarify` that are answered. `toolsets` says through which
    of its toolsets an app is served, where that is neither the suite's nor the task's.

    A task of several sessions is in its first; `advance` ends that and begins the next. Opening raises `SuiteError` for
    a suite or task that is not there, `ConfigProblem` for a prompt that it does not have, for a user or a toolset that
    does not fit, and for rows that would arrive after a hand-over (there is none here), `UnknownApp`, `UserFault` where
    a user breaks, and `StateError` for rows that do not fit. It gives a `Task`, or an `AsyncTask`.
    """
    return Opening(
        f"task {id!r:.80} of {suite!r:.80}",
        lambda workplace: workplace.task(
            suite, id, prompt=prompt, ask=ask, user=user, rounds=rounds, toolsets=toolsets
        ),
        lambda workplace: workplace._kept(
            AsyncTask, *workplace._opened(suite, id, prompt, ask, user, rounds, toolsets)
        ),
    )


def _begun(make: Callable[[Workplace], T]) -> T:
    """What is opened in a workplace of its own, which ends with it, or where that fails."""
    workplace = Workplace()
    try:
        opened = make(workplace)
    except BaseException:
        workplace.close()
        raise
    opened._with = workplace.close
    return opened


def _elsewhere(function: Callable[..., R], *given: Any) -> asyncio.Future[R]:
    """What a function gives in a thread, which has begun. No task, so whoever cancels all of them leaves it alone."""
    return asyncio.get_running_loop().run_in_executor(None, copy_context().run, function, *given)


async def _ended(future: asyncio.Future[R]) -> R:
    """What it gives, waited for to its end: a cancellation is raised only then, as nobody else would close it."""
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):  # which holds off that of anyio alone
        while not future.done():
            try:
                await asyncio.wait([future])
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled:
        raise cancelled
    return future.result()


class Workplace(Closing):
    """Opens sandboxes and tasks, which share the rows of their worlds; all of them end with the `with` block."""

    def __init__(self) -> None:
        self._ends = ExitStack()
        self._thread: BlockingPortal | None = None
        self._store: Engine | None = None

    def close(self) -> None:
        """End all of it; twice is no error."""
        atexit.unregister(self.close)
        self._ends.close()

    def sandbox(
        self,
        *apps: str,
        world: World | Path | str = FORMER,
        toolsets: Mapping[str, str] | None = None,
    ) -> Sandbox:
        """Open a sandbox with these apps; all else is as in `harness.open_world`."""
        return self._keep(Sandbox(self._portal(), self._over(apps, world, toolsets), self._serve))

    def task(
        self,
        suite: str,
        id: str,
        *,
        prompt: str = "original",
        ask: Ask = "off",
        user: UserSettings | Mapping[str, Any] | str | None = None,
        rounds: int = ROUNDS,
        toolsets: Mapping[str, str] | None = None,
    ) -> Task:
        """Open the sandbox of a task; all is as in `harness.open_task`."""
        task = self._kept(Task, *self._opened(suite, id, prompt, ask, user, rounds, toolsets))
        task._wait(task._begin)
        return task

    def _async_sandbox(self, *apps: str, world: World | Path | str, toolsets: Mapping[str, str] | None) -> AsyncSandbox:
        return self._keep(AsyncSandbox(self._portal(), self._over(apps, world, toolsets), self._serve))

    def _over(
        self, apps: tuple[str, ...], world: World | Path | str, toolsets: Mapping[str, str] | None
    ) -> serving.Sandbox:
        start = _world(world)
        condition = _condition(toolsets=toolsets or {})
        if wrong := next((app for app in apps if not isinstance(app, str)), None):
            raise ConfigProblem(f'{wrong!r:.80} is not an app: give names one by one, `open_world(W, "gmail", "crm")`')
        names = apps or tuple(start.rows)
        _served(condition, names)
        own = condition.toolsets
        chosen = {
            name: toolset_of(catalog.app(name), own.get(name), f"toolsets.{name}: " if name in own else "")
            for name in names
        }
        engine = self._engine()
        check_rows(start, apps_of(chosen))
        layer = self._portal().call(lambda: engine.layer(engine.load(start), (), apps_of(chosen)))
        return serving.Sandbox(layer, chosen)

    def _opened(
        self,
        suite: str,
        id: str,
        prompt: str,
        ask: Ask,
        user: UserSettings | Mapping[str, Any] | str | None,
        rounds: int,
        toolsets: Mapping[str, str] | None,
    ) -> tuple[Suite, OpenTask, bool]:
        """A task that has begun but for its user, with its suite, and whether a model talks to whoever asks."""
        if not isinstance(suite, str) or not isinstance(id, str):
            raise SuiteError(f"no task is named {id!r:.80} of {suite!r:.80}: give a suite's name and the id of a task")
        loaded = _suite(suite)
        known = [task.id for task in loaded.tasks]
        if id not in known:
            raise SuiteError(
                f"suite {loaded.name} has no task {id!r}.{near(id, known)} It has {few_of(known, 3) or 'none'}."
            )
        task = loaded.task(id)
        condition = _condition(
            prompt=prompt, ask=ask, toolsets=toolsets or {}, user=user or UserConfig(), rounds=rounds
        )
        _served(condition, {*task.apps, ask})
        if user is not None and ask == "off":
            raise ConfigProblem('user: nobody can be asked: give `ask="ask_user"` or `ask="clarify"` too')
        config = RunConfig(suite=suite, agents=(IdleConfig(kind="idle"),), conditions={_CONDITION: condition})
        wired = wiring.wiring()
        stage = Stage(config, loaded, wired, self._engine())
        self._ends.callback(self._portal().call, wired.aclose)

        def start() -> OpenTask:
            record = begun(loaded.name, task, prompt=prompt, agent=_CONDITION, condition=_CONDITION)
            record.transport = "http"
            check_sessions(task, condition)
            check_hidden(loaded, condition)
            opened = stage.open(task, record)
            opened.begin()
            return opened

        talks = ask != "off" and isinstance(condition.user, ModelUserSettings)
        return loaded, self._portal().call(start), talks

    def _kept(self, kind: Callable[..., T], suite: Suite, opened: OpenTask, talks: bool) -> T:
        return self._keep(kind(self._portal(), suite, opened, self._serve, talks=talks))

    def _keep(self, opened: T) -> T:
        """Have it end with all else."""
        self._ends.callback(opened._end)
        return opened

    def _serve(self, sandbox: serving.Sandbox) -> dict[str, str]:
        """Put a sandbox on loopback, until all ends."""
        toolsets = sandbox.toolsets
        host = HttpHost(toolsets.values())
        self._ends.enter_context(self._portal().wrap_async_context_manager(host.run()))
        id = host.add(sandbox)
        return {app: host.url(id, app) for app in toolsets}

    def _portal(self) -> BlockingPortal:
        """The thread that serves, and that alone touches state; started when first needed."""
        if self._thread is None:
            self._thread = self._ends.enter_context(_apart())
            atexit.register(self.close)
        return self._thread

    def _engine(self) -> Engine:
        """One for all that is opened here; made when first needed."""
        if self._store is None:
            self._store = self._portal().call(Engine)
            self._ends.callback(self._portal().call, self._store.close)
        return self._store


@contextmanager
def _apart() -> Iterator[BlockingPortal]:
    """As `anyio.from_thread.start_blocking_portal`, in a thread that the end of Python does not wait for.

    A script that fails before it closes what it opened would hang otherwise.
    """
    started: Future[BlockingPortal] = Future()

    async def run() -> None:
        async with BlockingPortal() as portal:
            started.set_result(portal)
            await portal.sleep_until_stopped()

    thread = Thread(target=anyio.run, args=(run,), daemon=True, name="workplace")
    thread.start()
    portal = started.result()
    try:
        yield portal
    finally:
        portal.call(portal.stop)
        thread.join()


def _condition(**given: Any) -> Condition:
    """A condition of these settings; a user may be its kind alone. Raises `ConfigProblem` for what does not fit."""
    return fitted(Condition, given, Path("condition"))


def _served(condition: Condition, apps: Collection[str]) -> None:
    """Raises `ConfigProblem` for a toolset of an app that is not there."""
    for app in condition.toolsets:
        if app not in apps:
            there = sorted({*apps} - {"off"})
            raise ConfigProblem(
                f"toolsets: there is no app {app!r} here.{near(app, there)} There are {', '.join(there)}."
            )


def _world(given: World | Path | str) -> World:
    match given:
        case World():
            return given
        case Path():
            if not (given / "world.json").is_file():
                raise SuiteError(f"world {given}: a folder with a world.json, as `harness export world` makes one")
            return World.read(given)
        case str():
            return world_named(given, _suite)
    raise SuiteError(f"{given!r:.80} is not a world: give a suite's name, `SUITE:WORLD`, a folder or a `World`")
