"""Calls that cannot be taken: on record as garbled, held against the agent, made again by nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.core.config import Limits
from harness.play.fork import restored
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.stage import Stage
from harness.record.files import RunError
from harness.record.mending import put
from harness.record.store import Run
from harness.service.bundle import Bundle
from harness.serving.sandbox import Sandbox
from harness.trajectory import Trajectory
from servers import catalog
from servers.kernel import SIZE, Engine
from tests.harness import toy

MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}
TOOL = "projects_update_task"
Calls = Sequence[tuple[str, Mapping[str, Any]]]


def play(folder: Path, calls: Calls, **changes: Any) -> Run:
    wiring = toy.Wiring([toy.task(0)], lambda _: toy.Scripted(calls))
    return evaluate(toy.config(**changes), wiring.suite("toy"), wiring, folder)


def played(folder: Path, calls: Calls, **changes: Any) -> Trajectory:
    (record,) = play(folder, calls, **changes).records()
    return record.trajectory


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


UNTAKEN: dict[str, dict[str, Any]] = {
    "surrogate": {**MOVE, "new_value": "\ud800"},
    "surrogate in a key deep inside": {**MOVE, "new_value": [{"a": {"\udfff": 1}}]},
    "depth": {**MOVE, "new_value": nested(197)},
    "great depth": {**MOVE, "new_value": nested(100_000)},
    "digits": {**MOVE, "new_value": 10**4_000},
    "not a number": {**MOVE, "new_value": float("nan")},
    "many": {f"a{n}": n for n in range(20_000)},
    "long": {**MOVE, "new_value": "x" * SIZE},
}


@pytest.mark.parametrize("transport", ["memory", "http", "stdio"])
def test_what_cannot_be_taken_is_garbled_and_the_trial_goes_on(transport: str, tmp_path: Path) -> None:
    calls = [(TOOL, given) for given in UNTAKEN.values()]
    trajectory = played(
        tmp_path / "run", [*calls, ("\ud800", MOVE), ("x" * 500, {}), (TOOL, MOVE)], transport=transport
    )

    assert (trajectory.status, trajectory.reason) == ("finished", "")
    assert [call.status for call in trajectory.calls] == ["garbled"] * (len(calls) + 2) + ["ok"]
    assert [change.fields for change in trajectory.changes] == [{"list_name": "In Progress"}]


@pytest.mark.parametrize("given", UNTAKEN.values(), ids=UNTAKEN)
def test_a_garbled_call_has_no_app_an_excerpt_and_the_reason(given: dict[str, Any], tmp_path: Path) -> None:
    (call,) = played(tmp_path / "run", [(TOOL, given)]).calls

    assert (call.app, call.tool, call.data, call.writes) == ("", TOOL, None, [])
    assert call.arguments["raw"].startswith(("{", '{"task_id": "00000000"'))
    assert len(call.arguments["raw"]) < 2_100
    assert call.text.startswith(f"The call to '{TOOL}' could not be taken: ")
    assert len(call.text) < 300


@pytest.mark.parametrize("transport", ["memory", "http", "stdio"])
def test_a_call_as_large_as_one_may_be_is_taken_by_every_way(transport: str, tmp_path: Path) -> None:
    long = "\x01" * (SIZE - 200)  # six times as long in JSON
    (call,) = played(tmp_path / "run", [(TOOL, {**MOVE, "new_value": long})], transport=transport).calls

    assert (call.app, call.status) == ("projects", "failed")
    assert call.arguments["new_value"] == long


@pytest.mark.parametrize("transport", ["memory", "http", "stdio"])
def test_line_breaks_of_every_kind_reach_the_record(transport: str, tmp_path: Path) -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\r\nh\x00i"
    calls = [("projects_create_task", {**toy.BOARD, "task_name": text, "due_date": "2025-03-14"}), (TOOL, MOVE)]
    trajectory = played(tmp_path / "run", calls, transport=transport)

    assert [(call.status, call.arguments.get("task_name")) for call in trajectory.calls] == [("ok", text), ("ok", None)]


def test_a_garbled_call_counts(tmp_path: Path) -> None:
    calls = [(TOOL, UNTAKEN["surrogate"])] * 3
    trajectory = played(tmp_path / "run", calls, limits=Limits(tool_calls=2))

    assert (trajectory.status, trajectory.reason) == ("limit", "limit reached: tool_calls")
    assert len(trajectory.calls) == 2


def test_a_replay_and_a_restored_sandbox_record_a_garbled_call_as_it_stands(tmp_path: Path) -> None:
    run = play(tmp_path / "run", [(TOOL, UNTAKEN["depth"]), (TOOL, MOVE)])
    then = next(run.records()).trajectory
    wiring = toy.Wiring([toy.task(0)])
    stage = Stage(run.head.config, wiring.suite("toy"), wiring)

    async def calls() -> list[Any]:
        opened = await restored(stage, then, 2)
        try:
            return opened.sandbox.calls
        finally:
            opened.close()

    assert [one.difference for one in replay_run(run, wiring.suite("toy"), wiring) if not one.equal] == []
    assert anyio.run(calls) == then.calls
    stage.engine.close()


def test_what_an_agent_says_at_the_end_is_kept_whatever_it_is(tmp_path: Path) -> None:
    wiring = toy.Wiring([toy.task(0)], lambda _: toy.Scripted([], "Done \ud800"))
    (record,) = evaluate(toy.config(), wiring.suite("toy"), wiring, tmp_path / "run").records()

    assert (record.trajectory.status, record.trajectory.sessions[0].reply) == ("finished", r"Done \ud800")


_texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=12)
_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | _texts
    | st.sampled_from([10**400, "00000000", "x" * 10**5]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(_texts, inner, max_size=4)
        | inner.map(lambda value: [[[value] * 9]])
    ),
    max_leaves=12,
)
_names = st.sampled_from([TOOL, "projects_create_task", "projects_search_tasks", "clarify_clarify"]) | _texts
_fields = st.sampled_from(["task_id", "field", "new_value", "task_name", "query"]) | _texts


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=st.lists(st.tuples(_names, st.dictionaries(_fields, _values, max_size=5)), min_size=1, max_size=6))
def test_whatever_is_called_the_trial_counts_its_record_reads_and_replays(
    calls: Calls, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("run")
    run = play(folder, calls)
    trajectory = next(run.records()).trajectory
    wiring = toy.Wiring([toy.task(0)])

    assert (trajectory.status, len(trajectory.calls)) == ("finished", len(calls))
    assert [one.difference for one in replay_run(run, wiring.suite("toy"), wiring) if not one.equal] == []


def test_a_record_that_would_not_read_back_is_not_written(tmp_path: Path) -> None:
    run = play(tmp_path / "run", [(TOOL, MOVE)])
    (record,) = run.records()
    record.trajectory.calls[0].arguments["new_value"] = nested(250)

    with pytest.raises(RunError, match="was not written, since it would not read back: recursion limit"):
        run.write(record)
    assert [call.status for call in next(run.records()).trajectory.calls] == ["ok"]


@pytest.mark.parametrize("odd", ["\ud800", nested(250), nested(100_000)], ids=["surrogate", "deep", "very deep"])
def test_what_got_past_all_gates_is_mended_and_the_agents_failure(odd: Any, tmp_path: Path) -> None:
    run = play(tmp_path / "run", [(TOOL, MOVE)])
    (record,) = run.records()
    record.trajectory.calls[0].arguments["new_value"] = odd
    put(run, record, toy.task(0), toy.suite().checks)
    (mended,) = run.records()

    assert mended.trajectory.status == "crashed"
    assert mended.trajectory.reason.startswith("what the agent did cannot be kept as it was: ")
    assert (mended.scores["outcome"].value, mended.scores["outcome"].label) == (0, "crashed")
    assert mended.trajectory.calls[0].arguments["task_id"] == "00000000"
    assert mended.trajectory.changes == record.trajectory.changes


@pytest.mark.parametrize("tool", ["projects_update_task", "\ud800", "no_such_tool"])
def test_several_apps_behind_one_server_record_it_too(tool: str) -> None:
    engine = Engine()
    sandbox = Sandbox(engine.layer(engine.load(toy.world())), {"projects": catalog.app("projects").default})
    bundle = Bundle({"projects": sandbox})
    record, _ = anyio.run(bundle.show, "workplace", tool, UNTAKEN["surrogate"])

    assert (record.app, record.status) == ("", "garbled")
    engine.close()
