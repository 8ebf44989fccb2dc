"""One trial as it is on record: its events in one list, and how its sessions began and ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, Self

from pydantic import Field, field_serializer, model_validator

from harness.core.lists import with_events
from harness.core.trajectory.events import (
    AnswerRecord,
    Asked,
    CallRecord,
    Event,
    HandOver,
    Message,
    ModelCall,
    QuestionRecord,
    Record,
    Request,
    Usage,
    answered,
    asking,
)
from servers.kernel import Change

__all__ = ("RECORD_VERSION", "Parent", "SessionRecord", "Trajectory")

RECORD_VERSION: Final = 2


class SessionRecord(Record):
    """How one session went: what was asked and when, the last thing said, and the state it left.

    Of the last session, the state is the trial's own and written there alone.
    """

    request: str = Field(default="", exclude=True)
    now: str = Field(default="", exclude=True)
    reply: str = ""
    changes: list[Change] = Field(default=[])
    digest: str = ""


class Parent(Record):
    """The trial that a fork went on from: the steps before `step` are its steps."""

    run: str
    trial: str
    step: int


class Trajectory(Record):
    """One agent on one task under one condition, once.

    `status`: `finished`; `limit`, `crashed` (both the agent's failure); `void` (not its doing).
    `changes` is the normalised delta from the task's start to the end, `digest` names world, start and end; of the
    start is also what has arrived since.
    `tries` are earlier tries of the same trial, whole, each in a sandbox of its own: each was given up because
    the agent made no action that could be read (`LlmConfig.resample`). All else is of the last try, save
    `usage`, `seconds` and `waited`, which are of all tries together.
    """

    version: Literal[2] = 2
    suite: str
    task: str
    task_hash: str
    agent: str
    condition: str
    trial: int
    seed: int
    prompt: str
    status: Literal["finished", "limit", "crashed", "void"]
    reason: str = ""
    sessions: list[SessionRecord] = Field(default=[])
    events: list[Event] = Field(default=[])
    start: list[Change] = Field(default=[], description="What the setup, and what arrived since, changed in the world.")
    changes: list[Change] = Field(default=[])
    defaults: dict[str, dict[str, Any]] = Field(
        default={},
        description="Of tables (`app.table`) with a new row in `changes`: what a field has where nobody sets it, "
        "if not null. New rows are compared without such values.",
    )
    digest: str = ""
    world: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    waited: float = Field(
        default=0.0,
        exclude_if=lambda waited: not waited,
        description="Seconds in which models had no room in `--rpm` or `--tpm`, or attempts to ask them failed; "
        "`seconds` is without them.",
    )
    transport: str = "memory"
    package: str = ""
    tries: list[Trajectory] = Field(default=[])
    parent: Parent | None = None
    canary: bool = Field(default=False, description="A run's canary stood in what the agent said or sent.")

    @property
    def calls(self) -> list[CallRecord]:
        """The tool calls."""
        return [event for event in self.events if isinstance(event, CallRecord)]

    @property
    def steps(self) -> list[CallRecord | HandOver]:
        """Calls and hand-overs; the one numbered `n` stands at place `n`."""
        return [event for event in self.events if isinstance(event, CallRecord | HandOver)]

    @property
    def messages(self) -> list[Message]:
        return [event for event in self.events if isinstance(event, Message)]

    @property
    def model_calls(self) -> list[ModelCall]:
        return [event for event in self.events if isinstance(event, ModelCall)]

    def user_calls(self, step: int) -> list[ModelCall]:
        """The user's model calls that led to what it said before step `step`: to answers, and to its first words."""
        found: list[ModelCall] = []
        waiting: list[ModelCall] = []
        for event in self.events:
            if isinstance(event, ModelCall) and event.purpose == "user":
                waiting.append(event)
            elif isinstance(event, Request) or (isinstance(event, AnswerRecord) and event.step < step):
                found += waiting
                waiting = []
            elif isinstance(event, CallRecord | HandOver) and event.n == step:
                break
        return found

    @property
    def questions(self) -> list[Asked]:
        """Questions with their answers; what was said at the end of a turn is one where `HandOver.is_question`."""
        return [asked for step in self.steps for asked in step.questions]

    @property
    def tool_calls(self) -> int:
        """What the budget of tool calls counts: calls, and hand-overs after which it went on."""
        return sum(isinstance(step, CallRecord) or any(each.goes_on for each in step.asked) for step in self.steps)

    @field_serializer("sessions")
    def _last_once(self, sessions: list[SessionRecord]) -> list[SessionRecord]:
        if not sessions or sessions[-1].digest != self.digest:
            return sessions
        return [*sessions[:-1], sessions[-1].model_copy(update={"changes": [], "digest": ""})]

    @model_validator(mode="before")
    @classmethod
    def _of_lists(cls, data: Any) -> Any:
        """Records of version 1, and what `--json` prints (`harness.record.shape`), have lists in place of events."""
        lists = isinstance(data, Mapping) and "events" not in data and data.get("version") in (1, RECORD_VERSION)
        return with_events(data) if lists else data

    @model_validator(mode="after")
    def _gathered(self) -> Self:
        """Fill in what is not written, from where it is; and write down what a step holds that no event does yet."""
        said: dict[int, list[Event]] = {}
        for event in self.events:
            if isinstance(event, QuestionRecord | AnswerRecord):
                said.setdefault(event.step, []).append(event)
            elif isinstance(event, Request) and event.session < len(self.sessions):
                session = self.sessions[event.session]
                session.request, session.now = event.text, event.now
        steps = self.steps
        if any(step.asked and step.n not in said for step in steps):
            self.events = [each for event in self.events for each in _spread(event, said)]
        for step in steps:
            if step.n in said:
                answered(step, said[step.n])
        if self.sessions and not self.sessions[-1].digest:
            self.sessions[-1].changes, self.sessions[-1].digest = self.changes, self.digest
        return self


def _spread(event: Event, said: Mapping[int, object]) -> Iterator[Event]:
    """An event, and the questions that it alone holds yet."""
    questions = asking(event) if isinstance(event, CallRecord | HandOver) and event.n not in said else iter(())
    if isinstance(event, HandOver):
        yield event
        yield from questions
    else:
        yield from questions
        yield event
