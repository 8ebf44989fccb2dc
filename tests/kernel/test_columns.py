from __future__ import annotations

from datetime import date, datetime
from enum import Enum, StrEnum
from typing import Any, Literal, get_args

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from pydantic import BaseModel, Field

from servers.kernel import App, Engine, Layer, Rejected, State, StateError, Table, World
from tests.kernel.desk import NOW


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Weekday(Enum):
    MONDAY = 1


class Part(BaseModel):
    name: str
    sizes: list[int] = Field(default=[])
    inner: Part | None = None


class Thing(Table, name="things"):
    text: str = ""
    whole: int = 0
    real: float = 0.0
    flag: bool = False
    day: date = date(2024, 1, 1)
    time: datetime = NOW
    data: bytes = b""
    words: list[str] = Field(default=[])
    part: Part = Part(name="p")
    parts: dict[str, Part] = Field(default={})
    choice: Literal["a", "b"] = "a"
    level: Literal[1, 2] = 1
    colour: Colour = Colour.RED
    weekday: Weekday = Weekday.MONDAY
    either: int | str = 0
    joined: Literal["a", "b"] | Literal["c"] | None = None
    maybe_text: str | None = None
    maybe_whole: int | None = None
    maybe_colour: Colour | None = None
    maybe_words: list[str] | None = None
    maybe_time: datetime | None = None


app = App("shop", "Things.", tables=(Thing,))

whole = st.integers(-(2**63), 2**63 - 1)
text = st.text(st.characters(codec="utf-8"))
part = st.builds(Part, name=text, sizes=st.lists(st.integers()), inner=st.none() | st.builds(Part, name=text))
things = st.builds(
    Thing,
    id=text.filter(bool),
    text=text,
    whole=whole,
    real=st.floats(allow_nan=False, allow_infinity=False),
    flag=st.booleans(),
    day=st.dates(),
    time=st.datetimes(),
    data=st.binary(),
    words=st.lists(text),
    part=part,
    parts=st.dictionaries(text, part, max_size=2),
    choice=st.sampled_from(["a", "b"]),
    level=st.sampled_from([1, 2]),
    colour=st.sampled_from(Colour),
    either=st.integers() | text,
    joined=st.sampled_from(["a", "c", None]),
    maybe_text=st.none() | text,
    maybe_whole=st.none() | whole,
    maybe_colour=st.none() | st.sampled_from(Colour),
    maybe_words=st.none() | st.lists(text),
    maybe_time=st.none() | st.datetimes(),
)


def sandbox(engine: Engine, *rows: dict[str, Any]) -> Layer:
    return engine.layer(engine.load(World("shop", NOW, {"shop": {"things": rows}})))


def state(engine: Engine, *rows: dict[str, Any]) -> State:
    return sandbox(engine, *rows).state(app)


@given(things)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_every_type_comes_back_from_memory_from_sql_and_from_a_world(thing: Thing) -> None:
    engine = Engine()
    try:
        mine = state(engine)
        added = mine.add(thing)
        theirs = state(engine, {"id": thing.id, **added.to_json()})

        assert added == thing
        assert mine.get(Thing, thing.id) == thing
        assert mine.find(Thing) == [thing]
        assert theirs.get(Thing, thing.id) == thing
        assert mine.find(Thing, "id = ?", [thing.id]) == theirs.find(Thing, "id = ?", [thing.id]) == [thing]
    finally:
        engine.close()


def test_zero_has_no_sign_once_it_is_kept() -> None:
    """The two are equal, and their bytes are not: of equal rows there would be two digests."""
    mine = sandbox(Engine())
    mine.state(app).add(Thing(id="1", real=-0.0))

    assert str(mine.state(app).get(Thing, "1").real) == "0.0"


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("whole", 2**63, "whole is 9223372036854775808, which is beyond the 64 bits"),
        ("maybe_whole", -(2**63) - 1, "maybe_whole is -9223372036854775809"),
        ("real", float("nan"), "real is nan, which is not a finite number"),
        ("real", float("inf"), "real is inf"),
        ("text", "a\ud800", "text holds an unpaired surrogate"),
        ("words", ["a\ud800"], "words cannot be kept"),
        ("time", datetime.fromisoformat("2024-01-01T00:00:00Z"), "give a local time, without a time zone"),
    ],
)
def test_what_a_column_cannot_hold_is_refused_and_changes_nothing(field: str, value: Any, problem: str) -> None:
    mine = state(Engine(), {"id": "1"})
    with pytest.raises(Rejected, match=problem):
        mine.add(Thing.model_validate({field: value}))
    with pytest.raises(Rejected, match=problem):
        mine.save(Thing.model_validate({"id": "1", field: value}))

    assert mine.find(Thing) == [Thing(id="1")]
    assert mine.add(Thing()).id == "2"


def test_a_world_with_what_a_column_cannot_hold_is_refused() -> None:
    with pytest.raises(StateError, match=r"shop\.things, row 0, does not fit: whole is 9223372036854775808"):
        state(Engine(), {"id": "1", "whole": 2**63}).find(Thing)


def test_nothing_is_stored_as_null() -> None:
    mine = state(Engine())
    mine.add(Thing())
    nulls = [name for name, field in Thing.model_fields.items() if type(None) in get_args(field.annotation)]

    assert mine.find(Thing, " AND ".join(f"{name} IS NULL" for name in nulls)) == [Thing(id="1")]


def test_whole_number_choices_compare_as_numbers() -> None:
    mine = state(Engine(), {"id": "1", "level": 2})

    assert [thing.id for thing in mine.find(Thing, "level > ?", [1])] == ["1"]


def test_choices_put_together_are_stored_as_the_text_that_they_are() -> None:
    mine = state(Engine(), {"id": "1", "joined": "b"})
    mine.add(Thing(joined="c"))

    assert mine.query("SELECT joined FROM things") == [("b",), ("c",)]
    assert [thing.joined for thing in mine.find(Thing, "joined > 'a'", order="joined")] == ["b", "c"]


def test_key_order_inside_a_value_is_no_change() -> None:
    layer = sandbox(Engine(), {"id": "1", "parts": {"a": {"name": "x"}, "b": {"name": "y"}}})
    mine = layer.state(app)
    thing = mine.get(Thing, "1")
    thing.parts = dict(reversed(thing.parts.items()))
    mine.save(thing)

    assert layer.changes() == []


def test_a_set_is_refused_wherever_it_hides() -> None:
    with pytest.raises(TypeError, match="Tagged: tags is or holds a set"):

        class Tagged(Table, name="tagged"):
            tags: dict[str, set[str]]


@pytest.mark.parametrize("ids", ["x", "{:x}", "{}-{}", "{:.1f}"])
def test_an_id_format_must_hold_one_decimal_number(ids: str) -> None:
    with pytest.raises((TypeError, IndexError)):

        class Odd(Table, name="odd", ids=ids):
            pass


@pytest.mark.parametrize("name", ["", "Things", "my things", "1st"])
def test_a_table_needs_a_plain_name(name: str) -> None:
    with pytest.raises(TypeError, match="lower_case"):

        class Bad(Table, name=name):
            pass


def test_an_id_format_may_have_text_around_its_number() -> None:
    class Ticket(Table, name="tickets", ids="T-{:04d}.x"):
        pass

    desk = App("tickets", "Tickets.", tables=(Ticket,))
    engine = Engine()
    rows = {"tickets": {"tickets": [{"id": "T-0009.x"}, {"id": "0900"}]}}
    mine = engine.layer(engine.load(World("t", NOW, rows))).state(desk)

    assert mine.add(Ticket()).id == "T-0010.x"
