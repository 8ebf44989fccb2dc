"""A statement in MySQL's dialect, written in DuckDB's: how names and texts are quoted, and nothing else.

Published statements are single and plain, so their tokens are enough. What MySQL does by itself (texts that count as
numbers where one is wanted, comparisons that see no accents and no case) is not imitated: `DEPARTURES` of
`benchmarks.dbbench.truth` are what comes of it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

__all__ = ("as_duckdb", "written")

_TOKEN: Final = re.compile(
    r"""
    (?P<space>\s+|/\*.*?\*/|--[\s].*?(?:\n|$)|\#.*?(?:\n|$))
  | (?P<text>'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*")
  | (?P<name>`(?:[^`]|``)*`)
  | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w$]))
  | (?P<word>[\w$]+)
  | (?P<sign>.)
    """,
    re.VERBOSE | re.DOTALL,
)

_ESCAPED: Final = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a"}
"""Letters behind a backslash; of all others the backslash goes (MySQL reference manual, String Literals)."""

_CLAUSES: Final = frozenset(
    (
        "and", "as", "asc", "between", "by", "case", "delete", "desc", "distinct", "else", "end", "exists", "from",
        "group", "having", "in", "insert", "into", "is", "like", "limit", "not", "null", "or", "order", "select", "set",
        "then", "update", "values", "when", "where",
    )
)  # fmt: skip
"""Words that cannot be names without quotes, in MySQL or here."""


def as_duckdb(statement: str, names: Collection[str]) -> str:
    """The statement in DuckDB's dialect. `names` are those of table and columns, which may stand without quotes.

    Whatever cannot be said so is left as it is, and DuckDB refuses it.
    """
    known = {name.casefold() for name in names} - _CLAUSES
    tokens = _tokens(statement)
    solid = ["", *(text.lower() for kind, text in tokens if kind != "space"), ""]
    parts, place = [], 0
    for kind, text in tokens:
        place += kind != "space"
        around = solid[place - 1], solid[min(place + 1, len(solid) - 1)]
        parts.append(_quoted(text) if kind == "word" and _is_name(text, known, *around) else _written(kind, text))
    return "".join(parts).strip()


def written(statement: str) -> list[str]:
    """The texts and numbers that an INSERT or UPDATE writes, in order: those before its WHERE."""
    found = []
    for kind, text in _tokens(statement):
        if kind == "word" and text.lower() == "where":
            break
        if kind in ("text", "number"):
            found.append(_unescaped(text) if kind == "text" else text)
    return found


def _tokens(statement: str) -> list[tuple[str, str]]:
    """Kind and text of each token."""
    return [(token.lastgroup or "", token[0]) for token in _TOKEN.finditer(statement)]


def _written(kind: str, text: str) -> str:
    if kind == "space":
        return " "
    if kind == "text":
        return "'" + _unescaped(text).replace("'", "''") + "'"
    return _quoted(text[1:-1].replace("``", "`")) if kind == "name" else text


def _is_name(word: str, known: Collection[str], before: str, behind: str) -> bool:
    """Whether a word without quotes names table or column: it begins with a digit, or is called like one of them."""
    called = behind == "(" and before not in ("into", "from", "update")
    return word[0].isdigit() or (word.casefold() in known and not called)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _unescaped(literal: str) -> str:
    """What a text in quotes says. Before % and _ a backslash stays, since it means something to LIKE."""
    mark = literal[0]

    def one(found: re.Match[str]) -> str:
        if found[0] == mark * 2:
            return mark
        return found[0] if found[1] in "%_" else _ESCAPED.get(found[1], found[1])

    return re.sub(rf"{mark}{mark}|\\(.)", one, literal[1:-1], flags=re.DOTALL)
