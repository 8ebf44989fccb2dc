"""The action, and its parameters."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.probe.records import Action, Parameter, ParamsSchema, Sample
from benchmarks.probe.scoring.answers import Answer
from benchmarks.probe.scoring.execution import execution, execution_questions, falls_short, ungrounded
from tests.probe.scoring.toys import PARAMETERS, RIGHT, answer, sample


def one(kind: Any, gold: Any) -> Sample:
    """The sample with a single critical parameter, `it`."""
    schema = ParamsSchema(properties={"it": Parameter(kind=kind, critical=True)})
    action = Action(id="ask", type="request_access", description="Ask.", params_schema=schema)
    return sample(parameters={"it": gold}, mentions={}).model_copy(update={"actions": (action,)})


def verdict(kind: Any, gold: Any, said: Any) -> str | None:
    return execution(one(kind, gold), Answer(action="ask", parameters={"it": said}), {}, paper=True).verdicts["it"]


def test_the_right_action_with_all_that_counts_is_one() -> None:
    found = execution(sample(), RIGHT, {})

    assert found.verdicts == dict.fromkeys(["decider", "object", "reference", "by", "message"], "correct")
    assert (found.right_action, found.score, found.score_at_half, found.ungrounded) == (True, 1, 1, ())


@pytest.mark.parametrize("given", [None, answer(action=None), answer(action="wait"), answer(action="unheard-of")])
def test_a_wrong_action_or_none_is_zero(given: Answer | None) -> None:
    found = execution(sample(), given, {})

    assert (found.right_action, found.score, found.score_at_half, found.verdicts) == (False, 0, 0, {})


@pytest.mark.parametrize(
    ("changed", "score", "at_half"),
    [
        ({"urgency": "low"}, 1, 1),  # not critical
        ({"by": None}, 0.5, 0.5),  # 4 of 5 are 80%
        ({"by": "2025-06-13"}, 0.5, 0.5),
        ({"message": "Please open it."}, 0.5, 0.5),
        ({"by": None, "message": None}, 0, 0.5),  # 3 of 5 are 60%
        ({"by": None, "message": None, "object": None}, 0, 0),  # 2 of 5 are 40%
        ({"decider": "Eva Løvås"}, 0, 0),  # a wrong person
        ({"decider": None}, 0.5, 0.5),  # nobody is no wrong person
        ({"reference": "RQ-8"}, 0, 0),  # a wrong thing
    ],
)
def test_some_parameters_right_come_to_half_or_nothing(changed: dict[str, Any], score: float, at_half: float) -> None:
    found = execution(sample(), answer(parameters=changed), {})

    assert (found.score, found.score_at_half) == (score, at_half)


@pytest.mark.parametrize(
    ("kind", "gold", "said", "expected"),
    [
        ("person", "Ada Berg", "ada.berg@quarry.example", "correct"),
        ("person", "Ada Berg <ada.berg@quarry.example>", "Ada", "correct"),
        ("person", "Ada Berg", "Ada Fox", "incorrect"),
        ("person", "Ada Berg", "Ada Berg or Ada Fox", "incorrect"),
        ("people", ["Ada Berg", "Cem Dal"], ["cem@quarry.example", "Ada"], "correct"),
        ("people", ["Ada Berg", "Cem Dal"], ["Ada Berg"], "incorrect"),
        ("people", ["Ada Berg"], ["Ada Berg", "Eva Løvås"], "incorrect"),
        ("people", ["Ada Berg"], "Ada Berg", "correct"),
        ("date", "2025-06-12", "12 June 2025", "correct"),
        ("date", "2025-06-12", "2025-06-13", "incorrect"),
        ("date", "2025-06-12", "next Thursday", None),
        ("id", "RQ-7", "rq7", "correct"),
        ("id", "RQ-7", "RQ-7 and RQ-8", None),
        ("id", "RQ-7", "RQ-70", "incorrect"),
        ("enum", "high", "High", "correct"),
        ("enum", "high", "urgent", "incorrect"),
        ("amount", 12500, "EUR 12,500.00", "correct"),
        ("amount", "12.5", 12.5, "correct"),
        ("amount", 12500, "12,600", "incorrect"),
        ("text", "the drawing archive", "The drawing archive.", "correct"),
        ("text", "the drawing archive", "the archive that has drawings", None),
        ("text", "x", "", "missing"),
        ("person", "Ada Berg", None, "missing"),
    ],
)
def test_a_value_is_the_same_however_it_is_written(kind: Any, gold: Any, said: Any, expected: str | None) -> None:
    assert verdict(kind, gold, said) == expected


def test_a_text_has_to_name_what_the_key_says_under_any_alias() -> None:
    said = "Cem needs the drawing archive for the kiln price list."

    assert execution(sample(), answer(parameters={"message": said}), {}).verdicts["message"] == "correct"


def test_an_open_parameter_is_a_question_and_a_judge_settles_it() -> None:
    key = one("text", "the drawing archive")
    given = Answer(action="ask", parameters={"it": "the archive that has drawings"})
    (asked,) = execution_questions(key, given)

    assert (asked.about, asked.gold, asked.said) == (
        "parameter.it",
        "the drawing archive",
        "the archive that has drawings",
    )
    assert execution(key, given, {}).score is None
    assert execution(key, given, {"parameter.it": "correct"}).score == 1
    assert execution(key, given, {"parameter.it": "incorrect"}).score == 0
    assert execution_questions(key, answer(action="wait")) == []


def test_parameters_that_nobody_could_have_read_leave_execution_unscored_but_for_the_paper() -> None:
    key = sample(parameters={**PARAMETERS, "reference": "ZZ-9", "by": "2025-07-01"})
    given = answer(parameters={"reference": "ZZ-9", "by": "2025-07-01"})

    assert ungrounded(key) == ("reference", "by")
    assert (execution(key, given, {}).score, execution(key, given, {}).ungrounded) == (None, ("reference", "by"))
    assert execution(key, given, {}, paper=True).score == 1


@pytest.mark.parametrize("given", [None, answer(action=None), answer(action="wait")])
def test_a_wrong_action_on_an_ungrounded_sample_is_unscored_as_the_right_one_is(given: Answer | None) -> None:
    key = sample(parameters={**PARAMETERS, "reference": "ZZ-9"})
    found = execution(key, given, {})

    assert (found.right_action, found.score, found.score_at_half) == (False, None, None)
    assert found.ungrounded == ("reference",)
    assert execution(key, given, {}, paper=True).score == 0


@pytest.mark.parametrize(("paper", "asked"), [(False, []), (True, ["parameter.it"])])
def test_of_an_ungrounded_sample_no_judge_is_asked_what_would_not_count(paper: bool, asked: list[str]) -> None:
    key = one("text", "the drawing archive")
    key = key.model_copy(update={"gold": key.gold.model_copy(update={"parameters": {"it": "x", "channel": "chat"}})})
    given = Answer(action="ask", parameters={"it": "the archive", "channel": "chat"})

    assert [each.about for each in execution_questions(key, given, paper=paper)] == asked
    assert falls_short(key, given, paper=paper) is paper


def test_a_parameter_that_the_action_does_not_take_is_one_that_nobody_could_give() -> None:
    assert ungrounded(sample(parameters={**PARAMETERS, "channel": "chat"})) == ("channel",)


def test_an_action_without_critical_parameters_needs_no_more_than_being_chosen() -> None:
    key = sample(action="wait", parameters={}, mentions={})

    assert execution(key, Answer(action="wait"), {}).score == 1


def test_of_a_control_doing_nothing_is_right() -> None:
    key = sample(action=None, parameters={}, mentions={})

    assert execution(key, Answer(), {}).score == 1
    assert execution(key, RIGHT, {}).score == 0
    assert execution(key, None, {}).score == 0
