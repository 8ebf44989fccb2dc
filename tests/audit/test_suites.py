"""The suites that come with the harness, sampled, and the published one where it is at hand."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.lhaw.suite import short as lhaw
from benchmarks.workbench.official import import_release
from benchmarks.workbench.official import load as official
from benchmarks.workbench.synth.suite import load as synth
from harness.audit import Certificate, audit
from harness.cli.auditing import asked
from harness.suite import Suite

SMALL = Path(__file__).parents[1] / "fixtures" / "workbench_small"


def sampled(suite: Suite, step: int) -> Certificate:
    return audit(replace(suite, tasks=suite.tasks[::step]), user=asked)


def test_a_sample_of_our_own_tasks_stands() -> None:
    found = sampled(synth(), 9)

    assert found.faults == []
    assert found.as_json()["oracle"] == len(found.audits)
    assert found.as_json()["kill rate"] == 1.0


def test_a_sample_of_underspecified_tasks_stands() -> None:
    found = sampled(lhaw(), 12)

    assert found.faults == []
    assert found.as_json()["false rejections"] == 0.0
    assert len(found.understood) >= len(found.audits)


def test_the_small_release_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path))
    import_release(SMALL, tmp_path / "workbench-official")
    found = audit(official("v1"))

    assert found.faults == []


@pytest.mark.slow
@pytest.mark.skipif(
    not os.environ.get("WORKBENCH_DATA"),
    reason="WORKBENCH_DATA is not set: NOTHING was checked against the published WorkBench",
)
def test_the_published_tasks_stand_and_two_of_them_ask_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path))
    import_release(Path(os.environ["WORKBENCH_DATA"]), tmp_path / "workbench-official")
    suite = official("v1")
    chosen = [
        task for n, task in enumerate(suite.tasks) if n % 15 == 0 or task.id.endswith(("manager-031", "manager-032"))
    ]
    found = audit(replace(suite, tasks=chosen))

    assert found.faults == []
    assert [(note.task, note.check) for note in found.found] == [
        ("customer_relationship_manager-031", "needless"),
        ("customer_relationship_manager-032", "needless"),
    ]
