from __future__ import annotations

import anyio
import pytest

from servers.kernel import Answer, Question, User, UserFault
from userssim.first.grounded import Deferral, GroundedUser
from userssim.scripted import ScriptedUser
from userssim.wish import Known, Wish

TO = Known(id="to", kind="person", role="recipient", value="Priya")
SUBJECT = Known(id="subject", kind="subject", value="Budget freeze")
DAY = Known(id="day", kind="date", value="December 4")
WISH = Wish(
    full="On December 4, send Priya an email with the subject 'Budget freeze'.",
    sent="On December 4, send an email.",
    withheld=(TO, SUBJECT),
    stated=(DAY,),
)


def ask(user: User, text: str) -> Answer:
    return anyio.run(user.answer, Question(text=text))


def test_a_question_reveals_what_it_asks_for_and_nothing_else() -> None:
    answer = ask(GroundedUser(WISH), "Who is the recipient?")

    assert answer == Answer(text="The recipient is Priya.", targets=("to",), revealed=("to",))


def test_a_compound_question_reveals_what_it_names() -> None:
    answer = ask(GroundedUser(WISH), "Who should get it, and what is the subject?")

    assert answer.text == 'The recipient is Priya. The subject is "Budget freeze".'
    assert answer.revealed == ("to", "subject")


def test_the_part_of_a_compound_question_that_is_not_withheld_is_deferred() -> None:
    answer = ask(GroundedUser(WISH, deferral="dont_know"), "Who is the recipient, and which font do you like?")

    assert answer.revealed == ("to",)
    assert answer.text != "The recipient is Priya."


def test_a_right_guess_is_confirmed_and_a_wrong_one_corrected() -> None:
    user = GroundedUser(WISH)

    assert ask(user, "Should I send it to Priya?").text == "Yes, the recipient is Priya."
    assert ask(user, "Should I send it to Carlos?").text == "The recipient is Priya."


@pytest.mark.parametrize("deferral", ["best_judgment", "dont_know"])
def test_a_deferral_is_worded_by_the_question_alone(deferral: Deferral) -> None:
    other = Wish(full="...", withheld=(Known(id="x", kind="board", value="Design"),))
    users = [GroundedUser(wish, deferral=deferral) for wish in (WISH, other)]

    texts = {ask(user, "Which font should I use?").text for user in users}

    assert len(texts) == 1


def test_a_generic_probe_reveals_nothing_to_the_strict_and_the_first_fact_to_the_lenient() -> None:
    strict = ask(GroundedUser(WISH, probe="strict"), "Am I missing anything?")
    lenient = ask(GroundedUser(WISH, probe="lenient"), "Am I missing anything?")

    assert (strict.targets, strict.revealed) == ((), ())
    assert (lenient.targets, lenient.revealed) == ((), ("to",))


def test_a_lenient_user_with_memory_goes_on_to_the_next_fact() -> None:
    user = GroundedUser(WISH, probe="lenient", memory="on")

    given = [ask(user, "Is anything missing?").revealed for _ in range(3)]

    assert given == [("to",), ("subject",), ()]


def test_without_memory_the_same_question_gets_the_same_answer() -> None:
    user = GroundedUser(WISH)

    assert ask(user, "Who is the recipient?") == ask(user, "Who is the recipient?")


def test_with_memory_it_says_that_it_said_so() -> None:
    user = GroundedUser(WISH, memory="on")

    ask(user, "Who is the recipient?")

    assert ask(user, "Who is the recipient?").text == "As I said, the recipient is Priya."


def test_facts_that_the_request_states_are_repeated_only_under_the_original_prompt_policy() -> None:
    segments, original = GroundedUser(WISH), GroundedUser(WISH, policy="original_prompt")

    assert "December 4" not in ask(segments, "What date is it?").text
    assert ask(original, "What date is it?") == Answer(text="The date is December 4.")


def test_the_context_of_a_question_asks_for_nothing() -> None:
    answer = anyio.run(GroundedUser(WISH).answer, Question(text="May I go on?", context="Who is the recipient?"))

    assert answer.revealed == ()


def test_a_kind_without_cues_is_recognised_by_its_own_words() -> None:
    wish = Wish(full="...", withheld=(Known(id="x", kind="shipping_method", value="sea freight"),))

    assert ask(GroundedUser(wish), "Which shipping method do you want?").text == "The shipping method is sea freight."


def test_a_role_without_cues_is_recognised_by_its_own_words() -> None:
    wish = Wish(full="...", withheld=(Known(id="x", kind="person", role="chair", value="Omar"),))

    assert ask(GroundedUser(wish), "Who is the chair?").revealed == ("x",)


def test_two_persons_of_different_roles_are_told_apart() -> None:
    sender = Known(id="from", kind="person", role="sender", value="Tomas")
    user = GroundedUser(Wish(full="...", withheld=(sender, TO)))

    assert ask(user, "Who sent it?").revealed == ("from",)
    assert ask(user, "Who should I send it to?").revealed == ("to",)


def test_a_script_is_read_out_in_order_and_running_out_is_a_fault() -> None:
    user = ScriptedUser(["Priya.", "Tomorrow."])

    assert [ask(user, "?").text for _ in range(2)] == ["Priya.", "Tomorrow."]
    with pytest.raises(UserFault, match="holds 2 answers"):
        ask(user, "And then?")


@pytest.mark.parametrize(
    ("request_", "question", "person"),
    [
        ("Noor is on leave. Give their tasks to Bjorn.", "Who is on leave?", "Noor"),
        ("We need to relieve Noor. Their tasks go to Bjorn.", "Who do we need to relieve?", "Noor"),
        ("Bjorn helps Noor out with the tasks.", "Who will help Noor?", "Bjorn"),
        ("Noor needs what Bjorn wrote.", "Who needs these mails?", "Noor"),
        ("Noor has too much to do. Bjorn takes the tasks.", "Who has too much to do?", "Noor"),
    ],
)
def test_a_person_is_told_by_what_the_request_says_of_them(request_: str, question: str, person: str) -> None:
    facts = tuple(Known(id=n, kind="person", role=r, value=n) for n, r in (("Noor", "owner"), ("Bjorn", "assignee")))

    assert ask(GroundedUser(Wish(full=request_, withheld=facts)), question).revealed == (person,)


def test_who_did_something_else_is_not_told() -> None:
    wish = Wish(full="Noor is on leave.", withheld=(Known(id="x", kind="person", role="owner", value="Noor"),))

    assert ask(GroundedUser(wish), "Who approved that?").revealed == ()
