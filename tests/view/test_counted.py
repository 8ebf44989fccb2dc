"""What the page of a trial counts is what its score has counted, whatever the suite's check compares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.core.config_file import load
from harness.play.run import evaluate
from harness.record.scores import scores
from harness.record.store import Run, RunHead, TrialRecord
from harness.score import NO_VERDICTS, Score, Verdicts, outcome
from harness.suite import Suite
from harness.task import Task
from harness.trajectory import Trajectory
from harness.view import View
from harness.wiring import suite, wiring
from servers.kernel import Change
from tests.harness import toy
from tests.view import scene

CONFIGS = Path(__file__).parents[2] / "configs"
MAIL = ("gmail", "emails", "body")


def _played(config: str, folder: Path, sample: int, *agents: str, **changes: Any) -> View:
    """A run over a sample of the config's tasks, by those agents of it alone."""
    whole = load(CONFIGS / config)
    chosen = [each for each in whole.agents if each.kind in agents][: len(agents)]
    small = whole.model_copy(update={"trials": 1, "agents": chosen, **changes})
    wired = wiring()
    evaluate(small, wired.suite(small.suite), wired, folder, sample=sample)
    return View([folder], suite, read_only=True)


def _trials(view: View) -> list[dict[str, Any]]:
    return [view.value(f"trial-0-{key}") for key in view.value("index-0")["columns"]["key"]]


def _detail(trial: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(score for score in trial["scores"] if score["check"] == "outcome")["detail"]
    return found


def _as_the_score_counts(trial: Mapping[str, Any]) -> None:
    detail = _detail(trial)
    counts = {"expected": detail["expected"], "matched": detail["matched"], "unexpected": detail["unexpected"]}
    missing = [n for n, each in enumerate(trial["expected"]) if not each["met"]]
    unexpected = [n for n, each in enumerate(trial["actual"]) if not each["expected"]]

    assert trial["paired"]
    assert trial["counts"] == counts
    assert [each["met"] for each in trial["expected"]] == detail["checkpoints"]
    assert sorted([n for n, _ in trial["pairs"]] + missing) == list(range(detail["expected"]))
    assert len(unexpected) == detail["unexpected"]
    assert {one["expected"] for one in trial["near"]} <= set(missing)
    assert {one["actual"] for one in trial["near"]} <= set(unexpected)


@pytest.mark.parametrize(
    ("config", "sample", "agents"),
    [
        ("workflows.yaml", 3, ("oracle", "idle")),
        ("lhaw.yaml", 2, ("reference",)),
        ("lhaw-short.yaml", 8, ("reference",)),
        ("workbench-synth.yaml", 8, ("oracle", "idle", "reference")),
        ("drift.yaml", 2, ("oracle", "idle", "reference")),
    ],
)
def test_expected_missing_and_unexpected_changes_are_those_of_the_score(
    config: str, sample: int, agents: tuple[str, ...], tmp_path: Path
) -> None:
    trials = _trials(_played(config, tmp_path / "run", sample, *agents))

    assert len(trials) >= sample
    for trial in trials:
        _as_the_score_counts(trial)


def test_a_mail_to_several_counts_as_the_score_has_it_one_to_each(tmp_path: Path) -> None:
    view = _played("workbench-synth.yaml", tmp_path / "run", 1, "idle")
    run, synth = Run.open(tmp_path / "run"), suite("workbench-synth", 1)
    (file,) = scene.files(run)
    t = run.read(file).trajectory
    to = ["ann@example.test", "ben@example.test"]
    rows: dict[str, dict[str, Any]] = {
        "emails": {"address": to[0], "subject": "News", "body": "All is well."},
        "envelopes": {"to": to},
    }
    changes = [Change(app="gmail", table=table, id="900", before=None, after=row) for table, row in rows.items()]
    sent = t.model_copy(update={"changes": changes})
    run.write(TrialRecord(trajectory=sent, scores=scores(synth.checks, synth.task(t.task), sent)))

    (trial,) = _trials(view)

    _as_the_score_counts(trial)
    assert [(each["id"], each["after"]["address"]) for each in trial["actual"]] == [("900", to[0]), ("900+1", to[1])]


def test_a_task_without_an_accepted_end_is_shown_with_what_was_changed(tmp_path: Path) -> None:
    (trial,) = _trials(_played("pi-units.yaml", tmp_path / "run", 1, "oracle"))

    assert (trial["expected"], trial["counts"], trial["paired"]) == ([], None, False)
    assert trial["actual"]
    assert {each["expected"] for each in trial["actual"]} == {None}


def test_where_the_score_counts_no_changes_the_page_counts_none(tmp_path: Path) -> None:
    inbox = load(CONFIGS / "probe-inbox.yaml")
    for trial in _trials(_played("probe-inbox.yaml", tmp_path / "run", 1, "oracle", "idle", tasks=inbox.tasks[:1])):
        assert (trial["counts"], trial["paired"], trial["pairs"], trial["near"]) == (None, False, [], [])
        assert {each["met"] for each in trial["expected"]} == {None}
        assert {each["expected"] for each in trial["actual"]} <= {None}


def _with_texts(trajectory: Trajectory, told: Any) -> Trajectory:
    """The trial with another text in each new mail."""
    app, table, field = MAIL
    changes = [
        each.model_copy(update={"after": {**each.after, field: told(each.after[field])}})
        if (each.app, each.table, each.op) == (app, table, "insert") and each.after
        else each
        for each in trajectory.changes
    ]
    return trajectory.model_copy(update={"changes": changes})


def test_a_text_that_has_to_say_facts_tells_which_are_said_and_which_are_missing(tmp_path: Path) -> None:
    view = _played("workflows.yaml", tmp_path / "run", 3, "oracle")
    run = Run.open(tmp_path / "run")
    workflows = suite("workflows", 1)
    for file in scene.files(run):
        record = run.read(file)
        empty = _with_texts(record.trajectory, lambda _: "All done.")
        run.write(TrialRecord(trajectory=empty, scores=scores(workflows.checks, workflows.task(empty.task), empty)))

    trials = _trials(view)

    told = [one["told"]["body"] for trial in trials for one in trial["near"] if "body" in one["told"]]
    assert told
    assert all(not each["said"] and each["missing"] and not each["enough"] for each in told)
    assert all(one["fields"] == ["body"] for trial in trials for one in trial["near"] if "body" in one["told"])
    for trial in trials:
        _as_the_score_counts(trial)


def _stricter(task: Task, trajectory: Trajectory, verdicts: Verdicts = NO_VERDICTS) -> Score:
    """A check that compares otherwise, and does not say how: to it nothing was done."""
    return outcome(task, trajectory.model_copy(update={"changes": []}), verdicts)


def test_a_check_that_does_not_say_what_it_compares_is_told_by_its_score_alone(tmp_path: Path) -> None:
    own: Suite = replace(scene.suite(), checks={"outcome": _stricter})
    run = Run.create(tmp_path / "run", RunHead.of(scene.config(), own))
    evaluate(scene.config(), own, toy.Wiring(scene.TASKS), run.folder)

    (first, *_) = _trials(scene.view(run.folder, load=lambda *_: own))

    assert first["counts"] == {"expected": 1, "matched": 0, "unexpected": 0}
    assert (first["paired"], first["pairs"], first["near"]) == (False, [], [])
    assert [each["met"] for each in first["expected"]] == [False]
    assert [each["expected"] for each in first["actual"]] == [None]
