"""Faulty requests written by hand: taken into the set where they hold, and named line by line where they do not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.drift.build import hand
from benchmarks.drift.build.records import HandText
from benchmarks.drift.environments import NAMES
from benchmarks.drift.faults.catalogue import category
from benchmarks.drift.faults.making import strategy_of, ways
from benchmarks.drift.frames import Variant, read
from benchmarks.drift.release import FOLDER
from benchmarks.drift.template import FAULTS
from harness.cli.problems import CallProblem
from harness.suite import SuiteError
from tests.drift.build.scenes import built, lines, tasks

LEAST = {"sql": 35, "terminal": 30, "apis": 45}
"""How many each environment has at least."""

MOVE = next(task for task in tasks() if task.template.id == "move")
OMITTED = next(way for way in ways(MOVE, "parameter") if way.mention.fault == "A1")
LIST = MOVE.values["list"].text
GOOD: dict[str, Any] = {
    "task": MOVE.id,
    "strategy": {
        "id": "A1", "slots": ["task"], "licence_query": strategy_of(MOVE, *OMITTED).licence_query
    },
    "words": "one more",
    "text": f"Could you move one more to {LIST}, please?",
}  # fmt: skip


def written(folder: Path, *those: dict[str, Any]) -> Path:
    """A file of these lines, in place of the repository's."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "sql.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in those), encoding="utf-8")
    return path


def taken(folder: Path, *those: dict[str, Any]) -> list[Variant]:
    """The released variants of a small build with these lines."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hand, "HAND", written(folder / "hand", *those).parent)
        built(folder, {"hand": True})
    return read(folder / "set" / "released" / "sql-variants.jsonl", Variant)


def test_a_request_written_by_hand_takes_the_place_of_the_one_from_slots(tmp_path: Path) -> None:
    found = [each for each in taken(tmp_path, GOOD) if each.task == MOVE.id and each.category == "parameter"]

    assert [(each.text, each.route, each.mention) for each in found] == [(GOOD["text"], "hand", "one more")]


def test_what_it_costs_is_worked_out_from_its_strategy(tmp_path: Path) -> None:
    (found,) = [each for each in taken(tmp_path, GOOD) if each.route == "hand"]

    elsewhere = sum(row["list_name"] != LIST for row in MOVE.rows["tasks"])  # those that can be moved there
    assert (found.k, found.luck, found.need) == (elsewhere, 1 / elsewhere, "required")
    assert [each.text for each in found.hidden] == [MOVE.values["task"].text]
    assert [each.truth for each in found.strategy.reveals] == [MOVE.values["task"].text]


def test_other_variants_stay_as_they_are(tmp_path: Path) -> None:
    with_it, without = taken(tmp_path / "one", GOOD), taken(tmp_path / "two")

    assert [each for each in with_it if each.route != "hand"] == [
        each for each in without if (each.task, each.category) != (MOVE.id, "parameter")
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"task": "task-000000000000"}, "task-000000000000 is not among the 4 released tasks of its environment"),
        ({"text": f"Move to {LIST}: {{task}}."}, "readable: A1 (omission) of"),
        ({"words": "another one"}, "quoted: A1 (omission) of"),
        ({"text": "Could you move one more?"}, "others_verbatim: A1 (omission) of"),
        ({"text": f"Move one more to {LIST}, {MOVE.values['task'].text}."}, "hidden: A1 (omission) of"),
        ({"strategy": {**GOOD["strategy"], "licence_query": "values of task that fit 'x'"}}, "move has no A1 with"),
        ({"strategy": {"id": "E4", "slots": ["task"]}}, "move has no E4 with ''"),
        (
            {
                "strategy": {"id": "I1"},
                "words": "What weather.",
                "text": f"What weather. So: {MOVE.text[:-1]}, please.",
            },
            "adds_only: I1 (irrelevance) of",
        ),
    ],
)
def test_a_line_that_does_not_hold_is_named_with_what_is_wrong(
    tmp_path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(CallProblem, match="1 of the requests written by hand do not hold") as problem:
        taken(tmp_path, {**GOOD, **changes})

    assert f"sql.jsonl:1: {said}" in str(problem.value)


def test_a_fault_whose_precondition_fails_is_refused_with_its_name(tmp_path: Path) -> None:
    count = next(task for task in tasks() if task.template.id == "count")
    joiner = next(way for way in ways(count, "expression") if way.mention.fault == "E3")
    strategy = {"id": "E3", "slots": ["person"], "licence_query": strategy_of(count, *joiner).licence_query}
    text = f"How many jobs are there in {count.values['list'].text} for one of our joiners, please?"

    with pytest.raises(CallProblem, match=r"sql.jsonl:1: E3 on count\.person: "):
        taken(
            tmp_path,
            {"task": count.id, "strategy": strategy, "words": "one of our joiners", "text": text},
        )


def test_all_lines_that_do_not_hold_are_named_at_once(tmp_path: Path) -> None:
    twin = {**GOOD, "text": f"Please get one more to {LIST}."}
    with pytest.raises(CallProblem, match="2 of the requests written by hand do not hold") as problem:
        taken(tmp_path, GOOD, twin, {**GOOD, "task": "task-1"})

    assert f"sql.jsonl:2: {MOVE.id} has two requests with a fault of parameter; keep one" in str(problem.value)
    assert "sql.jsonl:3: task-1 is not among" in str(problem.value)


def test_a_line_that_cannot_be_read_is_named_with_its_field(tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match=r"sql.jsonl:1: strategy\.id: Input should be 'I1'"):
        taken(tmp_path, {**GOOD, "strategy": {"id": "Z9"}})


# Those of the repository.


def repository(name: str) -> Sequence[HandText]:
    return read(hand.HAND / f"{name}.jsonl", HandText)


@pytest.mark.parametrize("name", NAMES)
def test_there_are_enough_requests_written_by_hand_and_all_are_released_as_they_were_written(name: str) -> None:
    there = {each["text"]: each for each in lines(FOLDER / f"{name}-variants.jsonl") if each["route"] == "hand"}
    mine = repository(name)

    assert len(mine) >= LEAST[name]
    assert {each.text for each in mine} == there.keys()
    for each in mine:
        found = there[each.text]
        assert (found["task"], found["strategy"]["id"]) == (each.task, each.strategy.id)
        assert found["added"] + found["mention"] == each.words


def test_every_fault_is_written_by_hand_in_every_environment() -> None:
    for name in NAMES:
        counted = Counter(each.strategy.id for each in repository(name))
        assert counted.keys() == set(FAULTS)
        assert {category(fault) for fault in counted} == {"intention", "premise", "parameter", "expression"}
