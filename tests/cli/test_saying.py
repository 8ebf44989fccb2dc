"""What others wrote, as commands print it: nothing in it steers the terminal, or passes for words of ours."""

from __future__ import annotations

import ast
import csv
import io
import json
from pathlib import Path

import pytest

from harness.cli.saying import say
from harness.core.visible import visible, visible_json
from harness.record.store import Run
from harness.report.page import Part, page
from harness.trajectory import AnswerRecord, QuestionRecord
from tests.cli.conftest import Call

CLI = Path(__file__).parents[2] / "harness" / "cli"
STEERING = "a\x1b[2Jb\x1b]0;c\x07d\x9b31me\u202ef\u2066g\x7fh\ri\u2028j"
SEEN = "a[U+001B][2Jb[U+001B]]0;c[U+0007]d[U+009B]31me[U+202E]f[U+2066]g[U+007F]h[U+000D]i[U+2028]j"


def steers(text: str) -> bool:
    return any(c in text for c in "\x1b\x07\x9b\u202e\u2066\x7f\r\u2028")


@pytest.fixture
def played(call: Call, config: Path, tmp_path: Path) -> Run:
    """A run of one trial, whose agent asked and said what steers a terminal."""
    call("eval", config, "--output", "here", "--limit", 1, "--trials", 1, "--agent", "oracle")
    run = Run.open(tmp_path / "here")
    (record,) = run.records()
    t = record.trajectory
    t.sessions[0].reply = STEERING
    t.calls[0].arguments["title"] = STEERING
    t.events[1:1] = [
        QuestionRecord(session=0, step=0, text=f"{STEERING}\n\nScores:\n  outcome: 1, correct"),
        AnswerRecord(session=0, step=0, text="No.\nFinal changes:"),
    ]
    run.write(record)
    return run


def test_lines_and_tabs_stay_and_what_steers_is_spelled_out() -> None:
    assert visible(f"one\ttwo\r\n{STEERING}\n日本 é 👩‍💻") == f"one\ttwo\n{SEEN}\n日本 é 👩‍💻"


def test_a_trial_is_shown_without_commands_to_the_terminal(call: Call, played: Run) -> None:
    shown = call("show", "here", "oracle").out

    assert not steers(shown)
    assert f"asked: {SEEN.partition('i[U+2028]')[0]}" in shown.replace("\n       ", "[U+000D]")


def test_what_was_asked_and_answered_begins_no_part_of_a_trial(call: Call, played: Run) -> None:
    lines = call("show", "here", "oracle").out.splitlines()

    assert [lines.count(part) for part in ("Scores:", "Final changes:")] == [1, 1]


def test_json_says_what_steers_in_escapes(call: Call, played: Run) -> None:
    printed = call("show", "here", "oracle", "--json").out

    assert not steers(printed)
    assert json.loads(printed)["trajectory"]["sessions"][0]["reply"] == STEERING
    assert json.loads(visible_json(json.dumps([STEERING], ensure_ascii=False))) == [STEERING]


def test_an_error_names_a_file_without_commands_to_the_terminal(call: Call, played: Run) -> None:
    (played.folder / "trials" / "\x1b[2J\u202e.json").write_text("{}")

    told = call("show", "here").err

    assert "[U+001B][2J[U+202E].json" in told
    assert not steers(told)


def test_rows_for_a_spreadsheet_say_why_a_trial_is_void_without_commands_to_the_terminal(
    call: Call, played: Run
) -> None:
    (record,) = played.records()
    record.trajectory.status, record.trajectory.reason = "void", STEERING
    played.write(record)

    printed = call("report", "here", "--format", "csv").out

    assert SEEN in printed
    assert not steers(printed)


def test_a_page_shows_marks_of_direction() -> None:
    assert "agent [U+202E]" in page("title", [Part("agent \u202e", {}, [])])


@pytest.fixture
def odd(call: Call, tmp_path: Path) -> Path:
    """A run of two agents whose names are a formula, and of a condition that is a tag."""
    text = (
        "suite: toy\nagents:\n- {kind: oracle, name: \"=cmd|'/c'!A0\"}\n- {kind: idle, name: '-2+3'}\n"
        "conditions: {'<b>x</b> [y](z) &lt; \\`': {}}\n"
    )
    (tmp_path / "odd.yaml").write_text(text)
    assert call("eval", "odd.yaml", "--output", "odd", "--limit", 1).status == 0
    return tmp_path / "odd"


def test_a_cell_of_csv_is_no_formula(call: Call, odd: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(call("report", "odd", "--format", "csv").out)))

    assert [row["agent"] for row in rows] == ["'=cmd|'/c'!A0", "'-2+3"]
    assert {row["trial"] for row in rows} == {"0"}


def test_a_name_in_markdown_is_neither_a_tag_nor_a_link(call: Call, odd: Path) -> None:
    printed = call("report", "odd", "--format", "md").out

    assert r"\<b>x\</b> [y\](z) \&lt; \\`" in printed
    assert "<b>" not in printed.replace(r"\<", "")
    assert "[y](" not in printed


def test_a_trial_whose_name_begins_with_a_dash_is_shown_as_the_run_says(call: Call, odd: Path) -> None:
    hint = next(line for line in call("show", "odd").out.splitlines() if "harness show" in line)

    told = hint.partition("harness show ")[2].split()

    assert told[:2] == ["odd", "--"]
    assert call("show", *told).out.startswith("-2+3 on toy-0 of toy")


def test_all_that_commands_print_goes_through_one_door() -> None:
    doors = {"saying.py", "render.py"}
    wrong = [
        path.name
        for path in sorted(CLI.glob("*.py"))
        if path.name not in doors
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("typer.echo", "typer.secho", "click.echo", "print")
    ]

    assert wrong == ["progress.py"]  # numbers alone


def test_what_is_said_goes_to_standard_error_where_it_is_told_to(capsys: pytest.CaptureFixture[str]) -> None:
    say("\x1b[2J", err=True)

    assert capsys.readouterr() == ("", "[U+001B][2J\n")
