from __future__ import annotations

from collections.abc import Callable

import anyio
import pytest

from servers.kernel import Answer, Question, Since, Written
from userssim import grounded
from userssim.grounded import Deferral, GroundedUser, Manner
from userssim.hearing import Hearing
from userssim.hearing.marks import Before
from userssim.wish import Known, Wish
from userssim.wording import LEFT

TO = Known(id="to", kind="person", role="recipient", value="Priya")
FROM = Known(id="from", kind="person", role="sender", value="Tomas")
LIMIT = Known(id="limit", kind="threshold", value="5")
SUBJECT = Known(id="subject", kind="subject", value="Budget freeze")
DAY = Known(id="day", kind="date", value="December 4")
WISH = Wish(
    full="On December 4, forward what Tomas wrote to Priya as 'Budget freeze' if costs rose by more than 5 percent.",
    sent="On December 4, forward it if costs rose by a good deal.",
    withheld=(TO, FROM, LIMIT, SUBJECT),
    stated=(DAY,),
)

Hears = Callable[[Hearing], None]


@pytest.fixture
def hears(monkeypatch: pytest.MonkeyPatch) -> Hears:
    """Has users hear something of our choice in whatever they are asked."""
    return lambda heard: monkeypatch.setattr(grounded, "hear", lambda wish, question, before: heard)


def kinds(answer: Answer) -> list[tuple[str, str]]:
    return [(part.kind, part.target) for part in answer.parts]


def test_what_is_asked_for_is_given_and_nothing_else(hears: Hears) -> None:
    hears(Hearing(asked=("to",), other=True))
    answer = GroundedUser(WISH).reply("Who gets it, and in which font?")

    assert (answer.text, kinds(answer)) == ("Priya.", [("given", "to")])
    assert (answer.targets, answer.revealed) == (("to",), ("to",))


def test_values_are_told_with_unit_and_quotation_marks(hears: Hears) -> None:
    hears(Hearing(asked=("limit", "subject")))

    assert GroundedUser(WISH).reply("?").text == 'Five percent and "Budget freeze".'


@pytest.mark.parametrize(
    ("kind", "value", "answer"),
    [
        ("quantity", "two", "Two."),
        ("time", "half past seven", "Half past seven."),
        ("duration", "30-minute", "Half an hour."),
        ("percentage", "twenty-five percent", "Twenty-five percent."),
        ("place", "the Kiel office", "The Kiel office."),
        ("colour", "red", "Red."),
        ("channel", "general", "general."),
        ("place", "house-news", "house-news."),
        ("status", "in_review", "in_review."),
        ("document", "budget.xlsx", "budget.xlsx."),
        ("contact", "noor@tarnwick.example", "noor@tarnwick.example."),
        ("phone", "iPhone", "iPhone."),
        ("subject", "moving on", '"moving on".'),
    ],
)
def test_a_sentence_begins_with_a_capital_where_it_begins_with_words(
    kind: str, value: str, answer: str, hears: Hears
) -> None:
    hears(Hearing(asked=("x",)))
    item = Known(id="x", kind=kind, value=value)

    assert GroundedUser(Wish(full=value, withheld=(item,))).reply("?").text == answer


def test_each_sentence_begins_with_a_capital(hears: Hears) -> None:
    colour, amount = Known(id="c", kind="colour", value="red"), Known(id="n", kind="quantity", value="two")
    wish = Wish(full="Paint two of them red.", withheld=(amount, colour))
    hears(Hearing(right=("c",), wrong=("n",)))

    assert GroundedUser(wish).reply("Three, and red?").text == "No, two. Red is right."

    hears(Hearing(asked=("n",)))

    assert " Two. " in GroundedUser(wish, manner="chatty").reply("How many?").text


def test_two_of_a_kind_are_told_with_what_they_are(hears: Hears) -> None:
    hears(Hearing(asked=("to", "from")))

    assert GroundedUser(WISH).reply("?").text == "Priya (recipient) and Tomas (sender)."


def test_a_slots_own_words_tell_its_value(hears: Hears) -> None:
    hears(Hearing(asked=("who",)))
    who = Known(id="who", kind="person", value="Fergus", says="{value} is the one on holiday")

    assert GroundedUser(Wish(full="Fergus is off.", withheld=(who,))).reply("?").text == "Fergus is the one on holiday."


def test_whoever_asks_how_far_a_known_value_reaches_hears_that_no_more_is_meant(hears: Hears) -> None:
    hears(Hearing(asked=("limit",), reaching=("limit",)))
    answer = GroundedUser(WISH).reply("Does a rise of exactly five percent count?")

    assert (answer.text, kinds(answer)) == ("All I can say is: five percent.", [("given", "limit")])

    hears(Hearing(asked=("to", "limit"), reaching=("limit",)))

    assert GroundedUser(WISH).reply("To whom, and does exactly five percent count?").text == "Priya and five percent."


def test_what_is_right_is_confirmed_with_the_value(hears: Hears) -> None:
    hears(Hearing(right=("to",)))
    answer = GroundedUser(WISH).reply("To Priya?")

    assert (answer.text, kinds(answer)) == ("Yes, Priya.", [("confirmed", "to")])


def test_what_is_wrong_is_corrected_before_anything_else(hears: Hears) -> None:
    hears(Hearing(right=("to",), wrong=("from",), asked=("subject",), leave=True))
    answer = GroundedUser(WISH).reply("From Noor to Priya, and about what? Shall I send it?")

    assert answer.text == 'No, Tomas (sender). Priya (recipient) is right. And "Budget freeze".'
    assert kinds(answer) == [("confirmed", "to"), ("corrected", "from"), ("given", "subject")]


def test_several_right_values_beside_a_wrong_one_are_right(hears: Hears) -> None:
    hears(Hearing(right=("to", "subject"), wrong=("limit",)))
    answer = GroundedUser(WISH).reply("To Priya as 'Budget freeze' from three percent on?")

    assert answer.text == 'No, five percent. Priya and "Budget freeze" are right.'


def test_whoever_asks_if_a_value_is_open_hears_that_it_is_not(hears: Hears) -> None:
    hears(Hearing(right=("to",), bending=("to",)))
    answer = GroundedUser(WISH).reply("Is Priya negotiable?")

    assert (answer.text, kinds(answer)) == ("No, Priya.", [("confirmed", "to")])

    hears(Hearing(right=("day",), bending=("day",)))
    answer = GroundedUser(WISH).reply("Is December 4 negotiable?")

    assert (answer.text, kinds(answer)) == ("No, as I wrote.", [("confirmed", "day")])


@pytest.mark.parametrize("heard", [Hearing(), Hearing(doubted=True), Hearing(other=True)])
def test_which_weekday_is_meant_stands_in_the_request_that_names_it(heard: Hearing, hears: Hears) -> None:
    hears(heard)
    user = GroundedUser(Wish(full="Water the ferns on Friday.", sent="Water the plants on Friday."))
    answer = user.reply("Which Friday, the 4th or the 11th?")

    assert (answer.text, kinds(answer)) == ("That's in what I wrote.", [("given", "")])
    assert user.reply("Which Monday, the 7th or the 14th?").text != "That's in what I wrote."


def test_leave_to_act_follows_what_is_right(hears: Hears) -> None:
    hears(Hearing(right=("to",), leave=True))

    assert GroundedUser(WISH).reply("To Priya: shall I?").text == "Yes, Priya. Please go ahead."


def test_leave_alone_is_given(hears: Hears) -> None:
    hears(Hearing(leave=True))
    answer = GroundedUser(WISH).reply("Shall I go ahead?")

    assert (answer.text, kinds(answer)) == ("Yes, go ahead with what I asked for.", [("confirmed", "")])


@pytest.mark.parametrize(
    "question",
    [
        "May I delete all open deals?",
        "Shall I delete the claims folder when I am done?",
        "While I am at it, am I free to throw out whatever is late?",
        "Would it be fine to have Noor's old tasks removed?",
        "Do you mind my scrapping the drafts?",
        "Shall I have the minutes overwritten?",
        "May I close your account with them?",
        "Shall I empty the trash folder?",
        "May I drop the old table?",
        "Can I truncate the log first?",
        "Shall I terminate the contract?",
        "May I clear the backups out?",
    ],
)
def test_leave_to_do_away_with_what_no_part_of_the_wish_is_about_is_refused(question: str, hears: Hears) -> None:
    hears(Hearing(leave=True))
    answer = GroundedUser(WISH).reply(question)

    assert answer.text.startswith("No, I did not ask for that.")
    assert kinds(answer) == [("corrected", "")]


@pytest.mark.parametrize("end", ["too?", "too and tell Bo?", "as well, then?"])
def test_leave_to_do_away_with_more_than_was_asked_for_is_refused(end: str, hears: Hears) -> None:
    hears(Hearing(leave=True))
    answer = GroundedUser(Wish(full="Cancel the meeting on Monday.")).reply(f"May I cancel the one on Tuesday {end}")

    assert answer.text.startswith("No, I did not ask for that.")


@pytest.mark.parametrize("heard", [Hearing(other=True), Hearing(leave=True)])
@pytest.mark.parametrize("question", ["Shall I also mail Priya about it?", "Want me to move her other task?"])
def test_leave_to_write_or_move_where_nobody_asked_for_that_is_neither_given_nor_left_to_the_agent(
    question: str, heard: Hearing, hears: Hears
) -> None:
    hears(heard)
    wish = Wish(full="Create a task for Priya: check the stock.")

    assert GroundedUser(wish).reply(question).text == "Just what I asked for, please."


@pytest.mark.parametrize("heard", [Hearing(other=True), Hearing(leave=True)])
@pytest.mark.parametrize(
    "question",
    [
        "And shall I order cups, too?",
        "Should I also count the saucers?",
        "May I paint the shelf as well?",
        "Shall I dust the shelf too and mend it?",
        "Do you want me to dust it while I'm at it?",
        "Do you also want me to dust it?",
        "Shall I also dust it when it hangs?",
        "Would you like hooks on it as well?",
        "Should Noor hear of it, too?",
        "Does Noor get a mail as well?",
    ],
)
def test_leave_to_do_something_besides_is_neither_given_nor_left_to_the_agent(
    question: str, heard: Hearing, hears: Hears
) -> None:
    hears(heard)

    assert GroundedUser(Wish(full="Put up a shelf.")).reply(question).text == "Just what I asked for, please."


def test_leave_to_do_something_besides_is_understood_where_an_item_may_be_meant(hears: Hears) -> None:
    hears(Hearing(doubted=True))

    assert GroundedUser(WISH).reply("Shall I also tell Noor?").text == "Just what I asked for, please."


def test_who_is_to_be_told_is_no_leave_to_tell_anybody(hears: Hears) -> None:
    hears(Hearing(other=True))

    assert GroundedUser(Wish(full="Put up a shelf.")).reply("Whom shall I tell?").text in LEFT["best_judgment"]


@pytest.mark.parametrize("question", ["Can I ask how high it is, too?", "Also, would you like it in oak?"])
def test_what_asks_for_no_leave_is_nothing_besides(question: str, hears: Hears) -> None:
    hears(Hearing(other=True))

    assert GroundedUser(Wish(full="Put up a shelf.")).reply(question).text in LEFT["best_judgment"]


def test_what_would_be_done_besides_gets_no_leave_where_leave_is_heard(hears: Hears) -> None:
    question = "While I am at it, I'd paint the shelf. Fine with you?"
    hears(Hearing(leave=True))
    refused = GroundedUser(Wish(full="Put up a shelf.")).reply(question)
    hears(Hearing(other=True))
    left = GroundedUser(Wish(full="Put up a shelf.")).reply(question)

    assert refused.text == "Just what I asked for, please."
    assert left.text != refused.text


@pytest.mark.parametrize(
    "question",
    [
        "The shelf was too low. Shall I put it up?",
        "Also, shall I begin?",
        "Shall I begin, or is it too late?",
        "Shall I put up the shelf as well as I can?",
    ],
)
def test_words_that_add_nothing_leave_the_leave_as_it_is(question: str, hears: Hears) -> None:
    hears(Hearing(leave=True))

    assert kinds(GroundedUser(Wish(full="Put up a shelf.")).reply(question)) == [("confirmed", "")]
    assert GroundedUser(Wish(full="Put up a shelf.")).reply(question).text == "Yes, go ahead with what I asked for."


def test_leave_to_write_where_that_was_asked_for_is_given_in_whatever_words(hears: Hears) -> None:
    hears(Hearing(leave=True))
    wish = Wish(full="Let Priya know that the stock is low.")

    assert GroundedUser(wish).reply("Shall I mail Priya now?").text == "Yes, go ahead with what I asked for."


def test_leave_to_do_away_with_something_follows_no_value_that_the_request_states(hears: Hears) -> None:
    hears(Hearing(right=("when",), leave=True))
    wish = Wish(full="Meet Noor on Friday.", stated=(Known(id="when", kind="date", value="Friday"),))

    assert kinds(GroundedUser(wish).reply("May I cancel all of Friday?")) == [("corrected", "")]


@pytest.mark.parametrize("heard", [Hearing(), Hearing(other=True), Hearing(doubted=True)])
def test_what_nobody_asked_for_is_refused_where_the_words_alone_ask_leave(heard: Hearing, hears: Hears) -> None:
    hears(heard)

    assert kinds(GroundedUser(WISH).reply("Shall I purge the drafts while I'm at it?")) == [("corrected", "")]
    assert kinds(GroundedUser(WISH).reply("Which of them do I delete?")) != [("corrected", "")]


def test_what_is_done_away_with_has_to_be_what_the_wish_does_away_with(hears: Hears) -> None:
    hears(Hearing(leave=True))
    wish = Wish(full="Cancel my subscription at Aquapur and delete the mails about it.")

    assert kinds(GroundedUser(wish).reply("May I delete your customer account?")) == [("corrected", "")]
    assert GroundedUser(wish).reply("May I delete the mails?").text == "Yes, go ahead with what I asked for."


def test_a_value_is_told_beside_leave_that_is_refused(hears: Hears) -> None:
    hears(Hearing(asked=("to",), leave=True))
    answer = GroundedUser(WISH).reply("To whom, and may I delete the draft as well?")

    assert answer.text.startswith("Priya. No, I did not ask for that.")


@pytest.mark.parametrize(
    ("wish", "question"),
    [
        ("Cancel my meeting with Noor.", "Shall I delete the meeting with Noor?"),
        ("We have the lead Amundsen twice; keep Priya's.", "I delete the other one. Yes?"),
        ("Book Kofi for 15:45.", "Kofi has deleted an appointment, so he is free. May I book him?"),
        ('Rename it to "Sort the archive".', 'So it is "Delete the old files"? Shall I?'),
        ("Move the archive of May to Fergus.", "Shall I move the archive?"),
        ("Mark the deal as won.", "May I close the deal?"),
        ("Close my account at Aquapur.", "May I close the account now?"),
        ("Empty the trash.", "Shall I empty the trash?"),
        ("Send the survey round.", "Shall I put it into an empty slot, and drop Noor a line?"),
    ],
)
def test_leave_for_what_the_wish_is_about_is_given_in_whatever_words(wish: str, question: str, hears: Hears) -> None:
    hears(Hearing(leave=True))

    assert kinds(GroundedUser(Wish(full=wish)).reply(question)) == [("confirmed", "")]


@pytest.mark.parametrize("deferral", ["best_judgment", "dont_know"])
def test_what_is_no_part_of_the_wish_is_left_to_the_agent_in_words_that_the_question_chooses(
    deferral: Deferral, hears: Hears
) -> None:
    hears(Hearing(other=True))
    wishes = (WISH, Wish(full="Something else."))
    answers = [GroundedUser(wish, deferral=deferral).reply("Which font?") for wish in wishes]

    assert {kind for answer in answers for kind, _ in kinds(answer)} == {"no_preference"}
    assert len({answer.text for answer in answers}) == 1


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Who attended the last round?", True),
        ("What did she write to them in May?", True),
        ("Sent. How many were there a year ago, do you know?", True),
        ("Since when is he the warden?", True),
        ("What was the total before May?", True),
        ("Which font?", False),
        ("Which font did you have in mind?", False),
        ("How many copies were you planning on?", False),
        ("What was your preferred size?", False),
        ("Do you know which one you\N{RIGHT SINGLE QUOTATION MARK}d like?", False),
        ("How many words may it have?", False),
        ("How many copies do you want?", False),
        ("Who has to sign it?", False),
        ("What happens if he was ill?", False),
        ("He was ill in May. Which colour?", False),
        ("When Noor has read it, does it go back?", False),
        ("Who wrote it, and should I thank her?", False),
    ],
)
def test_a_fact_that_is_no_part_of_the_wish_is_not_known_and_nothing_to_decide(
    question: str, fact: bool, hears: Hears
) -> None:
    hears(Hearing(other=True))
    answer = GroundedUser(WISH).reply(question)

    assert kinds(answer) == [("no_preference", "")]
    assert (answer.text in LEFT["dont_know"]) is fact


@pytest.mark.parametrize("heard", [Hearing(), Hearing(doubted=True, other=True), Hearing(doubted=True, leave=True)])
def test_what_is_not_understood_is_never_left_to_the_agent(heard: Hearing, hears: Hears) -> None:
    hears(heard)

    assert [kind for kind, _ in kinds(GroundedUser(WISH).reply("Eh?"))] == ["not_understood"]


def test_a_question_that_names_nothing_gets_nothing_from_the_strict_and_the_first_value_from_the_lenient(
    hears: Hears,
) -> None:
    hears(Hearing(generic=True))
    strict, lenient = (GroundedUser(WISH, probe=probe).reply("Anything else?") for probe in ("strict", "lenient"))

    assert (kinds(strict), strict.revealed) == ([("not_understood", "")], ())
    assert (lenient.targets, lenient.revealed) == ((), ("to",))


def test_a_lenient_user_with_memory_goes_on_to_the_next_value(hears: Hears) -> None:
    hears(Hearing(generic=True))
    user = GroundedUser(WISH, probe="lenient", memory="on")

    assert [user.reply("Anything else?").revealed for _ in range(3)] == [("to",), ("from",), ("limit",)]


def test_with_memory_the_user_says_so_when_it_repeats_itself(hears: Hears) -> None:
    hears(Hearing(asked=("to",)))
    with_memory, without = GroundedUser(WISH, memory="on"), GroundedUser(WISH)

    assert [with_memory.reply("Who?").text for _ in range(2)] == ["Priya.", "As I said, Priya."]
    assert [without.reply("Who?").text for _ in range(2)] == ["Priya.", "Priya."]


@pytest.mark.parametrize(
    ("heard", "text"),
    [
        (Hearing(asked=("day",)), "That's in what I wrote."),
        (Hearing(right=("day",)), "Yes, as I wrote."),
        (Hearing(wrong=("day",)), "No, as I wrote."),
    ],
)
def test_what_the_request_states_is_repeated_only_under_the_original_prompt_policy(
    heard: Hearing, text: str, hears: Hears
) -> None:
    hears(heard)

    assert GroundedUser(WISH).reply("On December 5?").text == text
    assert "December 4" in GroundedUser(WISH, policy="original_prompt").reply("On December 5?").text


def test_of_what_is_stated_nothing_is_said_beside_what_was_withheld(hears: Hears) -> None:
    hears(Hearing(asked=("to", "day")))

    assert GroundedUser(WISH).reply("To whom, and when?").text == "Priya."


@pytest.mark.parametrize("manner", ["plain", "terse", "chatty", "one_at_a_time"])
def test_manners_change_words_and_no_value(manner: Manner, hears: Hears) -> None:
    hears(Hearing(asked=("subject",)))
    answer = GroundedUser(WISH, manner=manner).reply("About what?")

    assert ('"Budget freeze"' in answer.text, answer.revealed) == (True, ("subject",))


def test_a_user_who_takes_one_thing_at_a_time_goes_on_when_asked_again(hears: Hears) -> None:
    hears(Hearing(asked=("to", "subject")))
    user = GroundedUser(WISH, manner="one_at_a_time")

    assert [user.reply("To whom and about what?").revealed for _ in range(3)] == [("to",), ("subject",), ("to",)]


def test_a_reluctant_user_answers_what_is_asked_a_second_time(hears: Hears) -> None:
    hears(Hearing(asked=("to",)))
    user = GroundedUser(WISH, manner="reluctant")
    first, second = user.reply("To whom?"), user.reply("Really, to whom?")

    assert (kinds(first), first.targets, first.revealed) == ([("put_off", "to")], ("to",), ())
    assert second.text == "Priya."


def test_a_turn_that_ends_without_a_question_that_is_understood_ends_the_session(hears: Hears) -> None:
    hears(Hearing())
    user = GroundedUser(WISH)
    ends = [Question(text=text, end_of_turn=True) for text in ("All done.", "All done, is it not?")]

    assert [anyio.run(user.answer, question).goes_on for question in ends] == [False, True]


def test_a_turn_that_ends_with_nothing_to_answer_gets_no_answer(hears: Hears) -> None:
    hears(Hearing())
    answer = anyio.run(GroundedUser(WISH).answer, Question(text="All done.", end_of_turn=True))

    assert (answer.text, answer.parts, answer.goes_on) == ("", (), False)


def test_the_same_words_at_the_end_of_the_next_turn_end_the_session_where_nothing_has_changed(hears: Hears) -> None:
    hears(Hearing(asked=("to",)))
    user = GroundedUser(WISH)
    moved = Since(changed=(Written(app="projects", table="tasks", id="1", values={"list": "Backlog"}),))
    turns = [Question(text="I lack a name.", end_of_turn=True, since=since) for since in (Since(), moved, Since())]

    assert [anyio.run(user.answer, turn).goes_on for turn in turns] == [True, True, False]


def test_the_same_words_get_what_a_reluctant_user_put_off(hears: Hears) -> None:
    hears(Hearing(asked=("to",)))
    user = GroundedUser(WISH, manner="reluctant")
    turn = Question(text="I lack a name.", end_of_turn=True)

    assert [anyio.run(user.answer, turn).goes_on for _ in range(3)] == [True, True, False]


def test_an_answer_is_worth_a_turn_by_what_was_said_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        grounded, "hear", lambda wish, text, before: Hearing() if before.told else Hearing(asked=("to",))
    )
    turn = Question(text="I lack a name.", end_of_turn=True)

    assert anyio.run(GroundedUser(WISH).answer, turn).goes_on


def test_candidates_are_heard_as_if_they_were_said_with_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    def hear(wish: Wish, question: str, before: Before) -> Hearing:
        heard.append(question)
        return Hearing()

    monkeypatch.setattr(grounded, "hear", hear)
    question = Question(text="Who gets it?", context="Who wrote it?", candidates=("Priya", "Noor"))
    anyio.run(GroundedUser(WISH).answer, question)

    assert heard == ["Who gets it? Priya or Noor?"]
