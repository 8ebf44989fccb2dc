"""A row model that is also the table."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, TypeAdapter

__all__ = ("Column", "Ref", "Table")


class Column(NamedTuple):
    """How one field is stored. `encode` and `decode` are None where the value is stored as it is."""

    name: str
    sql: str
    encode: Callable[[Any], Any] | None
    decode: Callable[[Any], Any] | None


_SCALARS: Mapping[type, str] = {
    bool: "BOOLEAN",
    int: "BIGINT",
    float: "DOUBLE",
    str: "VARCHAR",
    bytes: "BLOB",
    datetime: "TIMESTAMP",
    date: "DATE",
}


def _column(name: str, annotation: Any) -> Column:
    inner = annotation
    while True:
        origin = get_origin(inner)
        if origin is Annotated:
            inner = get_args(inner)[0]
        elif origin in (Union, types.UnionType):
            options = [option for option in get_args(inner) if option is not type(None)]
            if len(options) != 1:
                break
            inner = options[0]
        else:
            break
    if get_origin(inner) is Literal and all(isinstance(value, str) for value in get_args(inner)):
        return Column(name, "VARCHAR", None, None)
    if isinstance(inner, type) and issubclass(inner, Enum) and issubclass(inner, str):
        return Column(name, "VARCHAR", lambda value: None if value is None else inner(value).value, inner)
    if isinstance(inner, type) and inner in _SCALARS:
        return Column(name, _SCALARS[inner], None, None)
    adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    return Column(name, "VARCHAR", lambda value: adapter.dump_json(value).decode(), adapter.validate_json)


class Table(BaseModel):
    """Base of every row model: `class Email(Table, name="emails", ids="{:08d}")`.

    `name` is the table's name inside its app, `ids` the format of a generated id, `noun` what an
    error calls one row. The key is always `id`; leave it empty and `State.add` gives the next one.
    """

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    table_name: ClassVar[str]
    id_format: ClassVar[str]
    noun: ClassVar[str]
    columns: ClassVar[tuple[Column, ...]]
    _id_pattern: ClassVar[re.Pattern[str]]

    id: str = ""

    def __init_subclass__(cls, *, name: str = "", ids: str = "{}", noun: str = "", **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)

    @classmethod
    def __pydantic_init_subclass__(cls, *, name: str = "", ids: str = "{}", noun: str = "", **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise TypeError(f'{cls.__name__}: write `class {cls.__name__}(Table, name="lower_case")`, not {name!r}')
        before, _, after = ids.partition("{")
        cls.table_name = name
        cls.id_format = ids
        cls.noun = noun or name.removesuffix("s").replace("_", " ")
        cls._id_pattern = re.compile(re.escape(before) + r"(\d{1,18})" + re.escape(after.partition("}")[2]))
        cls.columns = tuple(_column(key, field.annotation) for key, field in cls.model_fields.items())

    @classmethod
    def id_number(cls, id: str) -> int:
        """The number inside a generated id; 0 for an id of another shape."""
        match = cls._id_pattern.fullmatch(id)
        return int(match[1]) if match else 0

    def stored(self) -> list[Any]:
        """Column values as DuckDB takes them, `id` first."""
        return [
            value if column.encode is None else column.encode(value)
            for column in self.columns
            for value in (getattr(self, column.name),)
        ]

    @classmethod
    def restored(cls, values: tuple[Any, ...]) -> Any:
        """The row that `stored` gave, unvalidated: what the store holds was validated on its way in."""
        return cls.model_construct(
            **{
                column.name: value if column.decode is None else column.decode(value)
                for column, value in zip(cls.columns, values, strict=True)
            }
        )


@dataclass(frozen=True)
class Ref:
    """Marks a string as the id of a row of `table`: `Annotated[str, Ref(Project)]`."""

    table: type[Table]
