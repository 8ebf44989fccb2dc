from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.extending.install import install_pytest_plugin

ROOT = Path(__file__).parents[2]
Done = subprocess.CompletedProcess[str]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder on the import path of what `run` starts."""
    folder = tmp_path / "site"
    folder.mkdir()
    install_pytest_plugin(folder)
    return folder


@pytest.fixture
def run(tmp_path: Path, site: Path) -> Callable[..., Done]:
    """`run("list", "apps")` is `harness list apps` in an empty folder, by a process of its own."""
    here = tmp_path / "here"
    here.mkdir()

    def start(*arguments: object, module: str = "harness", cwd: Path = here, root: Path = ROOT) -> Done:
        path = os.pathsep.join(map(str, (root, site)))
        environment = {**os.environ, "PYTHONPATH": path, "HARNESS_DATA": str(tmp_path / "data")}
        command = [sys.executable, "-m", module, *map(str, arguments)]
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)

    return start
