"""What commands of ours are asked by bashkit, and how they answer."""

from __future__ import annotations

from collections.abc import Iterator

from bashkit import BuiltinContext as Asked
from bashkit import BuiltinResult as Done

__all__ = ("Asked", "Done", "Wrong", "options", "place")


class Wrong(Exception):
    """What a command says to arguments that it does not take."""


def options(asked: Asked, flags: str, valued: str) -> Iterator[tuple[str, str]]:
    """Options as getopt reads them: (letter or long name, value); ("", argument) for an argument. Raises `Wrong`."""
    given = list(asked.argv)
    plain = False
    while given:
        word = given.pop(0)
        if plain or word == "-" or not word.startswith("-"):
            yield "", word
        elif word == "--":
            plain = True
        elif word.startswith("--"):
            name, _, value = word[2:].partition("=")
            yield name, value
        else:
            rest = word[1:]
            while rest:
                letter, rest = rest[0], rest[1:]
                if letter in valued:
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
