"""The released sets are what their configs build, to the byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.lhaw.suite import RELEASED
from tests.lhaw.build.rebuild import CONFIGS, rebuilt


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CONFIGS))
def test_a_released_set_is_what_its_config_builds(name: str, tmp_path: Path) -> None:
    assert rebuilt(name, tmp_path / "set") == (RELEASED / name).read_bytes(), (
        "rules, sources or the pipeline changed: run `python -m tests.lhaw.build.rebuild`, and read what is new"
    )
