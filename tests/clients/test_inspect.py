"""Inspect reads our runs and plays our suites: `tests/inspect`, run in an environment that has it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients.build import python
from tests.extending.install import announce

ROOT = Path(__file__).parents[2]

QUIET = [f"-Wignore::{name}" for name in ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning")]
"""Inspect leaves streams open, which is found out when the process ends, and would be an error then."""

pytestmark = pytest.mark.slow


@pytest.mark.timeout(900)
def test_inspect_reads_our_runs_and_plays_our_suites(environment: Callable[[str], Path], tmp_path: Path) -> None:
    name = environment("inspect").name
    announce(tmp_path / "site")
    path = os.pathsep.join([str(tmp_path / "site"), str(ROOT)])

    pytest_ = [python(name), "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", tmp_path / "tests"]
    done = subprocess.run(
        [*pytest_, *QUIET, "tests/inspect"], cwd=ROOT, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, timeout=870, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout[-3000:]
    assert "skipped" not in done.stdout.splitlines()[-1]
