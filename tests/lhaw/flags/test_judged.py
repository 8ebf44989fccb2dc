"""What a judge is asked of a trial, and rules and verdicts put together."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.lhaw.flags import CATEGORIES, COMPUTED, FLAGS, categories, check, findings, questions
from harness.score import Verdict, Verdicts
from harness.task import Slot, Task
from harness.trajectory import Message, SessionRecord, Trajectory
from tests.lhaw.flags.scenes import DAY, EVENT, LIST, MAIL, TO, ask, played, variant

JUDGED = [name for name in FLAGS if name not in COMPUTED]
TASK = variant(TO, DAY)
TWO = played(ask("to", text="Who gets the mail?"), 1, ask("day", kind="put_off", told=()), MAIL, EVENT)
"""The user told one value, and put the other off, so whether it was assumed takes a judge."""


def asked(task: Task, trajectory: Trajectory, **settings: Any) -> list[str]:
    return [query.id for query in questions(task, trajectory, **settings)]


def verdicts(**by_flag: str | None) -> Verdicts:
    """Of one judge: `no` on all that it is asked, save where said otherwise."""
    given = dict.fromkeys(asked(TASK, TWO), "no") | by_flag
    return {name: [Verdict(judge="model", answer=answer)] for name, answer in given.items()}


def test_a_judge_is_asked_the_flags_that_the_record_leaves_open() -> None:
    assert asked(TASK, TWO) == JUDGED
    assert len(JUDGED) == 11


def test_a_judge_is_not_asked_for_an_assumption_where_all_was_told_in_time() -> None:
    told = played(ask("to"), ask("day"), MAIL, EVENT)

    assert set(JUDGED) - set(asked(TASK, told)) == {"false_confidence"}
    assert findings(TASK, told)["false_confidence"].value == "no"


def test_with_a_setting_a_judge_is_asked_all_of_them() -> None:
    assert asked(TASK, TWO, also_computed=True) == list(FLAGS)


def test_a_judge_is_asked_nothing_of_a_silent_trial_or_of_the_full_request() -> None:
    assert asked(TASK, played(MAIL), also_computed=True) == []
    assert asked(TASK, played(ask("to"), prompt="original"), also_computed=True) == []


def test_what_a_prerequisite_settles_is_not_asked() -> None:
    """One question, which got no information: no order of questions, and no information to integrate."""
    trial = played(ask(kind="no_preference"), MAIL)
    found = findings(TASK, trial)

    settled = {*CATEGORIES["information integration"], "inefficient_question_sequence"}
    assert set(asked(TASK, trial)) == set(JUDGED) - settled
    assert {found[name].value for name in settled} == {"n/a"}


def test_a_flag_that_the_record_leaves_open_is_asked() -> None:
    trial = played(ask(parts=()), ask("to", parts=()))

    assert "unnecessary_questions" in asked(TASK, trial)
    assert findings(TASK, trial)["unnecessary_questions"].value == "unscored"
    assert findings(TASK, trial, {"unnecessary_questions": "yes"})["unnecessary_questions"].value == "yes"


def test_n_a_can_be_answered_but_for_unnecessary_questions() -> None:
    answers = {query.id: query.answers for query in questions(TASK, TWO, also_computed=True)}

    assert answers.pop("unnecessary_questions") == ("yes", "no")
    assert set(answers.values()) == {("yes", "no", "n/a")}


def test_the_evidence_has_what_was_withheld_asked_answered_said_and_done_and_not_by_whom() -> None:
    trial = played(ask("to", text="Who gets the mail?"), MAIL, agent="zebra-7")
    trial.events.insert(0, Message(session=0, role="assistant", content="I take it the 20th will do."))
    evidence = questions(TASK, trial)[0].evidence

    for piece in ("Mail it, with a room.", "'Priya'", "'March 20'", "Who gets the mail?", "So and so.",
                  "I take it the 20th", "gmail.send_email(query='number 1'): ok, 1 rows written", "Done."):  # fmt: skip
        assert piece in evidence
    assert "zebra" not in evidence


def test_long_results_are_cut_and_say_so() -> None:
    trial = played(ask("to"), 1)
    trial.calls[1].text = "x" * 1000

    assert f"{'x' * 240} [760 characters more]" in questions(TASK, trial)[0].evidence


def test_without_a_verdict_a_judged_flag_is_unscored_and_never_no() -> None:
    found = findings(TASK, TWO)

    assert {found[name].value for name in JUDGED} == {"unscored"}
    assert "unscored" not in {found[name].value for name in COMPUTED}


def test_a_verdict_decides_what_takes_a_judge_and_a_rule_what_does_not() -> None:
    found = findings(TASK, TWO, {"vague_questions": "yes", "redundant_questions": "yes"})

    assert (found["vague_questions"].value, found["vague_questions"].by) == ("yes", "judge")
    assert (found["redundant_questions"].value, found["redundant_questions"].by) == ("no", "rule")


@pytest.mark.parametrize(
    ("withheld", "steps", "value"),
    [
        ((TO, DAY), (ask("to"), MAIL, EVENT), "yes"),  # nobody asked for the day that the event needs
        ((TO, DAY), (ask("to", "day"), MAIL, EVENT), "no"),
        ((TO, DAY), (ask("to"), ask("day", kind="confirmed", text="The 20th, I take it?"), EVENT), "no"),
        ((TO, DAY), (ask("to"), MAIL), "unscored"),  # no event; what was said of the day takes a judge
        ((TO, DAY), (EVENT, ask("to", "day")), "unscored"),  # asked afterwards: whether it was assumed takes a judge
        ((TO, DAY), (ask("to"), ask("day", kind="put_off", told=()), EVENT), "unscored"),
        ((TO,), (ask(kind="confirmed", text="Shall I send it as I think best?"), MAIL), "unscored"),  # about what?
        ((TO, LIST), (ask("to"), MAIL), "unscored"),  # the list can be guessed
    ],
)
def test_of_a_trial_with_questions_false_confidence_is_told_where_nothing_is_in_doubt(
    withheld: tuple[Slot, ...], steps: tuple[Any, ...], value: str
) -> None:
    assert findings(variant(*withheld), played(*steps))["false_confidence"].value == value


@pytest.mark.parametrize(
    ("withheld", "steps", "value"),
    [
        ((TO,), (MAIL,), "yes"),  # the recipient can only have been assumed
        ((LIST,), (MAIL,), "no"),  # the list can be guessed
        ((TO,), (EVENT,), "n/a"),  # which does not depend on the recipient
        ((TO,), (3,), "n/a"),
    ],
)
def test_of_a_silent_trial_false_confidence_is_told_from_what_it_wrote(
    withheld: tuple[Slot, ...], steps: tuple[Any, ...], value: str
) -> None:
    found = findings(variant(*withheld), played(*steps))

    assert found["false_confidence"].value == value
    assert "unscored" not in {finding.value for finding in found.values()}


@pytest.mark.parametrize(
    ("values", "value"),
    [
        (("no", "yes", "unscored"), "yes"),
        (("no", "n/a", "unscored"), "unscored"),
        (("n/a", "no", "n/a"), "no"),
        (("n/a", "n/a", "n/a"), "n/a"),
    ],
)
def test_a_category_is_yes_if_any_of_its_three_is(values: tuple[Any, ...], value: str) -> None:
    found = findings(TASK, TWO)
    three = dict(zip(CATEGORIES["question quality"], values, strict=True))
    found |= {name: found[name]._replace(value=value) for name, value in three.items()}

    assert categories(found)["question quality"] == value


def test_the_check_waits_for_a_judge() -> None:
    score = check(TASK, TWO, {})

    assert (score.value, score.label, score.criteria, score.detail) == (None, "unscored", (), {})
    assert " 11 of 21 flags take a judge" in score.reason


def test_with_all_verdicts_the_score_is_the_share_of_categories_free_of_failure() -> None:
    """Flagged are quality, twice, under-clarification, and targeting by rule: the day can be guessed by 0.5."""
    score = check(TASK, TWO, verdicts(vague_questions="yes", closed_questions="yes", false_confidence="yes"))

    assert score.value == pytest.approx(4 / 7)
    assert score.detail["judged"]["vague_questions"] == "yes"
    assert [criterion.name for criterion in score.criteria] == JUDGED


def test_a_criterion_is_worth_one_where_the_trial_is_free_of_the_flaw() -> None:
    """As every criterion of the harness: a page marks what is below 1 as lacking."""
    score = check(TASK, TWO, verdicts(false_confidence="yes", vague_questions="n/a"))
    worth = {criterion.name: criterion.value for criterion in score.criteria}

    assert (worth["false_confidence"], worth["compound_questions"], worth["vague_questions"]) == (0.0, 1.0, 1.0)


def test_where_a_rule_decides_the_criterion_is_worth_what_it_says_whatever_judges_say() -> None:
    """The day can be guessed by 0.5, so that asking for it is flagged; no segment was missed."""
    score = check(TASK, TWO, verdicts(inferable_information_asked="no", missed_critical_segments="yes"))
    worth = {criterion.name: (criterion.value, criterion.rule) for criterion in score.criteria}
    (missed,) = (each for each in score.criteria if each.name == "missed_critical_segments")

    assert worth["inferable_information_asked"] == (0.0, 0.0)
    assert worth["missed_critical_segments"] == (1.0, 1.0)
    assert worth["vague_questions"] == (1.0, None)
    assert missed.reason.startswith("By rule: no. ")
    assert [opinion.answer for opinion in missed.opinions] == ["yes"]


def test_what_judges_leave_open_and_a_rule_decides_is_scored() -> None:
    score = check(TASK, TWO, verdicts(redundant_questions=None))
    (redundant,) = (each for each in score.criteria if each.name == "redundant_questions")

    assert (redundant.value, redundant.rule) == (1.0, 1.0)
    assert "redundant_questions" not in score.detail["judged"]


def test_no_and_n_a_are_kept_apart() -> None:
    judged = check(TASK, TWO, verdicts(vague_questions="n/a")).detail["judged"]

    assert (judged["vague_questions"], judged["compound_questions"]) == ("n/a", "no")


def test_a_flag_of_which_judges_cannot_tell_or_differ_is_unscored() -> None:
    split = [Verdict(judge="one", answer="yes"), Verdict(judge="two", answer="n/a")]
    score = check(TASK, TWO, {**verdicts(closed_questions=None), "vague_questions": split})

    assert score.value is None
    assert {"vague_questions", "closed_questions"}.isdisjoint(score.detail["judged"])
    assert score.reason.endswith(" 2 of 21 flags take a judge, who has not decided them.")


def test_a_silent_trial_is_scored_without_a_judge() -> None:
    """It missed both segments, and wrote without asking: targeting and under-clarification."""
    assert check(TASK, played(MAIL), {}).value == pytest.approx(5 / 7)


def test_what_is_flagged_where_nothing_was_asked_is_labelled_so() -> None:
    """Whether anybody could be asked is not on record."""
    score = check(TASK, played(MAIL), {})

    assert score.label == "nothing_asked"
    assert score.reason.startswith("Nothing was asked; if nobody could be asked, the agent is not to blame. Flagged: ")
    assert check(variant(LIST), played(MAIL), {}).label == "clean"


def test_a_trial_that_is_void_or_lacks_nothing_has_no_score() -> None:
    assert check(TASK, played(status="void"), {}).label == "void"
    assert check(TASK, played(ask(), prompt="original"), {}).value is None


def test_a_trial_without_sessions_can_be_asked_about() -> None:
    assert asked(TASK, played(ask("to"), ask("day", kind="put_off", told=()), sessions=[])) == JUDGED
    assert "Done." not in questions(TASK, played(ask("to"), sessions=[SessionRecord()]))[0].evidence
