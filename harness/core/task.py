"""What there is to do, as pure data: a task, its sessions, and what counts as done."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_serializer

from servers.kernel import Edit, canonical

__all__ = (
    "Arrives", "Brief", "Call", "Compare", "End", "Expected", "Segment", "Session", "SessionLimits", "Slot", "Source",
    "Task", "Trigger",
)  # fmt: skip

Source = Literal["feed", "webhook", "schedule"]
"""What in the environment something comes from."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Call(_Data):
    """One tool call of a reference solution, made in the session of that number (from 0).

    `arguments` may hold `{"ref": name}` for an id that an earlier call produced under `bind`.
    """

    app: str
    tool: str
    arguments: dict[str, Any] = {}
    bind: str = ""
    session: int = Field(default=0, ge=0, exclude_if=lambda number: not number)


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
    `dimension` and `subdimension` are words of whichever benchmark has a taxonomy, and checks them.
    `criticality` is computed, 0, 0.5 or 1; `guessability` is declared with its `reason`.
    `first_use_pct` is the share of the reference calls made before the first that needs the value.
    `asks` and `says` are for the simulated user: wordings that ask for the value, each heard where a question has all
    its words, and how it is told, with `{value}` in its place.
    """

    name: str
    kind: str
    text: str
    value: Any = None
    role: str = ""
    dimension: str = ""
    subdimension: str = ""
    criticality: float = Field(default=1.0, ge=0, le=1)
    guessability: float = Field(default=0.0, ge=0, le=1)
    reason: str = ""
    complete_without: bool = False
    checkpoint_refs: tuple[int, ...] = ()
    first_use_pct: float = 0.0
    asks: tuple[str, ...] = Field(default=(), exclude_if=lambda asks: not asks)
    says: str = Field(default="", exclude_if=lambda says: not says)

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


class Trigger(_Data):
    """An event that a session begins with in place of a person's words.

    The agent is told its source, its `name`, what `text` says of it and the `data` it carries, as JSON, and that no
    person wrote this; under every prompt variant the same.
    """

    source: Source
    name: str
    text: str = ""
    data: Mapping[str, Any] = {}


class Arrives(_Data):
    """Rows that come from the environment: before their session, or after one of its steps.

    `after_call` and `after_hand_over` number the session's calls and its hand-overs to the user, from 0; with neither
    the rows are there before it begins. `text` says what they are to whoever reads the record: an agent is not told,
    and finds them by looking.
    """

    source: Source
    edits: tuple[Edit, ...]
    text: str = ""
    after_call: int | None = None
    after_hand_over: int | None = None

    @property
    def before(self) -> bool:
        """Whether they come before the session."""
        return self.after_call is None and self.after_hand_over is None


class Session(_Data):
    """One conversation. `requests` maps a prompt variant (`original`, ...) to what the agent is told.

    One that begins with an `event` has that in their place. `now` is None for the world's own time. Briefs are per
    prompt variant too. `ends` are the accepted states in which it may leave the rows, each as the changes that lead
    there from the task's start; without any, only the end of the task counts (`Task.ends`). `arrivals` come in
    their order: one whose moment has come waits for those listed before it. What has not come when another session
    follows comes then, so that it begins for every agent with the same rows from outside.
    """

    requests: Mapping[str, str] = {}
    event: Trigger | None = Field(default=None, exclude_if=lambda event: event is None)
    arrivals: tuple[Arrives, ...] = Field(default=(), exclude_if=lambda arrivals: not arrivals)
    now: datetime | None = None
    briefs: Mapping[str, Brief] = {}
    limits: SessionLimits = SessionLimits()
    ends: tuple[End, ...] = Field(default=(), exclude_if=lambda ends: not ends)


class Task(_Data):
    """A task: setup, sessions, and what counts as done. Pure data; its hash names its content.

    `solution` is for the oracle and the audit alone; `solutions` has another one for each toolset, by its name, through
    which an app of the task may be served and which takes other calls. `slots` are the values of the full request;
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
    solutions: Mapping[str, tuple[Call, ...]] = Field(default={}, exclude_if=lambda solutions: not solutions)
    template: str = ""
    slots: tuple[Slot, ...] = ()
    withheld: Mapping[str, tuple[str, ...]] = {}
    facts: Mapping[str, Any] = {}

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the whole task."""
        return hashlib.sha256(canonical(self.model_dump(mode="json"))).hexdigest()

    @property
    def arrivals(self) -> tuple[Arrives, ...]:
        """Those of all sessions, in the order in which they come."""
        return tuple(arrival for session in self.sessions for arrival in session.arrivals)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As pydantic's, without the hash that this task may have by now: the copy can be another task."""
        copy = super().model_copy(update=update, deep=deep)
        copy.__dict__.pop("hash", None)
        return copy

    def solved(self, toolsets: Iterable[str]) -> tuple[Call, ...]:
        """The reference calls where its apps are served through toolsets of these names."""
        return next((self.solutions[name] for name in toolsets if name in self.solutions), self.solution)

    def known(self, prompt: str) -> dict[str, Slot]:
        """Slots whose value the prompt variant gives away."""
        gone = self.withheld.get(prompt, ())
        return {slot.name: slot for slot in self.slots if slot.name not in gone}
