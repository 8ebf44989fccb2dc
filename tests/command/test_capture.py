"""A job done in a client becomes a draft task, with a reason for each choice, and is audited."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import anyio
import pytest

from harness.audit import audit
from harness.capture import FACTS, draft, solution
from harness.cli import wiring
from harness.sandbox import Sandbox
from harness.score import outcome
from harness.suite import Suite, SuiteEntry, SuiteError
from harness.task import Task
from harness.task_files import calls_path, read_tasks, read_world, task_path, write
from harness.trajectory import CallRecord
from servers import catalog
from servers.kernel import App, Engine, Ref, State, Table, Toolset, World
from tests.audit.toys import accepts_everything
from tests.cli.conftest import Call as Run
from tests.command.test_play import MOVE, called, opened
from tests.harness import toy

NOW = datetime(2025, 3, 13, 9)
MAIL = {"id": "00000000", "folder": "inbox", "address": "ines@example.test", "subject": "Chairs"}
OFFICE = World(
    "office",
    NOW,
    {
        "gmail": {"emails": [{**MAIL, "sent_datetime": "2025-03-12 08:00:00", "body": "How many?"}]},
        "projects": toy.world().rows["projects"],
    },
)
NEW = {"task_name": "Order chairs", "due_date": "2025-03-20", **toy.BOARD}

Step = tuple[str, str, dict[str, Any]]


def done(*steps: Step, world: World = OFFICE) -> tuple[dict[str, Toolset], list[CallRecord], Any]:
    """Make the calls; the toolsets, the records and what changed."""
    toolsets = {app: catalog.app(app).default for app in world.rows}
    engine = Engine()
    layer = engine.layer(engine.load(world), (), [each.app for each in toolsets.values()])
    sandbox = Sandbox(layer, toolsets)

    async def work() -> None:
        for step in steps:
            await sandbox.call(*step)

    anyio.run(work)
    changes = layer.changes()
    engine.close()
    return toolsets, sandbox.calls, changes


def drafted(request: str, *steps: Step, world: World = OFFICE) -> Task:
    """The draft of a job, whose audit has to find nothing."""
    suite = Suite("mine", "1", "", (), lambda _: world, {"outcome": outcome})
    task = draft(suite, "a-job", request, world, *done(*steps, world=world))
    found = audit(replace(suite, tasks=(task,)))
    assert found.sound, found.faults
    return task


def test_reference_calls_are_those_that_wrote_and_those_that_found_what_these_gave() -> None:
    task = drafted(
        "Move job 3 to Completed.",
        ("projects", "search_tasks", {"task_name": "Job"}),
        ("gmail", "search_emails", {"query": "chairs"}),
        ("projects", "update_task", {"task_id": "99999999", "field": "list_name", "new_value": "Completed"}),
        ("projects", "search_tasks", {"task_name": "Job 3"}),
        ("projects", "update_task", {"task_id": "00000003", "field": "list_name", "new_value": "Completed"}),
        ("projects", "search_tasks", {"task_name": "Job 3"}),
    )

    assert [call.arguments.get("task_name", call.tool) for call in task.solution] == ["Job 3", "update_task"]
    assert [change.model_dump(include={"op", "id", "values"}) for change in task.ends[0].changes] == [
        {"op": "update", "id": "00000003", "values": {"list_name": "Completed"}}
    ]
    assert task.facts[FACTS]["notes"] == [
        "1 call failed and is left out",
        "3 calls looked up what nothing used, and are left out",
    ]


def test_an_id_that_a_call_made_is_bound_and_the_new_row_expected_by_content() -> None:
    task = drafted(
        "Put 'Order chairs' on the Design backlog for ines@example.test, due 2025-03-20; then mark it completed.",
        ("projects", "create_task", NEW),
        ("projects", "update_task", {"task_id": "00000012", "field": "list_name", "new_value": "Completed"}),
    )
    (change,) = task.ends[0].changes

    assert task.solution[0].bind == "tasks-1"
    assert task.solution[1].arguments["task_id"] == {"ref": "tasks-1"}
    assert (change.op, change.id, change.values) == ("insert", "", {**NEW, "list_name": "Completed"})
    assert set(task.compare.text) == {"projects.tasks.task_name"}


def test_the_time_of_a_call_and_prose_are_not_compared_and_dictated_text_is_folded() -> None:
    told = {"recipient": "ines@example.test", "subject": "Your chairs"}
    free = "Dear Ines, we will need eleven of them, and one with wheels, please."
    task = drafted(
        "Mail ines@example.test, subject 'Your chairs', how many.", ("gmail", "send_email", {**told, "body": free})
    )
    dictated = drafted(
        f"Mail ines@example.test, subject 'Your chairs': {free}", ("gmail", "send_email", {**told, "body": free})
    )

    assert task.facts[FACTS]["compare"] == {
        "gmail.emails.body": "not compared: prose that the request does not dictate",
        "gmail.emails.sent_datetime": "not compared: it holds the time of the call",
        "gmail.emails.subject": "compared without letter case and line breaks",
    }
    assert set(task.compare.free) == {"gmail.emails.body", "gmail.emails.sent_datetime"}
    assert set(dictated.compare.free) == {"gmail.emails.sent_datetime"}
    assert set(dictated.compare.text) == {"gmail.emails.body", "gmail.emails.subject"}


def test_a_new_id_that_a_call_tells_in_a_sentence_stays_and_is_noted() -> None:
    toolsets, calls, _ = done(
        ("gmail", "send_email", {"recipient": "a@example.test", "subject": "One", "body": "Two"}),
        ("gmail", "forward_email", {"email_id": "00000001", "recipient": "b@example.test"}),
    )
    steps, notes = solution(calls, "Send and forward.", toolsets)

    assert steps[1].arguments["email_id"] == "00000001"
    assert [note.partition(" as it")[0] for note in notes] == ["reference call 2 names the new email 00000001"]


def test_a_job_of_looking_is_a_task_in_which_nothing_may_change() -> None:
    task = drafted("When is job 3 due?", ("projects", "search_tasks", {"task_name": "Job 3"}))

    assert task.ends[0].changes == ()
    assert len(task.solution) == 1
    assert task.facts[FACTS]["notes"] == ["nothing changed: the draft says that nothing may change"]


class Shelf(Table, name="shelves", ids="{}"):
    """A shelf."""

    label: str


class Book(Table, name="books", ids="{}"):
    """A book, perhaps on a shelf."""

    title: str
    shelf_id: Annotated[str, Ref(Shelf)] | None = None


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> App:
    app = App("library", "Shelves and books.", tables=(Shelf, Book))

    @app.writes
    def add_shelf(state: State, label: str) -> Shelf:
        """Add a shelf."""
        return state.add(Shelf(label=label))

    @app.writes
    def add_book(state: State, title: str, shelf_id: Annotated[str, Ref(Shelf)]) -> Book:
        """Put a new book on a shelf."""
        return state.add(Book(title=title, shelf_id=state.get(Shelf, shelf_id).id))

    monkeypatch.setattr(catalog, "app", {"library": app}.__getitem__)
    return app


def test_a_new_row_that_another_refers_to_gets_a_name(library: App) -> None:
    world = World("home", NOW, {"library": {"shelves": [{"id": "1", "label": "Novels"}], "books": []}})
    task = drafted(
        "Add a shelf Poems with a book called Leaves.",
        ("library", "add_shelf", {"label": "Poems"}),
        ("library", "add_book", {"title": "Leaves", "shelf_id": "2"}),
        world=world,
    )
    book, shelf = sorted(task.ends[0].changes, key=lambda change: change.table)

    assert book.values == {"title": "Leaves", "shelf_id": {"ref": shelf.name}}
    assert (shelf.name != "", shelf.values) == (True, {"label": "Poems"})


def test_a_task_is_the_same_read_as_written_and_nothing_is_overwritten(tmp_path: Path) -> None:
    task = toy.task(3, ask=True)
    path = write(tmp_path, task)

    assert [each.hash for each in read_tasks(tmp_path)] == [task.hash]
    with pytest.raises(FileExistsError):
        write(tmp_path, task)
    path.rename(path.with_name("other.json"))
    with pytest.raises(SuiteError, match=r"other.json holds task 'toy-3'; a task's file is named after its id"):
        read_tasks(tmp_path)
    path.with_name("other.json").write_text('{"id": "other", "world": 3}')
    with pytest.raises(SuiteError, match=r"other.json does not fit the task format: world: Input should be"):
        read_tasks(tmp_path)
    with pytest.raises(SuiteError, match=r"there is no world 'moon'; in .*worlds there is none"):
        read_world(tmp_path, "moon")


CAPTURE = """
import sys
from pathlib import Path
from harness.cli import main, wiring
from tests.command.test_capture import suites
_, kind, *arguments = sys.argv
wiring._sources = lambda: iter([("benchmarks/toy", lambda: suites(Path("mine"), kind == "weak"))])
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


@contextmanager
def capture(folder: Path, *arguments: str, kind: str = "sound") -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", CAPTURE, kind, "capture", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        command, cwd=folder, env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


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
    assert "mend mine/tasks/weak.json, then `harness audit toy --task weak`" in err
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
        called(urls["gmail"], "delete_email", {"email_id": "00000000"})
        out, _ = process.communicate("Throw the mail about chairs away.\n", timeout=60)
    (task,) = read_tasks(tmp_path / "mine")

    assert read_world(tmp_path / "mine", "office").digest == OFFICE.digest
    assert (task.world, task.apps, [each.id for each in task.setup]) == ("office", ("gmail", "projects"), ["00000001"])
    assert json.loads(out)["task"]["ends"][0]["changes"][0]["op"] == "delete"


@pytest.mark.slow
def test_where_no_call_was_made_nothing_is_written(tmp_path: Path) -> None:
    with capture(tmp_path, "toy:nothing", "--json") as process:
        opened(process)
        _, err = process.communicate("Nothing.\n", timeout=60)

    assert (process.returncode, err) == (1, "harness: no call was made, so there is no task to write\n")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def here(call: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setattr(wiring, "_sources", lambda: iter([("benchmarks/toy", lambda: suites(tmp_path / "mine"))]))
    return call


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["put-off"], "put-off: a task goes into a suite: write SUITE:put-off"),
        (["toy:../up"], "'../up' cannot name a task: write letters and digits"),
        (["toy:" + "x" * 81], "80 at most"),
        (["toy:toy-3"], "suite toy has a task 'toy-3' already; take another name"),
        (["toy:left"], "left.calls.jsonl is there already; take another name, or move it away"),
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


def test_a_port_that_is_taken_is_named(here: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = here("capture", "toy:new", "--port", taken.getsockname()[1])

    assert result.status == 2
    assert "cannot listen on 127.0.0.1 port" in result.err
