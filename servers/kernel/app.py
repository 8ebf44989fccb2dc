"""An app as its author writes it: tables, and tools grouped in toolsets."""

from __future__ import annotations

import copy
import inspect
import json
import re
import sys
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, partial
from importlib.util import find_spec
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, ValidationError, create_model

from servers.kernel.bounds import refusal, refused, ungivable
from servers.kernel.dated import form
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
    UnknownTool,
    UserFault,
)
from servers.kernel.picture import Illustrated, Picture
from servers.kernel.returns import Returns, names_set
from servers.kernel.schema import Untitled, holds_sets, names, resolved, short, takes_lists, untitled
from servers.kernel.state import State
from servers.kernel.table import Ref, Table
from servers.kernel.user import Answer, Question, User, Worker

if TYPE_CHECKING:
    from servers.kernel.resource import Resource

__all__ = ("App", "Needs", "Result", "Tool", "Toolset", "unfit")

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

F = TypeVar("F", bound=Callable[..., Any])

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TOOL = re.compile(r"[A-Za-z0-9_-]+")

_SHOWN, _SHOWN_NAME = 20, 200
"""Problems that an error lists, and characters of the name of what is at fault."""


class Needs(NamedTuple):
    """A library that tools run on and that is not installed with them; `requirement` brings it."""

    library: str
    requirement: str

    @property
    def lacking(self) -> str:
        """What to do where the library is not installed, as the rest of a sentence; "" where it is."""
        if find_spec(self.library):
            return ""
        return f"needs {self.library}, which is not installed: pip install {self.requirement!r}"


class Result(NamedTuple):
    """What a tool gave back: text for a model, the same as JSON (an object) for a program, perhaps a picture."""

    text: str
    data: dict[str, Any]
    picture: Picture | None = None


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
        owner: App,
        kind: Kind,
        function: Callable[..., Any],
        *,
        destructive: bool,
        idempotent: bool,
        name: str = "",
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
            raise InvalidArguments(self.shown, _problems(error, self.input_schema)) from None
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


def _problems(error: ValidationError, schema: Mapping[str, Any]) -> list[str]:
    """Each problem, of very many the first."""
    found = error.errors(include_url=False, include_input=False)
    more = [f"and {len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    told: set[tuple[str | int, ...]] = set()  # where names that there are were told already
    problems = []
    for each in found[:_SHOWN]:
        within = each["loc"][:-1]
        problems.append(_problem(each, [] if within in told else names(schema, within)))
        if each["type"] == "extra_forbidden":
            told.add(within)
    return [*problems, *more]


def _problem(error: Any, known: list[str]) -> str:
    where = ".".join(map(str, error["loc"]))[:_SHOWN_NAME] or "arguments"
    if error["type"] == "extra_forbidden":
        there = ", ".join(_near_first(str(error["loc"][-1]), known))
        return f"unknown argument {where!r}" + (f" (there are {there})" if there else "")
    if error["type"] == "missing":
        return f"{where!r} is required"
    if error["type"] == "value_error":  # of a validator of ours: its own words
        return f"{where!r}: {error['ctx']['error']}"
    return f"{where!r}: {error['msg'][:1].lower()}{error['msg'][1:]}{form(error['type'])}"


def _near_first(name: str, known: list[str]) -> list[str]:
    """The names, of many those first that are near one, and the rest counted."""
    if len(known) <= _SHOWN:
        return known
    near = get_close_matches(name[:_SHOWN_NAME], known, n=_SHOWN)
    ordered = [*near, *(each for each in known if each not in near)]
    return [*ordered[:_SHOWN], f"{len(known) - _SHOWN} more"]


class Toolset:
    """A named tool surface over an app's tables.

    `instructions` are what clients read first, the app's unless it has its own. Where they hold `{owner}` or
    `{address}`, the server fills in whose world it is. Tools go by their own names here, whatever they are shown as.

    Results of a `structured` toolset go to clients as text and as structured content, with a schema of it. Many clients
    show a model both, so one that is made for models at work is not: its clients get text alone, JSON without what is
    null. Records have the data either way. Their schemas say nothing of the null that stands for a parameter left out.

    `needs` is a library without which a toolset cannot be served, and `lacking` says so where it is not installed.
    """

    def __init__(
        self, app: App, name: str, instructions: str = "", *, structured: bool = True, needs: Needs | None = None
    ) -> None:
        self.app, self.name, self.structured, self.needs = app, name, structured, needs
        self.instructions = instructions or app.instructions
        self.tools: dict[str, Tool] = {}

    @property
    def lacking(self) -> str:
        """Why it cannot be served, in a line; "" where it can."""
        lacking = self.needs.lacking if self.needs else ""
        return f"{self.app.name}/{self.name} {lacking}" if lacking else ""

    @overload
    def reads(self, function: F) -> F: ...
    @overload
    def reads(self, *, name: str = "") -> Callable[[F], F]: ...
    def reads(self, function: F | None = None, *, name: str = "") -> Any:
        """Declare a tool that changes nothing. A write inside it is a defect."""
        mark = partial(self._add, "reads", name=name, idempotent=True)
        return mark if function is None else mark(function)

    @overload
    def writes(self, function: F) -> F: ...
    @overload
    def writes(self, *, name: str = "", destructive: bool = False, idempotent: bool = False) -> Callable[[F], F]: ...
    def writes(
        self, function: F | None = None, *, name: str = "", destructive: bool = False, idempotent: bool = False
    ) -> Any:
        """Declare a tool that changes rows; `destructive` if it may remove or overwrite what was there."""
        mark = partial(self._add, "writes", name=name, destructive=destructive, idempotent=idempotent)
        return mark if function is None else mark(function)

    @overload
    def asks(self, function: F) -> F: ...
    @overload
    def asks(self, *, name: str = "") -> Callable[[F], F]: ...
    def asks(self, function: F | None = None, *, name: str = "") -> Any:
        """Declare a tool that awaits the user: `async def name(state, user, ...)`.

        It may be run again from its start with the answers in hand, so it asks before it writes.
        """
        mark = partial(self._add, "asks", name=name)
        return mark if function is None else mark(function)

    @overload
    def delegates(self, function: F) -> F: ...
    @overload
    def delegates(self, *, name: str = "") -> Callable[[F], F]: ...
    def delegates(self, function: F | None = None, *, name: str = "") -> Any:
        """Declare a tool that has a task worked on: `async def name(state, worker, ...) -> str`, the worker's report.

        What it is refused for it checks before it calls the worker, and what it writes it writes after that.
        """
        mark = partial(self._add, "delegates", name=name)
        return mark if function is None else mark(function)

    def tool(self, name: str) -> Tool:
        """The tool of that name. Raises `UnknownTool` listing those there are."""
        try:
            return self.tools[name]
        except KeyError:
            raise UnknownTool(name, (tool.shown for tool in self.tools.values())) from None

    def prepare(self) -> None:
        """Make now what clients ask for first: the schemas of all tools. Raises `BrokenTool`."""
        for tool in self.tools.values():
            _ = tool.input_schema, self.structured and tool.output_schema

    def _add(self, kind: Kind, function: F, *, name: str, destructive: bool = False, idempotent: bool = False) -> F:
        tool = Tool(
            self.app,
            kind,
            function,
            destructive=destructive,
            idempotent=idempotent,
            name=name,
            structured=self.structured,
        )
        if tool.name in self.tools:
            raise TypeError(f"{self.app.name}/{self.name} has two tools named {tool.name!r}")
        if problem := unfit(self.app.name, tool.name):
            raise TypeError(problem)
        self.tools[tool.name] = tool
        return function


def unfit(app: str, tool: str) -> str:
    """What is wrong with a tool's name, of which models see `<app>_<tool>`; empty if nothing is."""
    if not _TOOL.fullmatch(tool):
        return f"{app}_{tool} is not a name that models allow: it may have letters of English, digits, _ and -"
    if len(f"{app}_{tool}") > 64:
        return f"{app}_{tool} is longer than the 64 characters that models allow"
    return ""


@dataclass(frozen=True, eq=False)
class App:
    """A workplace app: name, instructions, tables and toolsets. It holds no state.

    Tools declared on the app itself belong to the toolset `default`. One that is `apart` is served to those alone who
    name it. `resources` is for an app that has something to be read as it is: a function that only reads, and gives
    all of it as the rows are now, each under a URI of its own.
    """

    name: str
    instructions: str
    tables: Sequence[type[Table]] = ()
    apart: bool = False
    resources: Callable[[State], Iterable[Resource]] | None = None

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise TypeError(f"app name {self.name!r} is not lower_case")
        if not isinstance(self.tables, Sequence) or not all(
            isinstance(table, type) and issubclass(table, Table) for table in self.tables
        ):
            raise TypeError(
                f"app {self.name}: `tables` is {self.tables!r:.80}: write a tuple of tables, `(Person,)` for a single "
                "one"
            )
        named: dict[str, type[Table]] = {}
        for table in self.tables:
            if table.table_name in named:
                both = f"{named[table.table_name].__name__} and {table.__name__}"
                raise TypeError(f"app {self.name}: {both} are both named {table.table_name!r}: rename one of them")
            named[table.table_name] = table
        object.__setattr__(self, "_toolsets", {})

    @property
    def toolsets(self) -> dict[str, Toolset]:
        found: dict[str, Toolset] = self._toolsets  # type: ignore[attr-defined]
        return found

    def toolset(
        self, name: str, instructions: str = "", *, structured: bool = True, needs: Needs | None = None
    ) -> Toolset:
        """The toolset of that name, made when first asked for, with `instructions` of its own where it has them."""
        found = self.toolsets.setdefault(name, Toolset(self, name, structured=structured, needs=needs))
        found.instructions = instructions or found.instructions
        return found

    @property
    def default(self) -> Toolset:
        """`default` where the app has one, else the first toolset it declares."""
        return self.toolsets.get("default") or next(iter(self.toolsets.values()))

    @overload
    def reads(self, function: F) -> F: ...
    @overload
    def reads(self, *, name: str = "") -> Callable[[F], F]: ...
    def reads(self, function: F | None = None, *, name: str = "") -> Any:
        mark = self.toolset("default").reads(name=name)
        return mark if function is None else mark(function)

    @overload
    def writes(self, function: F) -> F: ...
    @overload
    def writes(self, *, name: str = "", destructive: bool = False, idempotent: bool = False) -> Callable[[F], F]: ...
    def writes(
        self, function: F | None = None, *, name: str = "", destructive: bool = False, idempotent: bool = False
    ) -> Any:
        mark = self.toolset("default").writes(name=name, destructive=destructive, idempotent=idempotent)
        return mark if function is None else mark(function)

    @overload
    def asks(self, function: F) -> F: ...
    @overload
    def asks(self, *, name: str = "") -> Callable[[F], F]: ...
    def asks(self, function: F | None = None, *, name: str = "") -> Any:
        mark = self.toolset("default").asks(name=name)
        return mark if function is None else mark(function)

    def table(self, name: str) -> type[Table]:
        """The table of that name. Raises KeyError listing those there are."""
        for table in self.tables:
            if table.table_name == name:
                return table
        raise KeyError(f"{self.name} has no table {name!r}, only {', '.join(t.table_name for t in self.tables)}")
