"""Writing and editing files of `filesystem`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from servers.filesystem.entries import FILE_BYTES
from tests.apps.desk import NOW
from tests.apps.filesystem_desk import NOTES, PLAN, Files, files


@pytest.fixture
def desk() -> Iterator[Files]:
    with files() as calls:
        yield calls


def edit(old: str, new: str) -> dict[str, str]:
    return {"oldText": old, "newText": new}


# Writing.


def test_a_new_file_has_the_time_of_the_sandbox(desk: Files) -> None:
    assert desk("write_file", path="docs/new.md", content="Hi.\n") == "Wrote /workspace/docs/new.md."

    row = desk.row("docs/new.md")
    assert (row.text, row.created, row.modified) == ("Hi.\n", NOW, NOW)


def test_writing_over_a_file_keeps_when_it_was_created(desk: Files) -> None:
    created = desk.row("docs/logo.png").created

    assert desk("write_file", path="docs/logo.png", content="text now") == "Overwrote /workspace/docs/logo.png."

    row = desk.row("docs/logo.png")
    assert (row.text, row.data, row.created, row.modified) == ("text now", None, created, NOW)


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("docs", "'/workspace/docs' is a directory, not a file"),
        (".", "'/workspace' is a directory"),
        ("new/", "ends with '/'"),
        ("gone/new.md", "'/workspace' has no 'gone'. `create_directory`"),
        ("notes.txt/new.md", "'/workspace/notes.txt' is a file, so nothing can be put below it"),
        ("Notes.txt", "'/workspace/notes.txt' exists already; names that differ in case alone"),
        ("docs/PLAN.MD", "'/workspace/docs/plan.md' exists already; names that differ in case"),
    ],
)
def test_a_file_is_not_written_where_it_cannot_be(desk: Files, path: str, problem: str) -> None:
    assert problem in desk.refusal("write_file", path=path, content="x")


def test_a_file_has_a_largest_size(desk: Files) -> None:
    desk("write_file", path="full", content="x" * FILE_BYTES)

    assert "4,194,305 bytes; a file holds at most 4,194,304" in desk.refusal(
        "write_file", path="over", content="x" * (FILE_BYTES - 1) + "é"
    )
    assert "at most" in desk.refusal("edit_file", path="full", edits=[edit("x", "xx")])


def test_a_name_is_found_however_it_is_composed(desk: Files) -> None:
    desk("write_file", path="cafe\u0301", content="1")
    desk("write_file", path="caf\u00e9", content="2")

    assert desk("read_text_file", path="cafe\u0301") == "2"
    assert [name for name in desk.paths() if name.startswith("caf")] == ["caf\u00e9"]


def test_what_is_not_there_is_named_with_what_may_have_been_meant(desk: Files) -> None:
    assert desk.refusal("read_text_file", path="docs/plan.txt") == (
        "There is no '/workspace/docs/plan.txt'. '/workspace/docs' has no 'plan.txt'. "
        "Did you mean '/workspace/docs/plan.md'?"
    )
    assert "Did you mean '/workspace/notes.txt'?" in desk.refusal("get_file_info", path="NOTES.TXT")
    assert "'/workspace' has no 'zzz'." in desk.refusal("list_directory", path="zzz/y/x")
    assert "'/workspace/notes.txt' is a file, so nothing" in desk.refusal("read_text_file", path="notes.txt/x")


# Editing.


def test_an_edit_replaces_the_first_place_and_shows_a_diff(desk: Files) -> None:
    shown = desk("edit_file", path="notes.txt", edits=[edit("two", "2"), edit("e\nfour", "e\n4")])

    assert shown == (
        "--- a/workspace/notes.txt\n+++ b/workspace/notes.txt\n@@ -1,5 +1,5 @@\n"
        " one\n-two\n+2\n three\n-four\n+4\n five\n"
    )
    assert desk.row("notes.txt").text == "one\n2\nthree\n4\nfive\n"
    assert desk.row("notes.txt").modified == NOW


def test_a_dry_run_shows_the_same_and_changes_nothing(desk: Files) -> None:
    changes = {"path": "notes.txt", "edits": [edit("e", "E")]}
    shown = desk("edit_file", **changes, dryRun=True)

    assert desk.layer.changes() == []
    assert "-one\n+onE\n" in shown
    assert desk("edit_file", **changes) == shown


def test_edits_are_done_all_or_none(desk: Files) -> None:
    refusal = desk.refusal("edit_file", path="notes.txt", edits=[edit("one", "1"), edit("thre e", "3")])

    assert "Edit 2 changes nothing: 'thre e' does not occur" in refusal
    assert "The nearest line is 'three'." in refusal
    assert desk("read_text_file", path="notes.txt") == NOTES


def test_an_edit_may_be_loose_about_white_space_at_the_ends_of_lines(desk: Files) -> None:
    desk("edit_file", path="docs/plan.md", edits=[edit("call Mei  \nbook a room", "call Mei\n  twice\nbook it")])

    assert desk.row("docs/plan.md").text == PLAN.replace("    book a room", "      twice\n    book it")


def test_line_ends_stay_as_they_are() -> None:
    with files({"dos": {"text": "a\r\nb\r\n"}, "mixed": {"text": "a\r\nb\nc\n"}}) as desk:
        desk("edit_file", path="dos", edits=[edit("a\nb", "a\nx\nb")])
        desk("edit_file", path="mixed", edits=[edit("b\nc", "b\nd")])

        assert desk.row("dos").text == "a\r\nx\r\nb\r\n"
        assert desk.row("mixed").text == "a\r\nb\nd\n"


def test_line_ends_stay_as_they_are_where_white_space_is_loose() -> None:
    with files({"mixed": {"text": "  a\r\nb\nc\r\n"}}) as desk:
        desk("edit_file", path="mixed", edits=[edit("a\nb ", "x\ny"), edit("c ", "c\nd")])

        assert desk.row("mixed").text == "  x\r\n  y\nc\r\nd\r\n"


def test_half_of_a_line_end_of_windows_is_found_and_replaced() -> None:
    with files({"dos": {"text": "a\r\nb\r\n"}}) as desk:
        desk("edit_file", path="dos", edits=[edit("a\r", "a"), edit("b", "c")])

        assert desk.row("dos").text == "a\nc\r\n"


@pytest.mark.parametrize(
    ("edits", "problem"),
    [
        ([], "'edits'"),
        ([edit("", "x")], "'edits.0.oldText'"),
        ([{"oldText": "one"}], "newText"),
        ([edit(" ", "x")], ""),
    ],
)
def test_an_edit_that_says_nothing_is_refused(desk: Files, edits: Any, problem: str) -> None:
    assert problem in desk.refusal("edit_file", path="notes.txt", edits=edits)


def test_an_edit_that_puts_back_what_was_there_changes_nothing(desk: Files) -> None:
    assert desk("edit_file", path="notes.txt", edits=[edit("one", "one")]) == "The edits leave the file as it is."
    assert desk.layer.changes() == []


def test_a_missing_line_feed_at_the_end_shows_in_the_diff() -> None:
    with files({"a": {"text": "x"}}) as desk:
        shown = desk("edit_file", path="a", edits=[edit("x", "x\n")])

    assert shown.splitlines()[2:] == ["@@ -1 +1 @@", "-x", "\\ No newline at end of file", "+x"]


def test_the_diff_of_a_large_file_is_quick_and_has_the_files_line_numbers() -> None:
    lines = [f"{number % 97}\n" for number in range(200_000)] + ["last\n"]
    with files({"large": {"text": "".join(lines)}}) as desk:
        near = desk("edit_file", path="large", edits=[edit("96\n0\n1\n", "96\n1\n")], dryRun=True)
        far = desk("edit_file", path="large", edits=[edit("0\n", "zero\n"), edit("last", "end")])

    assert near.splitlines()[2:] == ["@@ -95,7 +95,6 @@", " 94", " 95", " 96", "-0", " 1", " 2", " 3"]
    assert far.splitlines()[2:4] == ["@@ -1,200001 +1,200001 @@", "-0"]
    assert "[Cut off: " in far


def test_edits_made_to_take_for_ever_do_not() -> None:
    with files({"same": {"text": "a\n" * 2_000_000}, "line": {"text": "ab" * 2_000_000}}) as desk:
        assert "does not occur" in desk.refusal("edit_file", path="same", edits=[edit("a \n" * 500_000 + "b", "")])
        assert "does not occur" in desk.refusal("edit_file", path="line", edits=[edit("ba" * 999_999 + "c", "")])
