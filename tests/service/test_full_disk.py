"""A state on a disk that is full: nothing is lost, whoever asks is told why, and it is there once there is room."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.service.kept import ON_POSIX, ROOT

FULL = """\
import resource, sys
from datetime import datetime
from pathlib import Path
import anyio
from harness.service.keeping import Keeper
from servers.kernel import StateError, World
from tests.service.kept import FILES
AT = {"kind": "file", "text": "x" * 100, "created": "2026-01-01T00:00", "modified": "2026-01-01T00:00"}
# So many that DuckDB cannot even read its log without room for them in the file.
ROWS = [{"id": f"/workspace/{n}", "path": f"/workspace/{n}", **AT} for n in range(3_000)]
WORLD = World("many", datetime(2026, 1, 5, 9), {"filesystem": {"entries": ROWS}})
KEEPER = Keeper(Path(sys.argv[1]), FILES, WORLD)
_, MOST = resource.getrlimit(resource.RLIMIT_FSIZE)

def full(yes=True):
    resource.setrlimit(resource.RLIMIT_FSIZE, (100 if yes else MOST, MOST))

def write(name):
    return anyio.run(KEEPER.sandbox.call, "filesystem", "write_file", {"path": name, "content": "x"})

def read():
    return anyio.run(KEEPER.sandbox.call, "filesystem", "read_text_file", {"path": "a.txt"})

def told(verb, *name):
    try:
        getattr(KEEPER, verb)(*name)
    except StateError as error:
        return str(error)

assert write("a.txt").status == "ok"
full()
"""
"""The start of a script in which `KEEPER` has a state, and no file may grow: as on a full disk, without one."""

OUT_OF_ROOM = "filesystem.duckdb.*File too large. Free some space on that disk and try again: nothing is lost"


def scripted(folder: Path, rest: str) -> list[str]:
    """What the rest of such a script prints."""
    command = [sys.executable, "-B", "-c", f"{FULL}{rest}", str(folder)]  # byte code would be left cut
    ended = subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


@ON_POSIX
def test_a_state_that_a_snapshot_let_go_of_on_a_full_disk_says_why_it_cannot_be_used(tmp_path: Path) -> None:
    snapshot, status, text, diff, reset = scripted(
        tmp_path,
        "print(told('snapshot', 'one'))\ncall = read()\nprint(call.status)\nprint(call.text)\n"
        "print(told('diff'))\nprint(told('reset'))\n",
    )

    assert status == "failed"
    assert re.fullmatch(f"This call did not happen, as the state cannot be opened for now: .*{OUT_OF_ROOM}\\.", text)
    for error in (snapshot, diff, reset):
        assert re.fullmatch(f".*{OUT_OF_ROOM}", error)


@ON_POSIX
@pytest.mark.parametrize("first", ["read()", "told('diff')", "told('snapshot', 'two')"])
def test_a_state_that_could_not_be_taken_again_is_there_once_the_disk_has_room(tmp_path: Path, first: str) -> None:
    calls = scripted(
        tmp_path,
        f"assert told('snapshot', 'one')\nfull(False)\n{first}\n"
        "print(write('b.txt').status)\nprint(*[change.id for change in KEEPER.diff().changes])\n"
        "print(told('reset'))\nprint(read().status)\n",
    )

    assert calls == ["ok", "/workspace/a.txt /workspace/b.txt", "None", "failed"]


@ON_POSIX
def test_a_state_that_was_left_on_a_full_disk_is_opened_once_it_has_room(tmp_path: Path) -> None:
    refused, *found = scripted(
        tmp_path,
        "KEEPER.close()\n"
        "try:\n    Keeper(KEEPER.folder, FILES, WORLD)\nexcept StateError as error:\n    print(error)\n"
        "full(False)\nKEEPER = Keeper(KEEPER.folder, FILES, WORLD)\nprint(read().text)\n",
    )

    assert re.fullmatch(f".*{OUT_OF_ROOM}", refused)
    assert found == ["x"]


@ON_POSIX
def test_a_time_that_a_full_disk_cannot_keep_is_told_as_that(tmp_path: Path) -> None:
    (refused,) = scripted(
        tmp_path,
        "full(False)\nKEEPER.close()\nfull()\n"
        "try:\n    Keeper(KEEPER.folder, FILES, WORLD, now=datetime(2026, 2, 2))\n"
        "except StateError as error:\n    print(error)\n",
    )

    assert re.fullmatch(f".*{OUT_OF_ROOM}", refused)
