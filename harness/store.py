"""A run on disk: `run.json`, and one record per trial, written whole and renamed into place."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import from_json

from harness.config import RunConfig
from harness.score import Score
from harness.secrets import hide
from harness.trajectory import Trajectory
from servers.kernel import canonical

__all__ = ("Run", "RunError", "RunHead", "TrialRecord", "Unreadable", "identity")


class RunError(Exception):
    """A run folder that cannot be used as asked; the text names it and the remedy."""


class Unreadable(RunError):
    """A record that would not read back, and so was not written; `cause` says why."""

    def __init__(self, path: Path, cause: str) -> None:
        self.cause = cause
        super().__init__(f"{path} was not written, since it would not read back: {cause}")


class TrialRecord(BaseModel):
    """One trial on disk: what happened, and what each check made of it."""

    model_config = ConfigDict(extra="forbid")

    trajectory: Trajectory
    scores: dict[str, Score] = {}


class RunHead(BaseModel):
    """What a run is: enough to go on with it, score it again, or refuse to mix it with another."""

    model_config = ConfigDict(extra="forbid")

    version: int = 1
    identity: str
    config: RunConfig
    suite: str
    suite_version: str
    suite_digest: str
    package: str


def identity(config: RunConfig, suite_digest: str, package: str) -> str:
    """Twelve hex digits over resolved config, suite and package, without what may grow (trials).

    Scales are told apart by the suite's digest: their tasks start from different worlds.
    """
    body = config.model_dump(mode="json", exclude={"trials", "name", "scale"})
    return hashlib.sha256(canonical([body, suite_digest, package])).hexdigest()[:12]


def trial_name(agent: str, condition: str, task: str, trial: int) -> str:
    """A file name for a trial: readable, and distinct even where names need cleaning."""
    key = canonical([agent, condition, task, trial])
    readable = re.sub(r"[^A-Za-z0-9_.+-]+", "-", f"{agent}.{condition}.{task}.{trial}")[:120]
    return f"{readable}-{hashlib.sha256(key).hexdigest()[:8]}.json"


class Run:
    """A run's folder."""

    def __init__(self, folder: Path, head: RunHead) -> None:
        self.folder, self.head = folder, head

    @classmethod
    def create(cls, folder: Path, head: RunHead) -> Run:
        """Start a run, or go on with one of the same identity.

        Raises `RunError` when the folder holds another run or something else.
        """
        if (folder / "run.json").exists():
            found = cls.open(folder)
            if found.head.identity != head.identity:
                raise RunError(
                    f"{folder} holds run {found.head.identity} ({found.head.suite}), not {head.identity}: "
                    "give another --output, or --fresh to start over"
                )
            _write(folder / "run.json", head.model_dump_json(indent=2))
            return cls(folder, head)
        if folder.is_dir() and any(folder.iterdir()):
            raise RunError(f"{folder} is not empty and holds no run.json: give another --output")
        try:
            (folder / "trials").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{folder} cannot be a run folder: {error.strerror}") from None
        _write(folder / "run.json", head.model_dump_json(indent=2))
        return cls(folder, head)

    @classmethod
    def open(cls, folder: Path) -> Run:
        """An existing run. Raises `RunError` naming what is missing or malformed."""
        path = folder / "run.json"
        try:
            return cls(folder, RunHead.model_validate_json(path.read_text(encoding="utf-8")))
        except (FileNotFoundError, NotADirectoryError):
            raise RunError(f"{folder} is not a run: it has no run.json") from None
        except (ValidationError, UnicodeDecodeError) as error:
            raise RunError(f"{path} does not fit the run format: {_first(error)}") from None

    def path(self, agent: str, condition: str, task: str, trial: int) -> Path:
        return self.folder / "trials" / trial_name(agent, condition, task, trial)

    def write(self, record: TrialRecord) -> None:
        """Write one trial whole; a kill leaves either the old file or the new one. Raises `Unreadable`."""
        t = record.trajectory
        path = self.path(t.agent, t.condition, t.task, t.trial)
        try:
            text = record.model_dump_json()
            from_json(text, cache_strings="keys")  # a hundredth of what a trial takes
        except (ValueError, RecursionError) as error:
            raise Unreadable(path, str(error)) from None
        _write(path, text)

    def read(self, path: Path) -> TrialRecord:
        """One trial record. Raises `RunError` naming file and field."""
        try:
            return TrialRecord.model_validate_json(path.read_text(encoding="utf-8"))
        except (ValidationError, UnicodeDecodeError) as error:
            raise RunError(f"{path} does not fit the trial format: {_first(error)}") from None

    def records(self) -> Iterator[TrialRecord]:
        """All trials on disk, by file name."""
        for path in sorted((self.folder / "trials").glob("*.json")):
            yield self.read(path)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.write_text(hide(text), encoding="utf-8")
    scratch.replace(path)


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        problem = error.errors()[0]
        return f"{'.'.join(map(str, problem['loc'])) or 'file'}: {problem['msg']}"
    return str(error)
