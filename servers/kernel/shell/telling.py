"""What files are, and where: `stat` and `realpath` as GNU has them.

bashkit's `stat` prints letters that it does not know as they are, such as those of owners and times; its `realpath`
follows no links, and takes `--relative-to` and does without it.
"""

from __future__ import annotations

import posixpath
import re
from datetime import UTC, datetime
from functools import partial

from servers.kernel.shell.calls import Asked, Done, Wrong, options, place, resolved, target
from servers.kernel.shell.listing import BLOCK, USER, Entry, called, entry, moded, written_at

__all__ = ("realpath", "stat")

_TYPES = {"link": 0o120000, "directory": 0o040000, "fifo": 0o010000}
_LETTER = re.compile(r"%(-?)(\d*)([A-Za-z%])")
_ESCAPE = re.compile(r"\\([nt\\])")
_USUAL = (
    "  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nLinks: %h\n"
    "Access: (%04a/%A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w\n"
)


def stat(asked: Asked, moment: datetime) -> Done:
    """Tell of files, in the letters of a format where one is given."""
    words, shape, follow, said, wrong = list[str](), _USUAL, False, list[str](), list[str]()
    for option, value in options(asked, "L", "c"):
        if option == "":
            words.append(value)
        elif option in ("c", "format"):
            shape = f"{value}\n"
        elif option == "printf":
            shape = _ESCAPE.sub(lambda found: {"n": "\n", "t": "\t"}.get(found[1], "\\"), value)
        elif option in ("L", "dereference"):
            follow = True
        else:
            raise Wrong(f"unrecognized option '--{option}'")
    if not words:
        raise Wrong("missing operand")
    for word in words:
        if (found := entry(asked, word, place(asked, word), follow=follow)) is None:
            wrong.append(f"stat: cannot statx '{word}': No such file or directory\n")
        else:
            said.append(_told(found, shape, moment))
    return Done("".join(said), "".join(wrong), int(bool(wrong)))


def _told(found: Entry, shape: str, moment: datetime) -> str:
    at = written_at(found.written, moment)
    epoch, shown = str(int(at.replace(tzinfo=UTC).timestamp())), f"{at:%Y-%m-%d %H:%M:%S}.000000000 +0000"
    said = {
        "%": "%", "n": found.name, "N": found.name + f" -> {found.target}" * bool(found.target), "s": str(found.size),
        "F": called(found), "a": f"{found.mode & 0o7777:o}", "A": moded(found),
        "f": f"{found.mode & 0o7777 | _TYPES.get(found.kind, 0o100000):x}",
        "u": "1000", "g": "1000", "U": USER, "G": USER, "h": "2" if found.kind == "directory" else "1",
        "b": "0" if found.target else str(-(-found.size // BLOCK) * 8), "B": "512", "o": str(BLOCK),
        "w": "-", "W": "0", **dict.fromkeys("xyz", shown), **dict.fromkeys("XYZ", epoch),
    }  # fmt: skip
    if shape != _USUAL:  # which quotes no names
        said["N"] = f"'{found.name}'" + f" -> '{found.target}'" * bool(found.target)

    def part(letter: re.Match[str]) -> str:
        if (text := said.get(letter[3])) is None:
            raise Wrong(f"%{letter[3]} is not known here; of a file there are its name, kind, size, mode and owner")
        width = int(letter[2] or 0)
        return text.ljust(width) if letter[1] else text.rjust(width, "0" if letter[2].startswith("0") else " ")

    return _LETTER.sub(part, shape)


def realpath(asked: Asked) -> Done:
    """The only path of each file, links followed."""
    plain, needed, beside = False, "above", ""
    words, said, wrong = list[str](), list[str](), list[str]()
    follow = partial(resolved, asked, target=partial(target, asked))
    for option, value in options(asked, "emsq", ""):
        if option == "":
            words.append(value)
        elif option == "relative-to":
            beside = follow(f"{value}/")
        elif option in ("e", "canonicalize-existing"):
            needed = "all"
        elif option in ("m", "canonicalize-missing"):
            needed = ""
        elif option in ("s", "no-symlinks"):
            plain = True
        elif option not in ("q", "quiet"):
            raise Wrong(f"unrecognized option '--{option}'")
    if not words:
        raise Wrong("missing operand")
    for word in words:
        at = place(asked, word) if plain else follow(f"{word}/")
        if not word or (needed and not asked.fs.exists(at if needed == "all" else posixpath.dirname(at))):
            wrong.append(f"realpath: {word or repr(word)}: No such file or directory\n")
        else:
            said.append(f"{posixpath.relpath(at, beside) if beside else at}\n")
    return Done("".join(said), "".join(wrong), int(bool(wrong)))
