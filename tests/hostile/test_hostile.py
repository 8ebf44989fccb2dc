"""Hostile calls in small; `python -m tests.hostile` makes 10,000 by each kind of agent."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from servers import catalog
from tests.hostile.calls import drawn
from tests.hostile.runs import AGENTS, played

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("agent", AGENTS)
def test_no_call_voids_a_trial_or_spoils_a_record(agent: str, tmp_path: Path) -> None:
    outcome = played(agent, 200, tmp_path / "run", seed=2)

    assert (outcome.void, outcome.unreadable, outcome.different) == ([], [], [])
    assert outcome.made >= 200
    assert {"ok", "failed", "invalid", "unknown", "garbled"} == set(outcome.calls)


def test_calls_are_the_same_for_the_same_seed_and_reach_every_tool() -> None:
    tools = [(tool.name, tool.input_schema) for app in catalog.apps().values() for tool in app.default.tools.values()]
    one, other = Random(3), Random(3)
    made = [drawn(one, tools, [100]) for _ in range(2_000)]

    assert made == [drawn(other, tools, [100]) for _ in range(2_000)]
    assert {f'"{name}"' for name, _ in tools} <= {call.name for call in made}
