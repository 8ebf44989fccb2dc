"""The index of a run: a line for each trial, written as trials end, so that a list of thousands opens at once.

`index.jsonl` is no part of what a run is. Lines name the record's file with its size and time of change: one that does
not fit what lies there is left out, and what no line tells is read from the record itself. So an index that is torn,
foreign or gone costs time and nothing else.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.core.trajectory import CallRecord, Message, Trajectory
from harness.record.troubles import REMARKS, cut_short, questions, troubles
from harness.record.verdicts import Verdict, primary, verdict_of

if TYPE_CHECKING:
    from harness.record.store import Run, TrialRecord

__all__ = ("NAME", "Fork", "Index", "Planned", "Row", "Unread", "append", "begun", "row_of")

NAME = "index.jsonl"
"""Within a run's folder."""

_LONGEST_REASON = 300
"""Characters; a record has all of it."""


_LONGEST_WORDS = 160

_TOLD = 3
"""Differences from what was expected; a record has more."""

_MISSING = 2
"""More missing changes are not named."""

_LONGEST_CHANGE = 100
"""Characters of a missing change."""

_NO_TOOL = ("garbled", "unknown")
"""Of calls that reached none."""

_DEAD = 1_000
"""Lines that count no more and are left in an index; scoring a run again writes a line for each trial."""


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Fork(_Line):
    """Where a fork began, as its record says (`harness.core.trajectory.Parent`)."""

    run: str
    trial: str
    step: int


class Row(_Line):
    """One trial in a list. `verdict` and `score` are those without judges; `side_effects` is 0 or 1.

    What a check does not say is None: `ckpt`, the share of expected changes that were made, and the numbers of
    changes that are missing or were not expected. `mistake` is what changes were made with instead of what was expected
    (`harness.scoring.otherwise`); where none was, which one or two changes are missing; else "". `last_words` are how
    what the agent said last begins, in its last session; "" where it said nothing there. `turns` are the messages of
    the agent's model. `tools` are those that were called, as `app.tool`, and `tables` those with a changed row, as
    `app.table`.
    """

    agent: str
    condition: str
    task: str
    task_hash: str
    trial: int
    prompt: str
    status: Literal["finished", "limit", "crashed", "void"]
    verdict: Verdict
    score: float | None
    ckpt: float | None
    side_effects: int | None
    unexpected: int | None
    missing: int | None
    questions: int
    calls: int
    failed_calls: int
    turns: int
    sessions: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    seconds: float
    reason: str
    mistake: str
    last_words: str
    label: str
    flags: tuple[str, ...]
    tools: tuple[str, ...]
    tables: tuple[str, ...]
    parent: Fork | None = None


class _Entry(_Line):
    """A line: a row, and the file that it was made from."""

    version: Literal[7] = 7
    file: str
    size: int
    mtime_ns: int
    row: Row


class Planned(_Line):
    """A line that says how many trials were to be played, when playing began."""

    planned: int


class Unread(NamedTuple):
    """A record that could not be read, and why."""

    file: str
    text: str


def row_of(record: TrialRecord) -> Row:
    """A record's row, from nothing but the record."""
    t, score = record.trajectory, primary(record.scores)
    detail = score.detail if score else {}
    matched, expected = _whole(detail.get("matched")), _whole(detail.get("expected"))
    touched = detail.get("side_effects")
    calls = t.calls
    return Row(
        agent=t.agent,
        condition=t.condition,
        task=t.task,
        task_hash=t.task_hash,
        trial=t.trial,
        prompt=t.prompt,
        status=t.status,
        verdict=verdict_of(t, record.scores),
        score=score.value if score else None,
        ckpt=_share(detail.get("ckpt")),
        side_effects=int(touched) if isinstance(touched, bool) else None,
        unexpected=_whole(detail.get("unexpected")),
        missing=None if matched is None or expected is None else expected - matched,
        questions=len(t.questions),
        calls=len(calls),
        failed_calls=sum(call.status != "ok" for call in calls),
        turns=sum(isinstance(event, Message) and event.role == "assistant" for event in t.events),
        sessions=len(t.sessions),
        prompt_tokens=t.usage.prompt_tokens,
        completion_tokens=t.usage.completion_tokens,
        cost=t.usage.cost_usd,
        seconds=t.seconds,
        reason=_cut((score.reason if score else "") or t.reason),
        mistake=_mistake(detail.get("otherwise")) or _lacking(detail.get("missing")),
        last_words=_cut(" ".join(t.sessions[-1].reply.split()), _LONGEST_WORDS) if t.sessions else "",
        label=score.label if score else "",
        flags=tuple(sorted(_flags(t, calls))),
        tools=tuple(sorted({f"{call.app}.{call.tool}" for call in calls if call.status not in _NO_TOOL})),
        tables=tuple(sorted({f"{change.app}.{change.table}" for change in t.changes})),
        parent=Fork(run=t.parent.run, trial=t.parent.trial, step=t.parent.step) if t.parent else None,
    )


def _flags(t: Trajectory, calls: list[CallRecord]) -> Iterator[str]:
    """What somebody may want to look for, in words of one piece."""
    yield from (trouble.replace(" ", "_") for trouble in troubles(t))
    if any(part.kind == "no_preference" for _, asked in questions(t) for part in asked.parts):
        yield "no_preference"
    yield from (REMARKS[ended] for ended in cut_short(t))
    if t.status in ("limit", "crashed"):
        yield t.status
    if t.canary:
        yield "canary"
    if t.parent:
        yield "fork"
    if t.tries:
        yield "tries"
    if not calls:
        yield "no_call"
    if any(call.status == "garbled" for call in calls):
        yield "garbled"
    if any(call.disturbance for call in calls):
        yield "disturbed"


def _mistake(differences: Any) -> str:
    """The first few of what the score names, in one line."""
    if not isinstance(differences, Sequence) or isinstance(differences, str):
        return ""
    told = "; ".join(str(each) for each in differences[:_TOLD])
    return f"{told}; and {len(differences) - _TOLD} more" if len(differences) > _TOLD else told


def _lacking(missing: Any) -> str:
    """Which one or two changes are missing, as the score describes them: "missing: crm.customers 7: status=Won"."""
    if not isinstance(missing, Sequence) or isinstance(missing, str) or not 0 < len(missing) <= _MISSING:
        return ""
    words = {"insert": "new ", "update": "", "delete": "removal of "}
    told = []
    for each in map(str, missing):
        op, _, rest = each.partition(" ")
        told.append(_cut(f"{words[op]}{rest}" if op in words else each, _LONGEST_CHANGE))
    return f"missing: {'; '.join(told)}"


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _share(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _cut(text: str, most: int = _LONGEST_REASON) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def append(folder: Path, path: Path, record: TrialRecord) -> None:
    """Note a record that was just written. An index that cannot be written is no reason to stop a run."""
    with suppress(OSError, ValidationError):
        found = path.stat()
        _write(folder, [_Entry(file=path.name, size=found.st_size, mtime_ns=found.st_mtime_ns, row=row_of(record))])


def _write(folder: Path, lines: Iterable[_Line]) -> None:
    """Append lines in one go, so that those of several processes do not mix."""
    there = _opened(folder / NAME, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(there, _text(lines).encode())
    finally:
        os.close(there)


def _opened(path: Path, flags: int) -> int:
    """A regular file, for what it holds. Raises OSError for a link, which leads elsewhere, and where one would wait."""
    there = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)
    if not stat.S_ISREG(os.fstat(there).st_mode):
        os.close(there)
        raise OSError(errno.EINVAL, "not a file", str(path))
    return there


def _text(lines: Iterable[_Line]) -> str:
    return "".join(f"{line.model_dump_json()}\n" for line in lines)


def begun(folder: Path, planned: int) -> None:
    """Note that so many trials are to be played. An index that cannot be written is no reason not to."""
    with suppress(OSError):
        _write(folder, [Planned(planned=planned)])


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
        self._lines: dict[str, _Entry] = {}
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
        made: list[_Entry] = []
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
                _write(self._run.folder, made)
        if self._read > _DEAD + 4 * len(self.rows) and self._keep:
            self._shorten()
        return changed

    def _shorten(self) -> None:
        """Write the index anew without the lines that count no more, unless somebody adds some now.

        A line that is written meanwhile is made again.
        """
        from harness.record.holding import under_way
        from harness.record.store import RunError, write_whole

        if under_way(self._run.folder):
            return
        lines: list[_Line] = [] if self.planned is None else [Planned(planned=self.planned)]
        for file, row in self.rows.items():
            size, mtime_ns = self._there[file]
            lines.append(_Entry(file=file, size=size, mtime_ns=mtime_ns, row=row))
        with suppress(RunError):
            write_whole(self._run.folder / NAME, _text(lines))

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

    def _made(self, file: str, stamp: tuple[int, int]) -> _Entry | None:
        """A line from the record itself, or None and a note of what is wrong with it."""
        from harness.record.store import RunError

        path = self._run.folder / "trials" / file
        try:
            if stamp[0] < 0:
                raise RunError("it is not a file")
            row = row_of(self._run.read(path))
            return _Entry(file=file, size=stamp[0], mtime_ns=stamp[1], row=row)
        except (RunError, ValueError, RecursionError, MemoryError) as error:
            text = str(error).removeprefix(f"{path} ") or type(error).__name__
            self._unread[file] = stamp, text
            return None

    def _read_lines(self) -> None:
        """Lines that were added since the last time, or all of them where the file is another one."""
        try:
            with open(_opened(self._run.folder / NAME, os.O_RDONLY | getattr(os, "O_BINARY", 0)), "rb") as lines:
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
                    entry = _Entry.model_validate_json(line)
                    self._lines[entry.file] = entry
            except ValidationError:
                continue  # torn, or of another version: the record says it again
