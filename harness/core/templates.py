"""Templates of prompts that a config brings: one from a stranger's run renders, and can do nothing else, nor for long.

Jinja's sandbox keeps a template from reaching into the program. What it renders to, and how long that takes, is kept
within bounds here: whatever a template does has a price in steps, about the characters and items that it handles, and
is refused before it is done where that is more than is left.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from traceback import extract_tb
from typing import Any, Final

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment

__all__ = ("Templates", "TooMuch")

STEPS: Final = 100_000_000
"""Of one rendering, which is some seconds at most: a prompt takes a few times its own length."""

_CALL: Final = 500
_ITEM: Final = 50
"""What a call, or a round of a loop, and an item take, where a character takes 1: about as long as each lasts."""

_GROWING: Final = frozenset({
    "batch", "center", "expandtabs", "format", "format_map", "indent", "join", "ljust", "replace", "rjust", "slice",
    "to_bytes", "tojson", "translate", "wordwrap", "zfill",
})  # fmt: skip
"""Filters and methods that give up to as much as their first value times the others."""

_PERCENT: Final = re.compile(r"%(\([^)]*\))?[-#0 +]*(\*|\d{5}|\d*\.(\*|\d{5}))")
_BRACES: Final = re.compile(r"\{[^{}]*:[^{}]*(\d{5}|\{)")
"""Formats with a width of more than four digits, or one that is a value."""


class TooMuch(SecurityError):
    """What a template may not do, since there would be no end of it."""


class _Left(threading.local):
    """Of the rendering of each thread; 0 without one, so that Jinja works out no constant when it reads a template."""

    steps = 0


class _Code(CodeGenerator):
    """Joins texts, and goes round a loop, by way of the environment."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        self.write("environment.concat(map(str, (")
        for each in node.nodes:
            self.visit(each, frame)
            self.write(", ")
        self.write(")))")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:
        round_ = nodes.Call(nodes.EnvironmentAttribute("turn"), [], [], None, None)
        node.body.insert(0, nodes.ExprStmt(round_, lineno=node.lineno))
        if node.test:
            node.iter = nodes.Call(nodes.EnvironmentAttribute("counted"), [node.iter], [], None, None)
        super().visit_For(node, frame)


class Templates(SandboxedEnvironment):
    """Templates that are rendered by `rendered`, with the options of `jinja2.Environment`."""

    code_generator_class = _Code
    intercepted_binops = frozenset({"**", "*", "%", "+"})

    def __init__(self, **options: Any) -> None:
        super().__init__(autoescape=False, **options)
        self._left = _Left()
        self.filters = {name: self._priced(name, each) for name, each in self.filters.items()}
        del self.globals["lipsum"]

    def rendered(self, template: Any, values: Mapping[str, Any]) -> str:
        """The text. Raises `SecurityError` naming the line of what a template may not do, and what Jinja raises."""
        self._left.steps = STEPS
        try:
            text: str = template.render(values)
        except SecurityError as error:
            lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == template.filename]
            raise type(error)(f"line {lines[-1] if lines else 1} of the template: {error}") from None
        finally:
            self._left.steps = 0
        return text

    def refused(self, tree: nodes.Template) -> tuple[int, str] | None:
        """The first line where a template does what none may, as far as that can be seen without rendering; and what.

        Only of constants can be told here what is done with them.
        """
        self._left.steps = STEPS
        try:
            for node in tree.find_all(nodes.BinExpr):
                try:
                    self._price(node.operator, node.left.as_const(), node.right.as_const())
                except TooMuch as error:
                    return node.lineno, str(error)
                except nodes.Impossible:
                    if isinstance(node, nodes.Pow):
                        return node.lineno, _NO_POWERS
        finally:
            self._left.steps = 0
        return None

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        self._price(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def call(__self, __context: Any, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        own = getattr(__obj, "__self__", None)
        if own is None and hasattr(__obj, "__wrapped__"):  # as Jinja wraps `str.format`
            own = getattr(__obj.__wrapped__, "__self__", None)
        name = getattr(__obj, "__name__", "")
        __self._pay(name, own, *args, *kwargs.values())
        return super().call(__context, __obj, *args, **kwargs)

    def concat(self, parts: Iterable[str]) -> str:
        return "".join(self.counted(parts))

    def counted(self, items: Iterable[Any], each: int = 1) -> Iterator[Any]:
        """The items, each at its price."""
        for item in items:
            self._spend(each * (_ITEM + _size(item)))
            yield item

    def turn(self) -> None:
        """One round of a loop, which is paid for as a call."""

    def _priced(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def priced(*args: Any, **kwargs: Any) -> Any:
            values = [each for each in (*args, *kwargs.values()) if not isinstance(each, _HANDED)]
            self._pay(name, *values)
            rest = 1 + sum(map(_size, values))
            return function(*(self.counted(a, rest) if isinstance(a, Iterator) else a for a in args), **kwargs)

        return priced

    def _price(self, operator: str, left: Any, right: Any) -> None:
        if operator == "**":
            raise TooMuch(_NO_POWERS)
        if operator == "*" and isinstance(left, int) and isinstance(right, int):
            self._spend(left.bit_length() * right.bit_length())
        elif operator == "*":
            self._spend(_much(left) * _much(right))
        elif operator == "%" and isinstance(left, str):
            self._pay("format", left, right)
        else:
            self._spend(1 + _size(left) + _size(right))

    def _pay(self, name: str, *values: Any) -> None:
        """The price of a filter or a call, by its values, that of a method first."""
        first, *others = (values[0], *values[1:]) if values else ("",)
        formats = name in ("format", "format_map") and isinstance(first, str)
        if formats and (_PERCENT.search(first) or _BRACES.search(first)):
            raise TooMuch("a width in a format is a number of at most four digits")
        if name in _GROWING:
            self._spend(_CALL + (1 + _much(first)) * (1 + sum(map(_much, others))))
        else:
            self._spend(_CALL + sum(map(_size, values)))

    def _spend(self, steps: int) -> None:
        if steps > self._left.steps:
            raise TooMuch(_TOO_MUCH)
        self._left.steps -= steps


_HANDED: Final = (Context, nodes.EvalContext, Environment)
"""What filters are given beside values."""

_NO_POWERS: Final = "a template cannot raise to a power"
_TOO_MUCH: Final = "this is more than a prompt can take: shorter texts, smaller numbers or fewer rounds would do"


def _much(value: Any) -> int:
    """How much a value makes of another: a number as often as it says."""
    return abs(value) if isinstance(value, int) else _size(value)


def _size(value: Any) -> int:
    """About how many characters and items a value has."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        return sum(_ITEM + (len(each) if isinstance(each, str | bytes) else 0) for each in value)
    return len(value) if isinstance(value, str | bytes | range) else 0
