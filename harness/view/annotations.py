"""What people say of trials: `RUN/annotations/*.json`, a file each, beside records that stay as they are."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from harness.core.secrets import scrub
from harness.record.files import RunError, write_whole
from harness.record.index import Unread
from servers.kernel import canonical, first_amiss

__all__ = ("FOLDER", "Annotation", "AnnotationProblem", "Annotations", "Said", "human", "verdicts")

FOLDER = "annotations"
"""Within a run's folder."""

LONGEST = 20_000
"""Characters of a note."""

_Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]


class AnnotationProblem(Exception):
    """An annotation that cannot be taken; the text says what would be right."""


class Said(BaseModel):
    """What a person says of a trial, or of its step of that number (a call or a hand-over, from 0).

    A `verdict` has the value `correct` or `failed`, or the answer to the suite's question `query`; a `tag` is a word
    or two; a `note` has a text.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    author: _Word
    kind: Literal["verdict", "tag", "note"]
    step: int | None = Field(default=None, ge=0)
    value: Annotated[str, StringConstraints(strip_whitespace=True, max_length=80)] = ""
    text: Annotated[str, StringConstraints(max_length=LONGEST)] = ""
    query: str = Field(default="", max_length=200)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.author.isprintable() or not self.value.isprintable():
            raise ValueError("author and value have to be visible characters, on one line")
        if self.kind == "verdict" and not self.query and self.value not in ("correct", "failed"):
            raise ValueError("a verdict is `correct` or `failed`")
        if self.kind == "verdict" and self.step is not None:
            raise ValueError("a verdict is on the whole trial; a step takes a tag or a note")
        if self.kind == "tag" and not self.value:
            raise ValueError("a tag has a value")
        if self.kind == "note" and not self.text.strip():
            raise ValueError("a note has a text")
        if self.kind != "verdict" and self.query:
            raise ValueError("only a verdict answers a question")
        return self


class Annotation(Said):
    """One on file. `trial` is the file of its record, `at` when it was written (UTC, ISO 8601)."""

    version: Literal[1] = 1
    trial: str
    at: str

    @property
    def id(self) -> str:
        return hashlib.sha256(canonical(self.model_dump(mode="json"))).hexdigest()[:40]

    def shown(self) -> dict[str, object]:
        """As the page has it."""
        told = {name: getattr(self, name) for name in ("author", "at", "step", "kind", "value", "text")}
        return {"id": self.id, **told, **({"query": self.query} if self.query else {})}


class Annotations:
    """Those of a run. Files that hold none are told of, and hide no other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._there: dict[str, tuple[tuple[int, int], Annotation | Unread]] = {}
        self._by_trial: dict[str, list[Annotation]] = {}

    @property
    def unread(self) -> list[Unread]:
        return [found for _, (_, found) in sorted(self._there.items()) if isinstance(found, Unread)]

    def of(self, trial: str) -> list[Annotation]:
        """Those on a trial, by the file of its record, in the order in which they were written."""
        return self._by_trial.get(trial, [])

    def by_trial(self) -> dict[str, list[Annotation]]:
        return self._by_trial

    def refresh(self) -> bool:
        """Read what has changed; whether anything has."""
        before, self._there = self._there, {}
        with suppress(OSError), os.scandir(self._folder) as entries:
            for entry in entries:
                if entry.name.endswith(".json") and not entry.name.startswith("."):
                    with suppress(OSError):
                        found = entry.stat()
                        stamp = found.st_size, found.st_mtime_ns
                        known = before.get(entry.name)
                        if not entry.is_file():  # a pipe would be waited for
                            known = stamp, Unread(f"{FOLDER}/{entry.name}", "is not a file")
                        elif known is None or known[0] != stamp:
                            known = stamp, _read(self._folder / entry.name)
                        self._there[entry.name] = known
        if self._there == before:
            return False
        self._by_trial = {}
        every = [found for _, found in self._there.values() if isinstance(found, Annotation)]
        for each in sorted(every, key=lambda each: (each.at, each.id)):
            self._by_trial.setdefault(each.trial, []).append(each)
        return True

    def add(self, trial: str, said: Said) -> Annotation:
        """Keep what somebody says of a trial, without secrets. Raises `RunError` where it cannot be written."""
        at = datetime.now(UTC).isoformat(timespec="microseconds")
        made = Annotation.model_validate(scrub({**said.model_dump(mode="json"), "trial": trial, "at": at}))
        try:
            self._folder.mkdir(exist_ok=True)
        except OSError as error:
            raise RunError(f"{self._folder} cannot be made: {error.strerror}") from None
        write_whole(self._folder / f"{made.id}.json", made.model_dump_json(), lasting=True, remedy="")
        self.refresh()
        return made

    def remove(self, trial: str, id: str, author: str) -> None:
        """Take back one of one's own. Raises `AnnotationProblem`."""
        found = next((each for each in self.of(trial) if each.id == id), None)
        if found is None:
            raise AnnotationProblem("there is no such annotation on this trial; it may be gone already")
        if found.author != author:
            raise AnnotationProblem(f"{found.author} wrote it, and only its author removes it")
        try:
            (self._folder / f"{found.id}.json").unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"{self._folder} cannot be written: {error.strerror}") from None
        self.refresh()


def human(found: Iterable[Annotation]) -> str:
    """The last verdict that a person gave on the whole trial, "" without one."""
    return next((e.value for e in reversed(list(found)) if e.kind == "verdict" and not e.query), "")


def verdicts(folder: Path) -> dict[str, str]:
    """The last verdict of a person on each trial of a run that has one, by the file of its record."""
    found = Annotations(folder)
    found.refresh()
    return {trial: said for trial, each in found.by_trial().items() if (said := human(each))}


def _read(path: Path) -> Annotation | Unread:
    name = f"{FOLDER}/{path.name}"
    try:
        found = Annotation.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        return Unread(name, f"cannot be read: {error.strerror}")
    except (ValueError, RecursionError) as error:
        first = first_amiss(error) if isinstance(error, ValidationError) else str(error)
        return Unread(name, f"is not an annotation: {first}")
    return found if path.name == f"{found.id}.json" else Unread(name, "is not named after what it holds")
