from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.clients.build import CLIENTS, failure


@pytest.fixture(scope="session")
def environment() -> Callable[[str], Path]:
    """The folder of a built environment by its name; a loud skip where it is not built."""

    def find(name: str) -> Path:
        if reason := failure(name):
            pytest.skip(reason)
        return CLIENTS / name

    return find
