"""What can be done in a task's workplace, read from tools' schemas and the rows there; knows no app."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import cache, cached_property
from random import Random
from typing import Any, Literal, NamedTuple, get_origin

from harness.core.suite import Suite, SuiteError
from harness.core.task import Call, Task
from harness.core.task_files import task_path
from servers import catalog
from servers.kernel import Edit, Table, Tool, Toolset

__all__ = ("Column", "Pointer", "Workplace", "Workplaces", "field_schema", "folded", "pointers", "toolsets", "written")

Rows = Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]]
"""App -> table -> id -> row, in row order."""

_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_MOST_KINDS, _ROWS_A_KIND = 8, 10
"""A column of few values, each in many rows, is a choice even where its type is plain text."""


def folded(text: str) -> str:
    """Text as people compare it: no letter case; any white space, or the two characters for a line break, as one."""
    return " ".join(text.replace("\\n", " ").casefold().split())


def toolsets(suite: Suite, apps: Iterable[str], needed: Mapping[str, str] = {}) -> dict[str, Toolset]:
    """The toolset that the suite plays each app through, or that a task needs (`Task.toolsets`).

    Raises `SuiteError` for one that an app lacks, or that needs what is not installed.
    """
    found = {}
    for name in apps:
        app = catalog.app(name)
        wanted = needed.get(name) or suite.toolsets.get(name)
        if wanted and wanted not in app.toolsets:
            raise SuiteError(f"suite {suite.name}: {name} has no toolset {wanted!r}, only {', '.join(app.toolsets)}")
        found[name] = app.toolsets[wanted] if wanted else app.default
        if lacking := found[name].lacking:
            raise SuiteError(f"suite {suite.name}: {lacking}")
    return found


def written(suite: Suite, task: Task) -> str:
    """The file that a task is written in, with ": " behind it; empty for one that is made otherwise."""
    if suite.files is None or not (path := task_path(suite.files, task.id)).is_file():
        return ""
    return f"{path.relative_to(suite.files).as_posix()}: "


class Pointer(NamedTuple):
    """What a call gives where an id belongs: an id, or a reference to one. `place` is where in a list; None alone."""

    name: str
    place: int | None
    value: Any

    def turned(self, given: Any, other: Any) -> Any:
        """The argument with another value in this place."""
        if self.place is None:
            return other
        return [*given[: self.place], other, *given[self.place + 1 :]]


def pointers(tool: Tool, arguments: Mapping[str, Any]) -> Iterator[Pointer]:
    """All of a call, by parameter; of a list, one by one."""
    for name in sorted(tool.refs.keys() & arguments.keys()):
        if isinstance(given := arguments[name], list):
            yield from (Pointer(name, place, value) for place, value in enumerate(given))
        else:
            yield Pointer(name, None, given)


class Workplaces:
    """The workplaces of a suite's tasks, each made once for all tasks that start from the same rows."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite
        self._examples = _examples(suite.tasks)
        self._made: dict[tuple[str, tuple[str, ...], tuple[tuple[str, str], ...], datetime | None], Workplace] = {}

    def of(self, task: Task) -> Workplace:
        """The workplace of the task's agent: its apps' tools, the world's rows after the setup, and what arrives."""
        key = task.world, task.apps, task.needed, task.sessions[0].now
        if task.setup or task.arrivals:
            return self._make(task)
        if key not in self._made:
            self._made[key] = self._make(task)
        return self._made[key]

    def _make(self, task: Task) -> Workplace:
        world = self._suite.load_world(task.world)
        rows: dict[str, dict[str, dict[str, Mapping[str, Any]]]] = {
            app: {table: {row["id"]: row for row in listed} for table, listed in world.rows.get(app, {}).items()}
            for app in task.apps
        }
        for edit in task.setup:
            _edit(rows.setdefault(edit.app, {}).setdefault(edit.table, {}), edit)
        for edit in (edit for arrival in task.arrivals for edit in arrival.edits):
            if edit.op != "remove":  # it is there until then
                _edit(rows.setdefault(edit.app, {}).setdefault(edit.table, {}), edit)
        now = task.sessions[0].now or world.now
        return Workplace(now, toolsets(self._suite, task.apps, task.toolsets), rows, self._examples)


def _examples(tasks: Iterable[Task]) -> dict[tuple[str, str, str], list[Any]]:
    """(app, tool, parameter) -> values that reference solutions give it, each once, in the suite's order."""
    found: dict[tuple[str, str, str], dict[Any, None]] = {}
    for call in (call for task in tasks for call in task.solution):
        for name, value in call.arguments.items():
            if not isinstance(value, dict | list):
                found.setdefault((call.app, call.tool, name), {})[value] = None
    return {key: list(values) for key, values in found.items()}


def _edit(table: dict[str, Mapping[str, Any]], edit: Edit) -> None:
    if edit.op == "remove":
        table.pop(edit.id, None)
    else:
        table[edit.id] = {**table.get(edit.id, {}), **edit.values, "id": edit.id}


@dataclass(frozen=True)
class Column:
    """Values that occur in the columns of one name in one app; `choice` if they are a closed set."""

    values: Sequence[Any]
    choice: bool


@dataclass(frozen=True, eq=False)
class Workplace:
    """Tools, rows and values that there are when a task starts."""

    now: datetime
    toolsets: Mapping[str, Toolset]
    rows: Rows
    examples: Mapping[tuple[str, str, str], Sequence[Any]] = field(default_factory=dict)

    @cached_property
    def tools(self) -> tuple[Tool, ...]:
        """Every tool, app by app."""
        return tuple(tool for toolset in self.toolsets.values() for tool in toolset.tools.values())

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        """Every e-mail address that some column holds, as listed."""
        return tuple(
            dict.fromkeys(
                value
                for tables in self.rows.values()
                for rows in tables.values()
                for row in rows.values()
                for value in row.values()
                if isinstance(value, str) and _ADDRESS.fullmatch(value)
            )
        )

    @cached_property
    def texts(self) -> frozenset[str]:
        """Every text that some row holds as a whole value, `folded`."""
        rows = (row for tables in self.rows.values() for table in tables.values() for row in table.values())
        return frozenset(folded(value) for row in rows for value in row.values() if isinstance(value, str))

    def holds(self, text: str) -> bool:
        """Whether some row holds a text as a whole value, or an address there has it as words of its own."""
        sought = folded(text)
        word = re.compile(rf"(?<![^\W_]){re.escape(sought)}(?![^\W_])")
        return sought in self.texts or any(word.search(folded(address)) for address in self.addresses)

    def tool(self, call: Call) -> Tool | None:
        """The tool that a call names, None if there is none."""
        toolset = self.toolsets.get(call.app)
        return toolset.tools.get(call.tool) if toolset else None

    def ids(self, tool: Tool, parameter: str) -> list[str]:
        """Ids of the rows that a parameter may name."""
        return list(self.rows.get(tool.app, {}).get(tool.refs[parameter].table_name, {}))

    def column(self, tool: Tool, parameter: str, arguments: Mapping[str, Any]) -> Column | None:
        """The column that a parameter's value goes to, as far as names tell.

        It is the one that another argument names (`field="status"`), else the one called like the parameter.
        """
        for name, value in arguments.items():
            if name != parameter and isinstance(value, str) and "enum" in self.schema(tool, name):
                found = self.values(tool.app, value)
                if found and "enum" not in self.schema(tool, parameter):
                    return found
        return self.values(tool.app, parameter)

    @staticmethod
    def schema(tool: Tool, parameter: str) -> dict[str, Any]:
        """A parameter's schema with references resolved and "or null" taken off; its description kept."""
        given = tool.input_schema.get("properties", {}).get(parameter, {})
        found = dict(_plain(given, tool.input_schema))
        return {**found, "description": given.get("description", "")}

    def draws(self, tool: Tool, rng: Random, *, avoid: frozenset[str] = frozenset()) -> Iterator[Call]:
        """Calls of a tool with arguments that should do, without end; none where a row is needed and there is none."""
        required = tool.input_schema.get("required", [])
        names = list(tool.input_schema.get("properties", {}))
        pools = {name: [id for id in self.ids(tool, name) if id not in avoid] for name in names if name in tool.refs}
        if any(name in required and not pool for name, pool in pools.items()):
            return
        while True:
            arguments: dict[str, Any] = {}
            chosen = [name for name in names if name in required or (name not in pools and rng.random() < 0.5)]
            if names and not chosen:
                chosen = [rng.choice([name for name in names if name not in pools] or names)]
            for name in chosen:
                if name in pools:
                    id = rng.choice(pools[name])
                    arguments[name] = [id] if tool.lists(name) else id
                else:
                    arguments[name] = self._value(tool, name, arguments, rng)
            yield Call(app=tool.app, tool=tool.name, arguments=arguments)

    def _value(self, tool: Tool, name: str, chosen: Mapping[str, Any], rng: Random) -> Any:
        schema = self.schema(tool, name)
        if "enum" in schema:
            return rng.choice(schema["enum"])
        column = self.column(tool, name, chosen)
        if column and column.values:
            return rng.choice(column.values)
        if known := self.examples.get((tool.app, tool.name, name)):
            return rng.choice(known)
        return self.made_up(schema, name, rng)

    def made_up(self, schema: Mapping[str, Any], name: str, rng: Random) -> Any:
        """A value that the schema of a field or a parameter of that name should take."""
        if "enum" in schema:
            return rng.choice(schema["enum"])
        match schema.get("type"):
            case "boolean":
                return rng.random() < 0.5
            case "integer" | "number":
                return schema.get("minimum", rng.randint(1, 9))
            case "array":
                return [self.made_up(schema.get("items", {}), name, rng)]
            case "object":
                return {}
        said = f"{name} {schema.get('description', '')}".lower()
        if "format" in schema or "yyyy-mm-dd" in said:
            timed = "hh:mm" in said or schema.get("format") == "date-time"
            return self.now.strftime("%Y-%m-%d %H:%M:%S" if timed else "%Y-%m-%d")
        if ("mail" in said or "address" in said) and self.addresses:
            return rng.choice(self.addresses)
        return "A note"

    def values(self, app: str, name: str) -> Column | None:
        """What stands in the columns of that name in an app; None where there is none."""
        if (app, name) not in self._columns:
            self._columns[app, name] = self._look(app, name)
        return self._columns[app, name]

    @cached_property
    def _columns(self) -> dict[tuple[str, str], Column | None]:
        return {}

    def _look(self, app: str, name: str) -> Column | None:
        tables = [t for t in self.toolsets[app].app.tables if name in t.model_fields] if app in self.toolsets else []
        if not tables or name == "id":
            return None
        held = [
            row[name]
            for table in tables
            for row in self.rows.get(app, {}).get(table.table_name, {}).values()
            if row.get(name) is not None and not isinstance(row[name], dict | list)
        ]
        values = list(dict.fromkeys(held))
        closed = any(_closed(table.model_fields[name].annotation) for table in tables)
        few = 1 < len(values) <= _MOST_KINDS and len(held) >= _ROWS_A_KIND * len(values)
        return Column(values, closed or few)


@cache
def field_schema(table: type[Table], name: str) -> Mapping[str, Any]:
    """A field's schema with references resolved and "or null" taken off."""
    schema = table.model_json_schema()
    return _plain(schema["properties"][name], schema)


def _closed(annotation: Any) -> bool:
    return get_origin(annotation) is Literal or (isinstance(annotation, type) and issubclass(annotation, Enum))


def _plain(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" in schema:
        return _plain(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    for union in ("anyOf", "oneOf", "allOf"):
        if options := [option for option in schema.get(union, ()) if option.get("type") != "null"]:
            return _plain(options[0], root)
    if "const" in schema:
        return {**schema, "enum": [schema["const"]]}
    return schema
