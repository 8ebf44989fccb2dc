"""An app as its author writes it: tables, and tools grouped in toolsets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar, overload

from servers.kernel.errors import UnknownTool
from servers.kernel.resource import Resource
from servers.kernel.state import State
from servers.kernel.table import Table
from servers.kernel.tool import Kind, Tool

__all__ = ("App", "Needs", "Toolset", "unfit")

F = TypeVar("F", bound=Callable[..., Any])

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TOOL = re.compile(r"[A-Za-z0-9_-]+")


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


class _Declares:
    """What declares tools: a toolset, or an app for its `default`. Each decorator gives back the function as it is."""

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

    def _add(self, kind: Kind, function: F, **said: Any) -> F:
        raise NotImplementedError


class Toolset(_Declares):
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

    def _add(self, kind: Kind, function: F, **said: Any) -> F:
        tool = Tool(self.app, kind, function, structured=self.structured, **said)
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
class App(_Declares):
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

    def _add(self, kind: Kind, function: F, **said: Any) -> F:
        return self.toolset("default")._add(kind, function, **said)

    def table(self, name: str) -> type[Table]:
        """The table of that name. Raises KeyError listing those there are."""
        for table in self.tables:
            if table.table_name == name:
                return table
        raise KeyError(f"{self.name} has no table {name!r}, only {', '.join(t.table_name for t in self.tables)}")
