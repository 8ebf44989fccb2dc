"""What holds for all tests."""

from __future__ import annotations

import gc
import signal
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings


def pytest_configure() -> None:
    """Let no generated case fail for the time that it takes on a busy machine, and what tests start hear Ctrl-C.

    A script's `cmd &` has Ctrl-C ignored in what it starts.
    """
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing that is collected is garbage, and looking for some takes a sixth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Bring first the files of which most is slow, and of others those with most tests.

    Begun last, a long one would keep one process busy and the others idle.
    """
    tests = Counter(item.path for item in items)
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))

    def begun(path: Path) -> tuple[float, int]:
        return -slow[path] / tests[path], -tests[path]

    items.sort(key=lambda item: begun(item.path))


def pytest_collection_finish() -> None:
    """Spare the garbage collector what was collected, which stays to the end, and let it look seldom.

    Nineteen thousand tests, looked through again and again, took it a tenth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
