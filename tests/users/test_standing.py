"""Questions about the words that stand where a value was."""

import pytest

from userssim.hearing import hear
from userssim.hearing.marks import Before
from userssim.hearing.standing import asked_for_by_phrase, stand_ins
from userssim.wish import Known, Wish

LEAD = Wish(
    full="Priya takes services off Ingrid's hands: the latter's customers with the status Lost should be hers.",
    sent="Priya takes services off our team lead's hands: the latter's customers with the status Lost should be hers.",
    withheld=(Known(id="owner", kind="person", role="owner", value="Ingrid"),),
    stated=(Known(id="assignee", kind="person", role="assignee", value="Priya"),),
)
REVIEW = Wish(
    full="If engaged users fell below 12 on any day since March 11, tell Minh.",
    sent="If engaged users fell below our limit on any day since our last review, tell Minh.",
    withheld=(
        Known(id="threshold", kind="threshold", value="12"),
        Known(id="date", kind="date", role="start date", value="March 11"),
    ),
)
PERIOD = Wish(
    full="Samira needs what Fergus wrote in the past 6 weeks.",
    sent="Samira needs what Fergus wrote in the agreed period.",
    withheld=(Known(id="period", kind="period", value="6 weeks"),),
)


def test_a_stand_in_is_told_by_the_words_that_the_request_has_nowhere_else() -> None:
    assert stand_ins(LEAD) == {"owner": {"team", "lead"}}
    assert stand_ins(REVIEW) == {"threshold": {"limi"}, "date": {"last", "revi"}}


@pytest.mark.parametrize(
    ("wish", "question", "items"),
    [
        (LEAD, "Who do you mean by our team lead?", ["owner"]),
        (
            LEAD,
            "You wrote that Priya takes services off our team lead's hands. What is the team lead's name?",
            ["owner"],
        ),
        (REVIEW, "When was our last review?", ["date"]),
        (REVIEW, "What is the limit these days, and when was the last review?", ["threshold", "date"]),
        (PERIOD, "What period did you agree with Samira for Fergus's mails - from which day to which day?", ["period"]),
        (REVIEW, "Which review do you mean?", []),
        (REVIEW, "I shall look at the last review.", []),
        (LEAD, "Before I bother our team lead: which colour do you like?", []),
    ],
)
def test_a_question_with_all_of_them_asks_for_the_value(wish: Wish, question: str, items: list[str]) -> None:
    assert asked_for_by_phrase(wish, question) == items


def test_words_that_were_left_out_stand_for_nothing() -> None:
    deleted = Wish(full="Write to Priya on March 20.", sent="Write to Priya.", withheld=(REVIEW.withheld[1],))

    assert stand_ins(deleted) == {}


def test_the_user_hears_what_is_asked_by_the_stand_in() -> None:
    for question in ("Who is the team lead?", "What is the team lead's name?"):
        assert "owner" in hear(LEAD, question).asked


def test_a_question_about_another_item_is_not_about_the_stand_in_too() -> None:
    assert hear(REVIEW, "What is the limit for the time since our last review, exactly?").asked == ("threshold",)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How long has she been our team lead?", False),
        ("Does the team lead know of it, and what does she say?", False),
        ("Sorry, who was the team lead?", True),
        ("Who is the team lead again?", True),
    ],
)
def test_what_was_told_is_not_told_again_where_its_stand_in_is_only_mentioned(question: str, asked: bool) -> None:
    told = Before(told=frozenset({"owner"}), last=frozenset({"owner"}), question="Who is the team lead?")

    assert ("owner" in hear(LEAD, question, told).asked) == asked


def test_a_right_value_is_confirmed_beside_what_is_asked_for() -> None:
    heard = hear(REVIEW, "March 11, you said, yes? And what is the limit?")

    assert (heard.asked, heard.right) == (("threshold",), ("date",))
