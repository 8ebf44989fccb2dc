"""Queries as people write them to Gmail: words, phrases, operators, OR, - and parentheses, read into a tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from servers.kernel import Rejected, quoted

__all__ = ("OPERATORS", "Every", "Node", "Not", "Some", "Term", "parsed")

OPERATORS = {
    "from": "from:ines",
    "to": "to:me",
    "cc": "cc:tariq@harbor.example",
    "subject": "subject:budget",
    "label": "label:receipts",
    "has": "has:attachment",
    "filename": "filename:minutes",
    "is": "is:unread",
    "in": "in:sent",
    "category": "category:updates",
    "after": "after:2026-03-12",
    "before": "before:2026-03-31",
    "newer_than": "newer_than:7d",
    "older_than": "older_than:2m",
}
"""Each with an example."""

_MOST_TERMS, _MOST_DEPTH = 32, 8
_PLAIN = frozenset({"re", "fw", "fwd", "http", "https", "mailto"})
"""What stands before a colon in ordinary text."""

_SPACE, _WORD = re.compile(r"\s*"), re.compile(r'[^\s(){}"]+')
_NAME = re.compile(r"([A-Za-z_]+|(?i:rfc822msgid)):")
_MINUS = re.compile(r"-(?=[^\s)}])")
_LEAVES_OUT = (
    "query: - leaves out what follows it, and nothing does; write -airlines, or put dashes in quotes if they are text."
)
_ONE_SIDED = "query: OR needs something on both sides; write from:ines OR from:tariq."


class Term(NamedTuple):
    """One thing to look for: `value` anywhere ("" for `operator`), or where the operator says."""

    operator: str
    value: str


class Not(NamedTuple):
    """What must not be so."""

    part: Node


class Every(NamedTuple):
    """What must all be so; without parts, everything is."""

    parts: tuple[Node, ...]


class Some(NamedTuple):
    """What must be so in one part at least."""

    parts: tuple[Node, ...]


Node = Term | Not | Every | Some


class _Token(NamedTuple):
    kind: str  # "mark", "name", "word", "phrase", or "end"
    text: str


def parsed(query: str) -> Node:
    """The tree of a query. OR joins its two neighbours, before all that stand side by side are required.

    Raises `Rejected`, which names what cannot be read and shows what can.
    """
    reader = _Reader(list(_tokens(query)))
    tree = reader.every("")
    if reader.next.kind != "end":
        raise Rejected(
            f"query: {quoted(reader.next.text)} closes nothing that was opened; put it in quotes if it is text."
        )
    if tree == Every(()) and "-" in query:  # beside words it is text, alone it would find everything
        raise Rejected(_LEAVES_OUT)
    return tree


def _tokens(query: str) -> Iterator[_Token]:
    place = 0
    while (place := _end(_SPACE, query, place)) < len(query):
        char = query[place]
        if char in "(){}" or _MINUS.match(query, place):
            yield _Token("mark", char)
            place += 1
        elif char == '"':
            text, closed, _ = query[place + 1 :].partition('"')
            if not closed:
                raise Rejected('query: a quote is not closed; write "annual report".')
            yield _Token("phrase", text)
            place += len(text) + 2
        else:
            name = _NAME.match(query, place)
            if name and _operator(name[1], query[name.end() :]):
                yield _Token("name", name[1].lower())
                place = _end(_SPACE, query, name.end())
            word = _WORD.match(query, place)
            if word:
                if word[0] != "-":
                    yield _Token("word", word[0])
                place = word.end()


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    found = pattern.match(text, place)
    return found.end() if found else place


def _operator(name: str, rest: str) -> bool:
    """Whether that is an operator, and not a word with a colon. Raises `Rejected` where it looks like one."""
    if name.lower() in OPERATORS:
        return True
    if name.lower() in _PLAIN or not rest[:1].strip() or rest.startswith("/"):
        return False
    known = ", ".join(f"{each}:" for each in OPERATORS)
    raise Rejected(f'query: there is no operator {name}:, only {known}. Put text with a colon in quotes: "{name}: x".')


class _Reader:
    """Reads tokens from the front. `within` is the operator whose parentheses are being read, "" outside of any."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._left, self._terms, self._depth = [*reversed(tokens)], 0, 0

    @property
    def next(self) -> _Token:
        return self._left[-1] if self._left else _Token("end", "")

    @property
    def _nothing(self) -> bool:
        """Whether what comes next is nothing that could be looked for."""
        return self.next in (("word", "OR"), ("end", ""), ("mark", ")"), ("mark", "}"))

    def every(self, within: str) -> Node:
        """All up to a closing mark or the end."""
        parts = []
        while self.next.kind != "end" and self.next not in (("mark", ")"), ("mark", "}")):
            if not self._took("word", "AND"):
                parts.append(self._some(within))
        return parts[0] if len(parts) == 1 else Every(tuple(parts))

    def _some(self, within: str) -> Node:
        parts = [self._one(within)]
        while self._took("word", "OR"):
            parts.append(self._one(within))
        return parts[0] if len(parts) == 1 else _some_of(parts)

    def _one(self, within: str) -> Node:
        if self._nothing:
            raise Rejected(_ONE_SIDED)
        kind, text = self._left.pop()
        if kind == "name":
            return self._named(text, within)
        if kind != "mark":
            return self._term(within, text)
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise Rejected(
                f"query: parentheses and - are nested more than {_MOST_DEPTH} deep; write less in one query."
            )
        found = self._marked(text, within)
        self._depth -= 1
        return found

    def _marked(self, mark: str, within: str) -> Node:
        if mark == "-":
            if self._nothing or (part := self._one(within)) == Every(()):
                raise Rejected(_LEAVES_OUT)
            return Not(part)
        inner, end = self.every(within), ")" if mark == "(" else "}"
        if not self._took("mark", end):
            raise Rejected(f"query: {mark!r} is not closed by {end!r}; write (budget OR forecast).")
        if within and inner == Every(()):
            raise Rejected(f"query: {within}: needs a value, such as {OPERATORS[within]}.")
        return _some_of(inner.parts) if mark == "{" and isinstance(inner, Every) and inner.parts else inner

    def _named(self, name: str, within: str) -> Node:
        if within:
            raise Rejected(f"query: {name}: stands inside the parentheses of {within}:; close those first.")
        if self.next == ("mark", "("):
            return self._one(name)
        if self.next.kind not in ("word", "phrase") or not self.next.text.strip():
            raise Rejected(f"query: {name}: needs a value, such as {OPERATORS[name]}.")
        return self._term(name, self._left.pop().text)

    def _term(self, operator: str, value: str) -> Node:
        self._terms += 1
        if self._terms > _MOST_TERMS:
            raise Rejected(f"query: it has more than {_MOST_TERMS} words and operators; write fewer.")
        return Term(operator, value) if value else Every(())

    def _took(self, kind: str, text: str) -> bool:
        if self.next != (kind, text):
            return False
        self._left.pop()
        return True


def _some_of(parts: Sequence[Node]) -> Some:
    """Raises `Rejected` where a part asks for nothing: beside words that is passed over, here all would be found."""
    if Every(()) in parts:
        raise Rejected(_ONE_SIDED)
    return Some(tuple(parts))
