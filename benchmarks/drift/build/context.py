"""What the phases of a build share: the config, the tasks, what earlier phases left, and models to ask."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel

from benchmarks.drift.build.config import BuildConfig
from benchmarks.drift.build.records import Refusal
from benchmarks.drift.drawn import Drawn, Pool, pool
from benchmarks.drift.environments import Place
from benchmarks.drift.faults import Fails
from benchmarks.drift.frames import read
from benchmarks.drift.need import Refused
from benchmarks.probe.pipeline.work import Client, Work, ask, prompts
from harness.cli.problems import CallProblem

__all__ = ("PHASES", "Context", "Phase", "prompt", "refusal")

T = TypeVar("T")
Record = TypeVar("Record", bound=BaseModel)

PHASES = ("tasks", "frames", "strategies", "texts", "readings", "variants")
"""In order; each leaves `NAME.jsonl`."""


class Phase(NamedTuple):
    """What a phase leaves: its records, what it refused, other files by name, and a line for whoever waits."""

    records: Sequence[BaseModel]
    refused: Sequence[Refusal] = ()
    files: Mapping[str, str] = {}
    said: str = ""


@dataclass(frozen=True)
class Context:
    """One build."""

    config: BuildConfig
    places: Sequence[Place]
    folder: Path
    client: Client | None = None

    @cached_property
    def pools(self) -> Mapping[str, Pool]:
        """Environment -> its tasks."""
        counts = self.config.counts
        return {place.name: pool(place, counts[place.name], self.config.pool) for place in self.places}

    @cached_property
    def tasks(self) -> Mapping[str, Drawn]:
        """All tasks by id: of each environment those that are released, then the others."""
        return {task.id: task for each in self.pools.values() for task in (*each.released, *each.rest)}

    @cached_property
    def released(self) -> frozenset[str]:
        """Ids of the tasks that are released."""
        return frozenset(task.id for each in self.pools.values() for task in each.released)

    def read(self, phase: str, model: type[Record]) -> list[Record]:
        """What an earlier phase left. Raises `SuiteError`."""
        return read(self.folder / f"{phase}.jsonl", model)

    def ask(self, jobs: Callable[[Work], Sequence[Callable[[], Awaitable[T]]]]) -> list[T]:
        """What all jobs yield, in their order; replies are kept in `work/`. Raises what `Work.all` does."""
        if self.client is None:
            raise CallProblem("this phase asks a model: write `llm` and `reader`, the settings of two models")
        return ask(self.client, self.folder / "work", self.config.seed, jobs)


def refusal(phase: str, task: str, problem: Refused | Fails) -> Refusal:
    """What a precondition or a validator refused, as it is written down."""
    validator = problem.validator if isinstance(problem, Fails) else ""
    return Refusal(phase=phase, task=task, fault=problem.fault, validator=validator, reason=str(problem))


prompt = prompts(Path(__file__).with_name("prompts"))
"""A prompt of `prompts/`, filled."""
