"""Calls as the release writes them, read as syntax and never run."""

from __future__ import annotations

import ast
import warnings
from typing import Any, NamedTuple

from benchmarks.workbench.official.names import APPS
from harness.task import Call

__all__ = ("CallProblem", "Predicted", "literal_strings", "read_call", "read_prediction")


class CallProblem(ValueError):
    """Text that is not what the release writes; says what it is instead."""


def _syntax(text: str) -> ast.expr:
    """The expression that `text` is. Line breaks inside quotes are taken as such, as the release does."""
    one_line = text.replace("\r", "\\r").replace("\n", "\\n")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unknown escape in somebody's text is no business of the caller
            return ast.parse(one_line, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CallProblem(f"does not parse ({type(error).__name__}): {_short(text)}") from None


def literal_strings(text: str) -> list[str]:
    """The strings of a Python list literal. Raises `CallProblem` for anything else."""
    node = _syntax(text)
    if not isinstance(node, ast.List):
        raise CallProblem(f"is not a list of strings: {_short(text)}")
    return [_string(element, text) for element in node.elts]


def read_call(text: str) -> Call:
    """`app.tool.func(name="text", ...)` as a `Call` on our app of that name.

    Raises `CallProblem` for another shape: positional or repeated arguments, values that are not
    string literals, an app that the release does not have.
    """
    match _syntax(text):
        case ast.Call(
            func=ast.Attribute(value=ast.Attribute(value=ast.Name(id=domain), attr=tool), attr="func"),
            args=[],
            keywords=keywords,
        ):
            pass
        case _:
            raise CallProblem(f'is not app.tool.func(name="text", ...): {_short(text)}')
    if domain not in APPS:
        raise CallProblem(f"names the app {domain!r}; there are {', '.join(APPS)}")
    arguments: dict[str, Any] = {}
    for keyword in keywords:
        if keyword.arg is None or keyword.arg in arguments:
            raise CallProblem(f"has an unnamed or repeated argument: {_short(text)}")
        arguments[keyword.arg] = _string(keyword.value, text)
    return Call(app=APPS[domain], tool=tool, arguments=arguments)


class Predicted(NamedTuple):
    """A call that a model made. `tool` is its full name there, `domain.tool`, which need not exist."""

    tool: str
    arguments: dict[str, str]


def read_prediction(text: str) -> Predicted:
    """A recorded call of a model: any dotted name, ending in `.func` or not, and arguments by name.

    Values are literals, taken as text: that is how the release of 2026 passes them, and those of 2024 are
    text already (so `None` is the word "None"). Raises `CallProblem` for anything else, arguments by position too,
    which no published call has.
    """
    call = _syntax(text)
    if not isinstance(call, ast.Call) or call.args:
        raise CallProblem(f"is not a call with named arguments: {_short(text)}")
    names: list[str] = []
    node = call.func
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise CallProblem(f"calls something that is not a tool: {_short(text)}")
    names.append(node.id)
    if len(names) > 2 and names[0] == "func":
        del names[0]
    arguments: dict[str, str] = {}
    for keyword in call.keywords:
        try:
            value = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, RecursionError, MemoryError):
            raise CallProblem(f"holds a value that is not a literal: {_short(text)}") from None
        if keyword.arg is None:
            raise CallProblem(f"has an unnamed argument: {_short(text)}")
        arguments[keyword.arg] = str(value)
    return Predicted(".".join(reversed(names)), arguments)


def _string(node: ast.expr, text: str) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise CallProblem(f"holds {ast.unparse(node)[:40]!r} where a string belongs: {_short(text)}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
