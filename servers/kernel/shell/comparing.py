"""`diff` as GNU has it, with `-r`: bashkit's knows `-u` and `-q` alone, and does not see whether the last line ends."""

from __future__ import annotations

import fnmatch
import re
import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime
from difflib import SequenceMatcher
from functools import partial
from typing import NamedTuple

from servers.kernel.shell.calls import Asked, Done, Wrong, options, place, resolved, target
from servers.kernel.shell.listing import written_at

__all__ = ("diff",)

_LONG = {
    "unified": "U", "brief": "q", "recursive": "r", "report-identical-files": "s", "new-file": "N", "ignore-case": "i",
    "ignore-all-space": "w", "ignore-space-change": "b", "ignore-blank-lines": "B", "text": "a", "minimal": "d",
    "exclude": "x", "label": "L", "normal": "normal", "color": "color", "strip-trailing-cr": "cr",
}  # fmt: skip
_ABSENT = ("y", "side-by-side", "c", "context")
_SPACES = re.compile(rb"[ \t\v\f\r]+")

Change = tuple[int, int, int, int]
"""Lines [0]:[1] of the one file stand where the other has [2]:[3]."""


class _File(NamedTuple):
    """One of two files: how it is named, where it is, and what is there: file, directory or ""."""

    word: str
    at: str
    kind: str


def diff(asked: Asked, moment: datetime) -> Done:
    """Tell how files differ: 0 where they do not, 1 where they do, 2 where that cannot be told."""
    try:
        return _Comparison(asked, moment).done()
    except Wrong as error:
        return Done("", f"diff: {error}\n", 2)


class _Comparison:
    """One call of `diff`: what it was told, and what it has said."""

    def __init__(self, asked: Asked, moment: datetime) -> None:
        self._asked, self._fs, self._moment = asked, asked.fs, moment
        self._words, self._labels, self._left_out = list[str](), list[str](), list[str]()
        self._given: set[str] = set()
        self._context: int | None = None
        for option, value in options(asked, "uqrsNiwbBadyc", "UxL"):
            letter = option if len(option) < 2 else _LONG.get(option, "")
            if option in _ABSENT:
                raise Wrong(f"{'-' * min(len(option), 2)}{option} is not available here; use diff -u")
            if option == "":
                self._words.append(value)
            elif letter in ("u", "U"):
                if value and not value.isdigit():
                    raise Wrong(f"invalid context length '{value}'")
                self._context = int(value or 3)
            elif letter == "x":
                self._left_out.append(value)
            elif letter == "L":
                self._labels.append(value)
            elif letter:
                self._given.add(letter)
            else:
                raise Wrong(f"unrecognized option '--{option}'")
        self._typed = "".join(f" {shlex.quote(word)}" for word in asked.argv if word not in self._words)
        self._said, self._wrong, self._status = list[str](), list[str](), 0

    def done(self) -> Done:
        """Compare two files, or all files of two directories."""
        if len(self._words) != 2:
            what = f"missing operand after '{['diff', *self._words][-1]}'"
            raise Wrong(what if len(self._words) < 2 else f"extra operand '{self._words[2]}'")
        one, two = map(self._file, self._words)
        if {one.kind, two.kind} == {"directory", "file"} and "-" not in self._words:
            name = (two if one.kind == "directory" else one).word.rpartition("/")[2]
            if one.kind == "directory":
                one = self._file(f"{one.word.rstrip('/')}/{name}")
            else:
                two = self._file(f"{two.word.rstrip('/')}/{name}")
        missing = [file.word for file in (one, two) if not file.kind]
        if missing and ("N" not in self._given or len(missing) == 2):
            for word in missing:
                self._trouble(f"{word}: No such file or directory")
        elif one.kind == two.kind == "directory":
            self._folders(one, two, ())
        else:
            self._files(one, two, headed=False)
        return Done("".join(self._said), "".join(self._wrong), self._status)

    def _file(self, word: str) -> _File:
        at = place(self._asked, word)
        try:
            kind = "file" if word == "-" else str(self._fs.stat(at)["file_type"]) if word else ""
        except RuntimeError:
            kind = ""
        return _File(word, at, "directory" if kind == "directory" else "file" if kind else "")

    def _trouble(self, why: str) -> None:
        self._wrong.append(f"diff: {why}\n")
        self._status = 2

    def _differs(self, told: str) -> None:
        self._said.append(told)
        self._status = max(self._status, 1)

    def _folders(self, one: _File, two: _File, above: tuple[tuple[str, str], ...]) -> None:
        """Compare what is in them; `above` has the paths of the directories that these are in."""
        way, across = (resolved(self._asked, f"{file.word}/", partial(target, self._asked)) for file in (one, two))
        if any(way == each or across == other for each, other in above):
            return self._trouble(f"{one.word}: recursive directory loop")
        inside = [
            {str(entry["name"]) for entry in self._fs.read_dir(file.at)} if file.kind else set[str]()
            for file in (one, two)
        ]
        for name in sorted(inside[0] | inside[1]):
            if any(fnmatch.fnmatchcase(name, pattern) for pattern in self._left_out):
                continue
            here, there = (self._file(f"{file.word.rstrip('/')}/{name}") for file in (one, two))
            kinds = {here.kind, there.kind}
            if not all(name in names for names in inside) and "N" not in self._given:
                self._differs(f"Only in {(one if name in inside[0] else two).word}: {name}\n")
            elif kinds == {"directory"} or kinds == {"directory", ""}:
                if "r" in self._given:
                    self._folders(here, there, (*above, (way, across)))
                else:
                    self._said.append(f"Common subdirectories: {here.word} and {there.word}\n")
            elif kinds == {""}:
                for file in (here, there):
                    self._trouble(f"{file.word}: No such file or directory")
            elif "directory" in kinds:
                what = ["a regular file" if file.kind == "file" else "a directory" for file in (here, there)]
                self._differs(f"File {here.word} is {what[0]} while file {there.word} is {what[1]}\n")
            else:
                self._files(here, there, headed=True)

    def _files(self, one: _File, two: _File, *, headed: bool) -> None:
        raw = [self._read(file) for file in (one, two)]
        lines = [_lines(each) for each in raw]
        told = f"{one.word} and {two.word}"
        binary = "a" not in self._given and any(b"\0" in each for each in raw)
        found: list[Change] = []
        if raw[0] != raw[1] and not binary:
            keys = [[self._key(line) for line in each] for each in lines]
            found = [each for each in _changes(*keys) if not self._blank(lines, each)]
        if raw[0] == raw[1] or not (binary or found):
            if "s" in self._given:
                self._said.append(f"Files {told} are identical\n")
        elif "q" in self._given:
            self._differs(f"Files {told} differ\n")
        elif binary:
            self._differs(f"Binary files {told} differ\n")
        else:
            head = f"diff{self._typed} {_quoted(one.word)} {_quoted(two.word)}\n" if headed else ""
            shown = _normal(lines, found) if self._context is None else self._unified((one, two), lines, found)
            self._differs(head + "".join(shown))

    def _read(self, file: _File) -> bytes:
        if file.word == "-":
            return (self._asked.stdin or "").encode()
        return self._fs.read_file(file.at) if file.kind else b""

    def _key(self, line: bytes) -> bytes:
        """What of a line has to be the same."""
        if "cr" in self._given and line.endswith(b"\r\n"):
            line = line[:-2] + b"\n"
        if "w" in self._given:
            line = _SPACES.sub(b"", line).rstrip(b"\n")
        elif "b" in self._given:
            line = _SPACES.sub(b" ", line.rstrip(b" \t\v\f\r\n"))
        return line.lower() if "i" in self._given else line

    def _blank(self, lines: list[list[bytes]], change: Change) -> bool:
        """Whether a change is of empty lines alone, which are not to count."""
        at, end, to, till = change
        return "B" in self._given and not any(line.strip(b"\n") for line in lines[0][at:end] + lines[1][to:till])

    def _unified(self, files: tuple[_File, _File], lines: list[list[bytes]], found: list[Change]) -> Iterator[str]:
        around = self._context or 0
        for mark, file, label in zip(("---", "+++"), files, [*self._labels, "", ""], strict=False):
            yield f"{mark} {label or f'{file.word}{chr(9)}{self._written(file)}'}\n"
        hunks: list[list[Change]] = []
        for change in found:
            if hunks and change[0] - hunks[-1][-1][1] <= 2 * around:
                hunks[-1].append(change)
            else:
                hunks.append([change])
        for hunk in hunks:
            first, last = hunk[0], hunk[-1]
            above = min(around, first[0])
            below = min(around, len(lines[0]) - last[1])
            yield (f"@@ -{_range(first[0] - above, last[1] + below)} +{_range(first[2] - above, last[3] + below)} @@\n")
            at = first[0] - above
            for start, end, to, till in hunk:
                yield from _marked(" ", lines[0][at:start])
                yield from _marked("-", lines[0][start:end])
                yield from _marked("+", lines[1][to:till])
                at = end
            yield from _marked(" ", lines[0][at : at + below])

    def _written(self, file: _File) -> str:
        at = self._moment
        if not file.kind:
            at = datetime(1970, 1, 1)
        elif file.word != "-" and (about := self._fs.stat(file.at))["file_type"] == "file":
            at = written_at(float(about["modified"]), self._moment)
        return f"{at:%Y-%m-%d %H:%M:%S}.000000000 +0000"


def _changes(one: Sequence[bytes], two: Sequence[bytes]) -> list[Change]:
    """What differs, from the top: right, though of several ways to tell it not always GNU's."""
    found = SequenceMatcher(None, one, two).get_opcodes()
    return [(at, end, to, till) for kind, at, end, to, till in found if kind != "equal"]


def _lines(raw: bytes) -> list[bytes]:
    """Lines with their ends, which are line feeds alone."""
    *whole, last = raw.split(b"\n")
    return [*(line + b"\n" for line in whole), *([last] if last else [])]


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word


def _marked(mark: str, lines: list[bytes]) -> Iterator[str]:
    for line in lines:
        text = line.decode("utf-8", "replace")
        yield mark + text + ("" if text.endswith("\n") else "\n\\ No newline at end of file\n")


def _range(start: int, end: int) -> str:
    """Lines as a unified hunk names them."""
    return f"{start},0" if start == end else str(end) if end - start == 1 else f"{start + 1},{end - start}"


def _normal(lines: list[list[bytes]], found: list[Change]) -> Iterator[str]:
    for at, end, to, till in found:
        here, there = (f"{a + 1},{b}" if b - a > 1 else str(b) for a, b in ((at, end), (to, till)))
        yield f"{here}{'a' if at == end else 'd' if to == till else 'c'}{there}\n"
        yield from _marked("< ", lines[0][at:end])
        if at < end and to < till:
            yield "---\n"
        yield from _marked("> ", lines[1][to:till])
