"""Every config that comes with the harness can be played: its suite, tasks, conditions and agents are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from harness.core.config_file import load
from tests.cli.conftest import running

CONFIGS = sorted((Path(__file__).parents[2] / "configs").glob("*.yaml"))
IMPORTED = {"dbbench": "dbbench", "workbench-official": "workbench", "workbench-react": "workbench"}
"""Configs that play published data, and what imports it."""


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_config_plans_or_says_what_has_to_be_imported_first(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path))
    planned = running(capsys)("eval", path, "--dry-run")

    assert load(path).name == path.stem
    if path.stem in IMPORTED:
        wanted = rf"harness: \S+ is not imported \(looked .*\); run `harness import {IMPORTED[path.stem]} "
        assert (planned.status, planned.out) == (2, "")
        assert re.match(wanted, planned.err)
    else:
        assert (planned.status, planned.err) == (0, "")
        assert re.search(rf"^[1-9][\d,]* trials of \S+ would be played into runs/{path.stem}-", planned.out, re.M)
