"""By rule: which questions ask for an intent, and what of an agent's text is no question at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pi.talking import BASIS, INTENTS, NAMING, SEVERITY
from userssim.intents.asking import asks, interrogative, statements, stems, units


def heard(message: str) -> list[str]:
    return [intent.id for intent in INTENTS if asks(message, intent.cues, intent.not_cues)]


@pytest.mark.parametrize(
    "message",
    [
        "Which day count do you use?",
        "Which **day-count** convention applies here?",
        "Do you count DAYS by the usual day count (ACT/365F)?",
        "I have read your notes. What day count should the curve have? I will start then.",
        "Please confirm which day count applies.",
        "I need to know the day count before I go on.",
        "I still need the day count from you.",
        "Let me know whether the day count is ACT/365F.",
        "For the day count there are ACT/360 and ACT/365F. Which one should I use?",
        "I took ACT/365F as day count. Is that right?",
        "**Day count.** Which basis is yours?",
        "1. Day count\n   - Which basis is yours?",
        "Could you tell me:\n- the day count\n- the colour",
        "Which do you use for each of these?\n\n1) day count\n2) colour",
        "Any preference on the day count?",
        "Are there other conventions for the day count?",
        "Should I use ACT/365F, i.e. the usual day count?",
    ],
)
def test_a_question_about_the_topic_asks_for_it(message: str) -> None:
    assert heard(message) == ["basis"]


@pytest.mark.parametrize(
    "message",
    [
        "Anything else?",
        "Is there anything else I should know about the day count?",
        "Any preferences?",
        "Do you have any preferences or requirements?",
        "Do you have preferences (day count, severity, file name)?",
        "Do you have any preferences? For example:\n- day count\n- severity",
        "Do you have any preferences:\n- day count\n- severity",
        "Any preferences: day count, severity, file name?",
        "Day count, severity, file name.",
        "- Day count\n- Severity\n- File name",
        "Topics:\n1. Day count\n2. Severity",
        "What about preferences?",
        "Have I missed anything?",
        "I have read the note on the day count. How would you like me to do this?",
        "Please let me know if you have further instructions.",
        "If the day count should change, let me know.",
        "Let me know if the day count is wrong.",
        "What are your expectations?",
    ],
)
def test_a_generic_probe_asks_for_nothing(message: str) -> None:
    assert heard(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "I used the usual day count.",
        "I used the usual day count. ?",
        "I used the usual day count. Does that look good?",
        "Would you like me to explain the day count?",
        "Why is the day count of the sheet another one?",
        "Did you see the day count in Hanne's note?",
        "Where can I find the day count of the vendor?",
        'Hanne asks: "Which day count do we use?"',
        "> Which day count do we use?\n\nThat is from January.",
        "```\nWhich day count do we use?\n```",
        "The euro day count, which is it?",
        "Who wrote the note on the day count?",
        "The curve is done. Which colour should the chart have? The day count is ACT/365F.",
        "Does this look right?\n- day count: ACT/365F\n- severity: done",
    ],
)
def test_what_only_mentions_the_topic_asks_for_nothing(message: str) -> None:
    assert heard(message) == []


def test_words_of_a_group_stand_in_one_question_or_in_the_two_sentences_before() -> None:
    assert heard("How do you rate findings?") == ["severity"]
    assert heard("I have five findings. They differ a lot. How do I rate them?") == ["severity"]
    assert heard("I have five findings. They differ a lot. I wonder. How do I rate them?") == []


def test_what_stands_before_a_question_is_not_asked_for() -> None:
    assert heard("I rate the findings from one to four. What does the committee read?") == []


def test_any_of_the_forms_between_bars_will_do() -> None:
    cues = (("mail|text", "to whom|who"),)

    assert asks("Who gets a text?", cues)
    assert asks("To whom does the mail go?", cues)
    assert not asks("To whom does the letter go?", cues)


def test_a_sentence_with_several_questions_is_heard_one_by_one() -> None:
    cues, not_cues = (("when",),), (("who",),)

    assert asks("Who signs, and when is it due?", cues, not_cues)
    assert asks("(a) who signs; (b) when is it due?", cues, not_cues)


@pytest.mark.parametrize(
    "said", ["who was in the car", "so how much time does she get", "ok should i text them one by one"]
)
def test_a_question_may_lack_its_mark(said: str) -> None:
    assert interrogative(said)


@pytest.mark.parametrize("said", ["What I did", "How it was done", "Is done.", "Who was in the car: Rafe"])
def test_a_heading_is_not_a_question(said: str) -> None:
    assert not interrogative(said)


def test_one_message_asks_for_several() -> None:
    message = "1. Which day count?\n2. How do I rate the findings?\n3. What name does the file get?"

    assert heard(message) == [BASIS.id, SEVERITY.id, NAMING.id]


@settings(deadline=None)
@given(st.text(st.sampled_from("ab?!.:;'\"`~*_->#1)\n\t \u2028\u201c\u201d\u2026é€")))
def test_any_text_can_be_read(text: str) -> None:
    assert len(statements(text)) <= len(text)
    assert all(isinstance(unit, str) for unit in units(text))


def test_without_cues_nothing_asks_for_an_intent() -> None:
    assert not asks("Which day count?", ())
    assert not asks("Which day count?", ((),))


def test_a_unit_is_a_question_with_what_it_leaves_to_the_words_before() -> None:
    message = "Hello.\n\nThe curve needs a basis. Which one?\n\nThanks. When is the committee?"

    assert units(message) == ("The curve needs a basis. Which one?", "Thanks. When is the committee?")


def test_the_items_of_a_list_repeat_no_more_of_a_long_question_than_its_end() -> None:
    asked = units(f"{'I see two of them. ' * 1_000}Could you tell me:\n- the day count\n- the colour")

    assert [unit.rpartition(". ")[2] for unit in asked] == [
        "Could you tell me: the day count",
        "Could you tell me: the colour",
    ]
    assert sum(map(len, asked)) < 3_000


def test_statements_are_what_is_left_without_questions_and_the_lists_below_them() -> None:
    message = "I used ACT/365F. Is that right? Files are named.\nCould you tell me:\n- ACT/360\n- v1.2\n\nDone:\n- memo"

    assert statements(message) == "I used ACT/365F. Files are named.\n\n\nDone:\n- memo"


def test_code_and_figures_outlast_the_search_for_questions() -> None:
    message = "Rates are 4.1250, e.g. at 5y.\n```\nx = a ? b : c\n```"

    assert statements(message) == message
    assert statements("```\nIs it ACT/365F?\n```") == "```\n\n```"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Which?", True),
        ("_Which?_", True),
        ("(Which?)", True),
        ("Which? 🙂", True),
        ("Please specify the basis.", True),
        ("I wondered about it.", False),
        ("You asked me to confirm it.", False),
        ("Tell me if it is wrong.", False),
        ('He asked "which?"', False),
        ("", False),
    ],
)
def test_a_sentence_asks_or_does_not(sentence: str, expected: bool) -> None:
    assert interrogative(sentence) is expected


@pytest.mark.parametrize(
    "words",
    [
        "name names named naming",
        "sign signs signed signing",
        "severity severities",
        "holiday holidays Holiday's",
        "plan planned planning",
        "class classes",
        "Zürich ZURICH",
    ],
)
def test_forms_of_one_word_have_one_stem(words: str) -> None:
    assert len(set(stems(words))) == 1


@pytest.mark.parametrize("words", ["basis base", "bus business", "process proceed", "rate rater", "365F 360"])
def test_other_words_have_other_stems(words: str) -> None:
    assert len(set(stems(words))) == 2
