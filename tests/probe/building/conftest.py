from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Call, running


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """`call("build", "probe", path, ...)` runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return running(capsys)
