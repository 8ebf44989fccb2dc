"""Tasks that an agent hands on within its trial: on record, within its budgets, and again from disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness.agents.function import Function, FunctionAgent, Session
from harness.core.config import CommandConfig, Condition, FunctionConfig, IdleConfig, Limits, ReferenceConfig
from harness.core.desk import Agent, AgentFailed, Desk
from harness.core.program import Worker
from harness.live import Workplace
from harness.play.fork import go_on, restored
from harness.play.opening import begun
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.stage import Stage
from harness.record.shape import shape
from harness.record.store import Run, TrialRecord
from harness.task import Call, Task
from harness.trajectory import CallRecord, Trajectory
from tests.command.programs import CALL
from tests.harness import toy
from tests.harness.subagents import MOVED, SPAWN, Leader, Wiring, config, handed, suite, task, world
from tests.harness.wired import Over

ROOT = Path(__file__).parents[2]
MOVE = ("projects_update_task", {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"})
NOBODY = "Nobody is there to take the task on. Nothing was changed; do it yourself."


def played(tmp_path: Path, make: Callable[[Task], Agent] = Leader, **changes: Any) -> TrialRecord:
    """The trial of the first task."""
    found = evaluate(config(tasks=("toy-0",), **changes), suite(), Wiring(make), tmp_path / "run")
    return next(found.records())


def told(t: Trajectory) -> list[tuple[str, str, int]]:
    """Calls as tool, status and whose they are."""
    return [(call.tool, call.status, call.subagent) for call in t.calls]


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_a_subagent_works_in_the_same_sandbox_and_its_report_is_the_result(transport: str, tmp_path: Path) -> None:
    record = played(tmp_path, transport=transport)
    t = record.trajectory

    assert (t.status, t.sessions[0].reply) == ("finished", f"It says: {MOVED}")
    assert told(t) == [("update_task", "ok", 1), ("spawn_subagent", "ok", 0)]
    assert (t.calls[1].text, t.calls[1].data) == (MOVED, {"result": MOVED})
    assert [(write.table, write.id) for write in t.calls[1].writes] == [("subagents", "S1")]
    assert record.scores["outcome"].value == 1.0


def test_it_has_the_suites_words_alone_and_all_tools_but_that_one(tmp_path: Path) -> None:
    log: list[Any] = []
    asking = Condition(toolsets={"desk": "pi_subagents"}, ask="ask_user", persona="supervisor", notice="may-be-missing")
    played(tmp_path, lambda task: Leader(task, log=log), conditions={"sub": asking})
    (request, system, tools), (message, plain, fewer), *_ = log

    assert (request, message) == ("Move job 0 to In Progress.", handed(0))
    assert system.startswith("Today is Thursday.\n\nThe request may leave out something")
    assert plain == "Today is Thursday."
    assert {*tools} - {*fewer} == {SPAWN, "ask_user_ask_user"}


@pytest.mark.parametrize("name", [SPAWN, "ask_user_ask_user"])
def test_it_starts_no_subagents_and_asks_nobody(name: str, tmp_path: Path) -> None:
    log: list[Any] = []
    asking = Condition(toolsets={"desk": "pi_subagents"}, ask="ask_user")
    calls = [(name, {"task": "Do it.", "question": "Which list?"})]
    t = played(tmp_path, lambda task: Leader(task, calls, log=log), conditions={"sub": asking}).trajectory

    assert told(t) == [(name, "unknown", 1), ("spawn_subagent", "ok", 0)]
    assert (
        log[2] == f"{name!r} is not for subagents: they ask nobody and start no subagents of their own. Do without it."
    )


def test_each_subagent_has_a_number(tmp_path: Path) -> None:
    t = played(tmp_path, lambda task: Leader(task, [MOVE], times=2)).trajectory

    assert [call.subagent for call in t.calls] == [1, 0, 2, 0]
    assert [change.id for change in t.changes if change.app == "desk"] == ["S1", "S2"]


def test_its_calls_count_in_the_limits_of_the_trial(tmp_path: Path) -> None:
    t = played(tmp_path, lambda task: Leader(task, [MOVE] * 5), limits=Limits(tool_calls=3)).trajectory

    assert (t.status, t.reason) == ("limit", "limit reached: tool_calls")
    assert told(t) == [("update_task", "ok", 1)] * 2 + [("spawn_subagent", "failed", 0)]
    assert "limit reached: tool_calls" in t.calls[-1].text
    assert [change.app for change in t.changes] == ["projects"]


class Hanging(Leader):
    async def turn(self, desk: Desk, message: str) -> str:
        if desk.tools[-1].name != SPAWN:
            await anyio.sleep_forever()
        return await super().turn(desk, message)


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_its_time_is_the_trials(transport: str, tmp_path: Path) -> None:
    t = played(tmp_path, Hanging, limits=Limits(seconds=0.2), transport=transport).trajectory

    assert (t.status, t.reason) == ("limit", "limit reached: seconds")
    assert told(t) == [("spawn_subagent", "failed", 0)]
    assert t.changes == []


class Failing(Leader):
    async def turn(self, desk: Desk, message: str) -> str:
        said = await super().turn(desk, message)
        if said == MOVED:
            raise AgentFailed("no reply could be read")
        return said


def test_one_that_cannot_go_on_is_a_refusal_to_whoever_started_it(tmp_path: Path) -> None:
    t = played(tmp_path, Failing).trajectory

    assert t.status == "finished"
    assert told(t) == [("update_task", "ok", 1), ("spawn_subagent", "failed", 0)]
    assert t.sessions[0].reply.startswith("It says: The subagent was stopped before its end: no reply could be read.")


def test_what_breaks_in_it_voids_the_trial(tmp_path: Path) -> None:
    class Broken(Leader):
        async def turn(self, desk: Desk, message: str) -> str:
            if message == handed(0):
                raise RuntimeError("a bug of ours")
            return await super().turn(desk, message)

    t = played(tmp_path, Broken).trajectory

    assert (t.status, t.reason) == ("void", "RuntimeError: a bug of ours")


@pytest.mark.parametrize("given", [{"task": " "}, {"task": "x", "title": "y" * 201}, {}])
def test_a_task_that_does_not_fit_starts_nobody(given: dict[str, Any], tmp_path: Path) -> None:
    t = played(tmp_path, lambda _: toy.Scripted([(SPAWN, given)])).trajectory

    assert len(t.calls) == 1
    assert t.calls[0].status in ("failed", "invalid")
    assert t.changes == []


def program(worker: Worker) -> Any:
    """Hands the task on, or does it: what an agent knows of itself is what it was asked."""

    async def played() -> None:
        drawn = worker.random("job", "title").random()
        if worker.request == handed(0):
            await worker.call("projects", "update_task", **{**MOVE[1], "new_value": f"In Progress {drawn}"[:11]})
            await worker.call("desk", "send_message", text=f"I drew {drawn}.")
        else:
            await worker.call("desk", "spawn_subagent", task=handed(0), title=f"{drawn}")

    return played()


def by_program() -> Over:
    return Over(replace(suite([task(0)]), programs={task(0).template: program}))


REFERENCE = {"agents": (ReferenceConfig(kind="reference"),)}


def referred(folder: Path) -> Run:
    wiring = by_program()
    return evaluate(config(**REFERENCE), wiring.suite(""), wiring, folder)


def test_the_reference_agent_plays_its_program_again_with_draws_of_its_own(tmp_path: Path) -> None:
    (record,) = referred(tmp_path / "run").records()
    t = record.trajectory

    assert told(t) == [("update_task", "ok", 1), ("send_message", "ok", 1), ("spawn_subagent", "ok", 0)]
    assert t.calls[1].arguments["text"] != f"I drew {t.calls[2].arguments['title']}."
    assert [t.digest] == [one.trajectory.digest for one in referred(tmp_path / "again").records()]


def test_a_fork_leads_agent_and_subagent_to_any_step(tmp_path: Path) -> None:
    run, wiring = referred(tmp_path / "run"), by_program()
    (record,) = run.records()
    (name,) = [path.stem for path in run.files()]

    for step in range(len(record.trajectory.steps) + 1):
        fork = go_on(run.head.config, wiring.suite(""), wiring, run, name, step, tmp_path / f"fork-{step}")
        (again,) = (one.trajectory for one in fork.records())
        assert (again.status, again.digest) == ("finished", record.trajectory.digest), again.reason
        assert again.calls == record.trajectory.calls


def test_an_oracles_subagent_does_nothing_since_the_solution_is_the_oracles_own(tmp_path: Path) -> None:
    hand_on = Call(app="desk", tool="spawn_subagent", arguments={"task": handed(0)})
    given = task(0).model_copy(update={"solution": (hand_on, *task(0).solution)})
    wiring = Over(suite([given]))
    (record,) = evaluate(config(), wiring.suite(""), wiring, tmp_path / "run").records()

    assert told(record.trajectory) == [("spawn_subagent", "ok", 0), ("update_task", "ok", 0)]
    assert record.trajectory.calls[0].text == "I did nothing."


class Functions(toy.Wiring):
    """A function of one's own, as `harness.evaluate` plays it."""

    def __init__(self, function: Function) -> None:
        super().__init__(make=lambda _: FunctionAgent(function))
        self._suite = suite()


def test_a_function_is_called_anew_with_its_task_and_nothing_of_its_earlier_state(tmp_path: Path) -> None:
    states: list[dict[str, Any]] = []

    async def agent(session: Session) -> str:
        states.append(dict(session.state))
        session.state["seen"] = session.request
        session.spend(prompt_tokens=10, completion_tokens=1, cost_usd=0.5)
        if session.request == handed(0):
            await session.call("projects", "update_task", MOVE[1])
            return MOVED
        return str(await session.call("desk", "spawn_subagent", {"task": handed(0), "title": "Board"}))

    mine = config(tasks=("toy-0",), agents=(FunctionConfig(kind="function", name="mine", version="1"),))
    (record,) = evaluate(mine, suite(), Functions(agent), tmp_path / "run").records()
    t = record.trajectory

    assert (states, t.sessions[0].reply, record.scores["outcome"].value) == ([{}, {}], MOVED, 1.0)
    assert [(call.turn, call.subagent) for call in t.model_calls] == [(1, 0), (2, 1)]
    assert [(message.role, message.subagent) for message in t.messages] == [
        ("user", 0), ("user", 1), ("assistant", 1), ("assistant", 0),
    ]  # fmt: skip
    assert (t.usage.prompt_tokens, t.usage.cost_usd) == (20, 1.0)


def test_a_function_that_catches_everything_still_ends_at_the_limit_its_subagent_hit(tmp_path: Path) -> None:
    async def agent(session: Session) -> str:
        try:
            if session.request == handed(0):
                for _ in range(9):
                    await session.call("projects", "update_task", MOVE[1])
            await session.call("desk", "spawn_subagent", {"task": handed(0)})
        except Exception:  # noqa: BLE001 - as functions do
            await session.call("projects", "update_task", MOVE[1])
        return "Done."

    mine = config(
        tasks=("toy-0",),
        agents=(FunctionConfig(kind="function", name="mine", version="1"),),
        limits=Limits(tool_calls=4),
    )
    (record,) = evaluate(mine, suite(), Functions(agent), tmp_path / "run").records()

    assert (record.trajectory.status, record.trajectory.reason) == ("limit", "limit reached: tool_calls")
    assert told(record.trajectory) == [("update_task", "ok", 1)] * 3 + [("spawn_subagent", "failed", 0)]


# Again from disk.


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return evaluate(config(), suite(), Wiring(), tmp_path / "run")


def test_a_trial_with_a_subagent_is_replayed(run: Run) -> None:
    replayed = replay_run(run, suite(), Wiring())

    assert len(replayed) == 6
    assert [one.difference for one in replayed if not one.equal] == []


@pytest.mark.parametrize("make", [Failing, Hanging])
def test_so_is_one_whose_subagent_came_to_no_end(make: Callable[[Task], Agent], tmp_path: Path) -> None:
    limits = Limits(seconds=0.2) if make is Hanging else Limits()
    run = evaluate(config(tasks=("toy-0",), limits=limits), suite(), Wiring(make), tmp_path / "run")

    assert [one.difference for one in replay_run(run, suite(), Wiring())] == [""]


def test_another_report_is_noticed(run: Run) -> None:
    record = next(run.records())
    record.trajectory.calls[1].text = "It was not moved."
    run.write(record)

    (unequal,) = [one for one in replay_run(run, suite(), Wiring()) if not one.equal]

    assert unequal.task == record.trajectory.task


def test_whoever_goes_on_in_a_sandbox_from_the_middle_of_a_subagents_work_is_none_and_has_none(run: Run) -> None:
    recorded = next(run.records()).trajectory

    async def main() -> list[CallRecord]:
        stage = Stage(run.head.config, suite(), Wiring())
        opened = await restored(stage, recorded, 1)
        try:
            await opened.sandbox.call("desk", "spawn_subagent", {"task": "x"})
            return opened.sandbox.calls
        finally:
            opened.close()

    calls = anyio.run(main)

    assert [(call.status, call.subagent) for call in calls] == [("ok", 1), ("failed", 0)]
    assert calls[1].text == NOBODY


def test_records_without_subagents_say_nothing_of_them_and_those_with_some_come_back_whole(run: Run) -> None:
    record = next(run.records())
    plain, marked = (call.model_dump(mode="json") for call in reversed(record.trajectory.calls))

    assert "subagent" not in plain
    assert marked["subagent"] == 1
    assert TrialRecord.model_validate_json(record.model_dump_json()) == record
    shaped = shape(record)["trajectory"]
    assert [call.get("subagent") for call in shaped["calls"]] == [1, None]
    assert [call.subagent for call in Trajectory.model_validate(shaped).calls] == [1, 0]


SCRIPT = """
import os, signal, sys
from pathlib import Path
from harness.play.run import evaluate
from tests.harness.subagents import Wiring, config, suite
def stop(progress):
    if progress.done == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
evaluate(config(trials=2), suite(), Wiring(), Path(sys.argv[1]), workers=int(sys.argv[2]), listener=stop,
         concurrency=2, wiring_factory="tests.harness.subagents:wiring")
"""


def scripted(folder: Path, *, workers: int = 1, killed_at: int = -1, seed: str = "0") -> int:
    arguments = [sys.executable, "-c", SCRIPT, str(folder), str(workers), str(killed_at)]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    return subprocess.run(arguments, cwd=ROOT, env=environment, check=False).returncode


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_killed_run_goes_on_and_workers_and_hash_seeds_change_no_digest(tmp_path: Path) -> None:
    assert scripted(tmp_path / "whole") == 0
    assert scripted(tmp_path / "other", workers=2, seed="1") == 0
    assert scripted(tmp_path / "killed", killed_at=5, seed="2") == -signal.SIGKILL
    assert scripted(tmp_path / "killed", seed="3") == 0
    whole, other, killed = (toy.digests(Run.open(tmp_path / name)) for name in ("whole", "other", "killed"))

    assert len(whole) == 12
    assert whole == other == killed


# Who cannot be started again.


def refused(t: Trajectory) -> bool:
    """Whether all that came of it is that nobody was there."""
    return [(call.tool, call.status, call.text) for call in t.calls] == [("spawn_subagent", "failed", NOBODY)]


def test_nobody_is_there_for_an_agent_that_there_is_only_once(tmp_path: Path) -> None:
    person = toy.Scripted([(SPAWN, {"task": "x"})])
    t = played(tmp_path, lambda _: person, agents=(IdleConfig(kind="idle", name="person"),)).trajectory

    assert refused(t)
    assert t.changes == []


@pytest.mark.slow
def test_nobody_is_there_over_stdio_where_an_app_is_served_on_its_own(tmp_path: Path) -> None:
    t = played(tmp_path, transport="stdio").trajectory

    assert refused(t)
    assert (t.status, t.changes) == ("finished", [])


def test_nobody_is_there_in_a_sandbox_without_an_agent() -> None:
    with Workplace() as workplace:
        sandbox = workplace.sandbox("desk", world=world(), toolsets={"desk": "pi_subagents"})
        with pytest.raises(Exception, match="Nobody is there to take the task on"):
            sandbox.call("desk", "spawn_subagent", {"task": "x"})
        assert sandbox.changes == []


PROGRAM = (
    CALL.replace('"projects"', '"desk"')
    + """
found = call("spawn_subagent", {"task": "x"})
print(found["isError"], found["content"][0]["text"])
"""
)


@pytest.mark.slow
def test_nobody_is_there_for_a_program(tmp_path: Path) -> None:
    program = CommandConfig(kind="command", command=(sys.executable, "-c", PROGRAM, "{mcp_config}"))
    given = suite([task(0)])
    (record,) = evaluate(config(agents=(program,)), given, Over(given), tmp_path / "run").records()

    assert refused(record.trajectory)
    assert record.trajectory.sessions[0].reply == f"True {NOBODY}"


def test_two_in_one_call_are_never_at_work_at_once() -> None:
    """What a sandbox is told by whoever goes round the desk: one who is at work starts nobody."""

    async def main() -> list[CallRecord]:
        stage = Stage(config(), suite(), Wiring())
        opened = stage.open(task(0), begun("toy", task(0), prompt="original", agent="a", condition="sub"))

        class Colleague:
            async def work(self, task: str) -> str:
                return (await opened.sandbox.call("desk", "spawn_subagent", {"task": "Do it."})).text

        opened.begin()
        opened.sandbox.worker = Colleague()
        try:
            await opened.sandbox.call("desk", "spawn_subagent", {"task": "x"})
            return opened.sandbox.calls
        finally:
            opened.close()

    calls = anyio.run(main)

    assert [(call.status, call.subagent) for call in calls] == [("failed", 1), ("ok", 0)]
    assert calls[0].text == "A subagent starts no subagents of its own. Nothing was changed; do it yourself."
