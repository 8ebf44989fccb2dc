"""What an app's author is told of a tool or a table that is declared or written wrongly."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import Any, NamedTuple

import pytest
from pydantic import BaseModel, computed_field, field_serializer

from servers.kernel import App, Defect, Engine, InvalidArguments, Rejected, State, Table, World
from tests.kernel.desk import NOW, Tray


def test_a_tool_that_would_lose_its_first_argument_is_refused() -> None:
    def stateless(title: str) -> str:
        """Lose the title."""
        return ""

    async def userless(state: State, title: str) -> str:
        """Lose the title."""
        return ""

    with pytest.raises(TypeError, match=r"new\.stateless: begin with `state: State`, as every `reads` tool does"):
        App("new", "").reads(stateless)
    with pytest.raises(TypeError, match=r"new\.userless: begin with `state: State, user: User`, as every `asks` tool"):
        App("new", "").asks(userless)


@pytest.mark.parametrize("tables", [Tray, (Tray, "papers"), {Tray}])
def test_tables_that_are_no_tuple_of_tables_are_refused(tables: Any) -> None:
    with pytest.raises(TypeError, match=r"app new: `tables` is .*: write a tuple of tables"):
        App("new", "", tables=tables)


def test_a_tool_that_gives_none_in_place_of_a_row_is_defective() -> None:
    new = App("new", "", tables=(Tray,))

    @new.reads
    def lost(state: State) -> Tray:
        """Find it."""
        return None  # type: ignore[return-value]

    @new.reads
    def sought(state: State) -> Tray | None:
        """Look for it."""
        return None

    engine = Engine()
    state = engine.layer(engine.load(World("bare", NOW, {}))).state(new)

    assert new.default.tool("sought").call(state, {}).data == {"result": None}
    with pytest.raises(
        Defect, match=r"new\.lost is defective: TypeError: it returned None, and its return type has no"
    ):
        new.default.tool("lost").call(state, {})


def test_a_date_that_is_misread_says_how_to_write_one() -> None:
    new = App("new", "", tables=(Tray,))

    @new.reads
    def due(state: State, day: date, at: datetime) -> str:
        """Say when."""
        return ""

    with pytest.raises(InvalidArguments) as refused:
        new.default.tool("due").check({"day": "20 March", "at": "noon"})

    day, at = refused.value.problems
    assert day.endswith(": write 2025-03-20")
    assert at.endswith(": write 2025-03-20T09:00")


def test_a_duration_that_is_misread_is_not_told_how_to_write_a_time_of_day() -> None:
    new = App("new", "", tables=(Tray,))

    @new.reads
    def meet(state: State, at: time, lasting: timedelta) -> str:
        """Say when, and for how long."""
        return ""

    with pytest.raises(InvalidArguments) as refused:
        new.default.tool("meet").check({"at": "noon", "lasting": "long"})

    at, lasting = refused.value.problems
    assert at.endswith(": write 09:00")
    assert lasting.startswith("'lasting': input should be a valid timedelta")
    assert "write" not in lasting


class Labels(BaseModel):
    names: dict[str, frozenset[str]]


class Spelled(BaseModel):
    names: set[str]

    @field_serializer("names")
    def _in_order(self, names: set[str]) -> list[str]:
        return sorted(names)


class Summed(NamedTuple):
    names: set[str]


@pytest.mark.parametrize("returned", [set[str], frozenset[int] | None, list[AbstractSet[str]], list[Labels]])
def test_a_tool_that_returns_a_set_is_refused_when_it_is_declared(returned: Any) -> None:
    def labels(state: State) -> Any:
        """List the labels."""

    labels.__annotations__["return"] = returned

    with pytest.raises(TypeError, match=r"^new\.labels: its result is or holds a set, .*: return a list$"):
        App("new", "").reads(labels)


def test_a_set_that_only_the_schema_of_a_result_shows_is_refused_when_the_tool_is_served() -> None:
    new = App("new", "")

    @new.reads
    def sums(state: State) -> Summed:
        """Sum up."""
        return Summed({"a"})

    with pytest.raises(TypeError, match=r"new\.sums: its result is or holds a set"):
        new.default.prepare()


def test_a_set_that_is_written_down_as_a_list_may_be_returned() -> None:
    new = App("new", "")

    @new.reads
    def spelled(state: State) -> Spelled:
        """List the names."""
        return Spelled(names={"b", "a"})

    assert given(new, "spelled") == {"names": ["a", "b"]}


class Wall(Enum):
    NORTH = 1


@dataclass(frozen=True, slots=True)
class Held:
    value: Any


class Open(BaseModel, extra="allow"):
    value: Any = None


@pytest.mark.parametrize(
    "value",
    [{1, 2}, [frozenset("a")], {"a": ({1},)}, Held({1}), Open(value={1}), Open.model_validate({"more": {1}})],
    ids=repr,
)
def test_a_set_within_a_result_of_any_type_is_a_defect(value: Any) -> None:
    problem = "TypeError: it returned a set, whose order differs between processes: return a list"
    with pytest.raises(Defect, match=problem):
        given(found(value), "found")


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "holds a number that JSON does not have"),
        ([1.0, {"a": float("-inf")}], "holds a number that JSON does not have"),
        (Held(float("inf")), "holds a number that JSON does not have"),
        (Open(value=float("nan")), "holds a number that JSON does not have"),
        (Open.model_validate({"more": float("nan")}), "holds a number that JSON does not have"),
        ([1j], "holds a value of type complex, which JSON does not have"),
    ],
    ids=repr,
)
def test_what_json_does_not_have_is_refused_within_a_result_of_any_type(value: Any, problem: str) -> None:
    with pytest.raises(Rejected, match=f"^The result {problem}.*, which cannot be given"):
        given(found(value), "found")


def test_what_json_has_is_given_within_a_result_of_any_type() -> None:
    value = [Wall.NORTH, 1.5, date(2025, 3, 20), None, Held((1, "a")), Open.model_validate({"value": True, "more": []})]

    assert given(found(value), "found") == {
        "value": [1, 1.5, "2025-03-20", None, {"value": [1, "a"]}, {"value": True, "more": []}]
    }


def test_two_tables_of_one_name_are_refused() -> None:
    class Shelf(Table, name="trays"):
        pass

    with pytest.raises(TypeError, match="app new: Tray and Shelf are both named 'trays': rename one of them"):
        App("new", "", tables=(Tray, Shelf))


def test_a_computed_field_of_a_table_is_refused() -> None:
    with pytest.raises(TypeError, match=r"Priced: gross is a computed field, .*: make it a plain property, "):

        class Priced(Table, name="priced"):
            net: int

            @computed_field
            def gross(self) -> int:
                return self.net * 2


def found(value: Any) -> App:
    """An app whose tool returns that."""
    new = App("new", "")

    @new.reads(name="found")
    def tool(state: State) -> dict[str, Any]:
        """Find it."""
        return {"value": value}

    return new


def given(app: App, tool: str) -> dict[str, Any]:
    """What comes out of a tool that takes nothing."""
    engine = Engine()
    try:
        layer = engine.layer(engine.load(World("bare", NOW, {})))
        return app.default.tool(tool).call(layer.state(app), {}).data
    finally:
        engine.close()
