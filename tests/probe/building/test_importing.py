"""`harness import probe`: samples in the published layout, played and scored without what gives the answer away."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from benchmarks.probe import worlds
from benchmarks.probe.published import Published, exported
from harness.core.config import Condition, IdleConfig, OracleConfig, ReferenceConfig, RunConfig
from harness.play.run import evaluate
from harness.record.scores import scores
from harness.suite import Scored
from harness.wiring import suite, wiring
from tests.cli.conftest import Call
from tests.probe.published.test_published import GIVEN, KEY, WORLD

STRUCTURED = Condition(prompt="one", toolsets={"datastore": "default", "actions": "structured"})
PAPER = Condition(prompt="any", toolsets={"datastore": "paper", "actions": "paper"})
AGENTS = (IdleConfig(kind="idle"), OracleConfig(kind="oracle"), ReferenceConfig(kind="reference"))

Change = Callable[[dict[str, Any], dict[str, Any]], object]


def put(folder: Path, id: str = "p_b1", change: Change = lambda given, key: None) -> tuple[Path, Path]:
    """A published sample of four documents, in its two files."""
    given, key = copy.deepcopy((GIVEN, KEY))
    change(given, key)
    return Published(id, given, key).write(folder)


def grounded(given: dict[str, Any], key: dict[str, Any]) -> None:
    """Its key asks for what a true positive says."""
    given["data_points"][0]["payload"]["body"] = "Raj Sen has to sign RQ-7."
    key["checklist"]["required_steps"][1]["success_criteria"]["correct_parameters"].pop("channel")


def played(name: str, agents: tuple[Any, ...], condition: Condition, folder: Path) -> Mapping[str, Scored]:
    found = suite(name)
    config = RunConfig(suite=name, agents=agents, conditions={"only": condition})
    records = evaluate(config, found, wiring(), folder).records()
    return {each.trajectory.agent: Scored(each.trajectory, each.scores) for each in records}


def test_a_sample_of_ours_goes_out_and_comes_back_to_be_solved(call: Call, tmp_path: Path) -> None:
    name = "grammar-1-0013-easy"
    ours = worlds.sample(name)
    exported(ours).write(tmp_path / "theirs")

    assert call("import", "probe", "theirs").status == 0
    trials = played("sets/theirs", AGENTS, STRUCTURED, tmp_path / "run")
    assert [trials[agent].scores["strict"].value for agent in ("idle", "oracle", "reference")] == [0.0, 1.0, 1.0]
    assert trials["idle"].scores["strict"].detail["grammar"]["strict"] == 1.0
    found = suite("sets/theirs")
    assert found.tasks[0].facts["difficulty"] == "easy"
    assert found.worlds[name] != suite("probe-workplace").worlds[name]
    assert call("report", "run").status == 0


def test_what_is_served_says_nothing_of_the_answer(call: Call, tmp_path: Path) -> None:
    put(tmp_path / "theirs")
    call("import", "probe", "theirs")
    found = suite("sets/theirs")
    (task,) = found.tasks
    world = found.load_world(task.world)
    rows = [row for table in world.rows["datastore"].values() for row in table]
    shown = json.dumps([world.rows, task.model_dump(mode="json", include={"sessions"})])

    assert [set(row) for row in rows] == [{"id", "place", "payload"}] * 4
    assert sorted(row["id"] for row in rows) == ["D001", "D002", "D003", "D004"]
    assert [
        word for word in ("solves_bottleneck", "created_at", "critical", "tp_0", "Raj waits") if word in shown
    ] == []
    assert world.now.isoformat() == "2025-01-02T09:00:00"
    assert world.owner is not None
    assert world.owner.name == "Ida Holm"


def test_the_seed_decides_the_order(call: Call, tmp_path: Path) -> None:
    put(tmp_path / "theirs")
    for seed in range(8):
        call("import", "probe", "theirs", "--seed", seed, "--out", f"set-{seed}")
    orders = [
        tuple(json.loads((tmp_path / f"set-{seed}" / "index.jsonl").read_text(encoding="utf-8"))["source"].values())
        for seed in range(8)
    ]

    assert len(set(orders)) > 3


def test_a_sample_that_no_grammar_made_is_played_and_judged(call: Call, tmp_path: Path) -> None:
    put(tmp_path / "theirs", change=grounded)
    call("import", "probe", "theirs")
    scores = played("sets/theirs", AGENTS[:2], PAPER, tmp_path / "run")["oracle"].scores

    assert (scores["search_f1"].value, scores["execution"].value, scores["identification"].value) == (1.0, 1.0, None)
    assert scores["strict"].detail["grammar"]["strict"] is None
    assert call("report", "run").status == 0


@pytest.mark.parametrize(("options", "value"), [((), None), (("--paper",), 0.0)])
def test_what_nobody_could_have_read_is_scored_under_the_papers_rules_only(
    call: Call, tmp_path: Path, options: tuple[str, ...], value: float | None
) -> None:
    put(tmp_path / "theirs")
    status, _, err = call("import", "probe", "theirs", *options)
    scores = played("sets/theirs", AGENTS[1:2], STRUCTURED, tmp_path / "run")["oracle"].scores

    assert (status, "ask for parameters that nobody could have read" in err) == (0, not options)
    assert scores["execution"].value == value  # the action does not take the parameter `channel`
    assert suite("sets/theirs").version == ("1-paper" if options else "1")


def unread(given: dict[str, Any], key: dict[str, Any]) -> None:
    """Its key asks for a reference that stands nowhere, and for nothing that the action does not take."""
    key["checklist"]["required_steps"][1]["success_criteria"]["correct_parameters"].pop("channel")


def more(given: dict[str, Any], key: dict[str, Any]) -> None:
    """Its key asks for what a true positive says, and for a parameter that the action does not take."""
    given["data_points"][0]["payload"]["body"] = "Raj Sen has to sign RQ-7."


@pytest.mark.parametrize("change", [unread, more])
def test_the_execution_of_an_ungrounded_sample_is_unscored_for_every_agent(
    call: Call, tmp_path: Path, change: Change
) -> None:
    put(tmp_path / "theirs", change=change)
    assert "their execution is not scored" in call("import", "probe", "theirs").err
    trials = played("sets/theirs", AGENTS[:2], STRUCTURED, tmp_path / "run")
    found = suite("sets/theirs")
    (act,) = trials["oracle"].trajectory.changes
    wrong = act.model_copy(update={"after": {**(act.after or {}), "action": "another"}})
    astray = scores(found.checks, found.tasks[0], trials["oracle"].trajectory.model_copy(update={"changes": [wrong]}))

    for each in (trials["oracle"].scores, trials["idle"].scores, astray):
        assert [each[name].value for name in ("execution", "overall", "strict")] == [None, None, None]
        assert "nobody could have read what the key asks for" in each["execution"].reason
    tables = json.loads(call("report", "run", "--json").out)["tables"]
    (rows,) = (rows for title, rows in tables.items() if "search, identification and execution" in title)
    assert [(row["Model"], row["Task Execution"], row["unscored"]) for row in rows] == [
        ("idle", None, 1),
        ("oracle", None, 1),
    ]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda given, key: given["data_points"][2].pop("id"), "theirs/bad_input.json: data_points[2].id: is missing"),
        (lambda given, key: key["true_positive_ids"].append("tp_9"),
         "theirs/bad_output.json: true_positive_ids[2]: 'tp_9' is none of the documents"),
        (lambda given, key: given["world_model"].update(available_actions=WORLD["available_actions"] * 2),
         "theirs/bad_input.json: world_model.available_actions[2]: there is an action 'escalate' already"),
        (lambda given, key: [point["payload"].clear() for point in given["data_points"]],
         "theirs/bad_input.json: data_points: no payload has a date"),
        (lambda given, key: given["data_points"][2].update(id="\ud800"),
         "theirs/bad_input.json: it contains an unpaired surrogate: '\\ud800'"),
    ],
)  # fmt: skip
def test_a_broken_sample_is_told_by_file_and_field_and_the_others_are_there(
    call: Call, tmp_path: Path, change: Change, problem: str
) -> None:
    put(tmp_path / "theirs", "good")
    given, key = copy.deepcopy((GIVEN, KEY))
    change(given, key)
    for side, content in (("input", given), ("output", key)):
        (tmp_path / "theirs" / f"bad_{side}.json").write_text(json.dumps(content), encoding="utf-8")
    status, out, err = call("import", "probe", "theirs")

    assert (status, "sets/theirs: 1 samples" in out) == (1, True)
    assert f"  bad: {problem}" in err
    assert [task.id for task in suite("sets/theirs").tasks] == ["good"]


@pytest.mark.parametrize(("lacking", "left"), [("input", "output"), ("output", "input")])
def test_half_a_sample_is_told_by_the_file_that_is_not_there(
    call: Call, tmp_path: Path, lacking: str, left: str
) -> None:
    put(tmp_path / "theirs", "good")
    put(tmp_path / "theirs", "half")
    (tmp_path / "theirs" / f"half_{lacking}.json").unlink()

    assert f"  half: theirs/half_{left}.json: half_{lacking}.json is not there" in call("import", "probe", "theirs").err


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "cannot be read as JSON"),
        ('{"a": NaN}', "NaN is not a number"),
        ("[" * 9999, "nested too deeply"),
        ("[]", "has to be an object"),
    ],
)
def test_a_file_that_is_no_json_object_is_named(call: Call, tmp_path: Path, text: str, problem: str) -> None:
    _, key = put(tmp_path / "theirs")
    key.write_text(text, encoding="utf-8")
    err = call("import", "probe", "theirs").err

    assert "theirs/p_b1_output.json: " in err
    assert problem in err


@pytest.mark.parametrize("name", ["nowhere", "empty", "file"])
def test_a_folder_without_samples_is_refused(call: Call, tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    status, out, err = call("import", "probe", name)

    assert (status, out, (tmp_path / "sets").exists()) == (2, "", False)
    assert err.startswith(f"harness: {name}")


def test_what_has_changed_is_read_again_and_nothing_else(call: Call, tmp_path: Path) -> None:
    put(tmp_path / "theirs", "a")
    put(tmp_path / "theirs", "b")
    call("import", "probe", "theirs")
    before = (tmp_path / "sets" / "theirs" / "samples" / "a.json").stat().st_mtime_ns
    put(tmp_path / "theirs", "b", grounded)
    out = json.loads(call("import", "probe", "theirs", "--json").out)

    assert (out["samples"], out["before"]) == (2, 1)
    assert (tmp_path / "sets" / "theirs" / "samples" / "a.json").stat().st_mtime_ns == before
    assert b"has to sign" in (tmp_path / "sets" / "theirs" / "samples" / "b.json").read_bytes()


def test_the_paper_s_rules_do_not_take_the_place_of_ours(call: Call, tmp_path: Path) -> None:
    put(tmp_path / "theirs")
    call("import", "probe", "theirs")

    assert "paper: false then, true now" in call("import", "probe", "theirs", "--paper").err
