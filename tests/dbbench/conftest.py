"""An empty place for imports, and the published file where `DBBENCH_DATA` says it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from harness import wiring
from tests.cli.conftest import Call, running


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without the published file, skip what needs it: one line, with the count, in pytest's summary."""
    if not os.environ.get("DBBENCH_DATA"):
        missing = pytest.mark.skip(
            reason="DBBENCH_DATA is not set: NOTHING was checked against the published rows of DBBench"
        )
        for item in items:
            if "published_file" in getattr(item, "fixturenames", ()):
                item.add_marker(missing)


@pytest.fixture(scope="session")
def published_file() -> Path:
    """The published standard.jsonl."""
    return Path(os.environ["DBBENCH_DATA"])


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the import comes to lie."""
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "dbbench.jsonl"


@pytest.fixture
def call(data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    """`call("import", "dbbench", path, ...)` runs the command in an empty folder."""
    assert "dbbench" in wiring.catalog().commands["import"]
    monkeypatch.chdir(tmp_path)
    return running(capsys)
