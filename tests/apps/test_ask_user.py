from collections.abc import Callable
from datetime import datetime
from typing import Any

import anyio
import pytest

from servers.ask_user import app
from servers.kernel import (
    Answer,
    Engine,
    Failure,
    InvalidArguments,
    NoUser,
    Question,
    Rejected,
    Result,
    User,
    UserFault,
    World,
)


class Person:
    """Says the same to everything, and remembers what was asked."""

    def __init__(self, answer: str | Callable[[], str]) -> None:
        self.reply, self.asked = answer, list[Question]()

    async def answer(self, question: Question) -> Answer:
        self.asked.append(question)
        return Answer(text=self.reply if isinstance(self.reply, str) else self.reply(), targets=("x",), revealed=("x",))


def ask(user: User | None, **arguments: Any) -> Result:
    engine = Engine()
    layer = engine.layer(engine.load(World("empty", datetime(2023, 11, 30), {})))
    try:
        return anyio.run(app.toolset("default").tool("ask_user").ask, layer.state(app), user, arguments)
    finally:
        assert layer.changes() == []
        engine.close()


def test_the_agent_gets_the_text_of_the_answer_and_nothing_else() -> None:
    assert ask(Person("On Friday."), question="When?") == Result("On Friday.", {"result": "On Friday."})


def test_the_user_gets_question_and_context() -> None:
    person = Person("Yes.")

    ask(person, question="Which Lund?", context="There are two.")
    ask(person, question="Sure?", context=None)

    assert person.asked == [Question(text="Which Lund?", context="There are two."), Question(text="Sure?", context="")]


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_never_reaches_the_user(question: str) -> None:
    person = Person("Yes.")

    with pytest.raises(Rejected, match="question"):
        ask(person, question=question)
    assert person.asked == []


@pytest.mark.parametrize("long", ["question", "context"])
def test_a_question_longer_than_anybody_reads_never_reaches_the_user(long: str) -> None:
    person = Person("Yes.")

    with pytest.raises(InvalidArguments, match=f"'{long}': string should have at most 20000 characters"):
        ask(person, **{"question": "When?", long: "x" * 20_001})
    assert person.asked == []


def test_with_nobody_bound_asking_fails_and_says_so() -> None:
    with pytest.raises(NoUser, match="Nobody"):
        ask(None, question="When?")


def test_a_user_that_breaks_is_no_failure_of_the_agents() -> None:
    def collapse() -> str:
        raise ValueError("no script left")

    with pytest.raises(UserFault, match="no script left") as caught:
        ask(Person(collapse), question="When?")
    assert not isinstance(caught.value, Failure)
