"""Each of the five proofs fails, by its number, on a sample that was broken in its own way."""

from __future__ import annotations

import random
from datetime import date

import pytest

from benchmarks.probe.grammar import saying
from benchmarks.probe.grammar.actions import cause_of, filled
from benchmarks.probe.grammar.facts import AGAIN, AGAINST, NOTED, Fact, chains, keys_of
from benchmarks.probe.grammar.proofs import ProofFailed, facts_of, prove
from benchmarks.probe.grammar.saying import Statement
from benchmarks.probe.records import Difficulty, Sample
from tests.probe.grammar.samples import LEVELS, changed, sample, sentence_of, sentences_of


def failure(broken: Sample) -> ProofFailed:
    with pytest.raises(ProofFailed) as caught:
        prove(broken)
    return caught.value


def added(one: Sample, where: str, *said: str) -> Sample:
    """The sample with sentences added to a document."""
    return changed(one, lambda id, text: "\n\n".join([text, *said]) if id == where else text)


def cut(one: Sample, *facts: Fact) -> Sample:
    """The sample without the sentences that state these facts."""
    gone = sentences_of(one, set(facts))

    def change(_: str, text: str) -> str:
        for each in gone:
            text = text.replace(each, "")
        return text

    return changed(one, change)


def elsewhere(one: Sample) -> str:
    """A document that has nothing to do with the bottleneck."""
    known = {*one.gold.true_positives, *one.gold.neutral}
    return next(each.id for each in one.documents if each.id not in known)


@pytest.mark.parametrize("difficulty", LEVELS)
@pytest.mark.parametrize("note", [kind for kinds in AGAINST.values() for kind in kinds])
def test_a_note_against_any_key_leaves_no_live_chain(difficulty: Difficulty, note: str) -> None:
    one = sample(0, difficulty)
    key = next(value for fact in prove(one) for name, value in keys_of(fact) if name == NOTED[note])
    back = {fact for facts in facts_of(one).values() for fact in facts if fact == Fact(AGAIN[NOTED[note]], (key,))}
    said = saying.said(random.Random(1), Statement(Fact(note, (key,))), {}, date.fromisoformat(one.now))
    found = failure(added(cut(one, *back), elsewhere(one), said))

    assert found.proof == 1
    assert "0 live chains" in str(found)


def test_a_note_that_is_taken_back_changes_nothing() -> None:
    one = sample(0, "medium")
    chain = prove(one)
    task, now = chain.due["task"], date.fromisoformat(one.now)
    both = [saying.said(random.Random(1), Statement(Fact(kind, (task,))), {}, now) for kind in ("parked", "again")]

    assert prove(added(one, elsewhere(one), *both)) == chain


def test_a_second_live_chain_is_found() -> None:
    one = sample(0, "easy")
    stated = [fact for facts in facts_of(one).values() for fact in facts]
    notes = {fact for fact in stated if any(fact.kind in kinds for kinds in AGAINST.values())}
    found = failure(cut(one, *notes))

    assert found.proof == 1
    assert "d" in str(found)


def test_a_document_that_others_make_unnecessary_is_named() -> None:
    one = sample(0, "medium")
    chain = prove(one)
    found = failure(added(one, elsewhere(one), sentence_of(one, chain.due), sentence_of(one, chain.needs)))

    assert (found.proof, found.document) == (2, home_of(one, chain.due))


def test_a_true_positive_that_states_nothing_is_named() -> None:
    one = sample(0, "medium")
    idle = elsewhere(one)
    gold = one.gold.model_copy(update={"true_positives": (*one.gold.true_positives, idle)})
    found = failure(one.model_copy(update={"gold": gold}))

    assert (found.proof, found.document) == (2, idle)


def test_what_is_left_must_not_tell_what_a_document_said() -> None:
    one = sample(0, "easy")
    chain = prove(one)
    stated = [fact for facts in facts_of(one).values() for fact in facts]
    others = {fact for fact in stated if fact.kind == "lever" and fact != chain.lever}
    found = failure(cut(one, *others))

    assert (found.proof, found.document) == (2, home_of(one, chain.due))


def test_a_fact_said_in_two_documents_is_named() -> None:
    one = sample(0, "easy")
    found = failure(added(one, elsewhere(one), sentence_of(one, prove(one).due)))

    assert found.proof == 3
    assert "due of the live chain stands in 2 documents" in str(found)


def test_a_true_positive_that_the_answer_key_forgot_is_named() -> None:
    one = sample(1, "hard")
    forgotten, *rest = one.gold.true_positives
    found = failure(one.model_copy(update={"gold": one.gold.model_copy(update={"true_positives": tuple(rest)})}))

    assert (found.proof, found.document) == (3, forgotten)


def test_two_actions_that_end_the_bottleneck_are_one_too_many() -> None:
    one = sample(0, "medium")
    right = next(each for each in one.actions if each.id == one.gold.action)
    found = failure(one.model_copy(update={"actions": (*one.actions, right.model_copy(update={"id": "another"}))}))

    assert found.proof == 4
    assert "another" in str(found)


def test_an_answer_with_another_reference_is_none() -> None:
    one = sample(0, "medium")
    parameters = {**one.gold.parameters, "reference": "X-00000"}
    found = failure(one.model_copy(update={"gold": one.gold.model_copy(update={"parameters": parameters})}))

    assert found.proof == 4


def test_shape_alone_must_not_tell_the_chain() -> None:
    one = sample(0, "hard")
    live = prove(one)
    stated = [fact for facts in facts_of(one).values() for fact in facts]
    found = failure(cut(one, *(chain.at for chain in chains(stated) if chain != live)))

    assert found.proof == 5


@pytest.mark.parametrize("difficulty", LEVELS)
def test_exactly_one_action_with_its_parameters_is_the_answer(difficulty: Difficulty) -> None:
    one = sample(2, difficulty)
    chain = prove(one)
    right = [each for each in one.actions if cause_of(each, difficulty) == chain.why["cause"]]

    assert [each.id for each in right] == [one.gold.action]
    assert filled(right[0], chain.lever) == one.gold.parameters


def home_of(one: Sample, fact: Fact) -> str:
    return next(id for id, facts in facts_of(one).items() if fact in facts)
