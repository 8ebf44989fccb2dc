"""What happened in a trial, one event after the other: what was asked and said, called, written, and what arrived."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from servers.kernel import Part

__all__ = (
    "AnswerRecord", "Arrival", "Asked", "CallRecord", "CutShort", "DisturbanceKind", "Disturbed", "Event", "HandOver",
    "Landing", "Message", "ModelCall", "Process", "QuestionRecord", "Record", "Request", "Usage", "Write", "answered",
    "asking",
)  # fmt: skip


class Record(BaseModel):
    """A part of the format: what it does not know is refused."""

    model_config = ConfigDict(extra="forbid")


class Write(Record):
    """One row that one call wrote: its values afterwards, None where it was removed."""

    app: str
    table: str
    id: str
    values: dict[str, Any] | None


class Asked(Record):
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


class _Event(Record):
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


class Disturbed(Record):
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


class Process(Record):
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


class Usage(Record):
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
        description="Seconds before `start` in which it had no room in `--rpm` or `--tpm`, or attempts failed.",
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


def _asked(question: QuestionRecord | HandOver, answer: AnswerRecord) -> Asked:
    said: dict[str, Any] = {}
    if isinstance(question, QuestionRecord):
        said = {"context": question.context, "strategy": question.strategy, "candidates": question.candidates}
    return Asked(
        text=question.text, answer=answer.text, targets=answer.targets, revealed=answer.revealed,
        parts=answer.parts, goes_on=answer.goes_on, **said,
    )  # fmt: skip
