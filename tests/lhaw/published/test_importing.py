"""`harness import lhaw`: what it prints, in every format, and how it ends."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from benchmarks import lhaw
from benchmarks.lhaw.published import rows
from tests.cli.conftest import Call, offer, running
from tests.lhaw.published.rows import PAYROLL, TOP, array, changed
from tests.users.speaking import heard, speaking

BAD = changed(variant_id="bad", ambiguity_class="unclear")
WITHOUT_GROUPS = changed(variant_id="bare", expected_questions=[])


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """`call("import", "lhaw", path, ...)` runs the command in an empty folder, where LHAW is the only benchmark."""
    monkeypatch.chdir(tmp_path)
    offer(monkeypatch, *lhaw.suites, where="benchmarks/lhaw")
    return running(capsys)


def test_counts_checks_and_the_user_are_shown_in_this_order(call: Call, tmp_path: Path) -> None:
    found = call("import", "lhaw", array(tmp_path, PAYROLL, TOP))
    titles = (
        "Variants by empirical class", "Dimension instances", "Question groups", "Rows that fail a check",
        "Calibration: expected questions put to grounded@2",
    )  # fmt: skip

    assert found.status == 0
    assert found.out.startswith(f"{tmp_path / 'test.json'}: 2 variants; sha256 ")
    assert "not the published file: its counts are not compared" in found.out
    assert sorted(titles, key=found.out.index) == [*titles]
    assert found.err == f"{tmp_path / 'test.json'}: 2 variants; their questions go to grounded@2\n"


def test_json_has_every_table_failure_and_question(call: Call, tmp_path: Path) -> None:
    found = json.loads(call("import", "lhaw", array(tmp_path, PAYROLL, WITHOUT_GROUPS), "--json").out)

    assert (found["published"], found["variants"], found["broken"], found["differences"]) == (False, 2, [], [])
    assert [(each["variant"], each["found"]) for each in found["failures"]] == [
        ("bare", "there is no group of questions"), ("bare", "no group is for it"),
    ]  # fmt: skip
    assert found["questions"][0] == {
        "variant": "payroll_V1_input",
        "segment": "S1",
        "question": "Which data source should I use?",
        "answer": "hours-march.csv.",
        "told": ["S1"],
        "fault": "",
    }
    assert found["tables"]["Variants by segments removed"][-1] == {"data set": "all", "1 segment": 2}


def test_csv_has_one_row_for_each_cell(call: Call, tmp_path: Path) -> None:
    found = call("import", "lhaw", array(tmp_path, PAYROLL), "--format", "csv")
    cells = list(csv.DictReader(io.StringIO(found.out)))

    assert {"table": "Question groups", "row": "1", "column": "questions", "value": "2"} in cells
    assert {"table": "Variants by empirical class", "row": "2", "column": "data set", "value": "all"} in cells


def test_markdown_has_a_heading_for_each_table(call: Call, tmp_path: Path) -> None:
    found = call("import", "lhaw", array(tmp_path, PAYROLL), "--format", "md")

    assert "\n## Question groups\n" in found.out
    assert "| TheAgentCompany | 1 | 1 | 1 | 0 | 0 |" in found.out


def test_output_goes_into_a_file(call: Call, tmp_path: Path) -> None:
    file = array(tmp_path, PAYROLL)
    shown = call("import", "lhaw", file).out
    found = call("import", "lhaw", file, "--output", "out.txt")

    assert (tmp_path / "out.txt").read_text() == shown
    assert found.out == f"out.txt: {len(shown.encode()):,} bytes\n"


def test_a_file_that_cannot_be_written_is_told_before_anything_is_asked(call: Call, tmp_path: Path) -> None:
    found = call("import", "lhaw", array(tmp_path, PAYROLL), "--output", "gone/out.txt")

    assert (found.status, found.out) == (2, "")
    assert found.err == "harness: --output gone/out.txt: there is no folder gone\n"


def test_a_long_list_of_failures_is_cut_on_a_terminal_alone(call: Call, tmp_path: Path) -> None:
    file = array(tmp_path, *(changed(WITHOUT_GROUPS, variant_id=f"v{n:02}") for n in range(15)))
    shown, all_of_it = call("import", "lhaw", file).out, call("import", "lhaw", file, "--format", "md").out

    assert "v14" not in shown
    assert "10 more with --format md, --format csv or --json." in shown
    assert all_of_it.count("| v14 |") == 2


def test_broken_rows_are_told_one_a_line_and_the_rest_is_counted(call: Call, tmp_path: Path) -> None:
    file = array(tmp_path, BAD, PAYROLL, changed(variant_id="worse", dataset=1))
    found = call("import", "lhaw", file)
    told = found.err.splitlines()

    assert found.status == 1
    assert ": 1 variants, 2 more cannot be read; sha256" in found.out
    assert [line.split(": input ")[0] for line in told[1:]] == [
        f"{file}: row 1 ('bad'): ambiguity_class", f"{file}: row 3 ('worse'): dataset",
    ]  # fmt: skip


def test_without_a_row_that_can_be_read_there_are_errors_and_no_tables(call: Call, tmp_path: Path) -> None:
    file = array(tmp_path, BAD, changed(variant_id="worse", dataset=1))
    found = call("import", "lhaw", file)

    assert found.status == 1
    assert found.out.splitlines() == [
        f"{file}: 0 variants, 2 more cannot be read; sha256 {rows.read(file).sha256[:12]}, not the published file: its "
        "counts are not compared"
    ]
    assert [line.split(": input ")[0] for line in found.err.splitlines()] == [
        f"{file}: row 1 ('bad'): ambiguity_class", f"{file}: row 2 ('worse'): dataset",
    ]  # fmt: skip
    assert json.loads(call("import", "lhaw", file, "--json").out)["tables"] == {}


def test_strict_stops_at_the_first_broken_row(call: Call, tmp_path: Path) -> None:
    found = call("import", "lhaw", array(tmp_path, PAYROLL, BAD), "--strict")

    assert (found.status, found.out) == (2, "")
    assert found.err.startswith(f"harness: {tmp_path / 'test.json'}: row 2 ('bad'): ambiguity_class: ")


def test_counts_of_the_published_file_are_compared_and_differences_listed(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = array(tmp_path, PAYROLL, TOP)
    monkeypatch.setattr(rows, "PUBLISHED_SHA256", rows.read(file).sha256)
    found = call("import", "lhaw", file, "--json")
    report = json.loads(found.out)

    assert found.status == 1
    assert report["published"]
    assert {"what": "variants", "published": 285, "here": 2} in report["differences"]
    assert [row["what"] for row in report["tables"]["Published counts"]][:2] == [
        "variants", "variants, outcome-critical",
    ]  # fmt: skip
    assert f"{file}: variants, benign: 70 published, 0 here" in found.err


def test_another_user_hears_the_same_questions(call: Call, tmp_path: Path) -> None:
    user = '{"kind": "scripted", "script": ["Use hours-march.csv."]}'
    found = json.loads(call("import", "lhaw", array(tmp_path, PAYROLL), "--user", user, "--json").out)

    assert found["user"].startswith("scripted")
    assert [(each["answer"], each["told"]) for each in found["questions"]] == [("Use hours-march.csv.", ["S1"])] * 2


def test_a_model_that_speaks_for_the_user_hears_them_too(
    call: Call,
    tmp_path: Path,
) -> None:
    with speaking([heard("S1")], ["It is hours-march.csv."]) as speaker:
        user = {"kind": "llm", "model": {"model": "openai/stub", "api_base": speaker.base_url}}
        file = array(tmp_path, PAYROLL)
        found = json.loads(call("import", "lhaw", file, "--user", json.dumps(user), "--at-once", 2, "--json").out)

    assert [each["told"] for each in found["questions"]] == [["S1"], ["S1"]]
    assert found["tables"]["Calibration: expected questions put to llm (openai/stub)"][-1]["recall %"] == 100.0


def test_questions_without_an_answer_are_counted_and_end_the_command_with_1(call: Call, tmp_path: Path) -> None:
    found = call("import", "lhaw", array(tmp_path, PAYROLL), "--user", '{"kind": "scripted", "script": []}')

    assert found.status == 1
    assert "2 of 2 questions had no answer, the first of payroll_V1_input: the script holds 0 answers" in found.err


@pytest.mark.parametrize(
    ("user", "told"),
    [("{", "--user is not JSON: "), ('{"probe": "soft"}', "--user: "), ('{"kind": "nobody"}', "--user")],
)
def test_settings_that_are_no_users_are_refused_in_one_line(call: Call, tmp_path: Path, user: str, told: str) -> None:
    found = call("import", "lhaw", array(tmp_path, PAYROLL), "--user", user)

    assert (found.status, found.out) == (2, "")
    assert found.err.startswith(f"harness: {told}")
    assert found.err.count("\n") == 1


def test_the_same_file_gives_the_same_bytes(call: Call, tmp_path: Path) -> None:
    file = array(tmp_path, PAYROLL, TOP, WITHOUT_GROUPS)

    assert call("import", "lhaw", file, "--json").out == call("import", "lhaw", file, "--json", "--at-once", "5").out
