from __future__ import annotations

import pytest

from userssim.values import meant, said, spoken
from userssim.wish import Known


def known(kind: str, value: str) -> Known:
    return Known(id="x", kind=kind, value=value)


def found(kind: str, value: str, text: str) -> list[str]:
    return [text[start:end] for start, end in said(text, known(kind, value))]


@pytest.mark.parametrize(
    ("kind", "value", "text", "ways"),
    [
        ("duration", "30-minute", "Half an hour, or 30 minutes?", ["Half an hour", "30 minutes"]),
        ("duration", "60-minute", "One hour with Hana, say 60 min", ["One hour", "60 min"]),
        ("threshold", "5", "Is it five percent, or 5?", ["five", "5"]),
        ("threshold", "5 percent", "5%, or five per cent", ["5%", "five per cent"]),
        ("period", "14 days", "A fortnight, so two weeks?", ["A fortnight", "two weeks"]),
        ("date", "March 10", "Monday the 10th of March, 2025-03-10", ["the 10th of March", "2025-03-10"]),
        ("date", "March 10", "March 10, 2025, all day", ["March 10, 2025"]),
        ("date", "March 10", "Is the tenth a good day, or March 10th?", ["the tenth", "March 10th"]),
        ("time", "10:00", "At ten, or 10 am", ["ten", "10 am"]),
        ("customer", "Orlando Stanhope", "Mr Stanhope, Orlando or ORLANDO STANHOPE?",
         ["Stanhope", "Orlando", "ORLANDO STANHOPE"]),
        ("person", "Noor", "noor rahimi i suppose", ["noor"]),
        ("metric", "social media visits", "Just visits from social media?", ["visits from social media"]),
        ("board", "Front end", "the front-end board", ["front-end"]),
        ("time", "08:45", "A quarter to nine, or 8:45?", ["A quarter to nine", "8:45"]),
        ("time", "18:20", "Twenty past six, twenty minutes past six, six twenty?",
         ["Twenty past six", "twenty minutes past six", "six twenty"]),
        ("time", "9 pm", "Back at 21:00, 9 pm sharp, nine in the evening?", ["21:00", "9 pm", "nine in the evening"]),
        ("duration", "an hour", "Sixty minutes, or 60 min, so an hour?", ["Sixty minutes", "60 min", "an hour"]),
        ("duration", "15 minutes", "A quarter of an hour?", ["A quarter of an hour"]),
        ("duration", "30-minute", "From 13:00 to 13:30, or 1-1:30 pm?", [" to 13:30", "-1:30 pm"]),
        ("duration", "2 hours", "11 am until 1 pm", [" until 1 pm"]),
        ("threshold", "20 percent", "A fifth less?", ["A fifth"]),
        ("due_date", "March 31", "Due 31st, the last day of March?", ["31st", "the last day of March"]),
        ("person", "Noor and Fabian", "For Fabian and Noor, then?", ["Fabian", "Noor"]),
        ("customer", "Ottoline Frost", "Is Frost hers? And Ms Frost's mail?", ["Frost", "Frost"]),
        ("title", "Travel costs", 'It says "Travel costs."', ["Travel costs"]),
        ("body", "Can you book a room for us?", "It says can you book a room for us.", ["can you book a room for us"]),
    ],
)  # fmt: skip
def test_a_value_is_told_in_whatever_form_it_is_said(kind: str, value: str, text: str, ways: list[str]) -> None:
    assert found(kind, value, text) == ways


@pytest.mark.parametrize("text", ["13:00 to 14:00", "Invite 10 to 40 people", "the 10:00 to Leeds at 9:30"])
def test_other_ends_and_bare_numbers_are_not_a_length(text: str) -> None:
    assert found("duration", "30-minute", text) == []


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("By last Monday you mean March 10, don't you?", ["last Monday", "March 10"]),
        ("Is it 2025-03-10 or the 10th of March 2025?", ["2025-03-10", "the 10th of March 2025"]),
        ("You mean March 3, don't you?", []),
        ("March 10, 2024, or 2024-03-10?", []),
    ],
)
def test_a_day_that_is_told_by_another_is_known_by_its_date(text: str, ways: list[str]) -> None:
    day = Known(id="x", kind="date", value="last Monday", day="2025-03-10")

    assert [text[start:end] for start, end in said(text, day)] == ways


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("customer", "Orlando Stanhope", "Orlando Underhill, from now on with Hana?"),
        ("threshold", "5", "On March 5 or at 5 o'clock?"),
        ("threshold", "5 percent", "Is it 5 seconds?"),
        ("duration", "30-minute", "Is it 30 seconds?"),
        ("threshold", "two", "twenty-two of them"),
        ("date", "March 10", "the 10th of April"),
        ("board", "Design", "the designer's board"),
        ("customer", "Ottoline Frost", "Odette Frost, then?"),
        ("customer", "Lucinda Stanhope", "Is Lucas Stanhope what Hana wins?"),
        ("customer", "Leonie Hartwell", "the rule is for leonie hartley, fine?"),
        ("person", "the landlord", "the caretaker, rather?"),
        ("person", "Noor and Fabian", "May I guess at Noor and Lisbet?"),
        ("duration", "an hour", "Half an hour, or a quarter of an hour?"),
        ("duration", "60-minute", "An hour and a half?"),
        ("due_date", "March 27", "Due April 27th, or the 27th of May?"),
        ("time", "08:45", "A quarter to ten?"),
        ("subject", "Travel costs", 'The mail is headed "Travel cost sheet".'),
        ("task_name", "Check the form", "'Check the forms' it is, then?"),
    ],
)
def test_what_is_alike_and_means_something_else_is_not_the_value(kind: str, value: str, text: str) -> None:
    assert found(kind, value, text) == []


@pytest.mark.parametrize(
    ("kind", "value", "request_", "told"),
    [
        ("duration", "30-minute", "", "half an hour"),
        ("duration", "45-minute", "", "45 minutes"),
        ("threshold", "5", "if it fell by more than 5 percent", "five percent"),
        ("threshold", "5", "if there were more than 5 of them", "5"),
        ("period", "10 days", "", "ten days"),
        ("person", "Bjorn", "", "Bjorn"),
        ("subject", "Budget freeze", "", '"Budget freeze"'),
    ],
)
def test_a_value_is_said_with_its_unit_and_as_people_say_it(kind: str, value: str, request_: str, told: str) -> None:
    assert spoken(known(kind, value), request_) == told


@pytest.mark.parametrize(
    ("kind", "value", "text", "ways"),
    [
        ("plot_type", "bar plot", "Bars, or a line?", ["Bars"]),
        ("comparison", "more", "Above five, or under?", ["Above"]),
        ("metric", "referral visits", "By referral, is that it?", ["referral"]),
        ("metric", "total visits", "Do I count all visits?", ["all visits"]),
        ("person", "Hana", "To Hana?", ["Hana"]),
        ("plot_type", "bar plot", "A scatter plot?", []),
    ],
)
def test_beside_a_wish_a_word_is_enough_to_mean_a_value(kind: str, value: str, text: str, ways: list[str]) -> None:
    assert [text[start:end] for start, end in meant(text, known(kind, value))] == ways


def test_by_itself_such_a_word_says_no_value() -> None:
    assert found("plot_type", "bar plot", "I shall be at the bar.") == []


def test_quotation_marks_that_belong_to_a_value_are_said_once_and_need_not_be_in_a_question() -> None:
    subject = Known(id="subject", kind="subject", value='"Where we stand"')

    assert spoken(subject) == '"Where we stand"'
    assert len(said("Under 'Where we stand', then?", subject)) == 1


@pytest.mark.parametrize(
    ("role", "value", "told"),
    [
        ("who gets the form", "Ottoline Marsh", "Ottoline Marsh"),
        ("", "Ottoline van Marsh", "Ottoline van Marsh"),
        ("name of the task", "Weekly Figures", '"Weekly Figures"'),
        ("file name", "Figures", '"Figures"'),
        ("", "figures of the week", '"figures of the week"'),
    ],
)
def test_a_name_is_somebodys_or_words_to_be_copied(role: str, value: str, told: str) -> None:
    assert spoken(Known(id="x", kind="name", role=role, value=value)) == told
