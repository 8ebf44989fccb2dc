"""What a path may be: below a root, in names that Linux, macOS and Windows can all hold.

A path is refused rather than repaired, so that no spelling leads anywhere but where it seems to lead,
and so that what is exported lands where it should on any machine. `tests/apps/path_attacks.json` lists attempts.
"""

from __future__ import annotations

import re
import unicodedata

from servers.kernel import Rejected, quoted

__all__ = (
    "HOMES",
    "NAME_BYTES",
    "PATH_BYTES",
    "PATH_NAMES",
    "ROOT",
    "SKILLS",
    "TOPS",
    "parts_below",
    "resolve",
    "top_of",
    "writable",
)

ROOT = "/workspace"
HOMES = "/home"
"""Where the homes of accounts lie, for surfaces that have them."""

TOPS = (ROOT, HOMES)
"""Directories without a row, which are always there."""

SKILLS = f"{ROOT}/skills"
"""Where skills lie for surfaces that run scripts: nobody who calls changes anything there."""

NAME_BYTES = 255
PATH_BYTES = 1024
"""Of UTF-8, as on the strictest system in use."""

PATH_NAMES = 32
"""Names below the root: work and results grow with the depth of a tree, and readers of JSON stop near 200 levels."""

_SLASHES = "\u2044\u2215\u2571\u27cb\u29f8\u2cc6\u2f03\u31d3\uff0f\U0001d23a"
_BACKSLASHES = "\u2216\u27cd\u29f5\u29f9\u2f02\u31d4\ufe68\uff3c\U0001d20f"
"""Characters that look like separators: the confusables of Unicode's report 39, less letters of living scripts."""

_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?", re.IGNORECASE)
"""Device names, which Windows takes for the device in any folder and with any suffix."""


def resolve(given: str, *, homes: bool = False) -> str:
    """The one spelling of a path: absolute, in Unicode NFC, no slash at the end.

    A relative path counts from the root. With `homes` a path may lie below `HOMES` too. Raises `Rejected` saying what
    is wrong with it.
    """
    if len(given) > PATH_BYTES:  # before anything that takes longer the longer the text
        raise _refused(given, f"a path has at most {PATH_BYTES:,} bytes")
    path = unicodedata.normalize("NFC", given)
    if problem := _characters(path):
        raise _refused(given, problem)
    absolute = path.startswith("/")
    names = path.removesuffix("/").split("/")[absolute:]
    tops = TOPS if homes else (ROOT,)
    if path == "/":
        raise _outside(given, tops)
    top = f"/{names[0]}" if absolute else ROOT
    if top not in tops:
        if top.casefold() in tops:
            raise _refused(given, f"case matters: write {top.casefold()}")
        raise _outside(given, tops)
    inside = [name for name in names[absolute:] if name != "."]
    whole = "/".join((top, *inside))
    for name in inside:
        if problem := _name(name):
            raise _refused(given, problem)
    if inside and inside[0].startswith("~"):
        if homes:
            raise _refused(given, f"~ stands for nothing; write a home directory out, as in {HOMES}/ACCOUNT")
        raise _refused(given, f"there is no home directory; everything lies in {ROOT}")
    if len(whole.encode()) > PATH_BYTES:
        raise _refused(given, f"a path has at most {PATH_BYTES:,} bytes, this one {len(whole.encode()):,}")
    if len(inside) > PATH_NAMES:
        raise _refused(given, f"a path has at most {PATH_NAMES} names below {top}, this one {len(inside)}")
    return whole


def top_of(path: str) -> str:
    """The top directory that a path, as `resolve` gives it, lies in or is."""
    return HOMES if path == HOMES or path.startswith(f"{HOMES}/") else ROOT


def writable(path: str) -> str:
    """The path, as `resolve` gives it, unless what is there is read-only. Raises `Rejected`."""
    if path == SKILLS or path.startswith(f"{SKILLS}/"):
        raise Rejected(f"{quoted(path)} cannot be changed: {SKILLS} is read-only. Keep files elsewhere in {ROOT}.")
    return path


def parts_below(path: str, folder: str) -> tuple[str, ...]:
    """The names that lead from `folder` to `path`, both as `resolve` gives them."""
    return tuple(path[len(folder) + 1 :].split("/"))


def _characters(path: str) -> str:
    if not path.strip():
        return f"it is empty; '.' or {ROOT} is the top directory"
    for character in path:
        code, category = f"U+{ord(character):04X}", unicodedata.category(character)
        if category == "Cs":
            return f"it holds an unpaired surrogate ({code}), which is not text"
        if category in ("Cc", "Cf", "Zl", "Zp"):
            return f"it holds an invisible or control character ({code})"
        if character == "\\" or character in _BACKSLASHES or character in _SLASHES:
            return f"'/' separates names, and {character!r} ({code}), which looks like a separator, is not allowed"
        if character in ':*?"<>|':
            return f"{character!r} is not allowed in names, since not every system can hold it"
    return ""


def _name(name: str) -> str:
    if not name:
        return "there is an empty name between two slashes"
    if name == "..":
        return "'..' is not allowed; write the path without it"
    if not unicodedata.normalize("NFKC", name).strip("."):
        return f"{quoted(name)} looks like '.' or '..' and is neither"
    if name != name.strip() or name.endswith("."):
        return f"the name {quoted(name)} begins or ends with a space, or ends with a dot"
    if _RESERVED.fullmatch(name):
        return f"{quoted(name)} is a device name on some systems; choose another name"
    if len(name.encode()) > NAME_BYTES:
        return f"a name has at most {NAME_BYTES} bytes, {quoted(name)} has {len(name.encode())}"
    return ""


def _refused(given: str, problem: str) -> Rejected:
    return Rejected(f"The path {quoted(given)} is refused: {problem}.")


def _outside(given: str, tops: tuple[str, ...]) -> Rejected:
    there = ", the only directory there is" if len(tops) == 1 else ", the only directories there are"
    return Rejected(
        f"Access denied: the path {quoted(given)} lies outside {' and '.join(tops)}{there}. "
        f"Write a path below {'it' if len(tops) == 1 else 'one of them'}, such as {ROOT}/notes.txt or notes.txt."
    )
