"""`bc`, since bashkit's counts in floating point: it says 3 to 1.10 + 2.20.

Expressions, variables and the functions of `-l`, with the scales that POSIX gives them. There are no statements such
as `if`, no arrays and no functions of a script's own; who asks for one is told so.
"""

from __future__ import annotations

import decimal
import math
import operator
import re
from collections.abc import Callable
from typing import Final, NamedTuple

from servers.kernel.shell.calls import Asked, Done, Wrong, options, place

__all__ = ("bc",)

_DIGITS, _SCALE, _WIDTH = 4_000, 1_000, 68
_TOKEN: Final = re.compile(
    r'(?P<skip>[ \t\r]+|\\\n|\#[^\n]*|/\*.*?\*/)|(?P<text>"[^"]*")|(?P<number>[0-9A-F]+\.?[0-9A-F]*|\.[0-9A-F]+)'
    r"|(?P<name>[a-z][a-z0-9_]*|\.)|(?P<sign>\+\+|--|[-+*/%^=<>!]=|&&|\|\||[-+*/%^()=<>!;\n,])|(?P<other>.)",
    re.DOTALL,
)
_STATEMENTS: Final = ("if", "else", "while", "for", "define", "auto", "return", "break", "read", "limits", "halt")
_COMPARED: Final[dict[str, Callable[[int, int], bool]]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


class _Number(NamedTuple):
    """`whole` divided by ten to the power of `scale`."""

    whole: int
    scale: int

    def cut(self, scale: int) -> _Number:
        """With that many digits behind the point; further ones are lost."""
        if scale >= self.scale:
            return _Number(self.whole * 10 ** (scale - self.scale), scale)
        kept = abs(self.whole) // 10 ** (self.scale - scale)
        return _Number(-kept if self.whole < 0 else kept, scale)


class _Unread(Exception):
    """What is no expression."""


class _Undone(Exception):
    """What cannot be counted."""


def bc(asked: Asked) -> Done:
    """Count what the files and then standard input hold."""
    library, texts = False, list[str]()
    for option, value in options(asked, "lqsiw", ""):
        if option == "":
            try:
                texts.append(asked.fs.read_file(place(asked, value)).decode("utf-8", "replace"))
            except RuntimeError:
                raise Wrong(f"File {value} is unavailable.") from None
        elif option not in ("q", "quiet", "s", "standard", "i", "interactive", "w", "warn", "l", "mathlib"):
            raise Wrong(f"unrecognized option '--{option}'")
        library |= option in ("l", "mathlib")
    counting = _Counting("\n".join([*texts, asked.stdin or ""]) + "\n", library)
    counting.run()
    return Done("".join(counting.said), "".join(counting.wrong), 0)


class _Counting:
    """A text that is read and counted, statement by statement."""

    def __init__(self, text: str, library: bool) -> None:
        self._tokens = [
            (str(found.lastgroup), found[0]) for found in _TOKEN.finditer(text) if found.lastgroup != "skip"
        ]
        self._at, self._line, self._library = 0, 1, library
        self._names = {"scale": _Number(20 if library else 0, 0), "ibase": _Number(10, 0), "obase": _Number(10, 0)}
        self.said: list[str] = []
        self.wrong: list[str] = []

    def run(self) -> None:
        """Until the end, or `quit`."""
        while self._at < len(self._tokens):
            if self._next == "quit":
                return
            try:
                if self._next not in (";", "\n"):
                    self._statement()
                if self._next not in (";", "\n"):
                    raise _Unread
            except (_Unread, _Undone) as error:
                self.wrong.append(
                    f"{error}\n" if isinstance(error, _Undone) else f"(standard_in) {self._line}: syntax error\n"
                )
                while self._next != "\n":
                    self._at += 1
            self._line += self._next == "\n"
            self._at += 1

    @property
    def _next(self) -> str:
        return self._tokens[self._at][1]

    def _took(self, *signs: str) -> str:
        """The next token if it is one of these, which then is read; else ""."""
        token = self._next
        if token not in signs:
            return ""
        self._at += 1
        return token

    def _statement(self) -> None:
        kind, token = self._tokens[self._at]
        if token in _STATEMENTS or token == "{":
            raise Wrong(f"'{token}' is not known here, only expressions and variables; count with awk instead")
        if token == "print":
            while self._took("print", ","):
                self._printed()
        elif kind == "text":
            self._printed()
        else:
            named = kind == "name" and self._tokens[self._at + 1][1] in ("=", "+=", "-=", "*=", "/=", "%=", "^=")
            value = self._either()
            if not named:
                self._names["last"] = value
                self.said.append(_folded(_shown(value, self._names["obase"].whole)) + "\n")

    def _printed(self) -> None:
        kind, token = self._tokens[self._at]
        if kind == "text":
            self._at += 1
            self.said.append(token[1:-1].replace("\\n", "\n").replace("\\t", "\t"))
        else:
            self.said.append(_shown(self._either(), self._names["obase"].whole))

    def _either(self) -> _Number:
        value = self._both()
        while self._took("||"):
            other = self._both()
            value = _Number(int(bool(value.whole or other.whole)), 0)
        return value

    def _both(self) -> _Number:
        value = self._not()
        while self._took("&&"):
            other = self._not()
            value = _Number(int(bool(value.whole and other.whole)), 0)
        return value

    def _not(self) -> _Number:
        if self._took("!"):
            return _Number(int(not self._not().whole), 0)
        value = self._assigned()
        while sign := self._took(*_COMPARED):
            other = self._assigned()
            scale = max(value.scale, other.scale)
            value = _Number(int(_COMPARED[sign](value.cut(scale).whole, other.cut(scale).whole)), 0)
        return value

    def _assigned(self) -> _Number:
        kind, name = self._tokens[self._at]
        after = self._tokens[self._at + 1][1] if kind == "name" else ""
        if after not in ("=", "+=", "-=", "*=", "/=", "%=", "^="):
            return self._sum()
        self._at += 2
        value = self._assigned()
        return self._kept(name, value if after == "=" else self._worked(after[0], self._value(name), value))

    def _value(self, name: str) -> _Number:
        return self._names.get("last" if name == "." else name, _Number(0, 0))

    def _kept(self, name: str, value: _Number) -> _Number:
        least, most = {"scale": (0, _SCALE), "ibase": (2, 16), "obase": (2, 16)}.get(name, (0, 0))
        if most and not least <= value.cut(0).whole <= most:
            raise Wrong(f"{name} is {least} to {most} here")
        self._names["last" if name == "." else name] = value.cut(0) if most else value
        return value

    def _sum(self) -> _Number:
        value = self._product()
        while sign := self._took("+", "-"):
            value = self._worked(sign, value, self._product())
        return value

    def _product(self) -> _Number:
        value = self._power()
        while sign := self._took("*", "/", "%"):
            value = self._worked(sign, value, self._power())
        return value

    def _power(self) -> _Number:
        value = self._negated()
        return self._worked("^", value, self._power()) if self._took("^") else value

    def _negated(self) -> _Number:
        if self._took("-"):
            value = self._negated()
            return _Number(-value.whole, value.scale)
        return self._stepped()

    def _stepped(self) -> _Number:
        one = _Number(1, 0)
        if sign := self._took("++", "--"):
            kind, name = self._tokens[self._at]
            if kind != "name":
                raise _Unread
            self._at += 1
            return self._kept(name, self._worked(sign[0], self._value(name), one))
        kind, token = self._tokens[self._at]
        self._at += 1
        if token == "(":
            return self._closed()
        if kind == "number":
            return self._read(token)
        if kind != "name":
            self._at -= 1
            raise _Unread
        if self._took("("):
            return self._called(token, self._closed())
        if self._next == "[" or token in _STATEMENTS:
            raise Wrong(f"'{token}' is not known here, only expressions and variables; count with awk instead")
        value = self._value(token)
        if sign := self._took("++", "--"):
            self._kept(token, self._worked(sign[0], value, one))
        return value

    def _closed(self) -> _Number:
        value = self._either()
        if not self._took(")"):
            raise _Unread
        return value

    def _read(self, token: str) -> _Number:
        base = self._names["ibase"].whole
        whole, _, rest = token.partition(".")
        digits = [int(digit, 16) for digit in whole + rest]
        if len(digits) > _DIGITS:
            raise Wrong(f"a number has at most {_DIGITS:,} digits here")
        if base != 10 and rest:
            raise Wrong("numbers with a point are read in base 10 alone here")
        if len(digits) > 1:
            digits = [min(digit, base - 1) for digit in digits]
        value = 0
        for digit in digits:
            value = value * base + digit
        return _Number(value, len(rest))

    def _worked(self, sign: str, one: _Number, two: _Number) -> _Number:
        scale, most = self._names["scale"].whole, max(one.scale, two.scale)
        if sign in "+-":
            left, right = one.cut(most).whole, two.cut(most).whole
            return _bounded(_Number(left + right if sign == "+" else left - right, most))
        if sign == "*":
            whole = _Number(one.whole * two.whole, one.scale + two.scale)
            return _bounded(whole.cut(min(whole.scale, max(scale, most))))
        if sign == "^":
            return self._raised(one, two.cut(0).whole)
        if not two.whole:
            raise _Undone(f"Runtime error (func=(main), adr=3): {'Modulo' if sign == '%' else 'Divide'} by zero")
        if sign == "/":
            above, below = one.whole * 10 ** (scale + two.scale), two.whole * 10**one.scale
            kept = abs(above) // abs(below)
            return _bounded(_Number(-kept if (above < 0) != (below < 0) else kept, scale))
        taken = self._worked("/", one, two)
        least = max(scale + two.scale, one.scale)
        product = _Number(taken.whole * two.whole, taken.scale + two.scale).cut(least)
        return _bounded(_Number(one.cut(least).whole - product.whole, least))

    def _raised(self, base: _Number, times: int) -> _Number:
        if abs(times) * max(1, abs(base.whole).bit_length() - 1) > 4 * _DIGITS:
            raise Wrong(f"a number has at most {_DIGITS:,} digits here")
        scale = self._names["scale"].whole
        whole = _Number(base.whole ** abs(times), base.scale * abs(times))
        if times < 0:
            return self._worked("/", _Number(1, 0), whole)
        return _bounded(whole.cut(min(whole.scale, max(scale, base.scale))))

    def _called(self, name: str, value: _Number) -> _Number:
        scale = self._names["scale"].whole
        if name == "scale":
            return _Number(value.scale, 0)
        if name == "length":
            return _Number(max(len(str(abs(value.whole))), value.scale), 0)
        if name == "sqrt":
            if value.whole < 0:
                raise _Undone("Runtime error (func=(main), adr=4): Square root of a negative number")
            scale = max(scale, value.scale)
            return _Number(math.isqrt(value.whole * 10 ** (2 * scale - value.scale)), scale)
        if name in _FUNCTIONS and self._library:
            return _transcendent(name, value, scale)
        raise Wrong(f"the function {name} is not known here; sqrt, length, scale and with -l s, c, a, l and e are")


def _bounded(value: _Number) -> _Number:
    if value.whole.bit_length() > 3 * _DIGITS:
        raise Wrong(f"a number has at most {_DIGITS:,} digits here")
    return value


def _transcendent(name: str, value: _Number, scale: int) -> _Number:
    size = len(str(abs(value.whole))) - value.scale
    if size > 3 and name in "sce":
        raise Wrong(f"{name} takes numbers below 1000 here")
    with decimal.localcontext(prec=2 * scale + 1_000 * (name in "sce") + abs(size) + 40):
        given = decimal.Decimal(value.whole).scaleb(-value.scale)
        if name == "l" and given <= 0:  # as GNU has it
            return _Number((1 - 10**scale) * 10 ** max(0, scale - 1), scale)
        found = _FUNCTIONS[name](given, decimal.Decimal(10) ** -(scale + 20))
        return _bounded(_Number(int(found.scaleb(scale)), scale))


def _sine(given: decimal.Decimal, small: decimal.Decimal, term: decimal.Decimal | None = None) -> decimal.Decimal:
    """The series of sine from its first term on, or that of cosine where it begins with 1."""
    number, term = (1, given) if term is None else (0, term)
    total = decimal.Decimal(0)
    while abs(term) > small or number < abs(given):
        total += term
        term = -term * given * given / ((number + 1) * (number + 2))
        number += 2
    return total


def _arctangent(given: decimal.Decimal, small: decimal.Decimal) -> decimal.Decimal:
    for _ in range(4):
        given = given / (1 + (1 + given * given).sqrt())
    total, power, number = decimal.Decimal(0), given, 1
    while abs(power) > small:
        total += power / number
        power, number = -power * given * given, number + 2
    return 16 * total


_FUNCTIONS: Final[dict[str, Callable[[decimal.Decimal, decimal.Decimal], decimal.Decimal]]] = {
    "s": _sine,
    "c": lambda given, small: _sine(given, small, decimal.Decimal(1)),
    "a": _arctangent,
    "l": lambda given, small: given.ln(),
    "e": lambda given, small: given.exp(),
}


def _shown(value: _Number, base: int) -> str:
    """The digits in that base, up to 16; there is none before the point where the number is less than one."""
    whole, rest = divmod(abs(value.whole), 10**value.scale)
    if not whole and not rest:
        return "0"
    digits, behind = "", ""
    if base == 10:
        digits, behind = str(whole or ""), str(rest).zfill(value.scale) if value.scale else ""
    else:
        while whole:
            whole, digit = divmod(whole, base)
            digits = f"{digit:X}{digits}"
        places = 1
        while value.scale and places < 10**value.scale:
            digit, rest = divmod(rest * base, 10**value.scale)
            behind, places = f"{behind}{digit:X}", places * base
    return f"{'-' if value.whole < 0 else ''}{digits}{f'.{behind}' if behind else ''}"


def _folded(line: str) -> str:
    """Lines of 69 characters at most, as `bc` breaks them."""
    return "\\\n".join(line[at : at + _WIDTH] for at in range(0, len(line), _WIDTH))
