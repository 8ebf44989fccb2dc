"""Answer: where an agent hands in what it was asked for. What counts is the first answer.

It keeps one row, so that a second answer can be refused, and so that checks find the answer among the rows that
changed. It is off unless somebody serves it: a task or a condition that wants it names it.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.kernel import App, Rejected, State, Table

__all__ = ("Submission", "app")


class Submission(Table, name="submissions", noun="answer"):
    """What was answered, and which question the agent believes it was asked."""

    answers: list[str]
    predicted_question: str = ""


app = App("answer", "Hand in your answer when you have it.", tables=(Submission,), apart=True)


@app.writes
def submit_answer(
    state: State,
    answers: Annotated[
        list[str],
        Field(
            description="The values asked for, one an item and nothing else in it: names, ids or dates as the tools "
            "give them, numbers as digits. In the order asked for, if there is one. Empty if there is nothing to name.",
        ),
    ],
    predicted_question: Annotated[
        str,
        Field(
            description="With every answer: the question that you have answered, in one sentence with all names, dates "
            "and numbers as you understood them. It does not count towards the answer.",
        ),
    ] = "",
) -> str:
    """Hand in your answer to what you were asked. You can do this once: the first answer counts.

    Only questions need an answer. If you were asked to change something, make the change and do not call this tool.
    Where you changed nothing, or guessed, say so in your last message.
    """
    if state.find(Submission, limit=1):
        raise Rejected("An answer has been handed in already, and the first one counts. It cannot be changed.")
    state.add(Submission(answers=answers, predicted_question=predicted_question))
    return "Handed in."
