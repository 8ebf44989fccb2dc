"""`pi-synth` and `pi-units` as `harness eval configs/pi.yaml` plays them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.pi.suite import load, load_episodes

ROOT = Path(__file__).parents[2]


def evaluated(folder: Path, *options: str, seed: str = "0") -> dict[str, object]:
    command = [sys.executable, "-m", "harness", "eval", str(ROOT / "configs" / "pi.yaml"), "--json", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [*command, "--output", str(folder / "run")], cwd=folder, capture_output=True, text=True, check=False,
        env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return evaluated(tmp_path_factory.mktemp("first"))


def test_the_oracle_completes_every_intent_and_idle_is_told_all(run: dict[str, object]) -> None:
    tables = run["tables"]
    assert isinstance(tables, dict)
    rows = {row["agent"]: row for row in tables["Calibration: what became of intents, user intents"]}

    assert (rows["oracle"]["completed"], rows["idle"]["provided"]) == (100, 100)


def test_another_process_and_hash_seed_lead_to_the_same_states(run: dict[str, object], tmp_path: Path) -> None:
    assert evaluated(tmp_path, "--concurrency", "1", seed="7")["digest"] == run["digest"]


def test_a_unit_has_the_sessions_of_its_group_and_an_episode_all() -> None:
    assert [len(task.sessions) for task in load().tasks] == [3]
    assert [len(task.sessions) for task in load_episodes().tasks] == [3]


def test_no_request_names_a_value_that_its_session_withholds() -> None:
    (task,) = load_episodes().tasks
    hidden = load_episodes().hidden
    assert hidden is not None
    for session, intents in zip(task.sessions, hidden(task).sessions, strict=True):
        said = session.requests["original"].casefold()
        assert not [value for intent in intents for value in intent.values if value.casefold() in said]
