"""The gate of the matcher: what labellers are shown, how labels are read and counted, and the 300 answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.probe import worlds
from benchmarks.probe.matching import items
from benchmarks.probe.matching.__main__ import main
from benchmarks.probe.matching.items import ASKED, Item, MatchingError, half, numbered, read, read_written, sheet
from benchmarks.probe.matching.measuring import Measured, Said, agreed, measured, read_labels, said
from benchmarks.probe.scoring.answers import Answer
from benchmarks.probe.scoring.identification import identification
from tests.probe.scoring.toys import DETAILS, STRUCTURED

MATCHED = Path(__file__).parent / "matched"
RIGHT = Item(
    id="m001",
    source="written",
    sample="grammar-1-0001-hard",
    details=DETAILS.model_copy(update={"how_mechanism": DETAILS.where_system}),
    people=(("Cem Dal", "cem@quarry.example"), ("Ada Berg",), ("Ada Fox", "fox@quarry.example")),
    answer=STRUCTURED.model_copy(update={"how_mechanism": "Kastor", "where_system": "Pollux"}),
)


def labels(path: Path, given: object) -> Path:
    path.write_text(json.dumps(given), encoding="utf-8")
    return path


def test_answers_of_each_source_are_scored_alike_with_and_without_their_sample() -> None:
    sample = worlds.sample("grammar-1-0013-easy")
    answers = items.answers((sample.id, ("Beatrix Hashimoto, who waits for Zdenka",), 1))

    assert [each.source for each in answers] == ["dials", "perturbed", "written"]
    for each in answers:
        given = Answer(bottleneck=each.answer, action="any")
        assert identification(each.as_sample, given, {}).verdicts == identification(sample, given, {}).verdicts


def test_a_sheet_has_the_key_and_the_answer_and_not_their_source() -> None:
    shown = sheet(RIGHT)

    assert set(shown) == {"id", "key", "other_people", "answer"}
    assert set(shown["key"]) == set(ASKED)
    assert shown["key"]["who_blocked"] == {"right": "Cem Dal", "also": ["Cem"]}
    assert shown["other_people"] == ["Ada Fox"]


def test_the_order_of_items_does_not_depend_on_the_order_they_come_in() -> None:
    some = [RIGHT.model_copy(update={"sample": f"grammar-1-{number:04d}-hard"}) for number in range(20)]

    assert numbered(some, 1) == numbered(reversed(some), 1)
    assert [each.id for each in numbered(some, 1)][:2] == ["m001", "m002"]
    assert [each.sample for each in numbered(some, 1)] != [each.sample for each in some]


def test_the_answers_to_one_sample_are_in_one_half() -> None:
    some = [RIGHT.model_copy(update={"source": source}) for source in ("dials", "perturbed", "written")]

    assert len({half(each) for each in some}) == 1


def test_a_decision_is_counted_only_where_both_labellers_agree(tmp_path: Path) -> None:
    one = read_labels(labels(tmp_path / "a.json", {"m001": "ccccici"}), [RIGHT])
    other = read_labels(labels(tmp_path / "b.json", {"m001": "ccccmc?"}), [RIGHT])

    rows = said([RIGHT], one, other)

    assert [row.label for row in rows] == [True, True, True, True, False, True, None]
    assert [row.program for row in rows] == ["correct"] * 5 + ["incorrect", "correct"]
    assert [row.detail for row in rows if row.amiss] == ["when_deadline", "where_system"]
    found = {row.detail: row for row in measured(rows)}
    assert found["when_deadline"] == Measured("when_deadline", 1, 1, 0, 1, 1)
    assert found["all"] == Measured("all", 6, 6, 4, 1, 1)
    assert agreed(rows)["all"].n == 6


@pytest.mark.parametrize(
    ("row", "passed"),
    [
        (Measured("all", 100, 100, 95, 100, 1), True),
        (Measured("all", 100, 100, 94, 100, 1), False),
        (Measured("all", 100, 100, 99, 99, 1), False),
        (Measured("all", 100, 0, 0, 100, 0), False),
    ],
)
def test_the_gate_holds_at_its_limits_and_not_beyond(row: Measured, passed: bool) -> None:
    assert row.passed is passed


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "m001 has no labels"),
        ({"m001": "ccccccc", "m002": "ccccccc"}, "m002 is not an item"),
        ({"m001": "cccc"}, "expected 7 letters"),
        ({"m001": "cccccxc"}, "expected 7 letters"),
        ([], "is not an object"),
    ],
)
def test_bad_labels_are_refused_with_their_item(tmp_path: Path, given: object, problem: str) -> None:
    with pytest.raises(MatchingError, match=problem):
        read_labels(labels(tmp_path / "a.json", given), [RIGHT])


@pytest.mark.parametrize(
    ("line", "problem"),
    [("13 | one | two", ":1: expected the number"), ("x | prose", ":1: expected"), ("1 | a\n1 | b", ":2: sample 1")],
)
def test_a_bad_line_of_written_answers_is_refused_with_its_place(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "written.txt"
    path.write_text(line, encoding="utf-8")

    with pytest.raises(MatchingError, match=problem):
        read_written(path)


def test_items_that_cannot_be_read_end_the_command_with_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "matching.jsonl"
    path.write_text("{}\n", encoding="utf-8")

    assert main(["gate", str(path), "a.json", "b.json"]) == 2
    assert "matching.jsonl:1:" in capsys.readouterr().err


def test_there_are_300_answers_from_three_sources() -> None:
    there = read(MATCHED / "matching.jsonl")

    assert len(there) == 300
    assert {source: sum(each.source == source for each in there) for source in ("dials", "perturbed", "written")} == {
        "dials": 100,
        "perturbed": 100,
        "written": 100,
    }
    assert len({each.sample for each in there if each.source == "written"}) == 100


@pytest.fixture(scope="module")
def rows() -> list[Said]:
    there = read(MATCHED / "matching.jsonl")
    return said(there, *(read_labels(MATCHED / name, there) for name in ("a.json", "b.json")))


@pytest.mark.parametrize(
    ("of", "decided", "labelled"),
    [
        ("tuned", {"who_blocked": 94, "who_blocker": 92, "what_task": 89, "why_root_cause": 69, "when_deadline": 100,
                   "where_system": 100, "how_mechanism": 54, "all": 598}, 1071),
        ("held out", {"who_blocked": 92, "who_blocker": 96, "what_task": 91, "why_root_cause": 71, "when_deadline": 98,
                      "where_system": 104, "how_mechanism": 55, "all": 607}, 1028),
    ],
)  # fmt: skip
def test_the_matcher_passes_its_gate_in_each_half_and_decides_as_much_as_the_page_says(
    rows: list[Said], of: str, decided: dict[str, int], labelled: int
) -> None:
    found = measured([row for row in rows if half(row.item) == of])

    assert [row.detail for row in found if not row.passed] == []
    assert {row.detail: row.decided for row in found} == decided
    assert found[-1].labelled == labelled


def test_both_labellers_agree_on_all_details_but_one(rows: list[Said]) -> None:
    apart = [(row.item.id, row.detail, row.program) for row in rows if row.one != row.other]

    assert apart == [("m227", "how_mechanism", None)]


def test_labels_that_contradict_the_matcher_fail_the_gate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = json.loads((MATCHED / "a.json").read_text(encoding="utf-8"))
    turned = {id: letters[0].translate(str.maketrans("cim", "icc")) + letters[1:] for id, letters in given.items()}
    path = labels(tmp_path / "turned.json", turned)

    code = main(["gate", str(MATCHED / "matching.jsonl"), str(path), str(path)])

    lines = {line.split()[0]: line.split()[-1] for line in capsys.readouterr().out.splitlines()}
    assert code == 1
    assert {name for name, gate in lines.items() if gate == "FAILS"} == {"who_blocked", "all"}
