"""The published file, where `DBBENCH_DATA` says it is, against what the specification says of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from subprocess import run

import pytest

from benchmarks.dbbench import figures, importing, published, store
from benchmarks.dbbench.truth import DEPARTURES, own

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def imported(published_file: Path) -> store.Imported:
    return importing.imported(published.read(published_file))


def test_it_is_the_published_file_and_every_row_can_be_read(published_file: Path) -> None:
    found = published.read(published_file)

    assert found.sha256 == published.PUBLISHED_SHA256
    assert (len(found.rows), list(found.broken)) == (300, [])


def test_every_figure_is_the_expected_one(imported: store.Imported) -> None:
    assert imported.head.official
    assert figures.unexpected(imported) == []


def test_the_named_departures_are_all_there_are(imported: store.Imported) -> None:
    changes = [each for each in imported.rows.values() if each.row.kind != "read"]
    departing = {each.number for each in changes if not (each.truth.verified and each.truth.source == "published")}

    assert departing == set(DEPARTURES)


def test_every_statement_of_our_own_comes_to_what_was_published(imported: store.Imported) -> None:
    assert {number for number in own() if not imported.rows[number].truth.verified} == set()


def test_the_command_ends_well(published_file: Path, tmp_path: Path) -> None:
    done = run(
        [sys.executable, "-m", "harness", "import", "dbbench", str(published_file)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "HARNESS_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert (done.returncode, done.stderr) == (0, "")
