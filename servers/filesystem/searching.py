"""Looking for lines in files, in time that grows with what is looked through and never faster.

Patterns are RE2's, the library of the database: it knows neither look-ahead nor references back, and never tries a text
in more than one way. A pattern may still cost its size times that of the text, so the product is bounded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from servers.kernel import Rejected, State, quoted

__all__ = ("PATTERN", "Matches", "grep")

PATTERN = 500
_LINES = 100
"""Lines that one result shows."""

_EFFORT = 100_000_000
"""Size of a pattern times characters looked through: two seconds for the worst there is, mostly a hundredth of that."""

_SHOWN, _BEFORE = 240, 80
"""Characters of a long line that are shown, and how many of them stand before what was found."""

_PLAIN = re.compile(r"[^\\.+*?()\[\]{}|^$]*")
_TOKEN = re.compile(
    r"\\.|\[\^?\]?(?:\[:\^?[a-z]+:\]|\\.|[^\]\\])*\]|\(\?[A-Za-z-]*\)|\((?:\?(?:P?<[^>]*>|[A-Za-z-]*:))?"
    r"|\{(?P<least>[0-9]{1,4})(?P<more>,(?P<most>[0-9]{0,4}))?\}|.",
    re.DOTALL,
)
_CLASS = 4
"""The size of whatever stands for many characters, where a letter has 1."""


class Matches(NamedTuple):
    """Lines that a pattern matches, each with its file and number, and how many there are in all."""

    lines: list[str]
    total: int


def grep(state: State, within: str, pattern: str, only: Sequence[str] | None, skip: int, *, anycase: bool) -> Matches:
    """Lines of the text files at a path or below it, or of those in `only`, that a pattern matches; a page of them.

    Raises `Rejected` for what is no pattern, and for one that is too much work.
    """
    files = "text IS NOT NULL AND (path = ? OR starts_with(path, ?))"
    params: list[Any] = [within, f"{within}/"]
    if only is not None:
        files, params = f"{files} AND list_contains(?, path)", [*params, [*only]]
    if _PLAIN.fullmatch(pattern):
        line, sought = ("lower(line)", "lower(?)") if anycase else ("line", "?")
        fits, place = f"contains({line}, {sought})", f"strpos({line}, {sought})"
    else:
        _check(state, pattern, files, params)
        case = "'i'" if anycase else "'c'"
        fits, place = f"regexp_matches(line, ?, {case})", f"strpos(line, regexp_extract(line, ?, 0, {case}))"
    rows = state.query(
        f"SELECT path, number, line, {place}, found FROM (SELECT *, count(*) OVER () AS found FROM ("
        "SELECT path, number, rtrim(piece, chr(13)) AS line FROM ("
        "SELECT path, len(pieces) AS last, unnest(pieces) AS piece, unnest(range(1, len(pieces) + 1)) AS number FROM ("
        f"SELECT path, string_split(text, chr(10)) AS pieces FROM entries WHERE {files}"
        f")) WHERE number < last OR piece <> '') WHERE {fits} "
        f"ORDER BY replace(path, '/', chr(1)), number LIMIT {_LINES} OFFSET {skip})",
        [pattern, *params, pattern],
    )
    lines = [f"{path}:{number}: {_shown(line, place)}" for path, number, line, place, _ in rows]
    return Matches(lines, rows[0][-1] if rows else 0)


def _check(state: State, pattern: str, files: str, params: Sequence[Any]) -> None:
    ((fits,),) = state.query("SELECT TRY(regexp_matches('', given)) FROM (SELECT unnest([?]) AS given)", [pattern])
    if fits is None or "\\Q" in pattern:
        raise Rejected(
            f"pattern {quoted(pattern)} is not a regular expression. Put \\ before a character that stands for itself, "
            "as in 'total \\(net\\)'; look-ahead and references back are not known."
        )
    ((size,),) = state.query(f"SELECT coalesce(sum(strlen(text)), 0) FROM entries WHERE {files}", params)
    if (states := _states(pattern)) * size > _EFFORT:
        raise Rejected(
            f"pattern {quoted(pattern)} is too much work in {size:,} bytes of text: at most "
            f"{_EFFORT // states:,} are looked through with it. Name a directory in path or files in glob, or give "
            "words alone, which are looked for anywhere."
        )


def _states(pattern: str) -> int:
    """About how many states a pattern has when what is repeated is written out."""
    groups, last = [0], 0
    for token in _TOKEN.finditer(pattern):
        text = token[0]
        if text.startswith("("):
            groups += [] if text.endswith(")") else [0]  # (?i) holds nothing
        elif text == ")" and len(groups) > 1:
            last = groups.pop()
            groups[-1] += last
        elif least := token["least"]:
            times = max(int(least) + bool(token["more"]), int(token["most"] or 0), 1)
            groups[-1] += last * (times - 1)
            last *= times
        else:
            last = 1 if len(text) == 1 and text != "." else _CLASS
            groups[-1] += last
    return max(1, sum(groups))


def _shown(line: str, place: int) -> str:
    if len(line) <= _SHOWN:
        return line
    start = max(0, min(place - 1 - _BEFORE, len(line) - _SHOWN))
    end = start + _SHOWN
    return f"{'... ' if start else ''}{line[start:end]}{' ...' if end < len(line) else ''}"
