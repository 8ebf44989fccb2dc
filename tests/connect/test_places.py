"""Where clients keep their files, and which of their servers could be mistaken for ours."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from harness.connect import plan
from harness.connect.clients import CLIENTS, Machine, System
from harness.connect.lookalikes import lookalikes, patterns
from harness.connect.problem import ConnectProblem
from tests.connect.conftest import Desk

HOME = Path("home")
FILES = {
    ("claude-desktop", "macos"): "home/Library/Application Support/Claude/claude_desktop_config.json",
    ("claude-desktop", "windows"): "roaming/Claude/claude_desktop_config.json",
    ("claude-desktop", "linux"): "home/.config/Claude/claude_desktop_config.json",
    ("vscode", "macos"): "home/Library/Application Support/Code/User/mcp.json",
    ("vscode", "windows"): "roaming/Code/User/mcp.json",
    ("vscode", "linux"): "home/.config/Code/User/mcp.json",
    **{("cursor", system): "home/.cursor/mcp.json" for system in ("macos", "windows", "linux")},
    **{("claude-code", system): "project/.mcp.json" for system in ("macos", "windows", "linux")},
}


@pytest.mark.parametrize(("client", "system"), FILES)
def test_every_client_has_its_place_on_every_system(client: str, system: System) -> None:
    machine = Machine(system, HOME, {"APPDATA": "roaming"}, Path("project"))

    assert CLIENTS[client].file(machine) == Path(FILES[client, system])


@pytest.mark.skipif(os.name != "posix", reason="Windows does not go by HOME")
def test_a_home_folder_that_is_named_nothing_is_the_one_that_the_system_knows(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "")
    _, shown, _ = desk.call("cursor", "gmail", "--json")

    assert json.loads(shown)["file"] == os.path.realpath(os.path.expanduser("~/.cursor/mcp.json"))


@pytest.mark.skipif(os.name != "posix", reason="Windows does not go by HOME")
def test_a_user_without_a_home_folder_is_told_to_name_one(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME")
    monkeypatch.setattr("pwd.getpwuid", dict[str, str]().__getitem__)
    status, _, told = desk.call("cursor", "gmail")

    assert (status, told) == (2, "harness: This user has no home folder that the system knows: set HOME.\n")


def test_on_linux_the_settings_folder_can_be_elsewhere() -> None:
    machine = Machine("linux", HOME, {"XDG_CONFIG_HOME": "xdg"}, HOME)

    assert CLIENTS["vscode"].file(machine) == Path("xdg/Code/User/mcp.json")


def test_a_packaged_claude_desktop_on_windows_has_a_folder_of_its_own(tmp_path: Path) -> None:
    machine = Machine("windows", HOME, {"LOCALAPPDATA": str(tmp_path)}, HOME)
    one, two = (tmp_path / "Packages" / name / "LocalCache" / "Roaming" / "Claude" for name in ("Claude_a", "Claude_b"))
    one.mkdir(parents=True)
    file = CLIENTS["claude-desktop"].file

    assert file(machine) == one / "claude_desktop_config.json"
    two.mkdir(parents=True)
    with pytest.raises(ConnectProblem, match=r"installed more than once: .*Name the file with --config"):
        file(machine)
    (two / "claude_desktop_config.json").write_text("{}")
    assert file(machine) == two / "claude_desktop_config.json"


@pytest.mark.parametrize(
    ("name", "entry", "apps"),
    [
        ("gmail", {}, ["gmail"]),
        ("My-Gmail", {}, ["gmail"]),
        ("x", {"command": "npx", "args": ["-y", "@acme/server-gmail-autoauth"]}, ["gmail"]),
        ("x", {"url": "https://mcp.hubspot.com/anthropic"}, ["crm"]),
        ("googleCalendar", {}, ["calendar"]),
        ("x", {"command": "uvx", "args": ["workspace-mcp"]}, ["calendar", "gmail"]),
        ("x", {"command": "run", "env": {"TODOIST_API_KEY": "k"}}, ["projects"]),
        ("fs", {"args": ["@modelcontextprotocol/server-filesystem", "/tmp"]}, ["filesystem"]),
        ("zapier", {}, ["calendar", "crm", "filesystem", "gmail", "inventory", "projects"]),
        ("Inventory", {}, ["inventory"]),
        ("notes", {"command": "uv", "args": ["--directory", "/a/projects/b", "run"], "env": {"T": "gmail"}}, []),
        ("sandbox-gmail", {"command": "harness", "args": ["serve", "gmail"]}, []),
        ("sandbox-gmail", {"command": "other"}, ["gmail"]),
        ("odd", "gmail", []),
        ("odd", {"args": 5, "env": "gmail", "url": 3}, []),
    ],
)
def test_a_server_that_looks_like_the_real_app_is_recognised(name: str, entry: Any, apps: list[str]) -> None:
    known = ["calendar", "crm", "filesystem", "gmail", "inventory", "projects"]

    assert lookalikes(known, {name: entry}) == ({name: apps} if apps else {})


def test_the_words_to_look_for_are_plain() -> None:
    assert [word for words in patterns().values() for word in words if word != " ".join(word.lower().split())] == []


OTHER_FILES = [
    ("claude-code", ".claude.json", {"mcpServers": {"gmail": {}}}),
    ("claude-code", ".claude.json", {"projects": {"PROJECT": {"mcpServers": {"gmail": {}}}}}),
    ("cursor", "project/.cursor/mcp.json", {"mcpServers": {"gmail": {}}}),
    ("vscode", "project/.vscode/mcp.json", {"servers": {"gmail": {}}}),
    ("vscode", "project/.mcp.json", {"mcpServers": {"gmail": {}}}),
]


@pytest.mark.parametrize(("client", "place", "tree"), OTHER_FILES)
def test_a_real_app_in_any_file_of_the_client_brings_a_warning(desk: Desk, client: str, place: str, tree: Any) -> None:
    path = desk.home / place
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(tree).replace("PROJECT", (desk.home / "project").as_posix()))
    status, _, err = desk.call(client, "gmail", "crm")

    assert status == 0
    assert f"Warning: 'gmail' in {path} may be a real gmail: turn it off while you use sandbox-gmail" in err


def test_a_real_app_in_the_same_file_brings_a_warning_beside_the_write(desk: Desk) -> None:
    desk.file("claude-desktop", '{"mcpServers": {"filesystem": {}, "hubspot": {}}}')
    _, out, err = desk.call("claude-desktop", "crm", "--write")

    assert out.startswith("Wrote sandbox-crm")
    assert err.count("Warning") == 1
    assert "'hubspot'" in err


def test_a_file_that_cannot_be_read_is_said_not_to_have_been_looked_at(desk: Desk) -> None:
    path = desk.home / ".claude.json"
    path.write_text("{,")
    status, _, err = desk.call("claude-code", "crm", "--write")

    assert status == 0
    assert f"Warning: Servers in this file were not looked at: {path}, line 1, column 2" in err


def test_a_file_that_is_named_is_written_even_if_the_usual_one_cannot_be_told(tmp_path: Path) -> None:
    for package in ("Claude_a", "Claude_b"):
        (tmp_path / "Packages" / package).mkdir(parents=True)
    machine = Machine("windows", tmp_path, {"LOCALAPPDATA": str(tmp_path)}, tmp_path)
    shown = plan.show(CLIENTS["claude-desktop"], ["crm"], machine=machine, file=tmp_path / "mine.json", state=tmp_path)

    assert shown.file == (tmp_path / "mine.json").resolve()


def test_a_real_app_is_named_once_though_two_ways_lead_to_its_file(desk: Desk) -> None:
    path = desk.file("cursor", '{"mcpServers": {"gmail": {}}}')
    _, _, err = desk.call("cursor", "gmail", "--config", path.parent / ".." / ".cursor" / "mcp.json")

    assert err.count("Warning") == 1
