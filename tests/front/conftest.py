from __future__ import annotations

from pathlib import Path

import pytest

from harness import wiring
from harness.suite import Suite, SuiteEntry
from tests.cli.conftest import offer
from tests.harness import toy


def board() -> Suite:
    """Jobs on a board: the third can be asked about, the fourth has two sessions."""
    return toy.suite([toy.task(0), toy.task(1), toy.task(2, ask=True), toy.task(3, sessions=2)])


@pytest.fixture
def only_board(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The toy suite is the only one there is, and runs go to an empty folder."""
    entry = SuiteEntry("toy", "Jobs on a board.", board)
    offer(monkeypatch, entry)
    monkeypatch.setattr("harness.front.workplace._suite", wiring.suite)
    monkeypatch.chdir(tmp_path)
