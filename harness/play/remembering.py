"""What reaches a session from those before it: what was said there, as a file, and what was put off until now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Final

from harness.core.trajectory import AnswerRecord, Event, HandOver, QuestionRecord, SessionRecord
from servers.desk import Entry, due
from servers.kernel import Edit, State

__all__ = ("FOLDER", "scheduled", "transcript")

FOLDER: Final = "/workspace/conversations"
"""Where conversations lie, in the app `filesystem`, a file for each session by its number from 1."""


def transcript(number: int, session: SessionRecord, events: Iterable[Event], now: str) -> tuple[Edit, ...]:
    """The rows that keep a session, the first with the folder: what was asked and said, without calls of tools.

    `number` counts from 0, `now` is when the rows are written.
    """
    dated = {"created": now, "modified": now}
    said = "\n\n".join(_said(session, [event for event in events if event.session == number]))
    text = f"Conversation that began at {session.now.replace('T', ' ')[:16]}\n\n{said}\n"
    path = str(PurePosixPath(FOLDER) / f"{number + 1}.md")
    folder = [_entry(FOLDER, {"kind": "directory", **dated})] if number == 0 else []
    return (*folder, _entry(path, {"text": text, **dated}))


def scheduled(desk: State, after: datetime, until: datetime) -> str:
    """What entries of a desk are due from `after` (not included) to `until`, in order; empty where none is."""
    found = sorted((time, entry.what) for entry in desk.find(Entry) for time in due(entry, after, until))
    lines = [f"- {what} (due {time:%Y-%m-%d %H:%M})" for time, what in found]
    return "\n".join(["\n\nScheduled by you, and due since:", *lines]) if lines else ""


def _said(session: SessionRecord, events: Iterable[Event]) -> Iterator[str]:
    yield f"User: {session.request}"
    handed = False
    for event in events:
        handed = handed or isinstance(event, HandOver)
        match event:
            case HandOver(text=text) if text:
                yield f"Assistant: {text}"
            case QuestionRecord(text=text, context=context):
                yield f"Assistant: {context}\n{text}" if context else f"Assistant: {text}"
            case AnswerRecord(text=text) if text:
                yield f"User: {text}"
    if session.reply and not handed:
        yield f"Assistant: {session.reply}"


def _entry(path: str, values: dict[str, str]) -> Edit:
    return Edit(op="add", app="filesystem", table="entries", id=path, values=values)
