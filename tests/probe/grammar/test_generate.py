"""What a sample is made of: sizes, sorts, ids, the answer key; and that a number always gives the same."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from hashlib import sha256

import pytest

from benchmarks.probe.grammar import sizes
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.generate import NUMBER, difficulty_of, generate
from benchmarks.probe.grammar.people import PERSONAS, persona
from benchmarks.probe.records import Difficulty
from tests.probe.grammar.samples import LEVELS, chain, sample
from tests.probe.grammar.stand_in import stand_in

CASES = [(number, difficulty) for number in range(2) for difficulty in LEVELS]
each_sample = pytest.mark.parametrize(("number", "difficulty"), CASES)
PRINTED = """
from hashlib import sha256
from benchmarks.probe.grammar.generate import generate
from tests.probe.grammar.stand_in import stand_in
print(sha256(generate(7, {number}, filler=stand_in).model_dump_json().encode()).hexdigest())
"""


def test_there_are_200_easy_300_medium_and_500_hard_samples() -> None:
    assert Counter(map(difficulty_of, range(NUMBER))) == {"easy": 200, "medium": 300, "hard": 500}


def test_each_persona_has_samples_of_several_difficulties() -> None:
    levels = {place: {difficulty_of(number) for number in range(place, NUMBER, PERSONAS)} for place in range(PERSONAS)}

    assert sum(len(each) > 1 for each in levels.values()) > 0.85 * PERSONAS


@each_sample
def test_a_sample_has_as_many_documents_and_actions_as_table_1_says(number: int, difficulty: Difficulty) -> None:
    one = sample(number, difficulty)
    kinds = Counter(each.type for each in one.documents)

    assert len(one.documents) == 81 or 70 <= len(one.documents) <= 74
    assert 24 <= len(one.actions) <= 27
    assert kinds["document"] == round(0.3 * len(one.documents))
    assert kinds["event"] == round(0.2 * len(one.documents))


@each_sample
def test_a_sample_has_the_tokens_that_were_drawn(number: int, difficulty: Difficulty) -> None:
    low, high = sizes.RANGE

    assert low <= sizes.counted(sample(number, difficulty)) <= high


def test_tokens_come_within_half_a_percent_of_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.probe.grammar.generate._target", lambda draw: 100_000.0)
    found = [sizes.counted(generate(7, number, filler=stand_in)) for number in range(3)]

    assert all(abs(each - 100_000) <= 500 for each in found)


def test_without_a_vocabulary_tokens_are_told_from_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.probe.grammar.sizes._vocabulary", lambda: None)

    assert sizes.estimated()
    assert sizes.tokens("x" * 390) == 100


@each_sample
def test_documents_are_of_the_six_weeks_before_the_day(number: int, difficulty: Difficulty) -> None:
    one = sample(number, difficulty)
    days = [str(each.payload.get("date") or each.payload["start"])[:10] for each in one.documents]

    assert max(days) < one.now
    assert len({*days}) > 20


@each_sample
def test_ids_tell_nothing_but_the_order(number: int, difficulty: Difficulty) -> None:
    one = sample(number, difficulty)

    assert [each.id for each in one.documents] == [f"d{place:02d}" for place in range(1, len(one.documents) + 1)]


@each_sample
def test_the_answer_key_says_what_the_texts_state(number: int, difficulty: Difficulty) -> None:
    one = sample(number, difficulty)
    known, gold = chain(number, difficulty), one.gold
    details = gold.details

    assert details.who_blocked is not None
    assert details.who_blocked.value == known.due["owner"]
    assert details.why_root_cause is not None
    assert details.why_root_cause.value == {
        "type": causes()[known.why["cause"]].type,
        "object": known.lever["object"],
    }
    assert details.impact_scope is None
    assert {id for each in (details.what_task, details.why_root_cause) if each for id in each.stated_in} <= {
        *gold.true_positives
    }
    assert not {*gold.true_positives} & {*gold.neutral}
    assert gold.neutral
    assert gold.mentions == {"message": (known.due["task"],)}


def test_some_causes_are_held_out_and_each_type_of_cause_has_its_actions() -> None:
    assert sum(cause.held_out for cause in causes().values()) == 4
    assert len(causes()) - 4 >= 24
    assert len({cause.type for cause in causes().values()}) >= 8


@pytest.mark.parametrize("difficulty", LEVELS)
def test_what_actions_say_names_nobody_and_nothing(difficulty: Difficulty) -> None:
    said = [cause.descriptions[difficulty] for cause in causes().values()]

    assert len(set(said)) == len(said)
    assert not [text for text in said if any(word[0].isupper() for word in text.split()[1:])]
    assert not [
        text for text in said if any(noun in text.lower() for cause in causes().values() for noun in cause.nouns)
    ]


def test_a_persona_knows_10_to_14_people_and_is_the_same_for_every_sample() -> None:
    found = [persona(7, number) for number in range(PERSONAS)]

    assert {len(each.known) for each in found} == {10, 11, 12, 13, 14}
    assert len({each.id for each in found}) == PERSONAS
    assert persona(7, 12) == found[12]
    assert sample(2, "easy").world_model == persona(7, 2).world


def test_another_seed_makes_another_sample() -> None:
    assert generate(8, 0, difficulty="easy", filler=stand_in).documents != sample(0, "easy").documents


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_a_sample_has_the_same_bytes_in_every_process(hash_seed: str) -> None:
    here = sha256(generate(7, 5, filler=stand_in).model_dump_json().encode()).hexdigest()
    there = subprocess.run(
        [sys.executable, "-c", PRINTED.format(number=5)],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        check=True,
        text=True,
    )

    assert there.stdout.strip() == here
