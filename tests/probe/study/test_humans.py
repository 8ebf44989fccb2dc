"""People's runs: what they are given, what comes back, and table 2, worked out by hand."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from benchmarks.probe.study.humans import (
    COLUMNS,
    OPEN,
    entries,
    open_questions,
    ordered,
    read_runs,
    read_verdicts,
    shown,
    table,
    write_form,
    write_open,
)  # fmt: skip
from harness.judging.forms import FormError, read_rows
from tests.probe.scoring.toys import PARAMETERS, STRUCTURED, sample

SAMPLES = {"S1": sample(), "S2": sample().model_copy(update={"id": "S2"})}
RIGHT = {
    "annotator": "anna", "order": "1", "sample": "S1", "active_seconds": "1800",
    "opened": "D1, D2 D3", "evidence": "D1 D2",
    **STRUCTURED.model_dump(), "action": "ask", "parameters": json.dumps(PARAMETERS), "confidence": "4",
    "documents_realistic": "yes", "actions_realistic": "yes", "comment": "Hard.",
}  # fmt: skip
NOTHING = {
    **dict.fromkeys(COLUMNS, ""), "annotator": "anna", "order": "2", "sample": "S2", "active_seconds": "600",
    "confidence": "1", "documents_realistic": "no", "actions_realistic": "yes",
}  # fmt: skip


def form(folder: Path, *rows: dict[str, str]) -> Path:
    path = folder / "anna.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_form_has_a_row_for_each_sample_and_waits_for_the_rest(tmp_path: Path) -> None:
    write_form(tmp_path / "anna.csv", "anna", ["S2", "S1"])

    rows = [row for _, row in read_rows(tmp_path / "anna.csv", COLUMNS)]
    assert [(row["annotator"], row["order"], row["sample"]) for row in rows] == [
        ("anna", "1", "S2"),
        ("anna", "2", "S1"),
    ]
    assert read_runs(tmp_path / "anna.csv", SAMPLES) == []


def test_people_do_samples_in_orders_of_their_own() -> None:
    names = [f"S{number}" for number in range(12)]

    assert sorted(ordered(names, "anna", 1)) == sorted(names)
    assert ordered(names, "anna", 1) == ordered(names[::-1], "anna", 1) != ordered(names, "ben", 1)


def test_who_does_a_sample_sees_all_of_it_and_nothing_of_the_key() -> None:
    text = shown(sample())

    assert all(f"--- {each.id} (email)" in text for each in sample().documents)
    assert "ask: Ask whoever decides to open something." in text
    assert "urgency (enum, or low, or high)" in text
    assert "critical" not in text
    assert sample().gold.description not in text


def test_what_was_put_down_comes_back(tmp_path: Path) -> None:
    run, _ = read_runs(form(tmp_path, RIGHT, NOTHING), SAMPLES)

    assert (run.annotator, run.order, run.sample, run.seconds) == ("anna", 1, "S1", 1800)
    assert (run.opened, run.answer.retrieved) == (("D1", "D2", "D3"), ("D1", "D2"))
    assert run.answer.bottleneck == STRUCTURED
    assert (run.answer.action, run.answer.parameters) == ("ask", PARAMETERS)
    assert (run.confidence, run.documents_realistic, run.actions_realistic, run.comment) == (4, True, True, "Hard.")


def test_who_names_no_action_did_nothing(tmp_path: Path) -> None:
    (run,) = read_runs(form(tmp_path, NOTHING), SAMPLES)

    assert (run.answer.action, run.answer.retrieved, run.documents_realistic) == (None, (), False)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"sample": "S9"}, "there is no sample 'S9'"),
        ({"annotator": ""}, "annotator is empty"),
        ({"order": "first"}, "order takes a whole number from 1, not 'first'"),
        ({"active_seconds": "ten"}, "active_seconds takes a number of seconds, not 'ten'"),
        ({"active_seconds": "0"}, "active_seconds takes a number of seconds, not '0'"),
        ({"opened": "D1 D99"}, "opened takes ids of its documents; 'D99' is none"),
        ({"evidence": "D0"}, "evidence takes ids of its documents; 'D0' is none"),
        ({"action": "shout"}, "action takes an id of one of its actions, or nothing, not 'shout'"),
        ({"parameters": "by: Monday"}, "parameters takes a JSON object"),
        ({"confidence": "6"}, r"confidence takes 1 \(a guess\) to 5 \(sure\), not '6'"),
        ({"documents_realistic": "mostly"}, "documents_realistic takes yes, no, not 'mostly'"),
        ({"actions_realistic": ""}, "actions_realistic takes yes, no, not ''"),
    ],
)
def test_a_bad_row_is_told_by_file_and_line(tmp_path: Path, changed: dict[str, str], told: str) -> None:
    with pytest.raises(FormError, match=rf"anna\.csv:3: {told}"):
        read_runs(form(tmp_path, {**RIGHT, "sample": "S2"}, {**RIGHT, **changed}), SAMPLES)


def test_a_sample_is_done_once_by_each(tmp_path: Path) -> None:
    with pytest.raises(FormError, match=r"anna\.csv:3: anna did S1 at .*anna\.csv:2 already"):
        read_runs(form(tmp_path, RIGHT, RIGHT), SAMPLES)


def test_scores_are_those_of_agents_with_what_was_opened_beside(tmp_path: Path) -> None:
    right, nothing = entries(read_runs(form(tmp_path, RIGHT, NOTHING), SAMPLES), SAMPLES, {})

    assert right.scored.strict is True
    assert right.scored.touched is not None
    assert right.scored.touched.precision == pytest.approx(2 / 3)
    assert (nothing.scored.overall, nothing.seconds) == (0.0, 600)


def test_table_2_averages_over_entries(tmp_path: Path) -> None:
    runs = read_runs(form(tmp_path, RIGHT, NOTHING, {**NOTHING, "annotator": "ben", "active_seconds": "1200"}), SAMPLES)

    anna, ben, average, chance = table(runs, SAMPLES, {})

    assert anna == {
        "Annotator": "anna", "Search F1": 0.5, "Bottleneck Identification": 0.5, "Task Selection": 0.5, "Entries": 2,
        "identification scored": 2, "selection scored": 2, "Samples/hour": pytest.approx(3), "Realistic": False,
        "Confidence": 2.5,
    }  # fmt: skip
    assert (ben["Search F1"], ben["Samples/hour"], ben["Confidence"]) == (0, pytest.approx(3), 1)
    assert (average["Search F1"], average["Entries"], average["Confidence"]) == (pytest.approx(1 / 3), 1.5, 2)
    assert (chance["Annotator"], chance["Task Selection"], chance["Confidence"]) == ("chance", 0.5, None)


def test_what_no_program_can_tell_is_asked_by_form_and_scored(tmp_path: Path) -> None:
    runs = read_runs(form(tmp_path, {**RIGHT, "why_root_cause": "Nobody can open the drawing archive."}), SAMPLES)
    asked = open_questions(runs, SAMPLES)
    path = tmp_path / "open.csv"
    write_open(path, asked)

    assert [*asked] == ["anna.S1.why_root_cause"]
    assert read_verdicts(path, asked) == {}
    assert entries(runs, SAMPLES, {})[0].scored.identification.score is None

    path.write_text(path.read_text().rstrip("\n") + "correct\n")
    assert entries(runs, SAMPLES, read_verdicts(path, asked))[0].scored.identification.score == 1


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("anna.S1.why_root_cause,,,,,n/a", "verdict takes correct, incorrect, missing, ?, not 'n/a'"),
        ("ben.S1.why_root_cause,,,,,correct", "nobody asks 'ben.S1.why_root_cause'"),
    ],
)
def test_a_bad_verdict_is_told_by_file_and_line(tmp_path: Path, row: str, told: str) -> None:
    runs = read_runs(form(tmp_path, {**RIGHT, "why_root_cause": "Nobody can open the drawing archive."}), SAMPLES)
    path = tmp_path / "open.csv"
    path.write_text(",".join(OPEN) + f"\n{row}\n")

    with pytest.raises(FormError) as error:
        read_verdicts(path, open_questions(runs, SAMPLES))
    assert str(error.value).startswith(f"{path}:2: {told}")
