"""An endpoint, written once: a plain function over `State` whose signature says what goes in.

    @orders.writes(irreversible=True)
    def cancel_order(state: State, order_id: Id) -> Body: ...

Names, types and limits of parameters come from the signature, so both toolsets follow from it.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints, overload

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model
from pydantic_core import PydanticCustomError

from servers.kernel import State, Table

__all__ = (
    "Body",
    "Count",
    "Day",
    "Endpoint",
    "Id",
    "Kind",
    "Parameter",
    "Refused",
    "Service",
    "found",
    "integral",
    "shown",
    "textual",
)

Body: TypeAlias = dict[str, Any]
"""What an endpoint gives back, as JSON values."""


def _not_bool(given: Any) -> Any:
    if isinstance(given, bool):
        raise PydanticCustomError("int_type", "input should be a valid integer")
    return given


textual = BeforeValidator(lambda given: str(given) if type(given) is int else given)
"""Takes an id that is all digits where it is written as a number."""

integral = BeforeValidator(_not_bool)
"""Takes no true and false, which pydantic has for 1 and 0."""

Id = Annotated[str, Field(min_length=1, max_length=100), textual]
"""An id, or any short text."""
Count = Annotated[int, Field(ge=1, le=10_000), integral]
Day = Annotated[date, Field(strict=True)]
"""A day as YYYY-MM-DD. Strict, as pydantic takes numbers for seconds since 1970 otherwise."""

Kind = Literal["string", "integer", "date"]

F = TypeVar("F", bound=Callable[..., Body])


class Refused(Exception):
    """An endpoint says no: an HTTP status, and the text that goes with it. Raised before anything is written."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        super().__init__(text)


@dataclass(frozen=True)
class Parameter:
    """What agents learn of a parameter: its name, its type in a word, what it may be, whether a call may go without it.

    `choices` are all values of one that is a choice, `least` and `most` the bounds of a number.
    """

    name: str
    kind: Kind
    optional: bool
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    @property
    def format(self) -> str:
        """What is to be written for it, in words: "one of economy, business", "date, YYYY-MM-DD"."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.kind == "date":
            return "date, YYYY-MM-DD"
        if self.least is not None and self.most is not None:
            return f"integer from {self.least} to {self.most}"
        return self.kind


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True)
class Endpoint:
    """One endpoint of a service. What an `irreversible` one did cannot be undone by any other; agents are not told."""

    service: str
    name: str
    function: Callable[..., Body]
    writes: bool
    irreversible: bool = False

    @cached_property
    def _signature(self) -> list[tuple[str, Any, Any]]:
        hints = get_type_hints(self.function, include_extras=True)
        given = list(inspect.signature(self.function).parameters.values())[1:]
        return [(p.name, hints[p.name], ... if p.default is inspect.Parameter.empty else p.default) for p in given]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """In the order of the function's signature."""
        return tuple(_parameter(name, hint, optional=default is not ...) for name, hint, default in self._signature)

    @cached_property
    def _model(self) -> type[BaseModel]:
        fields: dict[str, Any] = {name: (hint, default) for name, hint, default in self._signature}
        return create_model(self.name, __base__=_Given, **fields)

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments of the function's own types. Raises `Refused` with 400 naming the first parameter at fault."""
        try:
            return dict(self._model.model_validate_json(json.dumps(dict(arguments))))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            name = str(first["loc"][0])[:100]
            required = any(each.name == name and not each.optional for each in self.parameters)
            if first["type"] == "missing" or (required and first["input"] is None):
                raise Refused(400, f"{name}: this parameter is required.") from None
            if first["type"] == "extra_forbidden":
                there = ", ".join(parameter.name for parameter in self.parameters) or "none"
                raise Refused(400, f"{name}: {self.name} has no such parameter; it has {there}.") from None
            given = json.dumps(first["input"], ensure_ascii=False)[:100]
            if first["type"].startswith("date"):
                raise Refused(400, f"{name}: {given} is not a day; write YYYY-MM-DD, such as 2026-03-12.") from None
            if first["type"] == "string_type":
                number = isinstance(first["input"], float)
                right = f'write it in quotes, "{given}"' if number else "give a text"
                raise Refused(400, f"{name}: {given} is not a text; {right}.") from None
            raise Refused(400, f"{name}: {first['msg'][:1].lower()}{first['msg'][1:]}.") from None


@dataclass(frozen=True)
class Service:
    """A service and its endpoints by name. `reads` and `writes` declare them."""

    name: str
    endpoints: dict[str, Endpoint] = field(default_factory=dict)

    def reads(self, function: F) -> F:
        """Declare an endpoint that changes nothing."""
        return self._add(function, writes=False)

    @overload
    def writes(self, function: F) -> F: ...
    @overload
    def writes(self, *, irreversible: bool = False) -> Callable[[F], F]: ...
    def writes(self, function: F | None = None, *, irreversible: bool = False) -> Any:
        """Declare an endpoint that changes rows."""
        if function is not None:
            return self._add(function, writes=True)
        return lambda function: self._add(function, writes=True, irreversible=irreversible)

    def _add(self, function: F, *, writes: bool, irreversible: bool = False) -> F:
        name = function.__name__
        if name in self.endpoints:
            raise TypeError(f"{self.name} has two endpoints named {name!r}")
        self.endpoints[name] = Endpoint(self.name, name, function, writes, irreversible)
        return function


def shown(row: Table, fields: str = "") -> Body:
    """A row as an endpoint shows it: its id under the name of what it is, and all its fields, or those named."""
    values = row.to_json()
    names = fields.split() or values
    return {f"{row.noun.replace(' ', '_')}_id": row.id, **{name: values[name] for name in names}}


def found(state: State, table: type[Table], fields: str = "", /, **wanted: Any) -> Body:
    """Rows with all these values, as `items`; None asks for any.

    Text is compared without case, and for a `name`, `title` or `author` it is enough that it occurs.
    """
    asked = {name: value for name, value in wanted.items() if value is not None}
    rows = [row for row in state.find(table) if all(_fits(row, name, value) for name, value in asked.items())]
    return {"items": [shown(row, fields) for row in rows]}


def _fits(row: Table, name: str, wanted: Any) -> bool:
    value = getattr(row, name)
    if not isinstance(value, str) or not isinstance(wanted, str):
        return bool(value == wanted)
    if name in ("name", "title", "author"):
        return wanted.casefold() in value.casefold()
    return wanted.casefold() == value.casefold()


def _parameter(name: str, hint: Any, *, optional: bool) -> Parameter:
    """What is learnt of a parameter from its type: of one that may be left out, of what it holds."""
    bounds: dict[str, int] = {}
    while get_origin(hint) in (Annotated, Union, UnionType):
        for limit in (part for about in getattr(hint, "__metadata__", ()) for part in getattr(about, "metadata", ())):
            bounds |= {key: getattr(limit, key) for key in ("ge", "le") if hasattr(limit, key)}
        hint = get_args(hint)[0]
    kind: Kind = "date" if hint is date else "integer" if hint is int else "string"
    choices = tuple(get_args(hint)) if get_origin(hint) is Literal else ()
    return Parameter(name, kind, optional, choices, bounds.get("ge"), bounds.get("le"))
