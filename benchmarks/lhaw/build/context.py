"""What the phases of a build share: the config, the suite, what earlier phases left, and a model to ask."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from benchmarks.lhaw.build.config import BuildConfig
from benchmarks.lhaw.build.records import Refusal, read
from benchmarks.lhaw.variants import clock
from benchmarks.probe.pipeline.work import Client, Work, ask, prompts
from harness.cli.problems import CallProblem
from harness.core.config import RunConfig
from harness.play.run import Progress, evaluate
from harness.record.store import TrialRecord
from harness.suite import Suite
from harness.task import Task
from servers.kernel import canonical

__all__ = ("PHASES", "REFUSED", "Context", "Phase", "prompt")

T = TypeVar("T")
Record = TypeVar("Record", bound=BaseModel)

PHASES = ("baseline", "segments", "candidates", "classes", "variants")
"""In order; each leaves `NAME.jsonl`."""

REFUSED = "refused"
"""The folder with what each phase refused, as `NAME.jsonl`; a build that ends puts all of it in a file, too."""


class Phase(NamedTuple):
    """What a phase leaves: its records, what it refused, other files by name, and a line for whoever waits."""

    records: Sequence[BaseModel]
    refused: Sequence[Refusal] = ()
    files: dict[str, str] = {}  # noqa: RUF012 (a field of a tuple, never changed)
    said: str = ""


@dataclass(frozen=True)
class Context:
    """One build."""

    config: BuildConfig
    suite: Suite
    folder: Path
    client: Client | None = None
    wiring: Any = None
    listener: Callable[[Progress], None] | None = field(default=None)

    def read(self, phase: str, model: type[Record]) -> list[Record]:
        """What an earlier phase left. Raises `SuiteError`."""
        return read(self.folder / f"{phase}.jsonl", model)

    def now(self, task: Task) -> datetime:
        """The task's time."""
        return clock(task, self.suite.load_world(task.world).now)

    def ask(self, jobs: Callable[[Work], Sequence[Callable[[], Awaitable[T]]]]) -> list[T]:
        """What all jobs yield, in their order; replies are kept in `work/`.

        Raises what `Work.all` does.
        """
        if self.client is None:
            raise CallProblem("this phase asks a model: write `llm`, the settings of a model")
        return ask(self.client, self.folder / "work", self.config.seed, jobs)

    def play(self, name: str, config: RunConfig, suite: Suite) -> list[TrialRecord]:
        """The trials of a run, played where they are not there yet, in a folder that is named after what is played.

        Raises `CallProblem` where it was stopped before its end: a model that does not answer, say.
        """
        played = hashlib.sha256(canonical([config.model_dump(mode="json"), suite.digest])).hexdigest()[:10]
        last: list[Progress] = []

        def heard(progress: Progress) -> None:
            last[:] = [progress]
            if self.listener:
                self.listener(progress)

        folder = self.folder / "runs" / f"{name}-{played}"
        run = evaluate(config, suite, self.wiring, folder, concurrency=self.config.width, listener=heard)
        if last and last[0].done < last[0].total:
            raise CallProblem(f"{name}: {last[0].stopped}; the same command resumes {self.folder}")
        return list(run.records())


prompt = prompts(Path(__file__).with_name("prompts"))
"""A prompt of `prompts/`, filled."""
