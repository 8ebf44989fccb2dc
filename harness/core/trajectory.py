"""Everything that happened in one trial. With the task, the only input of scoring.

These models are the published record format: `harness/schemas/trial.json` is generated from them. A record is one
list of events in the order in which they ended. Fields marked `exclude=True` are not written: they gather what other
events hold (the questions of a call, the request of a session) and are filled in when a record is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_serializer, model_validator

from harness.core.version_1 import upgraded
from servers.kernel import Change, Part

__all__ = (
    "RECORD_VERSION", "AnswerRecord", "Arrival", "Asked", "CallRecord", "CutShort", "DisturbanceKind", "Disturbed",
    "Event", "HandOver", "Landing", "Message", "ModelCall", "Parent", "Process", "QuestionRecord", "Request",
    "SessionRecord", "Trajectory", "Usage", "Write", "answered", "asking",
)  # fmt: skip

RECORD_VERSION: Final = 2


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Write(_Record):
    """One row that one call wrote: its values afterwards, None where it was removed."""

    app: str
    table: str
    id: str
    values: dict[str, Any] | None


class Asked(_Record):
    """One question that reached the user: what it targeted, what the answer revealed."""

    text: str
    context: str = ""
    answer: str
    targets: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    strategy: str = Field(default="", description="Of `clarify`: which of its kinds of question it was.")
    candidates: tuple[str, ...] = Field(default=(), description="Of `clarify`: the answers that it offered.")
    parts: tuple[Part, ...] = ()
    goes_on: bool = True


class _Event(_Record):
    """One thing that happened, and in which session (from 0).

    `start` and `duration` are in seconds, `start` since the trial began, of several tries the try; no times count when
    two events are compared. `subagent` says whose doing it is: 0 for the agent itself, else the number of the subagent
    that it started.
    """

    session: int
    start: float = 0.0
    duration: float = 0.0
    subagent: int = Field(
        default=0,
        exclude_if=lambda number: not number,
        description="The subagent that did or said it, from 1; 0, the default, is the agent itself. What subagents do "
        "stands before the call that started them.",
    )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._told() == other._told()

    __hash__ = None  # type: ignore[assignment]

    def _told(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("start", "duration", "waited")}


class Request(_Event):
    """What a session began with, and its time (ISO 8601).

    `source` is empty where a person asked, else what the event came from that took the place of their words.
    """

    kind: Literal["request"] = "request"
    now: str
    text: str
    source: str = Field(default="", exclude_if=lambda source: not source)


class QuestionRecord(_Event):
    """A question that reached the user while call `step` ran; what else it says is as in `servers.kernel.Question`."""

    kind: Literal["question"] = "question"
    step: int
    text: str
    context: str = ""
    strategy: str = ""
    candidates: tuple[str, ...] = ()


class AnswerRecord(_Event):
    """The user's answer to the question before it, or to the hand-over `step`; fields as in `servers.kernel.Answer`."""

    kind: Literal["answer"] = "answer"
    step: int
    text: str
    targets: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    goes_on: bool = True


class _Step(_Event):
    """What the agent did that others saw: calls and hand-overs, numbered together from 0 by `n`.

    `turn` is the number of model calls that the session had made by then.
    """

    n: int
    turn: int
    asked: list[Asked] = Field(default=[], exclude=True)

    @property
    def questions(self) -> list[Asked]:
        """What was asked in it."""
        return [asked for asked in self.asked if asked.goes_on]


DisturbanceKind = Literal["timeout", "lost", "rate_limit", "error", "cut", "late"]
"""What may come between a call and its tool (docs/config.md, Disturbances)."""


class Disturbed(_Record):
    """How a call was disturbed: by which of its condition's disturbances (from 0), of what kind.

    A late effect lands before call `before`, or else at the end of the session.
    """

    index: int
    kind: DisturbanceKind
    before: int | None = Field(default=None, exclude_if=lambda before: before is None)


class CallRecord(_Step):
    """One tool call as the server saw it.

    `status`: `ok`; `failed` (refused on purpose), `invalid` (arguments that do not fit), `unknown`
    (no such tool), `garbled` (could not be read, or holds what no record could keep: it reached no app, `arguments`
    has the start of what was sent as `raw`), `disturbed` (its condition came between, as `disturbance` says);
    `defect` and `fault` are not the agent's doing.
    """

    kind: Literal["call"] = "call"
    app: str
    tool: str
    arguments: dict[str, Any]
    status: Literal["ok", "failed", "invalid", "unknown", "garbled", "disturbed", "defect", "fault"]
    text: str
    data: dict[str, Any] | None = None
    writes: list[Write] = []
    disturbance: Disturbed | None = Field(default=None, exclude_if=lambda disturbance: disturbance is None)

    def shown(self) -> dict[str, Any]:
        """The call with its questions as JSON: what the service, `--record` and `--json` give."""
        disturbance = {"disturbance": self.disturbance.model_dump(mode="json")} if self.disturbance else {}
        subagent = {"subagent": self.subagent} if self.subagent else {}
        return {
            **_plain(self, _CALL),
            **subagent,
            **disturbance,
            "asked": [_plain(asked, _ASKED) for asked in self.asked],
        }


class Landing(_Event):
    """The late effect of call `step`, where it came to be: what its tool answered then, which the agent was not told.

    `status` is as of a call: `ok`, `failed`, or `defect`, which is not the agent's doing.
    """

    kind: Literal["landing"] = "landing"
    step: int
    status: Literal["ok", "failed", "defect"]
    text: str
    data: dict[str, Any] | None = None
    writes: list[Write] = []


class HandOver(_Step):
    """What the agent said at the end of a turn that went to the user; the answer follows."""

    kind: Literal["hand_over"] = "hand_over"
    text: str

    @property
    def questions(self) -> list[Asked]:
        return [asked for asked in self.asked if self.is_question(asked)]

    def is_question(self, answer: Asked | AnswerRecord) -> bool:
        """Whether its answer took it for one: the session went on, and not only since the user told something unasked.

        A user who holds intents back does that, after whatever was said; what has a question mark asked all the same.
        """
        unasked = answer.revealed and not answer.targets and all(part.target for part in answer.parts)
        return answer.goes_on and (not unasked or "?" in self.text)

    def shown(self) -> dict[str, Any]:
        """The same as a call of `user.end_of_turn`, which is how records of version 1 had it."""
        call = CallRecord(
            n=self.n, session=self.session, turn=self.turn, app="user", tool="end_of_turn", arguments={}, status="ok",
            text=self.asked[0].answer if self.asked else "", asked=self.asked,
        )  # fmt: skip
        return call.shown()


class Process(_Record):
    """How an external program went, beside what it printed (`harness.agents.command`).

    `exit` is its status (negative: the signal that ended it), None where it was killed at a limit. `isolation`
    is what kept it from the rest of the machine. `killed` counts the processes that had to be ended, its own
    among them. `cut` is the number of bytes left out of what it printed, both streams together.
    """

    isolation: Literal["none", "bwrap", "container"]
    exit: int | None
    stderr: str = ""
    killed: int = 0
    cut: int = 0


CutShort = Literal["length", "content_filter", "empty"]
"""How a reply of a model came to no ordinary end."""


class Message(_Event):
    """One message of the conversation, in the chat-completions shape.

    `calls` are the tool calls of an assistant message: id, name and arguments as the model gave them.
    `process` is there where the message is what an external program printed.
    """

    kind: Literal["message"] = "message"
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: list[dict[str, Any]] = []
    call_id: str = ""
    process: Process | None = None
    ended: Literal["", CutShort] = Field(
        default="",
        exclude_if=lambda ended: not ended,
        description="Of a model's reply that came to no ordinary end: cut at its limit of tokens (`length`), by its "
        "provider's filter (`content_filter`), or without text and calls (`empty`).",
    )


class Usage(_Record):
    """Tokens of one or more model calls, and their price in US dollars; None where it is unknown."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = 0.0

    def __add__(self, other: Usage) -> Usage:
        unknown = self.cost_usd is None or other.cost_usd is None
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost_usd=None if unknown else (self.cost_usd or 0) + (other.cost_usd or 0),
        )


class ModelCall(_Event):
    """One request to a model and its reply, whole; secrets are never part of it.

    `purpose` is `agent`, `user` or `judge`. `attempts` counts tries, the last one included. `problem` says why a
    reply was not taken: of a user's model, or an agent's score of itself.
    """

    kind: Literal["model_call"] = "model_call"
    turn: int
    purpose: Literal["agent", "user", "judge"]
    request: dict[str, Any]
    response: dict[str, Any]
    usage: Usage = Usage()
    attempts: int = 1
    waited: float = Field(
        default=0.0,
        exclude_if=lambda waited: not waited,
        description="Seconds for which there was no room for it in `--rpm` or `--tpm`, before `start`.",
    )
    problem: str = Field(default="", exclude_if=lambda problem: not problem)


class Arrival(_Event):
    """Rows that came from the environment, none of the agent's doing, after `step` steps had been made.

    `text` says what they are, to readers of the record alone. `writes` are the rows as they were then: where the
    agent had changed one, with what stayed of that, and without those that it had removed.
    """

    kind: Literal["arrival"] = "arrival"
    step: int
    source: str
    text: str = ""
    writes: list[Write] = []


Event = Annotated[
    Request | Message | ModelCall | CallRecord | QuestionRecord | AnswerRecord | HandOver | Arrival | Landing,
    Field(discriminator="kind"),
]


class SessionRecord(_Record):
    """How one session went: what was asked and when, the last thing said, and the state it left.

    Of the last session, the state is the trial's own and written there alone.
    """

    request: str = Field(default="", exclude=True)
    now: str = Field(default="", exclude=True)
    reply: str = ""
    changes: list[Change] = []
    digest: str = ""


class Parent(_Record):
    """The trial that a fork went on from: the steps before `step` are its steps."""

    run: str
    trial: str
    step: int


class Trajectory(_Record):
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
    sessions: list[SessionRecord] = []
    events: list[Event] = []
    start: list[Change] = Field(default=[], description="What the setup, and what arrived since, changed in the world.")
    changes: list[Change] = []
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
        description="Seconds for which there was no room in `--rpm` or `--tpm`; `seconds` is without them.",
    )
    transport: str = "memory"
    package: str = ""
    tries: list[Trajectory] = []
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
        return upgraded(data) if lists else data

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


_ASKED = tuple(name for name in Asked.model_fields if name not in ("parts", "goes_on"))
_CALL = ("n", "session", "turn", "app", "tool", "arguments", "status", "text", "data", "writes")


def _plain(model: BaseModel, fields: Sequence[str]) -> dict[str, Any]:
    found = model.model_dump(mode="json", include=set(fields))
    return {name: found[name] for name in fields}


def answered(step: CallRecord | HandOver, events: Iterable[Event]) -> None:
    """Gather in a step what its questions and answers say, and number them as its own."""
    question: QuestionRecord | HandOver | None = step if isinstance(step, HandOver) else None
    step.asked = []
    for event in events:
        if isinstance(event, QuestionRecord):
            event.step, question = step.n, event
        elif isinstance(event, AnswerRecord) and question:
            event.step = step.n
            step.asked.append(_asked(question, event))


def asking(step: CallRecord | HandOver) -> Iterator[QuestionRecord | AnswerRecord]:
    """The events of what was asked in a step: they stand before a call, and behind a hand-over."""
    at: dict[str, Any] = {"session": step.session, "step": step.n, "start": step.start}
    for asked in step.asked:
        if isinstance(step, CallRecord):
            yield QuestionRecord(
                **at, text=asked.text, context=asked.context, strategy=asked.strategy, candidates=asked.candidates
            )
        yield AnswerRecord(
            **at, text=asked.answer, targets=asked.targets, revealed=asked.revealed, parts=asked.parts,
            goes_on=asked.goes_on,
        )  # fmt: skip


def _spread(event: Event, said: Mapping[int, object]) -> Iterator[Event]:
    """An event, and the questions that it alone holds yet."""
    questions = asking(event) if isinstance(event, CallRecord | HandOver) and event.n not in said else iter(())
    if isinstance(event, HandOver):
        yield event
        yield from questions
    else:
        yield from questions
        yield event


def _asked(question: QuestionRecord | HandOver, answer: AnswerRecord) -> Asked:
    said: dict[str, Any] = {}
    if isinstance(question, QuestionRecord):
        said = {"context": question.context, "strategy": question.strategy, "candidates": question.candidates}
    return Asked(
        text=question.text, answer=answer.text, targets=answer.targets, revealed=answer.revealed,
        parts=answer.parts, goes_on=answer.goes_on, **said,
    )  # fmt: skip
