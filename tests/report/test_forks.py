"""The tree of forks that a report draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli import render
from harness.record.store import trial_name
from harness.report import page as pages
from harness.report.forks import Trials, forks
from harness.suite import Scored
from harness.trajectory import Parent
from tests.report import records

DONE = records.task("t-0", records.delete(records.IDS[0]))


def trial(agent: str, right: bool = True, parent: tuple[Path, str, int] | None = None) -> Scored:
    record = records.record(DONE, right, agent=agent)
    if parent:
        folder, above, step = parent
        name = trial_name(above, "default", DONE.id, 0).removesuffix(".json")
        record.trajectory.parent = Parent(run=str(folder), trial=name, step=step)
    return Scored(record.trajectory, record.scores)


@pytest.fixture
def runs(tmp_path: Path) -> list[Trials]:
    """A trial, two forks of it, and a fork of the later of these."""
    a, b = tmp_path / "a", tmp_path / "b"
    return [
        Trials("a", a, [trial("first", right=False)]),
        Trials("c", tmp_path / "c", [trial("third", parent=(b, "second", 3))]),
        Trials("b", b, [trial("second", parent=(a, "first", 2))]),
        Trials("d", tmp_path / "d", [trial("fourth", parent=(a, "first", 0))]),
    ]


def shape(runs: list[Trials]) -> list[tuple[str, str | None, str | None, float | None]]:
    (table,) = forks(runs)
    return [
        (row["fork"].replace("\N{NO-BREAK SPACE}", "."), row["run"], row["agent"], row["score"]) for row in table.rows
    ]


def test_forks_stand_below_the_trial_that_they_went_on_from_earlier_steps_first(runs: list[Trials]) -> None:
    assert shape(runs) == [
        ("t-0", "a", "first", 0.0),
        ("├─.step 0", "d", "fourth", 1.0),
        ("└─.step 2", "b", "second", 1.0),
        ("...└─.step 3", "c", "third", 1.0),
    ]


def test_a_parent_outside_the_reported_runs_is_named(runs: list[Trials], tmp_path: Path) -> None:
    above = trial_name("first", "default", DONE.id, 0).removesuffix(".json")

    assert shape(runs[2:3]) == [(f"{tmp_path / 'a'}, {above}", None, None, None), ("└─.step 2", "b", "second", 1.0)]
    assert "one that is not in this report" in forks(runs[2:3])[0].notes[-1]


def test_a_parent_is_found_however_its_folder_was_named(
    runs: list[Trials], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    relative = [runs[0], Trials("b", Path("b"), [trial("second", parent=(Path("./a"), "first", 2))])]

    assert [row[1] for row in shape(relative)] == ["a", "b"]


def test_without_a_fork_there_is_no_tree(runs: list[Trials]) -> None:
    assert forks(runs[:1]) == []


def test_the_branches_survive_markdown_and_the_page(runs: list[Trials]) -> None:
    tables = forks(runs)
    deepest = "\N{NO-BREAK SPACE}" * 3 + "└─\N{NO-BREAK SPACE}step 3"

    assert f"| {deepest} | c | third | default | 0 | finished | 1 |" in render.markdown(tables)
    assert f"<td>{deepest}</td>" in pages.page("made", [pages.Part("made", {}, tables)])
    assert deepest in render.text(tables)
