"""A job done in a client is written as a draft task of a suite, and audited."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

import pytest

from harness.score import outcome
from harness.suite import Suite, SuiteEntry
from harness.task_files import calls_path, read_tasks, read_world, task_path
from servers.kernel import World
from tests.audit.toys import accepts_everything
from tests.cli.conftest import Call as Run
from tests.cli.conftest import offer
from tests.command.programs import started
from tests.command.test_drafts import NOW, OFFICE
from tests.command.test_play import MOVE, called, opened
from tests.harness import toy

CAPTURE = """
import sys
from pathlib import Path
from harness.cli import main
from harness import wiring
from tests.command.test_capture import suites
_, kind, *arguments = sys.argv
wiring.suites._sources = lambda: iter([("benchmarks/toy", lambda: suites(Path("mine"), kind == "weak"))])
sys.argv = ["harness", *arguments]
main()
"""


def suites(folder: Path, weak: bool = False) -> tuple[SuiteEntry, ...]:
    """The toy suite, keeping task files in a folder, and one that keeps none."""

    def load() -> Suite:
        found = toy.suite([*map(toy.task, range(12)), *read_tasks(folder)])
        checks = {"outcome": accepts_everything if weak else outcome}
        return replace(found, files=folder, checks=checks, world=world)

    def world(name: str) -> World:
        return toy.world() if name == "toy" else read_world(folder, name)

    return SuiteEntry("toy", "Jobs on a board.", load), SuiteEntry("closed", "The same.", toy.suite)


def capture(folder: Path, *arguments: str, kind: str = "sound") -> AbstractContextManager[subprocess.Popen[str]]:
    return started(CAPTURE, kind, "capture", *arguments, folder=folder)


@pytest.mark.slow
def test_what_a_person_does_in_a_client_is_written_audited_and_played(tmp_path: Path, here: Run) -> None:
    with capture(tmp_path, "toy:put-off", "projects") as process:
        assert process.stdout
        shown: list[str] = []
        while not shown or not shown[-1].startswith("Do the job"):
            shown.append(process.stdout.readline())
        url = next(line.split()[1] for line in shown if line.startswith("  projects "))
        assert called(url, "update_task", {**MOVE, "task_id": "99"})["isError"]
        called(url, "search_tasks", {"task_name": "Job 0"})
        called(url, "update_task", MOVE)
        out, err = process.communicate("Start on the very first job.\n", timeout=60)
    calls = calls_path(tmp_path / "mine", "put-off").read_text().splitlines()
    (tmp_path / "one.yaml").write_text("suite: toy\ntasks: [put-off]\nagents: [{kind: oracle}, {kind: idle}]\n")
    played = json.loads(here("eval", "one.yaml", "--json").out)

    assert process.returncode == 0, err
    assert "[original] Start on the very first job." in out
    assert 'update projects.tasks 00000000 {"list_name": "In Progress"}' in out
    assert "mine/tasks/put-off.json" in out
    assert "toy@1, 1 task, digest" in out
    assert [json.loads(line)["status"] for line in calls] == ["failed", "ok", "ok"]
    assert [cell["correct"] for cell in played["conditions"]] == [1, 0]
    assert "Start on the very first job." in here("show", "toy:put-off").out
    assert here("audit", "toy", "--task", "put-off").out.splitlines()[-1] == out.splitlines()[-1]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send to another process")
def test_ctrl_c_is_being_done_and_a_draft_without_a_request_is_kept_and_says_so(tmp_path: Path) -> None:
    with capture(tmp_path, "toy:started", "--json") as process:
        called(opened(process)["urls"]["projects"], "update_task", MOVE)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    last = json.loads(out)

    assert process.returncode == 1
    assert "the draft has no request yet; write it into mine/tasks/started.json" in err
    assert [change["id"] for change in last["changes"]] == ["00000000"]
    assert (last["task"]["id"], last["audit"]["sound"], last["audit"]["tasks"]) == ("started", True, 1)
    assert task_path(tmp_path / "mine", "started").exists()


@pytest.mark.slow
def test_a_draft_with_which_the_audit_finds_fault_is_kept(tmp_path: Path) -> None:
    with capture(tmp_path, "toy:weak", "--json", "--request", "Start.", kind="weak") as process:
        called(opened(process)["urls"]["projects"], "update_task", MOVE)
        out, err = process.communicate("\n", timeout=60)

    assert process.returncode == 1
    assert json.loads(out)["audit"]["survived"] > 0
    assert "fix mine/tasks/weak.json, then `harness audit toy --task weak`" in err
    assert sorted(path.name for path in (tmp_path / "mine" / "tasks").iterdir()) == ["weak.calls.jsonl", "weak.json"]


@pytest.mark.slow
def test_another_world_and_a_setup_go_with_the_task(tmp_path: Path) -> None:
    OFFICE.write(tmp_path / "given")
    edit = {"op": "remove", "app": "projects", "table": "tasks", "id": "00000001"}
    (tmp_path / "setup.json").write_text(json.dumps([edit]))
    with capture(
        tmp_path, "toy:moved", "gmail", "projects", "--world", "given", "--setup", "setup.json", "--json"
    ) as process:
        urls = opened(process)["urls"]
        assert (
            called(urls["projects"], "search_tasks", {"task_name": "Job 1"})["structuredContent"]["result"][0][
                "task_id"
            ]
            == "00000010"
        )
        called(urls["gmail"], "delete_emails", {"email_ids": ["00000000"], "mode": "forever"})
        out, _ = process.communicate("Throw the mail about chairs away.\n", timeout=60)
    (task,) = read_tasks(tmp_path / "mine")

    assert read_world(tmp_path / "mine", "office").digest == OFFICE.digest
    assert (task.world, task.apps, [each.id for each in task.setup]) == ("office", ("gmail", "projects"), ["00000001"])
    assert json.loads(out)["task"]["ends"][0]["changes"][0]["op"] == "delete"


@pytest.mark.slow
def test_where_no_call_succeeded_no_file_is_left(tmp_path: Path) -> None:
    with capture(tmp_path, "toy:nothing", "--json") as process:
        called(opened(process)["urls"]["projects"], "update_task", {**MOVE, "task_id": "99"})
        _, err = process.communicate("Nothing.\n", timeout=60)

    assert (process.returncode, err) == (
        1, "harness: no call succeeded, so there is no task to write\n",
    )  # fmt: skip
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.fixture
def here(call: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    offer(monkeypatch, *suites(tmp_path / "mine"))
    return call


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["put-off"], "put-off: a task goes into a suite: write SUITE:put-off"),
        (["toy:../up"], "'../up' is not a valid name for a task: use letters and digits"),
        (["toy:" + "x" * 81], "80 at most"),
        (["toy:toy-3"], "suite toy already has a task 'toy-3'; choose another name"),
        (["toy:left"], "left.calls.jsonl already exists; choose another name, or move it away"),
        (["closed:new"], "suite closed keeps no task files: capture into one that `harness new suite NAME` started"),
        (["toi:new"], "no suite is named 'toi'. Did you mean 'toy'?"),
        (["toy:new", "gmale"], "There is no app 'gmale'. Did you mean 'gmail'?"),
        (["toy:new", "--world", "other"], "suite toy has another world called 'toy'"),
        (["toy:new", "--setup", "none.json"], "--setup none.json cannot be read: No such file"),
        (["toy:new", "--setup", "bad.json"], "--setup bad.json: 0.op: Field required"),
        (["toy:new", "--setup", "gone.json"], "setup step 0 (remove projects.tasks 99) does not fit"),
    ],
)
def test_what_cannot_be_captured_is_refused_before_any_work_is_done(
    here: Run, tmp_path: Path, arguments: Sequence[str], problem: str
) -> None:
    calls_path(tmp_path / "mine", "left").parent.mkdir(parents=True)
    calls_path(tmp_path / "mine", "left").write_text("")
    replace(toy.world(), now=NOW).write(tmp_path / "other")
    (tmp_path / "bad.json").write_text("[{}]")
    edit = {"op": "remove", "app": "projects", "table": "tasks", "id": "99"}
    (tmp_path / "gone.json").write_text(json.dumps([edit]))
    result = here("capture", *arguments)

    assert result.status == 2
    assert problem in result.err


def test_a_suite_that_declares_its_worlds_gets_no_other_unseen(
    here: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def declaring() -> Suite:
        return replace(suites(tmp_path / "mine")[0].load(), worlds={"toy": toy.world().digest})

    offer(monkeypatch, SuiteEntry("toy", "Jobs.", declaring))
    OFFICE.write(tmp_path / "given")
    result = here("capture", "toy:new", "--world", "given")

    assert result.status == 2
    assert f"suite toy declares its worlds: add 'office': '{OFFICE.digest}' to them first" in result.err
    assert not (tmp_path / "mine").exists()


def test_where_nothing_can_be_written_nobody_starts_to_work(here: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("a file in the way")
    result = here("capture", "toy:new")

    assert (result.status, result.err) == (
        2,
        "harness: mine/tasks/new.calls.jsonl cannot be written: Not a directory\n",
    )


def test_a_port_that_is_taken_is_named(here: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = here("capture", "toy:new", "--port", taken.getsockname()[1])

    assert result.status == 2
    assert "cannot listen on 127.0.0.1 port" in result.err
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
