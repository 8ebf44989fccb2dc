"""A run small enough to be worked out by hand, and what every table has to say of it.

Four variants of three checkpoints each, three trials; who is right, and what is asked:

| variant | class, dimensions | without a user | with one |
|---|---|---|---|
| a | outcome-critical; goal | 0 of 3 | 3 of 3; one question each |
| b | outcome-critical; goal, input; two segments | 0 of 3 | 1 of 3; two trials ask twice: both segments, then one |
| c | divergent; constraint | 1 of 3 | 0 of 3; no question |
| d | benign; input | 3 of 3 | 2 of 2, one void; no question |

On the original request a, b and c are right, d never. So d is incomplete: what is made of pass@3 is over a, b and c.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from benchmarks.lhaw.tables import report
from harness.cli import render
from harness.core.config import Condition, RunConfig
from harness.report import Agents, Figure, plots, tables
from harness.report.page import Part, page
from harness.score import outcome
from harness.suite import Scored, Suite, Table
from harness.task import Task
from servers.kernel import World
from tests.lhaw.scenes import NOW, trial, variant

ONE, BOTH, TITLE = ["recipient"], ["recipient", "title"], ["title"]
WHOLE, LACKING, ASKING = "original", "underspecified", "underspecified+ask"
PAPER = {"notice": "do-not-ask"}, {"notice": "may-be-missing", "ask": "ask_user"}


def made(id: str, kind: str, dimensions: Sequence[str], gone: Sequence[str] = ("recipient",), **facts: Any) -> Task:
    task = variant(
        id, template=f"t{id}", changes=3, designed_class=kind, dimensions=list(dimensions), segments=len(gone), **facts
    )
    return task.model_copy(update={"withheld": {"underspecified": tuple(gone)}})


A = made("a", "outcome-critical", ["goal"])
B = made("b", "outcome-critical", ["goal", "input"], BOTH)
C = made("c", "divergent", ["constraint"], severity="vagify")
D = made("d", "benign", ["input"], severity="genericize")


def three(
    task: str, condition: str, ends: str, questions: Sequence[Sequence[Sequence[str]]] = ((), (), ()), agent: str = "m"
) -> list[Scored]:
    """Trials that end right (1), wrong (0) or void (v)."""
    return [
        trial(task, condition, n, end == "1", void=end == "v", questions=asked, agent=agent)
        for n, (end, asked) in enumerate(zip(ends, questions, strict=True))
    ]


def played(agent: str = "m", asking: str = ASKING, *, whole: bool = True) -> list[Scored]:
    said = {"a": ([ONE], [ONE], [ONE]), "b": ([BOTH, TITLE], [BOTH, TITLE], [])}
    rest = {"whole": {"a": "111", "b": "111", "c": "111", "d": "000"}, "lacking": {"a": "000", "b": "000", "c": "100",
            "d": "111"}, "asking": {"a": "111", "b": "100", "c": "000", "d": "11v"}}  # fmt: skip
    first = [s for task, ends in rest["whole"].items() for s in three(task, WHOLE, ends, agent=agent)]
    second = [s for task, ends in rest["lacking"].items() for s in three(task, LACKING, ends, agent=agent)]
    third = [
        s for task, ends in rest["asking"].items()
        for s in three(task, asking, ends, said.get(task, ((), (), ())), agent)
    ]  # fmt: skip
    return [*(first + second if whole else ()), *third]


def suite(*tasks: Task) -> Suite:
    return Suite(
        name="toy", version="1", description="", tasks=tasks or (A, B, C, D), world=lambda name: World(name, NOW, {}),
        checks={"outcome": outcome}, report=report,
    )  # fmt: skip


MODEL = {"kind": "llm", "name": "m", "model": "local/m"}


def config(conditions: Mapping[str, Mapping[str, Any]], *agents: Mapping[str, Any]) -> RunConfig:
    made = {name: Condition.model_validate({"prompt": name.partition("+")[0], **each})
            for name, each in conditions.items()}  # fmt: skip
    return RunConfig.model_validate({"suite": "toy", "trials": 3, "agents": agents or (MODEL,), "conditions": made})


USUAL: Mapping[str, Mapping[str, Any]] = {WHOLE: {}, "original+ask": {"ask": "ask_user"}, LACKING: {},
                                          ASKING: {"ask": "ask_user"}}  # fmt: skip


def found(scored: Sequence[Scored], run: RunConfig | None = None, *tasks: Task) -> dict[str, Table]:
    """The suite's tables by title, less what it says of the user, and without those of tests/lhaw/flags."""
    made = [
        each for each in report(suite(*tasks), Agents(run or config(USUAL)), scored) if ": failure" not in each.title
    ]
    titles = [table.title.partition(", user")[0] for table in made]
    assert len(set(titles)) == len(titles)
    return dict(zip(titles, made, strict=True))


def some(row: Mapping[str, Any], *columns: str) -> list[Any]:
    return [row[column] for column in columns]


FIGURES = ("pass@3 %", "pass@3 gain", "gain/Q", "gain/(questions/trial)", "ckpt %", "ckpt gain", "ask %", "avg/traj",
           "calls", "items", "segments asked for %", "complete", "variants")  # fmt: skip


def test_the_first_table() -> None:
    """Gain: a +1, b +1, c -1 over three; questions: 3 + 4; trials that asked: 5 of 11; ckpt: +1, +1/3, -1/3, 0."""
    (row,) = found(played())["Clarification"].rows

    assert row == {
        "agent": "m", "complete": 3, "variants": 4, "baseline pass@3 %": 75.0, "baseline ckpt %": 75.0,
        "ask %": 45.5, "avg/traj": 1.4,
        "pass@3 %": 33.3, "pass@3 gain": 33.3, "pass@3 gain/Q": 4.762,
        "ckpt variants": 4, "ckpt %": 33.3, "ckpt gain": 25.0, "ckpt gain/Q": 3.571, "precision %": None,
    }  # fmt: skip


def test_what_the_user_is_worth() -> None:
    tables = found(played())
    row = {
        **tables["Clarification: what the user is worth"].rows[0],
        **tables["Clarification: what the user is worth, in pass@3"].rows[0],
    }

    # Questions a trial, over the complete variants: (1 + 4/3 + 0) / 3, so 33.33 / 0.7778; over all 11 trials 7 / 11.
    assert some(row, "pass@3 gain", "gain/(questions/trial)", "questions/trial") == [33.3, 42.9, 0.636]
    assert some(row, "baseline, variant mix %", "void scored low", "void scored high") == [100.0, 25.0, 25.0]


def test_asking() -> None:
    (row,) = found(played())["Clarification: asking"].rows  # nobody was there to ask about the whole request

    assert some(row, "trials", "ask % (variant)", "calls", "items asked") == [11, 50.0, 7, 9]
    assert some(row, "segments asked for %", "calls/trial") == [50.0, 0.636]  # 3 + 2 x 2 of 3 + 3 x 2 + 3 + 2


def test_nothing_is_said_of_a_request_that_nobody_played() -> None:
    conditions = {**USUAL, "original+ask": {"ask": "ask_user", "user": {"manner": "terse"}}}
    there, gone = (
        report(suite(), Agents(config(each)), played())
        for each in (conditions, {name: each for name, each in conditions.items() if name != "original+ask"})
    )
    title = "Clarification: asking, user grounded@2"

    for made_of in (there, gone):
        (asking,) = (table for table in made_of if table.title.startswith("Clarification: asking"))
        assert asking.title == title
        assert not any("original" in note.lower() for note in asking.notes)
    assert not any("cannot be told" in note for note in there[0].notes)
    assert any("whether agents ask where nothing is missing cannot be told" in note for note in gone[0].notes)


def test_whom_one_could_ask_on_either_request_is_told_where_it_was_not_the_same_user() -> None:
    run = config({**USUAL, "original+ask": {"ask": "ask_user", "user": {"manner": "terse"}}})
    table = found([*played(), *three("a", "original+ask", "111")], run)["Clarification: asking"]

    assert table.title == "Clarification: asking, users grounded@2 (terse) and grounded@2"
    assert table.notes[-1] == "Users: grounded@2 (terse) on the original request, grounded@2 on the other."


def test_classes_as_designed() -> None:
    rows = found(played())["Clarification: by designed class"].rows

    assert [row["designed class"] for row in rows] == ["outcome-critical", "divergent", "benign"]
    first, second, third = (some(row, *FIGURES) for row in rows)
    # 100 points over two variants, 7 questions; 7/6 questions a trial; ckpt 0 to 1 and 1/3; 3 + 4 of 3 + 6 segments.
    assert first == [0.0, 100.0, 14.286, 85.7, 0.0, 66.7, 83.3, 1.4, 7, 9, 77.8, 2, 2]
    assert second == [100.0, -100.0, None, None, 33.3, -33.3, 0.0, None, 0, 0, 0.0, 1, 1]
    assert third == [None, None, None, None, 100.0, 0.0, 0.0, None, 0, 0, 0.0, 0, 1]
    assert [some(row, "original %", "with user %") for row in rows] == [[100.0, 100.0], [100.0, 0.0], [None, None]]


def test_outcome_critical_variants() -> None:
    (row,) = found(played())["Clarification: outcome-critical variants, designed"].rows

    assert some(row, "complete", "variants", "original %", "underspecified %", "with user %") == [2, 2, 100, 0, 100]
    # Both are alike, so the limits are those of none in two: 1 - 2 (1 - .025^(1/2)).
    assert some(row, "lost", "lost low", "lost high", "won back") == [100, -68.4, 100, 100]


def test_dimensions_hold_a_variant_once_under_each_of_its_own() -> None:
    rows = found(played())["Clarification: by dimension"].rows

    assert [some(row, "dimension", *FIGURES) for row in rows] == [
        ["all", 33.3, 33.3, 4.762, 42.9, 33.3, 25.0, 45.5, 1.4, 7, 9, 50.0, 3, 4],
        ["goal", 0.0, 100.0, 14.286, 85.7, 0.0, 66.7, 83.3, 1.4, 7, 9, 77.8, 2, 2],
        ["constraint", 100.0, -100.0, None, None, 33.3, -33.3, 0.0, None, 0, 0, 0.0, 1, 1],
        ["input", 0.0, 100.0, 25.0, 75.0, 50.0, 16.7, 40.0, 2.0, 4, 6, 50.0, 1, 2],
    ]
    assert [some(row, "original %", "original ckpt %") for row in rows] == [
        [100.0, 75.0],
        [100.0, 100.0],
        [100.0, 100.0],
        [100.0, 50.0],
    ]


def test_pass_at_3_and_its_gain_come_to_pass_at_3_with_the_user_where_trials_are_void() -> None:
    mean = found([*played(), *played("n")], config(USUAL, MODEL, {**MODEL, "name": "n"}))
    tables = found(played())
    (first,), (worth,) = (mean[f"Clarification: {of}"].rows[:1] for of in ("by dimension", "the value of information"))
    classes = [row for row in tables["Clarification: by designed class"].rows if row["complete"]]

    assert first["pass@3 %"] + first["pass@3 gain"] == pytest.approx(worth["pass@3 with user %"], abs=0.11)
    assert all(row["pass@3 %"] + row["pass@3 gain"] == row["with user %"] for row in classes)


def test_a_row_without_a_complete_variant_has_no_pass_at_3_and_tables_say_what_theirs_is_over() -> None:
    rest = [s for s in played() if (s.trajectory.condition, s.trajectory.task) != (ASKING, "c")]
    tables = found([*rest, *three("c", ASKING, "vvv")])
    _, _, constraint, _ = tables["Clarification: by dimension"].rows
    (first,) = tables["Clarification"].rows

    columns = ("complete", "ckpt variants", "pass@3 %", "pass@3 gain", "ckpt %", "original %", "original ckpt %")
    assert some(constraint, "dimension", *columns) == ["constraint", 0, 0, None, None, None, None, None]
    assert some(first, *columns[:5]) == [2, 3, 0.0, 100.0, 33.3]
    assert any("over complete variants" in note for note in tables["Clarification: by dimension"].notes)


def test_where_nobody_could_be_asked_pass_at_3_is_over_the_one_arm_that_there_is() -> None:
    alone = config({WHOLE: {}, LACKING: {}})
    (row,) = found([s for s in played() if s.trajectory.condition != ASKING], alone)["Clarification"].rows

    assert some(row, "complete", "pass@3 %", "pass@3 gain", "ckpt %") == [4, 50.0, None, 33.3]


def test_gains_per_question_divide_by_the_questions_of_the_variants_that_the_gain_is_over() -> None:
    """Of x and y only x has checkpoints, and y is incomplete: three questions of x, and none of y's four, count."""
    tasks = [variant("x", template="x", changes=3), variant("y", template="y")]
    asked = {"x": ([ONE], [ONE], [ONE]), "y": ([ONE, ONE], [ONE, ONE], [])}
    scored = [s for id in "xy" for s in three(id, LACKING, "000")]
    scored += [*three("x", ASKING, "111", asked["x"]), *three("y", ASKING, "11v", asked["y"])]
    run = config({LACKING: PAPER[0], ASKING: PAPER[1]})
    tables = found(scored, run, *tasks)
    row = {**tables["Clarification"].rows[0], **tables["Clarification: what the user is worth, in pass@3"].rows[0]}

    assert some(row, "pass@3 gain/Q", "ckpt gain/Q") == [33.333, 33.333]
    assert some(row, "gain/(questions/trial)", "pass@3 gain/Q at 300", "ckpt gain/Q at 300") == [100.0, 0.333, 0.333]


def test_original_is_of_all_trials_of_a_task_whichever_variant_they_were_played_for() -> None:
    """The same task with one and with two segments: on the whole request 0 of 3 right for one, 3 of 3 for the other."""
    tasks = [made("p1", "outcome-critical", ["goal"], pair="p", original="p"),
             made("p2", "outcome-critical", ["input"], BOTH, pair="p", original="p")]  # fmt: skip
    scored = [*three("p1", WHOLE, "000"), *three("p2", WHOLE, "111")]
    scored += [s for id in ("p1", "p2") for s in (*three(id, LACKING, "000"), *three(id, ASKING, "111"))]
    tables = found(scored, None, *tasks)
    (critical,) = tables["Clarification: outcome-critical variants, designed"].rows

    # Three of six are right: 1 - (3 over 3) / (6 over 3) = .95.
    for way in ("segments", "dimension"):
        assert {row["original %"] for row in tables[f"Clarification: by {way}"].rows} == {95.0}
    assert some(critical, "original %", "underspecified %", "lost") == [95.0, 0.0, 95.0]


def test_subdimensions_are_those_of_the_withheld_slots() -> None:
    rows = found(played())["Clarification: by subdimension"].rows

    assert [some(row, "subdimension", "variants", "pass@3 gain") for row in rows] == [
        ["goal, target", 4, 33.3],
        ["goal, content", 1, 100.0],
    ]


def test_without_matched_sets_segments_and_strategies_are_over_all_variants_and_say_so() -> None:
    tables = found(played())
    segments, strategies = (tables[f"Clarification: by {way}"] for way in ("segments", "removal strategy"))

    assert [some(row, "segments", *FIGURES[:3]) for row in segments.rows] == [
        ["1", 50.0, 0.0, 0.0],
        ["2", 0.0, 100.0, 25.0],
    ]
    assert [some(row, "removal strategy", "never right", "sometimes", "always") for row in strategies.rows] == [
        ["delete", 2, 0, 0],
        ["vagify", 0, 1, 0],
        ["genericize", 0, 0, 0],
    ]
    assert "no matched sets" in segments.notes[0]


def test_questions_by_class() -> None:
    rows = found(played())["Clarification: questions by designed class and persona"].rows

    assert [some(row, "persona", "designed class", "trials", "calls/trial") for row in rows] == [
        ["none", "outcome-critical", 6, 1.167],
        ["none", "divergent", 3, 0.0],
        ["none", "benign", 2, 0.0],
    ]
    assert all(row["low"] is None or row["low"] >= 0 for row in rows)


def test_what_was_done_before_the_first_question() -> None:
    rows = found(played())["Clarification: before the first question"].rows

    assert [some(row, "under", "valid", "trials", "side effects %", "asked", "hasty %", "silent") for row in rows] == [
        ["underspecified", 12, 12, None, 0, None, 12],
        ["underspecified, may ask", 11, 12, None, 5, 0.0, 6],
    ]


def test_what_the_suite_is_made_of() -> None:
    table = found(played())["Suite: what its variants are"]

    assert [tuple(row.values()) for row in table.rows] == [
        ("designed class", "outcome-critical", 2, 2, 2, 2),
        ("designed class", "divergent", 1, 1, 1, 1),
        ("designed class", "benign", 1, 1, 1, 1),
        ("dimension of a segment", "goal", 5, 4, 4, 4),
        ("segments removed", "1", 3, 3, 3, 3),
        ("segments removed", "2", 1, 1, 1, 1),
        ("removal strategy", "delete", 2, 2, 2, 2),
        ("removal strategy", "vagify", 1, 1, 1, 1),
        ("removal strategy", "genericize", 1, 1, 1, 1),
    ]


def test_the_paper_s_pairing_has_gain_per_question_at_300_trials_and_says_what_arms_are_told() -> None:
    run = config({WHOLE: PAPER[0], "original+ask": PAPER[1], LACKING: PAPER[0], ASKING: PAPER[1]})
    table = found(played(), run)["Clarification"]

    # Questions a trial: a 1, b 4/3, c and d none; 33.33 / (300 x 7/9) over a, b and c, 25 / (300 x 7/12) over all four.
    assert some(table.rows[0], "pass@3 gain/Q at 300", "ckpt gain/Q at 300") == [0.143, 0.143]
    assert any("told different things, as in the paper's code" in note for note in table.notes)
    assert not any("told different things" in note for note in found(played())["Clarification"].notes)


# --- matched sets ------------------------------------------------------------------------------------------------


def test_one_and_two_segments_are_compared_in_pairs_alone() -> None:
    """Of three pairs one lacks its second variant, one is void; the last variant belongs to none."""
    tasks = [
        made("p1", "divergent", ["goal"], pair="p"), made("p2", "divergent", ["goal"], BOTH, pair="p"),
        made("q1", "divergent", ["goal"], pair="q"), made("q2", "divergent", ["goal"], BOTH, pair="q"),
        made("r1", "divergent", ["goal"], pair="r"), made("s1", "divergent", ["goal"]),
    ]  # fmt: skip
    lacking = {"p1": "100", "p2": "000", "q1": "111", "q2": "000", "r1": "000", "s1": "000"}
    asking = {"p1": "111", "p2": "111", "q1": "111", "q2": "00v", "r1": "111", "s1": "111"}
    scored = [s for task, ends in lacking.items() for s in three(task, LACKING, ends)]
    scored += [s for task, ends in asking.items() for s in three(task, ASKING, ends)]
    table = found(scored, None, *tasks)["Clarification: by segments"]

    columns = ("segments", "complete", "variants", "pass@3 %", "pass@3 gain", "against first")
    assert [some(row, *columns) for row in table.rows] == [
        ["1", 1, 2, 100.0, 0.0, None],
        ["2", 1, 2, 0.0, 100.0, -100.0],
    ]
    assert table.notes[0] == "As table 2 of the paper (LHAW, arXiv 2602.10525)."
    assert "2 in the suite" in table.notes[1]
    assert table.notes[-1] == "Sets left out for want of a row: 1."


def test_strategies_are_compared_on_the_same_segments_alone() -> None:
    tasks = [made(f"{set}-{how}", "divergent", ["goal"], severity=how, triple=set)
             for set in ("x", "y") for how in ("delete", "vagify", "genericize")]  # fmt: skip
    extra = made("z", "divergent", ["goal"], severity="vagify")
    ends = {"x-delete": "000", "x-vagify": "100", "x-genericize": "111", "y-delete": "000", "y-vagify": "000",
            "y-genericize": "110", "z": "111"}  # fmt: skip
    scored = [s for task, end in ends.items() for condition in (LACKING, ASKING) for s in three(task, condition, end)]
    table = found(scored, None, *tasks, extra)["Clarification: by removal strategy"]

    columns = ("removal strategy", "complete", "pass@3 %", "against first", "from", "to", "never right", "sometimes",
               "always")  # fmt: skip
    assert [some(row, *columns) for row in table.rows] == [
        ["delete", 2, 0.0, None, None, None, 2, 0, 0],
        ["vagify", 2, 50.0, 50.0, None, None, 1, 1, 0],  # two templates, not alike
        ["genericize", 2, 100.0, 100.0, -68.4, 100.0, 0, 1, 1],  # both are alike: 1 - 2 (1 - .025^(1/2))
    ]


# --- factors -----------------------------------------------------------------------------------------------------


def test_classes_that_were_observed_are_apart_and_mark_the_model_that_they_were_observed_with() -> None:
    by = {"agent": "local/m", "n": 3, "seeds": [1, 2, 3]}
    critical = "outcome-critical"
    seen = [
        made("a", "divergent", ["goal"], empirical_class=critical, classified_by=by),
        made("b", "divergent", ["goal"], BOTH, empirical_class=critical, classified_by={"agent": "other"}),
        C,
        D,
    ]
    tables = found(played(), None, *seen)

    (row,) = tables["Clarification: by empirical class"].rows
    assert some(row, "empirical class", "variants", "pass@3 gain", "classified by it") == [
        "outcome-critical",
        2,
        100.0,
        1,
    ]
    assert "classified by it" not in tables["Clarification: by designed class"].columns
    assert [row["designed class"] for row in tables["Clarification: by designed class"].rows] == ["divergent", "benign"]
    assert "Clarification: outcome-critical variants, empirical" in tables
    assert "Clarification: outcome-critical variants, designed" not in tables


def test_a_model_is_marked_under_any_name_and_another_of_the_same_name_is_not() -> None:
    by = {"agent": "first", "model": "local/m", "n": 3, "seeds": [1, 2, 3]}
    seen = made("a", "divergent", ["goal"], empirical_class="outcome-critical", classified_by=by)
    agents = [{**MODEL, "name": "renamed"}, {**MODEL, "name": "first", "model": "local/other"}]
    scored = [*played("renamed"), *played("first")]
    rows = found(scored, config(USUAL, *agents), seen)["Clarification: by empirical class"].rows

    assert [some(row, "agent", "classified by it") for row in rows] == [["renamed", 1], ["first", 0]]


def test_only_variants_that_were_played_are_counted_as_classified_by_the_rows_model() -> None:
    by = {"agent": "m", "model": "local/m", "n": 3, "seeds": [1, 2, 3]}
    a, b = (made(name, "divergent", ["goal"], empirical_class="outcome-critical", classified_by=by) for name in "ab")
    agents = [{**MODEL, "name": name, "strategy": way} for name, way in (("m", "tools"), ("r", "react"))]
    scored = [one for name in "mr" for one in played(name) if one.trajectory.task == "a"]
    tables = found(scored, config(USUAL, *agents), a, b)
    marked = {title: [row["classified by it"] for row in table.rows] for title, table in tables.items()
              if "classified by it" in table.columns}  # fmt: skip

    assert marked == {
        "Clarification: by empirical class": [1, 1],
        "Clarification: outcome-critical variants, empirical": [1, 1],
        "Clarification: by strategy and empirical class": [1, 1, 1, 1],
        "Clarification: questions by empirical class and persona": [1, 1],
    }


def test_personas_are_compared_with_what_they_cost() -> None:
    conditions = {**USUAL, "underspecified+boss": {"ask": "ask_user", "persona": "supervisor"}}
    scored = [*played(), *played(asking="underspecified+boss", whole=False)[:3]]
    tables = found(scored, config(conditions))

    rows = tables["Clarification: by persona"].rows
    assert [some(row, "persona", "complete", "calls", "gain/Q at 300") for row in rows] == [
        ["none", 3, 7, 0.143],
        ["supervisor", 1, 3, 0.333],  # a alone: 100 / (300 x 1)
    ]
    calls = tables["Clarification: questions by designed class and persona"].rows
    assert [some(row, "persona", "designed class", "calls/trial") for row in calls][-1] == [
        "supervisor", "outcome-critical", 1.0,
    ]  # fmt: skip
    assert "Clarification: by condition" not in tables


def test_ways_to_ask_that_differ_in_more_than_persona_have_a_table_that_says_against_what() -> None:
    conditions = {**USUAL, "underspecified+told": {"ask": "ask_user", "notice": "may-be-missing"}}
    scored = [*played(), *played(asking="underspecified+told", whole=False)[:3]]
    rows = found(scored, config(conditions))["Clarification: by condition"].rows

    assert [some(row, "asking", "against", "complete", "pass@3 gain") for row in rows] == [
        ["underspecified, may ask", "underspecified", 3, 33.3],
        ["underspecified, may ask, may-be-missing", "underspecified", 1, 100.0],
    ]


def test_strategies_of_agents_stand_side_by_side_by_class() -> None:
    agents = [{**MODEL, "strategy": "tools"}, {**MODEL, "name": "r", "strategy": "react"}]
    tables = found([*played(), *played("r")], config(USUAL, *agents))
    rows = tables["Clarification: by strategy and designed class"].rows

    assert [some(row, "designed class", "strategy", "pass@3 gain", "avg/traj") for row in rows[:4]] == [
        ["all", "tools", 33.3, 1.4],
        ["all", "react", 33.3, 1.4],
        ["outcome-critical", "tools", 100.0, 1.4],
        ["outcome-critical", "react", 100.0, 1.4],
    ]
    assert not any("strategy and" in title for title in found(played()))


def test_of_several_agents_there_is_the_mean_and_what_each_question_brought() -> None:
    wrong = [s for task in "abcd" for c in (WHOLE, LACKING, ASKING) for s in three(task, c, "000", agent="n")]
    tables = found([*played(), *wrong], config(USUAL, MODEL, {**MODEL, "name": "n"}))

    (row,) = tables["Clarification: mean over agents"].rows
    # m: all, one of three, and two of three with the user; n: nothing. Complete: 3 + 4 of 4 + 4.
    assert tuple(row.values()) == ("toy", 2, 7, 8, 50.0, 16.7, 33.3)
    told = tables["Clarification: the value of information"].rows
    assert [some(row, "agent", "pass@3 with user %", "gain/(questions/trial)") for row in told] == [
        ["m", 66.7, 42.9],
        ["n", 0.0, None],
    ]


def test_the_value_of_information_is_drawn_of_two_agents_that_asked_and_lost_nothing() -> None:
    run = config(USUAL, MODEL, {**MODEL, "name": "n"})
    gained = found([*played(), *played("n")], run)["Clarification: the value of information"]
    lost = [*three("a", LACKING, "111", agent="n"), *three("a", ASKING, "000", ([ONE], [ONE], [ONE]), "n")]
    negative = found([*played(), *lost], run)["Clarification: the value of information"]

    assert isinstance(gained, Figure)
    assert list(plots.draw(gained)) == ["pass@3", "ckpt"]
    assert not isinstance(negative, Figure)
    assert negative.notes[-1] == "Drawn only where no gain is negative."


# --- all tables --------------------------------------------------------------------------------------------------


def renamed(scored: Sequence[Scored], names: Mapping[str, str]) -> list[Scored]:
    return [
        one._replace(trajectory=one.trajectory.model_copy(update={"condition": names[one.trajectory.condition]}))
        for one in scored
    ]


@pytest.mark.parametrize("told", [({}, {"ask": "ask_user"}), PAPER], ids=["alike", "as in the paper"])
def test_conditions_of_other_names_give_the_same_tables(told: tuple[dict[str, Any], dict[str, Any]]) -> None:
    plain, able = told
    conditions = {WHOLE: plain, "original+ask": able, LACKING: plain, ASKING: able}
    names = {name: f"cell {n}" for n, name in enumerate(conditions)}
    other = config({name: {"prompt": name.partition("+")[0], **each} for name, each in conditions.items()})
    other = other.model_copy(update={"conditions": {names[name]: each for name, each in other.conditions.items()}})

    assert found(played(), config(conditions)) == found(renamed(played(), names), other)


def test_the_order_of_trials_changes_nothing() -> None:
    assert found(played()) == found(played()[::-1])


def test_what_instruments_made_bears_no_number_of_the_paper() -> None:
    instrument = {"kind": "reference", "name": "m", "explore": 0.8, "ask": 0.7, "guess": 0.3}
    notes = [note for title, table in found(played(), config(USUAL, instrument)).items()
             if title.startswith("Calibration") for note in table.notes]  # fmt: skip
    models = [note for table in found(played()).values() for note in table.notes]

    assert not any("paper" in note for note in notes)
    assert sum("of the paper" in note for note in models) > 5


def test_one_agent_under_four_conditions_has_at_most_25_tables_in_all_and_none_is_empty() -> None:
    made = tables(config(USUAL), suite(), played())

    assert len(made) <= 25
    assert all(table.rows for table in made)


def test_every_table_of_figures_says_how_many_are_complete_and_of_how_many() -> None:
    for title, table in found(played()).items():
        if title.startswith("Clarification"):
            known = {"complete", "variants"} <= set(table.columns) or {"valid", "trials"} <= set(table.columns)
            assert known, title


def test_every_table_is_written_in_every_format() -> None:
    made = list(found([*played(), *played("n")], config(USUAL, MODEL, {**MODEL, "name": "n"})).values())
    html = page("toy", [Part("toy", {}, made)])

    for table in made:
        assert table.title in render.text([table], 80)
        assert table.title in render.markdown([table])
        assert table.title in html
