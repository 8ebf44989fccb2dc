"""All documents of a sample look alike, whatever of the bottleneck they state."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.probe.grammar.facts import DEFEATERS, FACTS, KEYS, NOTES, Fact, chains, defeated, joints, live
from benchmarks.probe.grammar.layout import BUNDLES, MIX, shared
from benchmarks.probe.grammar.proofs import remit_of
from benchmarks.probe.records import Difficulty
from tests.probe.grammar.samples import LEVELS, chain, sample, stated

CASES = [(number, difficulty) for number in range(2) for difficulty in LEVELS]
each_sample = pytest.mark.parametrize(("number", "difficulty"), CASES)


def everything(number: int, difficulty: Difficulty) -> list[Fact]:
    return [fact for facts in stated(number, difficulty).values() for fact in facts]


@each_sample
def test_every_document_shares_equally_many_keys_of_each_type(number: int, difficulty: Difficulty) -> None:
    found = shared([*stated(number, difficulty).values()])

    assert all(each == {"task": 2, "input": 1, "desk": 1, "person": 1, "object": 1} for each in found)


@each_sample
def test_every_document_states_each_kind_of_fact_equally_often_and_one_note(
    number: int, difficulty: Difficulty
) -> None:
    for facts in stated(number, difficulty).values():
        kinds = Counter(fact.kind for fact in facts)

        assert tuple(kinds[kind] for kind in FACTS) == MIX[difficulty]
        assert sum(kinds[note] for note in NOTES) == 1


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
def test_a_defeater_of_a_complete_chain_is_said_after_its_deadline_was_set(number: int, difficulty: Difficulty) -> None:
    one = sample(number, difficulty)
    found, facts = stated(number, difficulty), everything(number, difficulty)
    day = {each.id: str(each.payload.get("date") or each.payload["start"])[:10] for each in one.documents}
    said = [(id, fact) for id, group in found.items() for fact in group]
    off = defeated(facts)
    dead = [each for each in chains(facts) if each.due["task"] in off]

    assert dead
    for each in dead:
        set_on = next(day[id] for id, fact in said if fact == each.due)
        notes = [id for id, fact in said if fact.kind in NOTES[1:] and fact["task"] == each.due["task"]]
        assert all(day[id] > set_on for id in notes)
        assert not {*notes} & {*one.gold.true_positives}


@pytest.mark.parametrize("difficulty", LEVELS)
def test_chains_are_defeated_in_many_ways(difficulty: Difficulty) -> None:
    ways: Counter[str] = Counter()
    for number in range(4):
        one = sample(number, difficulty)
        facts, remit = everything(number, difficulty), remit_of(one)
        notes = {fact["task"]: fact.kind for fact in facts if fact.kind in NOTES[1:]}
        for each in chains(facts):
            due = each.due
            ways[
                notes.get(due["task"])
                or ("out_of_remit" if due["owner"] not in remit.owners else "")
                or ("other_period" if due["deadline"] <= remit.now else "live")
            ] += 1

        assert live(facts, remit) == [chain(number, difficulty)]
    assert {*ways} == {*DEFEATERS, "live"} - {"entity_swap"}


@pytest.mark.parametrize("number", range(4))
def test_hard_samples_name_one_thing_of_the_chain_without_its_code(number: int) -> None:
    one = sample(number, "hard")
    live_chain = chain(number, "hard")
    codes = {
        live_chain.due["task"], live_chain.needs["input"], live_chain.at["desk"], live_chain.lever["object"],
    }  # fmt: skip
    names = {
        name
        for detail in (one.gold.details.what_task, one.gold.details.how_mechanism, one.gold.details.why_root_cause)
        if detail is not None
        for name in detail.accept
        if name not in codes and "(" not in name
    }
    told = "\n".join(str(each.payload) for each in one.documents if each.id in one.gold.true_positives)
    family = live_chain.why["person"].split(" ")

    assert f"{family[0][0]}. {family[1]}" in told or any(
        told.count(name) > told.count(f"{name} (") + told.count(f"{name})") for name in names
    )
