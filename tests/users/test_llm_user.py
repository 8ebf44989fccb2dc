"""A user for whom a model speaks: what it is shown, what it may say, and what is made of that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anyio
import pytest

from harness.core.config import LlmUserConfig
from harness.play.stage import Talk
from harness.task import Brief
from harness.trajectory import ModelCall
from harness.wiring import Wired
from servers.kernel import Answer, Question, UserFault
from tests.users.speaking import BRIEF, Speaker, heard, segment, settings, speaking
from userssim.listening import masked
from userssim.speech import without
from userssim.wish import Known, Wish

VALUES = ("Bjorn", "30-minute", "half an hour", "Fergus", "March 11")


def put(
    user: LlmUserConfig, *questions: Question | str, brief: Brief = BRIEF, kept: list[ModelCall] | None = None
) -> list[Answer]:
    """The answers of one user to questions in order."""

    async def main() -> list[Answer]:
        wired = Wired()
        talk = None if kept is None else Talk("user/a/c/t/0", (), kept.append)
        answering = wired.user(user, brief, talk)
        try:
            return [await answering.answer(q if isinstance(q, Question) else Question(text=q)) for q in questions]
        finally:
            await wired.aclose()

    return anyio.run(main)


def once(hears: str, says: str, question: Question | str, brief: Brief = BRIEF) -> tuple[Answer, Speaker]:
    with speaking([hears], [says]) as speaker:
        (answer,) = put(settings(speaker), question, brief=brief)
    return answer, speaker


def parts(answer: Answer) -> list[tuple[str, str]]:
    return [(part.kind, part.target) for part in answer.parts]


def test_what_was_asked_for_is_told_and_only_that() -> None:
    answer, speaker = once(heard("new_owner"), "They go to Bjorn.", "Who gets the tasks?")

    assert (answer.text, answer.targets, answer.revealed) == ("They go to Bjorn.", ("new_owner",), ("new_owner",))
    assert [(part.kind, part.target, part.text) for part in answer.parts] == [("given", "new_owner", "to Bjorn")]
    assert len(speaker.requests) == 2


def test_what_a_question_asks_for_is_told_without_any_value_in_sight() -> None:
    _, speaker = once(heard("new_owner"), "They go to Bjorn.", "Who gets the tasks?")
    (asked,) = speaker.asked(hearing=True)

    assert [value for value in VALUES if value in asked] == []
    assert "Reassign the open tasks of [old_owner] to [new_owner] and book a [length] talk" in asked
    assert "- new_owner: person (new owner)" in asked


def test_two_wishes_that_differ_in_a_withheld_value_are_heard_by_the_same_request() -> None:
    asked = []
    for name in ("Bjorn", "Callum"):
        brief = BRIEF.model_copy(
            update={
                "intent": BRIEF.intent.replace("Bjorn", name),
                "withheld": (segment("new_owner", "person", name, "new owner", says="to {value}"), BRIEF.withheld[1]),
            }
        )
        _, speaker = once(heard("length"), "Half an hour.", "How long is the talk?", brief)
        asked.append([request["messages"] for request in speaker.requests])

    assert asked[0] == asked[1]


def test_the_answer_is_written_with_the_values_of_what_was_asked_for_alone() -> None:
    _, speaker = once(heard("length"), "Half an hour, please.", "How long is the talk?")
    (asked,) = speaker.asked(hearing=False)

    assert "word for word: half an hour -- or: 30-minute" in asked
    assert "Bjorn" not in asked


WAYS: dict[str, tuple[str, str, str, list[tuple[str, str]]]] = {
    "two things": ("Who, how long?", heard("length", "new_owner"), "To Bjorn, half an hour.",
        [("given", "new_owner"), ("given", "length")]),
    "right": ("So Bjorn?", heard(proposed={"new_owner": "Bjorn"}), "Yes, to Bjorn.", [("confirmed", "new_owner")]),
    "right in other words": ("Half an hour then?", heard(proposed={"length": "half an hour"}), "Yes, half an hour.",
        [("confirmed", "length")]),
    "wrong": ("So Callum?", heard(proposed={"new_owner": "Callum"}), "No, to Bjorn.", [("corrected", "new_owner")]),
    "wrong unit": ("30 hours?", heard(proposed={"length": "30 hours"}), "No, half an hour.", [("corrected", "length")]),
    "stated": ("Whose tasks?", heard("old_owner"), "Those of Fergus.", [("given", "old_owner")]),
    "no part of the wish": ("Any colour?", heard(other=True), "I leave that to you.", [("no_preference", "")]),
    "a value and something else": ("Who, what colour?", heard("new_owner", other=True), "To Bjorn.",
        [("given", "new_owner")]),
    "leave": ("Shall I?", heard(leave=True), "Yes, go ahead.", [("confirmed", "")]),
    "leave with a right value": ("Give it to Bjorn now?", heard(proposed={"new_owner": "Bjorn"}, leave=True),
        "Yes, to Bjorn, go ahead.", [("confirmed", "new_owner"), ("confirmed", "")]),
    "leave with a wrong value": ("Give it to Callum now?", heard(proposed={"new_owner": "Callum"}, leave=True),
        "No, to Bjorn.", [("corrected", "new_owner")]),
    "unclear": ("Hm?", heard(sense="unclear"), "I'm not sure what you mean.", [("not_understood", "")]),
    "nothing": ("I see.", heard(sense="nothing"), "What do you need to know?", [("not_understood", "")]),
    "in the message": ("Open tasks alone?", heard(), "The open ones.", [("given", "")]),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_each_thing_that_a_question_is_about_has_its_part(way: str) -> None:
    question, hears, says, expected = WAYS[way]
    answer, _ = once(hears, says, question)

    assert (parts(answer), answer.text) == (expected, says)


def test_a_proposal_is_judged_by_the_words_that_propose_it() -> None:
    question = "Callum gets the tasks, and Bjorn is told so, right?"
    answer, _ = once(heard(proposed={"new_owner": "Callum"}), "No, they go to Bjorn.", question)

    assert parts(answer) == [("corrected", "new_owner")]


def test_candidates_are_heard_with_the_question() -> None:
    question = Question(text="Who gets the tasks?", candidates=("Bjorn", "Callum"), context="I searched the directory.")
    _, speaker = once(heard("new_owner"), "They go to Bjorn.", question)
    (asked,) = speaker.asked(hearing=True)

    assert "Who gets the tasks? Bjorn or Callum?" in asked
    assert "I searched the directory." in asked


@pytest.mark.parametrize(
    ("question", "hears", "says", "problem"),
    [
        ("Who?", heard("new_owner"), "", "empty"),
        ("Who?", heard("new_owner"), "<reasoning>A name.</reasoning>They go to Bjorn.", "reasoning aloud"),
        ("Who?", heard("new_owner"), "The assistant asks for a name. They go to Bjorn.", "reasoning aloud"),
        ("Who?", heard("new_owner"), "I have reassigned them to Bjorn.", "speaking as the assistant"),
        ("Who?", heard("new_owner"), "They go to Bjorn. How can I help you further?", "speaking as the assistant"),
        ("Who?", heard("new_owner"), "Assistant: to Bjorn.", "speaking as the assistant"),
        ("Who?", heard("new_owner"), "A colleague.", "missing"),
        ("Who?", heard("new_owner"), "They go to Bjorn, and take 30 minutes.", "not asked for"),
        ("Who?", heard("new_owner"), "They go to Bjorn. No preference there.", "contradiction"),
        ("Who?", heard("new_owner"), "They go to Bjorn, but I'm not sure.", "contradiction"),
        ("Callum?", heard(proposed={"new_owner": "Callum"}), "Yes, to Bjorn.", "contradiction"),
        ("Bjorn?", heard(proposed={"new_owner": "Bjorn"}), "No, to Bjorn.", "contradiction"),
        ("Hm?", heard(sense="unclear"), "That is up to you.", "contradiction"),
        ("Colour?", heard(other=True), "I leave it to you, as long as Bjorn likes it.", "not asked for"),
    ],
)
def test_an_answer_that_will_not_do_is_asked_for_again_and_counted(
    question: str, hears: str, says: str, problem: str
) -> None:
    right = {"new_owner": "They go to Bjorn.", "": "What do you mean?"}
    good = right["new_owner" if "new_owner" in hears else ""]
    kept: list[ModelCall] = []
    with speaking([hears], [says, good]) as speaker:
        (answer,) = put(settings(speaker), question, kept=kept)

    assert answer.text == good
    assert [call.problem.partition(":")[0] for call in kept] == ["", problem, ""]
    assert kept[1].problem in kept[2].request["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("hears", "problem"),
    [
        ("It asks for the new owner.", "the reply: Invalid JSON"),
        (heard("new_owner", more=1), "more: Extra inputs"),
        (heard("boss"), "no fact is named 'boss'"),
        (heard(proposed={"new_owner": "Callum"}), "the question does not have the words 'Callum'"),
        (heard(proposed={"new_owner": " "}), "the question does not have the words ' '"),
    ],
)
def test_a_hearing_that_cannot_be_read_is_asked_for_again(hears: str, problem: str) -> None:
    kept: list[ModelCall] = []
    with speaking([hears, f"```json\n{heard('new_owner')}\n```"], ["They go to Bjorn."]) as speaker:
        (answer,) = put(settings(speaker), "Who gets the tasks?", kept=kept)

    assert answer.revealed == ("new_owner",)
    assert f"unreadable: {problem}" in kept[0].problem
    assert [bool(call.problem) for call in kept] == [True, False, False]


def test_after_three_replies_that_will_not_do_the_user_is_at_fault() -> None:
    with speaking([heard("new_owner")], ["", "", ""]) as speaker:
        with pytest.raises(UserFault, match="none of 3 replies of the user's model could be used; the last one: empty"):
            put(settings(speaker), "Who?")

        assert len(speaker.requests) == 4


def test_a_value_that_speaks_as_an_assistant_may_be_told() -> None:
    body = "I have sent the report. How can I help you?"
    brief = Brief(intent=f"Write to Greta: {body}", sent="Write to Greta.", withheld=(segment("body", "body", body),))
    answer, _ = once(heard("body"), f'Write "{body}"', "What do I write?", brief)

    assert answer.revealed == ("body",)


def test_a_number_that_people_say_with_a_unit_is_never_told_without() -> None:
    brief = Brief(
        intent="Tell Greta if visits fall by more than 5 percent.",
        sent="Tell Greta if visits fall by much.",
        withheld=(segment("threshold", "threshold", "5"),),
    )
    kept: list[ModelCall] = []
    with speaking([heard("threshold")], ["The threshold is 5.", "More than five percent."]) as speaker:
        (answer,) = put(settings(speaker), "By how much?", brief=brief, kept=kept)

    assert answer.text == "More than five percent."
    assert kept[1].problem == "missing: it does not have 'five percent', word for word"


def test_it_sees_its_own_earlier_answers_in_both_stages() -> None:
    with speaking(
        [heard("new_owner"), heard("length")], ["To Bjorn.", "As I said, to Bjorn; half an hour."]
    ) as speaker:
        _, second = put(settings(speaker), "Who?", "And how long?")
        again = [speaker.asked(hearing=stage)[1] for stage in (True, False)]

    assert second.text == "As I said, to Bjorn; half an hour.", "what was told before is no secret"
    assert second.revealed == ("length",)
    assert all("Assistant: Who?\nPerson: To Bjorn.\n" in text for text in again)


def test_a_value_that_the_question_says_itself_is_no_secret() -> None:
    answer, _ = once(heard("length"), "Half an hour, with Bjorn as you say.", "Bjorn it is. How long?")

    assert answer.revealed == ("length",)


def test_a_persona_is_for_the_answer_alone() -> None:
    with speaking([heard("new_owner")], ["To Bjorn!!"]) as speaker:
        put(settings(speaker, persona="You are always in a hurry.\n"), "Who?")

        assert [text.count("in a hurry") for stage in (True, False) for text in speaker.asked(hearing=stage)] == [0, 1]


@pytest.mark.parametrize(
    ("hears", "said", "goes_on"),
    [
        (heard(sense="nothing"), "All done.", False),
        (heard(sense="unclear"), "Done so far.", False),
        (heard(sense="unclear"), "Is that it?", True),
        (heard(leave=True), "Shall I go ahead?", True),
        (heard("new_owner"), "I still lack a name.", True),
    ],
)
def test_at_the_end_of_a_turn_it_goes_on_where_something_was_wanted(hears: str, said: str, goes_on: bool) -> None:
    answer, speaker = once(
        hears, "Yes, to Bjorn." if "new_owner" in hears else "Yes?", Question(text=said, end_of_turn=True)
    )

    assert answer.goes_on is goes_on
    assert "At the end of its turn the assistant says:" in speaker.asked(hearing=True)[0]


def paper(says: Sequence[str], *questions: str, **more: Any) -> tuple[list[Answer], Speaker]:
    with speaking([""], says) as speaker:
        return put(settings(speaker, profile="paper", **more), *questions), speaker


def test_the_user_of_the_paper_is_one_call_that_sees_both_requests_and_what_was_removed() -> None:
    (answer,), speaker = paper(["Give them to Bjorn."], "Who?")
    (request,) = speaker.requests
    (asked,) = speaker.asked(hearing=False)

    assert (answer.text, answer.revealed, parts(answer)) == (
        "Give them to Bjorn.", ("new_owner",), [("given", "new_owner")],
    )  # fmt: skip
    assert all(text in asked for text in (BRIEF.intent, BRIEF.sent, "\n- Bjorn\n- 30-minute\n", "\nWho?"))
    assert (request["temperature"], request["max_tokens"]) == (0.7, 500)


def test_settings_of_the_papers_model_count_where_they_are_given() -> None:
    _, speaker = paper(["Bjorn."], "Who?", model={"temperature": 0})

    assert (speaker.requests[0]["temperature"], speaker.requests[0]["max_tokens"]) == (0, 500)


def test_the_user_of_the_paper_remembers_nothing() -> None:
    _, speaker = paper(["Bjorn."], "Who?", "Who?")

    assert speaker.requests[0] == speaker.requests[1]


def test_to_the_user_of_the_paper_a_value_that_nobody_asked_for_is_no_fault() -> None:
    (answer,), speaker = paper(["Bjorn, and it is a 30-minute talk."], "Who?")

    assert answer.revealed == ("new_owner", "length")
    assert len(speaker.requests) == 1


def test_what_the_user_of_the_paper_tells_in_other_words_is_told() -> None:
    (answer,), _ = paper(["Half an hour, please."], "How long?")

    assert (answer.revealed, answer.targets, parts(answer)) == (("length",), ("length",), [("given", "length")])


def test_the_user_of_the_paper_has_to_speak_as_a_user() -> None:
    (answer,), speaker = paper(["", "</think>I am not sure.", "I am not sure."], "Any colour?")

    assert (answer.text, answer.revealed, answer.goes_on) == ("I am not sure.", (), True)
    assert len(speaker.requests) == 3


def test_a_masked_request_has_names_in_place_of_values_in_whatever_form_it_says_them() -> None:
    wish = Wish(
        full="Ask Orlando Stanhope whether Orlando has half an hour for the Orlando budget, 30 minutes at most.",
        withheld=(
            Known(id="who", kind="person", value="Orlando Stanhope"),
            Known(id="length", kind="duration", value="half an hour"),
            Known(id="topic", kind="title", value="the Orlando budget"),
        ),
        stated=(Known(id="most", kind="duration", value="30 minutes"),),
    )

    assert masked(wish) == "Ask [who] whether [who] has [length, most] for [topic, who], [length, most] at most."


def test_the_longest_of_what_is_told_is_set_aside_first() -> None:
    assert without('Call it "Bjorn and Greta".', ["Bjorn", "bjorn and greta"]) == 'Call it "...".'
