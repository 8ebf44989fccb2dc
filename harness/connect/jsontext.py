"""JSON text as a tree that knows where everything stands, so that edits touch nothing else.

`json` and its like forget white space, comments and the order of bytes; a client's file belongs to its user.
With `comments`, the text is what VS Code reads: `//`, `/* */` and trailing commas are allowed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from harness.connect.problem import NotJson

__all__ = ("BOM", "COMMENT", "Member", "Node", "parse")

BOM = "\ufeff"
_DEEPEST = 100
_BLANK = re.compile(r"[ \t\r\n]*")
COMMENT = re.compile(r"//[^\r\n]*|/\*.*?\*/", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Member:
    """One `"key": value` of an object, and where the comma after it stands, if there is one."""

    key: str
    start: int
    value: Node
    comma: int | None


@dataclass(frozen=True, slots=True)
class Node:
    """A value, and the text `[start:end]` that it stands in.

    `members` are those of an object, else None; `tail` is where the last token or comment before the
    closing brace ends.
    """

    start: int
    end: int
    value: Any
    members: tuple[Member, ...] | None = None
    tail: int = 0

    def named(self, key: str) -> tuple[Member, ...]:
        """The members of that name: one at most, unless the text is odd."""
        return tuple(member for member in self.members or () if member.key == key)


def parse(text: str, *, comments: bool) -> Node:
    """The tree of a whole JSON text. Raises `NotJson`."""
    reader = _Reader(text, comments)
    at = reader.skip(1 if text.startswith(BOM) else 0)
    root = reader.value(at, 0)
    if (rest := reader.skip(root.end)) < len(text):
        raise NotJson(text, rest, f"expected the end of the file, found {reader.shown(rest)}")
    return root


class _Reader:
    def __init__(self, text: str, comments: bool) -> None:
        self.text, self.comments = text, comments

    def shown(self, at: int) -> str:
        return repr(self.text[at]) if at < len(self.text) else "the end of the file"

    def skip(self, at: int) -> int:
        """Past white space and comments."""
        while True:
            at = self._blank(at)
            if not self.text.startswith(("//", "/*"), at):
                return at
            found = COMMENT.match(self.text, at)
            if not self.comments:
                raise NotJson(self.text, at, "this client's file cannot hold comments")
            if found is None:
                raise NotJson(self.text, at, "this comment is never closed")
            at = found.end()

    def _blank(self, at: int) -> int:
        found = _BLANK.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise NotJson(self.text, at, f"nested more than {_DEEPEST} deep")
        match self.text[at : at + 1]:
            case "{":
                return self._object(at, depth)
            case "[":
                return self._array(at, depth)
            case '"':
                return self._string(at)
        found = _PLAIN.match(self.text, at)
        if found is None:
            raise NotJson(self.text, at, f"expected a value, found {self.shown(at)}")
        return Node(at, found.end(), json.loads(found[0]))

    def _string(self, at: int) -> Node:
        found = _STRING.match(self.text, at)
        if found is None:
            raise NotJson(self.text, at, "this text is never closed, or holds a raw control character or a bad escape")
        return Node(at, found.end(), json.loads(found[0]))

    def _object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        at = start + 1
        while True:
            key = self.skip(at)
            if self._closes("}", key, members[-1].comma if members else None):
                held = {member.key: member.value.value for member in members}
                return Node(start, key + 1, held, tuple(members), self._tail(at, key))
            if self.text[key : key + 1] != '"':
                raise NotJson(self.text, key, f"expected a name in double quotes, found {self.shown(key)}")
            name = self._string(key)
            colon = self.skip(name.end)
            if self.text[colon : colon + 1] != ":":
                raise NotJson(self.text, colon, f"expected ':', found {self.shown(colon)}")
            value = self.value(self.skip(colon + 1), depth + 1)
            comma = self._comma("}", value.end)
            members.append(Member(name.value, key, value, comma))
            at = value.end if comma is None else comma + 1

    def _array(self, start: int, depth: int) -> Node:
        values: list[Any] = []
        at, comma = start + 1, None
        while True:
            item = self.skip(at)
            if self._closes("]", item, comma):
                return Node(start, item + 1, values)
            value = self.value(item, depth + 1)
            values.append(value.value)
            comma = self._comma("]", value.end)
            at = value.end if comma is None else comma + 1

    def _closes(self, bracket: str, at: int, comma: int | None) -> bool:
        if self.text[at : at + 1] != bracket:
            return False
        if comma is not None and not self.comments:
            raise NotJson(self.text, comma, f"a comma before {bracket!r}")
        return True

    def _comma(self, bracket: str, end: int) -> int | None:
        """Where the comma after an item stands; None before the closing bracket."""
        at = self.skip(end)
        if self.text[at : at + 1] == ",":
            return at
        if self.text[at : at + 1] != bracket:
            raise NotJson(self.text, at, f"expected ',' or {bracket!r}, found {self.shown(at)}")
        return None

    def _tail(self, at: int, close: int) -> int:
        """The end of the last comment in `[at:close]`, which holds nothing but comments and white space."""
        end = at
        while (start := self._blank(at)) < close:
            found = COMMENT.match(self.text, start)
            assert found is not None
            at = end = found.end()
        return end
