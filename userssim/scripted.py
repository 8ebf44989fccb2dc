"""A user who reads out prepared answers."""

from __future__ import annotations

from collections.abc import Iterable

from servers.kernel import Answer, Question, UserFault

__all__ = ("ScriptedUser",)


class ScriptedUser:
    """Gives the answers in order, whatever is asked; at the end of a turn each starts the agent's next one.

    When there are no more, the end of a turn ends the session, and a question raises `UserFault`.
    """

    def __init__(self, answers: Iterable[str]) -> None:
        self._answers = tuple(answers)
        self._next = 0

    async def answer(self, question: Question) -> Answer:
        if self._next == len(self._answers):
            if question.end_of_turn:
                return Answer(text="")
            raise UserFault(
                f"the script holds {len(self._answers)} answers and a further question came: {question.text!r}"
            )
        self._next += 1
        return Answer(text=self._answers[self._next - 1], goes_on=True)
