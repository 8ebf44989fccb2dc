"""`--max-cost`: a run starts no trial past that sum, however many processes spend it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.record.store import Run
from tests.command.programs import ROOT, ToyWired

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # LiteLLM's own

TRIALS = 60


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A model in a process of its own, where workers find it too."""
    script = tmp_path_factory.mktemp("stub") / "script.jsonl"
    script.write_text(json.dumps({"replies": [{"text": "Done."}]}) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "harness.stub", "--script", str(script), "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as stub:
        assert stub.stdout is not None
        yield stub.stdout.readline().strip()
        stub.terminate()


def played(endpoint: str, folder: Path, dollars: float | None, workers: int = 1, *, trials: int = TRIALS) -> Run:
    """At a dollar a trial: the model says two tokens, and only those cost."""
    agent: dict[str, Any] = {"kind": "llm", "model": "openai/stub", "api_base": endpoint}
    agent["price"] = {"prompt": 0, "completion": 500_000}
    config = RunConfig.model_validate({"suite": "toy", "trials": trials, "agents": [agent]})
    wired = ToyWired()
    return evaluate(
        config, wired.suite("toy"), wired, folder,
        concurrency=2, workers=workers, max_cost=dollars, wiring_factory="tests.command.programs:ToyWired",
    )  # fmt: skip


def costs(run: Run) -> list[float | None]:
    return [record.trajectory.usage.cost_usd for record in run.records()]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_starts_no_trial_past_its_sum_and_goes_on_with_a_larger_one(
    endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "stub")
    first = costs(played(endpoint, tmp_path, 5, workers))
    again = costs(played(endpoint, tmp_path, 5, workers))
    whole = costs(played(endpoint, tmp_path, None, 1))  # each worker would import LiteLLM for it again

    assert set(first) == {1.0}
    if workers == 1:
        assert 5 <= len(first) <= 5 + 1, "the one in flight ends"
    else:
        assert 5 <= len(first) < TRIALS, "workers hear of it while they play"
    assert again == first, "what was spent before counts"
    assert whole == [1.0] * TRIALS


def test_trials_that_only_other_calls_ask_for_have_cost_something_too(
    endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "stub")
    played(endpoint, tmp_path, None, trials=3).path("openai/stub", "default", "toy-0", 0).unlink()

    assert costs(played(endpoint, tmp_path, 2, trials=1)) == [1.0] * 2
    assert costs(played(endpoint, tmp_path, 3, trials=1)) == [1.0] * 3
