"""The agent whose actions are Python: one block a reply, run by an interpreter that knows the tools and nothing else.

CodeAct, as LHAW compares it (section 4.5, after Wang et al. 2024). The interpreter is Monty (`pydantic-monty`, the
extra `codeact`): a part of Python without files, network or programs, in a process of its own.
"""

from __future__ import annotations

import builtins
import json
import re
import textwrap
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from harness.agents.summary import Summary
from harness.agents.text import Final, Step, TextAgent, Unread
from harness.core.agent_config import CodeAct
from harness.core.config import ConfigProblem
from harness.core.desk import Desk, ToolSpec
from harness.models.replies import Completes
from servers.kernel import Fault, refusal, refused

if TYPE_CHECKING:
    from pydantic_monty import AsyncFunctionSnapshot, AsyncMontySession

__all__ = ("CodeActAgent", "Interpreter", "Raised", "check", "read", "spelled")

_FORM = "Open a block with a line ```python and close it with a line ```; a reply without one ends your turn"
_OPEN = re.compile(r"^[ \t]*```[ \t]*(?:python3?|py)[ \t]*\r?\n", re.IGNORECASE | re.MULTILINE)
_CLOSE = re.compile(r"^[ \t]*```[ \t]*\r?$", re.MULTILINE)
_DEPTH = 20
"""Levels of a value that are spelled."""


def read(reply: str) -> Step | Final | Unread:
    """What a reply is: its first block fenced as Python, or else, without one, the final answer.

    Unread are an empty reply and a block that is empty, not closed, or no text that can be kept.
    """
    opening = _OPEN.search(reply)
    if opening is None:
        return Final(reply.strip()) if reply.strip() else Unread(f"The reply is empty. {_FORM}.")
    closing = _CLOSE.search(reply, opening.end())
    if closing is None:
        return Unread(f"The block of Python is not closed, so nothing was run. {_FORM}.")
    code = textwrap.dedent(reply[opening.end() : closing.start()])
    if not code.strip():
        return Unread(f"The block of Python is empty. {_FORM}.")
    if problem := refusal(code):
        return Unread(f"The block of Python cannot be run: it {problem}. {_FORM}.")
    return Step("python", {"code": code}, reply[: closing.end()])


def check(agent: str) -> None:
    """Raise `ConfigProblem` for the agent of that name where the interpreter is missing or does not start."""
    try:
        from pydantic_monty import Monty

        with Monty():
            pass
    except ImportError:
        why = "is not installed: pip install 'workplace-harness[codeact]'"
    except RuntimeError as error:
        why = f"does not start ({error}): reinstall it with pip install 'workplace-harness[codeact]'"
    else:
        return
    raise ConfigProblem(f"agent {agent}: strategy codeact runs its code in pydantic-monty, which {why}")


class CodeActAgent(TextAgent):
    """A `TextAgent` whose step is a block of Python, and what it printed comes back; a reply without one is the answer.

    Names that a block binds are there in the next ones of the session.
    """

    prompt = "codeact.j2"
    ids = "code"
    lacking = "neither a block of Python that can be run nor an answer"

    def __init__(
        self,
        model: Completes,
        settings: CodeAct | None = None,
        *,
        patience: int = 5,
        template: str = "",
        summary: Summary | None = None,
    ) -> None:
        super().__init__(model, patience=patience, template=template, summary=summary)
        self._settings = settings or CodeAct()
        self._interpreter: Interpreter | None = None

    async def turn(self, desk: Desk, message: str) -> str:
        desk = self._summary.desk(desk)
        if not desk.messages:
            self._interpreter = None
        return await super().turn(desk, message)

    def read(self, reply: str) -> Step | Final | Unread:
        return read(reply)

    async def act(self, desk: Desk, step: Step) -> tuple[str, bool]:
        self._interpreter = self._interpreter or Interpreter(desk, self._settings)
        return await self._interpreter.run(step.given["code"]), True


class Raised(Exception):
    """What a call to a tool raises in the code that made it: the builtin exception `kind`, with a text."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        super().__init__(text)


class Interpreter:
    """Runs blocks of Python of one session of a desk, each in a process that ends with it, on what the last one left.

    Calls to tools are made at the desk while the block waits, one after the other. Time there is the desk's and stands
    still, and numbers drawn at random follow the seed of the trial, so a block gives the same whenever it is run.
    """

    def __init__(self, desk: Desk, settings: CodeAct) -> None:
        self._desk, self._settings = desk, settings
        self._tools = {tool.name: tool for tool in desk.tools}
        self._seed = desk.random("codeact", "numbers drawn in code").getrandbits(32)
        self._left = b""

    async def run(self, code: str) -> str:
        """What a block printed, the value of its last line, and what it raised, in words for the model.

        Lets pass what ends a trial: `LimitReached` and `Fault` of the desk.
        """
        import pydantic_monty as monty

        printed = _Printed(self._settings.output)
        seconds, memory = self._settings.seconds, self._settings.memory_mb
        try:
            async with (
                monty.AsyncMonty(min_processes=1, max_processes=1) as pool,
                pool.checkout(
                    limits={"max_feed_duration_secs": seconds, "max_memory": memory * 2**20},
                    os_policy={
                        "datetime": self._desk.now,
                        "sleep": "zero",
                        "random_start": {"seed": self._seed},
                    },
                ) as session,
            ):
                return await self._fed(session, code, printed)
        except monty.MontyError as error:  # the process is gone, or has no room to hand over what the block left
            why = "ended" if isinstance(error, monty.MontyCrashedError) else f"took more than {memory} MB of memory"
        except _OutOfTime:
            why = f"computed for more than {seconds:g} s"
        except _OutOfMemory:
            why = f"took more than {memory} MB of memory"
        return printed.text(
            f"The block was stopped: it {why}. Variables are what they were before it; calls to tools that it made "
            "have been made."
        )

    async def _fed(self, session: AsyncMontySession, code: str, printed: _Printed) -> str:
        """Run a block in a fresh process and keep what it leaves."""
        import pydantic_monty as monty

        if self._left:
            await session.load_session(self._left)
        problem = ""
        try:
            step = await session.feed_start(code, print_callback=printed)
            while not isinstance(step, monty.MontyComplete):
                if isinstance(step, monty.AsyncFunctionSnapshot):
                    step = await (step.resume_not_handled() if step.is_os_function else self._called(step, code))
                elif isinstance(step, monty.AsyncNameLookupSnapshot):
                    name = step.variable_name
                    step = await (step.resume(value=_named(name)) if name in self._tools else step.resume())
                else:
                    raise Fault(f"the interpreter waits for {type(step).__name__}, which nothing gave it")
            if step.output is not None:
                printed.add(step.output)
        except (monty.MontySyntaxError, monty.MontyRuntimeError) as error:
            text = error.display()
            if _STOPPED.match(error.display("msg")):
                raise (_OutOfTime if isinstance(error.exception(), TimeoutError) else _OutOfMemory) from None
            problem = text if len(text) <= self._settings.output else error.display("type-msg")
        self._left = await session.dump()
        return printed.text(problem)

    async def _called(self, step: AsyncFunctionSnapshot, code: str) -> Any:
        """Make a call of the code and let it go on with what came of it."""
        try:
            return await step.resume({"return_value": await self._call(step, code)})
        except Raised as error:
            return await step.resume({"exc_type": error.kind, "message": str(error)})  # type: ignore[typeddict-item]

    async def _call(self, step: AsyncFunctionSnapshot, code: str) -> Any:
        """What a tool gives, as plain values. Raises `Raised`."""
        name, args, kwargs = step.function_name, step.args, step.kwargs
        tool = self._tools.get(name)
        if tool is None and hasattr(builtins, name):
            raise Raised("NameError", f"name {name!r} is not defined here")
        arguments, problem = _arguments(tool, args, kwargs)
        if problem:
            raise Raised("TypeError", self._desk.garbled(name, code, problem).text)
        reply = await self._desk.call(name, arguments)
        if reply.is_error:
            raise Raised("RuntimeError" if tool else "NameError", reply.text)
        return reply.value


class _OutOfTime(Exception):
    pass


class _OutOfMemory(Exception):
    pass


_STOPPED = re.compile(r"(feed time limit exceeded|memory limit exceeded|the worker exceeded its memory limit)\b")
"""How messages of the interpreter begin that say that a bound was reached; their figures differ from run to run."""


def _arguments(tool: ToolSpec | None, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """The arguments of a call by name and "", or {} and what is wrong. Of an unknown tool places are names."""
    names = list(tool.input_schema.get("properties", ())) if tool else [str(n) for n in range(len(args))]
    if len(args) > len(names):
        return {}, f"it takes at most {len(names)} arguments, {', '.join(names)}, and {len(args)} were given"
    by_place = dict(zip(names, args, strict=False))
    if twice := sorted(by_place.keys() & kwargs.keys()):
        return {}, f"{twice[0]!r} is given twice, by its place and by its name"
    arguments = {**by_place, **kwargs}
    if problem := refused(arguments):
        return {}, problem
    return json.loads(json.dumps(arguments)), ""  # tuples are lists in a record


def _named(tool: str) -> Callable[[], Awaitable[None]]:
    """What stands for a tool in the interpreter: it calls back by this name."""

    async def called() -> None:
        raise NotImplementedError(tool)

    called.__name__ = tool
    return called


class _Printed:
    """What a block printed, as far as it is shown."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._parts: list[str] = []
        self._length = 0

    def __call__(self, stream: str, text: str) -> None:
        if self._length <= self._room:
            self._parts.append(text[: self._room - self._length + 1])
            self._length += len(self._parts[-1])

    def add(self, value: Any) -> None:
        """The value of a block's last line, below what was printed."""
        gap = "\n" if self._parts and not self._parts[-1].endswith("\n") else ""
        self("stdout", f"{gap}{spelled(value, self._room)}")

    def text(self, problem: str = "") -> str:
        """All of it, cut where it is too long, and then what went wrong."""
        told = "".join(self._parts)
        if self._length > self._room:
            told = f"{told[: self._room]}\n[... cut: {self._room} characters are shown of a block]"
        if len(problem) > self._room:
            problem = f"{problem[: self._room]} [... cut]"
        return "\n".join(filter(None, [told.rstrip("\n"), problem])) or "(nothing was printed)"


def spelled(value: Any, room: int) -> str:
    """A value as Python writes it, at least the first `room` characters of it.

    A small value may hold itself over and over and be endless when written out, so no more is written than is shown.
    """
    parts: list[str] = []
    length = 0
    for part in _spelling(value, room, 0):
        parts.append(part)
        length += len(part)
        if length > room:
            break
    return "".join(parts)


def _spelling(value: Any, room: int, depth: int) -> Iterator[str]:
    match value:
        case str() | bytes():
            yield repr(value[: room + 1])
        case list() | tuple() | set() | frozenset() | dict():
            yield from _spelling_of_many(value, room, depth)
        case int() if value.bit_length() > 10_000:  # Python writes out no more than 4300 digits
            yield "(a number of too many digits to be written)"
        case None | bool() | int() | float():
            yield repr(value)
        case _:  # a class of the code's own comes as a stand-in
            yield f"<{getattr(value, 'name', None) or type(value).__name__}>"


def _spelling_of_many(value: Any, room: int, depth: int) -> Iterator[str]:
    opening, closing = "[]" if isinstance(value, list) else "()" if isinstance(value, tuple) else "{}"
    if not value and isinstance(value, set | frozenset):
        opening, closing = "set(", ")"
    yield opening
    if depth == _DEPTH:
        yield "..."
    else:
        for n, each in enumerate(value):
            yield ", " if n else ""
            yield from _spelling(each, room, depth + 1)
            if isinstance(value, dict):
                yield ": "
                yield from _spelling(value[each], room, depth + 1)
        yield "," if isinstance(value, tuple) and len(value) == 1 else ""
    yield closing
