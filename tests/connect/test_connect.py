"""`harness connect` on the files of all four clients."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from harness.connect import files, plan
from harness.connect.clients import CLIENTS, here
from harness.connect.jsontext import parse
from harness.connect.problem import ConnectProblem
from harness.serving.cost import CORE
from tests.connect.conftest import Desk

EACH = pytest.mark.parametrize("client", CLIENTS)
FIXTURES = {
    "claude-desktop": (
        '{\n  "mcpServers": {\n    "notes": {\n      "command": "npx",\n      "args": ["-y", "notes"],\n'
        '      "env": {"TOKEN": "s3cret"}\n    }\n  },\n  "globalShortcut": "Alt+Space"\n}\n'
    ),
    "claude-code": '{\n\t"mcpServers": {\n\t\t"notes": {"type": "http", "url": "https://notes.test/mcp"}\n\t}\n}',
    "cursor": '\ufeff{\r\n    "mcpServers": {\r\n        "notes": {"url": "https://notes.test"}\r\n    }\r\n}\r\n',
    "vscode": (
        '// My servers\n{\n  "inputs": [],\n  "servers": {\n    // for writing\n    "notes": {\n'
        '      "type": "http", /* remote */\n      "url": "https://notes.test",\n    },\n  },\n}\n'
    ),
}
BROKEN = [
    ('{\n  "mcpServers": {\n    "a": 1\n    "b": 2\n  }\n}', 4, 5),
    ("{\r\n  'a': 1\r\n}", 2, 3),
    ("oops", 1, 1),
    ("[]", 1, 1),
]


def held(path: Path, client: str) -> dict[str, Any]:
    text = path.read_bytes().decode()
    found: dict[str, Any] = parse(text, comments=CLIENTS[client].comments).value[CLIENTS[client].key]
    return found


def folder(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


@EACH
def test_without_write_the_entry_is_printed_and_nothing_is_touched(desk: Desk, client: str) -> None:
    path = desk.file(client, FIXTURES[client])
    before = folder(path)
    status, out, err = desk.call(client, "crm")
    ((key, entries),) = json.loads(out).items()
    state = str(desk.home / "data" / "clients" / client)

    assert status == 0
    assert key == ("servers" if client == "vscode" else "mcpServers")
    entry = entries["sandbox-crm"]
    assert entry.get("type") == ("stdio" if client == "vscode" else None)
    assert Path(entry["command"]).is_file()
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-4:] == ["serve", "crm", "--state", state]
    assert str(path) in err
    assert folder(path) == before
    assert not (desk.home / "data").exists()


@EACH
def test_what_is_written_and_removed_leaves_the_file_byte_for_byte(desk: Desk, client: str) -> None:
    path = desk.file(client, FIXTURES[client])
    assert desk.call(client, "crm", "gmail", "--write")[0] == 0
    written = path.read_bytes().decode()
    status, out, _ = desk.call(client, "--remove")

    assert [*parse(written, comments=True).value[CLIENTS[client].key]] == ["notes", "sandbox-crm", "sandbox-gmail"]
    assert (status, path.read_bytes()) == (0, FIXTURES[client].encode())
    assert "sandbox-crm, sandbox-gmail" in out
    assert path.with_name(f"{path.name}.backup-1").read_bytes() == FIXTURES[client].encode()


@EACH
def test_writing_only_adds_to_the_file(desk: Desk, client: str) -> None:
    path = desk.file(client, FIXTURES[client])
    desk.call(client, "crm", "--write")
    text = iter(path.read_bytes())

    assert all(byte in text for byte in FIXTURES[client].encode())


@EACH
def test_the_same_entry_is_written_once(desk: Desk, client: str) -> None:
    path = desk.file(client, FIXTURES[client])
    desk.call(client, "crm", "--write")
    once = folder(path)
    status, out, _ = desk.call(client, "crm", "--write")

    assert (status, folder(path)) == (0, once)
    assert "nothing was written" in out


@EACH
def test_an_entry_is_brought_up_to_date_and_keeps_what_a_person_added(desk: Desk, client: str) -> None:
    path = desk.file(client, FIXTURES[client])
    desk.call(client, "crm", "--write")
    first = path.read_bytes().decode()
    mine = first.replace('"sandbox-crm": {', '"sandbox-crm": {"disabled": true,')
    path.write_bytes(mine.encode())
    desk.call(client, "crm", "--write", "--state", desk.home / "elsewhere")
    entry = held(path, client)["sandbox-crm"]

    assert entry["disabled"] is True
    assert entry["args"][-1] == str(desk.home / "elsewhere")
    old = json.dumps(str(desk.home / "data" / "clients" / client))
    assert path.read_bytes().decode() == mine.replace(old, json.dumps(str(desk.home / "elsewhere")))


@EACH
def test_a_missing_file_is_made_by_write_alone_and_goes_with_remove(desk: Desk, client: str) -> None:
    path = desk.file(client)
    desk.call(client, "crm")
    assert not path.exists()
    desk.call(client, "crm", "--write")
    assert [*held(path, client)] == ["sandbox-crm"]
    desk.call(client, "--remove")

    assert not path.exists()


@EACH
@pytest.mark.parametrize(
    "text", ["", "{}", "{ }\n", '{\n  "theme": 1\n}\n', '{"KEY": {}}', '{\r\n  "KEY": {\r\n  }\r\n}']
)
def test_a_file_without_servers_comes_back_as_it_was(desk: Desk, client: str, text: str) -> None:
    text = text.replace("KEY", CLIENTS[client].key)
    path = desk.file(client, text)
    desk.call(client, "crm", "--write")
    desk.call(client, "gmail", "--write")
    assert len(held(path, client)) == 2
    desk.call(client, "crm", "--remove")
    desk.call(client, "gmail", "--remove")

    assert path.read_bytes() == text.encode()


@EACH
def test_remove_takes_only_what_is_ours_and_leaves_what_came_later(desk: Desk, client: str) -> None:
    path = desk.file(client, FIXTURES[client])
    desk.call(client, "crm", "--write")
    later = (
        path.read_bytes()
        .decode()
        .replace("notes", "diary")
        .replace('"sandbox-crm"', '"sandbox-mine": {}, "sandbox-crm"')
    )
    path.write_bytes(later.encode())
    desk.call(client, "--remove")

    assert [*held(path, client)] == ["diary", "sandbox-mine"]
    assert desk.call(client, "--remove")[1].endswith("nothing was written.\n")


@EACH
@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('{\n  "mcpServers": {\n    "a": 1\n    "b": 2\n  }\n}', 4, 5),
        ("{\r\n  'a': 1\r\n}", 2, 3),
        ("oops", 1, 1),
        ("[]", 1, 1),
    ],
)
def test_a_file_that_is_not_valid_is_left_alone(desk: Desk, client: str, text: str, line: int, column: int) -> None:
    path = desk.file(client, text)
    before = folder(path)
    for way in ("--write", "--remove") if text != "[]" else ("--write",):
        status, out, err = desk.call(client, "crm", way)

        assert (status, out) == (2, "")
        assert f"{path}, line {line}, column {column}: " in err
        assert folder(path) == before


def test_bytes_that_are_not_utf8_are_left_alone(desk: Desk) -> None:
    path = desk.file("cursor")
    path.parent.mkdir()
    path.write_bytes('{\n"ä": 1}'.encode("latin-1"))
    status, _, err = desk.call("cursor", "crm", "--write")

    assert (status, path.read_bytes()) == (2, b'{\n"\xe4": 1}')
    assert "line 2, column 2: not UTF-8" in err


def test_comments_are_refused_where_the_client_cannot_read_them(desk: Desk) -> None:
    desk.file("claude-desktop", "{\n  // mine\n}")

    assert (
        "line 2, column 3: this client's file cannot hold comments" in desk.call("claude-desktop", "crm", "--write")[2]
    )


def test_a_server_of_that_name_that_is_not_ours_is_not_touched(desk: Desk) -> None:
    text = '{"mcpServers": {"sandbox-crm": {"command": "other"}}}'
    path = desk.file("cursor", text)
    status, _, err = desk.call("cursor", "crm", "--write")
    desk.call("cursor", "crm", "--remove")

    assert (status, path.read_text()) == (2, text)
    assert "there is already a server 'sandbox-crm' that is not one of ours" in err


def test_several_at_once_all_get_in(desk: Desk) -> None:
    path = desk.file("cursor", FIXTURES["cursor"])

    def add(app: str) -> None:
        plan.write(CLIENTS["cursor"], [app], machine=here(), file=None, state=None)

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(add, ["crm", "gmail", "crm", "projects", "gmail", "calendar"]))

    assert {*held(path, "cursor")} == {"notes", *(f"sandbox-{app}" for app in ("crm", "gmail", "projects", "calendar"))}
    desk.call("cursor", "--remove")
    assert path.read_bytes() == FIXTURES["cursor"].encode()


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("theirs")

    with pytest.raises(ConnectProblem, match="changed by another program"):
        files.write(path, "before", "after")
    assert path.read_text() == "theirs"


def test_nothing_is_left_of_a_write_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{}")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ConnectProblem, match=r"mcp\.json cannot be written: No space left on device"):
        files.write(path, "{}", "{ }")
    assert folder(path) == {"mcp.json": b"{}", "mcp.json.backup-1": b"{}"}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions and links")
def test_permissions_stay_and_a_link_stays_a_link(desk: Desk) -> None:
    real = desk.home / "dotfiles.json"
    real.write_text("{}")
    real.chmod(0o600)
    path = desk.file("cursor")
    path.parent.mkdir()
    path.symlink_to(real)
    desk.call("cursor", "crm", "--write")

    assert path.is_symlink()
    assert [*held(real, "cursor")] == ["sandbox-crm"]
    assert [each.stat().st_mode & 0o777 for each in (real, real.with_name("dotfiles.json.backup-1"))] == [0o600, 0o600]


def test_config_names_another_file(desk: Desk) -> None:
    path = desk.home / "new" / "mcp.json"
    desk.call("vscode", "crm", "--write", "--config", path)

    assert [*held(path, "vscode")] == ["sandbox-crm"]
    assert not desk.file("vscode").exists()


def test_the_core_apps_are_connected_by_default_and_it_is_said_how_to_have_others(desk: Desk) -> None:
    _, shown, told = desk.call("cursor")

    assert {*json.loads(shown)["mcpServers"]} == {f"sandbox-{name}" for name in CORE}
    assert "Name apps to connect more or fewer: `harness list apps`" in told


def test_who_names_apps_is_not_told_of_others(desk: Desk) -> None:
    assert "more or fewer" not in desk.call("cursor", "crm")[2]


def test_connecting_the_core_leaves_other_entries_of_ours_where_they_are(desk: Desk) -> None:
    desk.call("vscode", "projects", "--write")
    desk.call("vscode", "--write")

    assert {*held(desk.file("vscode"), "vscode")} == {f"sandbox-{name}" for name in (*CORE, "projects")}


def test_an_unknown_app_is_named_with_what_there_is(desk: Desk) -> None:
    status, _, err = desk.call("cursor", "gmial", "--write")

    assert status == 2
    assert "Did you mean 'gmail'?" in err
    assert not desk.file("cursor").exists()


def test_a_state_folder_that_can_keep_nothing_is_written_into_no_file(desk: Desk) -> None:
    status, _, told = desk.call("cursor", "crm", "--state", "why?", "--write")

    assert status == 2
    assert told.startswith(f"harness: {desk.home / 'project' / 'why?'} cannot hold a state: ")
    assert not desk.file("cursor").exists()


def test_json_says_the_same_as_one_object(desk: Desk) -> None:
    path = desk.file("vscode", FIXTURES["vscode"])
    done = json.loads(desk.call("vscode", "crm", "--write", "--json")[1])

    assert done["did"] == "written"
    assert done["file"] == str(path)
    assert done["servers"] == {"sandbox-crm": held(path, "vscode")["sandbox-crm"]}
    assert done["backup"] == f"{path}.backup-1"
    assert done["state"] == str(desk.home / "data" / "clients" / "vscode")
    assert done["tokens"]["crm"] > 100
    assert done["warnings"] == []
