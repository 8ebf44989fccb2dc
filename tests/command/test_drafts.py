"""What a draft makes of the calls that were made and of what they changed, and tasks as files."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import anyio
import pytest

from harness.audit import audit
from harness.capture import FACTS, draft, solution
from harness.score import outcome
from harness.serving.sandbox import Sandbox
from harness.suite import Suite, SuiteError
from harness.task import Task
from harness.task_files import read_tasks, read_world, write
from harness.trajectory import CallRecord
from servers import catalog
from servers.kernel import App, Engine, Ref, State, Table, Toolset, World
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


def played_through(world: World) -> dict[str, str]:
    """The published tools where an app has them."""
    return {app: "workbench" if "workbench" in catalog.app(app).toolsets else "default" for app in world.rows}


def done(*steps: Step, world: World = OFFICE) -> tuple[dict[str, Toolset], list[CallRecord], Any]:
    """Make the calls; the toolsets, the records and what changed."""
    toolsets = {app: catalog.app(app).toolsets[name] for app, name in played_through(world).items()}
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
    suite = Suite("mine", "1", "", (), lambda _: world, {"outcome": outcome}, toolsets=played_through(world))
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
    steps, notes = solution(calls, "Send and forward.", toolsets, {("gmail", "emails", "00000000")})

    assert steps[1].arguments["email_id"] == "00000001"
    assert [note.partition(" as it")[0] for note in notes] == ["reference call 2 names the new email 00000001"]


def test_a_row_that_was_there_is_named_by_its_id_however_often_it_is_changed(library: App) -> None:
    world = World("home", NOW, {"library": {"shelves": [{"id": "1", "label": "Novels"}], "books": []}})
    task = drafted(
        "Label shelf 1 Poems, and put Leaves there.",
        ("library", "label_shelf", {"shelf_id": "1", "label": "Pomes"}),
        ("library", "label_shelf", {"shelf_id": "1", "label": "Poems"}),
        ("library", "add_book", {"title": "Leaves", "shelf_id": "1"}),
        world=world,
    )

    assert [(call.arguments["shelf_id"], call.bind) for call in task.solution] == [("1", "")] * 3
    assert [(change.table, change.id, change.values) for change in task.ends[0].changes] == [
        ("books", "", {"title": "Leaves", "shelf_id": "1"}),
        ("shelves", "1", {"label": "Poems"}),
    ]
    assert task.facts[FACTS] == {"compare": {}, "notes": []}


UNDONE = (
    ("projects", "create_task", {**NEW, "task_name": "Chiars"}),
    ("projects", "delete_task", {"task_id": "00000012"}),
)


def test_what_was_undone_is_left_out() -> None:
    task = drafted("Put 'Order chairs' on the backlog.", *UNDONE, ("projects", "create_task", NEW))

    assert [call.arguments["task_name"] for call in task.solution] == ["Order chairs"]
    assert task.facts[FACTS]["notes"] == ["2 calls did what was undone again, and are left out"]


def test_what_was_undone_stays_where_the_rest_does_not_do_without_it(library: App) -> None:
    world = World("home", NOW, {"library": {"shelves": [{"id": "1", "label": "Novels"}], "books": []}})
    task = drafted(
        "Put a book on shelf 1 that is called as it is.",
        ("library", "label_shelf", {"shelf_id": "1", "label": "Poems"}),
        ("library", "add_book_called_as_its_shelf", {"shelf_id": "1"}),
        ("library", "label_shelf", {"shelf_id": "1", "label": "Novels"}),
        world=world,
    )

    assert len(task.solution) == 3
    assert task.ends[0].changes[0].values["title"] == "Poems"


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
    def label_shelf(state: State, shelf_id: Annotated[str, Ref(Shelf)], label: str) -> Shelf:
        """Give a shelf another label."""
        shelf = state.get(Shelf, shelf_id)
        shelf.label = label
        return state.save(shelf)

    @app.writes
    def add_book(state: State, title: str, shelf_id: Annotated[str, Ref(Shelf)]) -> Book:
        """Put a new book on a shelf."""
        return state.add(Book(title=title, shelf_id=state.get(Shelf, shelf_id).id))

    @app.writes
    def add_book_called_as_its_shelf(state: State, shelf_id: Annotated[str, Ref(Shelf)]) -> Book:
        """Put a new book on a shelf, called as the shelf is now."""
        return state.add(Book(title=state.get(Shelf, shelf_id).label, shelf_id=shelf_id))

    @app.writes
    def label_shelves(state: State, shelf_ids: Annotated[list[str], Ref(Shelf)], label: str) -> list[Shelf]:
        """Give several shelves another label."""
        shelves = [state.get(Shelf, id) for id in shelf_ids]
        return [state.save(shelf.model_copy(update={"label": label})) for shelf in shelves]

    monkeypatch.setattr(catalog, "app", {"library": app}.__getitem__)
    return app


def test_ids_in_a_list_are_bound_and_made_wrong_one_by_one(library: App) -> None:
    shelves = [{"id": "1", "label": "Novels"}, {"id": "2", "label": "Maps"}]
    world = World("home", NOW, {"library": {"shelves": shelves, "books": []}})
    task = drafted(
        "Add a shelf 'Poems', and label it and shelf 1 'Old'.",
        ("library", "add_shelf", {"label": "Poems"}),
        ("library", "label_shelves", {"shelf_ids": ["1", "3"], "label": "Old"}),
        world=world,
    )
    found = audit(Suite("mine", "1", "", (task,), lambda _: world, {"outcome": outcome}))
    sites = {(each.mutation, each.site, each.outcome) for each in found.results if "shelf_ids" in each.what}

    assert task.solution[0].bind == "shelves-1"
    assert task.solution[1].arguments["shelf_ids"] == ["1", {"ref": "shelves-1"}]
    assert sites >= {
        ("wrong id", "call 2, shelf_ids 1", "caught"),
        ("wrong id", "call 2, shelf_ids 2", "caught"),
        ("wrong number", "call 2, shelf_ids", "caught"),
    }
    assert found.sound, found.faults


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


def test_what_a_draft_does_not_compare_it_declares_to_the_audit_with_the_same_reason() -> None:
    body = "Dear Ines, we shall need twelve of them by the end of the month."
    mail = {"recipient": "ines@example.test", "subject": "Chairs", "body": body}
    task = drafted("Tell Ines how many chairs we need.", ("gmail", "send_email", mail))

    reasons = task.facts[FACTS]["compare"]
    assert task.compare.free == {"gmail.emails.body", "gmail.emails.sent_datetime"}
    assert task.facts["audit"] == {field: reasons[field] for field in task.compare.free}
