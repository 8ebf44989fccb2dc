"""The whole official suite, on a test-only app that the factory and the host of every app serve."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from tests.conformance.app import serving
from tests.conformance.node import missing
from tests.conformance.suite import REVISIONS, Outcome, baseline, run

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]


@pytest.mark.parametrize("revision", REVISIONS)
def test_what_the_baseline_lists_fails_and_nothing_else(revision: str, tmp_path: Path) -> None:
    expected, reasons = baseline(revision, tmp_path)

    async def main() -> Outcome:
        async with serving() as url:
            return await run(url, revision, tmp_path / "results", expected)

    outcome = anyio.run(main)

    assert outcome.code == 0, outcome.text
    assert {f"{scenario}:{check}" for scenario, checks in outcome.failed.items() for check in checks} == set(reasons)
    assert len(outcome.failed) > 30


@pytest.mark.parametrize("revision", REVISIONS)
def test_with_sessions_and_event_streams_nothing_fails(revision: str, tmp_path: Path) -> None:
    async def main() -> Outcome:
        async with serving(streams=True) as url:
            return await run(url, revision, tmp_path)

    outcome = anyio.run(main)

    assert outcome.code == 0, outcome.text
