"""What bashkit reads otherwise than bash does without a word, as far as the text of a script shows it for certain.

Each is refused with what to write in its place. Comments and texts in quotes and here-documents are not looked at.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ("misread",)

_TOKEN: Final = re.compile(
    r"""(?s)(?P<kept>\\.|<<<)|(?P<raw>'[^']*'?|\$'(?:\\.|[^'\\])*'?)|(?P<comment>(?<![^\s;|&()])\#[^\n]*)
    |(?P<sums>\(\()|(?P<open>\()|(?P<close>\))|(?P<quote>")
    |<<(?P<tabs>-?)[ \t]*(?P<until>'[^'\n]*'|"[^"\n]*"|[^\s'"<>|&;()]+)|(?P<end>\n)""",
    re.VERBOSE,
)
_IN_QUOTES: Final = re.compile(r"""(?s)(?P<kept>\\.)|(?P<sums>\$\(\()|(?P<open>\$\()|(?P<quote>")""")
_QUOTED: Final = r'\$\([^()"\n]*(?:"[^"\n]*"[^()"\n]*)*"[^"<>\n]*[<>]'
_WRONG: Final = (
    (
        re.compile(r"\[\[\s+(?:(?:(?!\]\])[^\n]){0,120}(?:&&|\|\||!|\()\s*)?(-[bcghkpuxGLNOS])\s"),
        "[[ {0} FILE ]] is true of any file here; write [ {0} FILE ]",
    ),
    (
        re.compile(rf"(?<![$\w])\(\([^()\n]{{0,200}}{_QUOTED}"),
        'a quoted < or > in $( ) within (( )) is taken for a redirection here; write [ "$( )" = 1 ]',
    ),
    (
        re.compile(
            r"<\((?:\\.|[^)<\\]){0,120}(?:-print0\b|\bsort -z|\bgrep -\w*Z)"
            r"(?!(?:\\.|[^)\\])*\|\s*(?:xargs|tr|while)\b)"
        ),
        "what comes through <( ) loses its NUL characters here; write COMMAND | while read -r -d '' NAME, or xargs -0",
    ),
    (
        re.compile(
            r"[({]\s*head(?:\s+(?:-n\s*|-|--lines=)\d+)?\s*(?:;|&&|\n)\s*"
            r"(?:(?:echo|printf)\b[^;&|\n(){}]*(?:;|&&|\n)\s*)*(?!echo\b|printf\b)(?![\s})])"
        ),
        "head takes no lines from what comes after it in ( ) or {{ }} here; name the file: head -n 1 F; tail -n +2 F",
    ),
)
_MAPS: Final = re.compile(r"\b(?:declare|local|typeset)\s+-\w*A\w*((?:\s+\w+)+)")
_LOOKED_UP: Final = re.compile(r"(?:\$\{[!#]?|\(\([^()\n]{0,200}?\b)(\w+)\[\x22?\$(?:\(|\{\w+[,^%#/:])")


def misread(script: str) -> str:
    """What is wrong, in a sentence without its full stop; "" where nothing is."""
    text, quoted = _read(script)
    for pattern, said in _WRONG:
        for found in pattern.finditer(text):
            if not quoted[found.start()]:
                return said.format(*found.groups())
    maps = {name for names in _MAPS.findall(text) for name in names.split()}
    if any(found[1] in maps for found in _LOOKED_UP.finditer(text)):
        return "a key that is made within [ ], as in ${t[${k,,}]}, is not found here; give it a name first: k=${k,,}"
    return ""


def _read(script: str) -> tuple[str, bytearray]:
    """The script without comments, '...' and here-documents; and which of its characters are in double quotes."""
    text, quoted, at = "", bytearray(), 0
    inside: list[str] = []  # of what: " or ( or, for sums, +
    waiting: list[tuple[str, bool]] = []  # ends of here-documents

    while at < len(script):
        in_quotes = inside[-1:] == ['"']
        found = (_IN_QUOTES if in_quotes else _TOKEN).search(script, at)
        till = found.start() if found else len(script)
        piece = script[at:till]
        kind = str(found.lastgroup) if found else ""
        at = found.end() if found else till
        if found and kind == "raw":
            piece += "''"
        elif found and kind != "comment":
            piece += found[0]
        text += piece
        quoted += bytes([in_quotes]) * len(piece)
        if (kind == "quote" and in_quotes) or (kind == "close" and inside):
            inside.pop()
        elif kind in ("quote", "open"):
            inside.append('"' if kind == "quote" else "(")
        elif kind == "sums":
            inside += "++"
        elif found and kind == "until" and "+" not in inside:
            waiting.append((re.sub(r"[\\'\"]", "", found["until"]), bool(found["tabs"])))
        elif kind == "end":
            for until, tabs in waiting:
                at = _behind(script, at, until, tabs)
            waiting = []
    return text, quoted


def _behind(script: str, at: int, until: str, tabs: bool) -> int:
    """Where the script goes on behind the here-document that begins there."""
    body = re.compile(rf"(?m)^{chr(9) + '*' if tabs else ''}{re.escape(until)}$\n?")
    found = body.search(script, at)
    return found.end() if found else len(script)
