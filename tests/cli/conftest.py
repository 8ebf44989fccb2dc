from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from harness import wiring
from harness.cli import main
from harness.suite import SuiteEntry
from tests.harness import toy


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


Call = Callable[..., Outcome]


def offer(patch: pytest.MonkeyPatch, *entries: SuiteEntry, where: str = "benchmarks/toy") -> None:
    """Make these the only suites there are."""
    patch.setattr(wiring.suites, "_sources", lambda: iter([(where, lambda: entries)]))


def ended(*arguments: object) -> int:
    """The status with which `harness ARGUMENTS` ends in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["harness", *map(str, arguments)])
        try:
            main()
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def running(capsys: pytest.CaptureFixture[str], *first: object) -> Call:
    """`running(capsys)("eval", path)` runs the command in this process."""
    return lambda *arguments: Outcome(ended(*first, *arguments), *capsys.readouterr())


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """`call("eval", path, ...)` runs the command in an empty folder, where the toy suite is the only one."""
    monkeypatch.chdir(tmp_path)
    offer(monkeypatch, *toy_suites())
    return running(capsys)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "toy.yaml"
    path.write_text("suite: toy\nagents: [{kind: oracle}, {kind: idle}]\ntrials: 2\n")
    return path


def toy_suites() -> tuple[SuiteEntry, ...]:
    return (SuiteEntry("toy", "Jobs on a board.", toy.suite),)
