"""The shell is a cache: what becomes of a call when its process is lost, or was never there."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from servers.kernel import Child, ChildBroken
from servers.kernel.shell import running
from servers.terminal.nodes import LIMITS
from tests.apps.terminal_desk import terminal


def timed(request: Any) -> Any:
    """What the shell says of a script that takes longer than it may: here a tenth of a second."""
    from bashkit import Bash

    loop = "i=0; while [ $i -lt 9000000 ]; do i=$((i+1)); done"
    result = Bash(timeout_seconds=0.1, max_commands=99_000_000, max_loop_iterations=99_000_000).execute_sync(loop)
    return {"refused": f"The script was stopped: {result.error}. Nothing was changed."}


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    """A shell of this test's own."""
    child = Child("servers.kernel.shell.bash:run")
    monkeypatch.setattr(running, "_SHELL", child)
    yield child
    child.end()


def dies(request: dict[str, Any]) -> dict[str, Any]:
    """A shell that ends at the scripts that say so, the first time or always."""
    if "dies" in request["script"]:
        os.kill(os.getpid(), signal.SIGKILL)
    from servers.kernel.shell.bash import run

    return run(request)


def always(request: dict[str, Any]) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def late(request: dict[str, Any]) -> None:
    while True:
        pass


def test_a_shell_is_started_with_the_first_script_and_kept(child: Child) -> None:
    with terminal() as shell:
        assert child.pid is None
        shell("true")
        first = child.pid
        shell("true")

        assert first is not None
        assert child.pid == first


def test_a_shell_that_was_killed_is_rebuilt_from_the_rows(child: Child) -> None:
    with terminal() as shell:
        shell("echo kept > new; chmod 600 new; rm notes.txt")
        listed = shell("ls -la . docs; cat new")
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)

        assert shell("ls -la . docs; cat new") == listed


LISTED = "ls -laR; stat . * docs/*; find . -printf '%p %T@ %m %s %l\\n'"


@pytest.mark.parametrize(
    "script",
    [
        "true",
        "touch notes.txt",
        "touch -d 2020-01-01 notes.txt docs",
        "sed -i s/a/a/ notes.txt",
        "echo x > new; touch -d @5 new",
        "ln -s nowhere broken; ln -s docs more",
        "chmod 700 docs; chmod 755 docs; mv latest l; mv l latest",
        "mkdir -p a/b; cp -a notes.txt a/b; gzip a/b/notes.txt",
    ],
)
def test_files_after_a_script_are_what_new_ones_made_of_the_rows_are(child: Child, script: str) -> None:
    with terminal() as shell:
        shell(script)
        kept = shell(LISTED)
        child.end()

        assert shell(LISTED) == kept


def test_a_time_that_a_script_gave_a_file_is_in_no_other_sandbox(child: Child) -> None:
    with terminal() as one, terminal() as other:
        one("touch -d 2020-01-01 notes.txt")

        assert other("stat -c %Y notes.txt") == "1710149400"


def test_a_link_that_leads_nowhere_is_the_only_change(child: Child) -> None:
    with terminal() as shell:
        shell("ln -s nowhere broken")
        shell("echo x > new")

        assert sorted(shell.changes()) == ["/workspace/broken", "/workspace/new"]


def test_a_script_under_which_the_shell_breaks_down_twice_is_refused(child: Child) -> None:
    child._program = "tests.apps.test_terminal_child:dies"
    with terminal() as shell:
        why = shell.refusal("echo dies > notes.txt")

        assert why.startswith("The shell broke down under this script, twice")
        assert "Nothing was changed." in why
        assert shell("head -1 notes.txt") == "Call Mei (again)"


def test_a_shell_that_never_works_is_a_fault(child: Child) -> None:
    child._program = "tests.apps.test_terminal_child:always"
    with terminal() as shell, pytest.raises(ChildBroken, match="the shell ends whatever it runs"):
        shell("true")


def test_a_script_that_does_not_end_in_time_is_stopped_and_not_tried_again(
    child: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    child._program = "tests.apps.test_terminal_child:late"
    monkeypatch.setattr(running, "SECONDS", 0.5)
    monkeypatch.setattr(running, "_SLACK", 0.0)
    with terminal() as shell:
        assert shell.refusal("true") == f"{running.STOPPED}. Nothing was changed."


def test_a_script_that_the_shell_itself_stops_for_its_time_is_told_the_same(child: Child) -> None:
    child._program = "tests.apps.test_terminal_child:timed"
    with terminal() as shell:
        assert shell.refusal("true") == f"{running.STOPPED}. Nothing was changed."


def test_without_bashkit_one_line_says_what_to_install(child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bashkit", None)
    child._program = "nowhere.to.be:found"
    with terminal() as shell, pytest.raises(ChildBroken) as told:
        shell("true")

    assert str(told.value) == (
        "the shell needs bashkit, which is not installed: pip install 'workplace-harness[drift]'"
    )


def answers(key: str, script: str, now: str = "2024-03-11T09:30:00", nodes: Any = None) -> dict[str, Any]:
    """What the shell answers, and then makes ready, here in this process."""
    from servers.kernel.shell.bash import run, settle

    reply = run({"key": key, "script": script, "now": now, "nodes": nodes, "limits": LIMITS})
    settle()
    return reply


def test_a_shell_that_was_opened_ahead_counts_seconds_from_the_script_on() -> None:
    from servers.kernel.shell import bash

    key = answers("", "echo x > new", nodes={})["key"]
    ready = bash._shelves[key].ready
    assert ready is not None
    ready.execute_sync("SECONDS=100")  # as though it had been opened so long ago

    assert answers(key, "echo $SECONDS")["printed"] == "0\n"


def test_links_are_made_anew_for_each_script_since_nothing_else_gives_them_a_time() -> None:
    from servers.kernel.shell import bash

    link = {"path": "/workspace/l", "kind": "link", "mode": "777", "content": "nowhere", "data": None}
    answers("links", "true", nodes={"/workspace/l": link})
    before = bash._shelves["links"].files.read_dir("/")
    answers("links", "true")
    after = bash._shelves["links"].files.read_dir("/")

    assert [entry["name"] for entry in before + after] == ["l", "l"]
    assert before[0]["metadata"]["modified"] < after[0]["metadata"]["modified"]


def test_a_shell_that_was_opened_ahead_is_not_used_at_another_time() -> None:
    key = answers("", "echo x > new", nodes={})["key"]
    told = answers(key, "date +%T; echo $EPOCHSECONDS; stat -c %Y new", "2024-03-11T10:00:00")["printed"]

    assert told == "10:00:00\n1710151200\n1710151200\n"
