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
    command = [str(python(environment("inspect").name)), "-m", "pytest", "-q", "-p", "no:cacheprovider", *QUIET]
    command += ["--basetemp", str(tmp_path / "tests"), "tests/inspect"]
    announce(tmp_path / "site")
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(ROOT)])}

    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, timeout=870)

    assert done.returncode == 0, done.stdout[-3000:]
    assert "skipped" not in done.stdout.splitlines()[-1]
