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


def running(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """`running(...)("eval", path)` runs the command in this process."""

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["harness", *map(str, arguments)])
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        return Outcome(status, *capsys.readouterr())

    return run


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """`call("eval", path, ...)` runs the command in an empty folder, where the toy suite is the only one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(wiring.suites, "_sources", lambda: iter([("benchmarks/toy", toy_suites)]))
    return running(monkeypatch, capsys)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "toy.yaml"
    path.write_text("suite: toy\nagents: [{kind: oracle}, {kind: idle}]\ntrials: 2\n")
    return path


def toy_suites() -> tuple[SuiteEntry, ...]:
    return (SuiteEntry("toy", "Jobs on a board.", toy.suite),)
