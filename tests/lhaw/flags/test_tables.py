"""The tables, with shares worked out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from benchmarks.lhaw.flags import CATEGORIES, CHECK, COMPUTED, FLAGS, check, tables
from harness.core.config import Condition, LlmConfig, RunConfig
from harness.report import Agents, Figure, words
from harness.score import Verdict
from harness.scoring.stats import rate
from harness.suite import Scored, Table
from harness.trajectory import Trajectory
from tests.lhaw.flags.scenes import DAY, LIST, MAIL, TO, ask, played, scored, suite, variant

MODEL: Mapping[str, Mapping[str, Any]] = {"model": {"kind": "llm"}}
ONE, TWO = variant(TO, DAY), variant(LIST, id="task-2", designed_class="benign")

ASKED = played(ask("to"), ask("day"), MAIL)
SILENT = played(MAIL, trial=1)
GUESSABLE = played(ask("list"), task="task-2")


def judged(trajectory: Trajectory, right: bool = True, **answers: str | None) -> Scored:
    """A trial of which a judge says `no` throughout, save where said otherwise; None: it could not be read."""
    task = {"task-1": ONE, "task-2": TWO}[trajectory.task]
    given = {name: [Verdict(judge="judge", answer=answers.get(name, "no"))] for name in FLAGS if name not in COMPUTED}
    given |= {name: [Verdict(judge="judge", answer=said)] for name, said in answers.items() if name in COMPUTED}
    return scored(trajectory, right, **{CHECK: check(task, trajectory, given)})


def made(trials: Sequence[Scored], agents: Mapping[str, Mapping[str, Any]] = MODEL) -> dict[str, Table]:
    return {table.title: table for table in tables(suite(ONE, TWO), agents, trials)}


def row(table: Table, **wanted: object) -> Mapping[str, Any]:
    (found,) = [row for row in table.rows if all(row[name] == value for name, value in wanted.items())]
    return found


MODES, FAILED = "Clarification: failure modes of asking", "Clarification: failure modes of asking, failed trials"
EACH = "Clarification: failure flags"


def test_a_category_is_a_share_of_trials_with_questions_and_another_of_all() -> None:
    """Two trials asked, one of them with a vague question; the silent one missed its segments."""
    table = made([judged(ASKED, vague_questions="yes"), judged(GUESSABLE), judged(SILENT)])[MODES]

    quality, targeting, under = (
        row(table, category=name) for name in ("question quality", "question targeting", "under-clarification")
    )
    assert (quality["with questions"], quality["scored"], quality["share"]) == (2, 2, 0.5)
    assert (quality["all"], quality["share of all"]) == (3, pytest.approx(1 / 3))
    assert (targeting["share"], targeting["share of all"]) == (1.0, 1.0)  # what can be guessed was asked twice
    assert (under["share"], under["share of all"]) == (0.0, pytest.approx(1 / 3))
    assert [row["category"] for row in table.rows] == list(CATEGORIES)


def test_failed_trials_have_a_table_of_their_own() -> None:
    found = made([judged(ASKED, False, vague_questions="yes"), judged(GUESSABLE)])

    assert row(found[FAILED], category="question quality")["share"] == 1.0
    assert row(found[FAILED], category="question quality")["with questions"] == 1
    assert FAILED not in made([judged(ASKED), judged(GUESSABLE)])


def test_without_verdicts_a_share_that_takes_a_judge_is_open_and_the_others_stand() -> None:
    table = made([scored(ASKED), scored(SILENT)])[MODES]

    assert row(table, category="question quality")["share"] is None
    assert row(table, category="question quality")["share of all"] is None
    assert row(table, category="over-clarification")["share"] == 0.0
    assert any("harness judge" in note for note in table.notes)


def test_a_yes_beside_an_unscored_flag_makes_no_share_of_yes() -> None:
    """Of one trial a question is vague and another verdict cannot be read: it is left out, not counted as flagged."""
    trials = [judged(ASKED, vague_questions="yes", closed_questions=None), judged(GUESSABLE)]
    quality = row(made(trials)[MODES], category="question quality")

    assert (quality["with questions"], quality["scored"], quality["share"]) == (2, 1, 0.0)


def test_of_all_trials_those_scored_stand_for_those_that_asked_and_are_not() -> None:
    """Of two that asked, the one scored is flagged; a silent one is not: (2 x 1 + 0) / 3."""
    trials = [judged(ASKED, vague_questions="yes"), scored(GUESSABLE), judged(SILENT)]

    assert row(made(trials)[MODES], category="question quality")["share of all"] == pytest.approx(2 / 3)


def test_trials_that_need_no_judge_do_not_stand_for_those_that_do() -> None:
    """The order of questions is N/A where there is one; of two trials with several, one is scored, and flagged."""
    several = played(ask("to"), ask("day"), trial=1)
    trials = [scored(GUESSABLE), scored(ASKED)]
    order = {"category": "timing & strategy"}

    assert row(made(trials)[MODES], **order)["share"] is None
    assert row(made(trials)[EACH], flag="inefficient_question_sequence")["share"] is None

    trials.append(judged(several, inefficient_question_sequence="yes"))
    found = row(made(trials)[MODES], **order)
    assert (found["with questions"], found["scored"], found["share"]) == (3, 2, pytest.approx(2 / 3))


def test_limits_of_a_share_scored_in_part_are_weighed_as_it_is() -> None:
    """Two trials with several questions, of two templates, are scored; a third is not. Two have one question."""
    tasks = [variant(TO, DAY, id=f"task-{n}", template=f"t{n}") for n in range(5)]
    trials = []
    for n, task in enumerate(tasks):
        trial = played(ask("to"), *([ask("day")] if n < 3 else []), task=task.id)
        verdicts = {name: [Verdict(judge="judge", answer="yes" if n == 0 else "no")] for name in FLAGS} if n < 2 else {}
        trials.append(scored(trial, True, **{CHECK: check(task, trial, verdicts)}))
    found = {table.title: table for table in tables(suite(*tasks), MODEL, trials)}[EACH]
    order = row(found, flag="inefficient_question_sequence")

    several, single = (rate({f"t{n}": [value] for n, value in enumerate(values)}, "template")
                       for values in ((1.0, 0.0), (0.0, 0.0)))  # fmt: skip
    assert order["share"] == pytest.approx(0.6 * 0.5)
    for limit in ("low", "high"):
        assert order[limit] == pytest.approx(0.6 * getattr(several, limit) + 0.4 * getattr(single, limit))


def test_flags_that_no_judge_has_scored_are_left_out_by_class_and_counted() -> None:
    table = made([scored(ASKED)])["Clarification: failure flags by designed class"]

    scored_ = {*COMPUTED, "false_confidence"}  # ASKED was told all that it lacked before it wrote anything
    assert [row["flag"] for row in table.rows] == [name for name in FLAGS if name in scored_]
    assert any(note.startswith("10 flags are left out") for note in table.notes)


def test_every_flag_is_counted_by_answer() -> None:
    table = made([judged(ASKED, vague_questions="yes"), judged(GUESSABLE, vague_questions="n/a"), judged(SILENT)])[EACH]

    vague, redundant = row(table, flag="vague_questions"), row(table, flag="redundant_questions")
    assert [vague[name] for name in ("by", "yes", "no", "n/a", "unscored", "share")] == ["judge", 1, 0, 1, 0, 0.5]
    assert [redundant[name] for name in ("by", "yes", "no", "n/a", "unscored", "share")] == ["rule", 0, 1, 1, 0, 0.0]
    assert [row["flag"] for row in table.rows] == list(FLAGS)


def test_a_flag_that_occurs_is_explained_below_its_table_and_others_are_not() -> None:
    notes = made([scored(ASKED)])[EACH].notes

    assert f"inferable_information_asked: {words.FLAGS['inferable_information_asked']}" in notes
    assert not any(note.startswith("redundant_questions") for note in notes)


def test_flags_are_shown_by_designed_class_and_empirical_ones_apart() -> None:
    found = made([judged(ASKED, vague_questions="yes"), judged(GUESSABLE)])
    vague = row(found["Clarification: failure flags by designed class"], flag="vague_questions")

    assert (vague["outcome-critical"], vague["outcome-critical n"], vague["benign"], vague["benign n"]) == (1, 1, 0, 1)
    assert (vague["divergent"], vague["divergent n"]) == (None, 0)
    assert "Clarification: failure flags by empirical class" not in found

    observed = suite(ONE, TWO.model_copy(update={"facts": {**TWO.facts, "empirical_class": "divergent"}}))
    titles = {table.title: table for table in tables(observed, MODEL, [judged(ASKED), judged(GUESSABLE)])}
    vague = row(titles["Clarification: failure flags by empirical class"], flag="vague_questions")
    assert (vague["divergent n"], vague["outcome-critical n"]) == (1, 0)


def test_figures_are_drawn_with_a_panel_for_each_agent_where_there_are_several() -> None:
    both = [judged(ASKED), judged(played(ask("to"), agent="other"))]
    figure = made(both, {**MODEL, "other": {"kind": "llm"}})[EACH]

    assert isinstance(figure, Figure)
    assert [chart.panels for chart in figure.charts] == [("agent",)]


def test_instruments_stand_apart_and_bear_no_number_of_the_paper() -> None:
    both = [judged(ASKED), judged(played(ask("to"), agent="reference"))]
    found = made(both, {**MODEL, "reference": {"kind": "reference"}})

    assert {row["agent"] for row in found["Calibration: failure modes of asking"].rows} == {"reference"}
    assert {row["agent"] for row in found[MODES].rows} == {"model"}
    assert any("table 4" in note for note in found[MODES].notes)
    assert not any("of the paper" in note for table in found.values() if table.title.startswith("Calibration")
                   for note in table.notes)  # fmt: skip


def test_judge_and_rule_are_compared_where_both_say_yes_or_no() -> None:
    """Redundant: the rule says no, n/a; missed critical: no, n/a; inferable: yes (the day), yes."""
    trials = [
        judged(ASKED, redundant_questions="yes", missed_critical_segments="no", inferable_information_asked="yes"),
        judged(GUESSABLE, redundant_questions="no", missed_critical_segments="n/a", inferable_information_asked="yes"),
    ]
    table = made(trials)["Clarification: failure flags, judge and rule"]

    redundant, missed, together = (row(table, flag=name) for name in ("redundant_questions",
                                   "missed_critical_segments", "(all)"))  # fmt: skip
    assert (redundant["n"], redundant["agree"], redundant["kappa"], redundant["n/a of one"]) == (1, 0.0, 0.0, 1)
    assert (missed["n"], missed["agree"], missed["kappa"], missed["n/a of one"]) == (1, 1.0, None, 0)
    # Of 4 pairs 3 agree; by chance (2/4 x 3/4) + (2/4 x 1/4) = 1/2 would: (3/4 - 1/2) / (1 - 1/2).
    assert (together["n"], together["agree"], together["kappa"]) == (4, 0.75, 0.5)


def test_a_question_that_trials_share_is_compared_with_the_rule_once() -> None:
    table = made([judged(ASKED, redundant_questions="yes")] * 2)["Clarification: failure flags, judge and rule"]

    assert row(table, flag="redundant_questions")["n"] == 1


def test_void_trials_and_full_requests_count_nowhere() -> None:
    others = [scored(played(ask("to"), status="void")), scored(played(ask("to"), prompt="original"))]

    assert made(others) == {}
    assert row(made([judged(ASKED), *others])[MODES], category="question quality")["all"] == 1


def test_conditions_without_a_user_are_left_out_and_silent_ones_with_one_are_not() -> None:
    config = RunConfig(
        suite="flags",
        agents=(LlmConfig(kind="llm", name="model", model="openai/some"),),
        conditions={
            "alone": Condition(prompt="underspecified"),
            "underspecified+ask": Condition(prompt="underspecified", ask="ask_user"),
        },
    )
    trials = [scored(SILENT), scored(played(MAIL, condition="alone"))]
    table = made(trials, Agents(config))[MODES]

    assert {row["condition"] for row in table.rows} == {"underspecified+ask"}
    assert any(note.startswith("not counted, as nobody could be asked: alone (trials: 1);") for note in table.notes)
    assert row(table, category="question targeting")["share of all"] == 1.0
    assert row(table, category="question targeting")["share"] is None


def test_the_order_of_trials_changes_nothing() -> None:
    trials = [judged(ASKED, vague_questions="yes"), judged(GUESSABLE), judged(SILENT)]

    assert list(made(trials).values()) == list(made(trials[::-1]).values())
