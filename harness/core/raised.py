"""What code that others wrote raised, and where, in one line for who wrote it."""

from __future__ import annotations

import os.path
import traceback
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import Any

__all__ = ("place", "raised")

_LONG = 300

_INSTALLED = ("site-packages", "dist-packages")


def raised(error: BaseException, by: Callable[..., Any] | None = None, *, kept: bool = False) -> str:
    """`TYPE: message (FILE:LINE)`, in one line.

    The place is the innermost in the package of the function that was called, `by`, so that it is no line of a library,
    and where none is in it, since it was called wrongly or gave what it should not, the function itself. Without one it
    is the innermost of all. `kept`: it goes on record, and names files as `place` does then.
    """
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({_named(error.filename or '', kept)}:{error.lineno})"
    frames = [each for each in traceback.extract_tb(error.__traceback__) if not each.filename.startswith("<")]
    file = _code(by)[0]
    own = [each for each in frames if _are_of_one(file, each.filename)] if file else frames
    at = f" ({_named(own[-1].filename, kept)}:{own[-1].lineno})" if own else place(by, kept=kept) if by else ""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}{': ' * bool(said)}{said[:_LONG]}{'...' * (len(said) > _LONG)}{at}"


def _are_of_one(file: str, other: str) -> bool:
    """Whether the other file lies beside this one or below; single modules lie beside those of everybody."""
    folder = Path(file).parent
    return other == file if folder.name in _INSTALLED else Path(other).is_relative_to(folder)


def place(function: Callable[..., Any], *, kept: bool = False) -> str:
    """` (FILE:LINE)` of where a function is written; empty where it is not written in Python.

    `kept`: it goes on record, which says on every machine the same and nothing of this one's folders. So the file is
    named from its outermost package on, outside of packages from its project on, and alone where it is in none.
    """
    file, line = _code(function)
    return f" ({_named(file, kept)}:{line})" if file else ""


def _named(file: str, kept: bool) -> str:
    """A file as `place` names it."""
    path = Path(file)
    if not kept or not path.is_absolute():
        return file
    packages = [*takewhile(lambda folder: os.path.isfile(folder / "__init__.py"), path.parents)]
    root = packages[-1].parent if packages else next(filter(_is_root, path.parents), path.parent)
    return path.relative_to(root).as_posix()


def _is_root(folder: Path) -> bool:
    """Whether a project begins there, or what is installed, which may lie within one."""
    return folder.name in _INSTALLED or any(os.path.exists(folder / name) for name in ("pyproject.toml", ".git"))


def _code(function: Any) -> tuple[str, int]:
    while hasattr(function, "func"):  # of a `functools.partial`
        function = function.func
    if not callable(function):
        return "", 0
    found = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    return (found.co_filename, found.co_firstlineno) if found else ("", 0)
