"""The fixture-free scenarios of the official suite, on every app of a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from servers import catalog
from tests.conformance.apps import http_server
from tests.conformance.node import missing
from tests.conformance.suite import FIXTURE_FREE, INAPPLICABLE, REVISIONS, run
from tests.sampling import sampled

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]


CASES = [case for app in catalog.names() for case in sampled([(app, each) for each in REVISIONS], 1)]
"""Every app at one revision: apps differ in what they list, which is checked at either; all are served alike."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with http_server() as address:
        yield address


@pytest.mark.parametrize(("app", "revision"), CASES)
def test_every_app_passes_what_needs_no_fixture(app: str, revision: str, address: str, tmp_path: Path) -> None:
    outcome = anyio.run(run, f"{address}/{app}/mcp", revision, tmp_path)

    assert {name: outcome.failed[name] - INAPPLICABLE for name in FIXTURE_FREE[revision]} == dict.fromkeys(
        FIXTURE_FREE[revision], frozenset()
    )
    assert not [name for name, checks in outcome.failed.items() if "wire-schema-valid" in checks]
