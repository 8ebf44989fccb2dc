"""Scripts of conversations: plain text files in `stories/`, read into lines that a stage plays.

    # key | Subject of the thread | label=Customers before=-40
    == d0@10:12 buyer > owner / am1 as=ask
    What they write, without greeting and signature, with facts as {visit}.
    ||
    Another wording of it.
    == ~ owner > all

A thread whose key begins with `chat:` is one in the channel that stands where others have their subject. When it is:
`d3` on the third day of the story, `+2` two days after what stands before, `~` in answer to that, after a while.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

__all__ = ("Line", "Thread", "filled", "threads")

_FOLDER = Path(__file__).parent / "stories"
_HEAD = re.compile(
    r"== (?P<when>\S+) (?P<who>\w+)(?: > (?P<to>[\w, ]+?))?(?: / (?P<cc>[\w, ]+?))?(?P<rest>(?: \S+=\S+)*)"
)
_PUT = re.compile(r"(\w+)=(\S+)")
_OTHER = re.compile(r"^\|\|$", re.MULTILINE)


class Line(NamedTuple):
    """Something said: when, by whom, to whom, in which wordings."""

    when: str
    who: str
    to: tuple[str, ...]
    cc: tuple[str, ...]
    options: dict[str, str]
    wordings: tuple[str, ...]
    kind: str = "mail"
    """In work scripts: `mail`, `chat`, `task`, `meeting`, `note` or `file`."""


class Thread(NamedTuple):
    """A conversation and its lines."""

    key: str
    subject: str
    options: dict[str, str]
    lines: tuple[Line, ...]


@cache
def threads(name: str) -> tuple[Thread, ...]:
    """The threads of a script. Raises ValueError naming what cannot be read."""
    text = (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(_thread(name, part) for part in f"\n{text}".split("\n# ")[1:])


def _thread(name: str, text: str) -> Thread:
    head, _, body = text.partition("\n")
    key, subject, *rest = (part.strip() for part in head.split("|"))
    options = {word: value.replace("_", " ") for word, value in _PUT.findall(" ".join(rest))}
    return Thread(key, subject, options, tuple(_lines(f"{name}: {key}", body)))


def _lines(where: str, body: str) -> Iterator[Line]:
    for part in f"\n{body}".split("\n== ")[1:]:
        first, _, text = f"== {part}".partition("\n")
        head = _HEAD.fullmatch(first.rstrip())
        if head is None:
            raise ValueError(f"{where}: a line begins as in `== d0@10:12 buyer > owner / am1 as=ask`, not {first!r}")
        wordings = tuple(filled(each) for each in (_OTHER.split(text) if "||" in text else [text]))
        yield Line(
            head["when"],
            head["who"],
            _names(head["to"]),
            _names(head["cc"]),
            dict(_PUT.findall(head["rest"])),
            wordings,
        )


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())


def filled(text: str) -> str:
    """A paragraph is what stands between empty lines, but for lists."""
    parts = (part.strip("\n") for part in text.strip().split("\n\n"))
    return "\n\n".join(part if part.startswith("- ") else part.replace("\n", " ") for part in parts if part)
