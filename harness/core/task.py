"""What there is to do, as pure data: a task, its sessions, and what counts as done."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_serializer, field_validator, model_validator

from servers.kernel import Edit, Plain, canonical, untimely

__all__ = (
    "Arrives", "Brief", "Call", "Compare", "End", "Expected", "Segment", "Session", "SessionLimits", "Slot", "Source",
    "Task", "Trigger", "filled", "is_ref", "made_id", "referred",
)  # fmt: skip

Source = Literal["feed", "webhook", "schedule"]
"""What in the environment something comes from."""


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Call(_Data):
    """One tool call of a reference solution."""

    app: str = Field(description="Name of the app.")
    tool: str = Field(description="Name of the tool, as the app itself calls it.")
    arguments: dict[str, Plain] = Field(
        default={},
        description='Arguments by name. `{"ref": NAME}` stands for the id that an earlier call returned (`bind`).',
    )
    bind: str = Field(default="", description="A name for the id that the call returns, for later calls to refer to.")
    session: int = Field(
        default=0, ge=0, exclude_if=lambda number: not number, description="The session it is made in, from 0."
    )


class Expected(_Data):
    """One row that a right outcome adds, changes or removes; each is a checkpoint."""

    op: Literal["insert", "update", "delete"] = Field(
        description="An insert is matched by the content of `values`, an update or delete by `id`."
    )
    app: str = Field(description="Name of the app.")
    table: str = Field(description="Name of the app's table.")
    id: str = Field(default="", description="Of an update or delete: the row's id. An insert has none.")
    values: dict[str, Plain] = Field(
        default={},
        description=(
            "Of an insert: the row's fields, without those that are null or at their default. Of an update: the fields "
            'that change, with their new values. `{"ref": NAME}` stands for the id of another expected insert.'
        ),
    )
    name: str = Field(default="", description="Of an insert: a name by which other values refer to the new row.")


class End(_Data):
    """One acceptable end state, as the changes that lead there from the start."""

    changes: tuple[Expected, ...] = Field(
        default=(), description="Every row that must differ from the start. Any other change makes the outcome wrong."
    )


class Compare(_Data):
    """How fields are compared where they need not be equal. Each is named `app.table.field`."""

    text: frozenset[str] = Field(
        default=frozenset(), description="Fields compared without letter case and white space."
    )
    free: frozenset[str] = Field(default=frozenset(), description="Fields that are not compared at all.")

    @field_validator("text", "free")
    @classmethod
    def _whole(cls, names: frozenset[str]) -> frozenset[str]:
        for name in sorted(names):
            if name.count(".") != 2 or not all(name.split(".")):
                raise ValueError(f"{name!r} names no field: write app.table.field")
        return names

    @field_serializer("text", "free")
    def _in_order(self, names: frozenset[str]) -> list[str]:
        return sorted(names)  # a set's own order depends on the hash seed, and so would a task's hash


class Slot(_Data):
    """One value in a request, which a variant of the request may withhold."""

    name: str = Field(description="Identifies the slot within the task.")
    kind: str = Field(
        description=(
            "What sort of thing it is, in a colleague's words: person, date, time, duration, subject, status, board. "
            "The simulated user goes by it to tell what a question is about."
        )
    )
    text: str = Field(description="The value word for word as it stands in the full request.")
    value: Plain = Field(default=None, description="The same as tools take it: an id, a number, a date as YYYY-MM-DD.")
    role: str = Field(default="", description="Which one of several of its kind, or what it does: recipient, due date.")
    dimension: str = Field(default="", description="A word of the benchmark's own taxonomy, where it has one.")
    subdimension: str = Field(default="", description="A finer one.")
    criticality: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="The share of other values that would lead to another outcome: 0, 0.5 or 1.",
    )
    guessability: float = Field(default=0.0, ge=0, le=1, description="How well it can be told without asking.")
    reason: str = Field(default="", description="Why `guessability` is what it is.")
    complete_without: bool = Field(
        default=False, description="The request without it is a complete request for something else."
    )
    checkpoint_refs: tuple[int, ...] = Field(
        default=(), description="Numbers, from 0, of the expected changes that depend on it."
    )
    first_use_pct: float = Field(
        default=0.0, description="The share of the reference calls made before the first that needs it."
    )
    asks: tuple[str, ...] = Field(
        default=(),
        exclude_if=lambda asks: not asks,
        description="Wordings that ask for it. A question that has all words of one, in any order, asks for this slot.",
    )
    says: str = Field(
        default="",
        exclude_if=lambda says: not says,
        description="How the simulated user tells the value, with `{value}` in its place.",
    )
    others: tuple[str, ...] = Field(
        default=(),
        exclude_if=lambda others: not others,
        description=(
            "Other values that somebody might take for it, as the world has them and a request would say them; an id "
            "that is not in the words stands behind them in brackets. The simulated user goes by them to tell whether "
            "what is proposed in other words is the value."
        ),
    )

    @property
    def priority(self) -> float:
        """Criticality x (1 - guessability) (LHAW section 3.3)."""
        return self.criticality * (1 - self.guessability)


class Segment(_Data):
    """A slot of the request, as a brief lists it."""

    id: str = Field(description="The slot's name: what records and reports call it.")
    slot: Slot = Field(description="The slot itself, the same as in the task's `slots`.")

    @property
    def value(self) -> str:
        return self.slot.text


class Brief(_Data):
    """What the simulated user knows: the full request, what the agent was told instead, and what that withholds."""

    intent: str = Field(description="The full request.")
    sent: str = Field(default="", description="What the agent was told.")
    withheld: tuple[Segment, ...] = Field(default=(), description="The values that `sent` lacks.")
    stated: tuple[Segment, ...] = Field(default=(), description="The values that `sent` gives.")


class SessionLimits(_Data):
    """Limits of one session, beside those of the whole trial; whichever is hit first ends the trial as failed."""

    turns: int | None = Field(default=None, ge=1, description="Turns of the agent; null is unlimited.")
    tool_calls: int | None = Field(default=None, ge=1, description="Tool calls; null is unlimited.")
    seconds: float | None = Field(default=None, gt=0, description="Seconds; null is unlimited.")


class Trigger(_Data):
    """An event that a session begins with in place of a request. The agent is told that no person wrote it."""

    source: Source = Field(description="What sent it.")
    name: str = Field(description="What the event is called: order.created.")
    text: str = Field(default="", description="A sentence about it, which the agent reads.")
    data: Mapping[str, Any] = Field(default={}, description="What it carries, which the agent reads as JSON.")


class Arrives(_Data):
    """Rows that come from outside while the task is played. No agent is told; it finds them by looking."""

    source: Source = Field(description="What they come from.")
    edits: tuple[Edit, ...] = Field(description="The rows that are added, changed or removed.")
    text: str = Field(default="", description="What they are, for whoever reads the record.")
    after_call: int | None = Field(
        default=None, description="They come after this call of the session, from 0. By default before the session."
    )
    after_hand_over: int | None = Field(
        default=None, description="They come after this hand-over to the user, from 0. By default before the session."
    )

    @property
    def before(self) -> bool:
        """Whether they come before the session."""
        return self.after_call is None and self.after_hand_over is None


class Session(_Data):
    """One conversation, which begins empty: with a request, or with an event."""

    requests: Mapping[str, str] = Field(
        default={},
        description="What the agent is told, by prompt variant. `original` is the full request.",
    )
    event: Trigger | None = Field(
        default=None, exclude_if=lambda event: event is None, description="What it begins with in place of `requests`."
    )
    arrivals: tuple[Arrives, ...] = Field(
        default=(),
        exclude_if=lambda arrivals: not arrivals,
        description=(
            "Rows that come from outside, in this order: one whose moment has come waits for those before it. What has "
            "not come when another session follows comes then."
        ),
    )
    now: datetime | None = Field(
        default=None, description="The time there, 2025-03-13T09:00:00; by default the world's."
    )
    briefs: Mapping[str, Brief] = Field(
        default={}, description="What the simulated user knows, by prompt variant, where that withholds something."
    )
    limits: SessionLimits = Field(default=SessionLimits(), description="Limits of this session.")
    ends: tuple[End, ...] = Field(
        default=(),
        exclude_if=lambda ends: not ends,
        description=(
            "Accepted states at the end of this session, each as changes since the start of the task. Without "
            "any, only the end of the task counts."
        ),
    )

    closing: str = Field(
        default="",
        exclude_if=lambda closing: not closing,
        description="What the oracle says when it has done the session, where checks look at what is said.",
    )

    @field_validator("now")
    @classmethod
    def _timely(cls, now: datetime | None) -> datetime | None:
        if now is not None and (why := untimely(now)):
            raise ValueError(f"the time {why}")
        return now


class Task(_Data):
    """A task of a suite: what is asked, on which rows, and what counts as done.

    Pure data; its hash names its content.
    """

    id: str = Field(description="The task's id. Its file is named after it.")
    world: str = Field(
        description="Name of the starting rows: a folder of the suite's `worlds`, or one it makes itself."
    )
    apps: tuple[str, ...] = Field(description="The apps whose tools the agent gets.")
    toolsets: Mapping[str, str] = Field(
        default={},
        exclude_if=lambda toolsets: not toolsets,
        description="App -> the toolset that this task needs, where the suite's usual one will not do.",
    )
    sessions: tuple[Session, ...] = Field(description="The conversations, in order; each begins on what the last left.")
    ends: tuple[End, ...] = Field(
        default=(End(),), description="Accepted end states; any one will do. By default nothing may change."
    )
    compare: Compare = Field(default=Compare(), description="Fields that need not be equal to what is expected.")
    setup: tuple[Edit, ...] = Field(
        default=(), description="Rows added, changed or removed before the start. They do not count as changes."
    )
    solution: tuple[Call, ...] = Field(
        default=(), description="Calls that do the task, for the oracle and the audit. No other agent sees them."
    )
    solutions: Mapping[str, tuple[Call, ...]] = Field(
        default={},
        exclude_if=lambda solutions: not solutions,
        description="Other calls for toolsets that need them, by the toolset's name.",
    )
    template: str = Field(default="", description="Tasks made alike share one: intervals treat them as a cluster.")
    slots: tuple[Slot, ...] = Field(default=(), description="The values of the full request.")
    withheld: Mapping[str, tuple[str, ...]] = Field(
        default={}, description="By prompt variant, the names of the slots that it lacks."
    )
    facts: Mapping[str, Any] = Field(default={}, description="Anything else that the suite's own tables go by.")

    @model_validator(mode="after")
    def _served(self) -> Self:
        if strange := [app for app in self.toolsets if app not in self.apps]:
            raise ValueError(f"toolsets: the task has no app {strange[0]!r}; it has {', '.join(self.apps)}")
        return self

    @property
    def needed(self) -> tuple[tuple[str, str], ...]:
        """Apps and toolsets of `toolsets`, in order: a key for what is worked out once for all that need the same."""
        return tuple(sorted(self.toolsets.items()))

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


def is_ref(value: Mapping[str, Any]) -> bool:
    """Whether it is `{"ref": NAME}`, which stands for the id of another expected insert."""
    return len(value) == 1 and isinstance(value.get("ref"), str)


def referred(value: Any) -> list[str]:
    """Names of new rows inside a value of an expected change, at any depth."""
    if isinstance(value, Mapping):
        return [value["ref"]] if is_ref(value) else [name for item in value.values() for name in referred(item)]
    return [name for item in value for name in referred(item)] if isinstance(value, list | tuple) else []


def filled(value: Any, bound: Mapping[str, Any]) -> Any:
    """The value with the id bound to NAME in place of each `{"ref": NAME}`. Raises KeyError where none is."""
    if isinstance(value, Mapping):
        return bound[value["ref"]] if is_ref(value) else {key: filled(item, bound) for key, item in value.items()}
    return [filled(item, bound) for item in value] if isinstance(value, list) else value


def made_id(data: Mapping[str, Any] | None) -> str:
    """The id that a call gave: its whole result, or the `id` of the row it returned; "" where that is no text."""
    made = (data or {}).get("result", data)
    made = made.get("id") if isinstance(made, Mapping) else made
    return made if isinstance(made, str) else ""
