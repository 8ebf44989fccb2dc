"""Whether what is said at the end of work asks for anything, and whether a value in it is the right one."""

from __future__ import annotations

import anyio
import pytest

from servers.kernel import Question
from userssim.grounded import GroundedUser
from userssim.hearing.closing import closes
from userssim.wish import Known, Wish

SWAP = Wish(
    full="Dario is off sick. Give his overdue tasks on the Design board to Noor, due March 20.",
    sent="Somebody is off sick. Give the overdue tasks on the Design board to a colleague, due some day.",
    withheld=(
        Known(id="owner", kind="person", role="owner", value="Dario"),
        Known(id="assignee", kind="person", role="assignee", value="Noor"),
        Known(id="due", kind="due_date", role="due date", value="March 20"),
    ),
    stated=(Known(id="board", kind="board", value="Design"),),
)
REPLY = Wish(
    full='Answer the latest mail from Sander with "Fine by me."',
    sent="Answer the latest mail from Sander.",
    withheld=(Known(id="body", kind="body", value="Fine by me."),),
    stated=(Known(id="sender", kind="person", role="sender", value="Sander"),),
)


@pytest.mark.parametrize(
    "text",
    [
        "Done.",
        "I have nothing to add.",
        "There is nothing left to do.",
        "I've reassigned the overdue tasks.",
        "The tasks have been moved. Let me know if you need anything else!",
        "Sent. Is there anything else I can do for you?",
        "Thanks for the quick answer.",
        "All set. Have a good weekend!",
        "**Done**\n\n- The tasks were reassigned.\n- The due date has been set.",
    ],
)
def test_reports_and_formulas_close(text: str) -> None:
    assert closes(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is the due date? Thanks!",
        "I've opened the board, and I need a name.",
        "The tasks are moved, but the due date is missing.",
        "Done so far. Let me know the new owner.",
        "I have no means of telling whose tasks you mean.",
        "The card is complete except for its deadline.",
        "I stopped before the end. I do not know the due date that you have in mind.",
        "I would give them to Noor.",
        "Anything else, or is it Noor?",
    ],
)
def test_what_asks_or_leaves_a_gap_does_not_close(text: str) -> None:
    assert not closes(text)


@pytest.mark.parametrize("wish", [SWAP, REPLY])
@pytest.mark.parametrize(
    "text", ["I have nothing to add.", "Everything is done.", "The changes have been saved.", "I've sent the reply."]
)
def test_an_end_that_asks_for_nothing_ends_the_session_and_is_told_nothing(wish: Wish, text: str) -> None:
    answer = anyio.run(GroundedUser(wish).answer, Question(text=text, end_of_turn=True))

    assert (answer.goes_on, answer.revealed) == (False, ())


@pytest.mark.parametrize(
    ("wish", "text", "id"),
    [
        (SWAP, "I've set the due date to March 27.", "due"),
        (SWAP, "I gave Dario's tasks to Kofi.", "assignee"),
        (REPLY, 'I answered Sander with "No way."', "body"),
    ],
)
def test_another_value_in_a_report_is_corrected(wish: Wish, text: str, id: str) -> None:
    answer = anyio.run(GroundedUser(wish).answer, Question(text=text, end_of_turn=True))

    assert answer.goes_on
    assert ("corrected", id) in [(part.kind, part.target) for part in answer.parts]


def test_the_right_value_in_a_report_is_confirmed_and_ends_the_session() -> None:
    answer = anyio.run(GroundedUser(SWAP).answer, Question(text="The due date was set to March 20.", end_of_turn=True))

    assert ([(part.kind, part.target) for part in answer.parts], answer.goes_on) == ([("confirmed", "due")], False)


def test_a_question_in_words_of_a_lack_gets_its_answer_at_the_end_of_a_turn() -> None:
    text = "I stopped before the end. I do not know the due date that you have in mind."
    answer = anyio.run(GroundedUser(SWAP).answer, Question(text=text, end_of_turn=True))

    assert (answer.revealed, answer.goes_on) == (("due",), True)
