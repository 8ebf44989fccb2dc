"""Values as bytes for a page: JSON, and JSON in a script that a page opened from disk can load."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import PydanticSerializationError, to_json

__all__ = ("as_json", "as_script")


def as_json(value: Any) -> bytes:
    """JSON that every browser reads: what is no number there (infinity, say) is null, what is no text is escaped."""
    try:
        return to_json(value, inf_nan_mode="null")
    except PydanticSerializationError:  # hardly ever: the name of a file or folder need not be text
        return to_json(_text(value), inf_nan_mode="null")


def _text(value: Any) -> Any:
    """The same with unpaired surrogates written out."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Mapping):
        return {_text(name): _text(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [_text(each) for each in value]
    return value


def as_script(name: str, value: Any) -> bytes:
    """A classic script that hands a value over. Nothing in it ends a script or a line."""
    body = as_json(value).replace(b"<", b"\\u003c").replace("\u2028".encode(), b"\\u2028")
    return b'harnessData("%s", %s);\n' % (name.encode("ascii"), body.replace("\u2029".encode(), b"\\u2029"))
