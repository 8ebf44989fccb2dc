"""What bashkit reads otherwise than bash does without a word, as far as the text of a script shows it for certain.

Each is refused with what to write in its place. What is in a here-document is the text of a file, and not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ("misread",)

_HERE: Final = re.compile(r"(?<!<)<<-?[ \t]*(['\"]?)(\w+)\1")
_QUOTED: Final = r'\$\([^()"\n]*(?:"[^"\n]*"[^()"\n]*)*"[^"<>\n]*[<>]'
_WRONG: Final = (
    (
        re.compile(r"\[\[\s+(?:[^\]\n]{0,120}(?:&&|\|\||!|\()\s*)?(-[bcghkpuxGLNOS])\s"),
        "[[ {0} FILE ]] is true of any file here; write [ {0} FILE ]",
    ),
    (
        re.compile(rf"(?<![$\w])\(\([^()\n]{{0,200}}{_QUOTED}"),
        'a quoted < or > in $( ) within (( )) is taken for a redirection here; write [ "$( )" = 1 ]',
    ),
    (
        re.compile(r"<\((?:\\.|[^)<\n\\]){0,120}(?:-print0\b|\bsort -z)"),
        "what comes through <( ) loses its NUL characters here; write COMMAND | while read -r -d '' NAME, or xargs -0",
    ),
    (
        re.compile(r"[({]\s*head(?:\s+(?:-n\s*|-|--lines=)\d+)?\s*(?:;|&&|\n)\s*(?![\s})])"),
        "head takes no lines from what comes after it in ( ) or {{ }} here; name the file: head -n 1 F; tail -n +2 F",
    ),
)
_MAPS: Final = re.compile(r"\b(?:declare|local|typeset)\s+-\w*A\w*\s+(\w+)")
_LOOKED_UP: Final = re.compile(r"(?:\$\{[!#]?|\(\([^()\n]{0,200}?\b)(\w+)\[\$(?:\(|\{\w+[,^%#/:])")


def misread(script: str) -> str:
    """What is wrong, in a sentence without its full stop; "" where nothing is."""
    text = "\n".join(_own(script))
    for pattern, said in _WRONG:
        if found := pattern.search(text):
            return said.format(*found.groups())
    maps = set(_MAPS.findall(text))
    if any(found[1] in maps for found in _LOOKED_UP.finditer(text)):
        return "a key that is made within [ ], as in ${t[${k,,}]}, is not found here; give it a name first: k=${k,,}"
    return ""


def _own(script: str) -> Iterator[str]:
    """The lines but those of here-documents."""
    until = ""
    for line in script.split("\n"):
        if until:
            until = "" if line.strip("\t") == until else until
            continue
        yield line
        if found := _HERE.search(line):
            until = found[2]
