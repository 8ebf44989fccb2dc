"""What is wrong with rows and with how tasks start is said before anything is played."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from harness.audit import audit
from harness.core.task_files import read_tasks, read_world, write
from harness.score import Score, Verdicts, outcome
from harness.suite import Suite, SuiteError
from harness.task import End, Expected, Session, Task
from harness.trajectory import Trajectory
from servers.kernel import Edit, World
from tests.audit import toys

PAINT = {"id": "T1", "content": "Paint"}
NEW = {"op": "insert", "app": "todoist", "table": "tasks"}
SAID = {"id": "C1", "task_id": "T1", "text": "Blue", "posted": "2025-03-12T09:00:00"}


def nothing(id: str = "job", **fields: Any) -> Task:
    """A task over to-dos that needs nothing."""
    task = Task(id=id, world="start", apps=("todoist",), sessions=(Session(requests={"original": f"Wait: {id}."}),))
    return task.model_copy(update=fields)


def suite(*tasks: Task, comments: Any = (SAID,), files: Path | None = None) -> Suite:
    rows = {"todoist": {"tasks": [PAINT], "comments": list(comments)}}
    return Suite(
        name="jobs",
        version="1",
        description="To-dos.",
        tasks=tasks,
        world=lambda name: World(name, datetime(2025, 3, 13), rows),
        checks={"outcome": outcome},
        files=files,
    )


def told(of: Suite) -> list[tuple[str, str]]:
    """What the audit says of rows and starts."""
    return [(each.task, each.text) for each in audit(of).found if each.check in ("apps", "setup", "ends", "refs")]


def comment(**values: str) -> Edit:
    text = {"text": "Red", "posted": "2025-03-12T10:00:00"}
    return Edit(op="add", app="todoist", table="comments", id="C2", values={**text, **values})


def test_rows_that_lead_somewhere_are_fine() -> None:
    assert told(suite(nothing(setup=(comment(task_id="T1"),)))) == []


def test_a_setup_that_does_not_fit_is_said_of_its_task_and_the_others_are_played() -> None:
    found = audit(suite(nothing("good"), nothing("bad", setup=(comment(),))))

    (text,) = [each.text for each in found.found if each.task == "bad"]
    assert text.startswith(
        "setup: it does not fit world 'start': setup step 0 (add todoist.comments C2) does not fit: "
    )
    assert [(each.task, each.oracle) for each in found.audits] == [("good", True), ("bad", False)]


def test_an_app_that_there_is_not_is_said_of_its_task() -> None:
    ((task, text),) = told(suite(nothing(apps=("todoits",))))

    assert task == "job"
    assert text.startswith("apps: There is no app 'todoits'. Did you mean 'todoist'?")


def test_a_name_in_an_end_that_no_insert_has_is_said_of_its_task() -> None:
    change = Expected(op="insert", app="todoist", table="comments", values={"task_id": {"ref": "nope"}})
    ((task, text),) = told(suite(nothing(ends=(End(changes=(change,)),))))

    assert (task, text) == (
        "job",
        "ends.0.changes.0.values.task_id: no expected insert is named 'nope'. To be referred to, an insert has a "
        "`name`; the end gives no insert a `name`",
    )


def test_a_row_of_a_setup_an_end_or_the_world_that_refers_to_none_is_found() -> None:
    lost = Expected(op="insert", app="todoist", table="comments", values={"task_id": "T8", "text": "Red"})
    tasks = nothing("set", setup=(comment(task_id="T9"),)), nothing("end", ends=(End(changes=(lost,)),))

    assert told(suite(*tasks, comments=[SAID, {**SAID, "id": "C3", "task_id": "T7"}])) == [
        (
            "set",
            "setup.0.values.task_id: task_id is 'T9', and todoist.tasks has no such row; "
            "name one that is there, or add it",
        ),
        (
            "set",
            "world 'start': todoist.comments, row 1: task_id is 'T7', and todoist.tasks has no such row; "
            "name one that is there, or add it",
        ),
        (
            "end",
            "ends.0.changes.0.values.task_id: task_id is 'T8', and todoist.tasks has no such row; "
            "name one that is there, or add it",
        ),
    ]


def test_what_a_setup_removes_is_not_referred_to_any_more() -> None:
    gone = Edit(op="remove", app="todoist", table="tasks", id="T1")

    assert told(suite(nothing(setup=(gone,)))) == [
        ("job", "setup.0: todoist.comments C1 still has 'T1' as task_id; change or remove it")
    ]


def test_a_finding_begins_with_the_file_of_its_task(tmp_path: Path) -> None:
    task = nothing(setup=(comment(task_id="T9"),))
    write(tmp_path, task)

    ((_, text),) = told(suite(*read_tasks(tmp_path), files=tmp_path))
    assert text.startswith("tasks/job.json: setup.0.values.task_id: task_id is 'T9'")


def test_a_world_with_a_row_that_does_not_fit_ends_the_audit_with_file_and_line(tmp_path: Path) -> None:
    folder = tmp_path / "worlds" / "start"
    World("start", datetime(2025, 3, 13), {"todoist": {"tasks": [PAINT, {"id": "T2", "contents": "Wash"}]}}).write(
        folder
    )
    broken = Suite("jobs", "1", "To-dos.", [nothing()], lambda name: read_world(tmp_path, name), {"outcome": outcome})

    with pytest.raises(
        SuiteError, match=r"todoist\.tasks\.jsonl, line 2, does not fit: content: Field required; contents"
    ):
        audit(broken)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"withheld": {"short": ["day"]}}, r"withheld\.short: no slot is named 'day'"),
        (
            {"ends": [{"changes": [{**NEW, "values": {"content": {"ref": "x"}}}]}]},
            r"ends\.0\.changes\.0\.values\.content: no expected insert is named 'x'",
        ),
    ],
)
def test_a_task_file_that_contradicts_itself_is_refused(tmp_path: Path, fields: dict[str, Any], said: str) -> None:
    path = write(tmp_path, nothing())
    path.write_text(json.dumps({**nothing().model_dump(mode="json"), **fields}), encoding="utf-8")

    with pytest.raises(SuiteError, match=rf"job\.json contradicts itself: {said}"):
        read_tasks(tmp_path)


def test_a_check_that_tells_no_wrong_work_apart_is_named() -> None:
    def content(task: Task, trajectory: Trajectory, verdicts: Verdicts) -> Score:
        return Score(value=1.0, reason="It looks fine.")

    weak = toys.suite()
    found = audit(Suite(**{**vars(weak), "checks": {"outcome": outcome, "content": content}}))
    rows = {row["check"]: row for row in found.as_json()["checks"]}

    assert found.sound
    assert rows["outcome"]["told apart"] == rows["outcome"]["wrong works"] > 0
    assert rows["content"]["told apart"] == 0
    assert any("no wrong work was told apart by content" in note for table in found.tables() for note in table.notes)
