"""Questions that the first user refused, half answered or contradicted itself on, in words of our own, by kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from userssim.grounded import GroundedUser
from userssim.hearing import Hearing, hear
from userssim.hearing.encoder import vocabulary
from userssim.hearing.marks import JUST_TOLD, MARK, MARKS, TOLD, WITHHELD, Before, marked
from userssim.wish import Known, Wish
from userssim.wording import LEFT

OWNER = Known(id="owner", kind="person", role="owner", value="Fergus")
ASSIGNEE = Known(id="assignee", kind="person", role="assignee", value="Bjorn")
HOLIDAY = Wish(
    full="Fergus is on holiday until the 17th. Reassign his overdue tasks on the Design board to Bjorn.",
    sent="Somebody is on holiday until the 17th. Reassign the overdue tasks on the Design board.",
    withheld=(OWNER, ASSIGNEE),
    stated=(Known(id="board", kind="board", value="Design"),),
)
MAIL = Wish(
    full='Send Dario a mail with the subject "Deadlines", saying "When can you finish what is late?"',
    sent='Send Dario a mail, saying "When can you finish what is late?"',
    withheld=(Known(id="subject", kind="subject", value="Deadlines"),),
    stated=(
        Known(id="recipient", kind="person", role="recipient", value="Dario"),
        Known(id="body", kind="body", value="When can you finish what is late?"),
    ),
)
FIGURE = Wish(
    full="If average session duration fell by more than 5 percent since March 10, book a 30-minute meeting with Hana.",
    sent="If average session duration fell by a good deal since then, book a meeting with Hana.",
    withheld=(
        Known(id="limit", kind="threshold", value="5 percent"),
        Known(id="since", kind="date", value="March 10"),
        Known(id="length", kind="duration", value="30-minute"),
    ),
    stated=(
        Known(id="metric", kind="metric", value="average session duration"),
        Known(id="participant", kind="person", role="participant", value="Hana"),
    ),
)


@pytest.mark.parametrize(
    ("kind", "wish", "question", "parts"),
    [
        ("single", HOLIDAY, "Reassign them to whom?", {"assignee": "given"}),
        ("single", HOLIDAY, "Who is on holiday until the 17th?", {"owner": "given"}),
        ("single", HOLIDAY, "Could you give me the name of the person on holiday?", {"owner": "given"}),
        ("single", MAIL, "What should the subject line say?", {"subject": "given"}),
        ("indirect", HOLIDAY, "I would be glad to know who takes the tasks over.", {"assignee": "given"}),
        ("indirect", FIGURE, "The calendar wants a length for the meeting.", {"length": "given"}),
        ("double", HOLIDAY, "Whose tasks are they, and who gets them?", {"owner": "given", "assignee": "given"}),
        ("double", FIGURE, "How long is the meeting, and since when do I look?", {"length": "given", "since": "given"}),
        ("candidates", HOLIDAY, "Who gets the tasks: Callum, Bjorn or Noor?", {"assignee": "given"}),
        ("candidates", FIGURE, "Do you mean a drop of 5 percent or of 5 seconds?", {"limit": "given"}),
        (
            "readback",
            HOLIDAY,
            "If I took Fergus to be the one on holiday, would that be right?",
            {"owner": "confirmed"},
        ),
        ("single", HOLIDAY, "Who is it that's off till the 17th?", {"owner": "given"}),
        ("readback", FIGURE, "So the meeting should last half an hour, right?", {"length": "confirmed"}),
        ("readback", HOLIDAY, "I have given the tasks to Callum. Is that right?", {"assignee": "corrected"}),
        ("proposal", HOLIDAY, "Unless you object I give the tasks to Callum.", {"assignee": "corrected"}),
        ("premise", FIGURE, "By then you mean 3 March, don't you?", {"since": "corrected"}),
        ("premise", HOLIDAY, "You said that Oskar should get the tasks, didn't you?", {"assignee": "corrected"}),
        ("repeated", HOLIDAY, "Sorry, once more: who is to get the tasks?", {"assignee": "given"}),
        ("follow_up", HOLIDAY, "Nobody of the team is marked as away. Whose tasks do you mean?", {"owner": "given"}),
        ("permission", HOLIDAY, "Shall I go ahead?", {"": "confirmed"}),
        ("detail", MAIL, "Do you want it in bold letters?", {"": "no_preference"}),
        ("generic", HOLIDAY, "Is there anything else that I should know?", {"": "not_understood"}),
    ],
)  # fmt: skip
def test_each_kind_of_question_is_answered_for_what_it_is_about(
    kind: str, wish: Wish, question: str, parts: dict[str, str]
) -> None:
    answer = GroundedUser(wish).reply(question)

    assert {part.target: part.kind for part in answer.parts} == parts


def test_what_is_heard_does_not_depend_on_values_that_the_question_does_not_say() -> None:
    other = replace(
        HOLIDAY,
        full=HOLIDAY.full.replace("Fergus", "Ingrid").replace("Bjorn", "Yewande"),
        withheld=(replace(OWNER, value="Ingrid"), replace(ASSIGNEE, value="Yewande")),
    )
    questions = ("Who is away?", "To whom do they go?", "Is Callum meant?", "Which board?", "Anything else?")

    assert [hear(HOLIDAY, question) for question in questions] == [hear(other, question) for question in questions]


def test_a_name_of_somebody_is_heard_as_a_person_is() -> None:
    def named(item: Known) -> Known:
        return replace(item, kind="name")

    wish = replace(HOLIDAY, withheld=(named(OWNER), named(ASSIGNEE)))

    assert marked(wish, "Who is away?", vocabulary()) == marked(HOLIDAY, "Who is away?", vocabulary())
    assert GroundedUser(wish).reply("To whom do the tasks go?").text == "Bjorn."


def test_no_value_reaches_the_encoder() -> None:
    text = marked(HOLIDAY, "Does Fergus hand over to Bjorn?", vocabulary())
    pieces = {id: piece for piece, id in vocabulary().items()}
    read = " ".join(pieces[id] for id in text.ids)

    assert "fergus" not in read
    assert "bjorn" not in read
    assert [id for id in text.ids[: text.texts.index(1)] if MARK <= id < MARK + MARKS] == [MARK, MARK + 1]


def test_dots_for_the_rest_of_a_name_in_quotation_marks_are_not_read() -> None:
    whole = marked(HOLIDAY, 'When is "Cover for" due?', vocabulary())

    assert marked(HOLIDAY, 'When is "Cover for ..." due?', vocabulary()) == whole
    assert marked(HOLIDAY, 'When is "Cover for…" due?', vocabulary()) == whole
    assert marked(HOLIDAY, "When is Cover for ... due?", vocabulary()) != whole


def test_the_encoder_sees_what_was_told_and_what_was_asked_before() -> None:
    before = Before(told=frozenset({"owner", "assignee"}), last=frozenset({"assignee"}), question="Is it Bjorn?")
    bare = marked(HOLIDAY, "So?", vocabulary())
    text = marked(HOLIDAY, "So?", vocabulary(), before)
    asked = [vocabulary()[piece] for piece in ("is", "it")]

    assert [id for id in text.ids if id in (WITHHELD, TOLD, JUST_TOLD)] == [TOLD, JUST_TOLD]
    assert WITHHELD in bare.ids
    assert text.ids[len(bare.ids) :] == [*asked, MARK + 1, vocabulary()["?"], vocabulary()["[SEP]"]]


def test_of_long_texts_what_counts_is_read() -> None:
    long = replace(HOLIDAY, full="So much to say. " * 500 + HOLIDAY.full + " And so on." * 500)
    text = marked(long, "I looked at many things first. " * 500 + "Who is away?", vocabulary())

    assert len(text.ids) <= 400
    assert set(text.places) == {"owner", "assignee", "board"}
    assert "owner" in hear(long, "Who is it that is away until the 17th?").asked


def test_a_slots_own_wordings_are_heard() -> None:
    colour = Known(id="x", kind="ral", value="7016", asks=("tone of grey", "which paint"))
    wish = Wish(full="Paint it in 7016.", sent="Paint it.", withheld=(colour,))

    assert hear(wish, "And the tone of that grey?").asked == ("x",)


@pytest.mark.parametrize("question", ["?", "7", "x", '""""?', "..."])
def test_a_text_without_a_word_asks_for_nothing(question: str) -> None:
    assert hear(HOLIDAY, question) == Hearing()


@pytest.mark.parametrize(
    "question", ["Should I send it to the whole company?", "Shall I mail it to everyone involved?"]
)
def test_leave_to_turn_to_everybody_is_refused_where_one_person_is_meant(question: str) -> None:
    to = Known(id="to", kind="person", role="recipient", value="Wanda")
    wish = Wish(full="Send the sum of all credits to Wanda.", sent="Send round the sum of all credits.", withheld=(to,))

    assert GroundedUser(wish).reply(question).text == "No, Wanda."


@pytest.mark.parametrize("wish", [HOLIDAY, MAIL, FIGURE])
@pytest.mark.parametrize(
    "text",
    ["?", "x", '""""?', "7", "I am unsure.", "I don't know.", "Which one?", "What?", "Value?", "asdf qwer", "Or else?"],
)
def test_a_text_that_names_nothing_is_told_nothing(wish: Wish, text: str) -> None:
    answer = GroundedUser(wish).reply(text)

    assert (answer.revealed, [part.kind for part in answer.parts]) == ((), ["not_understood"])


@pytest.mark.parametrize("text", ["To whom?", "So, to whom", "Who's away?"])
def test_a_word_that_asks_for_one_kind_of_thing_names_it(text: str) -> None:
    assert GroundedUser(HOLIDAY).reply(text).revealed


def test_what_names_nothing_goes_on_from_the_question_before() -> None:
    user = GroundedUser(MAIL)
    user.reply("Does the mail have a subject line, or is it to go without one?")

    assert "Deadlines" in user.reply("Which one?").text


def test_a_slots_own_wordings_are_heard_in_any_language() -> None:
    asked = Known(id="subject", kind="subject", value="Deadlines", asks=("wie heisst es",))
    wish = Wish(full="Deadlines", withheld=(asked,))

    assert GroundedUser(wish).reply("Wie heisst es?").revealed == ("subject",)


FEES = Wish(
    full="Refund all fees above 40 francs and mail Ines by Friday.",
    sent="Refund the high fees and mail the treasurer by Friday.",
    withheld=(
        Known(id="limit", kind="amount", role="lowest fee", value="40 francs"),
        Known(id="to", kind="person", role="treasurer", value="Ines"),
    ),
    stated=(Known(id="day", kind="day", value="Friday"),),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Forty francs, I see. And does a fee of exactly 40 francs count?", "All I can say is: 40 francs."),
        ("What was it, 40 or 60 francs?", "40 francs."),
        ("So above 40 francs?", "Yes, 40 francs."),
    ],
)
def test_how_far_a_value_reaches_is_another_question_than_which_it_is(question: str, answer: str) -> None:
    user = GroundedUser(FEES)
    user.reply("Which fees are high ones?")

    assert user.reply(question).text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the 40 francs negotiable?", "No, 40 francs."),
        ("Is there any flexibility on the 40 francs?", "No, 40 francs."),
        ("Are 40 francs not negotiable?", "Yes, 40 francs."),
        ("Could it be anybody other than Ines?", "No, Ines."),
        ("How flexible is the Friday?", "No, as I wrote."),
        ("Are 40 francs set in stone?", "Yes, 40 francs."),
        ("Does it have to be Ines?", "Yes, Ines."),
        ("Is Friday a hard deadline?", "Yes, as I wrote."),
        ("Could it also be 50 francs?", "No, 40 francs."),
        ("Could someone other than Ines do it?", "No, Ines."),
        ("Does it have to be 40 francs or more?", "40 francs."),
    ],
)
def test_a_value_is_what_it_is_whether_it_is_asked_to_be_open_or_fixed(question: str, answer: str) -> None:
    assert GroundedUser(FEES).reply(question).text == answer


def test_a_value_that_is_fixed_hides_nothing_else_that_is_asked() -> None:
    assert GroundedUser(FEES).reply("Is Ines fixed, and from how much on is a fee high?").text == (
        "Yes, Ines. And 40 francs."
    )


TALK = Wish(
    full="Book 25 minutes with Abel at 9:40 in the annexe.",
    sent="Book some time with a colleague in the annexe.",
    withheld=(
        Known(id="length", kind="duration", role="length of the meeting", value="25 minutes"),
        Known(id="with", kind="person", role="participant", value="Abel"),
        Known(id="time", kind="time", value="9:40"),
    ),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Must it be Abel? Is it at 10:15?", "No, 9:40. Abel is right."),
        ("Is Abel a must, and does it last 40 minutes?", "No, 25 minutes. Abel is right."),
        ("Is 9:40 fixed? And the length of the meeting?", "Yes, 9:40. And 25 minutes."),
    ],
)
def test_a_value_that_is_fixed_hides_no_wrong_one_beside_it(question: str, answer: str) -> None:
    assert GroundedUser(TALK).reply(question).text == answer


@pytest.mark.parametrize(
    "question",
    ["How long was your last meeting?", "Who was at the previous one?", "How long did the last talk take?"],
)
def test_what_was_so_on_another_occasion_is_not_what_is_wished_for(question: str) -> None:
    answer = GroundedUser(TALK).reply(question)

    assert (answer.revealed, [part.kind for part in answer.parts]) == ((), ["no_preference"])
    assert answer.text in LEFT["dont_know"]


@pytest.mark.parametrize(
    "question",
    [
        "How long did you say the meeting should be?",
        "What was the length again?",
        "How long was the meeting to be, as you wrote in your last message?",
        "How long should it be, as long as your last meeting?",
        "What was the last point, the length of the meeting?",
    ],
)
def test_what_was_said_before_is_what_is_wished_for(question: str) -> None:
    assert GroundedUser(TALK).reply(question).revealed == ("length",)


def test_a_wish_about_what_was_before_has_what_was_so() -> None:
    since = Known(id="since", kind="date", value="March 3")
    wish = Wish(
        full="Plot the visits since our last review, March 3.", sent="Plot the visits since then.", withheld=(since,)
    )

    assert GroundedUser(wish).reply("When was our last review?").revealed == ("since",)


def test_a_wish_that_changes_something_has_what_was_so() -> None:
    owner = Known(id="from", kind="person", role="current owner", value="Kerem")
    wish = Wish(
        full="Reassign the open leads of Kerem to Lea.", sent="Reassign the open leads to Lea.", withheld=(owner,)
    )

    assert GroundedUser(wish).reply("Who was the previous owner?").revealed == ("from",)


def test_what_an_item_is_called_may_speak_of_what_was_before() -> None:
    owner = Known(id="from", kind="person", role="former owner", value="Kerem")
    wish = Wish(full="Give the open leads of Kerem to Lea.", sent="Give the open leads to Lea.", withheld=(owner,))

    assert GroundedUser(wish).reply("Who was the former owner?").revealed == ("from",)
