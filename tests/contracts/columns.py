"""The columns of a table in words, for readers who do not know Python."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from servers.kernel import Ref, Table
from servers.kernel.dated import is_dated

__all__ = ("default", "kind")

_PLAIN: Mapping[Any, str] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "yes or no",
    bytes: "bytes",
    date: "day",
    datetime: "moment",
    Any: "any JSON",
}
_EMPTY: Mapping[str, str] = {'""': "empty", "[]": "empty list", "{}": "empty", "true": "yes", "false": "no"}


def kind(annotation: Any, within: tuple[type, ...] = ()) -> str:
    """What values of a type are, in words."""
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _marked(args[0], args[1:], within)
    if origin in (Union, types.UnionType):
        options = [kind(option, within) for option in args if option is not type(None)]
        return " or ".join(options + ["nothing"] * (type(None) in args))
    if origin is Literal:
        return _one_of(args)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"mapping: {kind(args[0], within)} to {kind(args[1], within)}"
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return f"list: {' or '.join(dict.fromkeys(kind(each, within) for each in args if each is not ...))}"
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if issubclass(annotation, Enum):
        return _one_of([each.value for each in annotation])
    if issubclass(annotation, BaseModel) and annotation not in within:
        fields = annotation.model_fields.items()
        parts = (f"`{name}` {kind(field.rebuild_annotation(), (*within, annotation))}" for name, field in fields)
        return f"({', '.join(parts)})"
    return str(annotation.__name__)


def _marked(annotation: Any, marks: Sequence[Any], within: tuple[type, ...]) -> str:
    for mark in marks:
        if isinstance(mark, Ref):
            return f"id of {mark.table.noun}{' or nothing' * (type(None) in get_args(annotation))}"
    return "text with dates" if annotation is str and is_dated(str, marks) else kind(annotation, within)


def _one_of(values: Sequence[Any]) -> str:
    return " or ".join(f"`{value}`" for value in values)


def default(table: type[Table], column: str) -> str:
    """What a row has in a column where nothing is given for it."""
    field = table.model_fields[column]
    if field.is_required():
        return "needed"
    known = table.defaults()
    if column in known:
        value = known[column]
        text = json.dumps(value, ensure_ascii=False)
        return _EMPTY.get(text, f"`{value if isinstance(value, str) else text}`")
    return "nothing" if field.get_default() is None and field.default_factory is None else "worked out"
