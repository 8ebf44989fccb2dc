"""What comes out of a tool, by its return type."""

from __future__ import annotations

from collections.abc import MutableSet, Set
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from servers.kernel.picture import Illustrated
from servers.kernel.schema import Untitled, shallow, untitled
from servers.kernel.table import Table

__all__ = ("Returns", "names_set")


class Returns(NamedTuple):
    """What comes out of a tool: how it becomes JSON, and its schema, an object in which all else is `wrapped`."""

    adapter: TypeAdapter[Any]
    schema: dict[str, Any]
    nests: bool
    wrapped: bool

    @classmethod
    def of(cls, returned: Any) -> Returns:
        """What a function with that return type gives."""
        adapter: TypeAdapter[Any] = TypeAdapter(
            get_args(returned)[0] if get_origin(returned) is Illustrated else returned
        )
        schema = adapter.json_schema(mode="serialization", schema_generator=Untitled)
        nests = not shallow(schema, schema.get("$defs", {}))
        wrapped = schema.get("type") != "object"
        if wrapped:
            definitions = schema.pop("$defs", None)
            schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
            if definitions:
                schema["$defs"] = definitions
        return cls(adapter, untitled(schema), nests, wrapped)

    def check_none(self) -> None:
        """Raises TypeError where the type has no null, which its serialiser would give for any model."""
        try:
            self.adapter.validate_python(None)
        except ValidationError:
            raise TypeError("it returned None, and its return type has no None") from None


def names_set(hint: Any, within: tuple[type, ...] = ()) -> bool:
    """Whether a type is written with a set somewhere; what that does not see, the schema of the result does."""
    kind = get_origin(hint) or hint
    if kind in (set, frozenset, Set, MutableSet):
        return True
    parts = [*get_args(hint)]
    if isinstance(kind, type) and issubclass(kind, BaseModel) and not issubclass(kind, Table) and kind not in within:
        within = (*within, kind)
        parts += (field.annotation for field in kind.model_fields.values())
    return any(names_set(part, within) for part in parts)
