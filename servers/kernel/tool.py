"""One tool of an app: what clients are told of it, and what a call of it does."""

from __future__ import annotations

import copy
import inspect
import json
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from types import UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, Protocol, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, ValidationError, create_model

from servers.kernel.bounds import refusal, refused, ungivable
from servers.kernel.errors import (
    BrokenTool,
    Defect,
    Failure,
    Fault,
    Garbled,
    InvalidArguments,
    NoUser,
    NoWorker,
    Rejected,
    StateError,
    UserFault,
)
from servers.kernel.misfits import misfits
from servers.kernel.picture import Illustrated, Picture
from servers.kernel.returns import Returns, names_set
from servers.kernel.schema import Untitled, holds_sets, resolved, short, takes_lists, untitled
from servers.kernel.state import State
from servers.kernel.table import Ref, Table, Tables
from servers.kernel.user import Answer, Question, User, Worker

__all__ = ("Kind", "Offering", "Offers", "Result", "Tool")

Kind = Literal["reads", "writes", "asks", "delegates"]
_GIVEN: Final[Mapping[Kind, tuple[type, ...]]] = {
    "reads": (State,),
    "writes": (State,),
    "asks": (State, User),
    "delegates": (State, Worker),
}
"""What a tool of a kind gets before its arguments."""

_WAITS: Final = ("asks", "delegates")
"""Kinds of tools that wait for somebody."""


class Result(NamedTuple):
    """What a tool gave back: text for a model, the same as JSON (an object) for a program, perhaps a picture."""

    text: str
    data: dict[str, Any]
    picture: Picture | None = None


class Offering(Protocol):
    """Tools that are served together, by name."""

    @property
    def tools(self) -> Mapping[str, Tool]:
        """Each by its own name."""


class Offers(Tables, Protocol):
    """An app as a tool of it knows it: tables, and the tools that are offered with it."""

    @property
    def toolsets(self) -> Mapping[str, Offering]:
        """Its toolsets by name."""


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Tool:
    """One function of a toolset, with what a client needs to know about it.

    `kind` is `reads`, `writes`, `asks` or `delegates`. A plain function gets the `State`, then its arguments;
    an `asks` function is a coroutine and gets `State` and `User`. Either may return `Illustrated`. A `delegates`
    function is one that gets `State` and `Worker`, and returns the worker's report as it is.
    The tool is named after its function unless it has a `name`. Unless it is `structured`, its results are text alone.
    """

    alias = ""
    """The name that an overlay (`servers.kernel.overlay`) shows in place of the tool's own."""

    def __init__(
        self,
        owner: Offers,
        kind: Kind,
        function: Callable[..., Any],
        *,
        name: str = "",
        destructive: bool = False,
        idempotent: bool = False,
        structured: bool = True,
    ) -> None:
        self.owner, self.app, self.kind, self.function = owner, owner.name, kind, function
        self.structured = structured
        app = owner.name
        self.name = name or function.__name__
        self.destructive, self.idempotent = destructive, idempotent
        self.description = inspect.cleandoc(function.__doc__ or "")
        if not self.description:
            raise TypeError(f"{app}.{self.name} has no docstring; it is what the model reads")
        if inspect.iscoroutinefunction(function) != (kind in _WAITS):
            raise TypeError(f"{app}.{self.name}: `asks` and `delegates` tools are `async def`, all others plain `def`")
        hints = get_type_hints(function, include_extras=True)
        given, every = _GIVEN[kind], list(inspect.signature(function).parameters.values())
        first, parameters = every[: len(given)], every[len(given) :]
        if [hints.get(p.name, who) for p, who in zip(first, given, strict=False)] != [*given]:
            wanted = ", ".join(f"{who.__name__.lower()}: {who.__name__}" for who in given)
            raise TypeError(
                f"{app}.{self.name}: begin with `{wanted}`, as every `{kind}` tool does; a model's arguments follow"
            )
        for p in parameters:
            if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.POSITIONAL_ONLY) or p.name not in hints:
                raise TypeError(f"{app}.{self.name}: parameter {p} needs a type and must be passable by name")
        if "return" not in hints:
            raise TypeError(f"{app}.{self.name} has no return type; it is what clients learn of its results")
        if kind == "delegates" and hints["return"] is not str:
            raise TypeError(f"{app}.{self.name}: a `delegates` tool returns the report of its worker, a `str`")
        self._hints, self._parameters = hints, parameters
        found = {parameter.name: _ref(hints[parameter.name]) for parameter in parameters}
        for parameter, ref in found.items():
            if ref and not (isinstance(ref.table, type) and issubclass(ref.table, Table)):
                raise TypeError(f"{app}.{self.name}: {parameter}: Ref takes the class of a table, not {ref.table!r}")
        self.refs: Mapping[str, type[Table]] = {name: ref.table for name, ref in found.items() if ref}
        """The table of which a parameter takes ids: one, or a list of them."""
        if names_set(hints["return"]):
            _ = self._returns  # what serialises it may make a list of it
        # Fields have names of their own, since a parameter may be called `copy` or `json`, as a model's methods are.
        self._fields = {f"given_{p.name}": p.name for p in parameters}

    # Made when first needed: most tools of an app are of toolsets that nobody serves.

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """What goes in, as a model of fields `given_<parameter>`. Raises `BrokenTool`."""
        fields: dict[str, Any] = {
            f"given_{p.name}": (
                Annotated[self._hints[p.name], Field(alias=p.name)],
                ... if p.default is inspect.Parameter.empty else p.default,
            )
            for p in self._parameters
        }
        with self._typed("a parameter"):
            return create_model(self.name, __base__=_Arguments, **fields)

    @cached_property
    def input_schema(self) -> dict[str, Any]:
        """What goes in, as JSON Schema. Raises `BrokenTool`."""
        with self._typed("a parameter"):
            return self._schema()

    @cached_property
    def _returns(self) -> Returns:
        with self._typed("its result"):
            found = Returns.of(self._hints["return"])
        if holds_sets(found.schema):
            problem = "its result is or holds a set, whose order differs between processes: return a list"
            raise BrokenTool(self.app, self.name, problem)
        return found

    @cached_property
    def output_schema(self) -> dict[str, Any]:
        """What comes out, as JSON Schema of an object. Raises `BrokenTool`."""
        return self._returns.schema

    @contextmanager
    def _typed(self, where: str) -> Iterator[None]:
        try:
            yield
        except PydanticUserError as error:
            cause = error.message.partition("\n")[0]
            raise BrokenTool(self.app, self.name, f"{where} has no JSON Schema: {cause}") from None

    def _schema(self) -> dict[str, Any]:
        found = resolved(untitled(self.arguments.model_json_schema(schema_generator=Untitled)))
        return found if self.structured else short(found)

    @property
    def shown(self) -> str:
        """The name that agents see and call. Records have `name`, the tool's own."""
        return self.alias or self.name

    def without(self, parameters: Container[str]) -> Tool:
        """The same tool with some optional parameters left out: nobody sees them, and whoever gives one is refused."""
        left = copy.copy(self)
        left._fields = {field: name for field, name in self._fields.items() if name not in parameters}
        fields: dict[str, Any] = {
            field: (given.rebuild_annotation(), given) for field, given in self.arguments.model_fields.items()
        }
        left.arguments = create_model(
            self.name, __base__=_Arguments, **{field: fields[field] for field in left._fields}
        )
        left.input_schema = left._schema()
        left.refs = {name: table for name, table in self.refs.items() if name not in parameters}
        return left

    def lists(self, parameter: str) -> bool:
        """Whether a parameter takes lists, and no item alone."""
        return takes_lists(self.input_schema["properties"][parameter])

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Validated keyword arguments.

        Raises `InvalidArguments` naming each problem, `Garbled` for what no tool could take.
        """
        if problem := refused(arguments):
            raise Garbled(self.shown, [problem])
        try:
            model = self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            raise InvalidArguments(self.shown, misfits(error, self.input_schema)) from None
        return {name: getattr(model, field) for field, name in self._fields.items()}

    def call(self, state: State, arguments: Mapping[str, Any]) -> Result:
        """Run a `reads` or `writes` tool in one transaction.

        Raises `Failure` on purpose, with nothing changed, `Fault` where the state cannot be read or written, and
        `Defect` for anything else.
        """
        with self._guard(), state.transaction(readonly=self.kind == "reads"):
            return self._dump(self.function(state, **self.check(arguments)))

    async def ask(self, state: State, user: User | None, arguments: Mapping[str, Any]) -> Result:
        """Run an `asks` tool: no transaction is open while the user thinks.

        Raises as `call` does, `NoUser` when nobody is bound, and `UserFault` when the user broke.
        """
        with self._guard():
            checked = self.check(arguments)
            if user is None:
                raise NoUser
            return self._dump(await self.function(state, _Guarded(user), **checked))

    async def delegate(self, state: State, worker: Worker | None, arguments: Mapping[str, Any]) -> Result:
        """Run a `delegates` tool: no transaction is open while the worker is at work.

        Raises as `call` does, and `NoWorker` when nobody is bound.
        """
        with self._guard():
            checked = self.check(arguments)
            if worker is None:
                raise NoWorker
            return self._dump(await self.function(state, worker, **checked))

    def _dump(self, value: Any) -> Result:
        picture = None
        if isinstance(value, Illustrated):
            value, picture = value.value, value.picture
        if value is None:
            self._returns.check_none()
        if self._returns.nests and (problem := ungivable(value)):
            raise Rejected(f"The result {problem}, which cannot be given. Nothing was changed; ask for a part of it.")
        data = self._returns.adapter.dump_python(
            value, mode="json", by_alias=True, warnings="error", exclude_none=not self.structured
        )
        try:
            text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, allow_nan=False)
            text.isascii() or text.encode()
        except ValueError:
            problem = refusal(data, values=sys.maxsize, size=sys.maxsize)
            raise Rejected(f"The result {problem}, which cannot be given. Nothing was changed.") from None
        return Result(text, {"result": data} if self._returns.wrapped else data, picture)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except (Failure, Fault):
            raise
        except StateError as error:  # rows of the world that do not fit, or a file that cannot be written
            raise Fault(str(error)) from error
        except (Exception, SystemExit) as error:
            raise Defect(self.app, self.name, f"{type(error).__name__}: {error}") from error


class _Guarded:
    """Tells a broken user from a broken tool."""

    def __init__(self, user: User) -> None:
        self._user = user

    async def answer(self, question: Question) -> Answer:
        try:
            return await self._user.answer(question)
        except (Failure, Fault):
            raise
        except (Exception, SystemExit) as error:
            raise UserFault(f"{type(error).__name__}: {error}") from error


def _ref(hint: Any) -> Ref | None:
    """The mark of a parameter that takes ids of a table, or lists of them, wherever in its type it stands."""
    for mark in getattr(hint, "__metadata__", ()):
        if isinstance(mark, Ref):
            return mark
    origin = get_origin(hint)
    if (
        origin is Annotated
        or origin in (Union, UnionType)
        or (isinstance(origin, type) and issubclass(origin, Sequence))
    ):
        return next((ref for inner in get_args(hint) if (ref := _ref(inner))), None)
    return None
