"""`harness import dbbench`: what it says, what it leaves, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.dbbench import figures, importing, published, store
from benchmarks.dbbench.suite import load
from harness.suite import SuiteError
from tests.cli.conftest import Call
from tests.dbbench.rows import AS_NUMBER, INSERT, READ, ROWS, UPDATE, VAGUE, file


def counted(found: store.Imported) -> dict[str, tuple[int, int]]:
    return {each.what: (each.here, each.of) for each in figures.figures(found)}


def test_another_file_is_imported_and_named_as_such(call: Call, tmp_path: Path, data: Path) -> None:
    found = call("import", "dbbench", str(file(tmp_path, *ROWS)))

    assert found.status == 0
    assert found.out.startswith(f"suite dbbench: 9 rows, in {data}\n")
    assert "standard.jsonl is not the published file (sha256 " in found.err
    assert load().version.startswith("1-")


def test_json_says_of_every_row_what_verifies_it(call: Call, tmp_path: Path) -> None:
    found = json.loads(call("import", "dbbench", str(file(tmp_path, READ, AS_NUMBER, VAGUE)), "--json").out)

    assert (found["published"], found["broken"], found["unexpected"]) == (False, [], [])
    assert [(each["number"], each["source"], each["verified"], each["lacks"]) for each in found["rows"]] == [
        (0, "published", True, []),
        (1, "", False, []),
        (2, "published", True, ["Heron"]),
    ]


def test_lines_that_cannot_be_read_are_named_and_the_others_are_imported(
    call: Call, tmp_path: Path, data: Path
) -> None:
    path = file(tmp_path, READ, "{", UPDATE)
    found = call("import", "dbbench", str(path))

    assert found.status == 1
    assert f"{path}:2: is not one JSON object" in found.err
    assert [task.id for task in load().tasks] == ["dbbench-000", "dbbench-002"]


def test_a_file_without_rows_changes_nothing_that_is_there(call: Call, tmp_path: Path, data: Path) -> None:
    call("import", "dbbench", str(file(tmp_path, READ)))
    before = data.read_bytes()
    found = call("import", "dbbench", str(file(tmp_path, "{}")))

    assert found.status == 2
    assert "holds no row of DBBench" in found.err
    assert data.read_bytes() == before


def test_two_imports_of_a_file_are_the_same_to_the_byte(call: Call, tmp_path: Path, data: Path) -> None:
    path = file(tmp_path, *ROWS)
    call("import", "dbbench", str(path))
    first = data.read_bytes()
    call("import", "dbbench", str(path))

    assert data.read_bytes() == first


def test_figures_count_what_is_verified(tmp_path: Path) -> None:
    found = counted(importing.imported(published.read(file(tmp_path, *ROWS))))

    assert found["changes whose published statement leaves the published hash"] == (3, 6)
    assert found["of these insertions"] == (1, 1)
    assert found["questions verified, with statements of our own"] == (1, 3)
    assert found["questions that the answer 1 is right for"] == (0, 3)
    assert found["updates whose description lacks a value"] == (1, 5)


def test_what_differs_from_the_published_file_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = file(tmp_path, READ, INSERT, AS_NUMBER)
    monkeypatch.setattr(published, "PUBLISHED_SHA256", published.read(path).sha256)
    told = figures.unexpected(importing.imported(published.read(path)))

    assert "questions: 100 expected, 1 here" in told
    assert "row 2: its published hash is not met" in told
    assert "row 206: a named departure, and its hash is met" in told


def test_nothing_is_expected_of_another_file(tmp_path: Path) -> None:
    assert figures.unexpected(importing.imported(published.read(file(tmp_path, READ, AS_NUMBER)))) == []


def test_without_an_import_the_suite_says_how_to_get_one(data: Path) -> None:
    with pytest.raises(SuiteError, match="run `harness import dbbench FILE`"):
        load()


@pytest.mark.parametrize("content", ["", "{}\n", '{"format": 2, "sha256": "0", "official": true}\n', "no JSON\n"])
def test_an_import_that_is_not_as_it_was_left_is_refused(data: Path, content: str) -> None:
    data.parent.mkdir()
    data.write_text(content)

    with pytest.raises(SuiteError, match="run `harness import dbbench FILE`"):
        load()
