"""State folders over the toy world."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
import pytest

from harness.service.keeping import Keeper
from servers import catalog
from tests.service.scenes import MOVE

ROOT = Path(__file__).parents[2]
ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="limits file sizes as POSIX does")
PROJECTS = catalog.app("projects").default
FILES = catalog.app("filesystem").default


def move(keeper: Keeper, to: str = "Completed") -> None:
    record = anyio.run(keeper.sandbox.call, "projects", "update_task", {**MOVE, "new_value": to})
    assert record.status == "ok"
