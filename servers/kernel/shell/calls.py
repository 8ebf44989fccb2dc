"""What commands of ours are asked by bashkit, and how they answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bashkit import BuiltinContext as Asked
from bashkit import BuiltinResult as Done

__all__ = ("Asked", "Done", "Wrong", "options", "place", "resolved", "target")

_LINKS = 40  # as many as Linux follows


_VALUED = {
    "date", "reference", "rfc-3339", "head-count", "input-range", "mode", "max-depth", "sort", "time-style",
    "target-directory", "suffix", "format", "printf", "relative-to", "exclude", "label",
}  # fmt: skip
"""Long options of commands of ours whose value can be the next word."""


class Wrong(Exception):
    """What a command says to arguments that it does not take."""


def options(asked: Asked, flags: str, valued: str, attached: str = "") -> Iterator[tuple[str, str]]:
    """Options as getopt reads them: (letter or long name, value); ("", argument) for an argument. Raises `Wrong`.

    Letters that are `attached` have as value what follows within the word, if anything does.
    """
    given = list(asked.argv)
    plain = False
    while given:
        word = given.pop(0)
        if plain or word == "-" or not word.startswith("-"):
            yield "", word
        elif word == "--":
            plain = True
        elif word.startswith("--"):
            name, given_here, value = word[2:].partition("=")
            if name in _VALUED and not given_here:
                if not given:
                    raise Wrong(f"option '--{name}' requires an argument")
                value = given.pop(0)
            yield name, value
        else:
            rest = word[1:]
            while rest:
                letter, rest = rest[0], rest[1:]
                if letter in attached:
                    yield letter, rest
                    rest = ""
                elif letter in valued:
                    if not rest and not given:
                        raise Wrong(f"option requires an argument -- '{letter}'")
                    yield letter, rest or given.pop(0)
                    rest = ""
                elif letter in flags:
                    yield letter, ""
                else:
                    raise Wrong(f"invalid option -- '{letter}'")


def place(asked: Asked, path: str) -> str:
    """An absolute path without its '.' and '..'."""
    parts: list[str] = []
    for part in (path if path.startswith("/") else f"{asked.cwd}/{path}").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)


def resolved(asked: Asked, word: str, target: Callable[[str], str]) -> str:
    """Where that is, by its only path: links on the way are followed, but one that is named itself only before a "/".

    `target` says where the link at a path leads, "" for what is none. Raises `Wrong` for links in a circle.
    """
    path = word if word.startswith("/") else f"{asked.cwd}/{word}"
    left, at, followed = path.split("/")[::-1], "", 0
    while left:
        part = left.pop()
        if part == "..":
            at = at.rpartition("/")[0]
        elif part not in ("", "."):
            leads = target(f"{at}/{part}") if left else ""
            at = "" if leads.startswith("/") else at if leads else f"{at}/{part}"
            left += leads.split("/")[::-1]
            if (followed := followed + bool(leads)) > _LINKS:
                raise Wrong(f"cannot stat '{word}': Too many levels of symbolic links")
    return at or "/"


def target(asked: Asked, at: str) -> str:
    """Where a link leads; "" for what is none."""
    try:
        return asked.fs.read_link(at)
    except RuntimeError:
        return ""
