"""The published layout: read whole, written as it was, and played without what gives the answer away."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.probe.published import Published, PublishedError, exported, imported, pairs, read
from benchmarks.probe.records import Document, Sample
from benchmarks.probe.scoring.execution import ungrounded
from tests.probe.scoring.toys import DETAILS, sample

WORLD: dict[str, Any] = {
    "persona_full_name": "Ida Holm",
    "context_difficulty": "hard",
    "relationships": [{"name": "Raj Sen", "email": "raj@mill.example", "solves_bottleneck": 1}],
    "available_actions": [
        {
            "id": "escalate",
            "type": "escalate_to_manager",
            "description": "Escalate something.",
            "constraints": ["in_writing"],
            "params_schema": {"required": ["original_recipient", "deadline", "ticket_id", "message"]},
            "solves_bottleneck": 1,
        },
        {
            "id": "report",
            "type": "send_email",
            "description": "Report.",
            "params_schema": {"required": ["to"], "properties": {"to": {"type": "array", "description": "Whom."}}},
            "solves_bottleneck": None,
        },
    ],
}
GIVEN: dict[str, Any] = {
    "world_model": WORLD,
    "data_points": [
        {
            "id": f"tp_{number}",
            "type": "email",
            "payload": {
                "subject": "S",
                "sender": "a",
                "to": ["b"],
                "timestamp": "2025-01-02T10:00",
                "body": f"B{number}",
            },
            "created_at": "2025-01-02",
        }
        for number in range(2)
    ]
    + [
        {"id": "k_0", "type": "calendar_event", "payload": {"title": "T", "start_time": "2025-01-02T10:00", "odd": 1}},
        {"id": "k_1", "type": "document", "payload": {"title": "Ö", "mime": "text/csv", "content": "RQ-7"}},
    ],
    "annotation_instructions": {"task": "Review."},
}
KEY: dict[str, Any] = {
    "world_model": WORLD,
    "bottleneck": {"description": "Raj waits.", "index": 1},
    "checklist": {
        "checklist_id": "c",
        "required_steps": [
            {"step_type": "retrieval", "success_criteria": {}},
            {
                "step_type": "task_execution",
                "success_criteria": {
                    "correct_action": "escalate",
                    "correct_parameters": {"original_recipient": "Raj Sen", "ticket_id": "RQ-7", "channel": "chat"},
                },
            },
        ],
    },
    "true_positive_ids": ["tp_0", "tp_1"],
    "distractor_ids": ["k_0", "k_1"],
    "metadata": {"seed": 42},
}


def published(change: Callable[[dict[str, Any], dict[str, Any]], Any] = lambda given, key: None) -> Published:
    given, key = copy.deepcopy((GIVEN, KEY))
    change(given, key)
    return Published("p_b1", given, key)


def texts(found: Sample) -> list[str]:
    return [json.dumps(document.payload, sort_keys=True) for document in found.documents]


def test_files_are_written_as_they_were_read_with_fields_that_nobody_knows(tmp_path: Path) -> None:
    first, second = published().write(tmp_path / "a")
    again = read(first, second).write(tmp_path / "b")

    assert (first.name, second.name) == ("p_b1_input.json", "p_b1_output.json")
    assert [path.read_bytes() for path in again] == [first.read_bytes(), second.read_bytes()]
    assert json.loads(first.read_text(encoding="utf-8")) == GIVEN
    assert json.loads(second.read_text(encoding="utf-8")) == KEY


def test_a_sample_holds_id_type_and_payload_under_other_ids() -> None:
    source = imported(published(), 1)

    assert [document.id for document in source.sample.documents] == ["D001", "D002", "D003", "D004"]
    assert {source.ids[each.id]: each for each in source.sample.documents}["k_0"] == Document(
        id=next(id for id, was in source.ids.items() if was == "k_0"),
        type="event",
        payload={"title": "T", "start_time": "2025-01-02T10:00", "odd": 1},
    )
    assert sorted(source.ids.values()) == ["k_0", "k_1", "tp_0", "tp_1"]
    assert "created_at" not in source.sample.model_dump_json()


def test_the_order_is_the_seed_s_and_not_the_file_s() -> None:
    def turned(given: dict[str, Any], key: dict[str, Any]) -> None:
        key["distractor_ids"].reverse()

    orders = [tuple(imported(published(), seed).ids.values()) for seed in range(20)]

    assert imported(published(), 3).sample == imported(published(turned), 3).sample
    assert len(set(orders)) > 5
    assert any(not order[0].startswith("tp") for order in orders)


def test_nothing_marks_the_right_action() -> None:
    found = imported(published(), 1).sample

    assert "solves_bottleneck" not in found.model_dump_json()
    assert "available_actions" not in found.world_model
    assert found.world_model["relationships"] == [{"name": "Raj Sen", "email": "raj@mill.example"}]
    assert sorted(action.id for action in found.actions) == ["escalate", "report"]


def test_the_key_goes_by_the_new_ids() -> None:
    source = imported(published(), 1)
    gold = source.sample.gold

    assert {source.ids[id] for id in gold.true_positives} == {"tp_0", "tp_1"}
    assert list(gold.true_positives) == sorted(gold.true_positives)
    assert (gold.description, gold.action, gold.parameters["ticket_id"]) == ("Raj waits.", "escalate", "RQ-7")
    assert all(detail is None for _, detail in gold.details)
    assert (source.sample.persona_id, source.sample.difficulty, source.sample.level) == ("Ida Holm", "hard", "model")


def test_parameters_have_kinds_that_their_names_tell() -> None:
    actions = {action.id: action for action in imported(published(), 1).sample.actions}

    assert {name: each.kind for name, each in actions["escalate"].params_schema.properties.items()} == {
        "original_recipient": "person",
        "deadline": "date",
        "ticket_id": "id",
        "message": "text",
    }
    to = actions["report"].params_schema.properties["to"]
    assert (to.kind, to.critical, to.description) == ("people", True, "Whom.")


def test_what_nobody_could_have_read_makes_a_sample_ungrounded() -> None:
    assert ungrounded(imported(published(), 1).sample) == ("ticket_id", "channel")


@pytest.mark.parametrize(
    "change",
    [
        lambda given, key: given.update(documents=given.pop("data_points")),
        lambda given, key: given["world_model"].update(actions=given["world_model"].pop("available_actions")),
        lambda given, key: key.update(bottleneck="Raj waits."),
        lambda given, key: key.update(true_positives=[{"id": id} for id in key.pop("true_positive_ids")]),
        lambda given, key: [point.update(content=point.pop("payload")) for point in given["data_points"]],
        lambda given, key: key["checklist"].update(steps=key["checklist"].pop("required_steps")),
        lambda given, key: key["checklist"]["required_steps"][1].update(step_type="task_selection"),
        lambda given, key: [
            each.update(action_id=each.pop("id"), action_type=each.pop("type"))
            for each in given["world_model"]["available_actions"]
        ],
    ],
)
def test_names_of_paper_and_code_are_taken_alike(change: Callable[[dict[str, Any], dict[str, Any]], Any]) -> None:
    assert imported(published(change), 1) == imported(published(), 1)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda given, key: given.pop("data_points"),
         "p_b1_input.json: data_points: is missing (or documents, corpus)"),
        (lambda given, key: given["data_points"][2].pop("id"), "p_b1_input.json: data_points[2].id: is missing"),
        (lambda given, key: given["data_points"][0].update(type="fax"), "p_b1_input.json: data_points[0].type: 'fax'"),
        (lambda given, key: given["data_points"][0].update(payload=3),
         "p_b1_input.json: data_points[0].payload: has to be an object"),
        (lambda given, key: given["data_points"].append(given["data_points"][0]), "there is a document 'tp_0' already"),
        (lambda given, key: given["world_model"].pop("context_difficulty"),
         "p_b1_input.json: world_model.context_difficulty: is missing"),
        (lambda given, key: given["world_model"].update(context_difficulty="mild"), "'mild' is none of easy, medium"),
        (lambda given, key: given["world_model"]["available_actions"][1].pop("description"),
         "p_b1_input.json: world_model.available_actions[1].description: is missing"),
        (lambda given, key: key.pop("bottleneck"), "p_b1_output.json: bottleneck: is missing"),
        (lambda given, key: key["true_positive_ids"].append("tp_9"),
         "p_b1_output.json: true_positive_ids[2]: 'tp_9' is none of the documents"),
        (lambda given, key: key["checklist"]["required_steps"].pop(),
         "p_b1_output.json: checklist.required_steps: none has the step_type task_execution"),
        (lambda given, key: key["checklist"]["required_steps"][1]["success_criteria"].update(correct_action="x"),
         "checklist.required_steps[1].success_criteria.correct_action: 'x' is none of the actions"),
        (lambda given, key: key["checklist"]["required_steps"][1]["success_criteria"].clear(),
         "checklist.required_steps[1].success_criteria.correct_action: is missing (or action_id, action)"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_by_file_and_field(
    change: Callable[[dict[str, Any], dict[str, Any]], Any], problem: str
) -> None:
    with pytest.raises(PublishedError) as error:
        imported(published(change), 1)
    assert problem in str(error.value)


@pytest.mark.parametrize(("text", "problem"), [("{", "cannot be read as JSON"), ("[]", "has to be an object")])
def test_a_file_that_is_no_object_is_named(tmp_path: Path, text: str, problem: str) -> None:
    first, second = published().write(tmp_path)
    second.write_text(text, encoding="utf-8")

    with pytest.raises(PublishedError) as error:
        read(first, second)
    assert str(error.value).startswith(f"{second}: ")
    assert problem in str(error.value)


def test_samples_are_found_in_folders_of_their_own(tmp_path: Path) -> None:
    for id in ("b", "a"):
        first, second = Published(id, GIVEN, KEY).write(tmp_path)
        (tmp_path / "inputs").mkdir(exist_ok=True)
        (tmp_path / "outputs").mkdir(exist_ok=True)
        first.rename(tmp_path / "inputs" / first.name)
        second.rename(tmp_path / "outputs" / second.name)

    assert [(id, given.name, key.name) for id, given, key in pairs(tmp_path)] == [
        ("a", "a_input.json", "a_output.json"),
        ("b", "b_input.json", "b_output.json"),
    ]
    (tmp_path / "outputs" / "a_output.json").unlink()
    with pytest.raises(PublishedError, match=r"a_input.json: a_output.json is not there"):
        pairs(tmp_path)


def test_a_sample_of_ours_is_written_in_the_layout() -> None:
    found = exported(sample())

    assert [list(point) for point in found.given["data_points"]] == [["id", "type", "payload"]] * 5
    assert "sender" in found.given["data_points"][0]["payload"]
    assert "from" in exported(sample(), "paper").given["data_points"][0]["payload"]
    assert "solves_bottleneck" not in json.dumps(found.given)
    assert [each["solves_bottleneck"] for each in found.key["world_model"]["available_actions"]] == [1, None]
    assert (found.key["true_positive_ids"], found.key["distractor_ids"]) == (["D1", "D2"], ["D3", "D4", "D5"])
    assert [step["step_type"] for step in found.key["checklist"]["required_steps"]] == [
        "retrieval",
        "identification",
        "task_execution",
    ]
    assert list(exported(sample()).given) == ["world_model", "data_points"]


def test_what_an_agent_gets_says_nothing_of_the_key() -> None:
    given = json.dumps(exported(sample()).given)

    assert "lapsed access" not in given
    assert sample().gold.description not in given


@pytest.mark.parametrize(
    "key", [sample(), sample(action=None, parameters={}, mentions={}, true_positives=(), neutral=())]
)
def test_a_sample_of_ours_comes_back_under_other_ids(tmp_path: Path, key: Sample) -> None:
    source = imported(read(*exported(key, "paper").write(tmp_path)), 5)
    back, names = source.sample, source.ids

    assert sorted(texts(back)) == sorted(texts(key))
    assert sorted(back.actions, key=lambda each: each.id) == sorted(key.actions, key=lambda each: each.id)
    assert {names[id] for id in back.gold.true_positives} == set(key.gold.true_positives)
    assert {names[id] for id in back.gold.neutral} == set(key.gold.neutral)
    for name, detail in back.gold.details:
        assert (detail and detail.value) == ((was := getattr(DETAILS, name)) and was.value)
        assert [names[id] for id in (detail.stated_in if detail else ())] == list(was.stated_in if was else ())
    assert (back.gold.action, back.gold.parameters, back.gold.mentions) == (
        key.gold.action,
        key.gold.parameters,
        key.gold.mentions,
    )
    assert (back.difficulty, back.level, back.now, back.persona_id) == (key.difficulty, key.level, key.now, "P1")
    assert back.world_model == key.world_model
