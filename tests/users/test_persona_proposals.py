"""What becomes of proposals in other words, with open ends, and of what a false request names, for each persona."""

from __future__ import annotations

import re
from typing import Any

import pytest

from harness.task import Slot
from servers.kernel import Answer, Question
from tests.users.test_persona import NAMES, talk
from userssim.patience import PersonaName, card, opens
from userssim.wish import Known, Wish
from userssim.wording import told

ORDER = Known(
    id="order", kind="order", role="order", value="Omar Lund's tool crate order", key="9938",
    others=(
        "Omar Lund's steel toolbox order (4411)", "Ada Lund's bar stool order (7020)", "Ken Bern's bench order (8723)",
    ),
)  # fmt: skip
SUM = Known(id="sum", kind="number", role="sum", value="63 euros")
FULL = "Refund 63 euros of what was paid for Omar Lund's tool crate order."
VAGUE = Wish(
    full=FULL, sent="Refund 63 euros of what was paid for the Lund order.", withheld=(ORDER,), stated=(SUM,)
)  # fmt: skip
FALSE = Wish(
    full="Cancel booking 432.", sent="Cancel booking 4411.",
    withheld=(
        Known(
            id="booking", kind="booking", role="booking", value="booking 432", key="432",
            others=("booking 558", "booking 566", "booking 4411"),
            says="there is no booking 4411; what I mean is {value}",
        ),
    ),
)  # fmt: skip
IN_OTHER_WORDS = (
    "disambiguate", "Which order?", ("the 63 euros paid for the tool crate order (9938)", "the bench order")
)  # fmt: skip
BY_ID = ("propose_solution", "Shall I take order 9938?")
ANOTHER = ("propose_solution", "Shall I take the steel toolbox order?")
UNCLEAR = ("disambiguate", "Which order is it?", ("the one from March", "the one from May"))
OPEN_ENDED = ("propose_solution", "I take it you mean the steel toolbox order; if not, which one?")
ANYWAY = ("confirm_risk", "Shall I cancel booking 4411 anyway?")


def kinds(*answers: Answer) -> list[str]:
    return [part.kind for answer in answers for part in answer.parts]


@pytest.mark.parametrize("persona", NAMES)
@pytest.mark.parametrize("question", [IN_OTHER_WORDS, BY_ID])
def test_the_value_in_other_words_is_taken_at_the_ask_of_the_card(
    persona: PersonaName, question: tuple[Any, ...]
) -> None:
    *before, last = talk(persona, VAGUE, *[question] * card(persona).closed)

    assert kinds(*before) == ["put_off"] * len(before)
    assert kinds(last) == ["confirmed"]
    assert "Omar Lund's tool crate order" in last.text


@pytest.mark.parametrize("persona", NAMES)
def test_another_value_in_any_words_is_refused(persona: PersonaName) -> None:
    (answer,) = talk(persona, VAGUE, ANOTHER)

    assert (kinds(answer), answer.revealed) == (["corrected"], ())
    assert answer.text in card(persona).refuses


@pytest.mark.parametrize("persona", NAMES)
def test_words_that_may_be_any_of_them_are_an_open_ask(persona: PersonaName) -> None:
    *before, last = talk(persona, VAGUE, *[UNCLEAR] * card(persona).open)

    assert kinds(*before) == ["put_off"] * len(before)
    assert kinds(last) == ["given"]


@pytest.mark.parametrize("persona", NAMES)
def test_a_value_told_again_is_told_plainly(persona: PersonaName) -> None:
    *_, answer = talk(persona, VAGUE, *[("ask_parameter", "Which order do you mean?")] * (card(persona).open + 1))

    assert answer.text == "I mean Omar Lund's tool crate order."


HOUSE = Wish(
    full="List the repairs in Alder Court.", sent="List the repairs in Alder Mews.",
    withheld=(
        Known(
            id="house", kind="building", value="Alder Court", others=("Alder House", "Quay House", "in Alder Mews"),
            says="there is no Alder Mews; what I mean is {value}",
        ),
    ),
)  # fmt: skip


@pytest.mark.parametrize("report", ["There is no Alder Mews.", "No house here is called Mews."])
def test_a_report_in_the_false_words_of_a_request_is_told_what_was_meant(report: str) -> None:
    (answer,) = talk("rational", HOUSE, ("report_blocker", report))

    assert answer.revealed == ("house",)
    assert "Alder Court" in answer.text


@pytest.mark.parametrize("persona", NAMES)
@pytest.mark.parametrize("report", ["There is no printer here.", "There is no such colour."])
def test_no_report_of_a_blocker_is_left_to_the_agent(persona: PersonaName, report: str) -> None:
    (answer,) = talk(persona, HOUSE, ("report_blocker", report))

    assert answer.revealed == ()
    assert "no_preference" not in kinds(answer)


DEED = Wish(
    full="Salt Road II is to be entered as on loan.",
    sent="Salt Road II cannot stay where it is.",
    withheld=(
        Known(
            id="deed",
            kind="what is to be done with the work",
            value="entered as on loan",
            dimension="action",
            says="It is to be {value}",
            others=("hung in the Tower Room", "taken down to the Store"),
        ),
    ),
)


def test_where_it_is_open_what_is_to_be_done_a_question_about_the_thing_asks_for_that() -> None:
    (answer,) = talk("rational", DEED, ("ask_parameter", "To which room does Salt Road II go, and on which day?"))

    assert answer.text == "It is to be entered as on loan."


def test_an_amount_of_the_same_measure_asks_for_the_one_that_is_meant() -> None:
    days = Known(id="days", kind="number", role="days", value="6 days", others=("2 days", "3 days"))
    wish = Wish(full="Who delivers within 6 days?", sent="Who delivers within a week or so?", withheld=(days,))
    first, second = talk("intuitive", wish, *[("disambiguate", "Is 8 still fine?", ("8 days will do", "no more"))] * 2)

    assert (kinds(first), kinds(second)) == (["put_off"], ["given"])
    assert kinds(*talk("rational", wish, ("ask_parameter", "Would 8 days do, or how many may it take?"))) == ["given"]


def test_an_amount_that_the_request_has_asks_for_nothing() -> None:
    days = Known(id="days", kind="number", role="wait", value="6 days")
    wish = Wish(full="Wait 6 days, then 3 days.", sent="Wait a little, then 3 days.", withheld=(days,))

    assert kinds(*talk("rational", wish, ("ask_parameter", "Are the 3 days over the weekend?"))) == ["no_preference"]


def test_a_question_about_nothing_that_the_request_names_does_not_ask_for_what_is_to_be_done() -> None:
    (answer,) = talk("rational", DEED, ("confirm_risk", "Shall I go ahead?"))

    assert answer.revealed == ()


@pytest.mark.parametrize("persona", NAMES)
def test_a_wrong_proposal_that_asks_for_the_value_besides_follows_the_open_dial(persona: PersonaName) -> None:
    *before, last = talk(persona, VAGUE, *[OPEN_ENDED] * card(persona).open)

    assert kinds(*before) == ["put_off"] * len(before)
    assert kinds(last) == ["given"]
    assert all(answer.text.startswith(card(persona).refuses) for answer in (*before, last))


def test_a_right_proposal_that_asks_for_the_value_besides_follows_the_closed_dial() -> None:
    (answer,) = talk("dependent", VAGUE, ("propose_solution", "I take it you mean order 9938; if not, which one?"))

    assert kinds(answer) == ["confirmed"]


def test_a_closed_question_that_proposes_nothing_is_an_open_one() -> None:
    (answer,) = talk("rational", VAGUE, ("disambiguate", "Which order do you mean?"))

    assert kinds(answer) == ["given"]


@pytest.mark.parametrize(
    "text",
    [
        "I take it you mean the bench order. If not, which one?",
        "Is it the bench order, or which one is it?",
        "I would take the bench order; otherwise please tell me the right one.",
        "Shall I take the bench order? If that's not it, what did you mean?",
        "I will take the bench order unless you tell me otherwise.",
        "Which order do you mean?",
        "Shall I leave them all, or keep a smaller number - how many?",
        "I suggest a coming day instead; which day do you want?",
        "Shall I take the bench order all the same, or did you mean another one?",
    ],
)
def test_an_open_end_is_heard(text: str) -> None:
    assert opens(Question(text=text))


@pytest.mark.parametrize(
    "text",
    [
        "Is it the bench order or the bar stool order?",
        "Which order do you mean, the bench order or the bar stool order?",
        "Shall I take the bench order, which is paid for?",
        "If it is not too late, shall I take the bench order?",
        "If not, which one? I mean the bench order.",
    ],
)
def test_a_closed_end_is_none(text: str) -> None:
    assert not opens(Question(text=text))


def test_a_candidate_that_asks_is_an_open_end() -> None:
    assert opens(Question(text="Which day?", candidates=("28 April", "another day, which you tell me")))


def test_a_candidate_that_asks_for_nothing_is_no_open_end() -> None:
    assert not opens(Question(text="Which day is it?", candidates=("28 April", "another day")))


@pytest.mark.parametrize("persona", NAMES)
def test_leave_to_do_what_could_not_be_is_refused_plainly(persona: PersonaName) -> None:
    (answer,) = talk(persona, FALSE, ANYWAY)

    assert (kinds(answer), answer.revealed) == (["corrected"], ())
    assert "432" not in answer.text


def test_leave_for_that_is_not_given_once_the_value_was_told_either() -> None:
    _, answer = talk("rational", FALSE, ("ask_parameter", "Which booking do you mean?"), ANYWAY)

    assert answer.text.startswith(card("rational").refuses)
    assert answer.text.endswith("booking 432.")


@pytest.mark.parametrize(
    "text",
    [
        "What do you mean by Omar Lund's tool crate order?",
        "What does that mean?",
        "How am I to understand Omar Lund's tool crate order?",
    ],
)
def test_asked_what_a_value_means_that_was_just_told_the_user_says_just_that(text: str) -> None:
    _, answer = talk("rational", VAGUE, ("ask_parameter", "Which order do you mean?"), ("ask_parameter", text))

    assert "what I wrote" not in answer.text
    assert kinds(answer) == ["given"]
    assert "Omar Lund's tool crate order" in answer.text


@pytest.mark.parametrize("gives", [gives for name in NAMES for gives in card(name).gives])
@pytest.mark.parametrize(
    ("value", "dimension", "says"),
    [
        ("cancelled", "action", ""),
        ("is trained now", "action", ""),
        ("delete the rest", "action", "{value}"),
        ("the bench order", "entity", ""),
        ("14 May", "date", "on {value}"),
        ("oven-a", "entity", "The log of {value}"),
        ("24", "quantity", "There are {value}"),
    ],
)
def test_answers_are_whole_sentences(gives: str, value: str, dimension: str, says: str) -> None:
    text = told(Known(id="x", kind="x", value=value, dimension=dimension, says=says), gives)

    assert re.search(r"\b(?:I mean|I think|let us|feels|says|is|are|It's)\b", text.replace(value, "..."))
    assert text[0].isupper()
    assert text[-1] in ".!?"
    assert value in text


def test_a_slot_without_others_says_nothing_of_them() -> None:
    assert "others" not in Slot(name="x", kind="x", text="y").model_dump()
    assert Slot(name="x", kind="x", text="y", others=("z",)).model_dump()["others"] == ("z",)
