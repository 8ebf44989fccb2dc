"""`harness voi`: announces, plays, goes on, and tells it in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from harness.core.suite import SuiteEntry
from harness.record.store import Run
from tests.cli.conftest import Call, offer, running
from tests.voi.scene import BOTH, Asker, Scene, suite

CONFIG = """
suite: toy
agents: [{kind: oracle}]
conditions: {asking: {prompt: underspecified, ask: ask_user}}
"""


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """The command line over the two jobs, whose agent asks for both values and needs both; a run of it is there."""
    from harness import wiring

    entry = SuiteEntry("toy", "Jobs on a board.", suite)
    monkeypatch.chdir(tmp_path)
    offer(monkeypatch, entry)
    monkeypatch.setattr(wiring, "wiring", lambda **_: Scene(suite(), lambda: Asker(BOTH)))
    found = running(capsys)
    Path("toy.yaml").write_text(CONFIG)
    assert found("eval", "toy.yaml", "--output", "run").status == 0
    return found


def test_the_budget_is_told_first_and_nothing_is_played_without_leave(call: Call) -> None:
    outcome = call("voi", "run", "--continuations", 2)

    assert outcome.status == 0, outcome.err
    assert outcome.out.startswith(
        "4 of 4 questions and 2 of 2 tasks (for the regret): 28 continuations, 0 of them there"
    )
    assert "28 to be played." in outcome.out
    assert "--yes" in outcome.out
    assert not Path("runs").exists()


def test_the_budget_is_json_on_request(call: Call) -> None:
    found = json.loads(call("voi", "run", "--continuations", 2, "--json").out)

    assert found == {"questions": 4, "tasks": 2, "continuations": 28, "missing": 28, "cost_usd": 0.0}


def test_with_one_continuation_nothing_is_played_for_a_regret_and_that_is_said(call: Call) -> None:
    outcome = call("voi", "run", "--continuations", 1, "--yes", "--format", "md")
    played = {record.trajectory.condition for record in Run.open(Path("runs/voi-run")).records()}

    assert outcome.status == 0, outcome.err
    assert "4 of 4 questions and no task (a regret takes --continuations 2 or more): 12 continuations" in outcome.err
    assert not any("told" in condition for condition in played)
    assert "No task has a regret: it takes --continuations 2 or more." in outcome.out
    assert "what better asking would have gained" not in outcome.out


def test_an_instrument_s_question_is_played_once_a_branch_and_what_it_is_told_as_often_as_asked_for(call: Call) -> None:
    outcome = call("voi", "run", "--continuations", 3, "--yes", "--format", "md")
    found = Run.open(Path("runs/voi-run")).records()
    seeds = {(t.condition, t.task, t.seed) for t in (record.trajectory for record in found) if "told" in t.condition}

    # Three branches of four questions, and three continuations of the four subsets of either task.
    assert ": 36 continuations" in outcome.err
    assert len(seeds) == 2 * 4 * 3, "no two of a subset have one seed"
    assert "its branches here are played once" in outcome.out
    assert "3 continuations for each subset of the values" in outcome.out


def test_it_tells_what_answers_were_worth_in_words(call: Call) -> None:
    outcome = call("voi", "run", "--continuations", 2, "--yes")

    assert outcome.status == 0, outcome.err
    # Of two tasks that are alike 1 - .025^(1/2) = .842 of all may be otherwise, at worst 2 less.
    assert (
        "oracle under asking: an answer raised the chance of success by 1.00 (-0.68 to 1.00) on average, "
        "which may be chance." in " ".join(outcome.out.split())
    )
    assert "Calibration: what a question was worth" in outcome.out
    assert "Calibration: what better asking would have gained" in outcome.out
    assert "each question" not in outcome.out.partition("each branch:")[0]
    assert Path("runs/voi-run/voi.html").exists()


def test_it_says_what_needless_questions_cost_without_an_interval_where_all_tasks_are_alike(call: Call) -> None:
    outcome = call("voi", "run", "--continuations", 2, "--yes")
    (row,) = (line for line in outcome.out.splitlines() if line.startswith("oracle") and "+0.00" in line)

    assert re.findall(r"\(.*?\)", row) == ["(task)"]
    assert "0.00 (every task is alike: no interval) was paid for needless questions." in " ".join(outcome.out.split())


def test_a_sentence_of_a_sample_says_so(call: Call) -> None:
    outcome = call("voi", "run", "--continuations", 2, "--max-trials", 14)
    said = " ".join(outcome.out.split())

    assert "On a sample, 2 of 4 questions, oracle under asking: an answer raised" in said


def test_full_lists_each_question_with_its_text_its_answer_and_its_worth(call: Call) -> None:
    outcome = call("voi", "run", "--continuations", 2, "--yes", "--full")

    rows = [line for line in outcome.out.splitlines() if "What is the list?" in line]
    assert len(rows) == 2
    assert all("Completed." in row for row in rows)
    assert "What is the list?" in Path("runs/voi-run/voi.html").read_text()


def test_markdown_has_the_same_tables(call: Call) -> None:
    outcome = call("voi", "run", "--continuations", 2, "--yes", "--full", "--format", "md")

    headings = [line for line in outcome.out.splitlines() if line.startswith("## ")]
    assert headings == [
        "## Calibration: what a question was worth",
        "## Calibration: what better asking would have gained",
        "## Calibration: each question",
        "## Calibration: each task",
    ]


def test_the_same_command_plays_nothing_twice_and_says_the_same(call: Call) -> None:
    first = call("voi", "run", "--continuations", 2, "--yes", "--json")
    again = call("voi", "run", "--continuations", 2, "--json")

    assert (first.status, again.status) == (0, 0)
    assert again.out == first.out
    assert "0 to be played" in again.err


def test_a_sample_goes_on_when_its_budget_is_raised(call: Call) -> None:
    small = json.loads(call("voi", "run", "--continuations", 2, "--max-trials", 14, "--json").out)
    large = call("voi", "run", "--continuations", 2, "--max-trials", 28, "--json")

    assert len(small["questions"]) == 2
    assert (small["questions_there"], small["tasks_there"]) == (4, 2)
    assert len(json.loads(large.out)["questions"]) == 4
    assert "28 continuations, 14 of them there" in large.err


def test_a_budget_that_holds_no_question_is_refused(call: Call) -> None:
    outcome = call("voi", "run", "--max-trials", 1)

    assert outcome.status == 2
    assert outcome.err.startswith("harness: --max-trials 1: not even one question fits")


def test_an_agent_that_the_run_does_not_have_is_named(call: Call) -> None:
    outcome = call("voi", "run", "--agent", "nobody")

    assert (outcome.status, outcome.err) == (2, "harness: --agent nobody: the run has no such agent; it has oracle\n")


def test_only_trials_of_that_name_are_looked_at(call: Call) -> None:
    found = json.loads(call("voi", "run", "--trials", "job-1", "--continuations", 2, "--yes", "--json").out)

    assert {each["task"] for each in found["questions"]} == {"job-1"}
    assert [each["task"] for each in found["tasks"]] == ["job-1"]


def test_the_folder_of_another_run_is_refused(call: Call) -> None:
    outcome = call("voi", "run", "--continuations", 2, "--yes", "--output", "run")

    assert outcome.status == 2
    assert "give another --output" in outcome.err
