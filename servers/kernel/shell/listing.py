"""`ls` as GNU has it where nobody looks at a terminal: bashkit's `ls -l` has no owner, so that each field is another.

All files are from one moment, the sandbox's, so that -t leaves them in the order of their names. `touch` gives a file
another for the rest of a script: whole seconds, which what this machine writes never has.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from servers.kernel.shell.calls import Asked, Done, Wrong, options, place, target
from servers.kernel.shell.clock import formatted

__all__ = ("BLOCK", "USER", "Entry", "called", "entry", "ls", "moded", "written_at")

USER, BLOCK = "user", 4_096
_LONG = {
    "all": "a", "almost-all": "A", "human-readable": "h", "recursive": "R", "reverse": "r", "directory": "d",
    "classify": "F", "numeric-uid-gid": "n", "no-group": "G", "dereference": "L", "quote-name": "Q", "color": "N",
    "literal": "N", "group-directories-first": "1st", "full-time": "full",
}  # fmt: skip
_TIMES = {"long-iso": "%Y-%m-%d %H:%M", "full-iso": "%Y-%m-%d %H:%M:%S.%N %z"}


class Entry(NamedTuple):
    name: str
    kind: str
    mode: int
    size: int
    written: float
    target: str


def entry(asked: Asked, name: str, at: str, about: dict[str, Any] | None = None, *, follow: bool) -> Entry | None:
    """What is there, if something is; `about` is what its directory says of it."""
    if not follow and (about is None or about["file_type"] == "symlink") and (leads := target(asked, at)):
        return Entry(name, "link", 0o777, len(leads.encode()), 0.5, leads)
    try:
        about = asked.fs.stat(at) if about is None or about["file_type"] == "symlink" else about
    except RuntimeError:
        return None
    kind = str(about["file_type"])
    if not name or (name.endswith("/") and kind != "directory"):
        return None
    size = BLOCK if kind == "directory" else int(about["size"])
    return Entry(name, kind, int(about["mode"]), size, float(about["modified"]), "")


def called(found: Entry) -> str:
    """What sort of file it is, as `stat` and `rm` say it."""
    kinds = {"link": "symbolic link", "directory": "directory", "fifo": "fifo"}
    return kinds.get(found.kind) or ("regular file" if found.size else "regular empty file")


def ls(asked: Asked, moment: datetime) -> Done:
    """List files, and what is in directories."""
    return _Listing(asked, moment).listed()


class _Listing:
    """One call of `ls`."""

    def __init__(self, asked: Asked, moment: datetime) -> None:
        self._asked, self._fs, self._moment = asked, asked.fs, moment
        self._words: list[str] = []
        self._given: set[str] = set()
        self._times, self._by = "", ""
        for option, value in options(asked, "laA1RhSrtUdFpgonGLcuCxNQq", ""):
            if option == "":
                self._words.append(value)
            elif option in ("sort", "time-style") or len(option) == 1:
                self._by = value if option == "sort" else self._by
                self._times = value if option == "time-style" else self._times
                self._given |= {option} if len(option) == 1 else set()
            elif option in _LONG:
                self._given.add(_LONG[option])
            else:
                raise Wrong(f"unrecognized option '--{option}'")
        if self._by not in ("", "size", "name", "none", "time"):
            raise Wrong(f"invalid argument '{self._by}' for '--sort'")
        if self._times and not self._times.startswith("+") and self._times not in _TIMES:
            raise Wrong(f"invalid argument '{self._times}' for '--time-style'; give long-iso, full-iso or +FORMAT")
        self._times = self._times or ("full-iso" if "full" in self._given else "")
        self._wide = bool(self._given & {"l", "g", "o", "n", "full"})

    def listed(self) -> Done:
        """What is printed, errors, and 2 where something named is not there."""
        files, folders, wrong = list[Entry](), list[str](), list[str]()
        for word in self._words or ["."]:
            if (entry := self._entry(word, place(self._asked, word))) is None:
                wrong.append(f"ls: cannot access '{word}': No such file or directory\n")
            elif "d" not in self._given and self._leads(word, entry):
                folders.append(word)
            else:
                files.append(entry)
        groups = [self._lines(self._sorted(files))] if files else []
        headed = len(self._words) > 1 or "R" in self._given
        for word in sorted(folders, reverse="r" in self._given):
            groups += self._folder(word, headed)
        return Done(
            "\n".join("".join(f"{line}\n" for line in group) for group in groups), "".join(wrong), 2 * bool(wrong)
        )

    def _leads(self, word: str, entry: Entry) -> bool:
        """Whether what is in it is listed rather than itself."""
        if entry.kind != "link":
            return entry.kind == "directory"
        followed = word.endswith("/") or not (self._wide or "F" in self._given)
        try:
            return followed and self._fs.stat(place(self._asked, word))["file_type"] == "directory"
        except RuntimeError:
            return False

    def _entry(self, name: str, at: str, about: dict[str, Any] | None = None) -> Entry | None:
        return entry(self._asked, name, at, about, follow="L" in self._given)

    def _folder(self, word: str, headed: bool) -> list[list[str]]:
        at = place(self._asked, word)
        there = {str(entry["name"]): entry["metadata"] for entry in self._fs.read_dir(at)}
        names = [name for name in there if self._given & {"a", "A"} or not name.startswith(".")]
        entries = self._sorted(
            filter(None, [self._entry(name, f"{at.rstrip('/')}/{name}", there[name]) for name in names])
        )
        inner = [entry.name for entry in entries if entry.kind == "directory"]
        if "a" in self._given:
            around = [self._entry(name, place(self._asked, f"{word}/{name}")) for name in (".", "..")]
            entries = self._sorted([*entries, *filter(None, around)])
        lines = [f"{word}:"] if headed else []
        if self._wide:
            blocks = sum(-(-entry.size // BLOCK) * 4 for entry in entries if entry.kind != "link")
            lines.append(f"total {_human(blocks * 1_024) if 'h' in self._given else blocks}")
        groups = [[*lines, *self._lines(entries)]]
        if "R" in self._given:
            for name in inner:
                groups += self._folder(f"{word.rstrip('/')}/{name}", True)
        return groups

    def _sorted(self, entries: Iterable[Entry]) -> list[Entry]:
        found = sorted(entries, key=lambda entry: entry.name, reverse="r" in self._given)
        if "S" in self._given or self._by == "size":
            found.sort(key=lambda entry: entry.size, reverse="r" not in self._given)
        if "1st" in self._given:
            found.sort(key=lambda entry: entry.kind != "directory")
        return found

    def _lines(self, entries: list[Entry]) -> list[str]:
        names = [self._named(entry) for entry in entries]
        if not self._wide:
            return names
        rows = [self._fields(entry) for entry in entries]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return [
            " ".join([*(field.rjust(width) for field, width in zip(row, widths, strict=True)), name])
            for row, name in zip(rows, names, strict=True)
        ]

    def _named(self, entry: Entry) -> str:
        name = '"' + entry.name + '"' if "Q" in self._given else entry.name
        mark = "/" if entry.kind == "directory" and self._given & {"F", "p"} else ""
        if "F" in self._given and entry.kind == "file" and entry.mode & 0o111:
            mark = "*"
        if entry.kind != "link":
            return name + mark
        return f"{name} -> {entry.target}" if self._wide else f"{name}{'@' * ('F' in self._given)}"

    def _fields(self, entry: Entry) -> list[str]:
        """Mode, links, owner, group, size and time."""
        owner = "1000" if "n" in self._given else USER
        size = _human(entry.size) if "h" in self._given else str(entry.size)
        links = "2" if entry.kind == "directory" else "1"
        owners = [owner] * ("g" not in self._given) + [owner] * (not self._given & {"o", "G"})
        return [moded(entry), links, *owners, size, self._time(entry.written)]

    def _time(self, written: float) -> str:
        at = written_at(written, self._moment)
        if self._times:
            return formatted(at, _TIMES.get(self._times, self._times[1:]))
        recent = self._moment - timedelta(days=182) < at <= self._moment
        return formatted(at, "%b %e %H:%M" if recent else "%b %e  %Y")


def written_at(written: float, moment: datetime) -> datetime:
    """When a file was written that the shell says this of, at that moment of the sandbox."""
    return datetime.fromtimestamp(written, UTC).replace(tzinfo=None) if written.is_integer() else moment


def moded(entry: Entry) -> str:
    letters = "".join(
        letter if entry.mode >> shift & 1 else "-" for letter, shift in zip("rwx" * 3, range(8, -1, -1), strict=True)
    )
    return {"directory": "d", "link": "l", "fifo": "p"}.get(entry.kind, "-") + letters


def _human(size: int) -> str:
    """In powers of 1,024, rounded up, with a digit behind the point below ten."""
    if size < 1_024:
        return str(size)
    unit, tenths = 0, size * 10
    while tenths > 10_239 and unit < 3:
        tenths, unit = -(-tenths // 1_024), unit + 1
    return f"{tenths / 10:.1f}{'KMG'[unit - 1]}" if tenths < 100 else f"{-(-tenths // 10)}{'KMG'[unit - 1]}"
