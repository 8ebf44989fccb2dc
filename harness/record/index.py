"""The index of a run: a line for each trial, written as trials end, so that a list of thousands opens at once.

`index.jsonl` is no part of what a run is. Lines name the record's file with its size and time of change: one that does
not fit what lies there is left out, and what no line tells is read from the record itself. So an index that is torn,
foreign or gone costs time and nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from pydantic import ValidationError

from harness.record.files import RunError, write_whole
from harness.record.holding import under_way
from harness.record.rows import NAME, Entry, Line, Planned, Row, add, opened, row_of, text_of
from harness.record.store import Run

__all__ = ("Index", "Unread")

_DEAD = 1_000
"""Lines that count no more and are left in an index; scoring a run again writes a line for each trial."""


class Unread(NamedTuple):
    """A record that could not be read, and why."""

    file: str
    text: str


class Index:
    """The rows of a run by the file of their record, and which records could not be read. `planned`: None if unknown.

    `keep`: what had to be made from records is added to the run's index, where there is room and the right to.
    """

    def __init__(self, run: Run, *, keep: bool = True) -> None:
        self._run, self._keep = run, keep
        self.rows: dict[str, Row] = {}
        self.planned: int | None = None
        self._there: dict[str, tuple[int, int]] = {}
        self._unread: dict[str, tuple[tuple[int, int], str]] = {}
        self._lines: dict[str, Entry] = {}
        self._at, self._file, self._read = 0, (0, 0), 0
        self._closed = ""

    @property
    def unread(self) -> list[Unread]:
        """Records that could not be read, by file; "" where their folder could not."""
        closed = [Unread("", self._closed)] if self._closed else []
        return closed + [Unread(file, text) for file, (_, text) in sorted(self._unread.items())]

    def stamp(self, file: str) -> tuple[int, int]:
        """Size and time of change of a row's record."""
        return self._there[file]

    def refresh(self) -> list[str]:
        """Read what has changed: the files whose row is new or another one, in order. Raises nothing."""
        self._read_lines()
        there = dict(self._listed())
        changed: list[str] = []
        made: list[Entry] = []
        for file, stamp in sorted(there.items()):
            if self._there.get(file) == stamp or self._unread.get(file, ((), ""))[0] == stamp:
                continue
            entry = self._lines.get(file)
            if entry is None or (entry.size, entry.mtime_ns) != stamp:
                entry = self._made(file, stamp)
                if entry is None:
                    continue
                made.append(entry)
            self._unread.pop(file, None)
            self._there[file], self.rows[file] = stamp, entry.row
            changed.append(file)
        for gone in [file for file in self._there if file not in there or file in self._unread]:
            del self._there[gone], self.rows[gone]
        for gone in [file for file in self._unread if file not in there]:
            del self._unread[gone]
        self._lines.clear()
        if made and self._keep:
            with suppress(OSError):
                add(self._run.folder, made)
        if self._read > _DEAD + 4 * len(self.rows) and self._keep:
            self._shorten()
        return changed

    def _shorten(self) -> None:
        """Write the index anew without the lines that count no more, unless somebody adds some now.

        A line that is written meanwhile is made again.
        """
        if under_way(self._run.folder):
            return
        lines: list[Line] = [] if self.planned is None else [Planned(planned=self.planned)]
        for file, row in self.rows.items():
            size, mtime_ns = self._there[file]
            lines.append(Entry(file=file, size=size, mtime_ns=mtime_ns, row=row))
        with suppress(RunError):
            write_whole(self._run.folder / NAME, text_of(lines))

    def _listed(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """The records that are there, as size and time of change."""
        try:
            with os.scandir(self._run.folder / "trials") as entries:
                for entry in entries:
                    if entry.name.endswith(".json") and not entry.name.startswith("."):
                        with suppress(OSError):
                            found = entry.stat() if entry.is_file() else None
                            yield entry.name, (found.st_size, found.st_mtime_ns) if found else (-1, 0)
        except OSError as error:
            self._closed = f"cannot be read: {error.strerror}" if self._run.folder.is_dir() else ""
        else:
            self._closed = ""

    def _made(self, file: str, stamp: tuple[int, int]) -> Entry | None:
        """A line from the record itself, or None and a note of what is wrong with it."""
        path = self._run.folder / "trials" / file
        try:
            if stamp[0] < 0:
                raise RunError("is not a file")
            record = self._run.read(path)
            return Entry(file=file, size=stamp[0], mtime_ns=stamp[1], row=row_of(record.trajectory, record.scores))
        except (RunError, ValueError, RecursionError, MemoryError) as error:
            text = str(error).removeprefix(f"{path} ") or type(error).__name__
            self._unread[file] = stamp, text
            return None

    def _read_lines(self) -> None:
        """Lines that were added since the last time, or all of them where the file is another one."""
        try:
            with open(opened(self._run.folder / NAME, os.O_RDONLY | getattr(os, "O_BINARY", 0)), "rb") as lines:
                found = os.fstat(lines.fileno())
                which = found.st_dev, found.st_ino
                if which != self._file or found.st_size < self._at:
                    self._file, self._at, self._read = which, 0, 0
                lines.seek(self._at)
                body = lines.read()
        except OSError:
            return
        whole = body[: body.rfind(b"\n") + 1]
        self._at += len(whole)
        self._read += whole.count(b"\n")
        for line in whole.split(b"\n"):
            try:
                if line.startswith(b'{"planned"'):
                    self.planned = Planned.model_validate_json(line).planned
                elif line:
                    entry = Entry.model_validate_json(line)
                    self._lines[entry.file] = entry
            except ValidationError:
                continue  # torn, or of another version: the record says it again
