"""What the page is given: the shapes of the contract, whatever lies in a run's folder."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness.core.suite import Suite, SuiteError, Table
from harness.record.files import RunError
from harness.record.store import Run
from harness.task import End, Expected
from harness.view import reports
from harness.view.columns import COLUMNS
from harness.view.encoding import as_json
from harness.view.trials import PIECE
from servers.kernel import Edit
from tests.harness import toy
from tests.view import scene

V1 = Path(__file__).parents[1] / "records" / "v1"
ONE = "00000000"


def facts(**values: Any) -> Suite:
    """The toy suite with facts on its tasks; lists give one value to each task."""
    tasks = [
        task.model_copy(update={"facts": {name: each[n] for name, each in values.items()}})
        for n, task in enumerate(scene.TASKS)
    ]
    return toy.suite(tasks)


def test_runs_are_told_as_agreed(tmp_path: Path) -> None:
    run = scene.played(tmp_path / "run")
    (run.folder / "trials" / "torn.json").write_text("{")

    told = scene.view(run.folder).value("runs")

    assert told.keys() == {"package", "writable", "token", "author", "runs"}
    (one,) = told["runs"]
    assert one == {
        "run": 0, "name": f"run.{run.head.identity[:6]}", "label": "run", "heading": "run: toy@1, 4 trials",
        "folder": str(run.folder), "path": run.folder.resolve().as_posix(), "calibration": True,
        "suite": "toy", "suite_version": "1", "identity": run.head.identity, "package": run.head.package, "seed": 0,
        "agents": [{"name": "oracle", "kind": "oracle", "instrument": True, "model": ""}],
        "conditions": [{"name": "default", "prompt": "original", "ask": "off", "user": ""}],
        "groups": [], "checks": ["outcome"], "planned": 4, "under_way": False, "changed": "", "written": False,
        "problems": [{"file": "trials/torn.json", "text": one["problems"][0]["text"]}],
    }  # fmt: skip
    assert one["problems"][0]["text"].startswith("does not fit the trial format")


def test_an_index_has_columns_of_one_length_in_report_order(tmp_path: Path) -> None:
    run = scene.played(tmp_path / "run", trials=2)

    index = scene.view(run.folder).value("index-0")

    assert (index["run"], index["from"], index["total"], index["under_way"]) == (0, 0, 8, False)
    assert tuple(index["columns"]) == COLUMNS
    assert {len(values) for values in index["columns"].values()} == {8}
    assert index["columns"]["task"] == [f"toy-{n}" for n in range(4) for _ in range(2)]
    assert index["columns"]["template"][::2] == [f"template-{n}" for n in range(4)]


def test_facts_that_are_short_are_groups(tmp_path: Path) -> None:
    suite = facts(
        severity=["a", "b", "a", None], segments=[1, 2, 3, 1], both=[["x"], ["x", "y"], [], ["y"]], same=["s"] * 4,
        long=["l" * 99, "m", "n", "o"], agent=["p", "q", "r", "s"], held=[True, False, True, True],
    )  # fmt: skip
    run = scene.empty(tmp_path / "run", suite)
    for task in suite.tasks:
        run.write(scene.record(task))

    view = scene.view(run.folder, load=lambda *_: suite)

    assert view.value("runs")["runs"][0]["groups"] == ["severity", "segments", "both", "long", "held"]
    columns = view.value("index-0")["columns"]
    assert columns["both"] == ["x", "x + y", None, "y"]
    assert columns["held"] == ["yes", "no", "yes", "yes"]
    assert columns["agent"] == ["oracle"] * 4


def test_rows_of_a_run_under_way_are_numbered_and_grow(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    view = scene.view(run.folder)
    assert view.value("index-0")["total"] == 0
    run.write(scene.record(trial=0))
    run.write(scene.record(trial=1))
    assert view.value("index-0")["columns"]["trial"] == [0, 1]

    run.write(scene.record(scene.TASKS[1]))
    run.write(scene.record(trial=1, status="void"))
    grown = view.value("index-0", 2)

    assert (grown["from"], grown["total"]) == (2, 4)
    assert grown["columns"]["task"] == ["toy-0", "toy-1"]
    assert grown["columns"]["verdict"][0] == "void"
    whole = view.value("index-0")["columns"]
    assert sorted(zip(whole["task"], whole["trial"], strict=True)) == [("toy-0", 0), ("toy-0", 1), ("toy-1", 0)]


def test_a_trial_is_told_as_agreed(tmp_path: Path) -> None:
    run = scene.played(tmp_path / "run")
    view = scene.view(run.folder)
    row = scene.rows(view)[1]

    told = view.value(f"trial-0-{row['key']}")

    assert told.keys() >= {
        "run", "key", "file", "bytes", "row", "facts", "system", "task", "scores", "expected", "actual", "pairs",
        "judgements", "annotations", "parent", "forks", "siblings", "outline", "events", "piece", "first", "steps",
        "turns", "tries",
    }  # fmt: skip
    path = run.folder / "trials" / told["file"]
    assert told["bytes"] == path.stat().st_size
    assert told["row"] == row
    assert told["system"] == "Today is Thursday."
    assert told["task"] == {
        "id": "toy-1", "template": "template-1", "prompts": {"original": "Move job 1 to In Review."}, "facts": {},
        "sessions": [{"now": "2025-03-13T00:00:00", "text": "Move job 1 to In Review."}], "changed": False,
            "withheld": [],
    }  # fmt: skip
    assert [(score["check"], score["value"], score["correct"]) for score in told["scores"]] == [("outcome", 1.0, True)]
    assert (told["pairs"], told["unseen"]) == ([[0, 0]], [])
    assert [each["met"] for each in told["expected"]] == [True]
    assert [each["expected"] for each in told["actual"]] == [True]
    assert [event["kind"] for event in told["first"]] == ["request", "call"]
    assert [event["at"] for event in told["first"]] == [0, 1]
    assert told["steps"] == [1]
    assert [each["kind"] for each in told["outline"]] == ["request", "write", "last_words"]


def test_a_call_says_what_each_row_held_before_and_after(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    other = "00000001"
    events = [
        scene.call(0, scene.write(ONE, "In Review")),
        scene.call(1, scene.write(ONE, "In Progress"), scene.write(other, "Completed")),
        scene.call(2, scene.write(other, "Backlog")),
        scene.call(3),
        scene.call(4, scene.write("00000002", None)),
    ]
    changes = [scene.change(ONE, "In Progress"), scene.change("00000002", None)]
    run.write(scene.record(events=events, changes=changes))
    view = scene.view(run.folder)

    found = [event["changed"] for event in view.value(f"trial-0-{scene.only(view)}")["first"]]

    def moved(id: str, before: str, after: str) -> dict[str, Any]:
        where = {"app": "projects", "table": "tasks", "id": id, "op": "update"}
        return where | {"fields": {"list_name": [before, after]}}

    assert found[0] == [moved(ONE, "Backlog", "In Review")]
    assert found[1][0] == moved(ONE, "In Review", "In Progress")
    assert found[2] == [moved(other, "Completed", "Backlog")]  # in no change: it ended as it began
    assert found[1][1] == moved(other, "Backlog", "Completed")
    assert found[3] == []
    assert found[4][0]["op"] == "delete"
    assert found[4][0]["fields"]["task_name"] == ["Job 2", None]


def test_a_new_row_is_an_insert_and_one_taken_back_leaves_no_trace(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    made = {"app": "projects", "table": "tasks", "id": "00000900", "values": {"task_name": "new", "board": None}}
    run.write(scene.record(events=[scene.call(0, made), scene.call(1, made | {"values": None})]))
    view = scene.view(run.folder)

    first, second = (event["changed"][0] for event in view.value(f"trial-0-{scene.only(view)}")["first"])

    assert (first["op"], first["fields"]["task_name"]) == ("insert", [None, "new"])
    assert (second["op"], second["fields"]["task_name"]) == ("delete", ["new", None])


def test_what_a_row_held_where_something_arrived_in_it_is_unknown(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    writes = [scene.write(ONE, "In Review", "2026-01-01")]
    arrival = {"kind": "arrival", "session": 0, "step": 1, "source": "feed", "writes": writes}
    events = [scene.call(0, scene.write(ONE, "In Review")), arrival, scene.call(1, scene.write(ONE, "Completed"))]
    run.write(scene.record(events=events, changes=[scene.change(ONE, "Completed")]))
    view = scene.view(run.folder)

    first, second, third = view.value(f"trial-0-{scene.only(view)}")["first"]

    assert first["changed"][0]["fields"]["list_name"] == [None, "In Review"]
    assert second["changed"][0]["fields"] == {"due_date": ["2025-03-10", "2026-01-01"]}
    assert third["changed"][0]["fields"]["list_name"] == ["In Review", "Completed"]


def test_missing_and_unexpected_changes_are_in_no_pair(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    wanted = Expected(op="update", app="projects", table="tasks", id=ONE, values={"list_name": "In Review"})
    gone = Expected(op="delete", app="projects", table="tasks", id="00000003")
    task = scene.TASKS[0].model_copy(update={"ends": (End(changes=(gone, wanted)),)})
    changes = [scene.change(ONE, "In Review"), scene.change("00000005", "Completed")]
    run.write(scene.record(task, changes=changes))
    view = scene.view(run.folder, load=lambda *_: toy.suite([task]))

    told = view.value(f"trial-0-{scene.only(view)}")

    assert [(each["op"], each["met"]) for each in told["expected"]] == [("delete", False), ("update", True)]
    assert [(each["id"], each["expected"]) for each in told["actual"]] == [(ONE, True), ("00000005", False)]
    assert told["pairs"] == [[1, 0]]
    assert told["actual"][0]["fields"] == ["list_name"]


def test_a_row_that_was_to_go_and_was_not_touched_is_shown_as_the_task_starts_with_it(tmp_path: Path) -> None:
    gone = Expected(op="delete", app="projects", table="tasks", id="00000003")
    setup = (Edit(op="change", app="projects", table="tasks", id="00000003", values={"task_name": "Old job"}),)
    task = scene.TASKS[0].model_copy(update={"ends": (End(changes=(gone,)),), "setup": setup})
    run = scene.empty(tmp_path / "run", of=toy.suite([task]))
    run.write(scene.record(task))
    view = scene.view(run.folder, load=lambda name, scale: toy.suite([task]))

    (told,) = view.value(f"trial-0-{scene.only(view)}")["expected"]

    assert (told["op"], told["met"]) == ("delete", False)
    assert told["before"] == {**scene.row("00000003"), "task_name": "Old job"}


def test_of_a_task_that_has_changed_nothing_is_known_to_be_expected(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    run.write(scene.record(changes=[scene.change(ONE, "In Review")]))
    now = scene.TASKS[0].model_copy(update={"template": "another"})
    view = scene.view(run.folder, load=lambda *_: toy.suite([now]))

    told = view.value(f"trial-0-{scene.only(view)}")

    assert told["task"]["changed"] is True
    assert (told["expected"], told["pairs"]) == ([], [])
    assert [each["expected"] for each in told["actual"]] == [None]
    assert "have changed since it was played" in view.value("runs")["runs"][0]["changed"]
    assert view.value("report-0")["tables"] == []


def test_a_run_is_shown_without_a_suite_that_cannot_be_loaded(tmp_path: Path) -> None:
    run = scene.played(tmp_path / "run")

    def load(name: str, scale: int) -> Suite:
        raise SuiteError(f"no suite is named {name!r}")

    view = scene.view(run.folder, load=load)

    assert view.value("runs")["runs"][0]["changed"] == "its suite, toy, cannot be loaded here: no suite is named 'toy'"
    row = scene.rows(view)[0]
    assert (row["verdict"], row["template"]) == ("correct", "")
    told = view.value(f"trial-0-{row['key']}")
    assert told["task"] is None
    assert len(told["actual"]) == 1


def test_a_plugin_that_breaks_hides_no_record(tmp_path: Path) -> None:
    run = scene.played(tmp_path / "run")

    def load(name: str, scale: int) -> Suite:
        raise ZeroDivisionError("in somebody's plugin")

    assert "in somebody's plugin" in scene.view(run.folder, load=load).value("runs")["runs"][0]["changed"]


@pytest.mark.parametrize("name", sorted(path.name for path in V1.iterdir()))
def test_runs_of_version_1_are_shown(tmp_path: Path, name: str) -> None:
    shutil.copytree(V1 / name, tmp_path / name)

    def load(name: str, scale: int) -> Suite:
        raise SuiteError("not here")

    view = scene.view(tmp_path / name, load=load)

    assert view.value("runs")["runs"][0]["problems"] == []
    for row in scene.rows(view):
        assert view.value(f"trial-0-{row['key']}")["events"] > 0


def test_a_task_id_is_never_a_path(tmp_path: Path) -> None:
    evil = scene.TASKS[0].model_copy(update={"id": "../../../evil<script>alert(1)</script>"})
    run = scene.empty(tmp_path / "a" / "run")
    run.write(scene.record(evil))
    view = scene.view(run.folder, load=lambda *_: toy.suite([evil]))

    (row,) = scene.rows(view)

    assert row["task"] == evil.id
    assert view.value(f"trial-0-{row['key']}")["task"]["id"] == evil.id
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a"]


@pytest.mark.parametrize(
    "name",
    [
        "", "runs/", "index-1", "index-0-0", "index--1", "trial-0-zz", "trial-0-0123456789abcdef", "report-7",
        "compare", "events-0-0123456789abcdef-0", "../run", "index-0\n", "trial-0-..%2f..%2frun.json0",
    ],
)  # fmt: skip
def test_a_name_that_there_is_not_has_no_value(tmp_path: Path, name: str) -> None:
    assert scene.view(scene.played(tmp_path / "run").folder).value(name) is None


def test_events_come_in_pieces(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    many = 2 * PIECE + 5
    run.write(scene.record(events=[scene.call(n) for n in range(many)]))
    view = scene.view(run.folder)
    key = scene.only(view)

    told = view.value(f"trial-0-{key}")

    assert (told["events"], told["piece"], len(told["first"])) == (many, PIECE, PIECE)
    assert told["steps"] == list(range(many))
    last = view.value(f"events-0-{key}-2")
    assert last["piece"] == 2
    assert [event["at"] for event in last["events"]] == list(range(2 * PIECE, many))
    assert view.value(f"events-0-{key}-3") is None


def test_a_long_text_is_cut_and_says_how_long_it_is(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    data = {"result": ["x" * 5_000] * 200}
    call = scene.call(0, arguments={"body": "b" * 1_000_000}, data=data) | {"text": "t" * 20_000}
    run.write(scene.record(events=[call]))
    view = scene.view(run.folder)

    (event,) = view.value(f"trial-0-{scene.only(view)}")["first"]

    assert event["arguments"]["body"] == {"cut": True, "chars": 1_000_000, "start": "b" * 4_000}
    assert event["text"] == "t" * 20_000
    assert event["data"]["cut"] is True


def test_of_a_model_call_the_conversation_is_left_out(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    asked = {"kind": "model_call", "session": 0, "turn": 0, "purpose": "agent", "attempts": 2, "problem": "no JSON"}
    sent = {"request": {"model": "local/m", "messages": [{"content": "hello"}]}, "response": {"choices": ["hi"]}}
    run.write(scene.record(events=[asked | sent | {"usage": {"prompt_tokens": 7}}]))
    view = scene.view(run.folder)

    (event,) = view.value(f"trial-0-{scene.only(view)}")["first"]

    assert (event["model"], event["attempts"], event["problem"]) == ("local/m", 2, "no JSON")
    assert event["usage"]["prompt_tokens"] == 7
    assert event["request"]["cut"] is True
    assert event["request"]["chars"] > 10
    assert "hello" not in json.dumps(event)


def test_numbers_are_as_a_browser_keeps_them(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    record = scene.record(events=[scene.call(0, arguments={"id": 2**60 + 1, "n": 7})])
    path = run.path("oracle", "default", "toy-0", 0)
    text = record.model_dump_json().replace('"value":0.0', '"value":NaN').replace('"seconds":0.0', '"seconds":1e999')
    path.write_text(text, encoding="utf-8")
    view = scene.view(run.folder)

    told = json.loads(as_json(view.value(f"trial-0-{scene.only(view)}")), parse_constant=lambda name: pytest.fail(name))

    assert told["facts"]["seed"] == str(record.trajectory.seed), "which is more than a script's numbers can say"
    assert told["first"][0]["arguments"] == {"id": str(2**60 + 1), "n": 7}
    assert told["row"]["score"] is None
    assert told["row"]["seconds"] is None


def test_trials_of_one_task_in_all_runs_are_siblings(tmp_path: Path) -> None:
    one, two = scene.played(tmp_path / "one", trials=2), scene.played(tmp_path / "two", seed=1)
    view = scene.view(one.folder, two.folder)
    row = scene.rows(view)[0]

    found = view.value(f"trial-0-{row['key']}")["siblings"]

    assert [(each["run"], each["trial"], each["verdict"]) for each in found] == [(1, 0, "correct"), (0, 1, "correct")]


def test_a_fork_and_its_parent_know_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    parent = scene.played(Path("parent"))
    name = scene.files(parent)[0].stem
    child, lost = scene.empty(Path("child"), seed=1), scene.empty(Path("lost"), seed=2)
    child.write(scene.record(run_seed=1, parent={"run": "parent", "trial": name, "step": 1}))
    lost.write(scene.record(run_seed=2, parent={"run": "elsewhere", "trial": name, "step": 0}))
    view = scene.view(parent.folder, tmp_path / "child", lost.folder)
    forked = scene.only(view, 1)

    told = view.value(f"trial-1-{forked}")["parent"]

    assert (told["run"], told["folder"], told["step"]) == (0, "parent", 1)
    above = view.value(f"trial-0-{told['key']}")
    assert above["file"] == f"{name}.json"
    assert above["forks"] == [{"run": 1, "key": forked, "step": 1, "agent": "oracle"}]
    outside = view.value(f"trial-2-{scene.only(view, 2)}")["parent"]
    assert outside == {"run": None, "folder": "elsewhere", "key": None, "step": 0}


def test_the_index_says_where_forks_went_on_from_and_opens_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = scene.played(tmp_path / "parent")
    name = scene.files(parent)[0].stem
    child = scene.empty(tmp_path / "child", seed=1)
    child.write(scene.record(run_seed=1, parent={"run": str(parent.folder), "trial": name, "step": 1}))
    monkeypatch.setattr(Run, "read", lambda *_: pytest.fail("a record was opened"))
    view = scene.view(child.folder, parent.folder)

    (told,) = view.value("index-0")["columns"]["parent"]

    key = next(row["key"] for row in scene.rows(view, 1) if view.record(1, row["key"]) == scene.files(parent)[0])
    assert told == {"run": 1, "folder": str(parent.folder), "key": key, "step": 1}
    assert view.value("index-1")["columns"]["parent"] == [None] * 4


def test_the_rows_of_a_report_lead_to_their_trials(tmp_path: Path) -> None:
    run = scene.played(tmp_path / "run")

    first = scene.view(run.folder).value("report-0")["tables"][0]

    assert first.keys() == {"title", "columns", "rows", "numeric", "notes", "folded", "plots", "links", "cells", "part"}
    assert first["title"] == "Outcomes"
    assert first["links"] == [{"agent": "oracle", "condition": "default"}]
    assert first["rows"][0].keys() == set(first["columns"])
    assert len(first["numeric"]) == len(first["columns"])


@pytest.mark.parametrize(
    ("row", "link"),
    [
        ({"agent": "a", "tasks": 3}, {"agent": "a"}),
        ({"agent": "b", "tasks": 3}, None),
        ({"agent": "a", "user": "grounded@2", "level": "task"}, {"agent": "a"}),
        ({"agent": "a", "half": "tuned"}, None),
        ({"agent": "a", "segments": "2"}, {"agent": "a", "segments": 2}),
        ({"agent": "a", "designed class": "benign"}, {"agent": "a", "designed_class": "benign"}),
        ({"dimension": "goal"}, {"dimensions": "goal"}),
        ({"dimension": "input"}, {"dimensions": ["input", "input + x"]}),
        ({"tasks": 3}, None),
    ],
)
def test_a_row_leads_to_its_trials_or_nowhere(row: dict[str, Any], link: dict[str, Any] | None) -> None:
    chosen: dict[str, set[Any]] = {
        "agent": {"a"}, "segments": {1, 2}, "designed_class": {"benign"}, "dimensions": {"goal", "input", "input + x"}
    }  # fmt: skip

    (found,) = reports.tables([Table("t", list(row), [row])], "t", chosen)["tables"]

    assert found["links"] == [link]


def test_a_report_leaves_out_a_torn_record_and_is_made_anew_when_another_trial_ends(tmp_path: Path) -> None:
    run = scene.played(tmp_path / "run")
    scene.files(run)[0].write_text("{")
    view = scene.view(run.folder)
    assert view.value("report-0")["tables"][0]["rows"][0]["trials"] == 3

    run.write(scene.record(trial=0))

    assert view.value("report-0")["tables"][0]["rows"][0]["trials"] == 4


def test_runs_side_by_side_have_tables_of_their_own(tmp_path: Path) -> None:
    one, two = scene.played(tmp_path / "one"), scene.played(tmp_path / "two", seed=1)

    found = scene.view(one.folder, two.folder).value("compare")

    assert (found["tables"][0]["part"], found["tables"][0]["title"]) == ("Calibration", "Side by side")
    assert found["problem"] == ""


def test_a_run_given_twice_is_refused(tmp_path: Path) -> None:
    run = scene.played(tmp_path / "run")

    with pytest.raises(RunError, match="the same run is given twice"):
        scene.view(run.folder, tmp_path / "run" / ".." / "run")


@pytest.mark.parametrize(
    ("query", "tasks"),
    [
        ("in review", ["toy-1"]),
        ('"TO IN PROGRESS."', ["toy-0", "toy-3"]),
        ('"in to"', []),
        ("00000002 update_task", ["toy-2"]),
        ("template-3", ["toy-3"]),
        ('"odd, today"', ["toy-2"]),
        ("tagged toy-2", ["toy-2"]),
        ("ÄRGER straße", ["toy-1"]),
        ('"he said \\"no\\""', []),
        ("duration", []),
        ("", ["toy-0", "toy-1", "toy-2", "toy-3"]),
        ('"', ["toy-0", "toy-1", "toy-2", "toy-3"]),
    ],
)
def test_words_are_found_in_records_tasks_and_annotations(tmp_path: Path, query: str, tasks: list[str]) -> None:
    run = scene.played(tmp_path / "run")
    view = scene.view(run.folder, author="anna")
    keys = {row["task"]: row["key"] for row in scene.rows(view)}
    view.annotate({"run": 0, "key": keys["toy-2"], "kind": "note", "text": "Odd,\n  today"})
    view.annotate({"run": 0, "key": keys["toy-2"], "kind": "tag", "value": "tagged"})
    view.annotate({"run": 0, "key": keys["toy-1"], "kind": "note", "text": "viel Ärger in der STRASSE"})

    found = view.search(0, query)

    assert found is not None
    assert found["searched"] == 4
    assert sorted(found["keys"]) == sorted(keys[task] for task in tasks)


def test_what_is_told_by_escapes_is_found_as_it_reads(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    text = 'He said "no way"\n\tto Søren\\x'
    record = scene.record(events=[scene.call(0) | {"text": text}]).model_dump(mode="json")
    run.path("oracle", "default", "toy-0", 0).write_text(json.dumps(record, ensure_ascii=True))
    view = scene.view(run.folder)

    for query in ('way"', "søren\\x", '"to søren"', 'said "way'):
        found = view.search(0, query)
        assert found is not None
        assert len(found["keys"]) == 1, query


def test_judgements_are_shown_and_count(tmp_path: Path) -> None:
    from tests.judging import scene as judging

    tasks = judging.suite()
    run = Run.create(tmp_path / "run", scene.empty(tmp_path / "head", tasks).head)
    run.write(scene.record(judging.TASKS[0], scores=False))
    view = scene.view(run.folder, load=lambda *_: tasks, author="anna")
    key = scene.only(view)
    assert [each["query"] for each in view.value(f"trial-0-{key}")["judgements"]] == ["moved", "care"]
    assert view.value("index-0")["columns"]["verdict"] == ["unscored"]

    for query, value in (("moved", "yes"), ("care", "4")):
        view.annotate({"run": 0, "key": key, "kind": "verdict", "query": query, "value": value, "text": "seen"})

    (moved, care) = view.value(f"trial-0-{key}")["judgements"]
    assert moved["verdicts"] == [{"judge": "anna", "answer": "yes", "reason": "seen"}]
    assert care["verdicts"][0]["answer"] == 4
    assert view.value("index-0")["columns"]["verdict"] == ["correct"]
    assert view.value("index-0")["columns"]["human"] == [""]
    assert "Judges" in [table["title"] for table in view.value("report-0")["tables"]]


def test_a_broken_verdict_is_told_and_hides_no_trial(tmp_path: Path) -> None:
    from tests.judging import scene as judging

    tasks = judging.suite()
    run = Run.create(tmp_path / "run", scene.empty(tmp_path / "head", tasks).head)
    run.write(scene.record(judging.TASKS[0], scores=False))
    (run.folder / "judgements").mkdir()
    (run.folder / "judgements" / "x.json").write_text("{")
    view = scene.view(run.folder, load=lambda *_: tasks)

    assert view.value("index-0")["columns"]["verdict"] == ["unscored"]
    (problem,) = view.value("runs")["runs"][0]["problems"]
    assert "is not a verdict" in problem["text"]
    assert view.value(f"trial-0-{scene.only(view)}")["judgements"][0]["verdicts"] == []


def test_what_arrives_is_in_the_outline(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    arrival = {"kind": "arrival", "session": 0, "step": 0, "source": "feed", "text": "A new job", "writes": []}
    run.write(scene.record(events=[arrival, scene.call(0, status="failed")]))
    view = scene.view(run.folder)

    outline = view.value(f"trial-0-{scene.only(view)}")["outline"]

    assert [(each["at"], each["kind"], each["label"]) for each in outline] == [
        (0, "arrival", "A new job"), (1, "failed", "projects.update_task: Done."),
    ]  # fmt: skip


def test_the_last_thing_that_the_agent_said_is_in_the_outline(tmp_path: Path) -> None:
    run = scene.empty(tmp_path / "run")
    said = [{"kind": "message", "session": 0, "role": "assistant", "content": text} for text in ("First.", "Last.")]
    run.write(scene.record(events=said))
    view = scene.view(run.folder)

    outline = view.value(f"trial-0-{scene.only(view)}")["outline"]

    assert [(each["at"], each["kind"], each["label"]) for each in outline] == [(1, "last_words", "Last.")]


def test_a_view_writes_nothing_where_it_only_reads(tmp_path: Path) -> None:
    run = scene.played(tmp_path / "run")
    os.remove(run.folder / "index.jsonl")
    before = sorted(run.folder.rglob("*"))
    view = scene.view(run.folder, read_only=True)

    for name in ("runs", "index-0", "report-0"):
        view.value(name)

    assert sorted(run.folder.rglob("*")) == before
