"""Checks that break and suites that lack something, as somebody finds them who evaluates from Python."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness import Evaluation, SuiteError, evaluate
from harness.score import Score, outcome
from harness.suite import Check, SuiteEntry
from tests.cli.conftest import offer
from tests.front.conftest import board

pytestmark = pytest.mark.usefixtures("only_board")


def _played(check: Check, monkeypatch: pytest.MonkeyPatch) -> Evaluation:
    """The board, with a second check beside that of its outcome."""
    made = replace(board(), checks={"moved": check, "outcome": outcome})
    entry = SuiteEntry("toy", "Jobs on a board.", lambda: made)
    offer(monkeypatch, entry)
    return evaluate({"suite": "toy", "agents": [{"kind": "oracle"}]})


def _wrong(*_: object) -> Score:
    raise LookupError("no job has that name")


def test_a_check_that_raised_is_told_until_it_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    found = _played(_wrong, monkeypatch)

    (line,) = found.broken
    assert line.startswith("4 trials lack a score: check 'moved' raised LookupError: no job has that name")
    assert repr(found).endswith(f"; {line}>")

    mended = _played(outcome, monkeypatch)

    assert (mended.broken, mended.accuracy) == ([], 1.0)


@pytest.mark.parametrize(
    ("lacking", "told"),
    [
        ({"tasks": ()}, "suite toy has no tasks: nothing would be played"),
        ({"checks": {}}, 'suite toy has no checks: nothing would be scored; give it `{"outcome": outcome}`'),
    ],
)
def test_a_suite_without_tasks_or_checks_is_not_played(
    lacking: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = replace(board(), **lacking)
    entry = SuiteEntry("toy", "Jobs on a board.", lambda: made)
    offer(monkeypatch, entry)

    with pytest.raises(SuiteError) as refused:
        evaluate({"suite": "toy", "agents": [{"kind": "oracle"}]})

    assert str(refused.value) == told
