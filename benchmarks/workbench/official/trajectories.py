"""The release's recorded runs, read as syntax: which tool, with what input, and what came back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.workbench.official.calls import CallProblem, literal_strings
from benchmarks.workbench.official.predictions import cells

__all__ = ("Recorded", "Step", "read_results")


class Step(NamedTuple):
    """One call of a recorded run. `input` is a mapping, or the bare text that a model gave instead."""

    tool: str
    input: Any
    observation: Any


class Recorded(NamedTuple):
    """One recorded run.

    `steps` is None where the release kept none, as it does after an exception. `calls` are the calls
    it was scored by, as text that need not parse; `error` is why it ended early, or "".
    """

    domain: str
    number: int
    request: str
    calls: tuple[str, ...]
    steps: tuple[Step, ...] | None
    error: str


def read_results(file: Path) -> Iterator[Recorded]:
    """The runs of one results file.

    Raises `CallProblem` where a run is not of the release's shape, and `ImportProblem` where the file is not.
    """
    head, rows = cells(file)
    for number, given in enumerate(rows):
        row = dict(zip(head, given, strict=False))
        try:
            steps = _steps(row["full_response"]) if row["full_response"] else None
            calls = tuple(literal_strings(row["function_calls"] or "[]"))
            run = Recorded(file.parent.name, number, row.get("query") or row["task"], calls, steps, row["error"])
        except (CallProblem, SyntaxError, ValueError, RecursionError, KeyError) as error:
            raise CallProblem(f"{file}, run {number + 1}: {error}") from None
        yield run


def _steps(text: str) -> tuple[Step, ...]:
    body = ast.parse(text, mode="eval").body
    if not isinstance(body, ast.Dict):
        raise CallProblem("the response is not a dictionary")
    for key, value in zip(body.keys, body.values, strict=True):
        if isinstance(key, ast.Constant) and key.value == "intermediate_steps" and isinstance(value, ast.List):
            return tuple(map(_step, value.elts))
    raise CallProblem("the response has no list of intermediate steps")


def _step(node: ast.expr) -> Step:
    match node:
        case ast.Tuple(elts=[ast.Call(func=ast.Name(id="AgentAction"), args=[], keywords=keywords), observation]):
            given = {keyword.arg: keyword.value for keyword in keywords}
            return Step(_value(given["tool"]), _value(given["tool_input"]), _value(observation))
        case _:
            raise CallProblem(f"not an action and its observation: {ast.unparse(node)[:80]}")


def _value(node: ast.expr) -> Any:
    """A literal, or one of the four names that printed observations use: nan, array, object, Timestamp."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id="nan"):
            return None
        case ast.Call(func=ast.Name(id="array"), args=[ast.List() as items]):
            return _value(items)
        case ast.Call(func=ast.Name(id="Timestamp"), args=[ast.Constant(value=str() as moment)], keywords=[]):
            return moment
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item) for item in items]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            return {_value(k): _value(v) for k, v in zip(keys, values, strict=True) if k is not None}
        case _:
            raise CallProblem(f"not a value that the release prints: {ast.unparse(node)[:80]}")
