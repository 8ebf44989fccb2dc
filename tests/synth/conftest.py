"""The suite and its world, made once."""

from __future__ import annotations

import pytest

from benchmarks.workbench import suites
from harness.suite import Suite
from tests.synth.desk import Office


@pytest.fixture(scope="session")
def suite() -> Suite:
    return suites[0].load()


@pytest.fixture(scope="session")
def office(suite: Suite) -> Office:
    return Office(suite.world(suite.tasks[0].world))
