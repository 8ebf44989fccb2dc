"""What the index of a run says of a trial, a line each, and how such lines are written."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from harness.core.metering import cost, model_turns, tokens
from harness.core.scores import Score
from harness.core.texts import cut
from harness.core.trajectory import CallRecord, Parent, Trajectory
from harness.record.troubles import REMARKS, cut_short, questions, troubles
from harness.record.verdicts import TrialVerdict, primary, verdict_of

__all__ = ("NAME", "Entry", "Line", "Planned", "Row", "add", "append", "begun", "opened", "row_of", "text_of")

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


class Line(BaseModel):
    """A line of an index, or a part of one."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Row(Line):
    """One trial in a list. `verdict` and `score` are those without judges; `side_effects` is 0 or 1.

    What a check does not say is None: `ckpt`, the share of expected changes that were made, and the numbers of
    changes that are missing or were not expected. `mistake` is what changes were made with instead of what was expected
    (`harness.scoring.otherwise`); where none was, which one or two changes are missing; else "". `last_words` are how
    what the agent said last begins, in its last session; "" where it said nothing there. `turns` are the replies of
    the agent's model: they, tokens and cost are None where nobody reported them (`harness.core.metering`). `tools`
    are those that were called, as `app.tool`, and `tables` those with a changed row, as `app.table`.
    """

    agent: str
    condition: str
    task: str
    task_hash: str
    trial: int
    prompt: str
    status: Literal["finished", "limit", "crashed", "void"]
    verdict: TrialVerdict
    score: float | None
    ckpt: float | None
    side_effects: int | None
    unexpected: int | None
    missing: int | None
    questions: int
    calls: int
    failed_calls: int
    turns: int | None
    sessions: int
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    seconds: float
    reason: str
    mistake: str
    last_words: str
    label: str
    flags: tuple[str, ...]
    tools: tuple[str, ...]
    tables: tuple[str, ...]
    parent: Parent | None = None


class Entry(Line):
    """A line: a row, and the file that it was made from."""

    version: Literal[8] = 8
    file: str
    size: int
    mtime_ns: int
    row: Row


class Planned(Line):
    """A line that says how many trials were to be played, when playing began."""

    planned: int


def row_of(t: Trajectory, scores: Mapping[str, Score]) -> Row:
    """A record's row, from nothing but the record."""
    score = primary(scores)
    detail = score.detail if score else {}
    matched, expected = _whole(detail.get("matched")), _whole(detail.get("expected"))
    touched = detail.get("side_effects")
    prompt_tokens, completion_tokens = tokens(t)
    calls = t.calls
    return Row(
        agent=t.agent,
        condition=t.condition,
        task=t.task,
        task_hash=t.task_hash,
        trial=t.trial,
        prompt=t.prompt,
        status=t.status,
        verdict=verdict_of(t, scores),
        score=score.value if score else None,
        ckpt=_share(detail.get("ckpt")),
        side_effects=int(touched) if isinstance(touched, bool) else None,
        unexpected=_whole(detail.get("unexpected")),
        missing=None if matched is None or expected is None else expected - matched,
        questions=len(t.questions),
        calls=len(calls),
        failed_calls=sum(call.status != "ok" for call in calls),
        turns=model_turns(t),
        sessions=len(t.sessions),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        cost=cost(t),
        seconds=t.seconds,
        reason=cut((score.reason if score else "") or t.reason, _LONGEST_REASON, "…"),
        mistake=_mistake(detail.get("otherwise")) or _lacking(detail.get("missing")),
        last_words=cut(" ".join(t.sessions[-1].reply.split()), _LONGEST_WORDS, "…") if t.sessions else "",
        label=score.label if score else "",
        flags=tuple(sorted(_flags(t, calls))),
        tools=tuple(sorted({f"{call.app}.{call.tool}" for call in calls if call.status not in _NO_TOOL})),
        tables=tuple(sorted({f"{change.app}.{change.table}" for change in t.changes})),
        parent=t.parent,
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
        told.append(cut(f"{words[op]}{rest}" if op in words else each, _LONGEST_CHANGE, "…"))
    return f"missing: {'; '.join(told)}"


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _share(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def append(folder: Path, path: Path, trajectory: Trajectory, scores: Mapping[str, Score]) -> None:
    """Note a record that was just written. An index that cannot be written is no reason to stop a run."""
    with suppress(OSError, ValidationError):
        found = path.stat()
        row = row_of(trajectory, scores)
        add(folder, [Entry(file=path.name, size=found.st_size, mtime_ns=found.st_mtime_ns, row=row)])


def add(folder: Path, lines: Iterable[Line]) -> None:
    """Append lines in one go, so that those of several processes do not mix."""
    there = opened(folder / NAME, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(there, text_of(lines).encode())
    finally:
        os.close(there)


def opened(path: Path, flags: int) -> int:
    """A regular file, for what it holds. Raises OSError for a link, which leads elsewhere, and where one would wait."""
    there = os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)
    if not stat.S_ISREG(os.fstat(there).st_mode):
        os.close(there)
        raise OSError(errno.EINVAL, "not a file", str(path))
    return there


def text_of(lines: Iterable[Line]) -> str:
    """Lines as they are written."""
    return "".join(f"{line.model_dump_json()}\n" for line in lines)


def begun(folder: Path, planned: int) -> None:
    """Note that so many trials are to be played. An index that cannot be written is no reason not to."""
    with suppress(OSError):
        add(folder, [Planned(planned=planned)])
