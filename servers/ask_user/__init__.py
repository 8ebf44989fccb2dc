"""Asking the user: one question, put to whoever is bound to the sandbox, and the answer as text.

It keeps no rows: the dialogue is part of the trajectory, where every question is recorded with what it
was about and what it revealed. With nobody bound, asking fails and says so.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.kernel import QUESTION_CHARACTERS, App, Question, Rejected, State, User

__all__ = ("app",)

app = App("ask_user", "Ask the user when a request leaves out something that only they know.")


@app.asks
async def ask_user(
    state: State,
    user: User,
    question: Annotated[
        str,
        Field(
            max_length=QUESTION_CHARACTERS, description="One specific question, as you would put it to a busy person."
        ),
    ],
    context: Annotated[
        str | None,
        Field(
            max_length=QUESTION_CHARACTERS,
            description="What you have found so far, if the question needs it to make sense.",
        ),
    ] = "",
) -> str:
    """Ask the user who gave you the task a question, and wait for the answer.

    Ask about what the request leaves open and no other tool can tell you, one thing at a time.
    Returns what the user says.
    """
    if not question.strip():
        raise Rejected("question must not be empty.")
    answer = await user.answer(Question(text=question, context=context or ""))
    return answer.text
