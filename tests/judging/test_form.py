"""A person judges by file."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.record.judgements import judgements
from tests.judging.scene import MOVED, command, played

Change = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.chdir(tmp_path)
    return played(tmp_path / "run")


def by_evidence(row: dict[str, Any]) -> dict[str, Any]:
    done = ": 1 changes" in row["evidence"]
    answer = ("Yes" if done else "no") if row["question"] == MOVED else (4 if done else 1)
    return row | {"answer": answer, "reason": "I looked."}


def filled(path: Path, change: Change) -> None:
    """Do something with each row of a form, as its person would."""
    if path.suffix == ".jsonl":
        rows = [change(json.loads(line)) for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return
    with path.open(newline="", encoding="utf-8-sig") as file:
        rows = [change(row) for row in csv.DictReader(file)]
    with path.open("w", newline="", encoding="utf-8-sig") as file:  # as spreadsheets do
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.mark.parametrize("name", ["anna.csv", "anna.jsonl"])
def test_a_form_is_written_filled_in_and_read_back(run: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert command("judge", run, "--person", name) == 0
    assert f"{name}: 16 questions" in capsys.readouterr().out
    filled(Path(name), by_evidence)
    assert command("judge", run, "--person", name, "--json") == 0
    found = json.loads(capsys.readouterr().out)

    assert (found["judging"], found["correct"], found["failed"]) == ({"read": 16}, 4, 4)
    assert {(each.name, each.reason) for each in judgements(run)} == {("anna", "I looked.")}


def test_a_form_does_not_say_whose_work_it_is(run: Path) -> None:
    command("judge", run, "--person", "anna.jsonl")

    text = Path("anna.jsonl").read_text()
    assert "oracle" not in text
    assert "idle" not in text


def test_two_people_who_agree_are_two_judges(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("anna.csv", "ben.jsonl"):
        command("judge", run, "--person", name)
        filled(Path(name), by_evidence)
        command("judge", run, "--person", name)
    capsys.readouterr()
    command("score", run, "--json")
    rows = json.loads(capsys.readouterr().out)["tables"]["Agreement"]

    assert ("anna", "ben", 1.0) in [(row["judge"], row["and"], row["kappa"]) for row in rows]


def test_what_is_left_open_is_on_the_next_form(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command("judge", run, "--person", "anna.csv")
    filled(Path("anna.csv"), lambda row: by_evidence(row) if row["question"] == MOVED else row)
    command("judge", run, "--person", "anna.csv")
    Path("anna.csv").rename("first.csv")
    capsys.readouterr()
    command("judge", run, "--person", "anna.csv")

    assert "anna.csv: 8 questions" in capsys.readouterr().out


def test_who_cannot_tell_leaves_it_unscored(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command("judge", run, "--person", "anna.csv")
    filled(Path("anna.csv"), lambda row: row | {"answer": "?"})
    capsys.readouterr()
    command("judge", run, "--person", "anna.csv", "--json")

    assert json.loads(capsys.readouterr().out)["unscored"] == 8
    assert {each.answer for each in judgements(run)} == {None}


def test_an_answer_that_is_changed_takes_the_place_of_the_first(run: Path) -> None:
    for answer in ("?", "no"):
        if not Path("anna.csv").exists():
            command("judge", run, "--person", "anna.csv")
        filled(Path("anna.csv"), lambda row, a=answer: row | {"answer": a if row["question"] == MOVED else ""})  # type: ignore[misc]
        command("judge", run, "--person", "anna.csv")

    assert [each.answer for each in judgements(run)] == ["no"] * 8


def test_evidence_longer_than_a_csv_field_usually_is_comes_back(run: Path, tmp_path: Path) -> None:
    command("judge", run, "--person", "anna.csv")
    filled(Path("anna.csv"), lambda row: by_evidence(row) | {"reason": "x" * 200_000})

    assert command("judge", run, "--person", "anna.csv") == 0


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"answer": "perhaps"}, "anna.jsonl:1: answer takes 1, 2, 3, 4, 5, ?, not 'perhaps'"),
        ({"key": "0", "answer": "yes"}, "anna.jsonl:1: no trial of"),
    ],
)
def test_a_row_that_does_not_fit_is_named_and_nothing_is_kept(
    run: Path, capsys: pytest.CaptureFixture[str], row: dict[str, str], told: str
) -> None:
    command("judge", run, "--person", "anna.jsonl")
    filled(Path("anna.jsonl"), lambda each: by_evidence(each) | row)

    assert command("judge", run, "--person", "anna.jsonl") == 2
    assert told in capsys.readouterr().err
    assert judgements(run) == []


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("anna.jsonl", b"[1]\n", "anna.jsonl:1: each line is one JSON object"),
        ("anna.jsonl", b"\xff", "cannot be read as UTF-8 text"),
        ("anna.csv", b"key,question\n1,2\n", "there is no column 'answer'"),
        ("anna.csv", b"key,answer\n1\n", "anna.csv:2: 1 cells where the form has 2 columns"),
        ("anna.csv", b'key,answer,reason\n,,"a\nb"\n1,yes,"a\nb"\n', "anna.csv:2: no trial of"),
        ("anna.csv", b'key,answer\n"1,2\n', "anna.csv:2: this is not CSV"),
    ],
)
def test_a_file_that_is_no_form_is_told_so(
    run: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, told: str
) -> None:
    Path(name).write_bytes(content)

    assert command("judge", run, "--person", name) == 2
    assert told in capsys.readouterr().err


def test_a_form_that_cannot_be_written_is_told_so(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("judge", run, "--person", "nowhere/anna.csv") == 2
    assert "is there a folder nowhere" in capsys.readouterr().err
