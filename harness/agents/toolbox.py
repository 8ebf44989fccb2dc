"""Tools as Python code and as models have them: by name, as schemas, and a model's tool call carried out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from harness.agents.llm import parsed
from harness.core.desk import Reply, ToolSpec
from harness.core.near import near
from servers.kernel import few_of

__all__ = ("Callee", "ModelCall", "Tool", "ToolError", "Tools", "UnknownTool", "called", "found", "ran", "read")

R = TypeVar("R", covariant=True)
M = TypeVar("M", covariant=True)


class ToolError(Exception):
    """A tool call that was refused, or names no tool; the text is what an agent is told."""

    def __init__(self, tool: str, text: str) -> None:
        self.tool = tool
        super().__init__(text)


class UnknownTool(ToolError, KeyError):
    """No tool has that name: to whoever looks it up as in any mapping, a key that is not there."""

    __str__ = ToolError.__str__  # that of `KeyError` puts the text in quotation marks


class Callee(Protocol):
    """Whatever takes calls by the names that models use, as `harness.core.desk.Desk` does."""

    @property
    def tools(self) -> Sequence[ToolSpec]: ...

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Reply: ...

    def garbled(self, name: str, raw: str, problem: str) -> Reply: ...


class Tool(Generic[R]):
    """One tool, to be called with its arguments by name. `model_name` is what models call it."""

    def __init__(self, spec: ToolSpec, call: Callable[[ToolSpec, Mapping[str, Any]], R]) -> None:
        self.app, self.name, self.model_name = spec.app, spec.tool, spec.name
        self.description = spec.description
        self._spec, self._call = spec, call

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments: a copy, since all sessions of a process have the tool."""
        return deepcopy(self._spec.input_schema)

    def __call__(self, **arguments: Any) -> R:
        """What the tool gives, as plain Python values. Raises `ToolError`."""
        return self._call(self._spec, arguments)

    def __repr__(self) -> str:
        return f"<tool {self.app}.{self.name}({', '.join(self._spec.input_schema.get('properties', {}))})>"


class Tools(Mapping[str, Tool[R]], Generic[R, M]):
    """Tools by name: `tools["gmail.send_email"]`, or as models call it, `tools["gmail_send_email"]`.

    What schemas they give are copies: whoever changes one changes it for nobody else.
    """

    def __init__(
        self,
        specs: Sequence[ToolSpec],
        call: Callable[[ToolSpec, Mapping[str, Any]], R],
        run: Callable[[ModelCall], M],
    ) -> None:
        self._specs, self._run = specs, run
        self._by_name = {_dotted(spec): Tool(spec, call) for spec in specs}

    def __getitem__(self, name: str) -> Tool[R]:
        """Raises `ToolError`, which is a `KeyError` here, for a name that no tool has, with those that are close."""
        return self._by_name[_dotted(found(self._specs, name))]

    def __contains__(self, name: object) -> bool:
        return any(name in (spec.name, _dotted(spec)) for spec in self._specs)

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"<{len(self)} tools: {few_of(self, 12) or 'none'}>"

    def openai(self, api: Literal["chat", "responses"] = "chat") -> list[dict[str, Any]]:
        """As `tools` of OpenAI's chat completions, which LiteLLM and most servers take too, or of its responses."""
        functions = [
            {"name": spec.name, "description": spec.description, "parameters": deepcopy(spec.input_schema)}
            for spec in self._specs
        ]
        if api not in ("chat", "responses"):
            raise ValueError(f"{api!r} is no interface of OpenAI's: write 'chat' or 'responses'")
        if api == "responses":  # they are strict unless told otherwise, and these schemas have optional arguments
            return [{"type": "function", **function, "strict": False} for function in functions]
        return [{"type": "function", "function": function} for function in functions]

    def anthropic(self) -> list[dict[str, Any]]:
        """As `tools` of Anthropic's messages."""
        return [
            {"name": spec.name, "description": spec.description, "input_schema": deepcopy(spec.input_schema)}
            for spec in self._specs
        ]

    def run(self, tool_call: object) -> M:
        """Carry out a tool call as a model's reply holds it, and give the message or block to answer it with.

        It is of OpenAI's chat completions (`{"id", "function": {"name", "arguments"}}`), its responses (`{"type":
        "function_call", "call_id", "name", "arguments"}`) or Anthropic's messages (`{"type": "tool_use", "id", "name",
        "input"}`), as an object of their packages or as a dict. What is wrong with the call stands in the answer, for
        the model to read. Raises `TypeError` for anything else.
        """
        return self._run(read(tool_call))


class ModelCall(NamedTuple):
    """A model's tool call, and how it is answered: from text, and whether that is an error."""

    name: str
    arguments: object
    answer: Callable[[str, bool], dict[str, Any]]


def read(call: object) -> ModelCall:
    """A tool call in one of the shapes that `Tools.run` takes. Raises `TypeError`."""
    id, kind, name = _of(call, "id"), _of(call, "type"), _of(call, "name")
    if (function := _of(call, "function")) is not None:
        name, given = _of(function, "name"), _of(function, "arguments")
        return ModelCall(str(name), given, lambda text, _: {"role": "tool", "tool_call_id": id, "content": text})
    if kind == "function_call":
        id = _of(call, "call_id")
        return ModelCall(
            str(name),
            _of(call, "arguments"),
            lambda text, _: {"type": "function_call_output", "call_id": id, "output": text},
        )
    if kind == "tool_use":
        return ModelCall(
            str(name),
            _of(call, "input"),
            lambda text, bad: {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": bad},
        )
    raise TypeError(
        f"{call!r:.200} is not a tool call: give one item of `message.tool_calls` (OpenAI), of `response.output` with "
        "type `function_call` (OpenAI), or of `message.content` with type `tool_use` (Anthropic)"
    )


def _of(thing: object, name: str) -> Any:
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def _dotted(spec: ToolSpec) -> str:
    return f"{spec.app}.{spec.tool}"


def found(specs: Sequence[ToolSpec], name: str) -> ToolSpec:
    """The tool of that name, dotted or as models call it. Raises `ToolError`."""
    for spec in specs:
        if name in (spec.name, _dotted(spec)):
            return spec
    name = str(name)
    apps = list(dict.fromkeys(spec.app for spec in specs))
    app, dot, _ = name.partition(".")
    if dot and app not in apps:
        raise UnknownTool(
            name, f"there is no app {app!r} here.{near(app, apps)} There are {', '.join(apps) or 'none'}."
        )
    there = [spec for spec in specs if not dot or spec.app == app]
    known = few_of(map(_dotted, there), 12)
    raise UnknownTool(name, f"there is no tool {name!r} here.{_near(name, there)} There are {known or 'none'}.")


_LOOKS_UP = ("find", "get", "list", "read", "search")
_LOOKING_UP = re.compile(rf"(?:^|[._])(?:{'|'.join(_LOOKS_UP)})_(\w+)$")


def _near(name: str, specs: Sequence[ToolSpec]) -> str:
    """What may have been meant: what looks up the same by another verb, which is less alike than what changes it."""
    looking_up = _LOOKING_UP.search(name)
    other = {f"{verb}_{looking_up[1]}" for verb in _LOOKS_UP} if looking_up else set()
    meant = [_dotted(spec) for spec in specs if spec.tool in other][:3]
    return f" Did you mean {' or '.join(map(repr, meant))}?" if meant else near(name, map(_dotted, specs))


async def called(callee: Callee, spec: ToolSpec, arguments: Mapping[str, Any]) -> Any:
    """What a tool gives. Raises `ToolError` with what an agent is told where that is a refusal."""
    if not isinstance(arguments, Mapping):
        raise ToolError(spec.name, f"arguments are a mapping by name, such as {{'id': '1'}}, not {arguments!r:.60}")
    reply = await callee.call(spec.name, arguments)
    if reply.is_error:
        raise ToolError(f"{spec.app}.{spec.tool}", reply.text)
    return reply.value


async def ran(callee: Callee, call: ModelCall) -> dict[str, Any]:
    """A model's tool call, carried out and answered."""
    arguments, problem = call.arguments, ""
    if not isinstance(arguments, Mapping):
        raw = arguments if isinstance(arguments, str) else "" if arguments is None else repr(arguments)
        arguments, problem = parsed(raw)
        if problem:
            reply = callee.garbled(call.name, raw, problem)
            return call.answer(reply.text, True)
    reply = await callee.call(call.name, arguments)
    return call.answer(reply.text, reply.is_error)
