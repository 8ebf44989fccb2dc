"""External programs as agents: what they are given, what counts, and how they end."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from harness import report, wiring
from harness.agents.command import last_said
from harness.cli.stories import of_trial
from harness.core.config import CommandConfig, ConfigProblem, RunConfig
from harness.core.config_file import load
from harness.play.run import Progress, evaluate
from harness.record import canary
from harness.record.files import RunError
from harness.report import tables, trials
from harness.wiring import check
from servers import catalog
from servers.kernel import State
from tests.command.programs import CALL, MOVE, ToyWired, alive, config, played, process, run
from tests.harness import toy
from tests.sampling import sampled

WORK = f"{CALL}\nresult = call('update_task', {MOVE})\nprint('moved:', not result.get('isError'))"


def test_a_program_is_scored_by_what_the_servers_saw(tmp_path: Path) -> None:
    (record,) = run(WORK, tmp_path).records()

    assert record.scores["outcome"].value == 1
    assert [(call.app, call.tool, call.status) for call in record.trajectory.calls] == [
        ("projects", "update_task", "ok")
    ]
    assert record.trajectory.sessions[0].reply == "moved: True"
    assert (record.trajectory.transport, process(record.trajectory).isolation) == ("http", "none")


@pytest.mark.parametrize("name", ["nope", "projects_update_task"])
def test_a_program_is_told_which_tools_there_are_by_the_names_that_work_there(tmp_path: Path, name: str) -> None:
    found = run(f"{CALL}\nprint(call({name!r}, {{}})['content'][0]['text'])", tmp_path)
    (record,) = found.records()
    (call,) = record.trajectory.calls
    there = ", ".join(catalog.app("projects").default.tools)

    assert record.trajectory.sessions[0].reply == f"There is no tool {name!r}. Available: {there}."
    assert (call.app, call.tool, call.status) == ("", f"projects_{name}", "unknown")


def test_saying_that_it_is_done_does_not_make_it_so(tmp_path: Path) -> None:
    (record,) = run("print('moved: True')", tmp_path).records()

    assert (record.scores["outcome"].value, record.scores["outcome"].label) == (0, "nothing_done")


def test_the_request_comes_on_standard_input_by_path_or_as_an_argument(tmp_path: Path) -> None:
    told = "import sys; print(sys.stdin.read(), end='|'); print(sys.argv[2:])"
    by_path = "import sys; print(open(sys.argv[2]).read())"

    assert played(told, tmp_path / "a").sessions[0].reply == "Move job 0 to In Progress.|[]"
    for n, (program, placeholder) in enumerate(((told, "{request}"), (by_path, "{request_file}"))):
        command = [sys.executable, "-c", program, "{mcp_config}", placeholder]
        reply = played("", tmp_path / f"b{n}", command=command).sessions[0].reply
        assert reply in ("|['Move job 0 to In Progress.']", "Move job 0 to In Progress.")


def test_a_program_is_told_what_every_agent_is_told_where_it_asks(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import sys; print(sys.argv[2])", "{mcp_config}", "{system}"]
    trajectory = played("", tmp_path, command=command)

    assert "Today is Thursday." in trajectory.sessions[0].reply
    assert [message.role for message in trajectory.messages] == ["system", "user", "assistant"]


def test_a_program_starts_in_empty_folders_with_nothing_of_our_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    monkeypatch.setenv("HANDED_ON", "yes")
    look = "import json, os; home = os.environ['HOME']; print(json.dumps([dict(os.environ), os.getcwd(), home, "
    look += "os.listdir('.'), os.listdir(home)]))"
    reply = played(look, tmp_path, pass_environment=["HANDED_ON"], environment={"MODE": "test"}).sessions[0].reply
    environment, folder, home, *inside = json.loads(reply)
    given = {"PATH", "LANG", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "HANDED_ON", "MODE"}

    assert set(environment) - {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"} == given
    assert (environment["HANDED_ON"], environment["MODE"]) == ("yes", "test")
    assert inside == [[], []]
    assert folder != home
    assert not Path(folder).exists(), "it is gone with the trial"


def test_a_status_other_than_zero_is_the_agents_failure(tmp_path: Path) -> None:
    (record,) = run("import sys; print('half'); sys.exit('no idea')", tmp_path).records()

    assert record.trajectory.status == "crashed"
    assert record.trajectory.reason == "the program ended with status 1: no idea"
    assert record.scores["outcome"].label == "crashed"
    assert (process(record.trajectory).exit, process(record.trajectory).stderr) == (1, "no idea\n")


# Children hang of themselves: a pipe held by the program would let them go when it ends. The alarm is for the worst.
HANGING = """
import signal, subprocess, sys
hold = [sys.executable, "-c", "import os, signal; os.write(1, b'%d ' % os.getpid()); signal.alarm(300); signal.pause()"]
for away in (False, True):  # a child of the same session, and one that leaves it
    subprocess.Popen(hold, start_new_session=away)
if len(sys.argv) > 2:
    sys.exit(0)
signal.pause()
"""


GROUP = """
import asyncio
async def main():
    async with asyncio.TaskGroup() as group:
        group.create_task(fails())
async def fails():
    raise ValueError("no such mail")
asyncio.run(main())
"""


def test_a_program_that_ends_in_a_group_of_exceptions_crashed_by_what_the_innermost_says(tmp_path: Path) -> None:
    assert played(GROUP, tmp_path).reason == "the program ended with status 1: ValueError: no such mail"


@pytest.mark.parametrize(
    ("stream", "said"),
    [
        ("no idea\n\n", "no idea"),
        ("no idea\n-----\n", "no idea"),
        ("- one\n- two: no idea\n", "- two: no idea"),
        ("  | ValueError: no idea\n  +------------\n", "ValueError: no idea"),
        ("----\n", ""),
    ],
)
def test_the_last_line_that_says_something_is_the_reason(stream: str, said: str) -> None:
    assert last_said(stream) == said


def test_a_crashed_trial_is_shown_with_the_end_of_what_the_program_said(tmp_path: Path) -> None:
    (record,) = run(
        "import sys; print(*range(50), sep='\\n', file=sys.stderr); raise SystemExit(3)", tmp_path
    ).records()
    shown = of_trial(record).splitlines()
    start = shown.index("Standard error of the program, without its first 30 lines:")

    assert shown[start + 1 : start + 22] == [*(f"  {n}" for n in range(30, 50)), ""]


def test_what_nobody_can_see_of_a_program_is_empty_in_its_row(tmp_path: Path) -> None:
    played = run(WORK, tmp_path)
    scored = report.ordered(played.records(), played.head.config, toy.suite())
    (row,) = trials.rows("run", played.head, toy.suite(), scored)

    assert {name: row[name] for name in ("model_turns", "prompt_tokens", "completion_tokens", "cost_usd")} == {
        "model_turns": None, "prompt_tokens": None, "completion_tokens": None, "cost_usd": None,
    }  # fmt: skip
    assert row["tool_calls"] == 1


def test_what_a_program_costs_is_unknown_while_it_plays_and_on_the_first_screen(tmp_path: Path) -> None:
    heard: list[Progress] = []
    suite = toy.suite([toy.task(0)])
    played = evaluate(config(WORK), suite, ToyWired(), tmp_path, listener=heard.append)
    first = report.headline(played.head.config, suite, report.ordered(played.records(), played.head.config, suite))

    assert [each.cost_usd for each in heard] == [0.0, None]
    assert [row["cost"] for row in first.table.rows] == [None]


def test_a_hanging_program_is_killed_with_its_children_and_its_trial_says_so(tmp_path: Path) -> None:
    trajectory = played(HANGING, tmp_path, limits={"seconds": 2})
    children = [int(id) for id in trajectory.messages[-1].content.split()]

    assert (trajectory.status, trajectory.reason) == ("limit", "limit reached: seconds")
    assert (process(trajectory).exit, process(trajectory).killed) == (None, 3)
    assert len(children) == 2
    assert not any(map(alive, children))


def test_what_a_program_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HANGING, "{mcp_config}", "leave"]
    trajectory = played("", tmp_path, command=command)

    assert trajectory.status == "finished"
    assert (process(trajectory).exit, process(trajectory).killed) == (0, 2)


def test_a_program_that_spends_its_calls_is_ended(tmp_path: Path) -> None:
    endless = f"{CALL}\nwhile True:\n    call('search_tasks', {{}})"
    trajectory = played(endless, tmp_path, limits={"tool_calls": 3, "seconds": 60})

    assert (trajectory.status, trajectory.reason) == ("limit", "limit reached: tool_calls")
    assert len(trajectory.calls) == 3
    assert process(trajectory).killed >= 1


def test_of_much_output_the_start_and_the_end_are_kept(tmp_path: Path) -> None:
    trajectory = played("print('first'); print('x' * 1_000_000); print('last')", tmp_path)
    said = trajectory.messages[-1].content

    assert said.startswith("first\n")
    assert said.endswith("last\n")
    assert len(said) < 201_000
    assert process(trajectory).cut == 1_000_012 - 200_000


def test_a_program_that_prints_the_canary_is_flagged_and_the_report_says_so(tmp_path: Path) -> None:
    peek = f"print(open({str(tmp_path / 'peek' / canary.FILE)!r}).read())"
    found, honest = run(peek, tmp_path / "peek"), run("print('nothing')", tmp_path / "honest")
    suite = toy.suite([toy.task(0)])
    notes = [
        " ".join(tables(each.head.config, suite, report.ordered(each.records(), each.head.config, suite))[0].notes)
        for each in (found, honest)
    ]

    assert [record.trajectory.canary for each in (found, honest) for record in each.records()] == [True, False]
    assert "1 trial of command, default, repeats a canary: it read a run's folder" in notes[0]
    assert "canary" not in notes[1]
    assert all("isolation none: it could read the files of this machine" in note for note in notes)


def test_a_program_that_prints_the_canary_of_another_run_is_flagged_too(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = canary.planted(tmp_path / "other", config(""))

    assert played(f"import sys; sys.stderr.write({other!r})", tmp_path / "run").canary


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes on this system")
def test_an_answer_key_that_is_a_pipe_is_refused_by_name_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / canary.FILE)

    with pytest.raises(RunError, match=rf"{canary.FILE} is not a file: move it elsewhere"):
        canary.planted(tmp_path, config(""))


def test_runs_have_canaries_of_their_own_and_keep_them(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    first, second = (canary.planted(tmp_path / name, config("")) for name in ("one", "two"))

    assert first != second
    assert canary.planted(tmp_path / "one", config("")) == first


def test_a_script_beside_the_config_is_found_from_the_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("print('here')")
    (tmp_path / "one.yaml").write_text(
        'suite: toy\nagents: [{kind: command, command: ["{python}", agent.py, "{mcp_config}"]}]\n'
    )
    chosen = load(tmp_path / "one.yaml")
    (record,) = evaluate(chosen, toy.suite([toy.task(0)]), ToyWired(), tmp_path / "run").records()

    assert chosen.transport == "http"
    assert record.trajectory.sessions[0].reply == "here"


def test_an_interpreter_of_a_virtual_environment_is_not_taken_for_the_one_it_links_to(tmp_path: Path) -> None:
    own = tmp_path / ".venv" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.symlink_to(sys.executable)
    (tmp_path / "one.yaml").write_text(
        'suite: toy\nagents: [{kind: command, command: [.venv/bin/python, "{mcp_config}"]}]\n'
    )
    (agent,) = load(tmp_path / "one.yaml").agents

    assert isinstance(agent, CommandConfig)
    assert agent.command[0] == str(own)


def test_a_fault_of_ours_ends_the_program_and_voids_the_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(State, "save", broken)
    endless = f"{CALL}\nwhile True:\n    call('update_task', {MOVE})"
    trajectory = played(endless, tmp_path)

    assert trajectory.status == "void"
    assert [call.status for call in trajectory.calls] == ["defect"]
    assert process(trajectory).exit is None


@pytest.mark.slow
def test_the_example_script_does_tasks_of_its_config(tmp_path: Path) -> None:
    chosen = load(Path(__file__).parents[2] / "examples" / "plain_agent.yaml")
    assert len(chosen.tasks) == 20
    chosen = chosen.model_copy(update={"tasks": tuple(sampled(chosen.tasks, 6))})  # two sorts, a process for each task
    found = evaluate(chosen, wiring.suite(chosen.suite), wiring.wiring(), tmp_path, concurrency=4)
    records = list(found.records())

    assert [record.trajectory.reason for record in records] == [""] * len(chosen.tasks)
    assert [record.scores["outcome"].value for record in records] == [1] * len(chosen.tasks)
    assert {call.app for record in records for call in record.trajectory.calls} == {"crm", "directory", "gmail"}


def test_the_example_for_claude_code_is_a_valid_config() -> None:
    (agent,) = load(Path(__file__).parents[2] / "examples" / "claude_code.yaml").agents

    assert isinstance(agent, CommandConfig)
    assert "{mcp_config}" in agent.command


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"transport": "memory"}, "reaches its apps over http, not memory"),
        ({"transport": "stdio"}, "reaches its apps over http, not stdio"),
        ({"conditions": {"talk": {"end_of_turn": "user"}}}, "ends with its session"),
        ({"agents": [{"kind": "command", "command": ["agent"]}]}, "no argument has {mcp_config}"),
        (
            {"agents": [{"kind": "command", "command": ["{mcp_config}"], "environment": {"MY_API_KEY": "1"}}]},
            "MY_API_KEY would be stored with the run; name it in `pass_environment`",
        ),
    ],
)
def test_what_a_program_cannot_do_is_refused_in_the_config(changed: dict[str, object], problem: str) -> None:
    body = {"suite": "toy", "agents": [{"kind": "command", "command": ["agent", "{mcp_config}"]}], **changed}

    with pytest.raises(ValueError, match=problem):
        RunConfig.model_validate(body)


def test_a_program_or_variable_that_is_not_there_is_refused_before_the_first_trial() -> None:
    with pytest.raises(ConfigProblem, match="no program 'no-such-agent' on the PATH"):
        check(config("", command=["no-such-agent", "{mcp_config}"]), toy.suite())
    with pytest.raises(ConfigProblem, match="NO_SUCH_KEY, which is not set"):
        check(config("", pass_environment=["NO_SUCH_KEY"]), toy.suite())


def test_each_session_has_a_process_of_its_own(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0, sessions=2)])
    told = "import os, sys; open(os.environ['HOME'] + '/left', 'x'); print(os.getpid(), sys.stdin.read())"
    (record,) = evaluate(config(told), suite, ToyWired(), tmp_path).records()
    pids = {session.reply.split()[0] for session in record.trajectory.sessions}

    assert record.trajectory.status == "finished"
    assert len(pids) == 2
