"""What is in the two sets: texts, what they hide, what they cost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter

import pytest

from benchmarks.composed.checks import check
from benchmarks.composed.making import NEVER, Composed, ordered
from benchmarks.composed.suite import composed, played
from benchmarks.drift.need import MOST_LUCK, NEEDY, Refused
from benchmarks.drift.template import FAULTS
from benchmarks.lhaw.leaks import plain
from tests.composed.sets import NUMBERS, of, source, spots_of

SETS = pytest.mark.parametrize("name", NUMBERS)


def _needy(name: str) -> list[Composed]:
    return [each for each in of(name).faulty if each.variant.need in NEEDY]


@SETS
def test_a_set_has_as_many_requests_as_it_should(name: str) -> None:
    assert len(of(name).faulty) == NUMBERS[name]


@SETS
def test_a_task_has_four_faulty_requests_at_most_and_one_of_each_category(name: str) -> None:
    kinds = Counter((each.task.id, each.variant.category) for each in of(name).faulty)

    assert set(kinds.values()) == {1}


@SETS
def test_every_faulty_request_differs_from_the_original_and_from_all_others(name: str) -> None:
    texts = [each.variant.text for each in of(name).faulty]

    assert len(set(texts)) == len(texts)
    assert all(
        plain(each.variant.text) != plain(each.task.sessions[0].requests["original"]) for each in of(name).faulty
    )


@SETS
def test_a_hidden_value_is_nowhere_in_the_text_unless_two_mentions_disagree(name: str) -> None:
    said = [
        each.variant.text
        for each in _needy(name)
        if each.variant.strategy.id != "A3"
        and re.search(rf"(?<!\w){re.escape(plain(each.variant.hidden[0].text))}(?!\w)", plain(each.variant.text))
    ]

    assert said == []


@SETS
def test_a_guess_is_right_half_of_the_time_at_most_where_the_user_is_needed(name: str) -> None:
    for each in _needy(name):
        assert each.variant.k == len(each.readings) >= 2
        assert each.variant.luck == 1 / each.variant.k <= MOST_LUCK


@SETS
def test_where_the_user_is_needed_every_other_value_would_lead_elsewhere(name: str) -> None:
    for each in _needy(name):
        slot = next(slot for slot in each.task.slots if slot.name == each.variant.hidden[0].slot)

        assert (slot.criticality, slot.guessability) == (1, 0)


@SETS
def test_what_a_false_premise_names_stands_nowhere_in_its_world(name: str) -> None:
    premises = [each for each in of(name).faulty if each.variant.strategy.id in ("P1", "P2")]

    assert premises
    for each in premises:
        assert not spots_of(name).place(each.task.world).says(each.variant.mention)


def test_all_faults_are_there_but_those_that_slots_are_not_enough_for() -> None:
    there = {each.variant.strategy.id for name in NUMBERS for each in of(name).faulty}

    assert there == set(FAULTS) - NEVER.keys()


def test_a_fault_that_slots_are_not_enough_for_is_refused_by_name_with_the_reason() -> None:
    refused = {each.fault: str(each) for each in of("workbench-synth").refused if each.fault in NEVER}

    assert refused.keys() == NEVER.keys()
    for fault, text in refused.items():
        assert text.startswith(f"{fault} on wb-synth-")
        assert NEVER[fault] in text


@SETS
def test_whatever_is_refused_says_of_which_fault_it_is_and_why(name: str) -> None:
    assert of(name).refused
    for each in of(name).refused:
        assert each.fault in str(each)
        assert each.reason


@SETS
def test_tasks_in_which_nothing_is_to_change_are_left_out(name: str) -> None:
    assert all(end.changes for each in of(name).faulty for end in each.task.ends)


@SETS
def test_a_task_says_what_was_withheld_and_what_stands(name: str) -> None:
    for each in of(name).faulty:
        brief = played(name, each).sessions[0].briefs["faulty"]
        gone = [item.slot for item in each.variant.hidden]

        assert [segment.id for segment in brief.withheld] == gone
        assert {segment.id for segment in brief.stated} - {"noise"} == {s.name for s in each.task.slots} - {*gone}
        assert (brief.intent, brief.sent) == (each.task.sessions[0].requests["original"], each.variant.text)


@SETS
def test_what_an_informed_agent_is_told_has_the_value_and_the_whole_request(name: str) -> None:
    for each in _needy(name):
        told = played(name, each).sessions[0].requests["informed"]

        assert told.startswith(each.variant.text)
        assert each.variant.hidden[0].text in told.removeprefix(each.variant.text).partition("In full:")[0]
        assert told.endswith(each.task.sessions[0].requests["original"])


@SETS
def test_an_environment_of_a_set_is_its_source_and_none_of_ours(name: str) -> None:
    assert {played(name, each).facts["environment"] for each in of(name).faulty} == {name}


def test_a_conflict_is_right_in_its_first_mention_about_as_often_as_in_its_second() -> None:
    both = [each for name in NUMBERS for each in of(name).faulty if each.variant.strategy.id == "A3"]
    first = sum(each.variant.hidden[0].text in each.variant.mention for each in both)

    assert 0.25 < first / len(both) < 0.75


def test_tasks_of_all_templates_come_before_a_second_one_of_any() -> None:
    tasks = spots_of("workbench-synth").tasks
    templates = {task.template for task in tasks}

    assert {task.template for task in ordered(tasks, 7)[: len(templates)]} == templates


def test_another_seed_makes_another_set() -> None:
    tasks = spots_of("workbench-synth").tasks

    assert [task.id for task in ordered(tasks, 7)] != [task.id for task in ordered(tasks, 8)]


def test_a_text_that_has_passed_passes_again() -> None:
    from benchmarks.composed.making import ways_of
    from benchmarks.drift.template import Draw

    known = spots_of("workbench-synth")
    each = next(each for each in of("workbench-synth").faulty if each.variant.strategy.id == "P1")
    ways = [way for way in ways_of(known, each.task, "P1", Draw(7)) if not isinstance(way, Refused)]

    check(each.task, next(way for way in ways if way.text == each.variant.text))


_DIGEST = """
from benchmarks.composed.suite import composed, found
from harness.wiring import suite
source = suite("workbench-synth")
print(composed(source, found(source, number=24), "some").digest)
"""


def test_another_hash_seed_makes_the_same_set() -> None:
    of_source = source("workbench-synth")
    from benchmarks.composed.suite import found

    here = composed(of_source, found(of_source, number=24), "some").digest
    there = subprocess.run(
        [sys.executable, "-c", _DIGEST],
        env={**os.environ, "PYTHONHASHSEED": "271"}, capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip

    assert there == here
