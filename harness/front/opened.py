"""Worlds and tasks that are open, from Python: tools called, rows compared, states kept and gone back to.

A thread of their own serves them and alone touches their state. What may wait for somebody is a coroutine in the
classes for `async` code, and what takes milliseconds at most is not: `Sandbox.call` is `await AsyncSandbox.call`.
Whoever stops waiting, or closes what they wait in, ends what they waited for.
"""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self, TypeVar

from anyio.from_thread import BlockingPortal

from harness.agents.reference import ASKS
from harness.agents.toolbox import ModelCall, Tools, called, found, ran
from harness.core.config import ConfigProblem
from harness.core.desk import Reply, ToolSpec
from harness.core.scores import Score
from harness.core.suite import Suite, SuiteError
from harness.core.trajectory import CallRecord
from harness.play.fork import copied
from harness.play.opening import OpenTask
from harness.play.session import specs
from harness.record.scores import scores
from harness.serving import sandbox as serving
from harness.serving.giving_up import GivenUp, UnderWay
from harness.serving.offer import client_config
from harness.serving.sandbox import Mark
from servers.clarify import LEFT
from servers.kernel import Change, StateError, User, addressed

__all__ = ("AsyncSandbox", "AsyncTask", "Closed", "Closing", "Sandbox", "Snapshot", "Task", "as_text")

T = TypeVar("T")

Serve = Callable[[serving.Sandbox], dict[str, str]]
"""Puts a sandbox on loopback: app name -> URL."""


class Closed(RuntimeError):
    """A world or task was used after it was closed."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A state to go back to: rows, record, sessions, and whoever answered then."""

    mark: Mark
    user: User | None
    family: Sequence[object]


class Closing(ABC):
    """What ends with its `with` block."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Opened:
    """What a sandbox is, whoever has it."""

    def __init__(self, portal: BlockingPortal, sandbox: serving.Sandbox, serve: Serve) -> None:
        self._portal, self._serve = portal, serve
        self._held: serving.Sandbox | None = sandbox
        self._urls: dict[str, str] = {}
        self._family: list[_Opened] = [self]
        self._under_way = UnderWay()
        self._with: Callable[[], None] | None = None

    def __repr__(self) -> str:
        if self._held is None:
            return f"<{type(self).__name__}, closed>"
        return f"<{type(self).__name__} {self._named}: {', '.join(self._held.toolsets)}>"

    @property
    def _named(self) -> str:
        return f"over {self._sandbox.layer.base.world.name!r}"

    @property
    def urls(self) -> dict[str, str]:
        """App name -> the URL where MCP clients reach it, on loopback; served from when this is first asked."""
        sandbox = self._sandbox
        if not self._urls:
            self._urls = self._serve(sandbox)
        return dict(self._urls)

    @property
    def mcp_config(self) -> dict[str, Any]:
        """What MCP clients read: `{"mcpServers": {"sandbox-gmail": {"type": "http", "url": ...}, ...}}`."""
        return client_config(self.urls, "sandbox-")

    @property
    def instructions(self) -> dict[str, str]:
        """App name -> what it tells an agent of itself."""
        sandbox = self._sandbox
        return {app: addressed(each.instructions, sandbox.owner) for app, each in sandbox.toolsets.items()}

    @property
    def now(self) -> datetime:
        """The time there."""
        return self._sandbox.layer.now

    @property
    def calls(self) -> list[CallRecord]:
        """Every tool call so far, as the server saw it."""
        sandbox = self._sandbox
        return self._portal.call(lambda: list(sandbox.calls))

    @property
    def changes(self) -> list[Change]:
        """Rows that differ from the start."""
        return self._portal.call(self._sandbox.layer.changes)

    def diff(self) -> str:
        """The same as text to keep and to review: see `as_text`."""
        return as_text(self.changes)

    def snapshot(self) -> Snapshot:
        """Keep the state as it is, for `restore`."""
        user = self._sandbox.user
        return Snapshot(self._portal.call(self._mark), user, self._family)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a state. Whoever answers has forgotten nothing. Raises `StateError` for another sandbox's."""
        if not isinstance(snapshot, Snapshot):
            raise StateError(f"{snapshot!r:.80} is not a snapshot: give what `snapshot()` returned")
        if snapshot.family is not self._family:
            raise StateError("this snapshot is of another sandbox: restore one of this sandbox, or of what it forked")
        self._sandbox  # noqa: B018 - raises where it is closed
        self._portal.call(self._back_to, snapshot)

    def close(self) -> None:
        """Let go of it, and of its forks where it is none itself; closing twice is no error."""
        if self._held is None:
            return
        if self._with:
            self._with()
        else:
            layer = self._held.layer
            self._forget()
            self._portal.call(layer.close)

    def _end(self) -> None:
        """What is to be done when all ends that it was opened with."""
        for each in self._family:
            each._forget()

    def _forget(self) -> None:
        """Give up what is waited for, and let go of the rows: pytest keeps what a failed test held to the very end."""
        self._held = None
        self._portal.call(self._under_way.give_up)

    async def _while_open(self, what: Callable[..., Awaitable[T]], *given: Any) -> T:
        """What a coroutine of the serving thread gives. Raises `Closed` where this is closed before."""
        self._sandbox  # noqa: B018 - raises where it is closed
        try:
            with self._under_way.one():
                return await what(*given)
        except GivenUp:
            raise Closed("it was closed before this had ended") from None

    async def _begin(self) -> None:
        """What there is to wait for before it is used."""

    @property
    def _sandbox(self) -> serving.Sandbox:
        if self._held is None:
            raise Closed("it is closed: use it inside its `with` block, or before `close`")
        return self._held

    def _mark(self) -> Mark:
        return self._sandbox.mark()

    def _back_to(self, snapshot: Snapshot) -> None:
        self._sandbox.back_to(snapshot.mark)

    async def _copied(self) -> Self:
        """A second one, which goes on from here."""
        mark = self._mark()
        try:
            return await self._from(mark)
        finally:
            mark.layer.close()

    async def _from(self, mark: Mark) -> Self:
        return self._over(serving.Sandbox.of(mark, self._sandbox.toolsets))

    def _over(self, sandbox: serving.Sandbox) -> Self:
        other = copy(self)
        other._held, other._urls, other._under_way, other._with = sandbox, {}, UnderWay(), None
        self._family.append(other)
        return other

    async def _value(self, spec: ToolSpec, arguments: Mapping[str, Any]) -> Any:
        return await called(_Bench(self._sandbox), spec, arguments)

    async def _answer(self, call: ModelCall) -> dict[str, Any]:
        return await ran(_Bench(self._sandbox), call)

    @property
    def _specs(self) -> list[ToolSpec]:
        return _Bench(self._sandbox).tools

    def _question(self, text: str, more: Mapping[str, Any]) -> tuple[ToolSpec, dict[str, Any]]:
        """The call that asks the user. Raises `ConfigProblem` where nobody can be asked."""
        for spec in self._specs:
            if spec.app in ASKS:
                return spec, {**ASKS[spec.app](text), **more}
        raise ConfigProblem('nobody can be asked here: open the task with `ask="ask_user"`')


def _words(reply: Any) -> str:
    """What the user says, without the number of questions left."""
    return str(reply).partition(LEFT)[0]


class _OpenedTask(_Opened):
    """What a task is, whoever has it: a sandbox with requests, and a score."""

    def __init__(self, portal: BlockingPortal, suite: Suite, opened: OpenTask, serve: Serve, *, talks: bool) -> None:
        super().__init__(portal, opened.sandbox, serve)
        self._suite, self._task, self._talks = suite, opened, talks
        self.id, self.system = opened.task.id, suite.system

    @property
    def _named(self) -> str:
        return f"{self.id!r} of {self._suite.name}"

    @property
    def request(self) -> str:
        """What to tell the agent in the session under way."""
        return self._opened.request

    @property
    def session(self) -> int:
        """The number of the session under way, from 0."""
        return self._opened.session

    @property
    def sessions(self) -> int:
        """How many sessions the task has."""
        return len(self._opened.task.sessions)

    def score(self, check: str = "outcome") -> Score:
        """What a check of the suite says of the calls and the rows as they are now.

        `value` is 1.0 for right and 0.0 for wrong, None where a tool or the check broke. Raises `SuiteError` for a
        check that the suite does not have.
        """
        opened = self._opened
        if check not in self._suite.checks:
            raise SuiteError(f"suite {self._suite.name} has no check {check!r}; it has {', '.join(self._suite.checks)}")
        told = self._portal.call(opened.told)
        return scores({check: self._suite.checks[check]}, opened.task, told)[check]

    @property
    def _opened(self) -> OpenTask:
        self._sandbox  # noqa: B018 - raises where it is closed
        return self._task

    def _forget(self) -> None:
        super()._forget()
        self.__dict__.pop("_task", None)

    def _mark(self) -> Mark:
        return self._opened.mark()

    def _back_to(self, snapshot: Snapshot) -> None:
        self._opened.back_to(snapshot.mark)
        self._sandbox.user = snapshot.user

    async def _from(self, mark: Mark) -> Self:
        if self._talks:
            raise ConfigProblem(
                "a model answers here, and it cannot be copied: take a snapshot and restore it, or open the task again"
            )
        fork = await copied(self._opened, mark)
        other = self._over(fork.sandbox)
        other._task = fork
        return other

    async def _begin(self) -> None:
        await self._opened.greet()

    async def _go_on(self) -> str:
        opened = self._opened
        if not opened.sessions_left:
            raise SuiteError(f"task {self.id} has no session after this one; it has {self.sessions}")
        opened.advance()
        await opened.greet()
        return opened.request


class Sandbox(_Opened, Closing):
    """A world that is open."""

    @property
    def tools(self) -> Tools[Any, dict[str, Any]]:
        """Every tool, by name; `tools.openai()` and `tools.anthropic()` are their schemas, `tools.run` takes calls."""
        return Tools(self._specs, lambda *given: self._wait(self._value, *given), lambda c: self._wait(self._answer, c))

    def call(self, app: str, tool: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """What a tool gives, as plain Python values. Raises `ToolError` where it refuses, or is not there."""
        return self._wait(self._value, found(self._specs, f"{app}.{tool}"), {} if arguments is None else arguments)

    def fork(self) -> Self:
        """A second one that goes on from here, apart from this one. It is closed with it, or before."""
        return self._wait(self._copied)

    def _wait(self, what: Callable[..., Awaitable[T]], *given: Any) -> T:
        self._sandbox  # noqa: B018 - raises where it is closed
        waited: Future[T] = self._portal.start_task_soon(self._while_open, what, *given)
        try:
            return waited.result()
        finally:
            waited.cancel()  # at Ctrl-C; else it has ended


class Task(Sandbox, _OpenedTask):
    """A task that is open, in a sandbox of its own. `system` is what its suite tells every agent."""

    @property
    def sandbox(self) -> Self:
        """The task itself, which is one."""
        return self

    def ask(self, question: str, **more: Any) -> str:
        """Ask the user, and give the answer; `more` are further arguments of the tool. Raises `ToolError`.

        Raises `ConfigProblem` where the task was opened without anybody to ask.
        """
        return _words(self._wait(self._value, *self._question(question, more)))

    def advance(self) -> str:
        """End the session and begin the next, with its own time and request, which is returned.

        Raises `SuiteError` where there is none.
        """
        return self._wait(self._go_on)


class AsyncSandbox(_Opened):
    """A world that is open, for `async` code on asyncio."""

    @property
    def tools(self) -> Tools[Awaitable[Any], Awaitable[dict[str, Any]]]:
        """As `Sandbox.tools`, to be awaited."""
        return Tools(self._specs, lambda *given: self._wait(self._value, *given), lambda c: self._wait(self._answer, c))

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """As `Sandbox.call`."""
        spec = found(self._specs, f"{app}.{tool}")
        return await self._wait(self._value, spec, {} if arguments is None else arguments)

    async def fork(self) -> Self:
        """As `Sandbox.fork`."""
        return await self._wait(self._copied)

    async def _wait(self, what: Callable[..., Coroutine[Any, Any, T]], *given: Any) -> T:
        self._sandbox  # noqa: B018 - raises where it is closed
        return await asyncio.wrap_future(self._portal.start_task_soon(self._while_open, what, *given))


class AsyncTask(AsyncSandbox, _OpenedTask):
    """A task that is open, for `async` code on asyncio."""

    async def ask(self, question: str, **more: Any) -> str:
        """As `Task.ask`."""
        return _words(await self._wait(self._value, *self._question(question, more)))

    async def advance(self) -> str:
        """As `Task.advance`."""
        return await self._wait(self._go_on)


class _Bench:
    """A sandbox, as whoever calls its tools by the names that models use has it."""

    def __init__(self, sandbox: serving.Sandbox) -> None:
        self._sandbox = sandbox
        self.tools = [spec for toolset in sandbox.toolsets.values() for spec in specs(toolset)]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        sandbox = self._sandbox
        record = sandbox.untaken(name, arguments)
        if record is None:
            spec = next((spec for spec in self.tools if spec.name == name), None)
            if spec is None:
                text = f"There is no tool {name!r}. Available: {', '.join(spec.name for spec in self.tools)}."
                record = sandbox.record("", name, arguments, "unknown", text)
            else:
                record = await sandbox.call(spec.app, spec.tool, arguments)
                if fault := sandbox.faults.get(record.n):
                    raise fault
        return Reply(record.text, record.data or {}, record.status != "ok")

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        return Reply(self._sandbox.garbled(name, raw, problem).text, {}, True)


def as_text(changes: Sequence[Change]) -> str:
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
