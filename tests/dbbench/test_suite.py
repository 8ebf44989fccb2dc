"""The suite of what was imported: which tasks there are, what is right, and a run of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.dbbench import importing, published, store
from benchmarks.dbbench.suite import load
from harness import open_task
from harness.suite import Suite
from tests.cli.conftest import Call
from tests.dbbench.rows import ROWS, TABLE, file

READ, INSERT, UPDATE = "dbbench-000", "dbbench-003", "dbbench-004"


@pytest.fixture
def suite(data: Path, tmp_path: Path) -> Suite:
    store.write(importing.imported(published.read(file(tmp_path, *ROWS))))
    return load()


def test_rows_are_tasks_by_their_number_unless_nothing_says_when_they_are_done(suite: Suite) -> None:
    ids = [task.id for task in suite.tasks]

    assert ids == [f"dbbench-{number:03d}" for number in (0, 1, 2, 3, 4, 7, 8)]


def test_what_is_not_verified_is_set_aside(suite: Suite) -> None:
    assert suite.aside == {"dbbench-001", "dbbench-002", "dbbench-007"}


def test_worlds_are_those_that_were_imported(suite: Suite) -> None:
    assert suite.load_world(READ).digest == suite.worlds[READ]


def test_an_agent_is_told_the_description_and_what_is_said_beside_it(suite: Suite) -> None:
    with open_task("dbbench", READ) as task:
        assert task.request == f"Who owns the boat at berth 1?\n\nThe table is called {TABLE}."
        assert sorted(task.tools) == ["answer.submit_answer", "sql.run_sql"]


@pytest.mark.parametrize(
    ("answers", "label", "value"),
    [(["Ada Lund"], "correct", 1.0), (["ada lund"], "wrong", 0.0), (["Ada Lund", "Omar Haddad"], "wrong", 0.0)],
)
def test_a_question_is_judged_by_its_published_answer(
    suite: Suite, answers: list[str], label: str, value: float
) -> None:
    with open_task("dbbench", READ) as task:
        task.call("answer", "submit_answer", {"answers": answers})
        score = task.score()

    assert (score.label, score.value) == (label, value)


def test_a_question_without_an_answer_is_not_done(suite: Suite) -> None:
    with open_task("dbbench", READ) as task:
        score = task.score()

    assert (score.label, score.value, score.detail["answered"]) == ("nothing_done", 0.0, False)


def test_a_right_answer_does_not_excuse_a_change(suite: Suite) -> None:
    with open_task("dbbench", READ) as task:
        task.call("sql", "run_sql", {"statement": f"DELETE FROM \"{TABLE}\" WHERE Berth = 'guest'"})
        task.call("answer", "submit_answer", {"answers": ["Ada Lund"]})

        assert task.score().value == 0.0


@pytest.mark.parametrize(
    ("statement", "value"),
    [
        (f"UPDATE \"{TABLE}\" SET Boat = 'Heron' WHERE \"Owner (2024)\" LIKE 'Ada%'", 1.0),
        (f"UPDATE \"{TABLE}\" SET Boat = 'Heron' WHERE Berth = '2'", 0.0),
        (f"UPDATE \"{TABLE}\" SET Boat = 'heron' WHERE Berth = '1'", 0.0),
        (f'ALTER TABLE "{TABLE}" ADD COLUMN Note VARCHAR', 0.0),
    ],
)
def test_a_change_is_judged_by_the_rows_however_they_came_about(suite: Suite, statement: str, value: float) -> None:
    with open_task("dbbench", UPDATE) as task:
        task.call("sql", "run_sql", {"statement": statement})

        assert task.score().value == value


def test_an_answer_to_a_change_makes_no_difference(suite: Suite) -> None:
    with open_task("dbbench", INSERT) as task:
        task.call("sql", "run_sql", {"statement": f"INSERT INTO \"{TABLE}\" VALUES (4, 'Dunlin', 'Mia Ito', 6)"})
        task.call("answer", "submit_answer", {"answers": ["done"]})

        assert task.score().label == "correct"


def test_tasks_say_which_values_their_request_lacks(suite: Suite) -> None:
    assert {task.id: task.facts["lacks"] for task in suite.tasks if task.facts["lacks"]} == {"dbbench-008": ["Heron"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agents", "sentence"),
    [
        ("[{kind: oracle}]", "Trials that were right: of questions 100%; of changes 100%."),
        (
            "[{kind: oracle}, {kind: idle}]",
            "Trials that were right: of questions from 0% (idle) to 100% (oracle); "
            "of changes from 0% (idle) to 100% (oracle).",
        ),
    ],
)
def test_a_run_ends_with_questions_and_changes_apart(
    suite: Suite, call: Call, tmp_path: Path, agents: str, sentence: str
) -> None:
    config = tmp_path / "dbbench.yaml"
    config.write_text(f"suite: dbbench\nagents: {agents}\nconditions: {{original: {{}}}}\n", encoding="utf-8")
    found = call("eval", str(config), "--output", str(tmp_path / "run"))

    assert found.status == 0
    assert sentence in " ".join(found.out.split())


@pytest.mark.slow
def test_the_oracle_solves_every_verified_task_and_idle_none_with_any_hash_seed(
    suite: Suite, data: Path, tmp_path: Path
) -> None:
    config = tmp_path / "dbbench.yaml"
    config.write_text(
        "suite: dbbench\nseed: 7\nagents: [{kind: oracle}, {kind: idle}]\nconditions: {original: {prompt: original}}\n",
        encoding="utf-8",
    )

    def printed(seed: str, *more: str) -> dict[str, Any]:
        run = tmp_path / f"run{seed}"
        done = subprocess.run(
            [sys.executable, "-m", "harness", "eval", str(config), "--output", str(run), "--json", *more],
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONHASHSEED": seed, "HARNESS_DATA": str(data.parent)},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        found.pop("run", None)
        return found

    one, other = printed("0"), printed("1", "--workers", "2")
    rows = [row for title, rows in one["tables"].items() if title == "DBBench by kind of task" for row in rows]

    assert one == other
    assert {(row["agent"], row["tasks"], row["right %"]) for row in rows} == {
        (agent, kind, right)
        for agent, right in (("oracle", 100.0), ("idle", 0.0))
        for kind in ("questions", "insertions", "updates", "updates, a value not said")
    }
