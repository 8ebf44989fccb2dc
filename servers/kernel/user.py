"""Whoever answers an agent's questions, as an app sees them."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

__all__ = ("QUESTION_CHARACTERS", "Answer", "Question", "User")

QUESTION_CHARACTERS = 20_000
"""Of each text of a question: more than anybody reads before answering."""


class Question(BaseModel):
    """What the agent asked.

    `strategy` is the kind of question where the agent said so, and `candidates` the answers that it offers.
    `end_of_turn`: it is what the agent said at the end of its turn, which need not be a question.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    context: str = ""
    strategy: str = ""
    candidates: tuple[str, ...] = ()
    end_of_turn: bool = False


class Answer(BaseModel):
    """What came back, and what it gave away.

    `targets` are ids of the withheld segments that the question was about, `revealed` those
    whose value the answer contains. `goes_on`: given at the end of a turn, it starts the agent's next one, else
    the session is over; where nothing is said of it, an answer goes on that is about something withheld. The agent
    sees `text` alone.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    targets: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    goes_on: bool = Field(default_factory=lambda answer: bool(answer["targets"]))


class User(Protocol):
    """Answers questions. Raises `UserFault` when it cannot work; that voids the trial."""

    async def answer(self, question: Question) -> Answer: ...
