"""What a file holds, and what is said of lines that cannot be used."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.dbbench.published import PublishedError, Row, read
from tests.dbbench.rows import CELLS, READ, TABLE, UPDATE, file, published


def table(columns: list[str], rows: list[list[Any]], name: str = TABLE) -> dict[str, Any]:
    return {"table_name": name, "table_info": {"columns": [{"name": each} for each in columns], "rows": rows}}


def test_rows_are_numbered_by_their_lines_from_0(tmp_path: Path) -> None:
    found = read(file(tmp_path, READ, "", "no JSON", UPDATE))

    assert {number: row.kind for number, row in found.rows.items()} == {0: "read", 3: "update"}
    assert [str(each) for each in found.broken] == [
        f"{tmp_path / 'standard.jsonl'}:3: is not one JSON object: Expecting value at column 1"
    ]


def test_another_file_than_the_published_one_is_known_as_such(tmp_path: Path) -> None:
    found = read(file(tmp_path, READ))

    assert len(found.sha256) == 64
    assert not found.official


@pytest.mark.parametrize(
    ("type", "kind"), [("INSERT", "insert"), ("UPDATE", "update"), ("DELETE", "delete"), ("ranking", "read")]
)
def test_the_first_type_says_what_is_to_be_done(type: str, kind: str) -> None:
    assert Row.model_validate(published(type, "?", "x") | {"type": [type, "INSERT"]}).kind == kind


def test_cells_are_texts_whatever_they_were(tmp_path: Path) -> None:
    row = Row.model_validate(READ | {"table": table(["a", "b", "c"], [[1, 2.5, None], ["", "nan", True]])})

    assert row.cells == (("1", "2.5", "None"), ("", "nan", "True"))


def test_labels_that_are_numbers_are_taken_as_texts() -> None:
    assert Row.model_validate(published("counting", "?", [2, 3.5])).label == ("2", "3.5")


def test_the_hash_is_taken_out_of_what_mysql_printed() -> None:
    assert Row.model_validate(published("UPDATE", "?", "x", md5="ab" * 16)).answer_md5 == "ab" * 16


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"answer_md5": "[('12ab',)]"}, "should hold one MD5"),
        ({"type": []}, "type"),
        ({"label": []}, "label"),
        ({"type": ["UPDATE"], "label": ["a", "b"]}, "label: should be one statement, since type is UPDATE; it has 2"),
        ({"table": table(["a", "A"], [])}, "'a' stands twice"),
        ({"table": table(["a", "b"], [["1"]])}, "table.table_info.rows[0] has 1 cells for 2 columns"),
        ({"table": table([], [])}, "columns"),
        ({"table": table(["a\u00a0b"], [])}, "printable characters"),
        ({"table": table(["a"], [], name="x" * 65)}, "printable characters"),
        ({"table": table([f"c{n}" for n in range(41)], [])}, "41 columns, where 40 are the limit"),
    ],
)
def test_a_row_that_cannot_be_played_is_refused_with_its_line_and_field(
    tmp_path: Path, changed: dict[str, Any], told: str
) -> None:
    found = read(file(tmp_path, READ, READ | changed))

    assert list(found.rows) == [0]
    assert f"{tmp_path / 'standard.jsonl'}:2: " in str(found.broken[0])
    assert told in str(found.broken[0])


@pytest.mark.parametrize("content", [b"", b"\n\n", b"{}\n", b"\xff\xfe", b"[1, 2]\n"])
def test_a_file_without_a_row_is_refused_by_its_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "standard.jsonl"
    path.write_bytes(content)

    with pytest.raises(PublishedError, match=r"standard\.jsonl: "):
        read(path)


def test_a_file_that_is_not_there_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(PublishedError, match="No such file"):
        read(tmp_path / "standard.jsonl")


def test_all_cells_of_the_table_are_there() -> None:
    assert Row.model_validate(READ).cells == CELLS
