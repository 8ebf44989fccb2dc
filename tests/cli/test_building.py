"""Folders that are built: the same bytes however often it is stopped, and nothing mixed into them."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest

from harness.cli.building import INDEX, REFUSED, digest_of
from harness.cli.problems import CallProblem
from harness.record.files import RunError
from tests.cli.making import NAMES, built
from tests.sampling import sampled

ROOT = Path(__file__).parents[2]
SECONDS = 60
"""Bounds a wait for processes to end, and says nothing of how long that takes."""


KILLS = [
    (whom, workers, when)
    for whom, workers in (("itself", 1), ("itself", 2), ("parent", 2))
    for when in ("thing-00", "thing-07", "thing-11")
]
"""Who is killed, of how many, once which thing is there; of these a test takes about every second."""


def held(folder: Path) -> Mapping[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def indexed(folder: Path) -> list[str]:
    return [json.loads(line)["name"] for line in (folder / INDEX).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    folder = tmp_path_factory.mktemp("unbroken") / "set"
    built(folder)
    return held(folder)


def test_the_index_has_each_thing_with_its_files_in_order(tmp_path: Path) -> None:
    found = built(tmp_path / "set")
    first = json.loads((tmp_path / "set" / INDEX).read_text(encoding="utf-8").splitlines()[0])

    assert indexed(tmp_path / "set") == [each["name"] for each in found.entries] == NAMES
    assert (first["name"], first["size"]) == ("thing-00", 8)
    assert first["files"]["things/thing-00.key"] == hashlib.sha256(b"00-gniht").hexdigest()


def test_several_processes_leave_the_same_bytes(tmp_path: Path, unbroken: Mapping[str, bytes]) -> None:
    built(tmp_path / "set", workers=3)

    assert held(tmp_path / "set") == unbroken


@pytest.mark.parametrize(("whom", "workers", "when"), sampled(KILLS, 5))
def test_what_is_killed_goes_on_and_leaves_the_same_bytes(
    tmp_path: Path, unbroken: Mapping[str, bytes], whom: str, workers: int, when: str
) -> None:
    folder = tmp_path / "set"
    (tmp_path / "moment").write_text(f"{whom} {when}")
    command = [sys.executable, "-m", "tests.cli.making", str(folder), str(workers)]

    with psutil.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as process:
        assert process.wait(SECONDS) != 0
    left = [each for each in psutil.process_iter(["cmdline"]) if str(folder) in (each.info["cmdline"] or [])]

    assert psutil.wait_procs(left, SECONDS)[1] == []
    assert not (folder / "suite.json").exists()
    assert built(folder, workers=workers).before < len(NAMES)
    assert held(folder) == unbroken


def test_what_is_there_is_not_made_again(tmp_path: Path) -> None:
    built(tmp_path / "set", NAMES[:5])
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "set" / "things").iterdir()}

    assert built(tmp_path / "set").before == 5
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert built(tmp_path / "set").before == 12


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "things" / "thing-03.txt").write_text("thing"),
        lambda folder: (folder / "things" / "thing-03.key").unlink(),
        lambda folder: (folder / "things" / "thing-03.txt.part").write_text("thi"),
        lambda folder: (folder / INDEX).write_bytes((folder / INDEX).read_bytes()[:-40]),
        lambda folder: (folder / INDEX).write_bytes(b"\xff\x00[]\n1\n" + (folder / INDEX).read_bytes()),
        lambda folder: (folder / INDEX).unlink(),
        lambda folder: (folder / "suite.json").unlink(),
    ],
)
def test_what_is_broken_or_half_written_is_made_good(
    tmp_path: Path, unbroken: Mapping[str, bytes], harm: object
) -> None:
    built(tmp_path / "set")
    harm(tmp_path / "set")  # type: ignore[operator]
    built(tmp_path / "set")

    assert held(tmp_path / "set") == unbroken


def test_other_inputs_are_refused_and_named_and_nothing_is_lost(tmp_path: Path) -> None:
    built(tmp_path / "set")
    before = held(tmp_path / "set")

    with pytest.raises(CallProblem) as error:
        built(tmp_path / "set", seed=2, level="hard")

    assert str(error.value).splitlines()[1:] == ["  seed: 1 then, 2 now", '  level: not there then, "hard" now']
    assert held(tmp_path / "set") == before


def test_a_smaller_set_does_not_take_the_place_of_a_larger_one(tmp_path: Path) -> None:
    built(tmp_path / "set")

    with pytest.raises(CallProblem, match=r"holds thing-03 and 8 more, which this call does not ask for"):
        built(tmp_path / "set", NAMES[:3])
    assert indexed(tmp_path / "set") == NAMES


@pytest.mark.parametrize("there", ["file", "folder"])
def test_what_was_not_built_is_left_alone(tmp_path: Path, there: str) -> None:
    path = tmp_path / "set"
    if there == "folder":
        path.mkdir()
    (path / "mine.txt" if there == "folder" else path).write_text("mine")

    with pytest.raises(CallProblem, match="already exists and was not made by a build"):
        built(path)


def test_one_process_at_a_time_writes_to_a_folder(tmp_path: Path) -> None:
    from harness.cli.building import _alone

    built(tmp_path / "set")
    with _alone(tmp_path / "set"), pytest.raises(CallProblem, match="is being written to by another process"):
        built(tmp_path / "set")


@pytest.mark.parametrize("workers", [1, 2])
def test_what_does_not_hold_is_logged_and_the_others_are_there(tmp_path: Path, workers: int) -> None:
    found = built(tmp_path / "set", ["a", "b-bad", "c"], workers)

    assert found.refused == [{"name": "b-bad", "legs": 0, "why": "b-bad has no legs"}]
    assert json.loads((tmp_path / "set" / REFUSED).read_text(encoding="utf-8")) == found.refused[0]
    assert indexed(tmp_path / "set") == ["a", "c"]


def test_where_nothing_holds_there_is_no_suite(tmp_path: Path) -> None:
    built(tmp_path / "set", ["a-bad"])

    assert not (tmp_path / "set" / "suite.json").exists()


@pytest.mark.parametrize(("workers", "kind"), [(1, RuntimeError), (2, RunError)])
def test_a_bug_names_the_thing_and_leaves_what_was_made(tmp_path: Path, workers: int, kind: type[Exception]) -> None:
    with pytest.raises(kind, match="b-bug: KeyError"):
        built(tmp_path / "set", ["a", "b-bug"], workers)
    again = built(tmp_path / "set", ["a"])
    assert [each["name"] for each in again.entries] == ["a"]
    assert again.before == 1 or workers > 1  # another process may not have come to it


def test_a_digest_of_sources_goes_by_their_names_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.py").write_text("1")
    first = digest_of(tmp_path / "a")
    (tmp_path / "a" / "__pycache__").mkdir()
    (tmp_path / "a" / "__pycache__" / "x.pyc").write_text("2")
    same = digest_of(tmp_path / "a")
    (tmp_path / "a" / "x.py").rename(tmp_path / "a" / "y.py")

    assert (first == same, first == digest_of(tmp_path / "a")) == (True, False)
