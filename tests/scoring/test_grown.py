"""A table may grow: rows have a new field with a default, and every verdict stays what it was."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import anyio
import pytest

from benchmarks.workbench.official import import_release
from benchmarks.workbench.official.profiles import outcome as official
from benchmarks.workbench.official.rescore import rescore
from benchmarks.workbench.synth.suite import load as synth
from harness.audit.play import Played, Player
from harness.core.config import Condition, OracleConfig, RunConfig
from harness.play.opening import OpenTask, begun
from harness.play.run import evaluate
from harness.play.stage import toolsets_for
from harness.score import outcome
from harness.serving.sandbox import Sandbox
from harness.suite import Suite
from harness.task import Call, End, Expected, Session, Task
from harness.trajectory import Trajectory
from servers.kernel import Change, Engine, World
from tests.harness import toy
from tests.official.conftest import SMALL
from tests.official.test_rescore import TO_ODD, scores, write_results
from tests.scoring.grown import DEFAULTS, grow

NOTE = {"path": "/workspace/a.txt", "text": "hello"}
FILE = Task(
    id="file",
    world="office",
    apps=("filesystem",),
    sessions=(Session(requests={"original": "Write 'hello' to a.txt."}),),
    ends=(End(changes=(Expected(op="insert", app="filesystem", table="entries", values=NOTE),)),),
    solution=(Call(app="filesystem", tool="write_file", arguments={"path": "a.txt", "content": "hello"}),),
)
FILED = {"filesystem.entries": {"kind": "file"}}


def office() -> Suite:
    """One task on an app of ours whose table has a default."""
    return Suite("office", "1", "", (FILE,), lambda _: World("office", toy.NOW, {}), {"outcome": outcome})


class Wiring(toy.Wiring):
    def suite(self, name: str, scale: int = 1) -> Suite:
        return office()


def played(suite: Suite, tasks: Sequence[Task]) -> list[Played]:
    async def play() -> list[Played]:
        player = Player(suite)
        try:
            return [await player.play(task, task.solution) for task in tasks]
        finally:
            player.close()

    return anyio.run(play)


def test_the_oracle_is_right_on_every_task_over_a_mail_table_that_has_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = synth()
    grow(monkeypatch, tmp_path)

    found = played(suite, suite.tasks)

    sent = [
        {table: values for table, values in each.trajectory.defaults.items() if table == "gmail.emails"}
        for each in found
        if "gmail.emails" in each.trajectory.defaults
    ]
    assert [each.task.id for each in found if each.verdict != "correct"] == []
    assert (len(found), sent) == (690, [DEFAULTS] * 150)


def test_a_new_field_with_another_value_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = next(task for task in synth().tasks if any(call.tool == "send_email" for call in task.solution))
    grow(monkeypatch, tmp_path)
    (found,) = played(synth(), [task])

    for field, value in {
        "starred": True,
        "cc": ["a@b.example"],
        "labels": ["work"],
        "priority": 2,
        "snoozed_until": "2025-04-01",
    }.items():
        changes = [
            change.model_copy(update={"after": {**(change.after or {}), field: value}})
            if change.table == "emails" and change.op == "insert"
            else change
            for change in found.trajectory.changes
        ]
        score = outcome(task, found.trajectory.model_copy(update={"changes": changes}))
        assert score.value == 0, field


@pytest.mark.parametrize("transport", ["memory", "http", pytest.param("stdio", marks=pytest.mark.slow)])
def test_a_trial_s_record_says_the_defaults_of_tables_with_a_new_row(
    tmp_path: Path, transport: Literal["memory", "http", "stdio"]
) -> None:
    config = RunConfig(suite="office", agents=(OracleConfig(kind="oracle"),), transport=transport)
    run = evaluate(config, office(), Wiring(), tmp_path / "run")

    assert [record.trajectory.defaults for record in run.records()] == [FILED]


def test_a_trial_without_a_new_row_has_no_defaults(tmp_path: Path) -> None:
    run = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")

    assert {len(record.trajectory.changes) for record in run.records()} == {1}
    assert [record.trajectory.defaults for record in run.records()] == [{}] * 12


def test_work_done_outside_a_run_is_recorded_with_defaults() -> None:
    async def work(sandbox: Sandbox) -> None:
        await sandbox.call("filesystem", "write_file", {"path": "/workspace/a.txt", "content": "hello"})

    suite, engine = office(), Engine()
    try:
        toolsets = toolsets_for(suite, Condition(), ("filesystem",))
        record = begun("office", FILE, prompt="original", agent="a", condition="c")
        opened = OpenTask(engine, engine.load(suite.world("office")), FILE, record, toolsets)
        opened.begin()
        anyio.run(work, opened.sandbox)
        found = opened.told()
    finally:
        engine.close()

    assert found.defaults == FILED


def test_published_runs_are_re_scored_alike_over_a_table_that_has_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HARNESS_DATA", str(tmp_path / "data"))
    release = tmp_path / "release"
    shutil.copytree(SMALL, release)
    import_release(release, tmp_path / "data" / "workbench-official")
    write_results(release, {"email-000": [TO_ODD], "email-002": [TO_ODD]})
    before = scores(rescore(release, model="m", mode="all", profile="v1-2024"))
    grow(monkeypatch, tmp_path)

    again = rescore(release, model="m", mode="all", profile="v1-2024")

    assert {task: score.label for task, score in scores(again).items()} == {
        task: score.label for task, score in before.items()
    }
    assert DEFAULTS in [record.trajectory.defaults for record in again.records]


def test_a_default_in_another_letter_case_is_one_under_the_rules_of_a_release() -> None:
    row = {"customer_name": "Leo Hart", "assigned_to_email": "mira@quay.example", "status": "Lead"}
    ends = (End(changes=(Expected(op="insert", app="crm", table="customers", values=row),)),)
    task = Task(id="t", world="w", apps=("crm",), sessions=(Session(requests={"original": "Add him"}),), ends=ends)
    made = Change(app="crm", table="customers", id="1", before=None, after={**row, "product_interest": "Software"})
    played = Trajectory(
        suite="s", task="t", task_hash="", agent="m", condition="all/v1-2024", trial=0, seed=0, prompt="original",
        status="finished", changes=[made], defaults={"crm.customers": {"product_interest": "Software"}},
    )  # fmt: skip

    assert official(task, played).value == 1
    assert official(task, played.model_copy(update={"defaults": {}})).value == 0
