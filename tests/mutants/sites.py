"""Where a source file can be changed by one small mistake, and how it reads then."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

__all__ = ("Mutant", "again", "applied", "chosen", "mutants")

_COMPARISONS: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ARITHMETIC: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
}  # fmt: skip


class Mutant(NamedTuple):
    """One mistake: `new` in place of `old`, which starts at `line` (from 1) and `column` (from 0, in characters).

    `path` is relative to the checkout; `where` names function or class, so that the place is found again after code
    has moved.
    """

    path: str
    where: str
    line: int
    column: int
    old: str
    new: str

    @classmethod
    def of(cls, listed: Mapping[str, Any]) -> Mutant:
        """One of a list, which says more of each."""
        return cls(**{name: listed[name] for name in cls._fields})


def mutants(root: Path, folder: str) -> list[Mutant]:
    """Every mistake that can be made below a folder of the checkout, in order of place."""
    found: list[Mutant] = []
    for path in sorted((root / folder).rglob("*.py")):
        source = path.read_bytes()
        starts = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
        name = path.relative_to(root).as_posix()
        for where, node, new in _in(ast.parse(source), ""):
            line = starts[node.lineno - 1]
            start, end = line + node.col_offset, starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            old = source[start:end].decode()
            if old != new:
                found.append(Mutant(name, where, node.lineno, len(source[line:start].decode()), old, new))
    return found


def chosen(root: Path, folder: str, number: int, seed: int) -> list[Mutant]:
    """So many of them, drawn by seed, in order of place."""
    every = mutants(root, folder)
    return sorted(Random(seed).sample(every, min(number, len(every))))


def again(root: Path, folder: str, listed: Sequence[Mutant]) -> list[Mutant]:
    """The same mistakes in the code as it is now, wherever it has moved.

    Raises `LookupError` naming one that cannot be made any more.
    """
    now: defaultdict[tuple[str, str, str], list[Mutant]] = defaultdict(list)
    for mutant in mutants(root, folder):
        now[mutant.where, mutant.old, mutant.new].append(mutant)
    found = []
    for then in listed:
        alike = now[then.where, then.old, then.new]
        if not alike:
            raise LookupError(f"{then.path}:{then.line}: {then.where} holds no {then.old!r} any more")
        found.append(min(alike, key=lambda each: (each.path != then.path, abs(each.line - then.line), each)))
    return found


def applied(text: str, mutant: Mutant) -> str:
    """The source with the mistake in it. Raises `ValueError` where it no longer reads as it did."""
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: mutant.line - 1])) + mutant.column
    if not text.startswith(mutant.old, start):
        raise ValueError(f"{mutant.path}:{mutant.line} does not read {mutant.old!r} any more")
    return text[:start] + mutant.new + text[start + len(mutant.old) :]


_Found = tuple[str, ast.expr | ast.stmt, str]


def _in(node: ast.AST, where: str) -> Iterator[_Found]:
    """Mistakes at a node and below, save in what is never run: annotations, docstrings, imports for types."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        where = f"{where}.{node.name}" if where else node.name
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _at(child, where)
                yield from _in(child, where)


def _at(node: ast.AST, where: str) -> Iterator[_Found]:
    """Mistakes at that very node."""
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in _COMPARISONS:
            other = ast.Compare(node.left, [_COMPARISONS[type(op)](), *node.ops[1:]], node.comparators)
            yield where, node, ast.unparse(other)
        case ast.BoolOp():
            other_op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield where, node, f"({ast.unparse(ast.BoolOp(other_op, node.values))})"
        case ast.UnaryOp(op=ast.Not()):
            yield where, node, f"({ast.unparse(node.operand)})"
        case ast.BinOp() if type(node.op) in _ARITHMETIC and not _texts(node):
            yield where, node, f"({ast.unparse(ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right))})"
        case ast.Constant(value=bool(value)):
            yield where, node, str(not value)
        case ast.Constant(value=int(value)):
            yield where, node, str(value + 1)
        case ast.IfExp():
            yield where, node, f"({ast.unparse(ast.IfExp(node.test, node.orelse, node.body))})"
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield where, node, "return None"
        case ast.Raise() | ast.Break() | ast.Continue() | ast.AugAssign():
            yield where, node, "pass"
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield where, node, "pass"


def _texts(node: ast.BinOp) -> bool:
    """Whether it plainly joins texts or lists, where subtraction would fail at once."""
    kinds = (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple)
    return any(
        isinstance(side, kinds) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )
