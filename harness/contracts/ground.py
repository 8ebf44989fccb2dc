"""Generated calls: arguments drawn from a tool's JSON Schema, from the world's own values and ids."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import anyio
from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from servers.kernel import (
    Answer,
    Base,
    Defect,
    Engine,
    Failure,
    Layer,
    NotFound,
    Question,
    Table,
    Tables,
    Tool,
    Toolset,
    World,
)

__all__ = ("QUIET", "ContractBroken", "Ground", "Outcome", "Step", "must", "play", "rows")

QUIET = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate, Phase.shrink],
)

Schema = dict[str, Any]
Values = st.SearchStrategy[Any]

_ODD = (
    "", " ", "(", "%", "_", "'", "\\", "\x00", "İ", "2024-03-02", "2024-03-05 13:30:00", "2024-02-30", "x" * 500
)  # fmt: skip

_LISTED, _NESTED = 3, 2
"""Items of a list, unless it needs more, and models of one kind within each other."""

_TIMES = {
    "date": st.sampled_from(["0001-01-01", "2024-02-29", "9999-12-31"]) | st.dates().map(str),
    "date-time": st.sampled_from(["0001-01-01T00:00:00", "9999-12-31T23:59:59"]) | st.datetimes().map(str),
}
"""The first and the last day are where arithmetic breaks."""


_TOGETHER = (
    "where rows have to fit together, name a world whose rows do: harness doctor APP --world W, in a test "
    "contracts(app, world)"
)


class ContractBroken(AssertionError):
    """An app does not keep a promise that all apps make; the text says where."""


def must(kept: bool, broken: str) -> None:
    """Raise `ContractBroken` with that text unless the promise was kept."""
    if not kept:
        raise ContractBroken(broken)


class Step(NamedTuple):
    """One call."""

    tool: Tool
    arguments: dict[str, Any]

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.arguments.items())
        return f"{self.tool.name}({given})"


class Outcome(NamedTuple):
    """What came of a call: its data, or the text of the failure."""

    data: dict[str, Any] | None
    failure: str


class Echo:
    """A user who answers every question with the question, and a worker who reports the task."""

    async def answer(self, question: Question) -> Answer:
        return Answer(text=f"You asked: {question.text}")

    async def work(self, task: str) -> str:
        return f"Done: {task}"


def play(layer: Layer, step: Step) -> Outcome:
    """Make one call. A `Defect` is not caught: it fails the test."""
    state = layer.state(step.tool.owner)
    try:
        if step.tool.kind == "asks":
            return Outcome(anyio.run(step.tool.ask, state, Echo(), step.arguments).data, "")
        if step.tool.kind == "delegates":
            return Outcome(anyio.run(step.tool.delegate, state, Echo(), step.arguments).data, "")
        return Outcome(step.tool.call(state, step.arguments).data, "")
    except Failure as failure:
        return Outcome(None, str(failure))


def rows(layer: Layer, app: Tables) -> dict[str, list[Table]]:
    """Everything that an app sees in a layer, in order."""
    return {table.table_name: layer.state(app).find(table) for table in app.tables}


class Ground:
    """Where calls are tried: a small world, in as many engines as are asked for.

    The world needs a row in every table of the apps that are tried.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self._bases: dict[int, Base] = {}
        self._found: dict[Tool, dict[str, Any] | None] = {}
        self._refused: dict[Tool, dict[str, list[str]]] = {}
        self._drawn: dict[Tool, st.SearchStrategy[dict[str, Any]]] = {}
        weakref.finalize(self, _close, self._bases)

    def layer(self, number: int = 0) -> Layer:
        """A fresh sandbox; another number is another engine, as another process would have."""
        if number not in self._bases:
            self._bases[number] = Engine().load(self.world)
        return Layer(self._bases[number])

    def steps(self, toolset: Toolset, most: int = 8) -> st.SearchStrategy[list[Step]]:
        """Sequences of calls to one toolset."""
        calls = [st.builds(Step, st.just(tool), self._arguments(tool)) for tool in toolset.tools.values()]
        return st.lists(st.one_of(calls), min_size=1, max_size=most)

    def succeeding(self, tool: Tool) -> dict[str, Any]:
        """Generated arguments with which a call on the untouched world succeeds; `ContractBroken` if none does."""
        if tool not in self._found:
            self._found[tool] = self._first(tool, lambda drawn: self._succeeds(tool, drawn))
        found = self._found[tool]
        if found is None:
            broken = ContractBroken(f"of the calls generated for {tool.name} none succeeds{self._why(tool)}")
            broken.add_note(_TOGETHER)
            raise broken
        return found

    def idle(self, tool: Tool) -> bool:
        """Whether calls succeed, and none of those generated writes a row; a tool that breaks is told of elsewhere."""
        try:
            self.succeeding(tool)
            return self._first(tool, lambda drawn: self._writes(tool, drawn)) is None
        except (ContractBroken, Defect):
            return False

    def _first(self, tool: Tool, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any] | None:
        """The first arguments generated of which that is so."""
        sober = settings(QUIET, max_examples=1_000, phases=[Phase.generate])
        try:
            return find(self._arguments(tool), wanted, settings=sober, random=Random(0))
        except NoSuchExample:
            return None

    def _succeeds(self, tool: Tool, arguments: dict[str, Any]) -> bool:
        layer = self.layer()
        try:
            outcome = play(layer, Step(tool, arguments))
            if outcome.failure:
                alike = re.sub(r"'.*?'|[0-9]+", "", outcome.failure)
                self._refused.setdefault(tool, {}).setdefault(alike, []).append(outcome.failure)
            return not outcome.failure
        finally:
            layer.close()

    def _writes(self, tool: Tool, arguments: dict[str, Any]) -> bool:
        layer = self.layer()
        try:
            return not play(layer, Step(tool, arguments)).failure and bool(layer.written)
        finally:
            layer.close()

    def _why(self, tool: Tool) -> str:
        """What most of its calls are refused for: if there is one, for something else than an id that was made up."""
        refused = sorted(self._refused.get(tool, {}).values(), key=len, reverse=True)
        unknown = {str(NotFound(table.noun, "")).partition("''")[0] for table in tool.owner.tables}
        other = [said for said in refused if not any(said[0].startswith(start) for start in unknown)]
        return f": {(other or refused)[0][0]}" if refused else ""

    def _arguments(self, tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
        if tool not in self._drawn:
            self._drawn[tool] = self._arguments_of(tool)
        return self._drawn[tool]

    def _arguments_of(self, tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
        schema = tool.input_schema
        definitions = schema.get("$defs", {})
        drawn = {
            name: _values(
                part,
                definitions,
                self._ids(tool.owner, tool.refs[name]) if name in tool.refs else self._texts(tool.owner, name),
            )
            for name, part in schema.get("properties", {}).items()
        }
        required = set(schema.get("required", ()))
        return st.fixed_dictionaries(
            {name: values for name, values in drawn.items() if name in required},
            optional={name: values for name, values in drawn.items() if name not in required},
        )

    def _ids(self, app: Tables, table: type[Table]) -> Values:
        """Ids that exist, those that the next rows get, and ids of nothing."""
        known = [row["id"] for row in self.world.rows[app.name][table.table_name]]
        last = max(table.id_number(id) for id in known)
        coming = [table.id_format.format(last + step) for step in (1, 2)]
        return st.one_of(st.sampled_from(known), st.sampled_from([*known, *coming, "", "0", "99999999"]), st.text())

    def _texts(self, app: Tables, name: str) -> Values:
        """The column of that name, any text of the app's rows, pieces of them, and noise."""
        columns: dict[str, list[str]] = {}
        for table in self.world.rows.get(app.name, {}).values():
            for row in table:
                for column, value in row.items():
                    if isinstance(value, str):
                        columns.setdefault(column, []).append(value)
        every = [text for texts in columns.values() for text in texts] or ["Which one?"]
        pieces = sorted({piece for text in every for piece in text.split()})
        return st.one_of(
            st.sampled_from(columns.get(name, every)),
            st.sampled_from(every),
            st.sampled_from(pieces),
            st.sampled_from(_ODD),
            st.text(max_size=30),
        )


def _close(bases: dict[int, Base]) -> None:
    for base in bases.values():
        base.engine.close()
    bases.clear()


def _values(schema: Schema, definitions: Schema, texts: Values, within: tuple[str, ...] = ()) -> Values:
    """What fits a schema, with `texts` wherever it takes any. `within` are the definitions that it is a part of.

    Below the second of one kind there is no third, or a model that holds others of its kind would have no end: lists
    of them are empty there, and what may be left out is.
    """
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return (
            st.nothing()
            if within.count(name) == _NESTED
            else _values(definitions[name], definitions, texts, (*within, name))
        )
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return st.one_of([_values(option, definitions, texts, within) for option in options])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        least = schema.get("minItems", 0)
        most = min(schema.get("maxItems", _LISTED), max(least, _LISTED))
        items = _values(schema.get("items", {}), definitions, texts, within)
        if items.is_empty:
            return st.nothing() if least else st.builds(list)
        return st.lists(items, min_size=least, max_size=most)
    if kind == "object":
        properties = schema.get("properties", {})
        parts = {name: _values(part, definitions, texts, within) for name, part in properties.items()}
        required = set(schema.get("required", ()))
        return st.fixed_dictionaries(
            {name: part for name, part in parts.items() if name in required},
            optional={name: part for name, part in parts.items() if name not in required},
        )
    numbers = (schema.get("minimum"), schema.get("maximum"))
    plain: dict[Any, Values] = {
        "string": _TIMES.get(schema.get("format", ""), texts),
        "integer": st.integers(*numbers) | st.integers(0, 10),
        "number": st.floats(*numbers, allow_nan=False, allow_infinity=False),
        "boolean": st.booleans(),
        "null": st.none(),
        None: st.one_of(texts, st.integers(), st.none()),
    }
    return plain[kind]
