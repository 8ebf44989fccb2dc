"""Tables of trials made by hand: what their rows are of, and what stands empty."""

from __future__ import annotations

from typing import Any

from benchmarks.drift.answers import right
from benchmarks.drift.tables import report
from harness.score import Score
from harness.suite import Scored, Suite, Table
from harness.trajectory import CallRecord
from servers.kernel import World
from tests.drift.made import SLOW, call, clarify, record, refused, task, write
from tests.drift.played import Agents


def _no_world(name: str) -> World:
    raise AssertionError("a report needs no rows")


def test_tables_count_the_trials_that_are_marked() -> None:
    score = {"outcome": Score(value=0.0, detail={"correct": False})}
    trials = [record(calls).model_copy(update={"condition": "faulty"}) for calls in ([SLOW], [])]
    suite = Suite(name="s", version="1", description="", tasks=[task("a1")], world=_no_world, checks={"outcome": right})
    tables = report(suite, {"me": {"kind": "llm"}}, [Scored(each, score) for each in trials])
    marked = [any("1 of 2 trials are marked `timing`" in note for note in table.notes) for table in tables]

    assert len(marked) > 2
    assert all(marked)


def tables(whole: dict[str, Any], faulty: dict[str, Any]) -> dict[str, Table]:
    """By title, of an agent that was right on these variants or not, or was void (None)."""
    categories = {"a": "parameter", "b": "premise"}
    tasks = [task(name, category=categories[name[0]]) for name in whole]
    trials = []
    for condition, arm in (("oracle", whole), ("faulty", faulty)):
        for name, correct in arm.items():
            here = {"task": name, "condition": condition, "status": "void" if correct is None else "finished"}
            score = Score(value=float(correct or 0), detail={"correct": correct}, correct=correct)
            trials.append(Scored(record([]).model_copy(update=here), {} if correct is None else {"outcome": score}))
    suite = Suite(name="s", version="1", description="", tasks=tasks, world=_no_world, checks={"outcome": right})
    return {table.title: table for table in report(suite, {"me": {"kind": "llm"}}, trials)}


def test_the_oracle_of_a_row_is_over_the_variants_that_its_categories_are_over() -> None:
    found = tables({"a1": True, "a2": False, "a3": True}, {"a1": True, "a2": False, "a3": None})
    (row, *_) = found["Clarification: all sixteen faults, sql"].rows

    assert (row["oracle %"], row["parameter %"], row["parameter PD"]) == (50, 50, 0)
    assert (row["complete"], row["total"]) == (2, 3)
    assert "Clarification: oracle by category, all sixteen faults, sql" not in found


def test_what_the_cells_of_each_category_are_set_against_is_shown_where_it_is_not_the_same() -> None:
    found = tables(
        {"a1": True, "a2": False, "b1": True, "b2": True}, {"a1": False, "a2": False, "b1": True, "b2": False}
    )
    row = found["Clarification: all sixteen faults, sql"].rows[0]
    own = found["Clarification: oracle by category, all sixteen faults, sql"].rows[0]

    assert row["oracle %"] == 75
    assert (own["parameter oracle %"], own["parameter complete"]) == (50, 2)
    assert (own["premise oracle %"], own["premise complete"]) == (100, 2)
    for category in ("parameter", "premise"):
        oracle = own[f"{category} oracle %"]
        assert row[f"{category} PD"] == 100 * (oracle - row[f"{category} %"]) / oracle


def test_nothing_can_be_found_out_about_a_whole_request() -> None:
    agents = Agents({"me": {"kind": "llm"}})
    agents.conditions = {"whole": {"ask": "clarify"}, "faulty": {"prompt": "faulty", "ask": "clarify"}}
    suite = Suite(name="s", version="1", description="", tasks=[task("a1")], world=_no_world, checks={"outcome": right})
    score = {"outcome": Score(value=0.0, detail={"correct": False})}
    asking = record([clarify(0, "ask_parameter")])
    trials = [Scored(asking.model_copy(update={"condition": each}), score) for each in agents.conditions]
    found = report(suite, agents, trials)
    whole, faulty = next(table for table in found if ": dialogue, " in table.title).rows

    assert [whole[f"{name} %"] for name in ("detection", "precision", "resolved", "fit")] == [None] * 4
    assert [faulty[f"{name} %"] for name in ("detection", "precision", "resolved")] == [0] * 3
    assert whole["over-asking"] == 1


def asking(calls: dict[str, list[CallRecord]], conditions: dict[str, Any]) -> dict[str, Table]:
    """By title, the tables of a needy request that somebody played once under each condition."""
    agents = Agents({"me": {"kind": "llm"}})
    agents.conditions = conditions
    suite = Suite(name="s", version="1", description="", tasks=[task("a1")], world=_no_world, checks={"outcome": right})
    score = {"outcome": Score(value=0.0, detail={"correct": False})}
    trials = [Scored(record(each).model_copy(update={"condition": name}), score) for name, each in calls.items()]
    return {table.title: table for table in report(suite, agents, trials)}


ASK: dict[str, Any] = {"prompt": "faulty", "ask": "clarify"}


def test_conditions_that_differ_in_the_questions_that_are_answered_are_told_apart_in_the_table_of_personas() -> None:
    once = clarify(0, "ask_parameter")
    found = asking({"r1": [once], "r5": [once]}, {"r1": {**ASK, "rounds": 1}, "r5": ASK})
    rows = found["Clarification: personas, sql"].rows

    assert [(row["condition"], row["user"]) for row in rows] == [("r1", "grounded@2"), ("r5", "grounded@2")]


def test_no_risk_is_confirmed_or_not_where_there_is_nobody_to_confirm_it() -> None:
    deleting = call(1, "sql", "run", writes=[write("1", None), write("2", None)])
    found = asking({"alone": [deleting], "ask": [deleting]}, {"alone": {"prompt": "faulty"}, "ask": ASK})
    rows = found["Clarification: safety, sql"].rows

    assert {row["condition"]: row["risks confirmed %"] for row in rows} == {"alone": None, "ask": 0}


def test_refused_calls_alone_are_no_row_of_strategies() -> None:
    assert "Clarification: strategies by fault, sql" not in asking({"ask": [refused(0, "nonsense")]}, {"ask": ASK})


def test_dials_are_measured_over_trials_whatever_is_seen() -> None:
    agents = Agents({"still": {"kind": "idle"}})
    agents.conditions = {"faulty": {"prompt": "faulty"}}
    suite = Suite(name="s", version="1", description="", tasks=[task("a1")], world=_no_world, checks={"outcome": right})
    still = record([]).model_copy(update={"agent": "still", "condition": "faulty"})
    score = {"outcome": Score(value=0.0, detail={"correct": False})}
    trials = [Scored(still.model_copy(update={"trial": n}), score) for n in range(3)]
    table = next(table for table in report(suite, agents, trials) if ": dials, " in table.title)

    assert {row["seen"]: row["trials"] for row in table.rows} == {"success": 3, "bias": 3}
