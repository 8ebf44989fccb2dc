"""Forks: back to any step of a recorded trial, and on from there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness import wiring
from harness.core.config import ConfigProblem, IdleConfig, OracleConfig, RunConfig
from harness.play import fork
from harness.play.run import evaluate
from harness.play.stage import Stage
from harness.record.files import RunError
from harness.record.store import Run
from harness.suite import Suite
from harness.trajectory import Trajectory
from servers import catalog
from servers.kernel import Change, World, fold
from tests.cli.conftest import Call

TASKS = ("wb-synth-02-0", "wb-synth-04-0", "wb-synth-66-0")
"""A reply, four mails to delete, a task and a meeting: several calls each."""


@pytest.fixture(scope="module")
def suite() -> Suite:
    return wiring.suite("workbench-synth")


@pytest.fixture(scope="module")
def played(suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Run:
    agents: list[dict[str, Any]] = [{"kind": "oracle"}, {"kind": "reference"}, {"kind": "idle"}]
    config = RunConfig.model_validate({"suite": suite.name, "agents": agents, "tasks": TASKS})
    return evaluate(config, suite, wiring.wiring(), tmp_path_factory.mktemp("run") / "parent")


def trials(run: Run, agent: str) -> Iterator[tuple[str, Trajectory]]:
    for path in sorted((run.folder / "trials").glob(f"{agent}.*.json")):
        yield path.stem, run.read(path).trajectory


def written(then: Trajectory, step: int) -> dict[tuple[str, str, str], Any]:
    """What the record says of every row that the calls before a step wrote."""
    return {(w.app, w.table, w.id): w.values for call in then.calls[:step] for w in call.writes}


def whole(app: str, table: str, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a world with what it leaves out: fields that the table has got since, at their defaults."""
    row_of = catalog.app(app).table(table)
    return {name: value for name, value in row_of.model_validate(row).model_dump(mode="json").items() if name != "id"}


def recorded_digest(then: Trajectory, step: int, world: World) -> str:
    """The digest before a step, from the rows of the world and the record alone."""
    after = written(then, step)
    rows = {
        (app, table, row["id"]): row for app, tables in world.rows.items() for table in tables for row in tables[table]
    }
    before = {
        (app, table, id): whole(app, table, rows[app, table, id]) for app, table, id in after.keys() & rows.keys()
    }
    return fold(world.digest, [], [
        Change(app=app, table=table, id=id, before=before.get((app, table, id)), after=after[app, table, id])
        for app, table, id in sorted(after)
        if after[app, table, id] != before.get((app, table, id))
    ])  # fmt: skip


@pytest.mark.parametrize("agent", ["oracle", "reference"])
def test_a_fork_at_any_step_has_the_recorded_digest(played: Run, suite: Suite, agent: str) -> None:
    async def states(then: Trajectory) -> None:
        for step in range(len(then.calls) + 1):
            opened = await fork.restored(stage, then, step)
            sandbox = opened.sandbox
            assert sandbox.calls == then.calls[:step]
            assert sandbox.layer.digest() == recorded_digest(then, step, suite.world(suite.task(then.task).world))
            if step == len(then.calls):
                assert (sandbox.layer.changes(), sandbox.layer.digest()) == (then.changes, then.digest)
            opened.close()

    stage = Stage(played.head.config, suite, wiring.wiring())
    found = [then for _, then in trials(played, agent)]
    for then in found:
        anyio.run(states, then)
    stage.engine.close()

    assert len(found) == len(TASKS)
    assert sum(len(then.calls) for then in found) >= 6


@pytest.mark.parametrize("agent", ["oracle", "reference"])
def test_going_on_from_any_step_succeeds_and_names_the_parent(
    played: Run, suite: Suite, tmp_path: Path, agent: str
) -> None:
    alone = tuple(each for each in played.head.config.agents if each.name == agent)
    config = played.head.config.model_copy(update={"agents": alone})
    steps = 0
    for name, then in trials(played, agent):
        for step in range(len(then.calls) + 1):
            child = fork.go_on(config, suite, wiring.wiring(), played, name, step, tmp_path / f"{name}-{step}")
            (record,) = child.records()
            assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
            assert (record.trajectory.seed, record.trajectory.digest) == (then.seed, then.digest)
            assert record.trajectory.parent is not None
            assert tuple(record.trajectory.parent.model_dump().values()) == (str(played.folder), name, step)
            steps += 1
    assert steps >= 9


def test_a_record_that_no_longer_holds_is_not_served(played: Run, suite: Suite) -> None:
    _, then = next(trials(played, "oracle"))
    call = then.calls[0].model_copy(update={"text": "something else"})
    stage = Stage(played.head.config, suite, wiring.wiring())

    async def restore() -> None:
        await fork.restored(stage, then.model_copy(update={"events": [then.events[0], call, *then.events[2:]]}), 1)

    with pytest.raises(RunError, match=r"cannot be brought back to step 1: call 0, .* went differently"):
        anyio.run(restore)
    stage.engine.close()


def test_an_agent_of_another_kind_starts_at_the_beginning_or_not_at_all(
    played: Run, suite: Suite, tmp_path: Path
) -> None:
    name, then = list(trials(played, "reference"))[1]
    config = played.head.config.model_copy(update={"agents": (OracleConfig(kind="oracle"),)})
    child = fork.go_on(config, suite, wiring.wiring(), played, name, 0, tmp_path / "at-0")

    assert [record.scores["outcome"].value for record in child.records()] == [1]
    with pytest.raises(ConfigProblem, match=r"oracle \(oracle\) cannot be led to step 1 of a trial of reference"):
        fork.go_on(config, suite, wiring.wiring(), played, name, 1, tmp_path / "at-1")
    with pytest.raises(RunError, match=f"no step 99: its trial made {len(then.calls)} calls"):
        fork.go_on(config, suite, wiring.wiring(), played, name, 99, tmp_path / "at-99")


def test_an_agent_that_leaves_the_record_is_void(played: Run, suite: Suite, tmp_path: Path) -> None:
    name, then = list(trials(played, "idle"))[1]
    calls = list(trials(played, "oracle"))[1][1].calls
    led = replace_calls(played, name, calls, tmp_path / "edited")
    config = played.head.config.model_copy(update={"agents": (IdleConfig(kind="idle"),)})
    (record,) = fork.go_on(config, suite, wiring.wiring(), led, name, 1, tmp_path / "child").records()

    assert then.calls == []
    assert (record.trajectory.status, record.trajectory.reason.partition(":")[0]) == ("void", "Diverged")


def replace_calls(run: Run, name: str, calls: Any, folder: Path) -> Run:
    record = run.read(run.folder / "trials" / f"{name}.json")
    record.trajectory.events = [*record.trajectory.events, *calls]
    edited = Run.create(folder, run.head)
    edited.write(record)
    return edited


SCRIPT = """\
{"replies": [
 {"calls": [{"name": "projects_search_tasks", "arguments": {"task_name": "Job 0"}}]},
 {"calls": [{"name": "projects_update_task",
             "arguments": {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}}]},
 {"text": "Moved."}]}
"""


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "script.jsonl").write_text(SCRIPT.replace("\n", "") + "\n")
    command = [sys.executable, "-m", "harness.stub", "--script", str(tmp_path / "script.jsonl"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as server:
        assert server.stdout
        yield server.stdout.readline().strip()
        server.terminate()


@pytest.mark.slow
def test_another_model_goes_on_from_the_recorded_replies_of_the_first(call: Call, tmp_path: Path, stub: str) -> None:
    agent = f"{{kind: llm, model: hosted_vllm/first, api_base: '{stub}'}}"
    Path("one.yaml").write_text(f"suite: toy\ntasks: [toy-0]\nagents: [{agent}]\n")
    assert call("eval", "one.yaml", "--output", "parent").status == 0
    outcome = call("fork", "parent", "toy-0", "--at", "1", "--model", "hosted_vllm/second", "--json")
    found = json.loads(outcome.out)
    trajectory = Trajectory.model_validate(found["record"]["trajectory"])

    assert outcome.status == 0, outcome.err
    assert found["record"]["scores"]["outcome"]["value"] == 1
    assert trajectory.agent == "hosted_vllm/second"
    assert [each.request["model"] for each in trajectory.model_calls] == [
        "hosted_vllm/first", "hosted_vllm/second", "hosted_vllm/second",
    ]  # fmt: skip
    assert (Path(found["run"]) / "run.json").exists()
    assert "Forks" not in call("report", "parent").out
    again = call("fork", "parent", "toy-0", "--at", "1", "--model", "hosted_vllm/second")
    assert (again.status, "holds a fork of this trial already: give another --output" in again.err) == (2, True)
    tree = call("report", "parent", found["run"]).out.partition("Forks\n")[2]
    assert [line.split()[:2] for line in tree.splitlines()[3:5]] == [["toy-0", "parent"], ["└─", "step"]]
    assert "hosted_vllm/second" in tree


def test_without_a_word_the_agent_of_the_trial_goes_on_though_the_run_has_others(call: Call) -> None:
    both = "agents: [{kind: idle}, {kind: oracle}]\nconditions: {plain: {}, hinted: {notice: may-be-missing}}\n"
    Path("two.yaml").write_text(f"suite: toy\ntasks: [toy-0]\n{both}")
    assert call("eval", "two.yaml", "--output", "run").status == 0

    outcome = call("fork", "run", "oracle.plain.toy-0.0", "--at", "0", "--condition", "hinted", "--json")
    trajectory = json.loads(outcome.out)["record"]["trajectory"]

    assert (outcome.status, trajectory["agent"], trajectory["condition"]) == (0, "oracle", "hinted"), outcome.err


def test_a_condition_or_agent_that_the_run_does_not_have_is_named(call: Call, config: Path) -> None:
    assert call("eval", config, "--output", "run", "--trials", "1").status == 0

    no_condition = call("fork", "run", "oracle.default.toy-0.0", "--at", "0", "--condition", "defalt")
    no_agent = call("fork", "run", "oracle.default.toy-0.0", "--at", "0", "--agent", "nobody")
    assert (no_condition.status, no_agent.status) == (2, 2)
    assert "Did you mean 'default'?" in no_condition.err
    assert "no agent has that name or kind" in no_agent.err


def test_a_fork_is_no_trial_of_the_run_whose_config_it_has(call: Call) -> None:
    Path("one.yaml").write_text("suite: toy\ntasks: [toy-0]\nagents: [{kind: idle}]\n")
    assert call("eval", "one.yaml", "--output", "parent").status == 0
    before = Path("parent/run.json").read_text()
    forked = call("fork", "parent", "toy-0", "--at", "0", "--agent", "idle", "--output", "fork")
    played = call("eval", "one.yaml", "--output", "fork")
    into = call("fork", "parent", "toy-0", "--at", "0", "--agent", "idle", "--output", "parent")

    assert (forked.status, played.status, into.status) == (0, 2, 2), forked.err
    assert f"its trials are forks of run {json.loads(before)['identity']}: give another --output" in played.err
    assert "its trials are no forks: give another --output" in into.err
    assert Path("parent/run.json").read_text() == before


def test_a_record_that_is_none_of_its_run_is_not_served_and_named_with_its_folder(call: Call) -> None:
    Path("one.yaml").write_text("suite: toy\ntasks: [toy-0]\nagents: [{kind: idle}]\n")
    assert call("eval", "one.yaml", "--output", "run").status == 0
    (path,) = Path("run/trials").iterdir()
    path.write_text(re.sub(r'"task_hash":"\w+"', f'"task_hash":"{"0" * 64}"', path.read_text()))

    served = call("fork", "run", "toy-0", "--at", "0")

    assert (served.status, f"{path} does not belong to this run: task toy-0" in served.err) == (2, True), served.err
