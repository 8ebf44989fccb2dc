"""`harness diff`, `reset`, `snapshot`, `restore`: what a state folder holds, with and without a server on it."""

from __future__ import annotations

import errno
import json
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.cli import states
from harness.cli.problems import CallProblem
from harness.service.control import Note, answering, ask, note_of
from harness.service.keeping import VERBS, Keeper, unstage
from servers.kernel import Engine, StateError
from tests.harness import toy
from tests.service.kept import FILES, ON_POSIX, PROJECTS, ROOT, move


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    found = Keeper(tmp_path, PROJECTS, toy.world())
    yield found
    found.close()


def test_a_snapshot_brings_back_rows_ids_and_time_and_leaves_itself_alone(keeper: Keeper) -> None:
    move(keeper)
    before = keeper.diff()
    keeper.snapshot("one")
    for _ in range(2):
        move(keeper, "In Review")
        keeper.restore("one")
        assert keeper.diff() == before
    keeper.reset()

    assert keeper.diff().changes == []
    assert {path.name for path in keeper.folder.iterdir()} - {"projects.duckdb.wal"} == {"projects.duckdb", "snapshots"}


@pytest.mark.parametrize("kept", [11, -1])
def test_a_snapshot_that_is_cut_short_leaves_the_state_as_it_is(keeper: Keeper, kept: int) -> None:
    move(keeper)
    keeper.snapshot("one")
    one = keeper.folder / "snapshots" / "one" / "projects.duckdb"
    one.write_bytes(one.read_bytes()[:kept])
    with pytest.raises(StateError, match=r"snapshots.one.projects\.duckdb cannot be used as a state file"):
        keeper.restore("one")
    assert leftovers(keeper.folder) == []
    move(keeper, "In Review")

    assert len(keeper.diff().changes) == 1


def test_what_was_staged_and_is_gone_leaves_the_state_as_it_is(keeper: Keeper) -> None:
    move(keeper)
    keeper.snapshot("one")
    keeper.stage("one")
    unstage(keeper.folder, "projects")
    with pytest.raises(StateError, match=r"projects\.duckdb\.staged is gone"):
        keeper.swap()

    assert len(keeper.diff().changes) == 1


@pytest.mark.parametrize("links", [True, False])
def test_a_kill_before_what_is_staged_has_become_the_state_leaves_the_state(keeper: Keeper, links: bool) -> None:
    keeper.snapshot("one")
    move(keeper)
    keeper.close()
    script = (
        "import os\n"
        "from pathlib import Path\n"
        "from harness.service.keeping import Keeper\n"
        "from tests.harness import toy\n"
        "from tests.service.kept import PROJECTS\n"
        "rename = Path.replace\n"
        "Path.replace = lambda path, target: os._exit(9) if path.suffix == '.staged' else rename(path, target)\n"
        f"if not {links}:\n"
        "    def hardlink_to(path, target):\n"
        "        raise OSError('there are no links here')\n"
        "    Path.hardlink_to = hardlink_to\n"
        f"Keeper(Path({str(keeper.folder)!r}), PROJECTS, toy.world()).restore('one')\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True)

    assert ended.returncode == 9, ended.stderr
    with closing(Keeper(keeper.folder, PROJECTS, toy.world())) as again:
        assert len(again.diff().changes) == 1
        again.restore("one")
        assert again.diff().changes == []
    assert leftovers(keeper.folder) == []


class Two:
    """A folder with the state of two apps, changed since a snapshot of both."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.world = folder / "state", str(folder / "world")
        toy.world().write(folder / "world")
        self.folder.mkdir()
        for toolset in (FILES, PROJECTS):
            Keeper(self.folder, toolset, toy.world()).close()
        states.each(self.folder, None, self.world, "snapshot", "one")
        with closing(Keeper(self.folder, FILES, toy.world())) as keeper:
            assert anyio.run(keeper.sandbox.call, "filesystem", "create_directory", {"path": "a"}).status == "ok"
        with closing(Keeper(self.folder, PROJECTS, toy.world())) as keeper:
            move(keeper)

    def do(self, verb: str, name: str) -> None:
        states.each(self.folder, None, self.world, verb, name)

    def changed(self) -> dict[str, int]:
        return {app: len(it.changes) for app, it in states.each(self.folder, None, self.world, "diff").items()}


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.suffix not in (".duckdb", ".json", ".jsonl", "")]


def test_several_apps_are_restored_together(two: Two) -> None:
    two.do("restore", "one")

    assert two.changed() == {"filesystem": 0, "projects": 0}
    assert leftovers(two.folder) == []


def test_where_one_snapshot_is_no_database_no_app_is_restored(two: Two) -> None:
    (two.folder / "snapshots" / "one" / "projects.duckdb").write_bytes(b"no database")
    with pytest.raises(StateError, match=r"projects\.duckdb cannot be used .* No app was restored: the state stays"):
        two.do("restore", "one")

    assert two.changed() == {"filesystem": 1, "projects": 1}
    assert leftovers(two.folder) == []


@pytest.mark.parametrize(("verb", "name"), [("restore", "one"), ("snapshot", "two"), ("reset", "")])
def test_where_another_process_holds_one_file_nothing_is_done_to_any(two: Two, verb: str, name: str) -> None:
    in_use = pytest.raises(StateError, match=r"projects\.duckdb is in use by another process")
    with closing(Keeper(two.folder, PROJECTS, toy.world())), in_use:
        two.do(verb, name)

    assert two.changed() == {"filesystem": 1, "projects": 1}
    assert [path.name for path in (two.folder / "snapshots").iterdir()] == ["one"]
    assert leftovers(two.folder) == []


def test_where_one_file_cannot_be_swapped_those_that_were_are_put_back(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    def swap(keeper: Keeper, _: str) -> None:
        if keeper.app.name == "projects":
            unstage(keeper.folder, "projects")
        keeper.swap()

    monkeypatch.setitem(VERBS, "swap", swap)
    with pytest.raises(StateError, match=r"staged is gone\. No app was restored: the state stays as it was"):
        two.do("restore", "one")

    assert two.changed() == {"filesystem": 1, "projects": 1}
    assert leftovers(two.folder) == []


@ON_POSIX
@pytest.mark.parametrize(("verb", "name"), [("restore", "one"), ("snapshot", "two")])
def test_a_disk_that_is_full_after_the_first_copy_leaves_all_as_it_was(two: Two, verb: str, name: str) -> None:
    sizes = {app: (two.folder / f"{app}.duckdb").stat().st_size for app in ("filesystem", "projects")}
    assert sizes["filesystem"] < sizes["projects"]
    script = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from harness.cli import states\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({sizes['filesystem']}, {sizes['filesystem']}))\n"
        f"states.each(Path({str(two.folder)!r}), None, {two.world!r}, {verb!r}, {name!r})\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-B", "-c", script]  # byte code would be left cut
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)

    assert "StateError" in ended.stderr.splitlines()[-1], ended.stderr
    assert "File too large" in ended.stderr.splitlines()[-1]
    assert two.changed() == {"filesystem": 1, "projects": 1}
    assert [path.name for path in (two.folder / "snapshots").iterdir()] == ["one"]
    assert leftovers(two.folder) == []


@pytest.mark.parametrize(
    ("verb", "name", "message"),
    [
        ("snapshot", "one", "exists already"),
        ("snapshot", "../one", "is not a valid name for a snapshot"),
        ("snapshot", "", "is not a valid name for a snapshot"),
        ("restore", "two", "projects has no snapshot 'two' in .*; it has one"),
    ],
)
def test_a_wrong_name_is_told_what_would_be_right(keeper: Keeper, verb: str, name: str, message: str) -> None:
    keeper.snapshot("one")
    with pytest.raises(StateError, match=message):
        getattr(keeper, verb)(name)


def test_whoever_waits_for_a_server_that_does_not_answer_is_told_so(tmp_path: Path) -> None:
    told: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        note = Note(pid=os.getpid(), port=server.getsockname()[1], token="of nobody")
        note_of(tmp_path, "projects").write_text(note.model_dump_json())

        def waits(text: str) -> None:
            told.append(text)
            server.accept()[0].close()

        assert ask(tmp_path, "projects", "diff", waits=waits, soon=0.01) is None

    assert told == [f"waiting for the server of projects, process {os.getpid()}, up to 60 s"]


def test_a_server_does_what_a_command_asks_and_only_with_its_token(keeper: Keeper) -> None:
    folder = keeper.folder
    move(keeper)

    async def main() -> list[Any]:
        async with answering({"projects": keeper}):
            note = note_of(folder, "projects")
            mode = stat.S_IMODE(note.stat().st_mode)
            asked = [await anyio.to_thread.run_sync(ask, folder, "projects", *each) for each in (("diff",), ("reset",))]
            with pytest.raises(StateError, match="has no snapshot 'two'"):
                await anyio.to_thread.run_sync(ask, folder, "projects", "restore", "two")
            forged = Note.model_validate_json(note.read_bytes()).model_copy(update={"token": "guess"})
            note.write_text(forged.model_dump_json())
            return [mode, *asked, await anyio.to_thread.run_sync(ask, folder, "projects", "diff")]

    mode, diff, done, refused = anyio.run(main)

    assert [change.id for change in diff.changes] == ["00000000"]
    assert (done, refused) == (True, None)
    assert keeper.diff().changes == []
    assert not note_of(folder, "projects").exists()
    if os.name == "posix":
        assert mode == 0o600


def test_a_state_that_may_only_be_read_is_told_to_be_copied(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    def mounted(path: Path) -> Engine:
        raise StateError(
            f"{path} cannot be used as a state file: IO Error: Cannot open file: {os.strerror(errno.EROFS)}"
        )

    keeper.close()
    monkeypatch.setattr("harness.service.keeping.Engine", mounted)
    with pytest.raises(StateError, match=r"opened for writing, also to be read: copy its folder to where that may be"):
        keeper.diff()


def test_a_call_that_no_record_could_keep_is_garbled_though_the_state_cannot_be_opened(keeper: Keeper) -> None:
    def shut() -> None:
        raise StateError("it is shut")

    keeper.sandbox.ready = shut
    call = anyio.run(keeper.sandbox.call, "projects", "update_task", {"task_id": "\ud800"})

    assert call.status == "garbled"
    assert call.model_dump_json()


def test_commands_open_the_file_where_no_server_holds_it(
    tmp_path: Path, keeper: Keeper, capsys: pytest.CaptureFixture[str]
) -> None:
    move(keeper)
    keeper.close()
    toy.world().write(tmp_path / "world")
    world = str(tmp_path / "world")
    states.snapshot("one", tmp_path, None, world)
    states.reset(tmp_path, None, world)
    states.diff(tmp_path, None, world)
    states.restore("one", tmp_path, ["projects"], world)
    states.diff(tmp_path, None, world, json=True)
    *_, nothing, back, told = capsys.readouterr().out.split("\n", 4)[1:]

    assert (nothing, back) == ("nothing changed in projects", "back to one: projects")
    assert [change["id"] for change in json.loads(told)["projects"]["changes"]] == ["00000000"]
    with pytest.raises(CallProblem, match="name that world with --world"):
        states.diff(tmp_path, None, "workbench-synth")
    with pytest.raises(CallProblem, match="crm has no state there, only projects"):
        states.diff(tmp_path, ["crm"], world)
    with pytest.raises(
        CallProblem, match=r"no app's state is there; `harness serve APP --state '.*/the world'` keeps some"
    ):
        states.diff(tmp_path / "the world", None, world)
