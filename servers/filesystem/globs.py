"""Patterns over paths: `*`, `?`, `[abc]` and `{a,b}` within a name, `**` across directories.

Names are matched by the standard library's `fnmatch`, which cannot be made to run for ever; paths name by name.
"""

from __future__ import annotations

import fnmatch
import re
import unicodedata
from collections.abc import Iterator, Sequence

from servers.kernel import Rejected, quoted

__all__ = ("Glob", "Hidden")

_CHARACTERS, _NAMES, _CHOICES = 1_000, 64, 100
_TOGETHER = 200
"""Names of all patterns of one call together: each may be compared with every name that there is."""

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")


class Glob:
    """A pattern over relative paths. Case matters, and a leading dot is a character like any other.

    One that ends with "/" is of directories alone. Raises `Rejected` for what can match nothing: an absolute pattern,
    `..`, or one that is too long.
    """

    def __init__(self, pattern: str) -> None:
        if not pattern.strip() or len(pattern) > _CHARACTERS:
            raise _refused(pattern, f"it needs 1 to {_CHARACTERS:,} characters")
        normal = unicodedata.normalize("NFC", pattern)
        self._choices = [self._compiled(pattern, each) for each in _choices(pattern, normal)]
        self.anywhere = "/" not in normal
        """Whether the pattern is of one name alone."""
        self.names = sum(map(len, self._choices))
        """How many names it is made of, braces spelled out."""
        self._kinds = ("directory",) if normal.endswith("/") else ("directory", "file")

    def matches(self, parts: Sequence[str], kind: str = "file") -> bool:
        """Whether the whole path of a file or directory, given as names, fits."""
        return kind in self._kinds and any(_fits(names, parts) for names in self._choices)

    def _compiled(self, given: str, pattern: str) -> tuple[re.Pattern[str] | None, ...]:
        names = pattern.removeprefix("./").removesuffix("/").split("/")
        if "" in names or ".." in names:
            raise _refused(given, "patterns are relative to the directory searched, as in 'docs/*.md' or '**/*.md'")
        if len(names) > _NAMES:
            raise _refused(given, f"it has more than {_NAMES} names")
        return tuple(None if name == "**" else re.compile(fnmatch.translate(name)) for name in names)


class Hidden:
    """Whether a path, or a directory that it lies in, is left out.

    A pattern without a slash is of a name anywhere, one with a slash of a whole path. Raises `Rejected` as `Glob` does,
    and where the patterns together stand for too many names.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        self._globs = [Glob(pattern) for pattern in patterns]
        if (names := sum(glob.names for glob in self._globs)) > _TOGETHER:
            raise Rejected(
                f"The patterns to leave out stand for {names:,} names, braces spelled out; "
                f"at most {_TOGETHER} are compared. Give fewer or simpler ones."
            )
        self._known: dict[tuple[str, ...], bool] = {(): False}

    def __call__(self, parts: tuple[str, ...]) -> bool:
        """Each directory is looked at once, however much lies in it."""
        known = self._known.get(parts)
        if known is None:
            known = self._known[parts] = self(parts[:-1]) or any(
                glob.matches(parts[-1:] if glob.anywhere else parts, "directory") for glob in self._globs
            )
        return known


def _fits(names: Sequence[re.Pattern[str] | None], parts: Sequence[str]) -> bool:
    """`reached[n]`: the names so far can cover the first n parts. A last `**` covers one or more, others any number."""
    reached = [True] + [False] * len(parts)
    for place, name in enumerate(names):
        if name is None:
            first = reached.index(True) + (place == len(names) - 1)
            reached = [n >= first for n in range(len(parts) + 1)]
        else:
            reached = [False] + [
                before and bool(name.match(part)) for before, part in zip(reached, parts, strict=False)
            ]
        if True not in reached:
            return False
    return reached[-1]


def _choices(given: str, pattern: str) -> list[str]:
    """What a pattern with braces stands for."""
    found = [pattern]
    while any(map(_BRACES.search, found)):
        found = [spelled for each in found for spelled in _spelled(each)]
        if len(found) > _CHOICES:
            raise _refused(given, f"its braces stand for more than {_CHOICES} patterns")
    return found


def _spelled(pattern: str) -> Iterator[str]:
    if braces := _BRACES.search(pattern):
        yield from (pattern[: braces.start()] + each + pattern[braces.end() :] for each in braces[1].split(","))
    else:
        yield pattern


def _refused(pattern: str, problem: str) -> Rejected:
    return Rejected(f"The pattern {quoted(pattern)} is refused: {problem}.")
