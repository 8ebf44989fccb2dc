"""Scripts over the files below `/workspace`: what they change, what they cannot reach, and a shell that is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from servers.filesystem import Entry, app, scripts
from servers.filesystem.entries import FILE_BYTES
from servers.kernel import Child, Defect
from servers.kernel.shell import running
from tests.apps.desk import NOW
from tests.apps.filesystem_desk import NOTES, PLAN
from tests.apps.filesystem_pi_desk import ROWS, SKILLS, Pi, pi_files

DOCS, HOME = "/workspace/docs", "/home/mira"


@pytest.fixture
def pi() -> Iterator[Pi]:
    with pi_files() as calls:
        yield calls


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    """A shell of this test's own."""
    child = Child("servers.kernel.shell.bash:run")
    monkeypatch.setattr(running, "_SHELL", child)
    yield child
    child.end()


def refusal(pi: Pi, command: str) -> str:
    """Why a command is refused, by which nothing has changed."""
    return pi.refusal("shell_exec", command=command)


# What a script sees.


def test_a_script_sees_the_rows_of_the_workspace_as_files(pi: Pi) -> None:
    assert pi.shell("cat notes.txt docs/plan.md; xxd -p docs/logo.png; pwd; find . -type d | sort") == (
        f"{NOTES}{PLAN}89504e470d0a1a0a\n/workspace\n.\n./docs\n./docs/old"
    )


def test_a_script_sees_what_other_tools_have_changed(pi: Pi) -> None:
    pi.shell("cat notes.txt")
    pi("edit_file", path="notes.txt", old_text="one", new_text="eins")
    pi("move_directory", source="docs/old", destination="old")

    assert pi.shell("head -1 notes.txt; ls docs old") == "eins\ndocs:\nlogo.png\nplan.md\n\nold:\nplan.md"


def test_other_tools_see_what_a_script_has_changed(pi: Pi) -> None:
    pi.shell("mkdir -p new/deep && echo 'total 3' > new/deep/sum.txt; rm notes.txt")

    assert pi("list_directory") == "[DIR] docs\n[DIR] new"
    assert pi("grep_search", pattern="total 3") == "/workspace/new/deep/sum.txt:1: total 3"


# What it changes.


def test_a_file_that_is_added_is_a_row_of_this_moment(pi: Pi) -> None:
    pi.shell("echo hello > docs/new.txt")

    assert pi.changes() == {f"{DOCS}/new.txt": "insert"}
    assert pi.row(f"{DOCS}/new.txt") == Entry(id=f"{DOCS}/new.txt", text="hello\n", created=NOW, modified=NOW)


def test_a_file_that_is_rewritten_keeps_when_it_was_made(pi: Pi) -> None:
    before = pi.row("/workspace/notes.txt")
    pi.shell("sed -i s/one/eins/ notes.txt")

    assert pi.changes() == {"/workspace/notes.txt": "update"}
    assert pi.row("/workspace/notes.txt") == before.model_copy(
        update={"text": NOTES.replace("one", "eins"), "modified": NOW}
    )


def test_a_file_that_is_moved_is_a_removed_and_an_added_row(pi: Pi) -> None:
    pi.shell("mv notes.txt docs/old/notes.md")

    assert pi.changes() == {"/workspace/notes.txt": "delete", f"{DOCS}/old/notes.md": "insert"}
    assert pi.row(f"{DOCS}/old/notes.md").text == NOTES


def test_a_directory_is_moved_with_all_below_it(pi: Pi) -> None:
    pi.shell("mv docs papers")

    assert pi.paths("/workspace") == [
        "notes.txt", "papers", "papers/logo.png", "papers/old", "papers/old/plan.md", "papers/plan.md",
    ]  # fmt: skip


def test_a_directory_is_removed_with_all_below_it(pi: Pi) -> None:
    pi.shell("rm -r docs")

    assert pi.changes() == {path: "delete" for path in ROWS if path.startswith(DOCS)}


def test_directories_are_made_with_those_above_them(pi: Pi) -> None:
    pi.shell("mkdir -p a/b/c; rmdir a/b/c")

    assert pi.changes() == {"/workspace/a": "insert", "/workspace/a/b": "insert"}
    assert pi.row("/workspace/a/b").kind == "directory"


def test_a_file_in_a_directorys_place_is_a_new_file(pi: Pi) -> None:
    pi.shell("rm -r docs; echo gone > docs")

    assert pi.row(DOCS) == Entry(id=DOCS, text="gone\n", created=NOW, modified=NOW)


def test_bytes_that_are_not_text_are_kept_as_they_are(pi: Pi) -> None:
    pi.shell("printf '\\xff\\x80' > raw; cp docs/logo.png copy.png; gzip -k notes.txt")

    assert pi.row("/workspace/raw").data == b"\xff\x80"
    assert pi.row("/workspace/copy.png").data == pi.row(f"{DOCS}/logo.png").data
    assert pi.shell("xxd -p raw; gzip -dc notes.txt.gz | head -1") == "ff80\none"


def test_a_text_with_a_nul_is_no_text() -> None:
    with pi_files({"/workspace/a": {"data": "YQBi"}}) as pi:
        pi.shell("cp a b")

        assert pi.row("/workspace/b").data == b"a\0b"


def test_a_row_that_calls_text_data_is_left_as_it_is_when_nobody_writes_it() -> None:
    with pi_files({"/workspace/a": {"data": "aGk="}}) as pi:
        assert pi.shell("cat a; echo x > b") == "hi"
        assert pi.changes() == {"/workspace/b": "insert"}


@pytest.mark.parametrize(
    "command",
    [
        "ls -lR; cat notes.txt", "touch notes.txt", "cp notes.txt copy; rm copy", "chmod 600 notes.txt; chmod 700 docs",
        "ln -s notes.txt link; cat link; rm link", "mv notes.txt x; mv x notes.txt", "cd docs; x=1", "echo x > /tmp/x",
    ],
)  # fmt: skip
def test_a_script_that_leaves_files_as_they_were_changes_nothing(pi: Pi, command: str) -> None:
    before = pi.layer.digest()
    pi.shell(command)

    assert pi.layer.digest() == before
    assert pi.changes() == {}


def test_what_begins_as_a_script_does_can_be_run(pi: Pi) -> None:
    pi.shell("printf '#!/bin/bash\\necho ran $1\\n' > run.sh")

    assert pi.shell("./run.sh twice; stat -c %a run.sh notes.txt") == "ran twice\n755\n644"


def test_permissions_that_a_script_gives_are_gone_afterwards_also_for_a_shell_that_is_kept(pi: Pi) -> None:
    pi.shell("echo more >> notes.txt; chmod 600 notes.txt; chmod 700 docs")

    assert pi.shell("stat -c %a notes.txt docs") == "644\n755"


# What it leaves that no row can hold.


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("ln -s notes.txt docs/link", "The script leaves /workspace/docs/link, a link; only files and directories"),
        ("mkfifo docs/pipe", "The script leaves /workspace/docs/pipe, a fifo; only files and directories can be kept"),
        ("echo x > Notes.txt", "names that differ in case alone are refused"),
        ("mkdir sub; echo x > sub/a; echo y > sub/A", "'/workspace/sub/A' and '/workspace/sub/a'"),
        ("echo x > 'what?'", "'?' is not allowed in names"),
        ("echo x > $'u\\u0308'", "whose name is not in Unicode NFC"),
        ("mkdir -p " + "/".join("d" * 33), "at most 32 names"),
        ("echo x > nul.txt", "is a device name on some systems"),
        ("seq 100000 > a; cat a a a a a a a a > big", f"a file may have {FILE_BYTES:,}"),
        (
            "seq 100000 > a; cat a a a a a a > b; for n in 1 2 3 4; do cp b b$n; done",
            "more than 16,777,216 bytes together",
        ),
        ("touch f{1..2000}", "The script leaves 2,005 files and directories; there may be 2,000"),
    ],
)
def test_what_can_be_no_row_is_refused(pi: Pi, command: str, why: str) -> None:
    told = refusal(pi, f"rm notes.txt; {command}" if "Notes" not in command else command)

    assert why in told
    assert told.endswith("Nothing was changed.")


def test_after_a_refusal_the_files_are_as_they_were(pi: Pi) -> None:
    refusal(pi, "rm notes.txt; echo x > 'what?'")

    assert pi.shell("ls; head -1 notes.txt") == "docs\nnotes.txt\none"


def test_a_workspace_that_is_too_much_for_a_shell_says_so() -> None:
    rows = {f"/workspace/f{number}": {"text": "x"} for number in range(2_001)}
    with pi_files(rows) as pi:
        assert refusal(pi, "ls") == (
            "/workspace holds 2,001 files and directories of 2,001 bytes together, and a shell takes at most 2,000 of "
            "16,777,216. Use the other tools."
        )


def test_a_file_as_large_as_a_row_may_be_can_be_worked_on() -> None:
    with pi_files({"/workspace/big": {"text": "line\n" * (FILE_BYTES // 5)}}) as pi:
        assert pi.shell("wc -l < big; sed -i 1s/line/LINE/ big; head -1 big") == f"{FILE_BYTES // 5}\nLINE"


@pytest.mark.parametrize(
    "command",
    [
        "echo x >> skills/fit/SKILL.md", "echo x > skills/new.md", "rm skills/fit/SKILL.md", "rm -r skills",
        "mv skills mine", "mkdir skills/mine",
    ],
)  # fmt: skip
def test_skills_are_read_only(command: str) -> None:
    with pi_files({**ROWS, **SKILLS}) as pi:
        told = refusal(pi, f"echo x > other.txt; {command}")

        assert "/workspace/skills is read-only" in told
        assert told.endswith("Nothing was changed.")


def test_the_scripts_of_skills_can_be_run() -> None:
    with pi_files({**ROWS, **SKILLS}) as pi:
        assert pi.shell("skills/fit/fit.sh notes.txt > lines; cat lines") == "5"


# What it cannot reach.


@pytest.mark.parametrize("logged_in", [False, True])
def test_homes_are_not_there(pi: Pi, logged_in: bool) -> None:
    if logged_in:
        pi.enter()

    assert "Nobody reads" not in pi.shell("cat /home/*/* ; grep -r Nobody / ; ls -R /home")
    assert pi.shell(f"cat {HOME}/diary.txt").startswith(f"cat: {HOME}/diary.txt: No such file or directory")


def test_a_script_that_writes_into_a_home_changes_nothing_and_is_told(pi: Pi) -> None:
    said = pi.shell(f"mkdir -p {HOME}; echo x > {HOME}/diary.txt")

    assert said == f"[not kept, since only files below /workspace are: {HOME}, {HOME}/diary.txt]"
    assert pi.changes() == {}


def test_nothing_of_this_machine_is_there(pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "canary.txt").write_text("a canary", encoding="utf-8")
    monkeypatch.setenv("SECRET_OF_THE_HOST", "a canary")
    outside = tmp_path / "canary.txt"
    said = pi.shell(f"cat {outside}; env; cat /etc/passwd /proc/self/environ; echo gone > {outside}")

    assert "canary" not in said.replace(str(tmp_path), "").replace("canary.txt", "")
    assert Path(sys.prefix).name not in said
    assert "root:x:0:0:root" not in said
    assert outside.read_text(encoding="utf-8") == "a canary"


@pytest.mark.parametrize(
    "command", ["curl http://example.com", "wget example.com", "ssh example.com", "echo x > /dev/tcp/127.0.0.1/80"]
)
def test_there_is_no_network(pi: Pi, command: str) -> None:
    said = pi.shell(command)

    assert "no network here" in said or "exit status" in said or "not kept" in said


def test_the_clock_stands_at_the_sandboxs_time(pi: Pi) -> None:
    assert pi.shell("date '+%F %T'; sleep 3; date +%s; echo x > new; stat -c %Y new notes.txt") == (
        "2023-11-30 08:15:00\n1701332100\n1701332100\n1701332100"
    )


# What is too much.


def test_a_command_that_runs_too_much_is_stopped_and_leaves_nothing(pi: Pi) -> None:
    assert refusal(pi, "rm notes.txt; while :; do :; done") == (
        "The script was stopped: maximum command count exceeded (20000). Nothing was changed."
    )


def late(request: Any) -> None:
    while True:
        pass


def test_a_command_that_takes_too_long_is_stopped(pi: Pi, child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    child._program = "tests.apps.test_filesystem_shell:late"
    monkeypatch.setattr(running, "SECONDS", 0.5)
    monkeypatch.setattr(running, "_SLACK", 0.0)

    assert refusal(pi, "true") == f"{running.STOPPED}. Nothing was changed."


@pytest.mark.parametrize(("command", "why"), [("x" * 20_001, "command has 20,001 characters"), ("\0", "command holds")])
def test_a_command_that_is_none_is_refused_by_its_name(pi: Pi, command: str, why: str) -> None:
    assert why in refusal(pi, command)


def test_a_long_output_is_cut_and_says_how_much_is_missing(pi: Pi) -> None:
    assert "characters are cut off here" in pi.shell("seq 2000")


# One transaction, one state.


def test_a_fault_amid_the_changes_leaves_none_of_them(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    made = scripts._apply

    def breaks(state: Any, path: str, node: Any) -> None:
        if path.endswith("second"):
            raise RuntimeError("broken")
        made(state, path, node)

    before = pi.layer.digest()
    with monkeypatch.context() as patched:
        patched.setattr(scripts, "_apply", breaks)
        with pytest.raises(Defect, match="broken"):
            pi.shell("rm notes.txt; echo x > first; echo x > second; echo x > third")

    assert pi.layer.digest() == before
    assert pi.shell("ls") == "docs\nnotes.txt"


def test_a_shell_that_was_killed_is_rebuilt_from_the_rows(pi: Pi, child: Child) -> None:
    pi.shell("printf '#!/bin/sh\\necho kept\\n' > new; rm notes.txt; cp docs/logo.png logo.png")
    listed = pi.shell("ls -lR; ./new; xxd -p logo.png")
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)

    assert pi.shell("ls -lR; ./new; xxd -p logo.png") == listed


def test_two_sandboxes_never_see_each_others_files() -> None:
    with pi_files() as one, pi_files() as other:
        one.shell("echo mine > mine.txt")

        assert other.shell("ls") == "docs\nnotes.txt"


def test_a_sandbox_that_goes_back_has_its_files_again(pi: Pi) -> None:
    kept = pi.layer.fork()
    pi.shell("rm -r docs")
    again = Pi(app, kept)

    assert again.shell("ls docs") == "logo.png\nold\nplan.md"
    kept.close()


def test_where_nothing_changed_files_are_neither_read_nor_hashed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with pi_files({f"/workspace/f{number}": {"text": "x"} for number in range(200)}) as pi:
        pi.shell("echo more >> f1")
        monkeypatch.setattr(scripts, "key", None)  # whoever hashed anew would call it

        assert pi.shell("cat f1; ls | wc -l") == "xmore\n200"
        assert pi.shell("echo again >> f1; cat f1") == "xmore\nagain"


DIGEST = """
from servers.filesystem import Entry
from tests.apps.filesystem_pi_desk import pi_files
with pi_files() as pi:
    print(pi.shell("mkdir -p b a; for n in 3 1 2; do echo $n $RANDOM > a/$n; shuf notes.txt >> b/$n; done; date"))
    pi.shell("mv a c; rm docs/plan.md; find . | sort > all; uuidgen > id")
    print(pi.layer.digest(), [row.id for row in pi.layer.state(pi.app).find(Entry)])
"""


def test_the_same_commands_leave_the_same_state_in_every_process() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert len(told) == 1
    assert "/workspace/c/1" in told.pop()
