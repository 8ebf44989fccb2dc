from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from harness.connect.clients import CLIENTS, here
from tests.cli.conftest import running


class Desk(NamedTuple):
    """A person's machine: where files are, and `harness connect` on it."""

    home: Path
    call: Callable[..., tuple[int, str, str]]

    def file(self, client: str, text: str | None = None) -> Path:
        """The client's file, holding a text if one is given."""
        path = CLIENTS[client].file(here())
        if text is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return path


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "data"))

    return Desk(tmp_path, running(capsys, "connect"))
