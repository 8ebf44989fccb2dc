"""A run on disk: `run.json`, and one record per trial, written whole and renamed into place."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_serializer, field_validator
from pydantic_core import from_json

from harness.core.config import RunConfig
from harness.core.credentials import held_back, played_by, stored
from harness.core.distribution import package_version
from harness.core.scores import Score
from harness.core.secrets import secrets_in
from harness.core.trajectory import RECORD_VERSION, Trajectory
from harness.record.files import RunError, folder_for, read_whole, write_whole
from harness.record.rows import append
from harness.record.said import hidden
from harness.record.sources import sources
from servers.kernel import canonical, first_amiss

if TYPE_CHECKING:
    from harness.core.suite import Suite

__all__ = ("OtherRun", "Run", "RunHead", "TrialRecord", "Unreadable", "identity", "trial_name")

Model = TypeVar("Model", bound=BaseModel)

_FREE = frozenset({"trials", "name", "scale"})
"""Settings of a config that may change while a run stays the same; the scale is part of the suite's digest."""

_LASTING = 1.0
"""Seconds. Flushing takes a few milliseconds, so that it never adds more than about one percent to a trial."""


class OtherRun(RunError):
    """A folder that holds another run than the one to be played; a command that can start over says so besides."""


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
    """What a run is: enough to go on with it, score it again, or refuse to mix it with another.

    The config in memory is the live one; written, it is without credentials. `sources` are what decides it besides
    (`harness.record.sources`): none where all of it ships with the harness, nor in runs of before. `forks` is the
    identity of the run whose trials go on in this one, if they do: no other run has such trials.
    """

    model_config = ConfigDict(extra="forbid")

    version: Literal[1, 2] = RECORD_VERSION
    identity: str
    config: RunConfig
    suite: str
    suite_version: str
    suite_digest: str
    package: str
    sources: dict[str, str] = Field(default={}, exclude_if=lambda sources: not sources)
    forks: str = Field(default="", exclude_if=lambda forks: not forks)

    @classmethod
    def of(cls, config: RunConfig, suite: Suite, forks: str = "") -> Self:
        """That of a run of this config on this suite, by this package."""
        package, besides = package_version(), sources(config, suite)
        return cls(
            identity=identity(config, suite.digest, package, besides, forks),
            config=config,
            suite=suite.name,
            suite_version=suite.version,
            suite_digest=suite.digest,
            package=package,
            sources=besides,
            forks=forks,
        )

    @field_validator("config", mode="before")
    @classmethod
    def _users_of_then(cls, config: Any) -> Any:
        """Grounded users in runs from before their version was written down are of version 1."""
        conditions = config.get("conditions") if isinstance(config, dict) else None
        if not isinstance(conditions, dict):
            return config
        return {**config, "conditions": {name: _with_version(each) for name, each in conditions.items()}}

    @field_serializer("config")
    def _without_credentials(self, config: RunConfig) -> RunConfig:
        return stored(config)


def _with_version(condition: Any) -> Any:
    user = condition.get("user") if isinstance(condition, dict) else None
    if not isinstance(user, dict) or user.get("kind") != "grounded" or "version" in user:
        return condition
    return {**condition, "user": {**user, "version": 1}}


def identity(
    config: RunConfig, suite_digest: str, package: str, besides: Mapping[str, str] = {}, forks: str = ""
) -> str:
    """Twelve hex digits over config, suite, package and the record's version, without credentials and number of trials.

    Scales are told apart by the suite's digest: their tasks start from different worlds. `besides` are `sources`,
    `forks` is as in `RunHead`.
    """
    body = [stored(config).model_dump(mode="json", exclude=set(_FREE)), suite_digest, package, RECORD_VERSION]
    more = [dict(besides), forks] if forks else [dict(besides)] if besides else []
    return hashlib.sha256(canonical([*body, *more])).hexdigest()[:12]


def _changed(then: RunHead, now: RunHead) -> str:
    """Why a run that was begun as `then` is not the one that `now` asks for; empty where nobody can tell."""
    if then.suite != now.suite:
        return f"it is of suite {then.suite}, not {now.suite}"
    why = []
    if then.forks != now.forks:
        why.append(f"its trials are forks of run {then.forks}" if then.forks else "its trials are no forks")
    if then.suite_digest != now.suite_digest:
        why.append(f"tasks or worlds of {now.suite} have changed since this run was begun")
    if then.package != now.package:
        why.append(f"it was begun by version {then.package} of the harness, and this is {now.package}")
    before, after = (stored(head.config).model_dump(mode="json", exclude=set(_FREE)) for head in (then, now))
    if other := [f"`{name}`" for name in after if before.get(name) != after[name]]:
        why.append(f"the config's {', '.join(other)} differ from those that this run was begun with")
    for name, digest in now.sources.items():
        if name not in then.sources:
            why.append(f"it does not say with which {name} it was played")
        elif then.sources[name] != digest:
            what = name if os.path.isabs(name) else f"the code of {name}"
            why.append(f"{what} has changed since this run was begun")
    return "; ".join(why)


def _left_by_a_start(path: Path) -> bool:
    """Whether it is what `Run.create` leaves where it is stopped before there is a `run.json`."""
    if path.name == "trials" and path.is_dir():
        return not any(path.iterdir())
    return bool(re.fullmatch(r"\.run\.json\.\d+", path.name))


def trial_name(agent: str, condition: str, task: str, trial: int) -> str:
    """A file name for a trial: readable, and distinct even where names need cleaning.

    It does not begin with a dot, as what is being written does (`_SCRATCH`): nobody would read it.
    """
    key = canonical([agent, condition, task, trial])
    readable = re.sub(r"[^A-Za-z0-9_.+-]+", "-", f"{agent}.{condition}.{task}.{trial}")[:120]
    shown = re.sub(r"^\.", "_", readable)
    return f"{shown}-{hashlib.sha256(key).hexdigest()[:8]}.json"


class Run:
    """A run's folder.

    A record is in place, whole, when `write` returns, whatever becomes of the process. Against a power cut it is
    flushed to disk where its trial took `_LASTING` seconds or more: a faster one is sooner played again than flushed.
    """

    def __init__(self, folder: Path, head: RunHead) -> None:
        self.folder, self.head = folder, head
        self._secrets = secrets_in(also=held_back(played_by(head.config)))

    @classmethod
    def create(cls, folder: Path, head: RunHead) -> Run:
        """Start a run, or go on with one of the same identity.

        Raises `OtherRun` when the folder holds another run, `RunError` when it holds something else.
        """
        folder_for(folder)
        if (folder / "run.json").exists():
            found = cls.open(folder)
            if found.head.version != head.version:
                raise OtherRun(
                    f"{folder} holds a run of version {found.head.version}, which can be read but not continued: "
                    "give another --output"
                )
            if found.head.identity != head.identity:
                why = _changed(found.head, head)
                raise OtherRun(
                    f"{folder} holds run {found.head.identity} ({found.head.suite}), not {head.identity}: "
                    f"{why}{': ' * bool(why)}give another --output"
                )
        elif folder.is_dir() and not all(map(_left_by_a_start, folder.iterdir())):
            raise RunError(f"{folder} is not empty and holds no run.json: give another --output")
        folder_for(folder / "trials")
        run = cls(folder, head)
        run._write(folder / "run.json", head, indent=2, lasting=True)
        return run

    @classmethod
    def open(cls, folder: Path) -> Run:
        """An existing run. Raises `RunError` naming what is missing or malformed."""
        if not (folder / "run.json").exists():
            raise RunError(f"{folder} is not a run: it has no run.json")
        return cls(folder, _read(folder / "run.json", RunHead, "run"))

    def changed(self, suite: Suite) -> str:
        """What has changed since it was begun, so that its config gives another run now; empty where nothing has."""
        return _changed(self.head, RunHead.of(self.head.config, suite, self.head.forks))

    def path(self, agent: str, condition: str, task: str, trial: int) -> Path:
        return self.folder / "trials" / trial_name(agent, condition, task, trial)

    def write(self, record: TrialRecord) -> None:
        """Write one trial whole; a kill leaves either the old file or the new one.

        Raises `Unreadable` for a record that would not read back, and `RunError` where there is no writing.
        """
        t = record.trajectory
        path = self.path(t.agent, t.condition, t.task, t.trial)
        written = self._write(path, record, lasting=t.seconds >= _LASTING)
        append(self.folder, path, written.trajectory, written.scores)

    def read(self, path: Path) -> TrialRecord:
        """One trial record. Raises `RunError` naming file and field, and for a file that is not the trial's own."""
        record = _read(path, TrialRecord, "trial")
        t = record.trajectory
        own = path.with_name(trial_name(t.agent, t.condition, t.task, t.trial))
        if path.name != own.name:
            remedy = "remove it, since a trial counts once" if own.exists() else "give it that name"
            raise RunError(f"{path} holds the trial whose file is {own.name}: {remedy}")
        return record

    def records(self) -> Iterator[TrialRecord]:
        """All trials on disk, by file name."""
        for path in self.files():
            yield self.read(path)

    def files(self) -> list[Path]:
        """Where the records lie, by name. Raises `RunError` where nobody can know."""
        trials = self.folder / "trials"
        try:
            return sorted(trials / name for name in os.listdir(trials) if name.endswith(".json") and name[0] != ".")
        except OSError as error:
            raise RunError(f"{trials} cannot be read: {error.strerror}") from None

    def _write(self, path: Path, model: Model, *, indent: int | None = None, lasting: bool) -> Model:
        """Write a model whole, and give what was written: without secrets."""
        try:
            text = model.model_dump_json(indent=indent)
            if self._secrets and self._secrets.stand_in(text):  # hardly ever, and much faster than to visit every text
                model = hidden(model, self._secrets)
                text = model.model_dump_json(indent=indent)
            from_json(text, cache_strings="keys")  # a hundredth of what a trial takes
        except (ValueError, RecursionError) as error:
            raise Unreadable(path, str(error)) from None
        write_whole(path, text, lasting=lasting)
        return model


def _read(path: Path, model: type[Model], kind: str) -> Model:
    try:
        return model.model_validate_json(read_whole(path))
    except (ValidationError, UnicodeDecodeError) as error:
        raise RunError(f"{path} does not fit the {kind} format: {_first(error, kind)}") from None


def _first(error: Exception, kind: str) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    problems = error.errors()
    version = next((each for each in problems if each["loc"][-1:] == ("version",)), None)
    if version:
        known = "this package reads versions 1 and 2"
        return f"it is of version {version['input']!r:.40}, and {known}; use the one that wrote it"
    first = problems[0]
    if first["type"] == "json_invalid":
        if kind == "run":
            return f"{first['msg']}. If a power cut left it so, `harness eval` with --fresh starts over"
        return f"{first['msg']}. If a power cut left it so, remove it, and `harness eval` plays that trial again"
    return first_amiss(error, "file")
