"""Whoever answers an agent's questions, as an app sees them."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, ConfigDict

__all__ = ("QUESTION_CHARACTERS", "Answer", "Question", "User")

QUESTION_CHARACTERS = 20_000
"""Of each text of a question: more than anybody reads before answering."""


class Question(BaseModel):
    """What the agent asked.

    `strategy` is the kind of question where the agent said so, and `candidates` the answers that it offers.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    context: str = ""
    strategy: str = ""
    candidates: tuple[str, ...] = ()


class Answer(BaseModel):
    """What came back, and what it gave away.

    `targets` are ids of the withheld segments that the question was about, `revealed` those
    whose value the answer contains. The agent sees `text` alone.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    targets: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()


class User(Protocol):
    """Answers questions. Raises `UserFault` when it cannot work; that voids the trial."""

    async def answer(self, question: Question) -> Answer: ...
