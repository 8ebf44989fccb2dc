"""The routing gate: what the grounded user understands, on labelled questions of our own."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.users.first.routing import labelled, measure, scenes
from userssim.first.grounded import GroundedUser
from userssim.first.parse import cues

SPLITS = ("dev", "held-out")


@pytest.mark.parametrize("split", SPLITS)
def test_routing_is_precise_and_misses_little(split: str) -> None:
    routing = measure([item for item in labelled() if item.split == split])

    assert routing.precision is not None
    assert routing.precision >= 0.95
    assert routing.recall is not None
    assert routing.recall >= 0.9


def test_an_answer_never_holds_a_value_beyond_its_targets() -> None:
    assert measure(labelled()).untargeted == 0


def test_no_value_that_nobody_asked_for_leaks_on_the_questions_it_was_tuned_on() -> None:
    assert measure([item for item in labelled() if item.split == "dev"]).leaks == 0


def test_a_third_of_the_questions_is_held_out_and_each_split_has_every_family() -> None:
    families = {split: Counter(item.family for item in labelled() if item.split == split) for split in SPLITS}

    assert len(labelled()) >= 300
    assert sum(families["held-out"].values()) >= len(labelled()) / 3
    assert families["dev"].keys() == families["held-out"].keys()


def test_no_question_is_asked_twice_in_a_scene_and_every_target_is_withheld_there() -> None:
    asked = Counter((item.scene, item.question) for item in labelled())

    assert max(asked.values()) == 1
    for item in labelled():
        assert set(item.targets) <= {fact.id for fact in scenes()[item.scene].withheld}


def test_every_withheld_value_is_in_the_full_request_and_not_in_the_one_sent() -> None:
    for name, wish in scenes().items():
        for fact in wish.withheld:
            assert fact.value in wish.full, name
            assert fact.value not in wish.sent, name


def test_every_kind_with_cues_is_withheld_in_some_scene() -> None:
    covered = {fact.kind for wish in scenes().values() for fact in (*wish.withheld, *wish.stated)}

    assert set(cues()["kinds"]) <= covered


@pytest.mark.parametrize("family", ["fishing", "generic", "decoy", "near-miss"])
def test_questions_that_name_nothing_withheld_get_no_value(family: str) -> None:
    answers = {
        item.question: GroundedUser(scenes()[item.scene]).reply(item.question)
        for item in labelled()
        if item.family == family and item.split == "dev"
    }

    assert answers
    assert {question for question, answer in answers.items() if answer.revealed} == set()
