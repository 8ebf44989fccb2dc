"""What the pipeline writes: one JSON object a line, in the fields of LHAW's appendix F and a few of our own.

The paper's `ambiguity_class` is `empirical_class` here, which stands beside `designed_class`; `severity` is `strategy`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from benchmarks.lhaw.rewrite import Gap, Severity
from benchmarks.lhaw.variants import DesignedClass
from harness.core.lines import read_lines
from harness.suite import SuiteError

__all__ = (
    "CLASSES", "Baseline", "Candidate", "ClassifiedBy", "Criteria", "NewTask", "Questions", "Refusal", "Segment",
    "Source", "Trials", "Variant", "lines", "read",
)  # fmt: skip

Share = Annotated[float, Field(ge=0, le=1)]
NewTask = Literal["unjudged", "no", "yes"]
CLASSES: Sequence[DesignedClass] = ("outcome-critical", "divergent", "benign")

Record = TypeVar("Record", bound=BaseModel)


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Refusal(_Record):
    """What did not come through a phase, and why: a task, or a variant of it."""

    phase: str
    task: str
    reason: str
    strategy: str = ""
    segments: tuple[str, ...] = ()


class Baseline(_Record):
    """How reference agents do a source as it is written (section 3.1; table 15). Shares are from 0 to 1.

    `solved` are right trials of `trials` by agent; `ckpt` is the mean share of checkpoints over all agents' trials,
    None where the task has fewer than three. `kept`: every agent was right at least once, or `ckpt` is 0.5 or more.
    """

    task: str
    template: str
    solved: dict[str, int]
    trials: int
    ckpt: float | None
    kept: bool


class Segment(_Record):
    """A piece of a request that can be withheld (appendices D.1 and F.1).

    `value` is the atomic piece and `text` the words that go with it, both substrings of the request. `kind`, `role` and
    `reason` are ours: what it is in a colleague's words, which of several, and why `guessability` is what it is.
    """

    id: str
    dimension: str
    subdimension: str
    value: str
    text: str
    is_used_in_trajectory: bool
    first_use_pct: Share
    checkpoint_refs: tuple[str, ...]
    criticality: Share
    guessability: Share
    priority_score: float
    kind: str
    role: str = ""
    reason: str = ""


class Source(_Record):
    """The segments of one task, most important first."""

    task: str
    segments: tuple[Segment, ...]


class Criteria(_Record):
    """How a candidate was made."""

    severity: Severity


class Candidate(_Record):
    """A request that lacks something, before any trial (appendix F.1). `task_id` is the variant's, and says nothing."""

    task_id: str
    original_task: str
    agent_prompt: str
    removed_segments: tuple[Segment, ...]
    criteria: Criteria
    expected_questions: tuple[dict[str, tuple[str, ...]], ...]
    expected_failure_mode: str
    gap: Gap
    designed_class: DesignedClass

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(segment.id for segment in self.removed_segments)


class ClassifiedBy(_Record):
    """Whose trials gave an empirical class; `seeds` are those of the trials, so that no score counts one again.

    `model` is what the agent was played by, and left out where it had none: the name says nothing of that.
    """

    agent: str
    model: str | None = Field(default=None, exclude_if=lambda model: model is None)
    n: int
    seeds: tuple[int, ...]


class Trials(_Record):
    """What trials without a user came to (definition 3.1).

    `classes` has one name under our definition, and may have two under the paper's, which is no partition. `task_hash`
    is the hash of the task that was played; `model` as in `ClassifiedBy`.
    """

    variant_id: str
    task_hash: str
    agent: str
    model: str | None = Field(default=None, exclude_if=lambda model: model is None)
    n: int
    seeds: tuple[int, ...]
    successes: int
    terminal_states: tuple[str, ...]
    new_task: NewTask
    classes: tuple[Literal["void", "new-task", "outcome-critical", "divergent", "benign"], ...]
    reasoning: str = ""


class Questions(_Record):
    """What an agent should ask for a segment."""

    segment_id: str
    questions: tuple[str, ...]


class Variant(_Record):
    """A variant as released (appendix F.2). `source` is the suite it was made from, `seed` the one of its selection.

    `route` says whether its segments are slots of its task or were found by a model.
    `triple` is the same for variants that withhold the same segments by all three strategies, `pair` for two of one
    task and strategy of which one withholds one segment, and the other that one and a second.
    """

    variant_id: str
    original_task: str
    original_prompt: str
    underspecified_prompt: str
    information_dimension: tuple[str, ...]
    removed_segments: tuple[Segment, ...]
    expected_questions: tuple[Questions, ...]
    expected_failure_mode: str
    terminal_states: tuple[str, ...] | None = None
    dataset: str
    source: str
    route: Literal["slots", "model"]
    seed: int
    strategy: Severity
    gap: Gap
    designed_class: DesignedClass
    empirical_class: DesignedClass | None = None
    classified_by: ClassifiedBy | None = None
    new_task: NewTask = "unjudged"
    triple: str | None = None
    pair: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(segment.id for segment in self.removed_segments)


def lines(records: Iterable[BaseModel]) -> str:
    """JSON Lines, in the order given."""
    return "".join(json.dumps(each.model_dump(mode="json"), ensure_ascii=False) + "\n" for each in records)


def read(path: Path, model: type[Record]) -> list[Record]:
    """The records of a file. Raises `SuiteError` naming file, line and field."""
    return read_lines(path, model, SuiteError)
