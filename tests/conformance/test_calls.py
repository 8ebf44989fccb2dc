"""What is tried with the Inspector is complete, whether or not there is an Inspector."""

from __future__ import annotations

from servers import catalog
from tests.conformance.apps import CALLS


def test_a_call_is_given_for_every_app_and_names_one_of_its_tools() -> None:
    assert sorted(CALLS) == sorted(catalog.names())
    for app, (tool, _, _) in CALLS.items():
        assert tool in catalog.app(app).default.tools
