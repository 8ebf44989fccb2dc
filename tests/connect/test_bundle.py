"""`make bundle`: what it holds, that a host can start it, and what the official validator says."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import anyio
import pytest

from bundle.pack import ROOT, pack
from harness.connect.apps import defaults
from harness.service.today import NOTE
from servers import catalog
from tests.connect.test_served import met

VALIDATOR = "@anthropic-ai/mcpb@2.1.2"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    with zipfile.ZipFile(pack(folder / "dist")) as bundle:
        bundle.extractall(folder / "unpacked")
    return folder / "unpacked"


def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    assert pack(tmp_path / "a").read_bytes() == pack(tmp_path / "b").read_bytes()


def test_it_holds_what_the_project_installs_from_and_nothing_else(unpacked: Path) -> None:
    found = {path.name for path in unpacked.iterdir()}
    files = [path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()]

    assert found == {
        "manifest.json", "pyproject.toml", "README.md", "LICENSE", "servers", "harness", "benchmarks", "userssim"
    }  # fmt: skip
    assert [path for path in files if "__pycache__" in path.parts or not (ROOT / path).is_file()] == [
        Path("manifest.json")
    ]


def test_it_says_what_the_project_says(unpacked: Path) -> None:
    manifest = json.loads((unpacked / "manifest.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    config = manifest["server"]["mcp_config"]

    assert manifest["version"] == project["version"]
    assert (unpacked / manifest["server"]["entry_point"]).is_file()
    assert "models" not in " ".join(config["args"])
    assert set(manifest["user_config"]["apps"]["default"]) <= set(catalog.names())
    described = manifest["user_config"]["apps"]["description"]
    assert [name for name in defaults() if name not in described] == []
    assert all(f"${{user_config.{name}}}" in config["args"] for name in manifest["user_config"])


@pytest.mark.slow
@pytest.mark.parametrize("apps", [None, ["calendar, gmail"]], ids=["as a list", "in one line"])
def test_what_a_host_starts_completes_a_handshake_and_is_today(
    unpacked: Path, tmp_path: Path, apps: list[str] | None
) -> None:
    manifest = json.loads((unpacked / "manifest.json").read_text(encoding="utf-8"))
    settings = {"apps": apps or manifest["user_config"]["apps"]["default"], "state": [str(tmp_path / "state")]}
    arguments = manifest["server"]["mcp_config"]["args"]
    for name, values in settings.items():  # a list is spread over as many arguments
        place = arguments.index(f"${{user_config.{name}}}")
        arguments = [*arguments[:place], *values, *arguments[place + 1 :]]
    after = arguments[arguments.index("workplace-harness") + 1 :]
    entry = {"command": sys.executable, "args": ["-P", "-m", "harness", *after]}
    hello, listed, _ = anyio.run(met, entry, tmp_path, ("gmail_find_emails", {}), unpacked)

    assert hello.server_info.name == "sandbox-workplace"
    assert {"gmail_send_email", "calendar_create_event"} <= {tool.name for tool in listed.tools}
    assert {path.name for path in (tmp_path / "state").iterdir()} >= {"gmail.duckdb", "calendar.duckdb", NOTE}


@pytest.mark.slow
def test_the_official_validator_accepts_the_manifest(unpacked: Path, tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not on PATH: the bundle was NOT validated")
    install = [npm, "install", "--prefix", str(tmp_path), "--no-audit", "--no-fund", "--loglevel=error"]
    install += ["--fetch-retries=0", VALIDATOR]  # without a network it would wait a minute to say so
    done = subprocess.run(install, capture_output=True, text=True, timeout=240, check=False)
    if done.returncode:
        pytest.skip(f"npm could not install {VALIDATOR}: the bundle was NOT validated: {done.stderr.strip()[-300:]}")
    mcpb = shutil.which("mcpb", path=os.fspath(tmp_path / "node_modules" / ".bin"))
    assert mcpb is not None
    checked = subprocess.run(
        [mcpb, "validate", str(unpacked / "manifest.json")], capture_output=True, text=True, timeout=120, check=False
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "validation passes" in checked.stdout
