"""The small release of our own, the published one where `WORKBENCH_DATA` says it is, and a suite of each."""

from __future__ import annotations

import csv
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.workbench.official import import_release, load
from harness.suite import Suite

SMALL = Path(__file__).parents[1] / "fixtures" / "workbench_small"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without the published data, skip what needs it: one line, with the count, in pytest's summary."""
    if not os.environ.get("WORKBENCH_DATA"):
        missing = pytest.mark.skip(
            reason="WORKBENCH_DATA is not set: NOTHING was checked against the published WorkBench"
        )
        for item in items:
            if "published" in getattr(item, "fixturenames", ()):
                item.add_marker(missing)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A copy of the small release, free to be damaged."""
    return Path(shutil.copytree(SMALL, tmp_path / "release"))


@pytest.fixture
def small_v2(small: Path) -> Path:
    """The small release in the layout of 2026, with line breaks in mail bodies as they are."""
    old = small / "data/processed/queries_and_answers"
    new = small / "data/processed/tasks_and_outcomes"
    new.mkdir()
    for file in sorted(old.iterdir()):
        with file.open(newline="", encoding="utf-8") as source:
            head, *rows = csv.reader(source)
        names = {"query": "task", "answer": "outcome"}
        name = file.name.replace("queries_and_answers", "tasks_and_outcomes")
        with (new / name).open("w", newline="", encoding="utf-8") as target:
            writer = csv.writer(target, quoting=csv.QUOTE_ALL)
            writer.writerow([names.get(column, column) for column in head])
            writer.writerows([[cell.replace("\\\\n", "\n") for cell in row] for row in rows])
    shutil.rmtree(old)
    return small


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for imports."""
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "data"))
    return tmp_path / "data" / "workbench-official"


@pytest.fixture(scope="session")
def published() -> Path:
    """The published release."""
    return Path(os.environ["WORKBENCH_DATA"])


@pytest.fixture(scope="session")
def published_suite(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Suite]:
    """The published release, imported once for all tests."""
    place = tmp_path_factory.mktemp("published")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HARNESS_DATA", str(place))
        import_release(published, place / "workbench-official")
        yield load("v1")
