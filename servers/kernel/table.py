"""A row model that is also the table."""

from __future__ import annotations

import json
import math
import re
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Protocol, Self, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from servers.kernel.dated import is_dated
from servers.kernel.errors import Rejected
from servers.kernel.schema import holds_sets

__all__ = ("Column", "Ref", "Table", "Tables", "refs")


class Column(NamedTuple):
    """How one field is stored. `encode` and `decode` are None where the value is stored as it is.

    Neither ever sees None, which is stored as NULL. `dated`: it holds dates, which move when a world does.
    """

    name: str
    sql: str
    encode: Callable[[Any], Any] | None = None
    decode: Callable[[Any], Any] | None = None
    dated: bool = False


def _whole(name: str) -> Callable[[int], int]:
    def check(value: int) -> int:
        if not -(2**63) <= value < 2**63:
            raise Rejected(f"{name} is {value}, which is beyond the 64 bits that a whole number may have.")
        return value

    return check


def _finite(name: str) -> Callable[[float], float]:
    def check(value: float) -> float:
        if not math.isfinite(value):
            raise Rejected(f"{name} is {value}, which is not a finite number.")
        return value + 0.0  # -0.0 equals 0.0, and is other bytes in a digest

    return check


def _local(name: str) -> Callable[[datetime], datetime]:
    def check(value: datetime) -> datetime:
        if value.tzinfo is not None:
            raise Rejected(f"{name} is {value.isoformat()}; give a local time, without a time zone.")
        return value

    return check


def _text(name: str) -> Callable[[str], str]:
    def check(value: str) -> str:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise Rejected(f"{name} holds an unpaired surrogate, which no text may hold.") from None
        return value

    return check


def _json(name: str, adapter: TypeAdapter[Any]) -> Callable[[Any], str]:
    def dump(value: Any) -> str:
        try:
            return adapter.dump_json(value).decode()
        except PydanticSerializationError as error:
            raise Rejected(f"{name} cannot be kept: {error}.") from None

    return dump


_SCALARS: Mapping[type, tuple[str, Callable[[str], Callable[[Any], Any]] | None]] = {
    bool: ("BOOLEAN", None),
    int: ("BIGINT", _whole),
    float: ("DOUBLE", _finite),
    str: ("VARCHAR", _text),
    bytes: ("BLOB", None),
    datetime: ("TIMESTAMP", _local),
    date: ("DATE", None),
}
"""SQL type, and what a value must pass that the SQL type or JSON could not hold."""


def _bare(annotation: Any) -> Any:
    """The type without `Annotated` and `Optional` around it."""
    while True:
        origin, args = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            annotation = args[0]
        elif origin in (Union, types.UnionType):
            options = [option for option in args if option is not type(None)]
            if len(options) != 1:
                return annotation
            annotation = options[0]
        else:
            return annotation


def _kinds(inner: Any) -> list[Any]:
    """The types of a bare type's values: of a union those of each option, of literals those of each value."""
    if get_origin(inner) is Literal:
        return [type(value) for value in get_args(inner)]
    if get_origin(inner) in (Union, types.UnionType):
        return [kind for option in get_args(inner) if option is not type(None) for kind in _kinds(_bare(option))]
    return [inner]


def _column(name: str, annotation: Any) -> Column:
    inner = _bare(annotation)
    kinds = _kinds(inner)
    if all(kind is kinds[0] for kind in kinds):
        inner = kinds[0]
    if isinstance(inner, type) and issubclass(inner, Enum) and issubclass(inner, str):
        return Column(name, "VARCHAR", lambda value: value.value, inner)
    if isinstance(inner, type) and inner in _SCALARS:
        sql, check = _SCALARS[inner]
        return Column(name, sql, check and check(name))
    adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    if holds_sets(adapter.json_schema()):
        raise TypeError(f"{name} is or holds a set, whose order differs between processes: use a list")
    return Column(name, "VARCHAR", _json(name, adapter), adapter.validate_json)


class Table(BaseModel):
    """Base of every row model: `class Email(Table, name="emails", ids="{:08d}")`.

    `name` is the table's name inside its app, `ids` the format of a generated id, `noun` what an
    error calls one row. The key is always `id`; leave it empty and `State.add` gives the next one.
    """

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, ser_json_bytes="base64", val_json_bytes="base64"
    )

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
        cls._id_pattern = re.compile(re.escape(before) + r"([0-9]{1,18})" + re.escape(after.partition("}")[2]))
        if any(cls.id_number(ids.format(number)) != number for number in (1, 20, 12345678901)):
            raise TypeError(f"{cls.__name__}: ids={ids!r} must hold one decimal number, as in 'T-{{:04d}}'")
        if derived := next(iter(cls.model_computed_fields), ""):
            raise TypeError(
                f"{cls.__name__}: {derived} is a computed field, which would show in rows, and none can be given it: "
                "make it a plain property, for tools alone, or a column that they write"
            )
        try:
            cls.columns = tuple(
                _column(key, field.annotation)._replace(dated=is_dated(field.annotation, field.metadata))
                for key, field in cls.model_fields.items()
            )
            for key, table in refs(cls).items():
                if not (isinstance(table, type) and issubclass(table, Table)):
                    raise TypeError(f"{key}: Ref takes the class of a table, as in Ref(Project), not {table!r}")
        except TypeError as error:
            raise TypeError(f"{cls.__name__}: {error}") from None

    @classmethod
    def id_number(cls, id: str) -> int:
        """The number inside a generated id; 0 for an id of another shape."""
        match = cls._id_pattern.fullmatch(id)
        return int(match[1]) if match else 0

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """The row that these JSON values describe. Raises pydantic's ValidationError."""
        return cls.model_validate_json(json.dumps(dict(values)))

    def to_json(self) -> dict[str, Any]:
        """The row as JSON values, without its id."""
        return self.model_dump(mode="json", exclude={"id"})

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Field -> the JSON value that a new row has where none is given.

        Only fields whose default is always the same, and is not null: one that is worked out from other
        fields, or made anew for each row, is none that a comparison could know.
        """
        found: dict[str, Any] = json.loads(_defaults(cls))
        return found

    @classmethod
    def stored_defaults(cls) -> dict[str, Any]:
        """Column -> what DuckDB holds for it in a row that was made without it; columns that have no default apart."""
        known = cls.defaults()
        optional = {name for name, field in cls.model_fields.items() if not field.is_required() and name != "id"}
        blank = dict.fromkeys(cls.model_fields)
        found = {}
        for column in cls.columns:
            if column.name in known:
                annotation = cls.model_fields[column.name].rebuild_annotation()
                value = TypeAdapter(annotation).validate_json(json.dumps(known[column.name]))
                row = cls.model_construct(**{**blank, column.name: value})
                found[column.name] = row.stored()[cls.columns.index(column)]
            elif column.name in optional and cls.model_fields[column.name].default is None:
                found[column.name] = None
        return found

    def checked(self) -> Self:
        """The row validated as a whole, since `model_copy(update=...)` and lists escape validation."""
        return type(self).model_validate(dict(self))

    def stored(self) -> tuple[Any, ...]:
        """Column values as DuckDB takes them, `id` first. Raises `Rejected` for what a column cannot hold."""
        return tuple(
            value if value is None or column.encode is None else column.encode(value)
            for column in self.columns
            for value in (getattr(self, column.name),)
        )

    @classmethod
    def restored(cls, values: tuple[Any, ...]) -> Self:
        """The row that `stored` gave, unvalidated: what the store holds was validated on its way in."""
        return cls.model_construct(
            **{
                column.name: value if value is None or column.decode is None else column.decode(value)
                for column, value in zip(cls.columns, values, strict=True)
            }
        )


@cache
def _defaults(table: type[Table]) -> str:
    """`table.defaults()` as JSON text."""
    nothing, found = dict.fromkeys(table.model_fields), {}
    for name, field in table.model_fields.items():
        if name == "id" or field.is_required() or field.default_factory_takes_validated_data:
            continue
        made = []
        for _ in range(2):  # a factory of constants gives the same twice
            given = field.get_default(call_default_factory=True)
            try:
                value = TypeAdapter(field.rebuild_annotation()).validate_python(given)
            except ValidationError:
                break  # no row can hold it
            row = table.model_construct(**{**nothing, name: value})
            made.append(row.model_dump(mode="json", include={name})[name])
        if made and made[0] is not None and made[0] == made[1]:
            found[name] = made[0]
    return json.dumps(found)


class Tables(Protocol):
    """An app as the engine knows it: tables, and whose they are."""

    @property
    def name(self) -> str:
        """The app's name."""

    @property
    def tables(self) -> Sequence[type[Table]]:
        """Its tables."""

    def table(self, name: str) -> type[Table]:
        """The table of that name. Raises KeyError listing those there are."""


@dataclass(frozen=True)
class Ref:
    """Marks a string as the id of a row of `table`: `Annotated[str, Ref(Project)]`.

    Of a list, the list or its items: a parameter may be `Annotated[list[str], Ref(Project)]`. It says what the ids are
    of, and refuses none: a tool asks `State.get` for the row.
    """

    table: type[Table]


def refs(table: type[Table]) -> dict[str, type[Table]]:
    """Column -> the table whose ids it holds, one or a list of them, by the marks of the columns and of their items."""
    return {
        name: mark.table
        for name, field in table.model_fields.items()
        for mark in (*field.metadata, *_inner(field.annotation))
        if isinstance(mark, Ref)
    }


def _inner(annotation: Any) -> Iterator[Any]:
    """What marks the parts of a type."""
    for part in get_args(annotation):
        yield from getattr(part, "__metadata__", ())
        yield from _inner(part)
