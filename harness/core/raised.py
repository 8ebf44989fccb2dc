"""What code that others wrote raised, and where, in one line for who wrote it."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

__all__ = ("place", "raised")

_LONG = 300


def raised(error: BaseException, by: Callable[..., Any] | None = None) -> str:
    """`TYPE: message (FILE:LINE)`, in one line.

    The place is the innermost in the package of the function that was called, `by`, so that it is no line of a library,
    and where none is in it, since it was called wrongly or gave what it should not, the function itself. Without one it
    is the innermost of all.
    """
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({error.filename}:{error.lineno})"
    frames = [each for each in traceback.extract_tb(error.__traceback__) if not each.filename.startswith("<")]
    file = _code(by)[0]
    own = [each for each in frames if _are_of_one(file, each.filename)] if file else frames
    at = f" ({own[-1].filename}:{own[-1].lineno})" if own else place(by) if by else ""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' * bool(said)}{said[:_LONG]}{'...' * (len(said) > _LONG)}{at}"


def _are_of_one(file: str, other: str) -> bool:
    """Whether the other file lies beside this one or below; single modules lie beside those of everybody."""
    folder = Path(file).parent
    return other == file if folder.name in ("site-packages", "dist-packages") else Path(other).is_relative_to(folder)


def place(function: Callable[..., Any]) -> str:
    """` (FILE:LINE)` of where a function is written; empty where it is not written in Python."""
    file, line = _code(function)
    return f" ({file}:{line})" if file else ""


def _code(function: Any) -> tuple[str, int]:
    while hasattr(function, "func"):  # of a `functools.partial`
        function = function.func
    if not callable(function):
        return "", 0
    found = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    return (found.co_filename, found.co_firstlineno) if found else ("", 0)
