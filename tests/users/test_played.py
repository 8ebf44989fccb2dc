"""A persona that a model plays: what it is shown, when it tells what, and what it may not say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

import anyio
import pytest

from harness.core.config import Condition, PersonaUserConfig, PlayedPersonaConfig
from harness.play.stage import Talk
from harness.task import Brief, Segment, Slot
from harness.trajectory import ModelCall
from harness.wiring import Wired
from servers.kernel import Answer, Question, UserFault
from tests.users.speaking import Speaker, heard, segment, speaking
from userssim.patience import NOISE, card

BRIEF = Brief(
    intent="Move the ramp job to In Review, due on 12 March 2025, for Aiko Mori.",
    sent="My locker is B-364. Move the ramp job to some later list, due in spring, for Aiko Mori.",
    withheld=(
        segment("list", "list", "In Review", "list"),
        segment("due", "date", "12 March 2025", "due date"),
    ),
    stated=(segment("who", "person", "Aiko Mori", "assignee"), segment(NOISE, NOISE, "My locker is B-364.", "remark")),
)
OPEN = Question(strategy="ask_parameter", text="Which list do you mean?")
RIGHT = Question(strategy="disambiguate", text="Which list?", candidates=("In Review", "Completed"))
WRONG = Question(strategy="disambiguate", text="Which list?", candidates=("Backlog", "Completed"))
LIST = heard("list")


def settings(speaker: Speaker, persona: str = "rational", **more: Any) -> PlayedPersonaConfig:
    user = {"kind": "persona", "persona": persona, "model": {"model": "openai/stub", "api_base": speaker.base_url}}
    found = Condition.model_validate({"ask": "clarify", "user": {**user, **more}}).user
    assert isinstance(found, PlayedPersonaConfig)
    return found


def talk(
    user: PlayedPersonaConfig, *questions: Question, kept: list[ModelCall] | None = None, brief: Brief = BRIEF
) -> list[Answer]:
    """The answers of one user to questions in order."""

    async def main() -> list[Answer]:
        wired = Wired()
        answering = wired.user(user, brief, None if kept is None else Talk("user/a/c/t/0", (), kept.append))
        try:
            return [await answering.answer(question) for question in questions]
        finally:
            await wired.aclose()

    return anyio.run(main)


def said(
    persona: str, hears: str, says: Sequence[str], *questions: Question, brief: Brief = BRIEF, **more: Any
) -> tuple[list[Answer], Speaker]:
    with speaking([hears], says) as speaker:
        return talk(settings(speaker, persona, **more), *questions, brief=brief), speaker


def test_a_value_that_is_asked_for_is_told_in_the_persons_words() -> None:
    (answer,), speaker = said("rational", LIST, ["It goes to In Review."], OPEN)

    assert (answer.text, answer.targets, answer.revealed) == ("It goes to In Review.", ("list",), ("list",))
    assert len(speaker.requests) == 2


def test_what_is_asked_for_is_found_out_without_any_value_but_with_what_the_assistant_got() -> None:
    _, speaker = said("rational", LIST, ["It goes to In Review."], OPEN)
    (asked,) = speaker.asked(hearing=True)

    assert "In Review" not in asked
    assert "12 March" not in asked
    assert BRIEF.sent in asked
    assert 'a remark that has nothing to do with the message: "My locker is B-364."' in asked


def test_the_answer_is_written_in_view_of_both_texts_the_card_and_the_dialogue() -> None:
    _, speaker = said("rational", LIST, ["It goes to In Review."], OPEN, OPEN)
    last = speaker.asked(hearing=False)[-1]

    assert BRIEF.intent in last
    assert BRIEF.sent in last
    assert card("rational").card.strip() in last
    assert all(rule in last for rule in card("rational").rules)
    assert "Person: It goes to In Review." in last


@pytest.mark.parametrize(
    ("persona", "question", "at"),
    [
        ("rational", OPEN, 1), ("intuitive", OPEN, 2), ("dependent", OPEN, 2), ("avoidant", OPEN, 3),
        ("spontaneous", OPEN, 1), ("dependent", RIGHT, 1), ("avoidant", RIGHT, 2),
    ],
)  # fmt: skip
def test_a_value_is_told_at_the_ask_of_the_card(persona: str, question: Question, at: int) -> None:
    says = [*["We can see about that."] * (at - 1), "In Review, then."]
    answers, speaker = said(persona, LIST, says, *[question] * at)
    notes = [text for text in speaker.asked(hearing=False) if "Do not tell the list" in text]

    assert [answer.revealed for answer in answers] == [*[()] * (at - 1), ("list",)]
    assert [answer.parts[0].kind for answer in answers[:-1]] == ["put_off"] * (at - 1)
    assert len(notes) == at - 1
    assert all(card(persona).holds_back in note for note in notes)


def test_a_wrong_proposal_is_refused_without_the_right_value() -> None:
    says = ["No, In Review.", "No, none of these."]
    (answer,), speaker = said("rational", LIST, says, WRONG)

    assert (answer.text, answer.revealed, answer.parts[0].kind) == ("No, none of these.", (), "corrected")
    assert "not asked for: it has 'In Review'" in speaker.asked(hearing=False)[-1]


def test_who_takes_one_thing_at_a_time_tells_one_thing() -> None:
    both = heard("list", "due")
    (rational,), _ = said("rational", both, ["In Review, on 12 March 2025."], OPEN)
    (first,), _ = said("spontaneous", both, ["In Review!"], OPEN)

    assert rational.revealed == ("list", "due")
    assert first.revealed == ("list",)


def test_who_reads_nothing_long_is_asked_no_model_for_what_it_says() -> None:
    long = Question(strategy="ask_parameter", text="I looked at the board. " * 12 + "Which list?")
    (answer,), speaker = said("spontaneous", LIST, ["Short version?"], long)

    assert answer.revealed == ()
    assert speaker.asked(hearing=True) == []


def test_a_remark_that_means_nothing_is_to_be_ignored() -> None:
    (answer,), _ = said("rational", heard(NOISE), ["Ignore that."], Question(text="What about the locker?"))

    assert [(part.kind, part.target) for part in answer.parts] == [("no_preference", NOISE)]


def test_nobody_gets_leave_while_something_is_open() -> None:
    leave = heard(leave=True)
    (answer,), speaker = said("rational", leave, ["That depends."], Question(strategy="confirm_risk", text="Go ahead?"))

    assert answer.parts[0].kind == "not_understood"
    assert "no leave" in speaker.asked(hearing=False)[0]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("Somewhere later.", "missing: it does not have 'In Review', word for word"),
        ("In Review, and it is due on 12 March 2025.", "not asked for: it has '12 March 2025'"),
        ("In Review, and it is due by 14 May.", "outside the intent: it has '14'"),
        ("In Review, as Ludmila said.", "outside the intent: it has 'Ludmila'"),
        ("In Review, or whatever you think.", "contradiction"),
        ("In Review. How can I help?", "speaking as the assistant"),
        ("Thinking: In Review.", "reasoning aloud"),
        ("", "empty"),
    ],
)
def test_a_reply_that_will_not_do_is_asked_for_again_and_told_why(reply: str, problem: str) -> None:
    kept: list[ModelCall] = []
    with speaking([LIST], [reply, "In Review."]) as speaker:
        (answer,) = talk(settings(speaker), OPEN, kept=kept)

    assert answer.text == "In Review."
    assert [call.problem[: len(problem)] for call in kept] == ["", problem, ""]


def test_after_three_replies_that_will_not_do_the_trial_is_void() -> None:
    with pytest.raises(UserFault, match=r"none of 3 replies .* not asked for: it has '12 March 2025'"):
        said("rational", LIST, ["In Review on 12 March 2025."], OPEN)


def test_numbers_and_names_that_the_dialogue_has_may_be_said() -> None:
    question = Question(strategy="ask_parameter", text="Which list, the one of the 3rd floor or Yusuf's?")
    (answer,), _ = said("rational", LIST, ["I mean In Review, not that of Yusuf or of floor 3, OK?"], question)

    assert answer.revealed == ("list",)


def test_the_end_of_a_turn_that_asks_nothing_ends_it_and_asks_no_model() -> None:
    (answer,), speaker = said("rational", LIST, ["Thanks."], Question(text="I am done.", end_of_turn=True))

    assert not answer.goes_on
    assert speaker.requests == []


# --- profile paper -----------------------------------------------------------------------------------------------


def test_the_papers_persona_thinks_and_leads_towards_the_intent_in_one_call() -> None:
    says = ["<think>I meant In Review on 12 March 2025.</think>\nI meant In Review."]
    (answer,), speaker = said("avoidant", "", says, OPEN, profile="paper")
    (asked,) = speaker.asked(hearing=False)

    assert (answer.text, answer.revealed, answer.targets) == ("I meant In Review.", ("list",), ("list",))
    assert len(speaker.requests) == 1
    assert BRIEF.intent in asked
    assert BRIEF.sent in asked
    assert card("avoidant").card.strip() in asked


def test_the_papers_persona_remembers_the_dialogue() -> None:
    _, speaker = said("rational", "", ["In Review.", "As I said."], OPEN, OPEN, profile="paper")

    assert "Person: In Review." in speaker.asked(hearing=False)[-1]


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("Move it to list 17.", "outside the intent: it has '17'"),
        ("<think>Which list", "unreadable: <think> is not closed"),
        ("<think>In Review</think>", "empty"),
    ],
)
def test_the_papers_persona_is_asked_again_for_what_it_cannot_know(reply: str, problem: str) -> None:
    (answer,), speaker = said("rational", "", [reply, "In Review."], OPEN, profile="paper")

    assert answer.text == "In Review."
    assert problem in speaker.asked(hearing=False)[-1]


# --- settings ----------------------------------------------------------------------------------------------------


def user(**settings: Any) -> Any:
    return Condition.model_validate({"ask": "clarify", "user": {"kind": "persona", **settings}}).user


def test_a_persona_with_a_model_is_named_by_its_style_and_one_without_by_its_dials() -> None:
    assert user(persona="avoidant", model="local/m").label == "avoidant (local/m)"
    assert user(persona="avoidant", model="a/m", rotation=["b/n"]).label == "avoidant (a/m, b/n)"
    assert user(model="a/m", profile="paper").label == "rational, profile paper (a/m)"
    assert isinstance(user(persona="avoidant"), PersonaUserConfig)


def test_each_case_has_one_of_the_models_whatever_else_differs() -> None:
    found = user(model="a/1", rotation=["b/2", "c/3"])
    cases = [found.of_case(7, f"task-{n}") for n in range(60)]
    chosen = [each.model.model for each in cases]

    assert all(each.rotation == () for each in cases)
    assert {chosen.count(name) for name in ("a/1", "b/2", "c/3")} <= set(range(10, 31))
    assert chosen == [found.of_case(7, f"task-{n}").model.model for n in range(60)]
    assert chosen != [found.of_case(8, f"task-{n}").model.model for n in range(60)]


def test_its_settings_are_what_they_were_when_a_run_is_read_again() -> None:
    found = Condition.model_validate({"user": {"kind": "persona", "model": "a/1", "rotation": ["b/2"]}})

    assert Condition.model_validate_json(found.model_dump_json()) == found


def test_a_profile_without_a_model_is_answered_with_what_is_missing() -> None:
    with pytest.raises(ValueError, match=r"model\s+Field required"):
        user(profile="paper")


# --- proposals in other words ----------------------------------------------------------------------------------------

RIVALLED = Brief(
    intent="Cancel Omar Lund's tool crate order.",
    sent="Cancel the Lundt order.",
    withheld=(
        Segment(
            id="order",
            slot=Slot(
                name="order", kind="order", role="order", text="Omar Lund's tool crate order", value="9938",
                others=("Omar Lund's steel toolbox order (4411)", "Ken Bern's bench order (8723)", "the Lundt order"),
            ),
        ),
    ),
)  # fmt: skip
ORDER = heard("order")
NOTHING = json.dumps({"asked": [], "proposed": [], "leave": True, "other": False, "sense": "clear"})


def proposing(text: str, strategy: Literal["propose_solution", "confirm_risk"] = "propose_solution") -> Question:
    return Question(strategy=strategy, text=text)


def test_the_value_in_other_words_is_confirmed_by_the_same_rule_as_without_a_model() -> None:
    (answer,), _ = said(
        "rational", ORDER, ["Yes, Omar Lund's tool crate order."], proposing("Is it 9938?"), brief=RIVALLED
    )

    assert [(part.kind, part.target) for part in answer.parts] == [("confirmed", "order")]


def test_who_cannot_tell_what_is_proposed_takes_it_as_an_open_ask() -> None:
    says = ["I mean Omar Lund's tool crate order."]
    (answer,), _ = said("rational", ORDER, says, proposing("Is it the one from March?"), brief=RIVALLED)

    assert [(part.kind, answer.revealed) for part in answer.parts] == [("given", ("order",))]


def test_a_wrong_proposal_with_an_open_end_is_refused_and_the_value_told() -> None:
    text = "I take it you mean the bench order; if not, which one?"
    (answer,), speaker = said("rational", ORDER, ["No, Omar Lund's tool crate order."], proposing(text), brief=RIVALLED)

    assert [part.kind for part in answer.parts] == ["given"]
    assert "is not it: say so first" in speaker.asked(hearing=False)[-1]


def test_leave_to_do_what_could_not_be_is_refused_though_the_model_hears_no_fact_in_it() -> None:
    question = proposing("Shall I cancel the Lundt order anyway?", "confirm_risk")
    (answer,), _ = said("rational", NOTHING, ["No, not that one."], question, brief=RIVALLED)

    assert [(part.kind, part.target) for part in answer.parts] == [("corrected", "order")]
