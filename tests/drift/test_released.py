"""The released files are what their config builds, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.drift.build.building import build
from benchmarks.drift.build.context import PHASES
from benchmarks.drift.release import FOLDER
from tests.drift.build.scenes import lines

CONFIG = Path(__file__).parents[2] / "configs" / "build" / "drift.yaml"


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_released_files_are_what_their_config_builds(tmp_path: Path) -> None:
    build(CONFIG, out=tmp_path / "set", json=False)

    made = {path.name: path.read_bytes() for path in (tmp_path / "set" / "released").iterdir()}
    assert made == {path.name: path.read_bytes() for path in FOLDER.iterdir()}, (
        "templates, rules or the pipeline changed: run `python -m benchmarks.drift.release`, and read what is new"
    )
    tasks = lines(tmp_path / "set" / "tasks.jsonl")
    assert len(tasks) == 1.5 * sum(each["released"] for each in tasks)
    assert all((tmp_path / "set" / f"{name}.jsonl").exists() for name in PHASES)
