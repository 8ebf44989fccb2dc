"""What a workspace may hold and a call may ask for, so that no call holds up all others."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

from servers.filesystem.paths import PATH_NAMES
from servers.kernel import Failure
from tests.apps.filesystem_desk import Files, files

DEEPEST = "/".join(f"d{number}" for number in range(PATH_NAMES))


def test_a_path_of_very_many_names_is_refused_and_makes_nothing() -> None:
    with files({}) as desk:
        assert "at most 32 names below /workspace, this one 500" in desk.refusal(
            "create_directory", path="/".join(["d"] * 500)
        )
        assert "at most 1,024 bytes" in desk.refusal("create_directory", path="/".join(["d"] * 2_040))
        assert desk.paths() == []


def test_the_deepest_path_holds_a_file_and_no_directory_with_one() -> None:
    with files({}) as desk:
        desk("create_directory", path=DEEPEST.rpartition("/")[0])
        desk("write_file", path=DEEPEST, content="deep")

        assert desk("read_text_file", path=DEEPEST) == "deep"
        assert "at most 32 names" in desk.refusal("write_file", path=f"{DEEPEST}/x", content="deeper")


def test_a_directory_is_not_moved_to_where_what_it_holds_would_lie_too_deep() -> None:
    with files({"here": {"kind": "directory"}, "here/in": {"kind": "directory"}, "here/in/x": {"text": ""}}) as desk:
        desk("create_directory", path=DEEPEST.rsplit("/", 2)[0])

        assert "at most 32 names" in desk.refusal(
            "move_file", source="here", destination=f"{DEEPEST.rsplit('/', 2)[0]}/here"
        )
        assert "here/in/x" in desk.paths()


def test_the_tree_of_the_deepest_directory_is_far_from_what_no_reader_of_json_takes() -> None:
    with files({}) as desk:
        with suppress(Failure):
            for depth in range(10, 200, 10):
                desk("create_directory", path="/".join(["d"] * depth))

        assert nesting(desk("directory_tree", path=".")) < 100


def test_new_directories_are_compared_with_others_at_the_first_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with files({}) as desk:
        asked: list[str] = []
        query = type(desk.layer).query

        def counted(layer: Any, app: Any, sql: str, params: Any) -> Any:
            asked.append(sql)
            return query(layer, app, sql, params)

        monkeypatch.setattr(type(desk.layer), "query", counted)
        desk("create_directory", path=DEEPEST)

        assert len(asked) == 1
        assert len(desk.paths()) == PATH_NAMES


def test_a_name_like_that_of_a_directory_on_the_way_is_refused(desk: Files) -> None:
    assert "differ in case alone" in desk.refusal("create_directory", path="Docs/new/one")


def test_a_directory_of_very_many_entries_is_moved_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("servers.filesystem.writing.MOVED", 20)
    rows: dict[str, dict[str, Any]] = {"many": {"kind": "directory"}}
    rows |= {f"many/{number}": {"text": ""} for number in range(21)}
    with files(rows) as desk:
        assert "has 21 entries below it; at most 20 are moved at once" in desk.refusal(
            "move_file", source="many", destination="all"
        )
        desk("move_file", source="many/0", destination="0")
        assert "with 20 entries" in desk("move_file", source="many", destination="all")


def test_patterns_that_stand_for_very_many_names_together_are_refused(desk: Files) -> None:
    patterns = ["{a,b,c}{d,e,f}"] * 30

    for tool in ("directory_tree", "search_files"):
        given = {"path": ".", "excludePatterns": patterns} | ({"pattern": "*"} if tool == "search_files" else {})
        assert "stand for 270 names, braces spelled out; at most 200" in desk.refusal(tool, **given)


def test_what_lies_in_a_directory_that_is_left_out_is_left_out_too() -> None:
    rows: dict[str, dict[str, Any]] = {"a": {"kind": "directory"}, "a/b": {"kind": "directory"}}
    rows |= {f"a/b/{number}.txt": {"text": ""} for number in range(5)} | {"b": {"text": ""}}
    with files(rows) as desk:
        assert desk("search_files", path=".", pattern="**", excludePatterns=["a/b"]).split() == [
            "/workspace/a",
            "/workspace/b",
        ]
        assert desk("search_files", path=".", pattern="**", excludePatterns=["b"]).split() == ["/workspace/a"]


def test_the_nearest_line_is_looked_for_among_long_lines_of_one_character_too() -> None:
    with files({"x": {"text": "\n".join("a" * 190 + f"{number:09d}" for number in range(1_000))}}) as desk:
        said = desk.refusal("edit_file", path="x", edits=[{"oldText": "a" * 199, "newText": ""}])

        assert "The nearest line is" in said


def nesting(value: Any) -> int:
    deepest = depth = 0
    for character in json.dumps(value):
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    return deepest


@pytest.fixture
def desk() -> Any:
    with files() as desk:
        yield desk
