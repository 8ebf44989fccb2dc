"""What an app's author is told of a tool or a table that is declared or written wrongly."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

import pytest

from servers.kernel import App, Defect, Engine, InvalidArguments, State, World
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
