"""Replacing pieces of a text, and showing what that changes."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from itertools import takewhile
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from servers.filesystem.entries import FILE_BYTES
from servers.filesystem.near import nearest
from servers.kernel import Rejected, quoted

__all__ = ("Edit", "edited", "lines_of", "replaced", "unified")

_CONTEXT = 3
_COMPARED = 4_000
"""Lines between the first and the last change that are compared line by line; more become one block."""

_LOOSE = 2_000_000
"""Lines of the file times lines sought, up to which differences in white space are looked for: 0.1 s at worst."""

_NEAR = 200
"""Characters of a line, up to which one like it is looked for."""


class Edit(BaseModel):
    """One replacement."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    oldText: Annotated[
        str,
        Field(
            min_length=1,
            description="Text to replace, exactly as in the file; its first occurrence. "
            "If there is none, whole lines are matched ignoring white space at their ends.",
        ),
    ]
    newText: Annotated[str, Field(description="What to put in its place.")]


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text after the edits, one after the other. Line ends stay as they are.

    Raises `Rejected` naming the first edit whose text does not occur.
    """
    for number, edit in enumerate(edits, 1):
        old, new = edit.oldText, edit.newText
        if windows := _windows(text, old):
            text, old, new = map(_newlines, (text, old, new))
        text = text.replace(old, new, 1) if old in text else _loosely(text, old, new, number)
        if windows:
            text = text.replace("\n", "\r\n")
    return text


def replaced(text: str, old: str, new: str, *, every: bool) -> str:
    """The text with a piece replaced that occurs once, or wherever it occurs. Line ends stay as they are.

    Raises `Rejected` where it occurs nowhere, or several times and not `every` one is meant.
    """
    if windows := _windows(text, old):
        text, old, new = map(_newlines, (text, old, new))
    count = text.count(old)
    if count > 1 and not every:
        raise _several(old, f"occurs {count:,} times")
    _room(text, count, old, new)
    text = text.replace(old, new) if count else _loosely(text, old, new, every=every)
    return text.replace("\n", "\r\n") if windows else text


def lines_of(text: str) -> list[str]:
    """The lines of a text, each with its line feed."""
    lines = text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def unified(old: str, new: str, path: str) -> str:
    """A unified diff of two texts, three lines of context; empty if they are equal."""
    before, after = lines_of(old), lines_of(new)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    rest = zip(reversed(before[same:]), reversed(after[same:]), strict=False)
    end = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], rest))
    start, tail = max(0, same - _CONTEXT), max(0, end - _CONTEXT)
    ours, theirs = before[start : len(before) - tail], after[start : len(after) - tail]
    if len(ours) + len(theirs) > _COMPARED:
        lead, trail = same - start, end - tail
        gone, come = ours[lead : len(ours) - trail], theirs[lead : len(theirs) - trail]
        body = [" " + line for line in ours[:lead]]
        body += ["-" + line for line in gone] + ["+" + line for line in come]
        body += [" " + line for line in ours[len(ours) - trail :]]
        hunks = [f"@@ -{start + 1},{len(ours)} +{start + 1},{len(theirs)} @@\n", *body]
    else:
        hunks = [_moved(line, start) for line in list(difflib.unified_diff(ours, theirs, n=_CONTEXT))[2:]]
    if not hunks:
        return ""
    shown = [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in hunks]
    return "".join([f"--- a{path}\n", f"+++ b{path}\n", *shown])


def _moved(line: str, by: int) -> str:
    """A hunk's head with the line numbers of the whole text."""
    if not line.startswith("@@ "):
        return line
    ranges = []
    for each in line.split()[1:3]:
        first, comma, count = each[1:].partition(",")
        ranges.append(f"{each[0]}{int(first) + by}{comma}{count}")
    return f"@@ {' '.join(ranges)} @@\n"


def _room(text: str, count: int, old: str, new: str) -> None:
    if len(text) + count * (len(new) - len(old)) > FILE_BYTES:
        raise Rejected(f"The file would become too long; a file holds at most {FILE_BYTES:,} bytes.")


def _several(old: str, how: str) -> Rejected:
    return Rejected(
        f"old_text {quoted(old)} {how} in the file. Give more of what is around the place that is meant, or every=true "
        "to replace all."
    )


def _windows(text: str, old: str) -> bool:
    """Whether every line ends as on Windows, and it is not half of such an end that is looked for."""
    return "\r\n" in text and text.count("\n") == text.count("\r\n") and "\r" not in _newlines(old)


def _newlines(text: str) -> str:
    return text.replace("\r\n", "\n")


def _loosely(text: str, old: str, new: str, number: int = 0, *, every: bool = False) -> str:
    """Replace whole lines that equal `old` but for white space at their ends, keeping their indentation and line ends.

    `number` says which of several edits it is, which then replaces the first such place. At 0 there is but one edit,
    and it replaces `every` place or the only one.
    """
    have, want = text.split("\n"), old.removesuffix("\n").split("\n")
    bare, sought = [line.strip() for line in have], [line.strip() for line in want]
    if any(sought) and len(have) * len(want) <= _LOOSE:
        size, places, place = len(want), list[int](), 0
        while place <= len(have) - size and not (number and places):
            fits = bare[place : place + size] == sought
            places += [place] if fits else []
            place += size if fits else 1
        if len(places) > 1 and not every:
            raise _several(old, f"occurs {len(places):,} times, white space at the ends of lines aside,")
        _room(text, len(places), old, new)
        come = new.removesuffix("\n").split("\n") if new else []
        kept, at = list[str](), 0
        for place in places:
            kept += [*have[at:place], *_put(come, have[place : place + size], want[0])]
            at = place + size
        if places:
            return "\n".join([*kept, *have[at:]])
    likely = [line for line in bare[:1_000] if 0 < len(line) <= _NEAR]
    close = nearest(next(filter(None, sought), "")[:_NEAR], likely)
    hint = f" The nearest line is {quoted(have[bare.index(close)])}." if close else ""
    raise Rejected(
        f"{f'Edit {number} changes nothing:' if number else 'old_text'} {quoted(old)} does not occur in the file"
        f"{' as the edits before it leave it' if number > 1 else ''}.{hint} Read the file and copy the text exactly."
    )


def _put(come: Sequence[str], gone: Sequence[str], first: str) -> list[str]:
    """Lines that come where others were, with their indentation and ends; `first` is how the first was written."""
    ends = ["\r" * line.endswith("\r") for line in gone]
    shift = _indent(gone[0]), _indent(first)
    return [
        _shifted(line.removesuffix("\r"), *shift) + ends[min(number, len(ends) - 1)] for number, line in enumerate(come)
    ]


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _shifted(line: str, have: str, want: str) -> str:
    if not line.strip():
        return line
    return have + line.removeprefix(want) if line.startswith(want) else have + line.lstrip()
