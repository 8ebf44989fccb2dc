"""The user who holds intents back: what each hand-over settles, what is told, and when a session ends."""

from __future__ import annotations

import subprocess
import sys

import anyio
import pytest

from servers.kernel import Answer, Intent, Opening, Part, Partner, Question, Since, Turn, UserFault
from tests.pi.talking import BASIS, FACTS, INTENTS, NAMING, SEVERITY, did, done, ended, said, talk, wrote
from userssim.intents.protocol import IntentUser, assigned
from userssim.intents.rules import Rules

IDS = [intent.id for intent in INTENTS]


def test_what_a_statement_acts_on_is_completed_and_the_next_one_is_told() -> None:
    (answer,) = talk(ended("The curve is built on ACT/365F."))

    assert said(answer) == [("confirmed", "basis"), ("given", "severity")]
    assert (answer.text, answer.goes_on) == (SEVERITY.says, True)
    assert assigned(IDS, [answer]) == {"basis": "completed", "severity": "provided", "naming": "open"}


def test_what_is_written_is_completed() -> None:
    (answer,) = talk(ended("Done.", wrote("naming", name="2026-04-14_curve_v1.csv")))

    assert assigned(IDS, [answer])["naming"] == "completed"


def test_a_question_is_no_act() -> None:
    (answer,) = talk(ended("Should the curve be ACT/365F?"))

    assert assigned(IDS, [answer]) == {"basis": "provided", "severity": "open", "naming": "open"}


def test_all_that_a_message_asks_for_is_told_in_the_order_of_the_list() -> None:
    (answer,) = talk(ended("What is the file name to be? And which day count do you use?"))

    assert answer.text == f"{BASIS.says}\n{NAMING.says}"
    assert answer.targets == answer.revealed == ("basis", "naming")
    assert assigned(IDS, [answer]) == {"basis": "inferred", "severity": "open", "naming": "inferred"}


def test_where_nothing_is_asked_for_the_first_that_is_left_is_told() -> None:
    answers = talk(ended("I am on it."), ended("Still on it."), ended("On it."))

    assert [answer.text for answer in answers] == [intent.says for intent in INTENTS]
    assert [answer.targets for answer in answers] == [(), (), ()]
    assert set(assigned(IDS, answers).values()) == {"provided"}


def test_after_the_last_intent_was_told_the_agent_has_a_turn_and_then_the_session_ends() -> None:
    *answers, last = talk(*[ended("I am on it.")] * 4)

    assert [answer.goes_on for answer in answers] == [True] * 3
    assert last == Answer(text="", goes_on=False)


def test_a_session_without_intents_ends_with_the_first_turn() -> None:
    assert talk(ended("Which day count?"), intents=()) == [Answer(text="", goes_on=False)]


def test_what_is_acted_on_and_asked_for_at_once_is_completed() -> None:
    (answer,) = talk(ended("It is ACT/365F. Is that the day count that you use?"))

    assert said(answer) == [("confirmed", "basis"), ("given", "basis"), ("given", "severity")]
    assert assigned(IDS, [answer])["basis"] == "completed"


def test_a_question_about_a_settled_intent_is_answered_without_a_status_and_one_more_is_told() -> None:
    first, second = talk(ended("Hm."), ended("Which day count was it again?"))

    assert second.text == f"{BASIS.says}\n{SEVERITY.says}"
    assert (second.targets, second.revealed) == (("basis",), ("basis", "severity"))
    assert assigned(IDS, [first, second]) == {"basis": "provided", "severity": "provided", "naming": "open"}


def test_a_fact_is_answered_verbatim_and_one_more_is_told() -> None:
    (answer,) = talk(ended("When does the committee meet?"))

    assert answer.text == f"{FACTS[0].says}\n{BASIS.says}"
    assert assigned(IDS, [answer])["basis"] == "provided"


def test_beside_what_is_asked_for_a_fact_is_answered_and_nothing_more_is_told() -> None:
    (answer,) = talk(ended("When does the committee meet, and is there a severity scale?"))

    assert answer.text == f"{SEVERITY.says}\n{FACTS[0].says}"
    assert assigned(IDS, [answer]) == {"basis": "open", "severity": "inferred", "naming": "open"}


def test_a_question_in_a_call_is_a_hand_over() -> None:
    answers = talk(Question(text="Which day count do you use?"), Question(text="Shall I go on?"))

    assert [answer.text for answer in answers] == [BASIS.says, SEVERITY.says]
    assert assigned(IDS, answers) == {"basis": "inferred", "severity": "provided", "naming": "open"}


def test_candidates_are_part_of_a_question_and_no_act() -> None:
    (answer,) = talk(Question(text="Which day count?", candidates=("ACT/365F", "ACT/360")))

    assert assigned(IDS, [answer])["basis"] == "inferred"


def test_a_question_in_a_call_settles_what_was_done_before_it() -> None:
    (answer,) = talk(Question(text="Which file name?", since=Since(changed=(wrote("basis", text="ACT/365F"),))))

    assert assigned(IDS, [answer]) == {"basis": "completed", "severity": "open", "naming": "inferred"}


def test_with_nothing_left_a_question_in_a_call_gets_a_settled_answer_or_none() -> None:
    one = (BASIS,)
    *_, again, other = talk(
        ended("Hm."), Question(text="Which day count?"), Question(text="Which colour?"), intents=one
    )

    assert (again.text, again.parts[0].kind) == (BASIS.says, "given")
    assert (other.text, other.parts) == ("Nothing more from me, thank you.", ())


def shown(*questions: Question) -> list[Turn]:
    """What the decider is shown of these hand-overs."""
    turns: list[Turn] = []

    def never(intent: Intent, turn: Turn) -> bool:
        if turn not in turns:
            turns.append(turn)
        return False

    talk(*questions, done=never)
    return turns


def test_a_hand_over_shows_what_was_done_since_the_one_before() -> None:
    asking = "Is it done?"
    question = Question(text=asking, since=Since(calls=(did("read"),), changed=(wrote("a", n=1), wrote("b", n=1))))
    asked = did("ask", question=asking)
    after = ended("Done.", wrote("a", n=2), wrote("b", n=1), calls=(did("read"), asked, did("write")))
    first, last = shown(question, after)

    assert ([call.tool for call in first.since.calls], [row.id for row in first.since.changed]) == (
        ["read"],
        ["a", "b"],
    )
    assert [call.tool for call in last.since.calls] == ["write"], "neither what was heard of nor the question itself"
    assert last.since.changed == (wrote("a", n=2),)
    assert [call.tool for call in last.so_far.calls] == ["read", "write"]
    assert last.so_far.changed == (wrote("a", n=2), wrote("b", n=1))


def test_an_end_of_a_turn_is_what_the_next_one_counts_from() -> None:
    rows, calls = (wrote("a", n=1),), (did("write"),)
    first, last = shown(ended("A.", *rows, calls=calls), ended("B.", *rows, calls=calls))

    assert last.since == first.since
    assert (len(first.so_far.calls), len(last.so_far.calls)) == (1, 2)


def test_an_empty_last_turn_is_judged_by_what_was_done() -> None:
    (answer,) = talk(ended("", wrote("basis", text="ACT/365F")), intents=(BASIS,))

    assert (said(answer), answer.text, answer.goes_on) == ([("confirmed", "basis")], "", False)


def test_at_the_last_hand_over_acts_count_and_nothing_is_told() -> None:
    first, last = talk(ended("Hm."), ended("ok, files are YYYY-MM-DD_topic_vN. Which severity?"), hand_overs=2)

    assert (last.text, last.goes_on) == ("", False)
    assert assigned(IDS, [first, last]) == {"basis": "provided", "severity": "open", "naming": "completed"}


def test_behind_the_last_hand_over_nothing_counts() -> None:
    *_, last = talk(Question(text="Hm?"), Question(text="Hm?"), ended("YYYY-MM-DD_topic_vN."), hand_overs=2)

    assert last == Answer(text="", goes_on=False)


def test_a_session_has_thirty_hand_overs() -> None:
    many = tuple(Intent(id=f"i{n}", text="", says=f"{n}") for n in range(40))
    answers = talk(*[ended("I am on it.")] * 30, intents=many, done=lambda intent, turn: False)
    statuses = [*assigned([intent.id for intent in many], answers).values()]

    assert [answer.goes_on for answer in answers] == [True] * 29 + [False]
    assert (statuses.count("provided"), statuses.count("open")) == (29, 11)


def told(**settings: object) -> list[str]:
    many = tuple(Intent(id=f"i{n}", text="", says=f"i{n}") for n in range(8))
    return [answer.text for answer in talk(*[ended("On it.")] * 8, intents=many, done=lambda *_: False, **settings)]


def test_shuffled_intents_are_told_in_another_order_which_the_seed_decides() -> None:
    orders = [told(fallback="shuffled", seed=seed) for seed in (0, 0, 1)]

    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == told() != orders[0]


def test_what_is_asked_for_is_told_in_listed_order_even_where_the_rest_is_shuffled() -> None:
    (answer,) = talk(ended("Which file name, which severity, which day count?"), fallback="shuffled", seed=3)

    assert answer.targets == ("basis", "severity", "naming")


def test_the_order_is_the_same_in_every_process() -> None:
    code = "from tests.pi.test_user_protocol import told; print(told(fallback='shuffled', seed=5))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip

    assert runs == {f"{told(fallback='shuffled', seed=5)}\n"}


def test_each_session_has_its_own_intents() -> None:
    async def main() -> list[Answer]:
        user = IntentUser([(BASIS,), (NAMING,)], Rules(done))
        assert isinstance(user, Partner)
        found = []
        for number in (0, 1):
            await user.opens(Opening(number=number, now="2026-04-14T09:10:00", request="Go on."))
            found += [await user.answer(ended("Hm.")), await user.answer(ended("Hm."))]
        return found

    assert [answer.text for answer in anyio.run(main)] == [BASIS.says, "", NAMING.says, ""]


def test_what_was_done_in_an_earlier_session_is_there_to_be_seen_in_a_later_one() -> None:
    def written(intent: Intent, turn: Turn) -> bool:
        return any(row.id == intent.id for row in turn.so_far.changed)

    async def main() -> Answer:
        user = IntentUser([(BASIS,), (NAMING,)], Rules(written))
        await user.opens(Opening(number=0, now="2026-04-14T09:10:00", request="Go on."))
        await user.answer(ended("Done.", wrote("basis"), wrote("naming")))
        await user.opens(Opening(number=1, now="2026-04-15T09:10:00", request="Go on."))
        return await user.answer(ended("It stands like that already."))

    assert said(anyio.run(main)) == [("confirmed", "naming")]


@pytest.mark.parametrize(
    ("opening", "problem"),
    [
        (None, "no session has begun"),
        (Opening(number=1, now="", request="Go on."), "session 1 has no intents; they are of 1 sessions"),
        (Opening(number=0, now=""), "session 0 has no request"),
    ],
)
def test_a_session_that_the_user_does_not_know_is_a_fault(opening: Opening | None, problem: str) -> None:
    async def main() -> None:
        user = IntentUser([INTENTS], Rules(done))
        if opening:
            await user.opens(opening)
        await user.answer(ended("Hm."))

    with pytest.raises(UserFault, match=problem):
        anyio.run(main)


def test_two_intents_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="session 0 has two intents 'basis'"):
        IntentUser([(BASIS, BASIS)], Rules(done))


def test_a_record_of_another_session_is_refused() -> None:
    answer = Answer(text="", parts=(Part(kind="given", target="other"),))

    with pytest.raises(
        ValueError, match="an answer is about 'other'; the session's intents are basis, severity, naming"
    ):
        assigned(IDS, [answer])


def test_at_most_so_many_questions_are_answered_at_a_hand_over_those_of_open_intents_first() -> None:
    both = ended("What is the file name to be? And which day count do you use?")
    first, second = talk(both, both, most=1)

    assert (first.targets, second.targets) == (("basis",), ("naming",))
