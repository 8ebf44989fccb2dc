"""Packages that are installed with `harness` have names that somebody's own files may have, too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("file", "package"),
    [
        ("servers.py", "servers"),
        ("servers/__init__.py", "servers"),
        ("benchmarks/__init__.py", "benchmarks"),
        ("userssim.py", "userssim"),
    ],
)
def test_a_file_that_is_taken_for_a_package_of_ours_is_named(tmp_path: Path, file: str, package: str) -> None:
    mine = tmp_path / file
    mine.parent.mkdir(exist_ok=True)
    mine.touch()
    script = tmp_path / "script.py"
    script.write_text("import harness\n", encoding="utf-8")

    ended = subprocess.run(
        [sys.executable, script],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1] == (
        f"ImportError: `{package}` is {mine} here, and not {ROOT / package}, which `harness` needs: rename yours, or "
        "run Python where its folder does not come first on the path"
    )
