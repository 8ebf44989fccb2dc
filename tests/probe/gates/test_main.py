"""The command: what it prints, and with what it ends."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from benchmarks.probe.gates import __main__ as command
from benchmarks.probe.gates.gates import Gate
from benchmarks.probe.gates.looks import looks, published
from benchmarks.probe.published import exported
from benchmarks.probe.records import Sample
from tests.probe.gates.small import document, mail, sample

PASSES = Gate("single", "place", "easy", 0.5, 0.45, 0.55, 0.43, 0.57, 240, 235)
FAILS = Gate("learned", "boosting", "hard", 0.58, 0.55, 0.61, 0.0, 0.6, 240, 235)
GUESS = Gate("guess", "action by words", "easy", 0.05, 0.04, 0.06, 0.0, 0.07, 240, 235)


def written(folder: Path, *samples: Sample) -> list[str]:
    for each in samples:
        exported(each).write(folder)
    return ["--published", str(folder), "--workers", "1"]


def told(number: int, **fields: object) -> Sample:
    documents = [mail(f"d{day}", f"Point {day * number}.", date=f"2026-03-{day:02d}") for day in range(1, 9)]
    documents.append(document("d9", "A paper of some length, with AB-1234 in it."))
    return sample(*documents, evidence=("d1", "d9"), right="a1", id=f"S{number}", persona_id=f"P{number}", **fields)


def test_it_ends_with_0_where_every_gate_holds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "gates", lambda looks, workers: [PASSES, GUESS])

    assert command.main(written(tmp_path, told(1))) == 0
    assert capsys.readouterr().out.splitlines() == [
        "                      easy",
        "samples, personas     240, 235",
        "",
        "one feature: AUC from 0.43 to 0.57",
        "place                 .500 (.450 .550)  pass",
        "",
        "the action, without documents at most 0.070",
        "action by words       .050 (.040 .060)  pass",
        "",
        "In brackets are 95% intervals by persona; * fails.",
        "Of easy samples the limits for shared codes are 0.40 to 0.60.",
    ]


def test_it_ends_with_1_where_one_does_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "gates", lambda looks, workers: [PASSES, FAILS])

    assert command.main(written(tmp_path, told(1))) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "place                 .500 (.450 .550)  -                 pass" in lines
    assert "boosting              -                 .580 (.550 .610)* FAIL" in lines


def test_it_takes_published_samples_and_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = command.main([*written(tmp_path, told(1), told(2), told(3)), "--json"])

    gates = json.loads(capsys.readouterr().out)
    assert {(each["samples"], each["personas"]) for each in gates} == {(3, 3)}
    assert found == int(not all(each["passed"] for each in gates))
    by_name = {each["name"]: each for each in gates}
    assert by_name["codes"]["value"] == pytest.approx((0.5 + 1) / 2)  # d9 alone has one, and d1 ties with the others
    assert by_name["codes"]["passed"] is False


def test_what_is_planted_is_planted_before_gates_look(tmp_path: Path) -> None:
    written(tmp_path, told(1))
    sources = published(tmp_path, 1)

    (plain,), (planted,) = looks(sources), looks(sources, "order")

    assert planted.marked.tolist() == [True, True] + [False] * 7
    assert plain.marked.sum() == 2
    assert plain.marked.tolist() != planted.marked.tolist()


def test_all_lines_fit_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = [told(number, difficulty=level) for number, level in enumerate(("easy", "medium", "hard") * 2, 1)]

    command.main(written(tmp_path, *both))

    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "Some intervals are wider than the limits: take more samples." in lines


def test_it_says_in_a_line_what_to_install_where_scikit_learn_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "sklearn" else there(name))

    assert command.main(written(tmp_path, told(1))) == 2
    assert capsys.readouterr().err == "gates: the gates need scikit-learn: pip install 'workplace-harness[gates]'\n"


def test_samples_that_it_cannot_use_are_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(written(tmp_path, told(1))) == 2
    assert capsys.readouterr().err == "gates: easy samples with evidence are of too few personas (1): it takes two\n"

    (tmp_path / "S1_output.json").write_text("{")
    assert command.main(written(tmp_path)) == 2
    assert "S1_output.json: cannot be read as JSON" in capsys.readouterr().err


@pytest.mark.parametrize("given", [["--samples", "0"], ["--samples", "many"], ["--plant", "smell"]])
def test_what_cannot_be_asked_is_refused(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        command.main(given)

    assert given[0] in capsys.readouterr().err
