"""Values as bytes for a page: JSON, and JSON in a script that a page opened from disk can load."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json

__all__ = ("as_json", "as_script")


def as_json(value: Any) -> bytes:
    """JSON that every browser reads: what is no number there (infinity, say) is null."""
    return to_json(value, inf_nan_mode="null")


def as_script(name: str, value: Any) -> bytes:
    """A classic script that hands a value over. Nothing in it ends a script or a line."""
    body = as_json(value).replace(b"<", b"\\u003c").replace("\u2028".encode(), b"\\u2028")
    return b'harnessData("%s", %s);\n' % (name.encode("ascii"), body.replace("\u2029".encode(), b"\\u2029"))
