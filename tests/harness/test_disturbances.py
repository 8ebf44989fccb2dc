"""Conditions under which something comes between calls and tools: what is done, told, recorded and played again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp.client.client import Client

from harness.cli import stories
from harness.core.config import Condition, ConfigProblem, Disturbance, RunConfig
from harness.core.config_file import load
from harness.core.desk import Desk
from harness.core.suite import Scored
from harness.play.fork import go_on, restored
from harness.play.opening import OpenTask, begun
from harness.play.replay import replay_run
from harness.play.run import evaluate, plan
from harness.play.stage import Stage, toolsets_for
from harness.record.shape import shape
from harness.record.store import Run, TrialRecord
from harness.report.trials import rows as report_rows
from harness.serving.disturbing import drawing
from harness.serving.host import HttpHost
from harness.task import Task
from harness.trajectory import CallRecord
from servers import catalog
from servers.kernel import Engine
from tests.command.programs import CALL, MOVE, ToyWired
from tests.harness import toy
from tests.harness.test_opening import TASK as LONG

ROOT = Path(__file__).parents[2]
KINDS = ("timeout", "lost", "rate_limit", "error", "cut", "late")
RUNS = {"lost", "cut"}
"""Kinds under which the tool does what it was called for, at once."""

MOVED = ("projects_update_task", {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"})
READ = ("projects_get_task_information_by_id", {"task_id": "00000000", "field": "list_name"})
Calls = Sequence[tuple[str, Mapping[str, Any]]]


def always(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "rate": 1, "mode": "always", **more}


def config(*disturbances: Mapping[str, Any], transport: Literal["memory", "http"] = "memory", **more: Any) -> RunConfig:
    condition = Condition.model_validate({"disturbances": disturbances})
    return toy.config(conditions={"x": condition}, transport=transport, **more)


class Noting:
    """Makes its calls, and says what it was told."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def turn(self, desk: Desk, message: str) -> str:
        replies = [await desk.call(name, arguments) for name, arguments in self._calls]
        return json.dumps([[reply.text, reply.is_error] for reply in replies])


class Undaunted:
    """Makes the reference calls of each session, whatever it is told."""

    def __init__(self, task: Task) -> None:
        self._calls = task.solution

    async def turn(self, desk: Desk, message: str) -> str:
        for call in self._calls:
            if call.session == desk.session:
                await desk.call(f"{call.app}_{call.tool}", call.arguments)
        return "Done."


def undaunted() -> toy.Wiring:
    return toy.Wiring([LONG], make=Undaunted)


def wiring(calls: Calls, tasks: Sequence[Task] = ()) -> toy.Wiring:
    return toy.Wiring(tasks, make=lambda _: Noting(calls))


def played(folder: Path, chosen: RunConfig, *calls: tuple[str, Mapping[str, Any]]) -> tuple[Run, TrialRecord]:
    """A run of these calls on one task, and its one record."""
    run = evaluate(chosen.model_copy(update={"tasks": ("toy-0",)}), toy.suite(), wiring(calls), folder)
    (record,) = run.records()
    return run, record


def changed(record: TrialRecord) -> bool:
    return bool(record.trajectory.changes)


def statuses(record: TrialRecord) -> list[str]:
    return [call.status for call in record.trajectory.calls]


@pytest.mark.parametrize("transport", ["memory", "http"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_disturbed_call_reaches_the_agent_as_an_error_and_is_never_void(
    tmp_path: Path, kind: str, transport: Literal["memory", "http"]
) -> None:
    _, record = played(tmp_path / "run", config(always(kind), transport=transport), MOVED)
    (call,) = record.trajectory.calls

    assert (record.trajectory.status, call.status, call.data) == ("finished", "disturbed", None)
    assert call.disturbance is not None
    assert (call.disturbance.kind, call.disturbance.index) == (kind, 0)
    assert json.loads(record.trajectory.sessions[0].reply) == [[call.text, True]]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_lost_or_cut_or_late_is_done_and_nothing_else(tmp_path: Path, kind: str) -> None:
    _, record = played(tmp_path / "run", config(always(kind)), MOVED)
    (call,) = record.trajectory.calls

    assert bool(call.writes) == (kind in RUNS)
    assert changed(record) == (kind in {*RUNS, "late"})


def test_an_agent_cannot_tell_a_call_that_was_never_made_from_one_whose_answer_was_lost(tmp_path: Path) -> None:
    _, timeout = played(tmp_path / "timeout", config(always("timeout")), MOVED)
    _, lost = played(tmp_path / "lost", config(always("lost")), MOVED)

    assert timeout.trajectory.sessions[0].reply == lost.trajectory.sessions[0].reply


def test_a_cut_result_is_its_first_half_and_says_so(tmp_path: Path) -> None:
    search = ("projects_search_tasks", {"board": "Design"})
    _, plain = played(tmp_path / "plain", config(), search)
    _, record = played(tmp_path / "cut", config(always("cut")), search)
    whole, cut = plain.trajectory.calls[0].text, record.trajectory.calls[0].text
    half = len(whole) // 2

    assert cut == f"{whole[:half]}\n[The answer broke off here, after {half:,} of {len(whole):,} characters.]"


def test_a_call_that_does_not_fit_or_that_the_tool_refuses_is_refused_as_ever(tmp_path: Path) -> None:
    wrong = ("projects_update_task", {"task_id": "00000000"})
    missing = ("projects_delete_task", {"task_id": "99999999"})
    _, record = played(tmp_path / "run", config(always("cut")), wrong, missing, ("projects_nothing", {}))

    assert statuses(record) == ["invalid", "failed", "unknown"]


def test_once_a_repeated_call_goes_through_and_another_one_is_met(tmp_path: Path) -> None:
    other = (MOVED[0], {**MOVED[1], "new_value": "In Review"})
    _, record = played(tmp_path / "run", config({"kind": "error", "rate": 1}), MOVED, MOVED, other, MOVED, other)

    assert statuses(record) == ["disturbed", "ok", "disturbed", "ok", "ok"]


def test_always_a_repeated_call_is_met_again(tmp_path: Path) -> None:
    _, record = played(tmp_path / "run", config(always("error")), MOVED, MOVED, MOVED)

    assert statuses(record) == ["disturbed"] * 3


def test_of_several_disturbances_the_first_meets_a_call_and_the_next_its_repetition(tmp_path: Path) -> None:
    several = config({"kind": "error", "rate": 1}, {"kind": "timeout", "rate": 1})
    _, record = played(tmp_path / "run", several, MOVED, MOVED, MOVED)
    met = [call.disturbance.index if call.disturbance else None for call in record.trajectory.calls]

    assert met == [0, 1, None]


def test_only_the_named_tools_are_met(tmp_path: Path) -> None:
    named = config(always("error", tools=["projects.update_task"]))
    _, record = played(tmp_path / "run", named, MOVED, READ)

    assert statuses(record) == ["disturbed", "ok"]


def test_a_tool_is_named_by_its_own_name_under_an_overlay(tmp_path: Path) -> None:
    overlay = {"projects": {"rename": {"update_task": "move"}}}
    condition = {"disturbances": [always("error", tools=["projects.update_task"])], "overlays": overlay}
    chosen = toy.config(conditions={"x": Condition.model_validate(condition)})
    _, record = played(tmp_path / "run", chosen, ("projects_move", MOVED[1]), READ)

    assert [(call.tool, call.status) for call in record.trajectory.calls] == [
        ("update_task", "disturbed"),
        ("get_task_information_by_id", "ok"),
    ]


def test_a_tool_that_asks_is_never_met(tmp_path: Path) -> None:
    condition = Condition.model_validate({"ask": "ask_user", "disturbances": [always("error")]})
    chosen = toy.config(conditions={"x": condition})
    _, record = played(tmp_path / "run", chosen, ("ask_user_ask_user", {"question": "Which list?"}), MOVED)

    assert statuses(record) == ["ok", "disturbed"]


def landings(record: TrialRecord) -> list[tuple[int, str, int]]:
    """Of each late effect its call, its status, and how many calls had been made."""
    found: list[tuple[int, str, int]] = []
    calls = 0
    for event in record.trajectory.events:
        calls += event.kind == "call"
        if event.kind == "landing":
            found.append((event.step, event.status, calls))
    return found


@pytest.mark.parametrize(("after", "seen"), [(1, [True, True, True]), (2, [False, True, True])])
def test_a_late_effect_lands_before_the_call_that_its_condition_says(
    tmp_path: Path, after: int, seen: list[bool]
) -> None:
    late = config(always("late", after=after))
    _, record = played(tmp_path / "run", late, MOVED, READ, READ, READ)

    assert ["In Progress" in call.text for call in record.trajectory.calls[1:]] == seen
    assert landings(record) == [(0, "ok", after)]


def test_a_late_effect_that_no_call_follows_lands_at_the_end(tmp_path: Path) -> None:
    _, record = played(tmp_path / "run", config(always("late", after=50)), MOVED, READ)
    (landing,) = [event for event in record.trajectory.events if event.kind == "landing"]

    assert landings(record) == [(0, "ok", 2)]
    assert [(write.app, write.id) for write in landing.writes] == [("projects", "00000000")]
    assert changed(record)


def test_a_late_effect_lands_before_its_session_ends(tmp_path: Path) -> None:
    run = evaluate(config(always("late", after=50)), toy.suite([LONG]), undaunted(), tmp_path / "run")
    (record,) = run.records()
    sessions = [event.session for event in record.trajectory.events if event.kind == "landing"]

    assert sessions == [0, 1, 2]
    assert record.scores["outcome"].value == 1, "each session left what it should, late as it was"
    assert [each.equal for each in replay_run(run, toy.suite([LONG]), undaunted())] == [True]


def test_a_late_effect_that_its_tool_refuses_is_on_record_and_voids_nothing(tmp_path: Path) -> None:
    gone = ("projects_delete_task", {"task_id": "00000000"})
    late = config(always("late", after=2, tools=["projects.update_task"]))
    run, record = played(tmp_path / "run", late, MOVED, gone)
    (landing,) = [event for event in record.trajectory.events if event.kind == "landing"]

    assert (record.trajectory.status, landing.status, landing.writes) == ("finished", "failed", [])
    assert "00000000" in landing.text
    assert [each.equal for each in replay_run(run, toy.suite(), toy.Wiring())] == [True]


def test_a_late_effect_whose_tool_is_broken_voids_the_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> str:
        raise ZeroDivisionError("oops")

    tool = catalog.app("projects").toolsets["workbench"].tool("update_task")
    monkeypatch.setattr(tool, "function", broken)
    _, record = played(tmp_path / "run", config(always("late")), MOVED, READ)

    assert (record.trajectory.status, landings(record)) == ("void", [(0, "defect", 1)])
    assert "oops" in record.trajectory.reason


def mixed(seed: int = 0, **more: Any) -> RunConfig:
    """Every kind, each now and then."""
    kinds = [{"kind": kind, "rate": 0.15, "mode": "always"} for kind in KINDS]
    return config(*kinds, seed=seed, trials=3, **more)


MANY: Calls = [MOVED, READ, *(("projects_search_tasks", {"board": "Design"}), MOVED, READ) * 2]


def told(run: Run) -> dict[str, Any]:
    """Everything in the records of a run that must not differ when it is played again."""
    timed = {"seconds", "start", "duration"}
    return {
        path.name: json.loads(path.read_text(), object_hook=lambda d: {k: v for k, v in d.items() if k not in timed})
        for path in (run.folder / "trials").glob("*.json")
    }


def mixed_wiring() -> toy.Wiring:
    """What worker processes call."""
    return wiring(MANY)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return evaluate(mixed(), toy.suite(), wiring(MANY), tmp_path_factory.mktemp("mixed") / "run", concurrency=1)


def test_every_kind_is_met_and_a_replay_gives_every_call_and_digest_again(run: Run) -> None:
    met = {call.disturbance.kind for each in run.records() for call in each.trajectory.calls if call.disturbance}

    assert met == set(KINDS)
    assert [each for each in replay_run(run, toy.suite(), toy.Wiring()) if not each.equal] == []


def test_a_replay_draws_nothing_and_follows_the_record(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.serving.disturbing._share", lambda *_: 0.0)

    assert all(each.equal for each in replay_run(run, toy.suite(), toy.Wiring()))


def test_a_replay_notices_a_disturbance_that_was_tampered_with(tmp_path: Path) -> None:
    run, record = played(tmp_path / "run", config(always("lost")), MOVED)
    record.trajectory.calls[0].disturbance = None
    run.write(record)
    (replayed,) = replay_run(run, toy.suite(), toy.Wiring())

    assert replayed.difference.startswith("call 0, projects.update_task, went differently")


def test_a_replay_notices_a_late_effect_that_was_tampered_with(tmp_path: Path) -> None:
    run, record = played(tmp_path / "run", config(always("late")), MOVED)
    record.trajectory.events = [event for event in record.trajectory.events if event.kind != "landing"]
    run.write(record)
    (replayed,) = replay_run(run, toy.suite(), toy.Wiring())

    assert replayed.difference.startswith("the late effect of call 0 went differently")


@pytest.mark.parametrize(
    "options", [{"concurrency": 16}, pytest.param({"workers": 2}, marks=pytest.mark.slow), {"order": "backwards"}]
)
def test_records_are_the_same_whatever_the_concurrency_workers_or_order(
    tmp_path: Path, run: Run, options: dict[str, Any]
) -> None:
    chosen = mixed()
    if options.pop("order", ""):
        chosen = chosen.model_copy(update={"tasks": tuple(f"toy-{n}" for n in reversed(range(12)))})
    factory = "tests.harness.test_disturbances:mixed_wiring"
    other = evaluate(chosen, toy.suite(), wiring(MANY), tmp_path / "run", wiring_factory=factory, **options)

    assert told(other) == told(run)


@pytest.mark.slow
def test_records_are_the_same_under_another_hash_seed(tmp_path: Path, run: Run) -> None:
    program = (
        "import sys; from pathlib import Path; from harness.play.run import evaluate\n"
        "from tests.harness import test_disturbances as t\n"
        "evaluate(t.mixed(), t.toy.suite(), t.mixed_wiring(), Path(sys.argv[1]))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    subprocess.run([sys.executable, "-c", program, tmp_path / "run"], check=True, env=environment, timeout=60)

    assert told(Run.open(tmp_path / "run")) == told(run)


def test_another_seed_meets_other_calls(tmp_path: Path, run: Run) -> None:
    other = evaluate(mixed(seed=1), toy.suite(), wiring(MANY), tmp_path / "run")

    assert [statuses(each) for each in other.records()] != [statuses(each) for each in run.records()]


@pytest.mark.parametrize("rate", [0, 0.1, 0.5, 1])
def test_the_share_of_calls_that_are_met_is_the_rate(rate: float) -> None:
    tool = catalog.app("projects").default.tool("update_task")
    each = Disturbance(kind="error", rate=rate, mode="always")
    met = sum(bool(drawing(seed, (each,))(n, "projects", tool, {}, ())) for seed in range(200) for n in range(50))

    assert abs(met / 10_000 - rate) <= 0.015  # five standard errors at a half
    assert rate not in (0, 1) or met == 10_000 * rate


def test_at_rate_0_every_record_is_as_without(tmp_path: Path) -> None:
    zero = config(*({"kind": kind, "rate": 0} for kind in KINDS))
    with_, without = (
        evaluate(chosen, toy.suite(), wiring(MANY), tmp_path / name) for name, chosen in (("a", zero), ("b", config()))
    )

    assert told(with_) == told(without)


def test_a_fork_at_each_step_ends_as_the_trial_did(tmp_path: Path, run: Run) -> None:
    path = next(
        path
        for path in sorted((run.folder / "trials").glob("*.json"))
        if {"late", "lost"} <= {c.disturbance.kind for c in run.read(path).trajectory.calls if c.disturbance}
    )
    then = run.read(path).trajectory
    chosen = run.head.config.model_copy(update={"tasks": (then.task,)})

    for step in range(len(then.steps) + 1):
        fork = go_on(chosen, toy.suite(), wiring(MANY), run, path.stem, step, tmp_path / str(step))
        (record,) = fork.records()
        assert (record.trajectory.calls, record.trajectory.digest) == (then.calls, then.digest)


def test_a_sandbox_restored_to_a_step_is_disturbed_as_the_trial_was(run: Run) -> None:
    path = sorted((run.folder / "trials").glob("*.json"))[0]
    then = run.read(path).trajectory

    async def main() -> list[list[CallRecord]]:
        stage = Stage(run.head.config, toy.suite(), toy.Wiring())
        found = []
        for step in range(len(then.steps)):
            opened = await restored(stage, then, step)
            for call in then.calls[step:]:
                opened.sandbox.turn = call.turn
                await opened.sandbox.call(call.app, call.tool, call.arguments)
            found.append(opened.sandbox.calls)
            opened.close()
        stage.engine.close()
        return found

    assert anyio.run(main) == [then.calls] * len(then.calls)


def test_a_mark_keeps_what_is_still_to_land() -> None:
    async def main() -> list[bool]:
        engine, task, suite = Engine(), toy.task(0), toy.suite()
        late = Condition.model_validate({"disturbances": [always("late", after=9)]})
        record = begun("toy", task, prompt="original", agent="x", condition="x")
        toolsets = toolsets_for(suite, late, task.apps)
        opened = OpenTask(engine, engine.load(toy.world()), task, record, toolsets, disturbances=late.disturbances)
        opened.begin()
        before = opened.mark()
        await opened.sandbox.call("projects", "update_task", MOVED[1])
        after = opened.mark()
        copy = opened.copy(after)
        copy.sandbox.land()
        opened.back_to(before)
        opened.sandbox.land()
        nothing = bool(opened.layer.changes())
        opened.back_to(after)
        opened.sandbox.land()
        found = [bool(copy.layer.changes()), nothing, bool(opened.layer.changes())]
        engine.close()
        return found

    assert anyio.run(main) == [True, False, True]


def test_over_http_a_client_gets_an_error_result_without_structured_content() -> None:
    cut = Condition.model_validate({"disturbances": [always("cut")]})

    async def main() -> Any:
        engine, task = Engine(), toy.task(0)
        toolsets = toolsets_for(toy.suite(), cut, task.apps)
        record = begun("toy", task, prompt="original", agent="x", condition="x")
        opened = OpenTask(engine, engine.load(toy.world()), task, record, toolsets, disturbances=cut.disturbances)
        host = HttpHost(toolsets.values())
        opened.begin()
        async with host.run(), Client(host.url(host.add(opened.sandbox), "projects")) as client:
            result = await client.call_tool("update_task", dict(MOVED[1]))
        engine.close()
        return result

    result = anyio.run(main)

    assert (result.is_error, result.structured_content) == (True, None)
    assert "[The answer broke off here" in result.content[0].text


PROGRAM = f"""{CALL}
print(json.dumps([call("update_task", {MOVE})["isError"] for _ in range(2)]))
"""


@pytest.mark.slow
def test_an_external_program_is_disturbed_too(tmp_path: Path) -> None:
    program = {"kind": "command", "command": ["{python}", "-c", PROGRAM, "{mcp_config}"]}
    conditions = {"x": {"disturbances": [{"kind": "error", "rate": 1}]}}
    chosen = RunConfig.model_validate({"suite": "toy", "agents": [program], "conditions": conditions})
    run = evaluate(chosen, toy.suite([toy.task(0)]), ToyWired(), tmp_path / "run")
    (record,) = run.records()

    assert json.loads(record.trajectory.sessions[0].reply) == [True, False]
    assert (statuses(record), record.scores["outcome"].value) == (["disturbed", "ok"], 1)
    assert [each.equal for each in replay_run(run, toy.suite([toy.task(0)]), ToyWired())] == [True]


def test_a_disturbed_call_takes_from_the_budget_of_calls(tmp_path: Path) -> None:
    chosen = config(always("error"), limits={"tool_calls": 2})
    _, record = played(tmp_path / "run", chosen, MOVED, MOVED, MOVED)

    assert (record.trajectory.status, record.trajectory.reason) == ("limit", "limit reached: tool_calls")
    assert statuses(record) == ["disturbed"] * 2


def test_reports_and_stories_tell_of_it(tmp_path: Path) -> None:
    run, record = played(tmp_path / "run", config(always("late")), MOVED, READ)
    (row,) = report_rows("run", run.head, toy.suite(), [Scored(record.trajectory, record.scores)])
    told = stories.of_trial(record)

    assert row["failed_calls"] == 1
    assert "disturbed (late): Accepted. It takes effect later." in told
    assert "late effect of call 0: ok: " in told
    assert shape(record)["trajectory"]["calls"][0]["disturbance"] == {"index": 0, "kind": "late", "before": 1}


def test_disturbances_are_part_of_a_run_s_identity_and_none_are_as_before() -> None:
    plain, disturbed = config(), config(always("error"))

    assert plan(plain, toy.suite()).head.identity != plan(disturbed, toy.suite()).head.identity
    assert "disturbances" not in plain.model_dump(mode="json")["conditions"]["x"]
    assert RunConfig.model_validate(disturbed.model_dump(mode="json")) == disturbed


@pytest.mark.parametrize(
    ("disturbance", "problem"),
    [
        (always("error", tools=["mail"]), r"0\.tools\.0: no task of toy has an app 'mail'; there are .*projects$"),
        (always("error", tools=["projects", "projects.lose"]), r"0\.tools\.1: projects has no tool 'lose' here; it "),
        (always("error", tools=["ask_user"]), r"0\.tools\.0: ask_user asks the user, so it is never met by error$"),
        (
            always("late", tools=["projects.search_tasks"]),
            r"0\.tools\.0: projects\.search_tasks writes nothing, so it is never met by late$",
        ),
    ],
)  # fmt: skip
def test_a_disturbance_that_meets_nothing_is_refused_before_the_first_trial(
    tmp_path: Path, disturbance: dict[str, Any], problem: str
) -> None:
    condition = Condition.model_validate({"ask": "ask_user", "disturbances": [disturbance]})
    chosen = toy.config(conditions={"x": condition})

    with pytest.raises(ConfigProblem, match=rf"^conditions\.x\.disturbances\.{problem}"):
        evaluate(chosen, toy.suite(), toy.Wiring(), tmp_path / "run")

    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("transport: stdio\nconditions: {x: {disturbances: [{kind: error, rate: 1}]}}", r"conditions\.x\.disturbances: "
         r"over stdio .* `memory` or `http`$"),
        ("conditions: {x: {disturbances: [{kind: error, rate: 1.5}]}}", r":3: conditions\.x\.disturbances\.0\.rate: "),
        ("conditions: {x: {disturbances: [{kind: error, rate: -1}]}}", r":3: conditions\.x\.disturbances\.0\.rate: "),
        ("conditions: {x: {disturbances: [{kind: flood, rate: 1}]}}", r":3: conditions\.x\.disturbances\.0\.kind: "),
        ("conditions: {x: {disturbances: [{kind: late, rate: 1, after: 0}]}}",
         r":3: conditions\.x\.disturbances\.0\.after: "),
        ("conditions: {x: {disturbances: [{kind: cut, rate: 1, after: 2}]}}",
         r":3: conditions\.x\.disturbances\.0: `after` says when a late effect lands; cut has none"),
    ],
)  # fmt: skip
def test_a_disturbance_that_cannot_be_is_refused_by_file_and_field(tmp_path: Path, lines: str, problem: str) -> None:
    file = tmp_path / "run.yaml"
    file.write_text(f"suite: toy\nagents: [{{kind: oracle}}]\n{lines}\n", encoding="utf-8")

    with pytest.raises(ConfigProblem, match=problem) as caught:
        load(file)

    assert "\n" not in str(caught.value)
