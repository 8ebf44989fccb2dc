"""Suites are loaded once: each build asks for its source."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from harness import wiring
from harness.suite import Suite


@pytest.fixture(autouse=True, scope="package")
def _sources_loaded_once() -> Iterator[None]:
    load, kept = wiring.suite, cache(wiring.suite)

    def suite(name: str, scale: int = 1) -> Suite:
        return kept(name, scale) if name == "workbench-synth" else load(name, scale)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "suite", suite)
        yield
