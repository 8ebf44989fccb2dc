"""Agents that are functions, evaluated from Python."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from harness import (
    ConfigProblem,
    Evaluation,
    Progress,
    RunConfig,
    RunError,
    Session,
    SuiteError,
    evaluate,
    evaluate_async,
    wiring,
)
from harness.core.config import LlmConfig
from harness.play import run as playing
from harness.play.fork import go_on
from harness.play.replay import replay_run
from harness.record.store import Run
from harness.report import plots, reading
from harness.report.tables import tables
from tests.front.playing import FIRST, TOY, mover, played, record
from tests.harness import toy
from tests.users.speaking import heard, settings, speaking

pytestmark = pytest.mark.usefixtures("only_board")

ROOT = Path(__file__).parents[2]


async def _two(session: Session, other: object) -> None:
    """No agent."""


def test_a_function_plays_and_is_scored() -> None:
    found = played(mover, TOY)

    assert (found.accuracy, found.void, found.left, found.stopped) == (1.0, 0, 0, "")
    assert found.trials["verdict"] == ["correct"] * 4
    assert record(played(mover)).trajectory.sessions[0].reply == "Task 00000000 updated."


def test_a_function_sees_what_every_agent_is_told() -> None:
    seen: list[Any] = []

    async def looking(session: Session) -> None:
        seen.append((session.request, session.system, session.now, session.number))
        seen.append([tool["function"]["name"] for tool in session.tools.openai()])

    played(looking, {**FIRST, "conditions": {"asking": {"ask": "ask_user"}}})

    assert seen[0] == ("Move job 0 to In Progress.", "Today is Thursday.", toy.NOW, 0)
    assert {"projects_update_task", "ask_user_ask_user"} <= {*seen[1]}


def test_a_models_calls_are_carried_out_in_a_session() -> None:
    async def model(session: Session) -> str:
        wanted = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}
        call = {"type": "tool_use", "id": "1", "name": "projects_update_task", "input": wanted}
        return str((await session.tools.run(call))["content"])

    assert played(model).accuracy == 1.0


def test_the_same_run_is_gone_on_with_and_not_played_again() -> None:
    requests: list[str] = []

    async def counting(session: Session) -> str:
        requests.append(session.request)
        return await mover(session)

    first = played(counting, TOY, limit=2)
    assert len(first.trials["task"]) == 2
    second = played(counting, TOY)

    assert (len(second.trials["task"]), len(requests)) == (4, 5)  # one has two sessions
    assert first.folder == second.folder == Path("runs") / f"toy-{first.identity}"


@pytest.mark.parametrize("other", [{"name": "theirs"}, {"version": "2"}])
def test_another_name_or_version_is_another_run(other: dict[str, str], tmp_path: Path) -> None:
    first, second = played(mover), played(mover, **other)

    assert first.identity != second.identity
    with pytest.raises(RunError, match="give another `folder`"):
        played(mover, **other, folder=first.folder)


def test_no_trial_starts_past_the_costs_given_and_it_is_said_what_they_came_to() -> None:
    async def dear(session: Session) -> None:
        session.spend(cost_usd=1.0)

    found = played(dear, TOY, max_cost=1.5, concurrency=1)

    assert (found.left, found.stopped) == (2, "the costs came to 2 US dollars, and `max_cost` is 1.5")


def test_what_was_spent_counts_when_a_run_goes_on_though_a_cost_is_unknown() -> None:
    requests: list[str] = []

    async def dear(session: Session) -> None:
        requests.append(session.request)
        if len(requests) == 1:
            raise ValueError("no idea what it took")
        session.spend(cost_usd=1.0)

    first, again = (played(dear, TOY, max_cost=1.5, concurrency=1) for _ in range(2))

    assert first.trials["cost_usd"] == [None, 1.0, 1.0]
    assert (len(requests), again.left, again.stopped) == (3, 1, "the costs came to 2 US dollars, and `max_cost` is 1.5")


def test_what_void_trials_took_counts_when_a_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    requests: list[str] = []

    async def dear(session: Session) -> None:
        requests.append(session.request)
        session.spend(cost_usd=1.0)
        await session.call("ask_user", "ask_user", {"question": "Which list?"})

    monkeypatch.setattr(wiring.Wired, "user", lambda *_, **__: toy.BrokenUser())
    asked = {**TOY, "conditions": {"asking": {"ask": "ask_user"}}}
    first, again = (played(dear, asked, max_cost=1.5, concurrency=1) for _ in range(2))

    assert (first.void, len(requests)) == (2, 2)
    assert again.stopped == "the costs came to 2 US dollars, and `max_cost` is 1.5"


def test_what_the_users_model_took_is_spent_though_the_whole_cost_is_unknown() -> None:
    standing: list[Progress] = []

    async def asking(session: Session) -> None:
        await session.call("ask_user", "ask_user", {"question": "Which list?"})

    with speaking([heard("list")], ["To In Progress, please."]) as speaker:
        spoken = {"prompt": "underspecified", "ask": "ask_user", "user": settings(speaker)}
        config = {"suite": "toy", "tasks": ["toy-2"], "conditions": {"spoken": spoken}}
        found = played(asking, config, progress=standing.append)

    assert standing[-1].cost_usd is None
    assert standing[-1].spent_usd == record(found).trajectory.usage.cost_usd
    assert standing[-1].spent_usd > 0


def test_a_session_begins_anew_and_its_state_with_it() -> None:
    states: list[Any] = []

    async def remembering(session: Session) -> None:
        states.append((session.number, dict(session.state)))
        session.state["seen"] = True

    played(remembering, {"suite": "toy", "tasks": ["toy-3"]})

    assert states == [(0, {}), (1, {})]


def test_the_state_lasts_while_the_user_answers_in_turn() -> None:
    heard: list[Any] = []

    async def talking(session: Session) -> str | None:
        heard.append((session.request, session.state.setdefault("turns", 0)))
        session.state["turns"] += 1
        return "Which list?" if session.state["turns"] == 1 else None

    asking = {"prompt": "underspecified", "end_of_turn": "user"}
    played(talking, {"suite": "toy", "tasks": ["toy-2"], "conditions": {"asking": asking}})

    assert heard == [("Move job 2.", 0), ("Completed.", 1)]


def test_trials_are_played_at_the_same_time() -> None:
    both = anyio.Event()
    there: list[str] = []

    async def waiting(session: Session) -> str:
        there.append(session.request)
        if len(there) == 2:
            both.set()
        await both.wait()
        return await mover(session)

    assert played(waiting, {"suite": "toy", "tasks": ["toy-0", "toy-1"]}, concurrency=2).accuracy == 1.0


def test_calls_made_at_once_are_made_one_after_the_other() -> None:
    async def hasty(session: Session) -> None:
        search = session.tools["projects.search_tasks"]
        await asyncio.gather(*(search(task_name=f"Job {n}") for n in range(5)))

    calls = record(played(hasty)).trajectory.calls

    assert [call.n for call in calls] == [0, 1, 2, 3, 4]


def test_what_a_function_left_running_cannot_call_once_it_has_returned() -> None:
    left: list[asyncio.Task[Any]] = []

    async def careless(session: Session) -> str:
        over = asyncio.Event()

        async def later() -> None:
            await over.wait()
            await session.call("projects", "search_tasks", {"task_name": "Job"})

        left.append(asyncio.create_task(later()))
        asyncio.get_running_loop().call_later(0, over.set)
        return "Done."

    async def looking(session: Session) -> str:
        if not left:
            return await careless(session)
        with pytest.raises(RuntimeError, match="whatever the function starts has to finish before it returns"):
            await left[0]
        return "Done."

    found = played(looking, {"suite": "toy", "tasks": ["toy-0", "toy-1"]}, concurrency=1)

    assert found.trials["status"] == ["finished"] * 2
    assert found.trials["tool_calls"] == [0, 0]


@pytest.mark.parametrize(
    ("agent", "more", "told"),
    [
        (mover, {"workers": 2}, "`workers` is 2, and a function plays in this process alone"),
        (
            mover,
            {"name": ""},
            'needs a `name` and a `version`, .* `evaluate\\(config, agent, name="mine", version="1"\\)`',
        ),
        (mover, {"version": ""}, "needs a `name` and a `version`"),
        (mover, {"limit": 1, "sample": 1}, "give only one of them"),
        (lambda session: "Done.", {}, "write it as `async def agent"),
        ("oracle", {}, "`agent` is 'oracle': write it as `async def agent"),
        (None, {}, "`name` and `version` belong to an `agent` that is a function"),
        (mover, {"config": {"suite": "toy", "trails": 3}}, "config: trails: no such setting. Did you mean 'trials'"),
        (mover, {"config": "nothing.yaml"}, "nothing.yaml: there is no such file"),
        (mover, {"config": "toy"}, "`config` is the name of a suite: write `{\"suite\": 'toy'}`"),
        (mover, {"config": None}, "`config` is None: give a YAML file's path"),
        (mover, {"config": {**TOY, "tasks": []}}, "tasks: an empty list; leave it out"),
        (
            None,
            {"config": {**TOY, "agent": [{"kind": "oracle"}]}, "name": "", "version": ""},
            "config: agent: no such setting. Did you mean 'agents'",
        ),
        (None, {"name": "", "version": ""}, "no agent plays: give `agent`, a function, or name `agents`"),
        (mover, {"version": 1}, "`version` is 1: write text, such as '1'"),
        (mover, {"max_cost": 0}, "`max_cost` is 0: write US dollars, more than 0"),
        (mover, {"progress": True}, "`progress` is True: give a function"),
        (_two, {}, "`agent` has to take a session and nothing else"),
    ],
)
def test_what_cannot_be_evaluated_says_what_would_be_right(agent: Any, more: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigProblem, match=told):
        played(agent, **{"config": FIRST, **more})

    assert not Path("runs").exists()


def test_a_suite_that_is_not_there_is_named() -> None:
    with pytest.raises(SuiteError, match="Did you mean 'toy'"):
        played(mover, {"suite": "toyy"})


def test_a_config_may_be_a_file_a_mapping_or_a_config() -> None:
    Path("board.yaml").write_text("suite: toy\ntasks: [toy-0]\n")
    Path("oracle.yaml").write_text("suite: toy\ntasks: [toy-0]\nagents: [{kind: oracle}]\n")
    config = RunConfig.model_validate({**FIRST, "agents": [{"kind": "idle"}]})
    found = [played(mover, each) for each in ("board.yaml", Path("oracle.yaml"), FIRST, config)]

    assert [each.trials["agent"] for each in found] == [["mine"]] * 4
    assert len({each.identity for each in found}) == 1
    assert [each.folder.name.partition("-")[0] for each in found] == ["board", "oracle", "toy", "toy"]


def test_without_a_function_the_configs_own_agents_play() -> None:
    found = evaluate({**FIRST, "agents": [{"kind": "oracle"}, {"kind": "idle"}]})

    assert dict(zip(found.trials["agent"], found.trials["verdict"], strict=True)) == {
        "oracle": "correct", "idle": "failed",
    }  # fmt: skip


def test_it_works_where_an_event_loop_runs_as_in_a_notebook() -> None:
    async def cell() -> Evaluation:
        return played(mover)

    assert asyncio.run(cell()).accuracy == 1.0


def test_what_is_wrong_is_raised_there_too() -> None:
    async def cell() -> Evaluation:
        return played(mover, folder="taken")

    Path("taken").write_text("a file")
    with pytest.raises(RunError, match="taken is a file"):
        asyncio.run(cell())


def test_nothing_is_printed_unless_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[int] = []
    played(mover, TOY, limit=2, progress=lambda now: heard.append(now.done))

    assert capsys.readouterr() == ("", "")
    assert heard == [0, 1, 2]


def test_tables_are_those_of_the_command_line() -> None:
    found = played(mover, TOY)

    assert found.tables == reading.read([found.folder], wiring.suite)[0].tables
    assert "mine is a Python function, version 1: it could read" in " ".join(found.tables[0].notes)
    assert found.summary["identity"] == found.identity


def test_a_run_is_replayed_like_any_other() -> None:
    run = Run.open(played(mover, TOY).folder)

    assert [each.equal for each in replay_run(run, wiring.suite("toy"), wiring.wiring())] == [True] * 4


def test_nothing_but_python_can_play_a_function() -> None:
    config = played(mover).run.head.config

    with pytest.raises(ConfigProblem, match=r"`harness.evaluate\(config, agent=..., name='mine', version='1'\)`"):
        wiring.check(config, wiring.suite("toy"))


def test_a_function_is_not_led_along_a_record() -> None:
    run = played(mover).run
    name = next((run.folder / "trials").glob("*.json")).stem

    with pytest.raises(ConfigProblem, match="mine \\(function\\) cannot be led to step 1"):
        go_on(run.head.config, wiring.suite("toy"), wiring.wiring(), run, name, 1, Path("fork"))
    other = run.head.config.model_copy(update={"agents": (LlmConfig(kind="llm", model="m"),)})
    with pytest.raises(ConfigProblem, match="cannot be led"):
        go_on(other, wiring.suite("toy"), wiring.wiring(), run, name, 1, Path("fork"))


def test_a_run_says_who_played_and_in_which_version() -> None:
    head = json.loads((played(mover).folder / "run.json").read_text())

    assert head["config"]["agents"] == [{"kind": "function", "name": "mine", "version": "1"}]


def test_it_is_awaited_on_the_loop_of_whoever_awaits_it() -> None:
    async def program() -> Evaluation:
        own, met = asyncio.get_running_loop(), list[bool]()

        async def looking(session: Session) -> str:
            met.append(asyncio.get_running_loop() is own)
            return await mover(session)

        found = await evaluate_async(TOY, looking, name="mine", version="1", limit=2)
        assert (met, found.trials["verdict"]) == ([True] * 2, ["correct"] * 2)
        return found

    first = asyncio.run(program())
    second = played(mover, TOY)  # the same run, gone on with

    assert (second.folder, second.accuracy, len(second.trials["task"])) == (first.folder, 1.0, 4)


def test_its_records_are_those_of_evaluate() -> None:
    async def program() -> Evaluation:
        return await evaluate_async(TOY, mover, name="mine", version="1", folder="awaited")

    awaited, plain = asyncio.run(program()), played(mover, TOY)

    assert (awaited.identity, awaited.summary["digest"]) == (plain.identity, plain.summary["digest"])
    assert [[*each.trajectory.events] for each in awaited.run.records()] == [
        [*each.trajectory.events] for each in plain.run.records()
    ]


def test_one_that_is_cancelled_is_gone_on_with() -> None:
    async def program() -> None:
        hanging = asyncio.Event()

        async def hung(session: Session) -> str:
            if session.request.startswith("Move job 1 "):
                hanging.set()
                await asyncio.Event().wait()
            return await mover(session)

        running = asyncio.create_task(evaluate_async(TOY, hung, name="mine", version="1", folder="run", concurrency=1))
        await hanging.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(program())
    kept = [each.trajectory.task for each in Run.open(Path("run")).records()]

    assert kept == ["toy-0"]
    assert played(mover, TOY, folder="run").trials["verdict"] == ["correct"] * 4


def test_what_cannot_be_evaluated_is_told_when_it_is_awaited() -> None:
    with pytest.raises(ConfigProblem, match="needs a `name` and a `version`"):
        asyncio.run(evaluate_async(TOY, mover))


@pytest.mark.parametrize("where", ["script", "notebook", "awaited"])
def test_the_runs_folder_has_the_page_that_the_command_leaves(where: str) -> None:
    async def cell() -> Evaluation:
        if where == "awaited":
            return await evaluate_async(FIRST, mover, name="mine", version="1")
        return played(mover)

    found = played(mover) if where == "script" else asyncio.run(cell())
    page = (found.folder / "report.html").read_text()
    written = {path.name for path in found.folder.iterdir()}

    assert "mine is a Python function, version 1: it could read" in page
    assert {"run.json", "trials", "index.jsonl", "report.html"} <= written


def test_the_loop_of_whoever_awaits_goes_on_while_the_run_is_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    turned, plan = threading.Event(), playing.plan

    def planning(*given: Any, **more: Any) -> Any:
        assert turned.wait(5), "the loop stood still"
        return plan(*given, **more)

    async def program() -> Evaluation:
        asyncio.get_running_loop().call_soon(turned.set)
        return await evaluate_async(TOY, mover, name="mine", version="1")

    monkeypatch.setattr(playing, "plan", planning)

    assert asyncio.run(program()).accuracy == 1.0


def test_what_takes_longest_of_the_page_does_not_hold_up_the_loop_of_whoever_awaits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("matplotlib", reason="plots are drawn with the extra `plots`")
    where: dict[str, bool] = {}

    def told(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def telling(*given: Any, **more: Any) -> Any:
            where[name] = threading.current_thread() is threading.main_thread()
            return function(*given, **more)

        return telling

    monkeypatch.setattr("harness.report.reading.tables", told("tables", tables))
    monkeypatch.setattr(plots, "load", told("load", plots.load))
    monkeypatch.setattr(plots, "draw", told("draw", plots.draw))

    asyncio.run(evaluate_async(TOY, mover, name="mine", version="1"))

    assert where == {"tables": False, "load": False, "draw": True}


def test_workers_play_where_an_event_loop_runs_too(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[Any] = []
    monkeypatch.setattr("harness.play.jobs.spread", lambda share, shares, heard: called.append(len(shares)))

    async def cell() -> Evaluation:
        return evaluate({**TOY, "agents": [{"kind": "oracle"}]}, workers=2)

    assert asyncio.run(cell()).left == 4
    assert called == [2]


@pytest.mark.parametrize("number", [0, -1, 1.5, "3", True])
@pytest.mark.parametrize("what", ["limit", "sample", "concurrency", "workers"])
def test_a_number_of_things_is_whole_and_at_least_one(what: str, number: Any) -> None:
    with pytest.raises(ConfigProblem, match=f"`{what}` is .*: write a whole number, 1 or more"):
        evaluate({**FIRST, "agents": [{"kind": "idle"}]}, **{what: number})


def test_the_coroutine_of_a_function_is_not_taken_for_it() -> None:
    with pytest.raises(ConfigProblem, match="give the function itself"):
        played(_two(None, None))  # type: ignore[arg-type]


_HANGING = """
import asyncio, os, signal, sys, threading
from harness import evaluate, evaluate_async

CONFIG = {"suite": "lhaw-short", "tasks": ["task-2120f9720a"], "limits": {"seconds": None}}
SETTINGS = {"name": "a", "version": "1"}

async def agent(session):
    threading.Timer(0, os.kill, (os.getpid(), signal.SIGINT)).start()
    await asyncio.Event().wait()

async def cell():
    evaluate(CONFIG, agent, **SETTINGS)

try:
    match sys.argv[1]:
        case "script":
            evaluate(CONFIG, agent, **SETTINGS)
        case "notebook":
            asyncio.new_event_loop().run_until_complete(cell())
        case "awaited":
            asyncio.run(evaluate_async(CONFIG, agent, **SETTINGS))
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.parametrize("where", ["script", "notebook", "awaited"])
def test_ctrl_c_ends_a_run_whose_agent_hangs(where: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _HANGING, where],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=100,
    )  # fmt: skip

    assert (done.stdout, done.stderr) == ("stopped\n", "")
    assert Run.open(next((tmp_path / "runs").iterdir()))


_UNGUARDED = """
from harness import evaluate

CONFIG = {"suite": "lhaw-short", "tasks": ["task-2120f9720a", "task-70d2aa70ac"], "agents": [{"kind": "oracle"}]}
print(evaluate(CONFIG, workers=2, folder="run").accuracy)
"""


def _script(text: str, folder: Path, *, of_file: bool = True) -> subprocess.CompletedProcess[str]:
    (folder / "study.py").write_text(text)
    program, given = ("study.py", "") if of_file else ("-", text)
    return subprocess.run(
        [sys.executable, program], input=given,
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=100,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("of_file", "told"),
    [
        (True, 'it would start workers again: put that under `if __name__ == "__main__":`'),
        (False, "write the program into a file, with what starts workers under `if __name__"),
    ],
)
def test_workers_of_a_program_without_a_guard_are_refused_in_one_line(of_file: bool, told: str, tmp_path: Path) -> None:
    done = _script(_UNGUARDED, tmp_path, of_file=of_file)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("Traceback") == 1
    assert told in done.stderr.splitlines()[-1]


def test_workers_play_what_stands_under_a_guard(tmp_path: Path) -> None:
    done = _script(_UNGUARDED.replace("print(", 'if __name__ == "__main__":\n    print('), tmp_path)

    assert (done.stdout, done.stderr) == ("1.0\n", "")
