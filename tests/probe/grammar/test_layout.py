"""All documents of a sample look alike, whatever of the bottleneck they state."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.probe.grammar.facts import (
    AGAIN,
    AGAINST,
    DEFEATERS,
    FACTS,
    KEYS,
    NOTED,
    Fact,
    chains,
    defeated,
    joints,
    keys_of,
    live,
    touches,
)  # fmt: skip
from benchmarks.probe.grammar.layout import BUNDLES, MIX, shared
from benchmarks.probe.grammar.proofs import remit_of
from benchmarks.probe.records import Difficulty
from tests.probe.grammar.samples import LEVELS, chain, place_of, sample, sentence_of, stated

CASES = [(number, difficulty) for number in range(2) for difficulty in LEVELS]
each_sample = pytest.mark.parametrize(("number", "difficulty"), CASES)
SPEAK_AGAINST = {kind for kinds in AGAINST.values() for kind in kinds}


def everything(number: int, difficulty: Difficulty) -> list[Fact]:
    return [fact for facts in stated(number, difficulty).values() for fact in facts]


def notes(facts: list[Fact]) -> list[Fact]:
    return [fact for fact in facts if fact.kind in NOTED]


@each_sample
def test_every_document_shares_one_key_of_each_type_besides_its_note_s(number: int, difficulty: Difficulty) -> None:
    found = stated(number, difficulty)
    chained = [[fact for fact in facts if fact.kind in FACTS] for facts in found.values()]
    noted = [[fact] for fact in notes(everything(number, difficulty))]

    assert all(each == dict.fromkeys(KEYS, 1) for each in shared([*chained, *noted])[: len(chained)])


@each_sample
def test_every_document_states_each_kind_of_fact_equally_often_and_one_note(
    number: int, difficulty: Difficulty
) -> None:
    for facts in stated(number, difficulty).values():
        kinds = Counter(fact.kind for fact in facts)

        assert tuple(kinds[kind] for kind in FACTS) == MIX[difficulty]
        assert sum(kinds[note] for note in NOTED) == 1


@each_sample
def test_the_live_chain_is_parted_as_its_difficulty_has_it(number: int, difficulty: Difficulty) -> None:
    one = sample(number, difficulty)
    live_chain, found = chain(number, difficulty), stated(number, difficulty)
    parts = sorted(
        tuple(place for place, fact in enumerate(live_chain) if fact in found[id]) for id in one.gold.true_positives
    )

    assert tuple(parts) in BUNDLES[difficulty]


@each_sample
def test_for_each_true_positive_there_is_a_chain_that_lacks_just_its_like(number: int, difficulty: Difficulty) -> None:
    one = sample(number, difficulty)
    found, facts = stated(number, difficulty), everything(number, difficulty)
    live_chain = chain(number, difficulty)
    for id in one.gold.true_positives:
        kinds = {fact.kind for fact in live_chain if fact in found[id]}
        rest = [kind for kind in FACTS if kind not in kinds]
        starts = [fact for fact in facts if fact.kind == rest[0] and fact not in live_chain]

        assert any(alone(fact, rest, facts) for fact in starts)


def alone(fact: Fact, kinds: list[str], facts: list[Fact]) -> bool:
    """Whether a fact goes on through each neighbouring pair of these kinds, and no further."""
    follow, run = joints(facts), [fact]
    for kind in FACTS[FACTS.index(fact.kind) + 1 :]:
        after = follow.get((kind, run[-1][KEYS[FACTS.index(kind) - 1]]), [])
        if not after:
            break
        run.append(after[0])
    wanted = [fact.kind]
    for kind in kinds[1:]:
        if FACTS.index(kind) != FACTS.index(wanted[-1]) + 1:
            break
        wanted.append(kind)
    return [each.kind for each in run] == wanted


@each_sample
def test_what_defeats_a_complete_chain_is_said_elsewhere_and_later(number: int, difficulty: Difficulty) -> None:
    one = sample(number, difficulty)
    found, facts = stated(number, difficulty), everything(number, difficulty)
    off = defeated(facts)
    dead = [each for each in chains(facts) if touches(each, off)]

    assert dead
    for each in dead:
        for note in (fact for fact in notes(facts) if fact.kind in SPEAK_AGAINST and fact.values[0] in off):
            about = [fact for fact in each if (NOTED[note.kind], note.values[0]) in [*keys_of(fact)]]
            if not about:
                continue
            home, day = place_of(one, found, note)
            assert home not in one.gold.true_positives
            assert all(home != place_of(one, found, fact)[0] for fact in each)
            assert all(day > place_of(one, found, fact)[1] for fact in about)


@pytest.mark.parametrize("number", range(3))
def test_what_is_taken_back_was_said_before(number: int) -> None:
    one = sample(number, "hard")
    found, facts = stated(number, "hard"), everything(number, "hard")
    back = [fact for fact in facts if fact.kind in AGAIN.values()]

    assert back
    for fact in back:
        was = [each for each in facts if each.kind in SPEAK_AGAINST and each.values == fact.values]
        assert len(was) == 1
        assert place_of(one, found, was[0])[1] < place_of(one, found, fact)[1]


@pytest.mark.parametrize("number", range(3))
def test_hard_chains_are_spoken_against_by_another_name_than_their_own(number: int) -> None:
    one, facts = sample(number, "hard"), everything(number, "hard")
    off = defeated(facts)
    for note in (fact for fact in notes(facts) if fact.kind in SPEAK_AGAINST and fact.values[0] in off):
        thing = note.values[0]
        about = [fact for each in chains(facts) for fact in each if thing in fact.values]
        said = [sentence_of(one, fact) for fact in (note, *about)]

        assert not about or not all(word in sentence for sentence in said for word in thing.split(" "))


@pytest.mark.parametrize("difficulty", LEVELS)
def test_chains_are_defeated_in_many_ways(difficulty: Difficulty) -> None:
    ways: Counter[str] = Counter()
    for number in range(4):
        one = sample(number, difficulty)
        facts, remit = everything(number, difficulty), remit_of(one)
        off = defeated(facts)
        against = {fact.values[0]: fact.kind for fact in facts if fact.kind in SPEAK_AGAINST and fact.values[0] in off}
        for each in chains(facts):
            due = each.due
            note = next((against[key] for fact in each for _, key in keys_of(fact) if key in against), "")
            ways[
                note
                or ("out_of_remit" if due["owner"] not in remit.owners else "")
                or ("other_period" if due["deadline"] <= remit.now else "live")
            ] += 1

        assert live(facts, remit) == [chain(number, difficulty)]
    every = {*DEFEATERS, "live"} - {"entity_swap"}
    assert ways.keys() <= every
    assert len(ways) > 8


@pytest.mark.parametrize("number", range(4))
def test_hard_samples_hold_ten_to_fourteen_chains_that_only_look_live(number: int) -> None:
    assert 10 <= len(chains(everything(number, "hard"))) - 1 <= 14


@pytest.mark.parametrize("number", range(4))
def test_hard_chains_hang_on_two_names_that_one_side_leaves_unexplained(number: int) -> None:
    one = sample(number, "hard")
    live_chain = chain(number, "hard")
    apart = 0
    for joint, key in enumerate(KEYS):
        thing = live_chain[joint + 1][key]
        sides = [sentence_of(one, live_chain[place]) for place in (joint, joint + 1)]
        words = thing.split(" ")
        apart += any(not all(word in side for word in words) for side in sides)

    assert apart >= 2
