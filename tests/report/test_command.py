"""`harness report` and the page that `harness eval` leaves."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from harness.record.store import Run
from harness.report.sheets import write_folder
from harness.report.trials import COLUMNS
from harness.suite import Suite, SuiteEntry, Table
from tests.cli.conftest import Call, call, config, offer
from tests.harness import toy

__all__ = ("call", "config")


@pytest.fixture
def folder(call: Call, config: Path, tmp_path: Path) -> Path:
    """A run of oracle and idle, two trials each of twelve tasks."""
    assert call("eval", config, "--output", "here").status == 0
    return tmp_path / "here"


def other(call: Call, tmp_path: Path, seed: int = 1) -> None:
    (tmp_path / "other.yaml").write_text(f"suite: toy\nseed: {seed}\nagents: [{{kind: oracle}}, {{kind: idle}}]\n")
    assert call("eval", tmp_path / "other.yaml", "--output", "there").status == 0


def suite_of(monkeypatch: pytest.MonkeyPatch, changed: Suite) -> None:
    entries = (SuiteEntry("toy", "Jobs on a board.", lambda: changed),)
    offer(monkeypatch, *entries)


def test_eval_leaves_a_page_in_the_runs_folder(call: Call, config: Path, folder: Path) -> None:
    text = (folder / "report.html").read_text(encoding="utf-8")

    assert text.startswith("<!doctype html>")
    assert "Calibration: outcomes" in text
    assert "oracle, idle" in text
    assert str(folder.parent) not in text
    assert "harness report here (figures: report.html there)" in call("eval", config, "--output", "here").out


def test_starting_over_takes_the_page_away_too(call: Call, config: Path, folder: Path) -> None:
    assert call("eval", config, "--output", "here", "--fresh").status == 0
    assert (folder / "report.html").exists()


def test_a_report_as_html_is_the_page_of_the_run(call: Call, folder: Path) -> None:
    assert call("report", "here", "--format", "html").out == (folder / "report.html").read_text(encoding="utf-8")


def test_a_report_begins_with_what_the_run_comes_to(call: Call, folder: Path) -> None:
    text, markdown = call("report", "here").out, call("report", "here", "--format", "md").out
    sentence = "oracle was right in 100% of its trials, idle in 0%."
    title = "Calibration: played by instruments of known behaviour, not by a model"

    assert text.startswith(f"toy: toy@1, 48 trials\n\n{title}\n\nagent ")
    assert text.index(f"\n\n{sentence}\n\n") < text.index("\nCalibration: outcomes\n")
    assert markdown.startswith(
        "# toy@1\n\n- suite: toy@1\n- agents: oracle, idle\n- conditions: default\n- trials: 48\n- seed: 0\n- run: "
    )
    assert f"\n\n{sentence}\n\n## {title}\n\n| agent | accuracy " in markdown
    assert "\n\n## Calibration: outcomes\n\n" in markdown


def test_each_of_several_reports_begins_with_what_its_run_comes_to(call: Call, folder: Path, tmp_path: Path) -> None:
    other(call, tmp_path)
    parts = call("report", "here", "there", "--format", "md").out.split("\n# ")

    assert ["\n\noracle was right in " in part for part in parts] == [False, True, True]


def test_a_report_goes_into_a_file(call: Call, folder: Path, tmp_path: Path) -> None:
    printed = call("report", "here", "--format", "md")
    written = call("report", "here", "--format", "md", "--output", "out.md")

    assert (tmp_path / "out.md").read_text(encoding="utf-8") == printed.out
    assert written.out == f"out.md: md, {len(printed.out.encode()):,} bytes\n"


def test_a_file_that_cannot_be_written_is_a_clear_error(call: Call, folder: Path) -> None:
    outcome = call("report", "here", "--output", "no/such/place.txt")

    assert outcome.status == 2
    assert "--output no/such/place.txt cannot be written: No such file or directory" in outcome.err


def test_csv_has_one_row_per_trial_under_stable_names(call: Call, folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(call("report", "here", "--format", "csv").out)))

    assert tuple(rows[0]) == COLUMNS
    assert COLUMNS[:8] == ("run", "identity", "suite", "suite_version", "agent", "condition", "task", "task_hash")
    assert len(rows) == 48
    assert [(row["verdict"], row["correct"]) for row in rows[::24]] == [("correct", "1"), ("failed", "0")]
    chosen = ("run", "suite", "agent", "task", "template", "trial", "tool_calls", "ckpt")
    assert {key: rows[0][key] for key in chosen} == {
        "run": "toy", "suite": "toy", "agent": "oracle", "task": "toy-0", "template": "template-0", "trial": "0",
        "tool_calls": "1", "ckpt": "1.0",
    }  # fmt: skip


def test_csv_is_the_same_whenever_a_run_is_played(call: Call, config: Path, folder: Path) -> None:
    first = call("report", "here", "--format", "csv").out
    call("eval", config, "--output", "again")

    assert call("report", "again", "--format", "csv").out == first


def sheet(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_csv_into_a_folder_has_the_trials_and_every_table_with_its_numbers_as_json_has_them(
    call: Call, folder: Path, tmp_path: Path
) -> None:
    tables = json.loads(call("report", "here", "--json").out)["tables"]
    told = call("report", "here", "--format", "csv", "--output", "sheets").out

    (tmp_path / "sheets" / "harness-tables.txt").unlink()
    assert told == f"sheets: {1 + len(tables)} CSV files\n"
    assert {path.stem for path in (tmp_path / "sheets").iterdir()} == {
        "trials", *("-".join(re.findall(r"\w+", title.lower())) for title in tables)
    }  # fmt: skip
    assert (tmp_path / "sheets" / "trials.csv").read_text() == call("report", "here", "--format", "csv").out
    assert sheet(tmp_path / "sheets" / "calibration-outcomes.csv") == [
        {name: "" if value is None else str(value) for name, value in row.items()}
        for row in tables["Calibration: outcomes"]
    ]


def test_csv_of_several_runs_into_a_folder_has_a_folder_for_each(call: Call, folder: Path, tmp_path: Path) -> None:
    other(call, tmp_path)
    call("report", "here", "there", "--format", "csv", "--output", "sheets")
    (row, *_) = sheet(tmp_path / "sheets" / "calibration-side-by-side.csv")

    assert row["second"] == "other: oracle, default"
    assert len(sheet(tmp_path / "sheets" / "trials.csv")) == 48 + 24
    assert [len(sheet(tmp_path / "sheets" / run / "calibration-outcomes.csv")) for run in ("toy", "other")] == [2, 2]


def test_titles_that_are_cut_in_the_names_of_files_are_whole_in_a_list_of_them(tmp_path: Path) -> None:
    titles = [f"From {'a' * 120} to {end}" for end in ("here", "there")]
    found = [Table(title, ["n"], [{"n": n}]) for n, title in enumerate(titles)]
    write_folder(tmp_path / "sheets", "run\n", [], {"one": found})

    listed = (tmp_path / "sheets" / "harness-tables.txt").read_text().splitlines()[2:]
    assert [line.split(": ")[1] for line in listed] == titles
    assert [sheet(tmp_path / "sheets" / line.split(": ")[0]) for line in listed] == [[{"n": "0"}], [{"n": "1"}]]


@pytest.mark.parametrize("name", ["all.csv", "all.txt", "there"])
def test_csv_into_a_file_is_the_trials(call: Call, folder: Path, tmp_path: Path, name: str) -> None:
    (tmp_path / "there").touch()
    call("report", "here", "--format", "csv", "--output", name)

    assert (tmp_path / name).read_text() == call("report", "here", "--format", "csv").out


def test_csv_takes_the_place_of_its_own_folder_and_of_nothing_else(call: Call, folder: Path, tmp_path: Path) -> None:
    call("report", "here", "--format", "csv", "--output", "sheets")
    (tmp_path / "sheets" / "old.csv").touch()
    again = call("report", "here", "--format", "csv", "--output", "sheets")
    into = call("report", "here", "--format", "csv", "--output", "here")

    assert (again.status, (tmp_path / "sheets" / "old.csv").exists()) == (0, False)
    assert (into.status, "here exists and holds something else" in into.err) == (2, True)


def test_tables_of_one_title_and_of_very_long_ones_have_files_of_their_own(tmp_path: Path) -> None:
    long = "Results: \u00fc, user " + "\u00e4" * 300
    titles = ["Trials", "A, b?", "a: B", "%", f"{long}1", f"{long}2"]
    write_folder(tmp_path / "sheets", "run\n", [Table(title, ["n"], [{"n": 0.1 + 0.2}]) for title in titles], {})

    names = sorted(path.name for path in (tmp_path / "sheets").iterdir())
    assert len(names) == len(titles) + 2
    assert {"trials.csv", "trials-2.csv", "a-b.csv", "a-b-2.csv", "table.csv"} < {*names}
    assert (tmp_path / "sheets" / "a-b.csv").read_text() == "n\n0.30000000000000004\n"


def test_two_runs_come_side_by_side_before_each_alone(call: Call, folder: Path, tmp_path: Path) -> None:
    other(call, tmp_path)
    text = call("report", "here", "there").out
    data = json.loads(call("report", "here", "there", "--json").out)

    assert text.startswith("Side by side\n\nCalibration: side by side\n")
    assert "toy: toy@1, 48 trials" in text
    assert "other: toy@1, 24 trials" in text
    assert [each["run"] for each in data["runs"]] == ["here", "there"]
    assert data["comparison"]["Calibration: side by side"][0]["second"] == "other: oracle, default"
    assert call("report", "here", "there", "--format", "html").out.count("<h2>") == 3
    assert len(call("report", "here", "there", "--format", "csv").out.splitlines()) == 1 + 48 + 24


def test_a_run_is_not_compared_with_itself(call: Call, folder: Path) -> None:
    outcome = call("report", "here", "./here")

    assert (outcome.status, outcome.out) == (2, "")
    assert "the same run is given twice" in outcome.err


def test_runs_that_share_no_task_are_refused(call: Call, config: Path, tmp_path: Path) -> None:
    (tmp_path / "last.yaml").write_text("suite: toy\nagents: [{kind: oracle}]\ntasks: [toy-11]\n")
    call("eval", config, "--limit", "1", "--output", "here")
    call("eval", "last.yaml", "--output", "there")
    outcome = call("report", "here", "there")

    assert (outcome.status, outcome.out) == (2, "")
    assert "nothing to compare: no two of these runs have played the same task" in outcome.err


def revised(*numbers: int) -> Suite:
    """The toy suite with other content under some tasks' ids."""
    old = toy.suite()
    tasks = [t.model_copy(update={"facts": {"revised": True}}) if n in numbers else t for n, t in enumerate(old.tasks)]
    return Suite(**{**{k: v for k, v in vars(old).items() if k != "digest"}, "tasks": tuple(tasks)})


def test_tasks_whose_content_differs_are_named_and_left_out(
    call: Call, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite_of(monkeypatch, revised(3, 5))
    other(call, tmp_path)
    outcome = call("report", "here", "there")

    assert outcome.status == 0
    assert "not compared, since their content differs: toy-3, toy-5" in outcome.err
    assert "here: only compared, since its suite has changed since it was played" in outcome.err
    assert "Not compared: tasks whose content differs" in outcome.out
    data = json.loads(call("report", "here", "there", "--json").out)
    assert data["comparison"]["Calibration: side by side"][0]["tasks"] == 10


def test_runs_that_share_no_content_are_refused_with_the_tasks_listed(
    call: Call, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite_of(monkeypatch, revised(*range(12)))
    other(call, tmp_path)
    outcome = call("report", "here", "there")

    assert (outcome.status, outcome.out) == (2, "")
    assert "nothing to compare: all 12 tasks that these runs share differ in content: toy-0, toy-1, " in outcome.err
    assert "and 2 more" in outcome.err


def test_a_lone_run_of_a_changed_suite_is_refused(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite_of(monkeypatch, revised(0))
    outcome = call("report", "here")

    assert outcome.status == 2
    assert "was played on toy@1" in outcome.err


def test_a_run_at_a_scale_is_reported_and_compared_with_its_tables(
    call: Call, config: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grown(scale: int = 1) -> Suite:
        return toy.suite([toy.task(n) for n in range(12 * scale)])

    entries = (SuiteEntry("toy", "Jobs on a board.", grown, scales=True),)
    offer(monkeypatch, *entries)
    assert call("eval", config, "--scale", 2, "--output", "grown").status == 0
    alone, beside = call("report", "grown"), call("report", "here", "grown")

    assert (alone.status, alone.err) == (0, "")
    assert "Calibration: outcomes" in alone.out
    assert "only compared" not in beside.err
    assert "96 trials" in beside.out


def test_trials_of_other_content_within_a_run_are_not_pooled(call: Call, folder: Path) -> None:
    run = Run.open(folder)
    record = next(run.records())
    record.trajectory.task_hash = "0" * 64
    run.write(record)
    outcome = call("report", "here")

    assert (outcome.status, outcome.out) == (2, "")
    assert (
        f"trials of 1 task whose content is not the suite's, and they are not pooled: {record.trajectory.task};"
        in outcome.err
    )
