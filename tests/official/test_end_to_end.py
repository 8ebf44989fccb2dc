"""The published tasks through the whole harness: instruments, transports and a scripted model.

Every final state is held against the independent replay of the reference calls on the CSV files.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.core.config import Condition, IdleConfig, Limits, LlmConfig, OracleConfig, RunConfig
from harness.play.run import evaluate
from harness.record.store import Run
from harness.stub import Fault, Reply, StubServer, ToolCall
from harness.suite import Suite
from harness.task import Task
from harness.trajectory import Trajectory
from harness.wiring import Wired
from servers.kernel import Change
from tests.official import independent
from tests.official.independent import Difference
from tests.official.test_official import OURS, as_the_release_has_it
from tests.sampling import FULL

pytestmark = pytest.mark.slow

NOTHING_CHANGES = {"customer_relationship_manager-031", "customer_relationship_manager-032"}
"""Their one reference call gives a customer to whoever already has it: the right end is the start."""


def in_the_release_s_words(change: Change) -> Difference:
    """What was really left behind, apps' names turned back; the time of a new mail is left out."""
    table, names = OURS[change.app, change.table]
    values = as_the_release_has_it(table, change.fields) if change.op == "insert" else change.fields
    fields = {names.get(name, name): "" if value is None else value for name, value in values.items()}
    fields.pop("sent_datetime", None)
    return Difference(change.op, table, "" if change.op == "insert" else change.id, tuple(sorted(fields.items())))


def config(agent: Any, **changes: Any) -> RunConfig:
    return RunConfig(suite="workbench-official@v1", agents=(agent,), **changes)


def trajectories(run: Run) -> dict[str, Trajectory]:
    return {record.trajectory.task: record.trajectory for record in run.records()}


def correct(run: Run) -> set[str]:
    return {record.trajectory.task for record in run.records() if record.scores["outcome"].value == 1}


def side_effects(run: Run) -> set[str]:
    return {record.trajectory.task for record in run.records() if record.scores["outcome"].detail["side_effects"]}


@pytest.fixture(scope="session")
def oracle(published_suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("oracle") / "run"
    return evaluate(config(OracleConfig(kind="oracle")), published_suite, Wired(), folder)


def test_the_oracle_solves_all_690_without_side_effects(oracle: Run, published: Path) -> None:
    assert (len(correct(oracle)), side_effects(oracle)) == (690, set())


def test_the_states_it_leaves_are_those_of_an_independent_replay(oracle: Run, published: Path) -> None:
    start = independent.starting_tables(published)
    wanted = {
        id: independent.differences(start, independent.replayed(start, calls))
        for id, (_, calls) in independent.published_tasks(published).items()
    }

    left = {id: Counter(map(in_the_release_s_words, t.changes)) for id, t in trajectories(oracle).items()}

    assert left == wanted


def test_doing_nothing_is_right_where_nothing_is_to_be_done_and_nowhere_else(
    published_suite: Suite, published: Path, tmp_path: Path
) -> None:
    run = evaluate(config(IdleConfig(kind="idle")), published_suite, Wired(), tmp_path / "run")
    no_call = {task.id for task in published_suite.tasks if not task.solution}

    assert len(no_call) == 122
    assert correct(run) == no_call | NOTHING_CHANGES
    assert side_effects(run) == set()


def test_all_690_over_http_leave_the_same_states(
    oracle: Run, published_suite: Suite, published: Path, tmp_path: Path
) -> None:
    chosen = config(OracleConfig(kind="oracle"), transport="http")
    run = evaluate(chosen, published_suite, Wired(), tmp_path / "run")

    assert {t.task: t.digest for t in trajectories(run).values()} == {
        t.task: t.digest for t in trajectories(oracle).values()
    }


def test_a_sample_over_stdio_leaves_the_same_states(
    oracle: Run, published_suite: Suite, published: Path, tmp_path: Path
) -> None:
    """Of 20 tasks, as each starts processes of its own; `make full` plays 60."""
    acting, number = [task.id for task in published_suite.tasks if task.solution], 60 if FULL else 20
    sample = tuple(acting[:: len(acting) // number][:number])
    chosen = config(OracleConfig(kind="oracle"), transport="stdio", tasks=sample)
    run = evaluate(chosen, published_suite, Wired(), tmp_path / "run", concurrency=3)

    assert len(sample) == number
    there = trajectories(oracle)
    assert {id: t.digest for id, t in trajectories(run).items()} == {id: there[id].digest for id in sample}


def script(tasks: list[Task]) -> dict[str | None, list[Reply | Fault]]:
    """Replies that play each task's reference calls, one a turn; every eighth task meets a fault first."""
    faults: list[Fault] = [
        Fault(fault=429, retry_after=0),
        Fault(fault=503),
        Fault(fault="truncated"),
        Fault(fault="bad_arguments"),
        Fault(fault="cut_arguments"),
        Fault(fault="unknown_tool"),
    ]
    said: dict[str | None, list[Reply | Fault]] = {}
    for number, task in enumerate(tasks):
        calls = [ToolCall(name=f"{c.app}_{c.tool}", arguments=c.arguments) for c in task.solution]
        replies: list[Reply | Fault] = [*(Reply(calls=(call,)) for call in calls), Reply(text="Done.")]
        if number % 8 == 0:
            replies[0] = faults[number // 8 % len(faults)].model_copy(update={"then": replies[0]})
        said[task.sessions[0].requests["original"]] = replies
    return said


def test_a_model_plays_the_published_tasks_over_http_faults_included(
    oracle: Run, published_suite: Suite, published: Path, tmp_path: Path
) -> None:
    """Every third, with five of each fault; `make full` all 690."""
    tasks = list(published_suite.tasks[:: 1 if FULL else 3])

    async def main() -> Run:
        async with StubServer(script(tasks)) as stub:
            agent = LlmConfig(kind="llm", model="hosted_vllm/stub", api_base=stub.base_url)
            ids = tuple(task.id for task in tasks)
            chosen = config(agent, conditions={"default": Condition()}, limits=Limits(seconds=120), tasks=ids)
            run = await anyio.to_thread.run_sync(lambda: evaluate(chosen, published_suite, Wired(), tmp_path / "run"))
            assert stub.faults > 40 * len(tasks) / 690
            return run

    run = anyio.run(main)

    played = trajectories(run)
    assert {t.status for t in played.values()} == {"finished"}
    right = trajectories(oracle)
    assert {id: t.digest for id, t in played.items()} == {task.id: right[task.id].digest for task in tasks}
    assert sum(call.attempts > 1 for t in played.values() for call in t.model_calls) > 30 * len(tasks) / 690
    assert {c.status for t in played.values() for c in t.calls} == {"ok", "garbled", "unknown"}
    assert len(correct(run)) == len(tasks)
