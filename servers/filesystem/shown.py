"""What fits into one result, and what is said of the rest."""

from __future__ import annotations

from collections.abc import Sequence
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

MEDIA_BYTES = 2**20
"""Of a file given whole as base64."""

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


def excerpt(text: str, head: int | None, tail: int | None, most: int = TEXT_CHARACTERS) -> str:
    """The lines asked for, as many as fit from the first on; a last line says what was cut off and how to continue."""
    lines = lines_of(text)
    count = len(lines)
    first = max(0, count - tail) if tail is not None else 0
    asked = lines[first:] if tail is not None else lines[:head]
    if sum(map(len, asked)) <= most:
        return "".join(asked)
    kept, room = 0, most
    while len(asked[kept]) <= room:
        room -= len(asked[kept])
        kept += 1
    body = "".join(asked[:kept])
    if kept == 0:
        body, kept = asked[0][:most] + "\n", 1
        said = f"line {first + 1} of {count} is shown up to character {most:,} of {len(asked[0]):,}"
    else:
        said = f"lines {first + 1} to {first + kept} of {count} are shown"
    left = count - first - kept
    return f"{body}[Cut off: {said}.{f' Continue with read_text_file and tail={left}.' if left else ''}]"


def lines_from(text: str, first: int, count: int | None, most: int) -> str:
    """Lines from the first asked for on, as many as fit; where some are left, a last line says how to go on."""
    lines = lines_of(text)
    if first > max(1, len(lines)):
        raise Rejected(f"first_line is {first}; the file has {len(lines):,} lines.")
    asked = lines[first - 1 : None if count is None else first - 1 + count]
    kept, room = 0, most
    while kept < len(asked) and len(asked[kept]) <= room:
        room -= len(asked[kept])
        kept += 1
    body, said = "".join(asked[:kept]), f"lines {first} to {first - 1 + kept} of {len(lines)} are shown"
    if asked and not kept:
        body, kept = asked[0][:most] + "\n", 1
        said = f"line {first} of {len(lines)} is shown up to character {most:,} of {len(asked[0]):,}"
    elif first - 1 + kept == len(lines):
        return body
    left = first - 1 + kept < len(lines)
    return f"{body}[Cut off: {said}.{f' Continue with first_line={first + kept}.' if left else ''}]"


def listing(lines: Sequence[str], advice: str, *, end: str = "", most: int = TEXT_CHARACTERS) -> str:
    """The lines that fit, one each, then `end`; says how many were cut off, and adds `advice`."""
    room = most
    for kept, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            cut = f"[Cut off: {len(lines) - kept:,} of {len(lines):,} are not shown. {advice}]"
            return "\n".join([*lines[:kept], *([end] if end else []), cut])
    return "\n".join([*lines, *([end] if end else [])])


def page(lines: Sequence[str], skip: int, count: int, advice: str) -> str:
    """Lines that come behind the first `skip` of `count`, as many as fit; a last line says how to see more."""
    kept, room = 0, RESULT
    while kept < len(lines) and (not kept or len(lines[kept]) < room):
        room -= len(lines[kept]) + 1
        kept += 1
    shown = list(lines[:kept])
    if kept and (until := skip + kept) < count:
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
