"""What there is to do, as pure data: a task, its sessions, and what counts as done."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_serializer

from servers.kernel import Edit, canonical

__all__ = ("Brief", "Call", "Compare", "End", "Expected", "Segment", "Session", "SessionLimits", "Slot", "Task")

Dimension = Literal["goal", "constraint", "input", "context"]
Subdimension = Literal[
    "target", "format", "content", "acceptance",
    "numeric_bound", "precision", "temporal", "selection", "method",
    "source", "location", "identifier", "version",
    "terminology", "business_logic", "conventions", "tool_knowledge",
]  # fmt: skip
"""LHAW appendix E: four for goal, five for constraint, four for input, four for context."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Call(_Data):
    """One tool call of a reference solution.

    `arguments` may hold `{"ref": name}` for an id that an earlier call produced under `bind`.
    """

    app: str
    tool: str
    arguments: dict[str, Any] = {}
    bind: str = ""


class Expected(_Data):
    """One change that a right outcome contains; each is a checkpoint.

    An insert carries no id: it matches an actual insert by the content of `values`, and other
    values may refer to it as `{"ref": name}`. An update lists the fields that change and their
    new values; a delete lists none. Both match by `id`.
    """

    op: Literal["insert", "update", "delete"]
    app: str
    table: str
    id: str = ""
    values: dict[str, Any] = {}
    name: str = ""


class End(_Data):
    """One acceptable end state, as the changes that lead there from the start."""

    changes: tuple[Expected, ...] = ()


class Compare(_Data):
    """How fields are compared, each named `app.table.field`.

    `text`: case folded and white space collapsed. `free`: not compared at all.
    """

    text: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()

    @field_serializer("text", "free")
    def _in_order(self, names: frozenset[str]) -> list[str]:
        return sorted(names)  # a set's own order depends on the hash seed, and so would a task's hash


class Slot(_Data):
    """One value that a template fills in, with its LHAW record (docs/benchmarks/lhaw.md, Segments).

    `kind` says what sort of thing it is (`person`, `date`, `duration`, `subject`, `body`, `title`,
    `metric`, `threshold`, `status`, `product`, `board`, `list`, `plot_type`, `customer`, `period`,
    ...) and `role` which one, where a request holds two of a kind (`sender`, `recipient`).
    `criticality` is computed, 0, 0.5 or 1; `guessability` is declared with its `reason`.
    `first_use_pct` is the share of the reference calls made before the first that needs the value.
    """

    name: str
    kind: str
    text: str
    value: Any = None
    role: str = ""
    dimension: Dimension
    subdimension: Subdimension
    criticality: float = Field(default=1.0, ge=0, le=1)
    guessability: float = Field(default=0.0, ge=0, le=1)
    reason: str = ""
    complete_without: bool = False
    checkpoint_refs: tuple[int, ...] = ()
    first_use_pct: float = 0.0

    @property
    def priority(self) -> float:
        """Criticality x (1 - guessability) (LHAW section 3.3)."""
        return self.criticality * (1 - self.guessability)


class Segment(_Data):
    """A piece of a request that a variant withholds. `value` is its exact text in the full request."""

    id: str
    slot: Slot

    @property
    def value(self) -> str:
        return self.slot.text


class Brief(_Data):
    """What the user knows: the full request, what the agent was told instead, and what is withheld.

    `stated` are the values that the sent request does give.
    """

    intent: str
    sent: str = ""
    withheld: tuple[Segment, ...] = ()
    stated: tuple[Segment, ...] = ()


class SessionLimits(_Data):
    """Budgets of one session, in seconds where they are of time; None adds none.

    They hold beside those of the whole trial (`RunConfig.limits`). Whichever is hit first ends not only the session
    but the trial, which has failed: a later session rests on what this one was to leave.
    """

    turns: int | None = Field(default=None, ge=1)
    tool_calls: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, gt=0)


class Session(_Data):
    """One conversation. `requests` maps a prompt variant (`original`, ...) to what the agent is told.

    `now` is None for the world's own time. Briefs are per prompt variant too.
    """

    requests: Mapping[str, str]
    now: datetime | None = None
    briefs: Mapping[str, Brief] = {}
    limits: SessionLimits = SessionLimits()


class Task(_Data):
    """A task: setup, sessions, and what counts as done. Pure data; its hash names its content.

    `solution` is for the oracle and the audit alone. `slots` are the values of the full request;
    `withheld[prompt]` names those that a prompt variant lacks. `template` clusters tasks for
    intervals. `facts` holds whatever the suite's own tables group by.
    """

    id: str
    world: str
    apps: tuple[str, ...]
    sessions: tuple[Session, ...]
    ends: tuple[End, ...] = (End(),)
    compare: Compare = Compare()
    setup: tuple[Edit, ...] = ()
    solution: tuple[Call, ...] = ()
    template: str = ""
    slots: tuple[Slot, ...] = ()
    withheld: Mapping[str, tuple[str, ...]] = {}
    facts: Mapping[str, Any] = {}

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the whole task."""
        return hashlib.sha256(canonical(self.model_dump(mode="json"))).hexdigest()

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As pydantic's, without the hash that this task may have by now: the copy can be another task."""
        copy = super().model_copy(update=update, deep=deep)
        copy.__dict__.pop("hash", None)
        return copy

    def known(self, prompt: str) -> dict[str, Slot]:
        """Slots whose value the prompt variant gives away."""
        gone = self.withheld.get(prompt, ())
        return {slot.name: slot for slot in self.slots if slot.name not in gone}
