"""`harness folder`: a folder of the machine in, and out again, and nothing else of the machine."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from harness.cli import folders
from harness.service import today
from servers.filesystem import Entry, app
from servers.kernel import Engine, Layer, World
from tests.cli.conftest import Call, running

NOW = datetime(2026, 11, 20, 12, 38)
WORLD = World(
    "shared",
    datetime(2024, 3, 6, 10, 30),
    {
        "filesystem": {
            "entries": [
                {"id": "/workspace/given.txt", "text": "given", "created": "2024-01-01", "modified": "2024-01-01"}
            ]
        }
    },
)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """`call("import", "in")` runs `harness folder import in --state box --world w` in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(today, "real_time", lambda: NOW)
    WORLD.write(tmp_path / "w")
    run = running(capsys, "folder")
    return lambda verb, *arguments: run(verb, *arguments, "--state", "box", "--world", "w")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    (folder / "docs" / "empty").mkdir(parents=True)
    (folder / "notes.txt").write_bytes(b"one\r\ntwo \xc3\xa9")
    (folder / "docs" / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (folder / "docs" / "nul").mkdir()
    (folder / "docs" / "nul" / "below.txt").touch()
    (folder / "docs" / "zero.bin").write_bytes(b"a\0b")
    return folder


@contextmanager
def kept(tmp_path: Path) -> Iterator[Layer]:
    """The state as a server would open it."""
    engine = Engine(tmp_path / "box" / "filesystem.duckdb")
    try:
        yield engine.resume(engine.load(today.begun(tmp_path / "box", WORLD).world), [app])
    finally:
        engine.close()


def paths(tmp_path: Path) -> list[str]:
    with kept(tmp_path) as layer:
        return sorted(row.path.removeprefix("/workspace/") for row in layer.state(app).find(Entry))


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def test_what_is_imported_is_where_a_new_state_starts(call: Call, source: Path, tmp_path: Path) -> None:
    done = call("import", "in")

    assert (done.status, done.out) == (0, "imported files: 3, directories: 2, bytes: 22, skipped: 1\n")
    assert done.err == (
        "skipped docs/nul: The path '/workspace/docs/nul' is refused: "
        "'nul' is a device name on some systems; choose another name.\n"
    )
    assert paths(tmp_path) == ["docs", "docs/empty", "docs/logo.png", "docs/zero.bin", "given.txt", "notes.txt"]
    with kept(tmp_path) as layer:
        rows = {row.path.rpartition("/")[2]: row for row in layer.state(app).find(Entry)}
        assert layer.changes() == []
        assert (rows["notes.txt"].text, rows["notes.txt"].data) == ("one\r\ntwo é", None)
        assert (rows["zero.bin"].text, rows["zero.bin"].data) == (None, b"a\0b")
        assert rows["notes.txt"].modified == NOW
        assert rows["given.txt"].modified == datetime(2024, 1, 1) + (layer.base.world.now - WORLD.now)
        assert layer.base.world.now == datetime(2026, 11, 18, 10, 30)


def test_into_a_state_that_exists_an_import_is_a_change(call: Call, source: Path, tmp_path: Path) -> None:
    with_nothing = tmp_path / "nothing"
    with_nothing.mkdir()
    call("import", "nothing")

    assert call("import", "in", "--to", "a/b").status == 0

    with kept(tmp_path) as layer:
        assert len(layer.changes()) == 2 + 5
    assert "a/b/docs/logo.png" in paths(tmp_path)


def test_out_again_is_what_went_in(call: Call, source: Path, tmp_path: Path) -> None:
    call("import", "in", "--to", "project")

    done = call("export", "out", "--from", "project", "--json")

    assert json.loads(done.out) == {"files": 3, "directories": 2, "bytes": 22, "skipped": []}
    expected = {path: data for path, data in tree(source).items() if "nul" not in path}
    assert tree(tmp_path / "out") == expected


def test_what_is_no_file_or_leads_away_is_skipped_with_a_line_each(call: Call, source: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("secret")
    (source / "away").symlink_to(outside)
    (source / "secret").symlink_to(outside / "secret")
    (source / "near").symlink_to("notes.txt")
    (source / "dangling").symlink_to("nowhere")
    os.mkfifo(source / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(source / "socket"))
    (source / "large").write_bytes(b"x" * (4 * 2**20 + 1))
    (source / "NOTES.txt").touch()
    (source / "cafe\u0301").touch()
    (source / "caf\u00e9").touch()
    (source / "tab\there").touch()
    (source / "what?").touch()
    (source / os.fsdecode(b"latin-\xe9")).touch()

    done = call("import", "in", "--json")
    skipped = json.loads(done.out)["skipped"]

    assert [line.partition(": ")[0] for line in skipped] == [
        "away", "caf\\xe9", "dangling", "large", "latin-\\udce9", "near", "notes.txt", "pipe", "secret", "socket",
        "tab\\there", "what?", "docs/nul",
    ]  # fmt: skip
    assert [line for line in skipped if "links are not followed" in line] == [
        f"{name}: a link; links are not followed" for name in ("away", "dangling", "near", "secret")
    ]
    assert "secret" not in " ".join(paths(tmp_path))
    assert "café" in paths(tmp_path)


def test_the_state_inside_the_folder_is_not_imported(call: Call, tmp_path: Path) -> None:
    assert "skipped box: the state folder itself" in (call("import", "."), call("import", ".", "--force"))[1].err
    assert "box" not in paths(tmp_path)


def test_an_import_over_files_that_exist_needs_force_and_is_all_or_nothing(
    call: Call, source: Path, tmp_path: Path
) -> None:
    (source / "given.txt").write_text("mine")

    refused = call("import", "in")
    assert refused.status == 2
    assert "Nothing was imported: /workspace/given.txt exists already; --force overwrites files" in refused.err
    assert not (tmp_path / "box" / "filesystem.duckdb").exists()

    assert call("import", "in", "--force").status == 0
    assert call("import", "in").status == 2
    with kept(tmp_path) as layer:
        assert layer.state(app).get(Entry, "/workspace/given.txt").text == "mine"
        assert layer.changes() == []


def test_an_import_never_turns_a_file_into_a_directory(call: Call, source: Path, tmp_path: Path) -> None:
    (source / "given.txt").mkdir()
    (source / "GIVEN.txt").touch()

    refused = call("import", "in", "--force").err

    assert "/workspace/GIVEN.txt: the sandbox has /workspace/given.txt" in refused
    assert "/workspace/given.txt is a file in the sandbox" in call("import", "in", "--to", "given.txt").err


def test_an_import_has_a_largest_size(
    call: Call, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "ENTRIES", 3)

    refused = call("import", "in")

    assert (refused.status, "holds more than 3 files and directories" in refused.err) == (2, True)
    assert not (tmp_path / "box").exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("import", "gone"), "gone is not a folder"),
        (("import", "w/world.json"), "is not a folder"),
        (("import", "in", "--to", "../up"), "--to: The path '../up' is refused"),
        (("export", "out"), "box has no state of `filesystem`: there is no filesystem.duckdb in it"),
        (("export", "w/world.json"), "is a file; name a folder"),
    ],
)
def test_a_wrong_call_is_told_what_would_be_right(
    call: Call, source: Path, arguments: tuple[str, ...], problem: str
) -> None:
    refused = call(*arguments)

    assert refused.status == 2
    assert problem in refused.err


def test_a_state_that_another_process_holds_is_named(call: Call, source: Path, tmp_path: Path) -> None:
    call("import", "in")
    with kept(tmp_path):
        refused = call("export", "out")

    assert refused.status == 2
    assert "filesystem.duckdb" in refused.err
    assert not (tmp_path / "out").exists()


def test_an_export_over_files_that_exist_needs_force_and_is_all_or_nothing(
    call: Call, source: Path, tmp_path: Path
) -> None:
    call("import", "in")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    (tmp_path / "out" / "other.txt").write_text("other")

    refused = call("export", "out")

    assert (refused.status, "notes.txt exists already; --force overwrites files" in refused.err) == (2, True)
    assert tree(tmp_path / "out") == {"notes.txt": b"mine", "other.txt": b"other"}
    assert call("export", "out", "--force").status == 0
    assert tree(tmp_path / "out")["notes.txt"] == b"one\r\ntwo \xc3\xa9"
    assert tree(tmp_path / "out")["other.txt"] == b"other"


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_an_export_goes_through_no_link(call: Call, source: Path, tmp_path: Path, force: tuple[str, ...]) -> None:
    call("import", "in")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "victim").write_text("whole")
    out = tmp_path / "out"
    out.mkdir()
    (out / "docs").symlink_to(outside)
    (out / "notes.txt").symlink_to(outside / "victim")

    refused = call("export", "out", *force)

    assert refused.status == 2
    assert f"{out / 'docs'} is a link, or lies behind one" in refused.err
    assert f"{out / 'notes.txt'} is a link" in refused.err
    assert tree(outside) == {"victim": b"whole"}
    assert not (out / "given.txt").exists()


def test_an_export_never_replaces_a_directory_by_a_file(call: Call, source: Path, tmp_path: Path) -> None:
    call("import", "in")
    (tmp_path / "out" / "notes.txt").mkdir(parents=True)
    (tmp_path / "out" / "docs").touch()

    refused = call("export", "out", "--force").err

    assert "notes.txt is a file in the sandbox, and none here" in refused
    assert "docs is a file, and a directory in the sandbox" in refused
