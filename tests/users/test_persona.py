"""The five personas without a model: who tells what at which ask, and what is never told."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import anyio
import pytest

from harness.core.config import Condition, PersonaUserConfig
from harness.core.task import Brief, Segment, Slot
from harness.wiring import wiring
from servers.kernel import Answer, Question
from tests import sampling
from userssim.heard import heard, sums
from userssim.persona import NOISE, PersonaName, PersonaUser, PlaceboUser, card
from userssim.wish import Known, Wish

DATE = Known(id="date", kind="date", value="12 March 2025", role="due date", day="2025-03-12")
BOARD = Known(id="board", kind="board", value="Design", role="board")
JOB = Known(id="job", kind="task_name", value="Repaint the hall", role="task name")
REMARK = Known(id=NOISE, kind=NOISE, value="My locker is B-364, should anyone look for me.", role="remark")
FULL = "Add Repaint the hall to the Design board, due on 12 March 2025."

ONE = Wish(
    full=FULL, sent="Add Repaint the hall to the Design board, due some time.", withheld=(DATE,), stated=(BOARD, JOB)
)
TWO = Wish(full=FULL, sent="Add Repaint the hall to the right place.", withheld=(DATE, BOARD), stated=(JOB,))
NAMES: tuple[PersonaName, ...] = get_args(PersonaName)


def talk(persona: PersonaName, wish: Wish, *questions: tuple[Any, ...]) -> list[Answer]:
    user = PersonaUser(wish, persona)
    return [
        anyio.run(user.answer, Question(strategy=strategy, text=text, candidates=tuple(more[0]) if more else ()))
        for strategy, text, *more in questions
    ]


OPEN = ("ask_parameter", "What is the due date?")
OFFER = ("disambiguate", "Which due date do you mean?", ("12 March 2025", "13 March 2025"))
WRONG = ("disambiguate", "Which due date do you mean?", ("14 March 2025", "13 March 2025"))


def told(answers: list[Answer]) -> list[bool]:
    return ["date" in answer.revealed and "12 March 2025" in answer.text for answer in answers]


@pytest.mark.parametrize(
    ("persona", "ask"), [("rational", 1), ("intuitive", 2), ("dependent", 2), ("avoidant", 3), ("spontaneous", 1)]
)
def test_an_open_question_is_answered_at_the_ask_of_the_card(persona: PersonaName, ask: int) -> None:
    assert told(talk(persona, ONE, *[OPEN] * 3)) == [n >= ask for n in (1, 2, 3)]


def test_a_value_that_is_asked_to_be_otherwise_is_told_without_a_yes() -> None:
    (answer,) = talk("rational", ONE, ("propose_solution", "Is 12 March 2025 negotiable?"))
    (agreed,) = talk("rational", ONE, ("propose_solution", "Is 12 March 2025 fixed?"))

    assert told([answer]) == [True]
    assert not answer.text.startswith("Yes")
    assert agreed.text.startswith("Yes")


@pytest.mark.parametrize(
    ("persona", "ask"), [("rational", 1), ("intuitive", 1), ("dependent", 1), ("avoidant", 2), ("spontaneous", 1)]
)
def test_the_right_value_among_candidates_is_taken_at_the_ask_of_the_card(persona: PersonaName, ask: int) -> None:
    assert told(talk(persona, ONE, *[OFFER] * 2)) == [n >= ask for n in (1, 2)]


@pytest.mark.parametrize("persona", NAMES)
def test_wrong_candidates_are_refused_and_give_nothing_away(persona: PersonaName) -> None:
    (answer,) = talk(persona, ONE, WRONG)

    assert [part.kind for part in answer.parts] == ["corrected"]
    assert answer.text in card(persona).refuses
    assert answer.revealed == ()


@pytest.mark.parametrize("persona", NAMES)
@pytest.mark.parametrize("strategy", ["propose_solution", "confirm_risk"])
def test_a_wrong_proposal_is_refused(persona: PersonaName, strategy: str) -> None:
    (answer,) = talk(persona, ONE, (strategy, "Shall I set the due date to 20 March 2025?"))

    assert answer.revealed == ()
    assert "12 March" not in answer.text


@pytest.mark.parametrize("persona", NAMES)
@pytest.mark.parametrize("text", ["Is anything missing?", "Do you have any more information for me?"])
def test_a_probe_that_names_nothing_discloses_nothing(persona: PersonaName, text: str) -> None:
    (answer,) = talk(persona, TWO, ("ask_parameter", text))

    assert answer.revealed == ()
    assert "12 March" not in answer.text
    assert "Design" not in answer.text


@pytest.mark.parametrize("persona", NAMES)
def test_a_risk_is_not_waved_through_while_something_is_open(persona: PersonaName) -> None:
    (answer,) = talk(persona, ONE, ("confirm_risk", "This cannot be undone. Shall I go ahead?"))

    assert "go ahead" not in answer.text


def test_after_everything_is_told_a_risk_may_be_taken() -> None:
    *_, answer = talk("rational", ONE, OPEN, ("confirm_risk", "This cannot be undone. Shall I go ahead?"))

    assert answer.text == "Yes, go ahead with what I asked for."


def test_leave_for_more_than_was_asked_for_is_refused() -> None:
    *_, answer = talk("rational", ONE, OPEN, ("confirm_risk", "May I delete the other boards as well?"))

    assert [part.kind for part in answer.parts] == ["corrected"]
    assert answer.text.startswith("No, I did not ask for that.")


def test_the_rational_one_tells_all_that_is_asked_for_the_avoidant_one_thing_at_a_time() -> None:
    both = ("ask_parameter", "What are the due date and the board?")

    assert set(talk("rational", TWO, both)[0].revealed) == {"date", "board"}
    assert [len(answer.targets) for answer in talk("avoidant", TWO, both)] == [1]


def test_the_spontaneous_one_answers_what_is_named_first() -> None:
    (answer,) = talk("spontaneous", TWO, ("ask_parameter", "What are the board and the due date?"))

    assert answer.revealed == ("board",)


def test_nobody_puts_two_questions_off_in_the_same_words() -> None:
    first, second = talk("avoidant", ONE, *[OPEN] * 2)

    assert first.text != second.text


def test_the_spontaneous_one_sends_long_questions_back() -> None:
    (answer,) = talk(
        "spontaneous", ONE, ("ask_parameter", f"{'I have looked at everything. ' * 8}What is the due date?")
    )

    assert answer.text in card("spontaneous").unread
    assert answer.revealed == ()


def test_an_ask_counts_for_the_item_that_the_reply_is_about() -> None:
    asks = [("ask_parameter", "What is the board?")] * 2 + [OPEN] * 3

    answers = talk("avoidant", TWO, *asks)
    assert [answer.revealed for answer in answers] == [(), (), (), (), ("date",)]


def test_the_intuitive_one_says_a_season_first() -> None:
    assert talk("intuitive", ONE, OPEN)[0].text == "Around spring, I would say."


@pytest.mark.parametrize("persona", NAMES)
def test_remarks_that_do_not_belong_to_it_are_to_be_ignored(persona: PersonaName) -> None:
    wish = Wish(full=FULL, sent=f"{REMARK.value} {FULL}", stated=(DATE, BOARD, JOB, REMARK))
    (answer,) = talk(persona, wish, ("ask_parameter", "What do I do with locker B-364?"))

    assert "gnore that" in answer.text or "just talking" in answer.text
    assert answer.parts[0].target == NOISE


def test_what_is_wrong_with_the_request_is_said_when_a_blocker_is_reported() -> None:
    fair = Known(
        id="fair", kind="fair", role="fair", value="the 2029 fair",
        says="there was no fair in 2031; what I mean is {value}",
    )  # fmt: skip
    wish = Wish(
        full="List the guests of the 2029 fair.", sent="List the guests of the 2031 jamboree.", withheld=(fair,)
    )
    (answer,) = talk("rational", wish, ("report_blocker", "I cannot find any 2031 jamboree."))

    assert answer.text == "There was no fair in 2031; what I mean is the 2029 fair."
    assert answer.revealed == ("fair",)


def test_a_value_that_is_no_name_of_a_thing_is_quoted_in_a_whole_sentence() -> None:
    rest = Known(id="rest", kind="what to do with the rest", value="delete the rest", dimension="action")
    wish = Wish(full="Keep one and delete the rest.", sent="Keep one.", withheld=(rest,))
    (answer,) = talk("rational", wish, ("ask_parameter", "What do I do with the rest?"))

    assert answer.text == 'I mean "delete the rest".'


def test_what_the_request_states_is_not_told_again() -> None:
    (answer,) = talk("rational", ONE, ("ask_parameter", "What is the board?"))

    assert answer.revealed == ()
    assert "wrote" in answer.text


def test_the_end_of_a_turn_that_asks_nothing_ends_it() -> None:
    user = PersonaUser(ONE, "rational")

    assert not anyio.run(user.answer, Question(text="I am done.", end_of_turn=True)).goes_on


@pytest.mark.parametrize("strategy", ["ask_parameter", "report_blocker"])
def test_a_placebo_answers_and_adds_nothing(strategy: str) -> None:
    answer = anyio.run(PlaceboUser(ONE).answer, Question(text="What is the due date?", strategy=strategy))

    assert answer.revealed == ()
    assert answer.parts[0].kind == "not_understood"
    assert DATE.value not in answer.text


@pytest.mark.parametrize(("text", "about"), [("What is the due date?", ("date",)), ("What is the weather like?", ())])
def test_a_placebo_hears_what_a_question_is_about_however_often_it_is_put(text: str, about: tuple[str, ...]) -> None:
    placebo = PlaceboUser(ONE)

    assert [anyio.run(placebo.answer, Question(text=text)).targets for _ in range(2)] == [about, about]


def test_a_condition_names_its_persona_and_reports_call_it_patience_dials() -> None:
    condition = Condition.model_validate({"ask": "clarify", "user": {"kind": "persona", "persona": "avoidant"}})
    brief = Brief(
        intent=FULL, sent=ONE.sent,
        withheld=(Segment(id="date", slot=Slot(name="date", kind="date", text=DATE.value, role="due date")),),
    )  # fmt: skip

    assert isinstance(condition.user, PersonaUserConfig)
    assert condition.user.label == "patience dials 3/2 one"
    assert isinstance(wiring().user(condition.user, brief), PersonaUser)


def test_a_persona_that_is_not_there_is_answered_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="'rational', 'intuitive', 'dependent', 'avoidant' or 'spontaneous'"):
        Condition.model_validate({"user": {"kind": "persona", "persona": "shy"}})


@pytest.mark.parametrize("persona", NAMES)
def test_reports_call_it_by_the_numbers_of_its_card(persona: PersonaName) -> None:
    assert PersonaUserConfig(kind="persona", persona=persona).label == f"patience dials {card(persona).dials}"


@pytest.mark.parametrize("persona", NAMES)
def test_a_card_has_weights_of_all_five_styles(persona: PersonaName) -> None:
    weights = card(persona).weights

    assert set(weights) == set(NAMES)
    assert sum(weights.values()) == pytest.approx(1)
    assert max(weights, key=lambda name: weights[name]) == persona


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(not sampling.FULL, reason="it takes all 530 questions: `make full` puts them")
def test_the_page_gives_what_the_rational_one_makes_of_the_frozen_questions() -> None:
    rows = sums(anyio.run(heard, lambda wish: PersonaUser(wish, "rational"), "frozen")).values()
    of = {name: sum(row[name] for row in rows) for name in next(iter(rows))}
    page = (Path(__file__).parents[2] / "docs" / "benchmarks" / "drift.md").read_text(encoding="utf-8")

    assert of["assents"] == 0
    assert f"a recall of {of['got'] / of['wanted']:.1%}" in page
    assert f"a precision of {of['rightly'] / of['told']:.1%}" in page
    assert f"{of['first_rightly'] / of['first']:.1%} over items told for the first time" in page
    assert f"{of['leaks'] / of['questions']:.1%} leaks" in page
