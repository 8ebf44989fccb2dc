"""Reading, directories, moving and searching in `filesystem`, and what rows it takes."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

import pytest

from harness.serving.host import RESULT_LIMIT
from servers.filesystem import app
from servers.filesystem.entries import FILE_BYTES
from servers.filesystem.shown import MEDIA_BYTES, TEXT_CHARACTERS, TREE_ENTRIES
from servers.kernel import Engine, StateError, World
from tests.apps.desk import NOW
from tests.apps.filesystem_desk import NOTES, PLAN, Files, files


@pytest.fixture
def desk() -> Iterator[Files]:
    with files() as calls:
        yield calls


def test_the_tools_are_those_of_the_reference_server_less_the_deprecated_one_with_two_arguments_of_ours() -> None:
    assert {tool.name: list(tool.input_schema["properties"]) for tool in app.default.tools.values()} == {
        "read_text_file": ["path", "head", "tail", "skip"],
        "read_media_file": ["path"],
        "read_multiple_files": ["paths"],
        "write_file": ["path", "content"],
        "edit_file": ["path", "edits", "dryRun"],
        "create_directory": ["path"],
        "list_directory": ["path"],
        "list_directory_with_sizes": ["path", "sortBy"],
        "directory_tree": ["path", "excludePatterns"],
        "move_file": ["source", "destination"],
        "search_files": ["path", "pattern", "excludePatterns", "text"],
        "get_file_info": ["path"],
        "list_allowed_directories": [],
    }


# Reading.


@pytest.mark.parametrize("path", ["notes.txt", "./notes.txt", "/workspace/notes.txt", "/workspace/./notes.txt"])
def test_a_path_is_absolute_or_counts_from_the_root(desk: Files, path: str) -> None:
    assert desk("read_text_file", path=path) == NOTES


@pytest.mark.parametrize(
    ("part", "lines"),
    [({"head": 2}, "one\ntwo\n"), ({"tail": 2}, "four\nfive\n"), ({"head": 99}, NOTES), ({"tail": 10**20}, NOTES)],
)
def test_first_or_last_lines_are_read(desk: Files, part: dict[str, int], lines: str) -> None:
    assert desk("read_text_file", path="notes.txt", **part) == lines


def test_a_last_line_without_a_line_feed_counts() -> None:
    with files({"a": {"text": "1\n\n3"}}) as desk:
        assert desk("read_text_file", path="a", tail=1) == "3"
        assert desk("read_text_file", path="a", tail=2) == "\n3"


def test_head_and_tail_exclude_each_other_and_are_at_least_one(desk: Files) -> None:
    assert "not both" in desk.refusal("read_text_file", path="notes.txt", head=1, tail=1)
    assert "'head'" in desk.refusal("read_text_file", path="notes.txt", head=0)


def test_a_long_file_is_read_in_steps_that_each_say_how_to_go_on() -> None:
    whole = "".join(f"line {number} of a long file\n" for number in range(9_000))
    with files({"long": {"text": whole}}) as desk:
        pieces, tail = [], 9_000
        while tail:
            shown, _, note = desk("read_text_file", path="long", tail=tail).partition("[Cut off: ")
            pieces.append(shown)
            tail = int(note.partition("tail=")[2].rstrip(".]") or 0)

    assert "".join(pieces) == whole
    assert max(map(len, pieces)) <= TEXT_CHARACTERS
    assert len(pieces) == 3


ENDLESS = "a\n" + "w" * 100_000 + "MID" + "z" * 150_000 + "\nb\nlast\n"


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        (ENDLESS, {}),
        (ENDLESS, {"head": 2}),
        (ENDLESS, {"head": 3}),
        (ENDLESS, {"tail": 3}),
        ("x" * 250_001, {}),
        ("x" * 99_999 + "\ny" * 2, {}),
        ("é" * 100_001 + "\n", {"tail": 1}),
        ("line\n" * 50_000, {"head": 45_000}),
    ],
)
def test_reading_on_as_the_cut_says_shows_all_that_was_asked_for_in_order(whole: str, part: dict[str, int]) -> None:
    lines = whole.splitlines(keepends=True)
    asked = "".join(lines[-part["tail"] :] if "tail" in part else lines[: part.get("head")])
    with files({"long": {"text": whole}}) as desk:
        pieces, step = [], part
        while True:
            shown, cut, note = desk("read_text_file", path="long", **step).partition("[Cut off: ")
            amid = re.match(r"line \d+ of \d+ is shown (up|from) ", note)
            pieces.append(shown.removesuffix("\n") if amid else shown)
            if not cut:
                break
            step = {name: int(value) for name, value in re.findall(r"(head|tail|skip)=(\d+)", note)}

    assert "".join(pieces) == asked
    assert 1 < len(pieces) < 6
    assert max(map(len, pieces)) <= TEXT_CHARACTERS


def test_one_endless_line_is_cut_with_the_character_to_go_on_from() -> None:
    with files({"long": {"text": "x" * 250_000 + "\nlast"}}) as desk:
        shown = desk("read_text_file", path="long")
        rest = desk("read_text_file", path="long", tail=2, skip=200_000)

    note = (
        "[Cut off: line 1 of 2 is shown up to character 100,000 of 250,001. "
        "Continue with read_text_file, tail=2 and skip=100000.]"
    )
    assert shown == "x" * 100_000 + "\n" + note
    assert rest == "x" * 50_000 + "\nlast"


def test_what_lies_behind_the_end_of_what_was_asked_for_is_refused(desk: Files) -> None:
    assert desk("read_text_file", path="notes.txt", tail=1, skip=2) == "ve\n"
    assert "skip is 5; what was asked for has 5 characters" in desk.refusal(
        "read_text_file", path="notes.txt", tail=1, skip=5
    )


def test_a_binary_file_is_read_as_base64_with_its_type(desk: Files) -> None:
    assert desk("read_media_file", path="docs/logo.png") == {
        "path": "/workspace/docs/logo.png",
        "mimeType": "image/png",
        "size": 8,
        "data": "iVBORw0KGgo=",
    }
    assert "`read_media_file`" in desk.refusal("read_text_file", path="docs/logo.png")


def test_a_text_file_has_bytes_too(desk: Files) -> None:
    media = desk("read_media_file", path="notes.txt")

    assert base64.b64decode(media["data"]).decode() == NOTES
    assert media["mimeType"] == "text/plain"


def test_a_file_too_large_to_give_whole_is_refused_with_its_size_and_the_limit() -> None:
    rows = {"film.mp4": {"data": base64.b64encode(bytes(MEDIA_BYTES + 1)).decode()}, "a": {"text": "x" * 800_000}}
    with files(rows) as desk:
        said = desk.refusal("read_media_file", path="film.mp4")
        assert said == "'/workspace/film.mp4' has 750,001 bytes; at most 750,000 can be given."
        assert "`read_text_file` reads it in parts" in desk.refusal("read_media_file", path="a")


def test_the_largest_file_that_is_given_whole_fits_into_an_answer_over_http() -> None:
    with files({"film.mp4": {"data": base64.b64encode(bytes(MEDIA_BYTES)).decode()}}) as desk:
        read = app.default.tool("read_media_file").call(desk.layer.state(app), {"path": "film.mp4"})

    assert len(read.text.encode()) <= RESULT_LIMIT


def test_several_files_are_read_and_a_bad_one_does_not_stop_the_rest(desk: Files) -> None:
    readings = desk("read_multiple_files", paths=["gone.txt", "docs", "notes.txt", "docs/logo.png"])

    assert [reading.get("content") for reading in readings] == [None, None, NOTES, None]
    assert "has no 'gone.txt'" in readings[0]["error"]
    assert "is a directory" in readings[1]["error"]
    assert "not a text file" in readings[3]["error"]


def test_several_files_share_one_limit() -> None:
    with files({name: {"text": f"{name}\n" * 30_000} for name in ("a", "b", "c")}) as desk:
        first, second, third = desk("read_multiple_files", paths=["a", "b", "c"])

    assert first["content"] == "a\n" * 30_000
    assert second["content"].startswith("b\n" * 20_000 + "[Cut off: lines 1 to 20000 of 30000")
    assert second["content"].endswith("Continue with read_text_file and tail=10000.]")
    assert third == {"path": "c", "error": "Cut off: the result is full. Read it with read_text_file."}


# Directories.


def test_a_directory_is_created_with_those_above_it(desk: Files) -> None:
    assert desk("create_directory", path="a/b/c/") == "Created /workspace/a/b/c."
    assert desk("create_directory", path="a/b") == "/workspace/a/b exists already."
    assert desk("create_directory", path=".") == "/workspace exists already."
    assert [path for path in desk.paths() if path.startswith("a")] == ["a", "a/b", "a/b/c"]


def test_a_directory_is_not_created_where_a_file_is(desk: Files) -> None:
    assert "is a file" in desk.refusal("create_directory", path="notes.txt")
    assert "is a file" in desk.refusal("create_directory", path="notes.txt/below")
    assert "differ in case alone" in desk.refusal("create_directory", path="Docs")


def test_a_listing_shows_what_lies_directly_there_by_name(desk: Files) -> None:
    assert desk("list_directory", path=".") == "[DIR] docs\n[DIR] docs2\n[FILE] notes.txt"
    assert desk("list_directory", path="docs/") == "[FILE] logo.png\n[DIR] old\n[FILE] plan.md"
    assert desk("list_directory", path="docs2") == "The directory is empty."
    assert "is a file" in desk.refusal("list_directory", path="notes.txt")


def test_sizes_are_listed_with_totals(desk: Files) -> None:
    total = f"Files: 2, directories: 1, bytes: {8 + len(PLAN)}."

    assert desk("list_directory_with_sizes", path="docs") == f"[FILE] logo.png 8\n[DIR] old\n[FILE] plan.md 48\n{total}"
    assert desk("list_directory_with_sizes", path="docs", sortBy="size").startswith("[FILE] plan.md 48\n[FILE] logo")
    assert "'sortBy'" in desk.refusal("list_directory_with_sizes", path="docs", sortBy="age")


def test_a_long_listing_says_how_much_was_cut_off() -> None:
    with files({f"{number:0200d}": {"text": ""} for number in range(600)}) as desk:
        shown = desk("list_directory", path=".").splitlines()

    assert shown[-1].startswith("[Cut off: 120 of 600 are not shown.")
    assert len(shown) == 600 - 120 + 1


def test_a_tree_shows_everything_below_but_what_is_left_out(desk: Files) -> None:
    def names(node: dict[str, Any]) -> Any:
        return {child["name"]: names(child) if child["type"] == "directory" else "" for child in node["children"]}

    whole = {"docs": {"logo.png": "", "old": {"plan.md": ""}, "plan.md": ""}, "docs2": {}, "notes.txt": ""}
    assert names(desk("directory_tree", path=".")) == whole
    assert names(desk("directory_tree", path="docs", excludePatterns=["old", "*.png"])) == {"plan.md": ""}
    assert names(desk("directory_tree", path=".", excludePatterns=["docs/*.md", "docs?"])) == {
        "docs": {"logo.png": "", "old": {"plan.md": ""}},
        "notes.txt": "",
    }


def test_a_very_large_tree_shows_what_is_nearest_and_counts_the_rest() -> None:
    inside = {f"d/{number:05d}": {"text": ""} for number in range(TREE_ENTRIES + 10)}
    with files({"d": {"kind": "directory"}, **inside, "z": {"text": ""}}) as desk:
        deep, file = desk("directory_tree", path=".")["children"]

    assert file["name"] == "z"
    assert (len(deep["children"]), deep["notShown"]) == (TREE_ENTRIES - 2, 12)


def test_kind_size_and_times_are_told(desk: Files) -> None:
    assert desk("get_file_info", path="docs/plan.md") == {
        "path": "/workspace/docs/plan.md",
        "type": "file",
        "isFile": True,
        "isDirectory": False,
        "size": len(PLAN),
        "created": "2023-11-01T10:00:00",
        "modified": "2023-11-02T10:00:00",
        "mimeType": "text/markdown",
    }
    assert desk("get_file_info", path="docs")["isDirectory"]
    assert "created" not in desk("get_file_info", path="/workspace/")
    assert "without '/' at the end" in desk.refusal("get_file_info", path="notes.txt/")


def test_the_allowed_directory_is_the_root(desk: Files) -> None:
    assert desk("list_allowed_directories") == ["/workspace"]


# Moving.


def test_a_file_moves_with_its_times(desk: Files) -> None:
    before = desk.row("notes.txt")

    assert desk("move_file", source="notes.txt", destination="docs/kept.txt") == (
        "Moved /workspace/notes.txt to /workspace/docs/kept.txt."
    )
    assert desk.row("docs/kept.txt").model_dump(exclude={"id", "path"}) == before.model_dump(exclude={"id", "path"})
    assert [(change.op, change.id) for change in desk.layer.changes()] == [
        ("insert", "/workspace/docs/kept.txt"),
        ("delete", "/workspace/notes.txt"),
    ]


def test_a_directory_moves_with_everything_below_it_and_nothing_beside_it(desk: Files) -> None:
    said = desk("move_file", source="docs/", destination="docs2/papers/")

    assert said == "Moved /workspace/docs with 4 entries below it to /workspace/docs2/papers."
    assert desk.paths() == [
        "docs2", "docs2/papers", "docs2/papers/logo.png", "docs2/papers/old", "docs2/papers/old/plan.md",
        "docs2/papers/plan.md", "notes.txt",
    ]  # fmt: skip


def test_there_and_back_again_is_no_change(desk: Files) -> None:
    desk("move_file", source="docs", destination="elsewhere")
    desk("move_file", source="elsewhere", destination="docs")

    assert desk.layer.changes() == []


def test_a_name_may_change_in_case_alone(desk: Files) -> None:
    desk("move_file", source="notes.txt", destination="NOTES.txt")

    assert desk("read_text_file", path="NOTES.txt") == NOTES


@pytest.mark.parametrize(
    ("source", "destination", "problem"),
    [
        ("docs", "docs/old/docs", "cannot be moved into itself"),
        ("docs", "docs", "exists already"),
        ("docs", "docs2", "exists already"),
        ("notes.txt", "docs/plan.md", "exists already"),
        ("notes.txt", "docs/Plan.md", "differ in case alone"),
        ("notes.txt", "gone/notes.txt", "has no 'gone'"),
        ("notes.txt", "docs/plan.md/x", "is a file"),
        ("notes.txt", "docs/", "ends with '/'"),
        ("gone.txt", "here.txt", "has no 'gone.txt'"),
        (".", "docs/all", "/workspace itself cannot be moved"),
        ("notes.txt", ".", "such as /workspace/notes.txt"),
    ],
)
def test_a_move_that_makes_no_sense_is_refused(desk: Files, source: str, destination: str, problem: str) -> None:
    assert problem in desk.refusal("move_file", source=source, destination=destination)


def test_a_move_that_would_make_a_path_too_long_moves_nothing(desk: Files) -> None:
    deep = "/".join(["x" * 200] * 4)
    desk("create_directory", path=deep)
    desk("create_directory", path="docs/" + "y" * 250)

    assert "at most 1,024 bytes" in desk.refusal("move_file", source="docs", destination=f"{deep}/docs")
    assert "docs/plan.md" in desk.paths()


# Searching.


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.txt", ["notes.txt"]),
        ("**/*.md", ["docs/old/plan.md", "docs/plan.md"]),
        ("**/plan.*", ["docs/old/plan.md", "docs/plan.md"]),
        ("docs/*", ["docs/logo.png", "docs/old", "docs/plan.md"]),
        ("docs/**", ["docs/logo.png", "docs/old", "docs/old/plan.md", "docs/plan.md"]),
        ("docs/**/plan.md", ["docs/old/plan.md", "docs/plan.md"]),
        ("**/old", ["docs/old"]),
        ("docs?", ["docs2"]),
        ("docs[0-9]", ["docs2"]),
        ("docs[!0-9]", []),
        ("**/*.{png,txt}", ["docs/logo.png", "notes.txt"]),
        ("./notes.txt", ["notes.txt"]),
        ("NOTES.txt", []),
        ("*", ["docs", "docs2", "notes.txt"]),
    ],
)
def test_files_are_found_by_pattern(desk: Files, pattern: str, found: list[str]) -> None:
    shown = desk("search_files", path=".", pattern=pattern)

    paths = [] if shown.startswith("No matches.") else shown.splitlines()
    assert paths == [f"/workspace/{path}" for path in found]


def test_files_are_found_by_a_text_in_them_in_any_case(desk: Files) -> None:
    assert desk("search_files", path=".", pattern="**", text="FOUR\nfive") == "/workspace/notes.txt"
    assert desk("search_files", path=".", pattern="**/*.md", text="four") == "No matches."


def test_a_search_is_relative_to_its_directory_and_leaves_out_what_it_is_told_to(desk: Files) -> None:
    assert desk("search_files", path="docs", pattern="*.md") == "/workspace/docs/plan.md"
    assert desk("search_files", path=".", pattern="**/*.md", excludePatterns=["old"]) == "/workspace/docs/plan.md"
    assert desk("search_files", path="docs2", pattern="*.md") == (
        "No matches. To look below /workspace/docs2 too, write **/*.md."
    )


# Rows.


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"id": "notes.txt", "text": ""}, "its path as in '/workspace/notes.txt'"),
        ({"id": "/workspace/a/../b", "text": ""}, "'..' is not allowed"),
        ({"id": "/etc/passwd", "text": ""}, "outside /workspace"),
        ({"id": "/workspace", "kind": "directory"}, "its path as in"),
        ({"id": "/workspace/a", "path": "/workspace/b", "text": ""}, "its path as in"),
        ({"id": "/workspace/a"}, "either text or data"),
        ({"id": "/workspace/a", "text": "", "data": ""}, "either text or data"),
        ({"id": "/workspace/a", "kind": "directory", "text": ""}, "a directory neither"),
        ({"id": "/workspace/a", "text": "x" * (FILE_BYTES + 1)}, "at most 4,194,304"),
    ],
)
def test_a_world_holds_no_entry_that_no_tool_could_make(row: dict[str, Any], problem: str) -> None:
    text = refused_at_loading({"created": "2023-11-01T10:00:00", "modified": "2023-11-01T10:00:00", **row})

    assert "entries, row 0, does not fit" in text
    assert problem in text


def refused_at_loading(row: dict[str, Any]) -> str:
    engine = Engine()
    try:
        layer = engine.layer(engine.load(World("odd", NOW, {"filesystem": {"entries": [row]}})))
        layer.state(app).find(app.tables[0])
    except StateError as error:
        return str(error)
    finally:
        engine.close()
    raise AssertionError("the row was taken")
