"""`list`, `show`, `serve`, `doctor` and help; and what wrong calls are told."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from harness import wiring
from harness.cli import render, stories, verbs
from harness.record.store import Run
from harness.score import Score
from harness.serving.cost import CORE, definitions
from harness.suite import Suite, SuiteEntry, SuiteError
from harness.trajectory import AnswerRecord, Message, QuestionRecord
from servers import catalog
from tests.cli.conftest import Call, offer, toy_suites
from tests.harness import toy

RUN = """
import contextlib, io, sys
from harness.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(*sys.modules)
"""


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a process has once it ran a command."""
    ran = subprocess.run([sys.executable, "-c", RUN, *arguments], check=True, capture_output=True, text=True)
    return {*ran.stdout.split()}


def test_help_imports_nothing_heavy() -> None:
    loaded = loaded_by("--help")

    assert "harness.cli.evaluating" in loaded
    assert {"pydantic", "mcp", "duckdb", "litellm", "scipy", "rich", "yaml", "anyio"} & loaded == set()


def test_a_client_is_connected_to_the_core_apps_without_importing_others_or_an_mcp_server(tmp_path: Path) -> None:
    loaded = loaded_by("connect", "cursor", "--config", str(tmp_path / "mcp.json"))

    assert loaded.issuperset(f"servers.{name}" for name in CORE)
    assert {"mcp", "mcp_types", "servers.spotify", "servers.splitwise"} & loaded == set()


def test_apps_are_listed_without_importing_an_mcp_server() -> None:
    loaded = loaded_by("list", "apps")

    assert loaded.issuperset(f"servers.{name}" for name in catalog.folders())
    assert {"mcp", "mcp_types"} & loaded == set()


def test_help_reads_no_signature(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(verbs, "_command", lambda name, function, **settings: read.append(name))

    assert "Play" in call("--help").out
    assert read == []


@pytest.mark.parametrize("what", ["suites", "agents", "users"])
def test_lists_are_names_with_descriptions(call: Call, what: str) -> None:
    listed = json.loads(call("list", what, "--json").out)

    assert listed
    assert all(set(each) == {"name", "description"} and all(each.values()) for each in listed)


def test_apps_are_listed_with_what_each_toolset_costs_a_conversation(call: Call) -> None:
    listed = {each.pop("name"): each for each in json.loads(call("list", "apps", "--json").out)}
    gmail, size = listed["gmail"], len(definitions(catalog.app("gmail").toolset("threads")).encode())

    assert list(listed) == list(catalog.names())
    assert all(set(each) == {"description", "core", "toolsets"} and each["description"] for each in listed.values())
    assert all([each["default"] for each in app["toolsets"]].count(True) == 1 for app in listed.values())
    assert (gmail["core"], listed["projects"]["core"]) == (True, False)
    assert {"name": "threads", "default": False, "tools": 6, "bytes": size, "tokens": -(-size // 4)} in gmail[
        "toolsets"
    ]


def test_an_app_whose_instructions_name_the_owner_is_listed_as_of_the_user(call: Call) -> None:
    listed = {each["name"]: each["description"] for each in json.loads(call("list", "apps", "--json").out)}

    assert listed["actions"] == "Choose among the actions that are open to the user."
    assert not [name for name, text in listed.items() if "{" in text]


def test_the_core_apps_are_summed_for_whoever_connects_an_office(call: Call) -> None:
    listed, shown = json.loads(call("list", "apps", "--json").out), call("list", "apps").out
    core = [each for app in listed if app["core"] for each in app["toolsets"] if each["default"]]
    tools, size = sum(each["tools"] for each in core), sum(each["bytes"] for each in core)
    names = ", ".join(app["name"] for app in listed if app["core"])

    assert f"({names}): {tools} tools, {size:,} bytes, about {-(-size // 4):,} tokens.\n" in shown
    assert re.search(r"^ask_user +Ask the user .*\n +default +1 tool +[0-9]+ bytes +about [0-9]+ tokens$", shown, re.M)


@pytest.mark.skipif(os.name != "posix", reason="a pipe that nobody reads is another error on Windows")
@pytest.mark.parametrize("arguments", [("list", "apps"), ("list", "apps", "--json"), ("list", "--help")])
def test_whoever_reads_what_is_printed_may_leave(arguments: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb") as unread:
        command = [sys.executable, "-m", "harness", *arguments]
        ended = subprocess.run(command, check=False, stdout=unread, stderr=subprocess.PIPE, text=True)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_tasks_of_a_suite_are_listed_with_their_request(call: Call) -> None:
    listed = json.loads(call("list", "tasks", "toy", "--json").out)

    assert len(listed) == 12
    assert listed[1] == {"name": "toy-1", "description": "Move job 1 to In Review."}


def test_a_suite_without_tasks_is_said_to_have_none(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = SuiteEntry("empty", "No tasks yet.", lambda: replace(toy.suite(), tasks=()))
    offer(monkeypatch, empty, where="benchmarks/empty")
    listed, as_json = call("list", "tasks", "empty"), call("list", "tasks", "empty", "--json")

    assert (listed.status, listed.out, listed.err) == (0, "", "suite empty has no tasks\n")
    assert (as_json.status, json.loads(as_json.out), as_json.err) == (0, [], "")


def test_a_task_is_shown_with_request_reference_and_end(call: Call) -> None:
    shown = call("show", "toy-1").out

    assert "[original] Move job 1 to In Review." in shown
    assert 'projects.update_task(task_id="00000001", field="list_name", new_value="In Review")' in shown
    assert 'update projects.tasks 00000001 {"list_name": "In Review"}' in shown


def test_a_task_without_its_suite_is_looked_for_in_all_and_that_is_said(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = (
        SuiteEntry("toy", "Jobs on a board.", toy.suite),
        SuiteEntry("one", "A job on a board.", lambda: replace(toy.suite([toy.task(40)]), name="one")),
    )
    offer(monkeypatch, *entries)
    alone, named = call("show", "toy-40"), call("show", "one:toy-40")

    assert alone.err == "looking for toy-40 in 2 suites; SUITE:toy-40 is found at once\n"
    assert named.err == ""
    assert alone.out == named.out


def test_a_task_that_two_suites_have_is_refused_with_both(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [SuiteEntry(name, "Jobs.", partial(replace, toy.suite(), name=name)) for name in ("one", "two")]
    offer(monkeypatch, *entries)
    shown = call("show", "toy-1")

    assert (shown.status, shown.out) == (2, "")
    assert shown.err.endswith("harness: several suites have a task 'toy-1': write one:toy-1 or two:toy-1\n")


@pytest.mark.parametrize(("mistyped", "meant"), [("lhaw", "'lhaw-short' or 'lhaw-workplace'"), ("ofice", "'office'")])
def test_a_task_of_a_mistyped_suite_is_refused_before_any_suite_is_loaded(
    call: Call, monkeypatch: pytest.MonkeyPatch, mistyped: str, meant: str
) -> None:
    loaded: list[Suite] = []

    def load() -> Suite:
        loaded.append(toy.suite())
        return loaded[-1]

    entries = [SuiteEntry(name, "Jobs.", load) for name in ("lhaw-short", "lhaw-workplace", "office")]
    offer(monkeypatch, *entries)
    refused = call("show", f"{mistyped}:task-1")

    assert refused.err == f"harness: no suite is named {mistyped!r}. Did you mean {meant}? See `harness list suites`.\n"
    assert (refused.status, loaded) == (2, [])


def test_a_prefix_like_no_suite_is_taken_for_part_of_the_task(call: Call) -> None:
    assert "no suite has a task 'unheard-of:toy-1'" in call("show", "unheard-of:toy-1").err


def test_a_trial_is_shown_step_by_step(call: Call, config: Path, tmp_path: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 2, "--trials", 1)
    run = Run.open(tmp_path / "here")
    record = next(r for r in run.records() if r.trajectory.calls and r.trajectory.task == "toy-1")
    record.trajectory.events[1:1] = [
        Message(session=0, role="assistant", content="Let me see.", calls=[{"id": "1"}]),
        QuestionRecord(session=0, step=0, text="Which list?"),
        AnswerRecord(session=0, step=0, text="In Review.", targets=("list",), revealed=("list",)),
    ]
    run.write(record)
    shown = call("show", "here", "oracle.default.toy-1").out

    assert shown.startswith("oracle on toy-1 of toy, condition default (prompt original), trial 0\nfinished; ")
    steps = [line.strip() for line in shown.splitlines()]
    first = steps.index("user: Move job 1 to In Review.")
    assert steps[first + 1] == "agent: Let me see."
    assert steps[first + 2].startswith("0. projects.update_task(")
    assert steps[first + 4 : first + 7] == ["asked: Which list?", "answer: In Review.", "targeted list; revealed list"]
    assert 'update projects.tasks 00000001  list_name: "Backlog" -> "In Review"' in steps
    assert any(step.startswith("outcome: 1, correct") for step in steps)


def test_of_a_long_setup_a_trial_tells_the_number_of_rows_before_its_request(
    call: Call, config: Path, tmp_path: Path
) -> None:
    call("eval", config, "--output", "here", "--limit", 1, "--trials", 1)
    run = Run.open(tmp_path / "here")
    record = next(r for r in run.records() if r.trajectory.agent == "oracle")
    (change,) = record.trajectory.changes
    told = []
    for rows in (5, 6):
        record.trajectory.start = [change] * rows
        run.write(record)
        told.append(call("show", "here", "oracle").out.splitlines())

    few, many = (lines[lines.index("") + 1 : lines.index("Final changes:")] for lines in told)
    assert few[:2] == ["Changed before the start:", f"  {stories.of_change(change)}"]
    assert many[:3] == [
        f"Changed before the start: 6 rows (`harness show toy:{record.trajectory.task}` lists them)",
        "",
        few[7],
    ]


def test_a_score_that_is_unscored_says_so_once(call: Call, config: Path, tmp_path: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 1, "--trials", 1)
    run = Run.open(tmp_path / "here")
    record = next(r for r in run.records() if r.trajectory.agent == "oracle")
    record.scores["flags"] = Score(value=None, label="unscored", reason="No judge has said.")
    run.write(record)

    assert "  flags: unscored: No judge has said.\n" in call("show", "here", "oracle").out


def test_a_run_is_shown_by_agent_condition_and_verdict_with_some_trials_of_each(call: Call, config: Path) -> None:
    call("eval", config, "--output", "here")
    shown = call("show", "here").out.splitlines()

    assert shown[0] == "here: toy@1, 48 trials"
    assert [re.split(r"  +", line.strip()) for line in shown[2:]] == [
        ["agent", "condition", "verdict", "how it ended", "trials", "such as"],
        [shown[3]],
        ["oracle", "default", "correct", "-", "24", "toy-0.0, toy-0.1, toy-1.0"],
        ["idle", "default", "failed", "nothing done", "24", "toy-0.0, toy-0.1, toy-1.0"],
        [""],
        ["one, step by step:", "harness show here idle.default.toy-0.0"],
        ["all, with filters:", "harness view here"],
    ]
    assert call("show", "here", "idle.default.toy-0.0").out.startswith("idle on toy-0 of toy")


def test_a_run_is_summed_up_as_json_with_the_name_of_every_trial(call: Call, config: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 2, "--trials", 1)
    found = json.loads(call("show", "here", "--json").out)

    assert {key: found[key] for key in ("run", "suite", "trials", "unread")} == {
        "run": "here", "suite": "toy", "trials": 4, "unread": [],
    }  # fmt: skip
    assert [(each["agent"], each["verdict"], each["label"], each["names"]) for each in found["groups"]] == [
        ("oracle", "correct", "correct", ["oracle.default.toy-0.0", "oracle.default.toy-1.0"]),
        ("idle", "failed", "nothing_done", ["idle.default.toy-0.0", "idle.default.toy-1.0"]),
    ]


def test_a_torn_record_hides_no_other_and_is_named(call: Call, config: Path, tmp_path: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 2, "--trials", 1)
    torn = next((tmp_path / "here" / "trials").iterdir())
    torn.write_text('{"trajectory": {')
    outcome = call("show", "here")

    assert outcome.status == 0
    assert outcome.out.startswith("here: toy@1, 3 trials\n")
    assert outcome.err.startswith(f"not counted: {torn.relative_to(tmp_path)} ")


def test_a_folder_in_the_place_of_a_record_is_said_to_be_no_file(call: Call, config: Path, tmp_path: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 1, "--trials", 1)
    (tmp_path / "here" / "trials" / "folder.json").mkdir()
    outcome = call("show", "here")

    assert (outcome.status, outcome.err) == (0, "not counted: here/trials/folder.json is not a file\n")


def test_a_run_is_shown_without_opening_a_record_that_its_index_tells_of(
    call: Call, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("eval", config, "--output", "here", "--limit", 2, "--trials", 1)
    opened: list[str] = []
    read = Run.read
    monkeypatch.setattr(Run, "read", lambda run, path: opened.append(path.name) or read(run, path))  # type: ignore[func-returns-value]
    whole = call("show", "here").out
    assert opened == []

    lines = (tmp_path / "here" / "index.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "here" / "index.jsonl").write_text("".join(lines[:-1]))

    assert call("show", "here").out == whole
    assert [name.partition("-")[0] for name in opened] == [json.loads(lines[-1])["file"].partition("-")[0]]
    assert (tmp_path / "here" / "index.jsonl").read_text() == "".join(lines[:-1])


def test_a_run_without_trials_says_how_to_play_some(call: Call, config: Path, tmp_path: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 1)
    for path in (tmp_path / "here" / "trials").iterdir():
        path.unlink()
    outcome = call("show", "here")

    assert outcome.status == 0
    assert "here: toy@1, 0 trials" in outcome.out
    assert "no trials yet: `harness eval`" in outcome.out


def test_a_part_of_a_name_that_fits_several_trials_lists_them(call: Call, config: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 2, "--trials", 1)
    outcome = call("show", "here", "toy-1")

    assert outcome.status == 2
    assert "2 trials of here match 'toy-1'; give more of its name:\n  idle.default.toy-1.0-" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("eval", "none.yaml"), "none.yaml: there is no such file."),
        (("eval", "toy.yaml", "--agent", "orakle"), "no agent has that name or kind. Did you mean 'oracle'?"),
        (("eval", "toy.yaml", "--agent", "reference"), "suite toy has no program for template-0, template-1, "),
        (("eval", "toy.yaml", "--model", "nowhere/m"), "'nowhere/m'"),
        (("eval", "toy.yaml", "--transport", "pigeon"), "'pigeon' is not allowed; write 'memory', 'http' or 'stdio'."),
        (("eval", "other.yaml"), "no suite is named 'tyo'. Did you mean 'toy'? Known: toy"),
        (("eval", "task.yaml"), "suite toy has no task 'toy-99'"),
        (("eval", "prompt.yaml"), "12 of 12 tasks have no prompt 'vague'"),
        (("eval", "toolset.yaml"), "projects has no toolset 'nope'"),
        (("list", "tasks"), "which suite? `harness list tasks SUITE`, one of toy"),
        (("list", "tasks", "tyo"), "no suite is named 'tyo'. Did you mean 'toy'?"),
        (("list", "apps", "toy"), "`harness list apps` takes no suite"),
        (
            ("list", "agent"),
            "'what': 'agent' is not one of 'apps', 'suites', 'agents', 'users', 'tasks'. Did you mean 'agents'?",
        ),
        (("connect", "nosuch", "gmail"), "'CLIENT': 'nosuch' is not one of 'claude-desktop', "),
        (("serve", "crm", "--transport", "htpp"), "'htpp' is not one of 'stdio', 'http'. Did you mean 'http'?"),
        (("doctor", "toy"), "toy is a suite, and doctor tests an app: `harness audit toy` tests it"),
        (("doctor", "crn"), "There is no app 'crn'. Did you mean 'crm'?"),
        (("show", "nowhere/run"), "nowhere/run is not a run: it has no run.json"),
        (("show", "toy-111"), "no suite has a task 'toy-111', and it is not a run folder. Did you mean 'toy-11'"),
        (("show", "nowhere", "trial"), "nowhere is not a run: it has no run.json"),
        (("report", "x" * 300), "File name too long"),
        (("score", "nowhere"), "nowhere is not a run: it has no run.json"),
        (("replay", "nowhere"), "nowhere is not a run: it has no run.json"),
        (("report", "nowhere"), "nowhere is not a run: it has no run.json"),
        (("serve", "crn"), "There is no app 'crn'. Did you mean 'crm'?"),
        (("serve", "crm", "--toolset", "workbnch"), "crm has no toolset 'workbnch'. Did you mean 'workbench'?"),
        (("serve", "crm", "--world", "nowhere"), "world nowhere: neither a folder with a world.json nor a suite"),
        (("serve", "crm", "--world", "toy:x"), "suite toy has no world 'x'; it has toy"),
        (
            ("serve", "crm", "--world", "toy", "--now", "9999-12-31T23:59"),
            "--now 9999-12-31T23:59 is in the year 9999, and clocks stand in the years 1000 to 9900",
        ),
        (("serve", "crm", "--world", "toy", "--now", "noon"), "--now noon: write today, world, or a local time"),
        (("eval",), "Missing argument"),
        (("frobnicate",), "No such command"),
    ],
)
def test_a_wrong_call_gets_one_clear_message_and_status_2(
    call: Call, config: Path, tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    least = "agents: [{kind: oracle}]\n"
    (tmp_path / "other.yaml").write_text("suite: tyo\n" + least)
    (tmp_path / "task.yaml").write_text("suite: toy\ntasks: [toy-99]\n" + least)
    (tmp_path / "prompt.yaml").write_text("suite: toy\nconditions: {a: {prompt: vague}}\n" + least)
    (tmp_path / "toolset.yaml").write_text("suite: toy\nconditions: {a: {toolsets: {projects: nope}}}\n" + least)
    outcome = call(*arguments)

    assert (outcome.status, outcome.out) == (2, "")
    assert expected in outcome.err
    assert "Traceback" not in outcome.err
    assert list(tmp_path.glob("runs/*/trials/*")) == []


def test_a_malformed_record_is_named(call: Call, config: Path, tmp_path: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 1)
    torn = next((tmp_path / "here" / "trials").iterdir())
    torn.write_text('{"trajectory": {}}')
    outcome = call("score", "here")

    assert outcome.status == 2
    assert (
        f"{torn.relative_to(tmp_path)} does not fit the trial format: trajectory.suite: Field required" in outcome.err
    )


def test_a_run_of_another_suite_version_is_not_scored(call: Call, config: Path, tmp_path: Path) -> None:
    call("eval", config, "--output", "here", "--limit", 1)
    head = tmp_path / "here" / "run.json"
    data = json.loads(head.read_text())
    head.write_text(json.dumps({**data, "suite_digest": "0" * 64}))
    outcome = call("score", "here")

    assert outcome.status == 2
    assert "here was played on toy@1 (000000000000), and what is here now is @1 (" in outcome.err


def broken_folder() -> tuple[SuiteEntry, ...]:
    raise ModuleNotFoundError("No module named 'moon'")


def broken_load() -> SuiteEntry:
    raise KeyError("tasks")


def test_a_folder_that_does_not_import_hides_no_other(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        wiring.suites, "_sources", lambda: iter([("benchmarks/bad", broken_folder), ("benchmarks/toy", toy_suites)])
    )
    listed, used, missing = call("list", "suites"), call("show", "toy:toy-1"), call("list", "tasks", "bad")

    problem = "benchmarks/bad cannot be imported: ModuleNotFoundError: No module named 'moon'"
    assert (listed.status, used.status, missing.status) == (2, 0, 2)
    assert listed.out.startswith("toy ")
    assert problem in listed.err
    assert problem not in used.err
    assert problem in missing.err


def test_a_suite_that_does_not_load_names_the_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = (SuiteEntry("bad", "Broken.", broken_load),)  # type: ignore[arg-type]
    offer(monkeypatch, *entries, where="benchmarks/bad")

    with pytest.raises(
        SuiteError, match=r"suite 'bad' cannot be loaded: KeyError: 'tasks' \(.*test_commands\.py:\d+\)"
    ):
        wiring.suite("bad")


def test_two_suites_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wiring.suites, "_sources", lambda: iter([("one", toy_suites), ("two", toy_suites)]))

    assert wiring.catalog().broken == ["two offers suite 'toy', which one offers too"]


def test_the_suites_of_this_project_all_import() -> None:
    assert wiring.catalog().broken == []


def test_an_unexpected_exception_is_a_bug_that_says_how_to_see_more(
    call: Call, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode(*_: object, **__: object) -> None:
        raise ZeroDivisionError("so it goes")

    monkeypatch.setattr("harness.play.run.plan", explode)
    brief = call("eval", config)
    monkeypatch.setenv("HARNESS_DEBUG", "1")
    whole = call("eval", config)

    assert brief.status == whole.status == 70
    assert brief.err.startswith("harness: this is a bug: ZeroDivisionError: so it goes (")
    assert "Run the same with HARNESS_DEBUG=1" in brief.err
    assert "Traceback" not in brief.err
    assert "Traceback" in whole.err


@pytest.mark.parametrize("closed", ["stdout", "stderr"])
def test_a_command_does_its_work_where_a_standard_stream_is_closed(
    call: Call, config: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    monkeypatch.setattr(sys, closed, None)  # as Python has it of a closed one

    assert call("eval", config).status == 0
    assert call("score", *Path("runs").iterdir()).status == 0


def test_what_standard_output_cannot_encode_is_replaced(
    call: Call, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("eval", config)
    (run,) = Path("runs").iterdir()
    whole = call("score", run).out
    latin = TextIOWrapper(BytesIO(), encoding="latin-1", newline="\n")
    monkeypatch.setattr(sys, "stdout", latin)

    assert call("score", run).status == 0
    printed = latin.buffer
    assert isinstance(printed, BytesIO)
    assert "─" in whole
    assert printed.getvalue().decode("latin-1") == whole.replace("─", "?")


def test_json_has_every_letter_where_standard_output_cannot_encode_it(monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"name": "Ł, ü"}
    for print_it in (render.as_json, render.as_json_line):
        latin = TextIOWrapper(BytesIO(), encoding="latin-1", errors="replace", newline="\n")
        monkeypatch.setattr(sys, "stdout", latin)
        print_it(value)
        latin.flush()
        printed = latin.buffer
        assert isinstance(printed, BytesIO)
        assert json.loads(printed.getvalue().decode("latin-1")) == value


def test_the_version_of_the_package_is_printed(call: Call) -> None:
    assert call("--version") == (0, f"workplace-harness {version('workplace-harness')}\n", "")
