from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harness.cli import main
from tests.cli.conftest import Call, Outcome


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """`call("build", "probe", path, ...)` runs the command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["harness", *map(str, arguments)])
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        return Outcome(status, *capsys.readouterr())

    return run
