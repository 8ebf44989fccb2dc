from datetime import datetime
from typing import Any

import anyio
import pytest

from servers.clarify import app
from servers.kernel import Answer, Engine, InvalidArguments, NoUser, Question, Rejected, Result, User, World
from userssim.grounded import GroundedUser
from userssim.wish import Known, Wish

CLARIFY = app.default.tool("clarify")


class Person:
    def __init__(self) -> None:
        self.asked: list[Question] = []

    async def answer(self, question: Question) -> Answer:
        self.asked.append(question)
        return Answer(text="As you say.", targets=("x",), revealed=("x",))


def ask(user: User | None, strategy: str, content: str = "Which one?", **arguments: Any) -> Result:
    engine = Engine()
    layer = engine.layer(engine.load(World("empty", datetime(2023, 11, 30), {})))
    try:
        return anyio.run(CLARIFY.ask, layer.state(app), user, {"strategy": strategy, "content": content, **arguments})
    finally:
        engine.close()


@pytest.mark.parametrize("strategy", ["ask_parameter", "propose_solution", "confirm_risk", "report_blocker"])
def test_the_user_hears_the_question_and_its_strategy_and_the_agent_the_answer(strategy: str) -> None:
    person = Person()

    assert ask(person, strategy, "Is it so?").data == {"result": "As you say."}
    assert person.asked == [Question(text="Is it so?", strategy=strategy)]


def test_readings_to_choose_from_reach_the_user() -> None:
    person = Person()

    ask(person, "disambiguate", candidates=["Ann Lee ", "Ann Low"])

    assert person.asked[0].candidates == ("Ann Lee", "Ann Low")


@pytest.mark.parametrize(
    ("candidates", "refusal"),
    [
        (None, "disambiguate needs 2 to 6 candidates to choose from, and none were given"),
        ([], "and none were given"),
        (["Ann"], "and 1 was given. To have a single reading confirmed, use propose_solution"),
        (["Ann", "Ann "], "candidates must all be different, and none of them empty"),
        (["Ann", " "], "candidates must all be different, and none of them empty"),
        (
            list("abcdefgh"),
            "takes at most 6 candidates, since nobody keeps track of more, and 8 were given",
        ),
    ],
)
def test_disambiguating_needs_two_to_six_readings_that_differ(candidates: list[str] | None, refusal: str) -> None:
    person = Person()

    with pytest.raises(Rejected, match=refusal):
        ask(person, "disambiguate", candidates=candidates)
    assert person.asked == []


@pytest.mark.parametrize(
    ("long", "given"),
    [("content", "x" * 501), ("candidates", ["x" * 250, "y" * 251])],
    ids=["content", "candidates"],
)
def test_a_question_longer_than_anybody_reads_never_reaches_the_user(long: str, given: Any) -> None:
    person = Person()

    with pytest.raises(Rejected, match=f"{long} has 501 characters; it may have 500"):
        ask(person, "disambiguate", **{"candidates": ["a", "b"], long: given})
    assert person.asked == []


def test_no_other_strategy_takes_candidates() -> None:
    with pytest.raises(Rejected, match="candidates go with disambiguate only, not with confirm_risk"):
        ask(Person(), "confirm_risk", candidates=["Yes", "No"])


def test_six_readings_are_taken() -> None:
    person = Person()

    ask(person, "disambiguate", candidates=list("abcdef"))

    assert person.asked[0].candidates == tuple("abcdef")


def test_where_somebody_counts_the_answer_says_how_many_questions_are_left() -> None:
    class Counting:
        async def answer(self, question: Question) -> Answer:
            return Answer(text="The blue one.", rounds_left=2)

    assert ask(Counting(), "ask_parameter").text == "The blue one.\n\nQuestions left: 2"


def test_an_unknown_strategy_is_answered_with_those_there_are() -> None:
    with pytest.raises(InvalidArguments, match=r"'ask_parameter', 'disambiguate', .* or 'report_blocker'"):
        ask(Person(), "Disambiguate")


def test_empty_content_never_reaches_the_user() -> None:
    with pytest.raises(Rejected, match="content must not be empty"):
        ask(Person(), "report_blocker", " \n")


def test_with_nobody_bound_it_fails_and_says_so() -> None:
    with pytest.raises(NoUser):
        ask(None, "ask_parameter")


BOARD = Wish(
    full="Add a task to the Design board for Friday.",
    sent="Add a task.",
    withheld=(
        Known(id="board", kind="board", value="Design", role="board", dimension="goal", subdimension="target"),
        Known(id="day", kind="due_date", value="Friday", role="", dimension="goal", subdimension="target"),
    ),
)


def test_the_grounded_user_picks_the_reading_that_was_meant_and_tells_nothing_else() -> None:
    said = ask(GroundedUser(BOARD), "disambiguate", "Several boards would do.", candidates=["Back end", "Design"])

    assert said.text == "Design."


@pytest.mark.parametrize("strategy", ["ask_parameter", "propose_solution", "confirm_risk", "report_blocker"])
def test_the_grounded_user_answers_what_is_asked_whatever_the_strategy(strategy: str) -> None:
    assert ask(GroundedUser(BOARD), strategy, "Which board?").text == "Design."
