"""Whoever answers an agent's questions, or works for it, as an app sees them."""

from __future__ import annotations

from typing import Any, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

__all__ = (
    "QUESTION_CHARACTERS", "Answer", "Called", "Opening", "Part", "Partner", "Question", "Since", "User", "Worker",
    "Written",
)  # fmt: skip

QUESTION_CHARACTERS = 20_000
"""Of each text of a question: more than anybody reads before answering."""


class Called(BaseModel):
    """A tool call that the agent made; `status` as in the record (`ok`, `failed`, `invalid`, ...)."""

    model_config = ConfigDict(frozen=True)

    app: str
    tool: str
    arguments: dict[str, Any]
    status: str


class Written(BaseModel):
    """A row that was written, and its values now; None where it is gone."""

    model_config = ConfigDict(frozen=True)

    app: str
    table: str
    id: str
    values: dict[str, Any] | None


class Since(BaseModel):
    """What the agent did since the user last heard an end of turn, or since the session began.

    Of a row that was written several times, `changed` has the last.
    """

    model_config = ConfigDict(frozen=True)

    calls: tuple[Called, ...] = ()
    changed: tuple[Written, ...] = ()


class Opening(BaseModel):
    """A session that begins, as its user sees it.

    `number` counts from 0, `now` is its time (ISO 8601), `request` what the task has the agent told, empty where it
    leaves that to the user. `intent` is the request as meant, `withheld` the values of it that the agent was not told.
    """

    model_config = ConfigDict(frozen=True)

    number: int
    now: str
    request: str = ""
    intent: str = ""
    withheld: dict[str, str] = {}


class Question(BaseModel):
    """What the agent asked.

    `strategy` is the kind of question where the agent said so, and `candidates` the answers that it offers.
    `end_of_turn`: it is what the agent said at the end of its turn, which need not be a question. `since` is what it
    did since the last one.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    context: str = ""
    strategy: str = ""
    candidates: tuple[str, ...] = ()
    end_of_turn: bool = False
    since: Since = Since()


class Part(BaseModel):
    """What an answer does about one thing that was asked for; `target` is a segment's id, empty where it is about none.

    `given` (its value was told), `confirmed` or `corrected` (a value that the agent proposed is right or wrong),
    `no_preference` (the user leaves it to the agent), `not_understood`, `put_off` (the user wants to be asked again).
    `text` is the piece of the answer that says so.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["given", "confirmed", "corrected", "no_preference", "not_understood", "put_off"]
    target: str = ""
    text: str = ""


class Answer(BaseModel):
    """What came back, and what it gave away.

    `parts` keep apart what it says of each thing that was asked for, where the user knows. `targets` are ids of the
    withheld segments that the question was about, `revealed` those whose value the answer contains. `goes_on`: given
    at the end of a turn, it starts the agent's next one, else the session is over; where nothing is said of it, an
    answer goes on that is about something withheld, or has parts: the agent awaited it. `rounds_left` are the questions
    that will still be answered in this session, None where nobody counts. The agent sees `text`, and is told the last.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    targets: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    goes_on: bool = Field(default_factory=lambda answer: bool(answer["targets"] or answer["parts"]))
    rounds_left: int | None = None


class User(Protocol):
    """Answers questions. Raises `UserFault` when it cannot work; that voids the trial.

    It is made anew for each session, and so forgets, unless it is a `Partner`.
    """

    async def answer(self, question: Question) -> Answer: ...


@runtime_checkable
class Partner(User, Protocol):
    """A user for a whole trial: made once, told of each session as it begins, and free to remember."""

    async def opens(self, session: Opening) -> str:
        """Its first words. They are the request where the task gives none (`Opening.request` is empty), else unused."""


class Worker(Protocol):
    """Works on what an agent hands on, and nobody of the app knows who that is."""

    async def work(self, task: str) -> str:
        """Its report, once it is done. Raises `NoWorker` where nobody is there, `Rejected` where it came to no end."""
