"""What fits into one result, and what is said of the rest."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Literal

from pydantic import BaseModel

from servers.filesystem.edits import lines_of
from servers.filesystem.entries import Listed
from servers.filesystem.paths import parts_below
from servers.kernel import RESULT, Rejected

__all__ = (
    "MEDIA_BYTES",
    "TEXT_CHARACTERS",
    "TREE_ENTRIES",
    "Directory",
    "File",
    "excerpt",
    "lines_from",
    "listing",
    "page",
    "tree",
)

TEXT_CHARACTERS = 100_000
"""Of one result: about 25,000 tokens, where clients begin to cut on their own."""

MEDIA_BYTES = 750_000
"""Of a file given whole as base64: a million characters, which fit into the 1 MiB that a server over HTTP answers."""

TREE_ENTRIES = 2_000


class File(BaseModel):
    """A file in a tree."""

    name: str
    type: Literal["file"] = "file"


class Directory(BaseModel):
    """A directory in a tree; `notShown` counts what lies directly in it and was cut off."""

    name: str
    type: Literal["directory"] = "directory"
    children: list[File | Directory] = []
    notShown: int = 0


def excerpt(text: str, head: int | None, tail: int | None, skip: int = 0, most: int = TEXT_CHARACTERS) -> str:
    """The lines asked for, from a character of them on: as many whole lines as fit, or as much of the first as does.

    Where some are left, a last line says how to go on. What comes then is what was left, in order. Raises `Rejected`
    where nothing is behind `skip`.
    """
    lines = lines_of(text)
    count = len(lines)
    first = max(0, count - tail) if tail is not None else 0
    asked = lines[first:] if tail is not None else lines[:head]
    at, begin = 0, skip
    while at < len(asked) and begin >= len(asked[at]):
        begin -= len(asked[at])
        at += 1
    if skip and at == len(asked):
        raise Rejected(f"skip is {skip:,}; what was asked for has {_many(sum(map(len, asked)), 'character')}.")
    rest = [asked[at][begin:], *asked[at + 1 :]] if begin else asked[at:]
    if sum(map(len, rest)) <= most:
        return "".join(rest)
    kept = _fitting(map(len, rest), most)
    number = first + at + 1
    if kept:
        body, cut = "".join(rest[:kept]), 0
        said = f"{_lines(number, number + kept - 1)} of {count} {'is' if kept == 1 else 'are'} shown"
        said += f", line {number} from character {begin + 1:,}" if begin else ""
    else:
        body, cut = rest[0][:most] + "\n", begin + most
        since = f"from character {begin + 1:,} to" if begin else "up to character"
        said = f"line {number} of {count} is shown {since} {cut:,} of {len(asked[at]):,}"
    if head is not None:
        way = f", head={head} and skip={skip + (len(body) if kept else most)}"
    else:
        left = f"tail={count - first - at - kept}"
        way = f", {left} and skip={cut}" if cut else f" and {left}"
    return f"{body}[Cut off: {said}. Continue with read_text_file{way}.]"


def lines_from(text: str, first: int, count: int | None, skip: int, most: int) -> str:
    """Lines from a character of the first asked for on: as many whole ones as fit, or as much of that one as does.

    Where some are left, a last line says how to go on. Raises `Rejected` where there is no such line or character.
    """
    lines = lines_of(text)
    if first > max(1, len(lines)):
        raise Rejected(f"first_line is {first}; the file has {_many(len(lines), 'line')}.")
    asked = lines[first - 1 : None if count is None else first - 1 + count]
    whole = len(asked[0]) if asked else 0
    if skip and skip >= whole:
        raise Rejected(f"skip is {skip:,}; line {first} has {_many(whole, 'character')}.")
    if skip:
        asked[0] = asked[0][skip:]
    kept = _fitting(map(len, asked), most)
    if asked and not kept:
        since = f"from character {skip + 1:,} to" if skip else "up to character"
        said = f"line {first} of {len(lines)} is shown {since} {skip + most:,} of {whole:,}"
        return f"{asked[0][:most]}\n[Cut off: {said}. Continue with first_line={first} and skip={skip + most}.]"
    body = "".join(asked[:kept])
    if first - 1 + kept == len(lines):
        return body
    said = f"{_lines(first, first - 1 + kept)} of {len(lines)} {'is' if kept == 1 else 'are'} shown"
    return f"{body}[Cut off: {said}. Continue with first_line={first + kept}.]"


def _fitting(lengths: Iterable[int], room: int) -> int:
    """How many of these lengths, from the first on, fit into so much."""
    return bisect_right([*accumulate(lengths)], room)


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _lines(first: int, last: int) -> str:
    return f"line {first}" if first == last else f"lines {first} to {last}"


def listing(lines: Sequence[str], advice: str, *, end: str = "", most: int = TEXT_CHARACTERS) -> str:
    """The lines that fit, one each, then `end`; says how many were cut off, and adds `advice`."""
    kept = _fitting((len(line) + 1 for line in lines), most)
    left = f"[Cut off: {len(lines) - kept:,} of {len(lines):,} are not shown. {advice}]" if kept < len(lines) else ""
    return "\n".join([*lines[:kept], *filter(None, (end, left))])


def page(lines: Sequence[str], skip: int, count: int, advice: str) -> str:
    """Lines that come behind the first `skip` of `count`, as many as fit; a last line says how to see more."""
    shown = list(lines[: max(1, _fitting((len(line) + 1 for line in lines), RESULT))])
    if shown and (until := skip + len(shown)) < count:
        shown.append(
            f"[Cut off: {skip + 1:,} to {until:,} of {count:,} are shown. Continue with skip={until}, or {advice}.]"
        )
    return "\n".join(shown)


def tree(folder: str, entries: Sequence[Listed]) -> Directory:
    """Entries below a folder as a tree, nearest first where not all fit."""
    top = Directory(name=folder.rpartition("/")[2])
    at: dict[str, Directory] = {folder: top}
    room = TREE_ENTRIES
    for entry in sorted(entries, key=lambda entry: len(parts_below(entry.path, folder))):
        parent = at.get(entry.path.rpartition("/")[0])
        if parent is None:
            continue
        if not room:
            parent.notShown += 1
            continue
        room -= 1
        if entry.kind == "directory":
            at[entry.path] = node = Directory(name=entry.name)
            parent.children.append(node)
        else:
            parent.children.append(File(name=entry.name))
    return top
