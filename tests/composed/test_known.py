"""Known answers: what instruments come to over faulty requests of short office work, and the tables made of it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.composed.build import opened
from benchmarks.composed.programs import Dials
from benchmarks.composed.suite import Found, composed, found
from benchmarks.drift import metrics
from benchmarks.drift.headline import headline
from benchmarks.drift.need import NEEDY
from harness.suite import Suite, SuiteError
from tests.cli.conftest import Call
from tests.composed.sets import of, source
from tests.drift.played import Played

NAME = "workbench-synth"
CLARIFY = {"prompt": "faulty", "ask": "clarify"}
CONDITIONS: dict[str, dict[str, Any]] = {
    "oracle": {"prompt": "original"},
    "faulty": {"prompt": "faulty"},
    "rational": {**CLARIFY, "user": {"kind": "persona", "persona": "rational"}},
    "avoidant": {**CLARIFY, "user": {"kind": "persona", "persona": "avoidant"}},
    "placebo": {**CLARIFY, "user": {"kind": "placebo"}},
    "informed": {"prompt": "informed"},
}
AGENTS: dict[str, dict[str, Any]] = {
    "oracle": {"kind": "oracle"},
    "idle": {"kind": "idle"},
    "silent": {"kind": "reference", "settings": {"ask": "never"}},
    "guessing": {"kind": "reference", "settings": {"ask": "never", "guess": "uniform"}},
    "openly": {"kind": "reference"},
    "twice": {"kind": "reference", "settings": {"limit": 2}},
}


@cache
def some() -> Found:
    """Two of each fault."""
    every = of(NAME)
    faults = ("A1", "A2", "A3", "E1", "E3", "E4", "I3", "P1", "P2", "P3", "P4")
    two = [[one for one in every.faulty if one.variant.strategy.id == fault][:2] for fault in faults]
    return every._replace(faulty=tuple(each for pair in two for each in pair))


@cache
def suite() -> Suite:
    return composed(source(NAME), some(), "some")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played(tmp_path_factory.mktemp("known"), suite(), "drift-short", AGENTS, CONDITIONS)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_the_oracle_solves_everything(played: Played, condition: str) -> None:
    assert metrics.success(played.arms["oracle"][condition]).value == 1


@pytest.mark.parametrize("condition", CONDITIONS)
def test_doing_nothing_solves_nothing(played: Played, condition: str) -> None:
    assert metrics.success(played.arms["idle"][condition]).value == 0


@pytest.mark.parametrize("condition", ["rational", "avoidant", "informed"])
def test_asking_openly_and_being_told_solve_everything(played: Played, condition: str) -> None:
    assert metrics.success(played.arms["openly"][condition]).value == 1


@pytest.mark.parametrize("condition", ["faulty", "placebo"])
def test_without_an_answer_nothing_is_solved_where_the_user_is_needed(played: Played, condition: str) -> None:
    assert played.success("openly", condition, NAME) == 0
    assert metrics.execution_bias(played.needy("openly", condition, NAME)).value == 0


def test_asking_never_is_right_about_as_often_as_luck_says(played: Played) -> None:
    trials = [
        each
        for name in ("faulty", "rational", "avoidant", "placebo")
        for each in [played.needy("guessing", name, NAME)]
    ]
    right = sum(trial.right for each in trials for all in each.values() for trial in all)
    lucks = [each.variant.luck for each in some().faulty if each.variant.need in NEEDY]
    luck = sum(lucks) / len(lucks)
    spread = (luck * (1 - luck) / (len(trials) * len(lucks))) ** 0.5

    assert abs(right / (len(trials) * len(lucks)) - luck) < 3 * spread
    assert played.success("silent", "rational", NAME) == 0


def test_asking_twice_is_enough_for_the_rational_one_and_not_for_the_avoidant_one(played: Played) -> None:
    assert (played.success("twice", "rational", NAME), played.success("twice", "avoidant", NAME)) == (1, 0)


def test_robust_requests_are_solved_unasked(played: Played) -> None:
    robust = {name: each for name, each in played.arms["silent"]["faulty"].items() if each[0].need == "robust"}

    assert robust
    assert metrics.success(robust).value == 1


def test_tables_name_the_source_and_no_environment_of_ours(played: Played) -> None:
    titles = [table.title for table in played.tables]

    assert any("all sixteen faults, workbench-synth" in title for title in titles)
    assert not any(title.endswith((", sql", ", terminal", ", apis")) for title in titles)


def test_dials_are_measured_as_they_are_set(played: Played) -> None:
    rows = next(table for table in played.tables if ": dials, " in table.title).rows
    exact = [row for row in rows if row["agent"] != "guessing"]

    assert exact
    assert [row for row in exact if row["true %"] != row["measured %"]] == []


def test_the_headline_has_a_column_for_the_source(played: Played) -> None:
    shown = headline(played.config, suite(), played.scored)

    assert shown is not None
    assert NAME in shown.table.columns
    assert not {"sql", "terminal", "apis"} & {*shown.table.columns}


def test_a_dial_that_no_program_has_is_refused() -> None:
    with pytest.raises(SuiteError, match="ask"):
        suite().set_to({"ask": "after_write"})
    assert suite().set_to({}) == Dials()


def test_a_suite_whose_tasks_have_no_slots_is_refused_by_name() -> None:
    bare = replace(source(NAME), tasks=[task.model_copy(update={"slots": ()}) for task in source(NAME).tasks[:3]])

    with pytest.raises(SuiteError, match=r"suite workbench-synth: no faulty request .*: it has no slots"):
        found(bare)


def test_a_task_of_two_sessions_is_left_out() -> None:
    task = source(NAME).tasks[0]
    two = replace(source(NAME), tasks=[task.model_copy(update={"sessions": task.sessions * 2})])

    with pytest.raises(SuiteError, match="it has 2 sessions, and a fault is of one request"):
        found(two)


def test_a_built_folder_is_the_suite_that_it_was_made_of(call: Call, tmp_path: Path) -> None:
    config = tmp_path / "few.yaml"
    config.write_text("source: workbench-synth\nnumber: 8\nfaults: [P1, A3]\n", encoding="utf-8")
    told = json.loads(call("build", "composed", str(config), "--out", str(tmp_path / "set"), "--json").out)
    here = composed(source(NAME), found(source(NAME), number=8, faults=frozenset({"P1", "A3"})), "composed-set")

    assert told["variants"] == 8
    assert opened(tmp_path / "set").digest == here.digest


def test_a_folder_whose_source_has_changed_since_is_refused(call: Call, tmp_path: Path) -> None:
    config = tmp_path / "few.yaml"
    config.write_text("source: workbench-synth\nnumber: 2\nfaults: [I1]\n", encoding="utf-8")
    call("build", "composed", str(config), "--out", str(tmp_path / "set"))
    lines = tmp_path / "set" / "variants.jsonl"
    lines.write_text(lines.read_text(encoding="utf-8").replace("robust", "required"), encoding="utf-8")

    with pytest.raises(SuiteError, match="other requests are made by now: build the set anew"):
        opened(tmp_path / "set")
