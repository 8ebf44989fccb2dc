"""Where Inspect is not installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from harness.cli.exporting import inspect
from harness.cli.problems import CallProblem


def test_the_command_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)

    with pytest.raises(CallProblem, match=r"pip install 'workplace-harness\[inspect\]'"):
        inspect(tmp_path)

    assert list(tmp_path.iterdir()) == []
