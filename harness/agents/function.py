"""The agent that is a Python function of whoever evaluates it."""

from __future__ import annotations

import asyncio
import math
import traceback
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from operator import index
from pathlib import Path
from typing import Any, SupportsFloat, SupportsIndex

import anyio
from pydantic_core import from_json, to_json

from harness.agents.toolbox import ModelCall, Tools, called, found, ran
from harness.core import trajectory
from harness.core.desk import AgentFailed, Desk, LimitReached, Reply, ToolSpec
from harness.core.trajectory import Message, Usage
from servers.kernel import Fault

__all__ = ("Function", "FunctionAgent", "Session")


class Session:
    """One session of a task, as an agent's function has it.

    `request` is what was asked for last, `system` what every agent is told besides, `now` the time there, `number`
    counts the task's sessions from 0. `tools` and `call` act in the sandbox. `state` is the function's own: it lasts
    for the session, over all turns where the user answers what was said at the end of one.
    """

    def __init__(self, desk: Desk) -> None:
        self.system, self.now, self.number = desk.system.strip(), desk.now, desk.session
        self.request = ""
        self.state: dict[str, Any] = {}
        self.tools: Tools[Awaitable[Any], Awaitable[dict[str, Any]]] = Tools(desk.tools, self._call, self._run)
        self._desk, self._turns = _Watched(desk), 0

    async def call(self, app: str, tool: str, arguments: Mapping[str, Any] | None = None) -> Any:
        """What a tool gives, as plain Python values. Raises `ToolError` where it refuses, or is not there."""
        return await self._call(found(self._desk.tools, f"{app}.{tool}"), {} if arguments is None else arguments)

    def spend(
        self,
        *,
        prompt_tokens: SupportsIndex = 0,
        completion_tokens: SupportsIndex = 0,
        cost_usd: SupportsFloat | None = None,
        request: Mapping[str, Any] | None = None,
        response: Mapping[str, Any] | None = None,
    ) -> None:
        """Put a model call of the function on record: what it took, and if given what was sent and came back.

        It is a turn of the trial and counts against its limits. A cost that is not given is unknown, and so is then
        that of the trial and the run.
        """
        usage = Usage(
            prompt_tokens=_tokens("prompt_tokens", prompt_tokens),
            completion_tokens=_tokens("completion_tokens", completion_tokens),
            cost_usd=None if cost_usd is None else _dollars(cost_usd),
        )
        sent, came_back = _kept("request", request), _kept("response", response)
        self._turns += 1
        self._desk.spend(
            trajectory.ModelCall(
                session=self.number,
                turn=self._turns,
                purpose="agent",
                request=sent,
                response=came_back,
                usage=usage,
            )
        )

    async def _call(self, spec: ToolSpec, arguments: Mapping[str, Any]) -> Any:
        return await called(self._desk, spec, arguments)

    async def _run(self, call: ModelCall) -> dict[str, Any]:
        return await ran(self._desk, call)

    async def _turn(self, function: Function, request: str) -> str:
        """Have the function work on a request. Raises what ended it: a budget, a fault, or its own exception."""
        self.request = request
        said: object = None
        try:
            with anyio.CancelScope() as self._desk.scope:
                said = await function(self)
        finally:
            self._desk.scope = None
        if self._desk.over:
            raise self._desk.over
        await _in_time()
        if said is not None and not isinstance(said, str):
            raise AgentFailed(f"the function returned {said!r:.100}: its last words are text, or None")
        return said or ""


_PACKAGE = Path(__file__).parents[1]

Function = Callable[[Session], Awaitable[str | None]]
"""An agent: works on `session.request`, and returns what it has to say at the end."""


class FunctionAgent:
    """Calls a function for each turn. An exception of its own raises `AgentFailed`, with the place."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._session: Session | None = None

    async def turn(self, desk: Desk, message: str) -> str:
        if self._session is None or self._session.number != desk.session:
            self._session = Session(desk)
        desk.say(Message(session=desk.session, role="user", content=message))
        session, task = self._session, asyncio.current_task()
        assert task, "trials are played in tasks"
        cancelled = task.cancelling()
        try:
            said = await session._turn(self._function, message)
            await _own_cancelled(task, cancelled)
        except BaseException as error:
            if _is_of_others(error, task):
                raise
            await _own_cancelled(task, cancelled)
            if over := session._desk.over:
                raise over from None
            await _in_time()
            if isinstance(error, AgentFailed):
                raise
            raise AgentFailed(_told(error)) from error
        desk.say(Message(session=desk.session, role="assistant", content=said))
        return said


def _tokens(name: str, given: Any) -> int:
    """A number of tokens, which may be one of NumPy's. Raises `ValueError`."""
    try:
        number = int(given) if isinstance(given, float) and given.is_integer() else index(given)
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"spend: `{name}` is {given!r:.80}: give a whole number, 0 or more")
    return number


def _dollars(given: Any) -> float:
    try:
        number = float(given) if isinstance(given, SupportsFloat) else -1.0
    except (TypeError, ValueError, OverflowError):
        number = -1.0
    if not 0 <= number < math.inf:
        raise ValueError(f"spend: `cost_usd` is {given!r:.80}: give a number, 0 or more")
    return number


def _kept(name: str, given: Any) -> dict[str, Any]:
    """What was sent or came back as a record has it: as it is now, whatever becomes of it. Raises `ValueError`."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(f"spend: `{name}` is {given!r:.80}: give a mapping, as it was sent or came back")
    try:
        kept: dict[str, Any] = from_json(to_json(dict(given), by_alias=False))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"spend: `{name}` cannot be put on record: {error}; give what JSON can hold") from None
    return kept


class _Watched:
    """A desk that ends the function once a budget is spent or something of ours failed, whatever it catches.

    Calls are made one after the other, and only while the function has its turn, which is when there is a `scope`.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk, self.tools = desk, desk.tools
        self.over: Exception | None = None
        self.scope: anyio.CancelScope | None = None
        self._one_at_a_time = anyio.Lock()

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply:
        async with self._one_at_a_time:
            self._going()
            try:
                return await self._desk.call(name, arguments)
            except (LimitReached, Fault) as error:
                raise self._ended(error) from None

    def garbled(self, name: str, raw: str, problem: str) -> Reply:
        self._going()
        try:
            return self._desk.garbled(name, raw, problem)
        except (LimitReached, Fault) as error:
            raise self._ended(error) from None

    def spend(self, call: trajectory.ModelCall) -> None:
        self._going()
        try:
            self._desk.spend(call)
        except (LimitReached, Fault) as error:
            raise self._ended(error) from None

    def _going(self) -> None:
        if self.over:
            raise self.over
        if self.scope is None:
            raise RuntimeError("the session is over: whatever the function starts has to finish before it returns")

    def _ended(self, error: Exception) -> Exception:
        self.over = error
        if self.scope:
            self.scope.cancel()
        return error


async def _in_time() -> None:
    """Ends here where time is up: the function held everything up meanwhile, or caught what was to end it."""
    if anyio.current_effective_deadline() <= anyio.current_time():
        await anyio.sleep_forever()  # until that deadline is seen to, which is at once


async def _own_cancelled(task: asyncio.Task[Any], before: int) -> None:
    """Forget that a function cancelled the task it plays in. Ends here where the trial is cancelled, by whomever."""
    if task.cancelling() == before:
        return
    with suppress(asyncio.CancelledError):
        await asyncio.sleep(0)  # by then whoever cancels every task, as the end of a loop does, has reached the run's
    await _in_time()
    while task.cancelling() > before:
        task.uncancel()


def _is_of_others(error: BaseException, task: asyncio.Task[Any]) -> bool:
    """Whether an exception ends more than the function: Ctrl-C, or a trial that is let go of."""
    if isinstance(error, BaseExceptionGroup):
        return error.subgroup(KeyboardInterrupt) is not None
    if isinstance(error, asyncio.CancelledError | GeneratorExit):
        return _running() is not task
    return isinstance(error, KeyboardInterrupt)


def _running() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no loop runs: Python collects what was left of one
        return None


def _told(error: BaseException) -> str:
    """An exception in one line, with the last place that is not in this package."""
    first: BaseException = error
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    frames = traceback.extract_tb(first.__traceback__)
    own = [frame for frame in frames if not Path(frame.filename).is_relative_to(_PACKAGE)] or frames
    at = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
    try:
        said = " ".join(str(first).split())
    except Exception:  # noqa: BLE001 (the function's own: what it raises must not void its trial)
        said = "its text cannot be had"
    return f"{type(first).__name__}{': ' * bool(said)}{said:.500}{at}"
