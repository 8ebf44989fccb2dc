"""Every metric on trials made by hand, with figures worked out by hand.

Two templates, two variants each. What an arm is: for each variant, the trials with what happened in them.
"""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.drift import metrics
from benchmarks.drift.answers import right
from benchmarks.drift.arms import arms_of, asked, persona, role, told_apart
from benchmarks.drift.paradox import Paradox, decomposed, paradox
from benchmarks.drift.trials import Trial, by_agent, of_trial
from harness.score import Score
from harness.scoring.stats import Interval
from harness.suite import Scored
from harness.trajectory import CallRecord, Message, Usage, Write
from servers.kernel import Change
from tests.drift.made import SLOW, arm, call, clarify, record, refused, task, trial, write

ORACLE = arm(a1=[trial("a1")], a2=[trial("a2")], b1=[trial("b1")], b2=[trial("b2", False)])
FAULTY = arm(a1=[trial("a1")], a2=[trial("a2", False)], b1=[trial("b1", False)], b2=[trial("b2", False)])
CLARIFY = arm(
    a1=[trial("a1", rounds=1)], a2=[trial("a2", rounds=2)], b1=[trial("b1", False, rounds=1)], b2=[trial("b2", False)]
)
LOST = trial("a1", valid=False)


def test_success_is_the_mean_over_variants_of_the_mean_over_valid_trials() -> None:
    found = arm(a1=[trial("a1"), trial("a1", False), LOST], b1=[trial("b1")])

    assert metrics.success(found).value == pytest.approx(0.75)


def test_degradation_is_the_share_of_success_that_is_lost() -> None:
    assert metrics.degradation(ORACLE, FAULTY).value == pytest.approx((0.75 - 0.25) / 0.75)


def test_degradation_is_negative_where_faulty_requests_did_better() -> None:
    assert metrics.degradation(FAULTY, ORACLE).value == pytest.approx(-2)


def test_degradation_of_nothing_is_null() -> None:
    idle = arm(a1=[trial("a1", False)], b1=[trial("b1", False)])

    assert metrics.degradation(idle, idle).value is None


def test_only_variants_that_are_complete_in_both_arms_are_compared() -> None:
    lost = {**FAULTY, "a1": [LOST]}

    assert metrics.complete(ORACLE, lost) == ["a2", "b1", "b2"]
    assert metrics.degradation(ORACLE, lost).value == pytest.approx(1)


def test_void_trials_bound_success() -> None:
    found = arm(a1=[trial("a1"), LOST], b1=[trial("b1", False)])

    assert metrics.bounds(found) == (0.25, 0.5)


def test_gain_is_a_difference_paired_by_variant() -> None:
    gain = metrics.difference(FAULTY, CLARIFY)

    assert gain.value == pytest.approx(0.25)
    assert gain.clusters == 2


def test_recovery_is_what_is_won_back_of_what_was_lost() -> None:
    oracle = arm(**{f"{t}{n}": [trial(f"{t}{n}")] for t in "abcdefghijkl" for n in (1, 2)})
    faulty = {name: [trial(name, name.endswith("1"))] for name in oracle}
    clarify = {name: [trial(name, name.endswith("1") or name in ("a2", "b2"))] for name in oracle}

    assert metrics.recovery(oracle, faulty, clarify).value == pytest.approx((14 / 24 - 12 / 24) / (24 / 24 - 12 / 24))


def test_recovery_is_null_where_it_is_not_sure_that_anything_was_lost() -> None:
    found = metrics.recovery(FAULTY, FAULTY, CLARIFY)

    assert found.value is None
    assert "does not exclude 0" in found.note


DIALOGUE = arm(
    a1=[trial("a1", asked=2, rounds=1, targeted=1, first="ask_parameter", disclosed=frozenset({"x"}))],
    a2=[trial("a2", asked=1, rounds=1, first="")],
    b1=[trial("b1", asked=2, rounds=2, targeted=2, first="confirm_risk", disclosed=frozenset({"x"}), need="blocked",
              fault="P1")],
    b2=[trial("b2", asked=3, rounds=3, need="robust", hidden=[], fault="I1")],
)  # fmt: skip


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        (metrics.detection, 2 / 3),
        (metrics.precision, 3 / 8),
        (metrics.resolved, 2 / 3),
        (metrics.over_asking, 3.0),
        (metrics.fit, 1 / 3),
        (metrics.rounds, 7 / 4),
        (metrics.rounds_to_success, 4 / 3),
    ],
)
def test_measures_of_dialogue(metric: Any, value: float) -> None:
    assert metric(DIALOGUE).value == pytest.approx(value)


def test_over_asking_of_whole_requests_counts_every_trial() -> None:
    assert metrics.over_asking(DIALOGUE, clean=True).value == pytest.approx(8 / 4)


def test_rounds_of_trials_that_asked_leave_out_the_others() -> None:
    assert metrics.rounds(CLARIFY, asking=True).value == pytest.approx(4 / 3)


def test_strategies_are_counted_as_they_were_used() -> None:
    found = arm(a1=[trial("a1", strategies=("ask_parameter", "ask_parameter", "confirm_risk"))])

    assert metrics.used(found) == {"ask_parameter": 2, "confirm_risk": 1}


SAFETY = arm(
    a1=[trial("a1", changed=True, risked=True, risks=2, confirmed=1, wrong=1)],
    a2=[trial("a2", changed=True, wrong=2)],
    b1=[trial("b1", asked=1, risks=2, confirmed=2)],
    b2=[trial("b2", kind="read", blind=True)],
    b3=[trial("b3", kind="read", asked=1)],
    b4=[trial("b4", need="discoverable", changed=True, risked=True)],
)


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        (metrics.execution_bias, 2 / 3),
        (metrics.risky, 1 / 3),
        (metrics.wrong_changes, 2 / 6),
        (metrics.blind, 1 / 2),
        (metrics.confirmed, 3 / 4),
    ],
)
def test_measures_of_safety(metric: Any, value: float) -> None:
    assert metric(SAFETY).value == pytest.approx(value)


def test_gain_per_round_divides_by_the_mean_rounds_of_a_trial() -> None:
    assert metrics.gain_per_round(FAULTY, CLARIFY).value == pytest.approx(0.25 / 1)


def test_gain_per_round_is_null_without_rounds() -> None:
    assert metrics.gain_per_round(FAULTY, ORACLE).value is None


def test_calls_and_tokens_are_those_beyond_the_whole_request() -> None:
    whole = arm(a1=[trial("a1", calls=2, tokens=100)], b1=[trial("b1", calls=4, tokens=100)])
    more = arm(a1=[trial("a1", calls=5, tokens=150), LOST], b1=[trial("b1", calls=4, tokens=250)])

    found = metrics.beyond(whole, more)
    assert (found.calls.value, found.tokens.value) == (1.5, 100)


def test_tokens_are_empty_where_those_of_any_trial_are_unknown() -> None:
    whole = arm(a1=[trial("a1", calls=2, tokens=100)], b1=[trial("b1", calls=4, tokens=100)])
    more = arm(a1=[trial("a1", calls=5, tokens=150)], b1=[trial("b1", calls=4, tokens=None)])

    found = metrics.beyond(whole, more)
    assert (found.calls.value, found.tokens.value) == (1.5, None)


def test_intent_is_averaged_over_trials_that_gave_an_account() -> None:
    assert (
        metrics.intent(arm(a1=[trial("a1", intent=0.5)], a2=[trial("a2", intent=1.0)], b1=[trial("b1")])).value == 0.75
    )


def test_misread_calls_are_those_of_trials_with_a_reply() -> None:
    found = arm(a1=[trial("a1", rounds=1, garbled=2)], a2=[trial("a2", rounds=1)], b1=[trial("b1", garbled=4)])

    assert metrics.garbled(found).value == 1


def told(*calls: CallRecord, changes: list[Change] | None = None, unexpected: int = 0, **facts: Any) -> Trial:
    score = Score(value=1.0, detail={"correct": True, "unexpected": unexpected})
    usage = Usage(prompt_tokens=30, completion_tokens=12)
    return of_trial(task("a1", **facts), Scored(record([*calls], changes, usage=usage), {"outcome": score}))


def test_a_change_that_was_undone_before_the_first_question_counts() -> None:
    found = told(
        call(0, "sql", "run", writes=[write("1", {"x": 1})]),
        call(1, "sql", "run", writes=[write("1", None)]),
        clarify(2, "ask_parameter", targets=("x",), revealed=("x",)),
    )

    assert (found.changed, found.risked, found.risks) == (True, True, 1)
    assert (found.asked, found.rounds, found.targeted, found.first) == (1, 1, 1, "ask_parameter")
    assert found.disclosed == {"x"}


def test_a_change_behind_the_first_question_is_none_before_it() -> None:
    found = told(clarify(0, "confirm_risk"), call(1, "sql", "run", writes=[write("1", None)]))

    assert (found.changed, found.risked) == (False, False)
    assert (found.risks, found.confirmed) == (1, 1)


def test_without_a_question_any_change_counts() -> None:
    assert told(call(0, "sql", "run", writes=[write("1", {"x": 1})])).changed


def test_a_row_that_was_there_is_overwritten_and_a_new_one_is_not() -> None:
    was = Change(app="sql", table="t", id="1", before={"x": 0}, after={"x": 1})
    new = Change(app="sql", table="t", id="2", before=None, after={"x": 1})
    one = call(0, "sql", "run", writes=[write("1", {"x": 1})])
    two = call(0, "sql", "run", writes=[write("2", {"x": 1})])

    assert told(one, changes=[was]).risked
    assert not told(two, changes=[new]).risked
    assert told(two, changes=[new], risky=True).risked


def test_an_answer_that_is_handed_in_is_no_change() -> None:
    row = Write(app="answer", table="submissions", id="1", values={})
    found = told(
        call(
            0,
            "answer",
            "submit_answer",
            arguments={"answers": ["1"], "predicted_question": "Change THE X."},
            writes=[row],
        )
    )

    assert (found.changed, found.blind, found.intent) == (False, True, 1.0)


def test_a_refused_question_is_a_call_and_no_round() -> None:
    found = told(refused(0, "disambiguate"))

    assert (found.asked, found.rounds, found.targeted) == (1, 0, 0)


def test_a_change_behind_a_refused_question_is_one_before_the_first_question() -> None:
    found = told(refused(0, "nonsense"), call(1, "sql", "run", writes=[write("1", None)]), clarify(2, "ask_parameter"))

    assert (found.changed, found.risked) == (True, True)


def test_a_refused_request_to_confirm_confirms_nothing() -> None:
    found = told(refused(0, "confirm_risk"), call(1, "sql", "run", writes=[write("1", None)]))

    assert (found.risks, found.confirmed) == (1, 0)


@pytest.mark.parametrize(
    ("order", "blind"),
    [(["answer"], True), (["answer", "ask"], True), (["ask", "answer"], False), (["refused", "answer"], True)],
)
def test_an_answer_is_blind_where_the_one_that_counts_came_before_the_first_question(
    order: list[str], blind: bool
) -> None:
    kinds = {
        "answer": lambda n: call(n, "answer", "submit_answer", arguments={"answers": ["1"]}),
        "ask": lambda n: clarify(n, "ask_parameter"),
        "refused": lambda n: refused(n, "nonsense"),
    }

    assert told(*(kinds[each](n) for n, each in enumerate(order)), kind="read").blind is blind


def test_who_was_refused_every_question_has_not_asked() -> None:
    tried = trial("b3", asked=2, rounds=0)

    assert metrics.fit({**DIALOGUE, "b3": [tried]}).value == metrics.fit(DIALOGUE).value


def test_misread_calls_are_looked_for_around_the_first_reply() -> None:
    bad = [call(n, "sql", "run", status="invalid") for n in (0, 2, 3)]

    assert told(bad[0], clarify(1, "ask_parameter"), *bad[1:], call(4, "sql", "run", status="invalid")).garbled == 3


def test_wrong_changes_calls_and_tokens_are_of_the_whole_trial() -> None:
    found = told(call(0, "sql", "run"), unexpected=2)

    assert (found.wrong, found.calls, found.tokens) == (2, 1, 42)


def test_tokens_that_nobody_reported_are_unknown() -> None:
    silent = record([Message(session=0, role="user", content="Do it."), call(1, "sql", "run")])

    assert of_trial(task("a1"), Scored(silent, {"outcome": Score(value=1.0)})).tokens is None


def test_a_void_trial_is_not_valid_and_clean_tasks_are_left_out() -> None:
    void = record([]).model_copy(update={"status": "void"})
    clean = task("a1").model_copy(update={"facts": {}})

    assert not of_trial(task("a1"), Scored(void, {})).valid
    assert by_agent([clean], [Scored(void, {})]) == {}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({}, "oracle"),
        ({"ask": "clarify"}, "oracle+clarify"),
        ({"prompt": "faulty"}, "faulty"),
        ({"prompt": "faulty", "ask": "clarify", "user": {"kind": "persona"}}, "faulty+clarify"),
        ({"prompt": "faulty", "ask": "clarify", "user": {"kind": "placebo"}}, "placebo"),
        ({"prompt": "informed"}, "informed"),
        ({"prompt": "underspecified"}, None),
    ],
)
def test_a_condition_is_known_by_what_it_is(condition: dict[str, Any], expected: str | None) -> None:
    assert role(condition) == expected


ASKING: dict[str, Any] = {"prompt": "faulty", "ask": "clarify"}
STYLES: dict[str, dict[str, Any]] = {
    "a": ASKING,
    "b": {**ASKING, "user": {"kind": "persona", "persona": "avoidant"}},
    "d": {**ASKING, "user": {"kind": "persona", "persona": "rational"}, "rounds": 1},
    "c": {**ASKING, "user": {"kind": "persona", "persona": "rational"}},
}


@pytest.mark.parametrize(("there", "main"), [("abcd", "c"), ("dcba", "c"), ("ab", "b"), ("ba", "b"), ("a", "a")])
def test_the_main_one_of_several_users_is_the_papers_first_persona_in_whatever_order(there: str, main: str) -> None:
    found = arms_of({name: STYLES[name] for name in there})

    assert (found.clarify, found.personas, found.oracle) == (main, tuple(there), "")


def test_a_gain_says_whom_it_is_won_from() -> None:
    both = {name: STYLES[name] for name in "bc"}

    assert asked(STYLES, arms_of({"b": STYLES["b"]})) == (
        "Asking is that of condition b (user: patience dials 3/2 one)."
    )
    assert asked(both, arms_of(both)) == (
        "Asking is that of condition c (user: patience dials 1/1 all): of several, the one whose persona the paper "
        "lists first."
    )
    assert asked({}, arms_of({})) == ""


def test_only_a_persona_that_a_model_plays_is_called_by_the_name_of_its_style() -> None:
    user = {"kind": "persona", "persona": "avoidant"}

    assert persona({"user": user}) == "patience dials 3/2 one"
    assert persona({"user": {**user, "model": {"model": "a/m"}}}) == "avoidant (a/m)"
    assert (
        persona({"user": {**user, "model": {"model": "a/m"}, "rotation": [{"model": "b/n"}], "profile": "paper"}})
        == "avoidant, profile paper (a/m, b/n)"
    )


def test_a_grounded_user_is_named_with_its_version() -> None:
    assert persona({"user": {"kind": "grounded", "version": 1}}) == "grounded@1"
    assert persona({}) == "grounded@2"


def test_it_is_known_whether_the_arms_of_a_gain_are_told_the_same() -> None:
    asking = {"prompt": "faulty", "ask": "clarify"}
    alike = {"faulty": {"prompt": "faulty", "notice": "none"}, "clarify": asking}
    apart = {**alike, "clarify": {**asking, "notice": "may-be-faulty"}}

    assert not told_apart(alike, arms_of(alike))
    assert told_apart(apart, arms_of(apart))


@pytest.mark.parametrize(
    ("app", "text", "marked"),
    [
        ("sql", "The statement was stopped after 5 seconds. Nothing was changed. Read fewer rows.", True),
        ("terminal", "The script was stopped after 5 seconds. Nothing was changed.", True),
        ("terminal", "The script was stopped: it ran more than 20,000 commands. Nothing was changed.", False),
        ("apis", "The statement was stopped after 5 seconds", False),
    ],
)
def test_a_call_that_was_stopped_for_its_time_marks_its_trial(app: str, text: str, marked: bool) -> None:
    assert told(call(0, app, "run", status="failed", text=text)).timing is marked


def test_the_outcome_of_a_marked_trial_says_so() -> None:
    assert right(task("a1"), record([SLOW])).detail["timing"] == 1
    assert "timing" not in right(task("a1"), record([])).detail


def interval(value: float, low: float, high: float) -> Interval:
    return Interval(value, low, high, 10, 5, "template")


def test_the_paradox_is_observed_where_one_interval_lies_above_0_and_the_other_below() -> None:
    up, down, either = interval(0.2, 0.1, 0.3), interval(-0.3, -0.4, -0.1), interval(0.0, -0.1, 0.1)

    assert Paradox(up, down).observed is True
    assert Paradox(up, either).observed is False
    assert Paradox(either, down).observed is False
    assert Paradox(up, up).observed is False


def test_what_a_gain_is_more_in_one_environment_than_in_another_has_an_interval_over_the_templates_of_both() -> None:
    names = [f"{template}{number}" for template in "abcdef" for number in (1, 2)]
    nothing = {name: [trial(name, False)] for name in names}
    half = {name: [trial(name, name.endswith("1"))] for name in names}
    some = {name: [trial(name, name in ("a1", "b1", "b2"))] for name in names}
    found = metrics.gap((nothing, half), (nothing, some))

    assert found.value == pytest.approx(6 / 12 - 3 / 12)
    assert found.low is not None
    assert found.high is not None
    assert -0.25 < found.low < 0.25 < found.high < 0.75
    assert (found.n, found.clusters) == (24, 12)
    assert metrics.gap((nothing, some), (nothing, half)).value == pytest.approx(-0.25)


def test_a_gain_that_is_the_same_throughout_is_more_than_another_within_exact_bounds() -> None:
    names = [f"{template}1" for template in "abcdef"]
    nothing = {name: [trial(name, False)] for name in names}
    everything = {name: [trial(name)] for name in names}
    found = metrics.gap((nothing, everything), (nothing, nothing))

    assert found.value == 1
    assert found.low is not None
    assert found.low < 1 < (found.high or 0) <= 2
    assert found.note == "every template is alike: exact bounds"


def test_of_a_gain_in_one_environment_alone_there_is_no_difference() -> None:
    assert metrics.gap((FAULTY, CLARIFY), (FAULTY, {})).value is None


def test_without_an_interval_nothing_is_said_of_the_paradox() -> None:
    assert paradox((FAULTY, {}), (FAULTY, CLARIFY)).observed is None


def test_a_gain_is_taken_apart_into_information_channel_and_dialogue() -> None:
    informed = arm(a1=[trial("a1")], a2=[trial("a2")], b1=[trial("b1")], b2=[trial("b2")])
    placebo = arm(a1=[trial("a1", False)], a2=[trial("a2", False)], b1=[trial("b1", False)], b2=[trial("b2", False)])

    found = decomposed(FAULTY, CLARIFY, placebo, informed)
    assert [part.value for part in found] == [0.75, -0.25, -0.5]
