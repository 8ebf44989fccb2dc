"""Files with the tools of pi-Bench: reading, writing, copying and moving, and homes behind a login."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from servers.filesystem import app
from servers.filesystem.official import OFFICIAL
from servers.filesystem.paths import HOMES
from servers.kernel import RESULT
from tests.apps.desk import NOW
from tests.apps.filesystem_desk import NOTES, PLAN, files
from tests.apps.filesystem_pi_desk import ROWS, SKILLS, Pi, pi_files
from tests.apps.test_filesystem import refused_at_loading


@pytest.fixture
def pi() -> Iterator[Pi]:
    with pi_files() as calls:
        yield calls


def test_the_tools_are_the_rows_of_the_table_and_the_one_that_runs_programs_is_apart() -> None:
    named = {*OFFICIAL["pi"].values(), *OFFICIAL["reference"].values()}
    offered = {f"{name}.{tool}" for name in ("default", "pi") for tool in app.toolset(name).tools}

    assert len(OFFICIAL["pi"]) == 7 + 8
    assert named == {*offered, "pi_shell.shell_exec"}
    assert app.toolset("pi_shell").tools.keys() - app.toolset("pi").tools.keys() == {"shell_exec"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write_file", {"path": "skills/fit/SKILL.md", "content": "x"}),
        ("write_file", {"path": "skills/new.md", "content": "x"}),
        ("create_file", {"path": "skills/fit/new.md"}),
        ("edit_file", {"path": "skills/fit/SKILL.md", "old_text": "Fit", "new_text": "x"}),
        ("edit_notebook", {"path": "skills/fit/SKILL.md", "cell": 1, "source": ""}),
        ("create_directory", {"path": "skills/mine"}),
        ("copy_file", {"source": "notes.txt", "destination": "skills/notes.txt"}),
        ("copy_directory", {"source": "docs", "destination": "skills/docs"}),
        ("move_file", {"source": "skills/fit/SKILL.md", "destination": "mine.md"}),
        ("move_file", {"source": "notes.txt", "destination": "skills/notes.txt"}),
        ("move_directory", {"source": "skills/fit", "destination": "fit"}),
        ("move_directory", {"source": "skills", "destination": "mine"}),
    ],
)
def test_skills_are_read_only(tool: str, arguments: dict[str, Any]) -> None:
    with pi_files({**ROWS, **SKILLS}) as pi:
        assert "/workspace/skills is read-only" in pi.refusal(tool, **arguments)


def test_skills_can_be_read_and_copied() -> None:
    with pi_files({**ROWS, **SKILLS}) as pi:
        pi("copy_directory", source="skills/fit", destination="fit")

        assert pi("read_file", path="fit/SKILL.md") == pi("read_file", path="skills/fit/SKILL.md") == "Fit a line.\n"


# Homes.


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_file", {"path": f"{HOMES}/mira/diary.txt"}),
        ("write_file", {"path": f"{HOMES}/mira/diary.txt", "content": "x"}),
        ("create_file", {"path": f"{HOMES}/mira/new.txt"}),
        ("edit_file", {"path": f"{HOMES}/mira/diary.txt", "old_text": "Nobody", "new_text": "x"}),
        ("edit_notebook", {"path": f"{HOMES}/mira/a.ipynb", "cell": 1, "source": ""}),
        ("create_directory", {"path": f"{HOMES}/mira/new"}),
        ("list_directory", {"path": "/home/mira"}),
        ("list_directory", {"path": "/home"}),
        ("glob_search", {"path": "/home", "pattern": "**"}),
        ("grep_search", {"path": "/home/", "pattern": "reads"}),
        ("copy_file", {"source": f"{HOMES}/mira/diary.txt", "destination": "diary.txt"}),
        ("copy_directory", {"source": "docs", "destination": f"{HOMES}/mira/docs"}),
        ("move_file", {"source": "notes.txt", "destination": f"{HOMES}/mira/notes.txt"}),
        ("move_directory", {"source": f"{HOMES}/mira/x", "destination": "x"}),
    ],
)
def test_a_home_is_closed_until_somebody_logs_in(pi: Pi, tool: str, arguments: dict[str, Any]) -> None:
    assert "use `log_in`" in pi.refusal(tool, **arguments)


def test_the_project_needs_no_login(pi: Pi) -> None:
    assert pi("read_file", path="notes.txt") == NOTES
    assert pi("list_directory") == "[DIR] docs\n[FILE] notes.txt"
    assert pi("grep_search", pattern="reads") == "No matches."


def test_whoever_logs_in_has_a_home_and_sees_no_other(pi: Pi) -> None:
    assert pi("log_in", username="MIRA", password="kelp-77") == "Logged in as mira. Your home is /home/mira."

    assert pi("read_file", path=f"{HOMES}/mira/diary.txt") == "Nobody reads this.\n"
    assert pi("list_directory", path="/home") == "[DIR] mira"
    assert pi("glob_search", path="/home", pattern="**") == f"/home/mira\n{HOMES}/mira/diary.txt"
    assert pi("grep_search", path="/home", pattern="(?i)reads", glob="*.txt") == (
        f"{HOMES}/mira/diary.txt:1: Nobody reads this."
    )
    assert "is not in your home, /home/mira; `log_in` as the account" in pi.refusal(
        "read_file", path=f"{HOMES}/tariq/list.txt"
    )
    assert "is not in your home" in pi.refusal("read_file", path=f"{HOMES}/mirabel/x")


def test_a_wrong_password_opens_nothing(pi: Pi) -> None:
    assert "No account has that username and password" in pi.refusal("log_in", username="mira", password="sand")


def test_where_there_are_no_accounts_every_home_is_open() -> None:
    with pi_files(accounts=[]) as pi:
        assert pi("list_directory", path="/home") == "[DIR] mira\n[DIR] tariq"
        assert pi("grep_search", path="/home", pattern="Reads") == f"{HOMES}/tariq/list.txt:1: Reads much."


def test_a_home_is_neither_written_nor_moved_itself(pi: Pi) -> None:
    pi.enter()

    assert "is the home of an account" in pi.refusal("create_file", path="/home/mira")
    assert "is the home of an account" in pi.refusal("copy_directory", source="docs", destination="/home/mira")
    assert "/home/mira itself cannot be moved" in pi.refusal("move_directory", source="/home/mira", destination="x")
    assert "/home itself cannot be copied" in pi.refusal("copy_directory", source="/home", destination="all")
    assert "/workspace itself cannot be moved" in pi.refusal(
        "move_directory", source=".", destination=f"{HOMES}/mira/all"
    )
    assert pi("create_directory", path="/home/mira") == "/home/mira exists already."


def test_a_home_without_a_row_is_made_by_whoever_it_belongs_to() -> None:
    with pi_files({}) as pi:
        assert "There is no '/home/mira'" in pi.enter().refusal("list_directory", path="/home/mira")
        assert pi("create_directory", path=f"{HOMES}/mira/papers") == f"Created {HOMES}/mira/papers."
        assert pi.paths("/home") == ["mira", "mira/papers"]


def test_homes_are_not_there_for_the_default_surface() -> None:
    with pi_files() as pi, files({}) as plain:
        plain.layer = pi.layer
        assert "lies outside /workspace, the only directory" in plain.refusal("list_directory", path="/home/mira")
        assert "/home" not in plain("search_files", path=".", pattern="**")


# Reading.


def test_some_lines_are_read_and_the_rest_is_named(pi: Pi) -> None:
    assert pi("read_file", path="notes.txt", first_line=4) == "four\nfive\n"
    assert pi("read_file", path="notes.txt", first_line=2, lines=2) == (
        "two\nthree\n[Cut off: lines 2 to 3 of 5 are shown. Continue with first_line=4.]"
    )
    assert "first_line is 6; the file has 5 lines" in pi.refusal("read_file", path="notes.txt", first_line=6)


def test_a_long_line_is_read_in_steps_that_each_say_how_to_go_on() -> None:
    whole = f"first\n{'.'.join(map(str, range(20_000)))}\nlast\n"
    with pi_files({"/workspace/long": {"text": whole}}) as pi:
        read, onward = "", {"first_line": 2}
        while onward:
            shown, _, note = pi("read_file", path="long", **onward).partition("\n[Cut off: ")
            read += shown
            onward = {name: int(number) for name, number in re.findall(r"(first_line|skip)=(\d+)", note)}

        assert read == whole.removeprefix("first\n")
        assert "skip is 6; line 1 has 6 characters" in pi.refusal("read_file", path="long", skip=6)


def test_one_line_is_not_called_lines() -> None:
    with pi_files({"/workspace/two": {"text": "a\nb\n"}, "/workspace/one": {"text": "a\n"}}) as pi:
        assert "[Cut off: line 1 of 2 is shown." in pi("read_file", path="two", lines=1)
        assert "the file has 1 line." in pi.refusal("read_file", path="one", first_line=2)


def test_a_long_file_is_read_in_steps_that_each_say_how_to_go_on() -> None:
    whole = "".join(f"line {number} of a long file\n" for number in range(3_000))
    with pi_files({"/workspace/long": {"text": whole}}) as pi:
        read, first = "", 1
        while first:
            shown, _, note = pi("read_file", path="long", first_line=first).partition("[Cut off: ")
            assert len(shown) <= RESULT
            read += shown
            first = int(note.partition("first_line=")[2].rstrip(".]") or 0)

    assert read == whole


def test_one_endless_line_is_cut_and_said_to_be() -> None:
    with pi_files({"/workspace/long": {"text": "x" * 30_000 + "\nlast"}, "/workspace/none": {"text": ""}}) as pi:
        shown = "line 1 of 2 is shown up to character 24,000 of 30,001"
        note = f"[Cut off: {shown}. Continue with first_line=1 and skip=24000.]"
        assert pi("read_file", path="long") == "x" * 24_000 + "\n" + note
        assert pi("read_file", path="none") == "The file is empty."


# Writing.


def test_a_file_is_made_once_and_written_over(pi: Pi) -> None:
    assert pi("create_file", path="docs/new.md", content="one\n") == "Created /workspace/docs/new.md."
    assert "exists already" in pi.refusal("create_file", path="docs/new.md")
    assert pi("write_file", path="docs/new.md", content="two\n") == "Overwrote /workspace/docs/new.md."
    assert pi("write_file", path="docs/other.md", content="") == "Created /workspace/docs/other.md."

    row = pi.row("/workspace/docs/new.md")
    assert (row.text, row.created, row.modified) == ("two\n", NOW, NOW)


def test_a_piece_that_occurs_once_is_replaced_and_shown(pi: Pi) -> None:
    shown = pi("edit_file", path="docs/plan.md", old_text="call Mei", new_text="write to Mei")

    assert shown.splitlines()[:3] == ["--- a/workspace/docs/plan.md", "+++ b/workspace/docs/plan.md", "@@ -1,6 +1,6 @@"]
    assert pi.row("/workspace/docs/plan.md").text == PLAN.replace("call", "write to")


def test_a_piece_that_occurs_several_times_is_replaced_only_when_every_one_is_meant(pi: Pi) -> None:
    assert "occurs 3 times in the file" in pi.refusal("edit_file", path="notes.txt", old_text="e\n", new_text="E\n")

    pi("edit_file", path="notes.txt", old_text="e\n", new_text="E\n", every=True)
    assert pi.row("/workspace/notes.txt").text == "onE\ntwo\nthreE\nfour\nfivE\n"


def test_line_ends_stay_as_they_are(pi: Pi) -> None:
    pi("edit_file", path="docs/old/plan.md", old_text="Old.\nTotal", new_text="New.\nSum\nTotal")
    pi("edit_file", path="docs/old/plan.md", old_text=".", new_text="!\n", every=True)

    assert pi.row("/workspace/docs/old/plan.md").text == "New!\r\n\r\nSum\r\nTotal (net): 12\r\n"


def test_lines_that_are_alike_but_for_white_space_are_replaced_only_when_every_one_is_meant() -> None:
    with pi_files({"/workspace/a": {"text": "if x:\n  go()\n    go()\n"}}) as pi:
        assert "occurs 2 times, white space at the ends of lines aside" in pi.refusal(
            "edit_file", path="a", old_text="\tgo()", new_text="stop()"
        )

        pi("edit_file", path="a", old_text="\tgo()", new_text="stop()", every=True)
        assert pi.row("/workspace/a").text == "if x:\n  stop()\n    stop()\n"


def test_an_edit_that_would_make_a_file_too_long_is_refused_before_it_is_made() -> None:
    with pi_files({"/workspace/a": {"text": "a" * 1_000_000}}) as pi:
        assert "at most 4,194,304 bytes" in pi.refusal(
            "edit_file", path="a", old_text="a", new_text="b" * 100_000, every=True
        )


# Copying and moving.


def test_a_directory_is_copied_with_everything_in_it(pi: Pi) -> None:
    said = pi("copy_directory", source="docs", destination="papers")

    assert said == "Copied /workspace/docs with 4 entries below it to /workspace/papers."
    assert pi.paths("/workspace/papers") == pi.paths("/workspace/docs") == ["logo.png", "old", "old/plan.md", "plan.md"]
    changes = pi.layer.changes()
    assert {change.op for change in changes} == {"insert"}
    assert len(changes) == 5
    for path in ("plan.md", "logo.png", "old/plan.md"):
        old, new = pi.row(f"/workspace/docs/{path}"), pi.row(f"/workspace/papers/{path}")
        assert (new.contents, new.created, new.modified) == (old.contents, NOW, NOW)


def test_the_project_is_copied_into_a_home(pi: Pi) -> None:
    pi.enter()("copy_directory", source=".", destination=f"{HOMES}/mira/backup")

    assert pi.paths(f"{HOMES}/mira/backup") == pi.paths("/workspace")


def test_a_file_is_copied_and_moved(pi: Pi) -> None:
    assert pi("copy_file", source="notes.txt", destination="docs/notes.txt") == (
        "Copied /workspace/notes.txt to /workspace/docs/notes.txt."
    )
    assert pi("move_file", source="docs/notes.txt", destination="docs/old/kept.txt") == (
        "Moved /workspace/docs/notes.txt to /workspace/docs/old/kept.txt."
    )
    assert pi("read_file", path="docs/old/kept.txt") == pi("read_file", path="notes.txt") == NOTES


def test_a_directory_moves_into_a_home_with_all_below_it(pi: Pi) -> None:
    said = pi.enter()("move_directory", source="docs/", destination=f"{HOMES}/mira/docs")

    assert said == f"Moved /workspace/docs with 4 entries below it to {HOMES}/mira/docs."
    assert pi.paths("/workspace") == ["notes.txt"]
    assert len(pi.paths(f"{HOMES}/mira/docs")) == 4


@pytest.mark.parametrize("limit", ["MOVED", "COPIED_BYTES"])
def test_a_very_large_directory_is_copied_piece_by_piece(pi: Pi, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"servers.filesystem.writing.{limit}", 3)

    assert "are copied at once. Copy the directories in it one by one." in pi.refusal(
        "copy_directory", source="docs", destination="papers"
    )


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("read_file", {"path": "docs"}, "'/workspace/docs' is a directory, not a file; use `list_directory`"),
        ("read_file", {"path": "/workspace"}, "is a directory, not a file"),
        ("read_file", {"path": "plan.md"}, "'/workspace' has no 'plan.md'"),
        ("read_file", {"path": "notes.txt/"}, "without '/' at the end"),
        ("read_file", {"path": "docs/logo.png"}, "is not a text file"),
        (
            "read_file",
            {"path": "/etc/passwd"},
            "/workspace and /home, the only directories there are. Write a path below one of them",
        ),
        ("read_file", {"path": "/Home/mira"}, "case matters: write /home"),
        ("read_file", {"path": "~/diary.txt"}, "write a home directory out, as in /home/ACCOUNT"),
        ("read_file", {"path": "notes.txt", "first_line": 0}, "'first_line'"),
        ("list_directory", {"path": "notes.txt"}, "is a file, not a directory; use `read_file`"),
        ("list_directory", {"path": "docs/../docs"}, "'..' is not allowed"),
        ("write_file", {"path": "docs", "content": ""}, "is a directory, not a file"),
        ("write_file", {"path": ".", "content": ""}, "is a directory, not a file"),
        ("write_file", {"path": "new/", "content": ""}, "ends with '/'"),
        ("write_file", {"path": "gone/new.md", "content": ""}, "'/workspace' has no 'gone'. `create_directory`"),
        ("create_file", {"path": "."}, "/workspace exists already; give the path of a file"),
        ("create_file", {"path": "Notes.txt"}, "names that differ in case alone"),
        ("create_directory", {"path": "notes.txt"}, "is a file, not a directory; `read_file` reads it"),
        (
            "edit_file",
            {"path": "notes.txt", "old_text": "six", "new_text": ""},
            "old_text 'six' does not occur in the file",
        ),
        ("edit_file", {"path": "notes.txt", "old_text": "", "new_text": ""}, "'old_text'"),
        ("copy_file", {"source": "docs", "destination": "x"}, "is a directory, not a file; use `copy_directory`"),
        ("copy_file", {"source": "notes.txt", "destination": "docs/"}, "ends with '/', as a directory does"),
        ("copy_file", {"source": "notes.txt", "destination": "notes.txt"}, "exists already"),
        ("copy_file", {"source": "notes.txt", "destination": "."}, "give the new path, such as /workspace/notes.txt"),
        ("copy_directory", {"source": "notes.txt", "destination": "x"}, "is a file, not a directory; use `copy_file`"),
        ("copy_directory", {"source": "docs", "destination": "docs/old/docs"}, "cannot be copied into itself"),
        ("copy_directory", {"source": ".", "destination": "all"}, "cannot be copied into itself"),
        ("move_file", {"source": "docs", "destination": "x"}, "is a directory, not a file; use `move_directory`"),
        ("move_directory", {"source": "notes.txt", "destination": "x"}, "use `move_file`"),
        ("move_directory", {"source": "docs", "destination": "docs/old/docs"}, "cannot be moved into itself"),
        ("glob_search", {"pattern": "/etc/*"}, "patterns are relative"),
        ("grep_search", {"pattern": "x", "path": "gone"}, "'/workspace' has no 'gone'"),
        ("grep_search", {"pattern": "x", "glob": "../*"}, "patterns are relative"),
        ("grep_search", {"pattern": ""}, "'pattern': string should have at least 1 character"),
        ("grep_search", {"pattern": "total ("}, "as in 'total \\(net\\)'"),
        ("grep_search", {"pattern": "(?=x)"}, "is not a regular expression"),
        ("log_in", {"username": "", "password": ""}, "No account has"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_would_be_right(
    pi: Pi, tool: str, arguments: dict[str, Any], problem: str
) -> None:
    assert problem in pi.refusal(tool, **arguments)


def test_rows_of_homes_load_and_files_beside_homes_do_not(pi: Pi) -> None:
    beside = {"id": "/home/x", "text": "", "created": "2023-11-01T10:00:00", "modified": "2023-11-01T10:00:00"}

    assert len(pi.paths("/home")) == sum(path.startswith("/home/") for path in ROWS)
    assert "/home holds directories alone, one for each account" in refused_at_loading(beside)
