"""What a row has where nothing is given."""

from __future__ import annotations

from datetime import date, datetime
from enum import StrEnum
from itertools import count
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints

from servers.kernel import Table
from tests.kernel.desk import Paper, Tray


class Colour(StrEnum):
    RED = "red"


class Size(BaseModel):
    width: int = 1


numbers = count()


class Thing(Table, name="things"):
    title: str
    starred: bool = False
    priority: int = 3
    weight: float = 1
    labels: list[str] = []  # noqa: RUF012 - a table's author may write it
    marks: list[str] = Field(default_factory=list)
    kinds: dict[str, int] = Field(default_factory=lambda: {"a": 1})
    colour: Colour = Colour.RED
    size: Size = Size()
    day: date = date(2025, 3, 13)
    since: datetime = datetime(2025, 3, 13, 9)
    photo: bytes = b"\xff\x00"
    folder: Annotated[str, StringConstraints(to_lower=True)] = "Inbox"
    empty: str = ""
    note: str | None = None
    copy_of: str = Field(default_factory=lambda done: done["title"])
    number: int = Field(default_factory=lambda: next(numbers))


def test_defaults_are_the_json_values_that_a_row_holds_where_nothing_is_given() -> None:
    found = Thing.defaults()
    row = Thing(title="a").checked().to_json()

    assert found == {name: row[name] for name in found}
    assert found.keys() == row.keys() - {"title", "note", "copy_of", "number"}


def test_a_default_that_is_null_or_differs_from_row_to_row_is_none() -> None:
    assert Thing.defaults().keys().isdisjoint({"note", "copy_of", "number", "id"})


def test_a_default_that_the_field_s_own_type_refuses_is_none_since_no_row_can_hold_it() -> None:
    class Odd(Table, name="odds"):
        size: Annotated[int, Field(gt=0)] = 0

    assert Odd.defaults() == {}


def test_a_table_without_defaults_has_none() -> None:
    assert (Tray.defaults(), Paper.defaults()) == ({}, {"pages": 1})


def test_what_one_caller_does_to_them_no_other_sees() -> None:
    first: dict[str, Any] = Thing.defaults()
    first["labels"].append("x")
    del first["starred"]

    assert Thing.defaults()["labels"] == []
    assert Thing.defaults()["starred"] is False
