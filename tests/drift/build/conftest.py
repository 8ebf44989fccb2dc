"""Builds of these tests are made over the small board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.drift import environments
from tests.drift.place import PLACE


@pytest.fixture(autouse=True, scope="package")
def _small() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(environments, "environments", lambda: (PLACE,))
        yield
