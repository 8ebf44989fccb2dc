"""Whatever its strategy, a model's trial is rebuilt from its record and played again from a cassette."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.models.cassette import Cassette
from harness.play.session import Prefix
from tests.llm import test_codeact, test_planning, test_reflexion, test_rewoo
from tests.llm.scenes import answering, trial

STRATEGIES: dict[str, tuple[Any, dict[str, Any]]] = {
    "codeact": (test_codeact.SEVERAL, test_codeact.CODING),
    "plan_execute": (test_planning.WHOLE, test_planning.PLANNING),
    "reflexion": (test_reflexion.TWICE, test_reflexion.REFLEXION),
    "rewoo": (test_rewoo.WHOLE, test_rewoo.REWOO),
}
every = pytest.mark.parametrize(("said", "settings"), STRATEGIES.values(), ids=STRATEGIES)


@every
def test_a_trial_is_rebuilt_to_each_step_and_goes_on_live(said: Any, settings: dict[str, Any]) -> None:
    recorded = trial(said, **settings)[0].trajectory

    for step in range(len(recorded.calls) + 1):
        prefix = Prefix(recorded, step)
        again = trial(answering(said, prefix), **settings, prefix=prefix)[0].trajectory
        assert (again.status, again.digest, again.messages) == ("finished", recorded.digest, recorded.messages)
        assert again.usage == recorded.usage


@every
def test_a_cassette_plays_it_again_without_a_model(said: Any, settings: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    there = trial(said, **settings, cassette=Cassette(path, "record"))[0].trajectory
    again, requests = trial([], **settings, cassette=Cassette(path, "replay"))

    assert requests == []
    assert (again.trajectory.digest, again.trajectory.messages) == (there.digest, there.messages)
