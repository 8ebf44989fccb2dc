"""Near misses, ends and generated calls, each by itself, on tables that no app of ours has."""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from random import Random
from typing import Annotated, Any, Literal

import pytest

from harness.audit.ends import normal
from harness.audit.values import off_by_one
from harness.audit.workplace import Column, Workplace, pointers
from harness.task import Compare
from servers.kernel import App, Change, Ref, State, Table

NOW = datetime(2025, 3, 13, 9)


class Box(Table, name="boxes", ids="B-{:03d}"):
    colour: Literal["red", "green"]
    size: int
    owner: str | None = None


depot = App("depot", "Keep boxes.", tables=(Box,))
floor = depot.toolset("floor")


@floor.writes
def paint(state: State, box: Annotated[str, Ref(Box)], field: Literal["colour", "owner"], value: str) -> str:
    """Change a box."""
    return box


@floor.writes
def store(state: State, colour: Literal["red", "green"], size: int, owner_address: str, heavy: bool = False) -> str:
    """Add a box."""
    return ""


@floor.writes
def burn(state: State, boxes: Annotated[list[str], Ref(Box)]) -> str:
    """Burn boxes."""
    return ""


ROWS = {
    f"B-{n:03d}": {"id": f"B-{n:03d}", "colour": "red", "size": n, "owner": f"p{n}@depot.test"} for n in range(1, 4)
}
PLACE = Workplace(NOW, {"depot": floor}, {"depot": {"boxes": ROWS}})


@pytest.mark.parametrize(
    ("value", "kind", "others"),
    [
        (7, "number", {6, 8}),
        ("30", "number", {"29", "31"}),
        ("0", "number", {"1"}),
        ("2024-02-28", "date", {"2024-02-27", "2024-02-29"}),
        ("2025-01-01 00:00:00", "time", {"2024-12-31 23:30:00", "2025-01-01 00:30:00"}),
        ("09:00", "time", {"08:30", "09:30"}),
        (True, "choice", {False}),
        ("ann@depot.test", "person", {"bea@depot.test"}),
        ("Paint the box", "text", {"Paint the box indeed", "Paint the"}),
        ("2024-13-45", "text", {"2024-13-45 indeed"}),
    ],
)
def test_a_near_miss_is_of_the_same_form(value: Any, kind: str, others: set[Any]) -> None:
    found = off_by_one(value, {}, None, ["Ann@depot.test", "bea@depot.test"], Random(0))

    assert found is not None
    assert (found[0], set(found[1])) == (kind, others)


def test_a_value_of_a_closed_set_becomes_another_of_it() -> None:
    by_schema = off_by_one("red", {"enum": ["red", "green"]}, None, [], Random(0))
    by_column = off_by_one("Won", {}, Column(["Won", "Lost", "won"], True), [], Random(0))

    assert by_schema is not None
    assert (by_schema[0], list(by_schema[1])) == ("choice", ["green"])
    assert by_column is not None
    assert (by_column[0], list(by_column[1])) == ("choice", ["Lost"])


def test_a_drawn_call_fits_its_tool_and_names_rows_that_are_there() -> None:
    for tool in floor.tools.values():
        calls = list(islice(PLACE.draws(tool, Random(1)), 30))
        for call in calls:
            tool.check(call.arguments)
        assert len(calls) == 30
        assert {pointer.value for call in calls for pointer in pointers(tool, call.arguments)} <= ROWS.keys()


def test_what_a_call_points_at_is_told_one_by_one_and_turned_in_its_place() -> None:
    given = {"boxes": ["B-001", {"ref": "new"}]}
    first, second = pointers(floor.tools["burn"], given)
    (alone,) = pointers(floor.tools["paint"], {"box": "B-001", "field": "owner", "value": "B-002"})

    assert (first.name, first.value, second.value) == ("boxes", "B-001", {"ref": "new"})
    assert second.turned(given["boxes"], "B-003") == ["B-001", "B-003"]
    assert (alone.value, alone.turned("B-001", "B-003")) == ("B-001", "B-003")


def test_a_value_is_drawn_from_the_column_that_another_argument_names() -> None:
    calls = list(islice(PLACE.draws(floor.tools["paint"], Random(1)), 40))

    drawn = {
        field: {c.arguments["value"] for c in calls if c.arguments["field"] == field} for field in ("colour", "owner")
    }
    assert drawn == {"colour": {"red"}, "owner": {row["owner"] for row in ROWS.values()}}


def test_a_text_that_is_said_to_be_an_address_gets_one() -> None:
    call = next(PLACE.draws(floor.tools["store"], Random(1)))

    assert call.arguments["owner_address"] in PLACE.addresses


def test_rows_to_avoid_are_not_drawn() -> None:
    calls = islice(PLACE.draws(floor.tools["paint"], Random(1), avoid=frozenset({"B-001", "B-002"})), 20)

    assert {call.arguments["box"] for call in calls} == {"B-003"}
    assert list(PLACE.draws(floor.tools["paint"], Random(1), avoid=frozenset(ROWS))) == []


def box(id: str, colour: str = "red", owner: str | None = None, before: dict[str, Any] | None = None) -> Change:
    after = {"colour": colour, "size": 1, "owner": owner}
    return Change(app="depot", table="boxes", id=id, before=before, after=after)


def test_ids_and_order_of_new_rows_make_no_difference() -> None:
    assert normal([box("B-004", "red"), box("B-005", "green")]) == normal([box("B-004", "green"), box("B-005", "red")])
    assert normal([box("B-004")]) != normal([box("B-004"), box("B-005")])


def test_new_rows_are_told_apart_by_what_refers_to_them() -> None:
    one = [box("B-004", "red"), box("B-005", "green"), box("B-006", owner="B-004")]
    same = [box("B-006", "red"), box("B-004", "green"), box("B-005", owner="B-006")]
    other = [box("B-004", "red"), box("B-005", "green"), box("B-006", owner="B-005")]

    assert normal(one) == normal(same) != normal(other)


def test_an_update_is_its_row_and_its_new_values() -> None:
    before = {"colour": "red", "size": 1, "owner": None}

    assert normal([box("B-001", "green", before=before)]) != normal([box("B-002", "green", before=before)])
    assert normal([box("B-001", "green", before=before)]) != normal([box("B-001", "green", "Ann", before=before)])


def test_a_comparison_frees_fields_and_folds_text() -> None:
    before = {"colour": "red", "size": 1, "owner": None}
    compare = Compare(text=frozenset({"depot.boxes.owner"}), free=frozenset({"depot.boxes.colour"}))

    assert normal([box("B-004", owner=" ANN  B")], compare) == normal([box("B-004", "green", "ann b")], compare)
    assert normal([box("B-001", "green", before=before)], compare) == ()
