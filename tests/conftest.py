"""What holds for all tests."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest


def pytest_configure() -> None:
    """Let what tests start hear Ctrl-C, also where they were started by a script's `cmd &`, which has it ignored."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """One process more than there are cores: tests that wait, for one that they killed say, leave a core idle."""
    found = yield
    return found if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") else found + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring first the files of which most is slow: begun last, each would keep one process busy and the others idle."""
    tests = Counter(item.path for item in items)
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))

    def quick(path: Path) -> float:
        return 1 - slow[path] / tests[path]

    items.sort(key=lambda item: quick(item.path))
