"""`harness eval configs/lhaw-short.yaml` as a user runs it: the same tables however it is run, stopped or resumed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
TASKS = 6
"""Played four ways three times each: enough to go on in the middle of, and for trials to overtake each other."""
TRIALS = TASKS * 4 * 3
SLICE = ("eval", "configs/lhaw-short.yaml", "--limit", str(TASKS), "--json")

pytestmark = pytest.mark.slow


def harness(*arguments: object, hash_seed: str = "0") -> dict[str, Any]:
    """What a command prints as JSON, the run's folder left out."""
    done = subprocess.run(
        [sys.executable, "-m", "harness", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    printed: dict[str, Any] = json.loads(done.stdout)
    printed.pop("run", None)
    return printed


def trials(run: Path) -> int:
    return len(list((run / "trials").glob("[!.]*.json")))


class Played(NamedTuple):
    run: Path
    printed: dict[str, Any]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    run = tmp_path_factory.mktemp("lhaw") / "run"
    return Played(run, harness(*SLICE, "--output", run))


@pytest.fixture(scope="module")
def unbroken(played: Played) -> dict[str, Any]:
    return played.printed


@pytest.mark.parametrize(
    ("options", "hash_seed"),
    [
        (("--concurrency", "16"), "4242"),
        (("--workers", "2", "--concurrency", "1"), "7"),
    ],
)
def test_tables_and_digests_do_not_depend_on_how_it_is_run(
    unbroken: dict[str, Any], tmp_path: Path, options: tuple[str, ...], hash_seed: str
) -> None:
    again = harness(*SLICE, "--output", tmp_path / "run", *options, hash_seed=hash_seed)

    assert again == unbroken
    assert again["trials"] == TRIALS


def test_a_run_killed_half_way_goes_on_to_the_same_tables(unbroken: dict[str, Any], tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = [sys.executable, "-m", "harness", *SLICE, "--output", str(run)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as started:
        while trials(run) < 20 and started.poll() is None:  # bounded: the process either writes trials or ends
            with suppress(subprocess.TimeoutExpired):
                started.wait(0.02)
        started.send_signal(signal.SIGKILL)
    left = trials(run)

    resumed = harness(*SLICE, "--output", run)

    assert 0 < left < TRIALS
    assert resumed == unbroken


def test_replaying_and_scoring_again_change_nothing(played: Played) -> None:
    replayed = harness("replay", played.run, "--json")
    scored = harness("score", played.run, "--json")

    assert replayed["equal"] == replayed["trials"] == TRIALS
    assert scored == played.printed
