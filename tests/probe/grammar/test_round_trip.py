"""Facts said as sentences are read back, exactly, and nothing else is read."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from benchmarks.probe.filler import filler
from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.documents import days
from benchmarks.probe.grammar.entities import Mint
from benchmarks.probe.grammar.facts import AGAIN, AGAINST, DEFEATERS, FACTS, KEYS, NOTED, Fact, Remit
from benchmarks.probe.grammar.generate import generate
from benchmarks.probe.grammar.layout import MIX, Layout, laid_out
from benchmarks.probe.grammar.people import persona
from benchmarks.probe.grammar.proofs import facts_of
from benchmarks.probe.grammar.reading import read, sentences, shown
from benchmarks.probe.grammar.saying import Statement, said, wordings
from benchmarks.probe.records import Difficulty
from tests.probe.grammar.samples import LEVELS, stated
from tests.sampling import sampled

NOW = date(2026, 5, 12)


def layout(seed: int, difficulty: Difficulty) -> tuple[random.Random, Layout]:
    draw, who = random.Random(seed), persona(3, seed % 235)
    mint = Mint(draw, who, [*causes()][:25])
    remit = Remit(frozenset(who.owners), NOW.isoformat())
    dated = days(draw, draw.choice((70, 74, 81)), NOW)
    return draw, laid_out(draw, mint, remit, difficulty=difficulty, days=dated, cause=next(iter(causes())))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), difficulty=st.sampled_from(LEVELS))
def test_what_a_layout_states_is_read_back_whatever_its_wordings(seed: int, difficulty: Difficulty) -> None:
    try:
        draw, plan = layout(seed, difficulty)
    except ValueError:  # a layout that cannot be made even: `generate` draws another
        reject()
    written = {
        str(place): "\n".join(f"- {said(draw, each, plan.names, NOW)}" for each in group)
        for place, group in enumerate(plan.statements)
    }

    assert shown(written, NOW) == {
        str(place): tuple(each.fact for each in group) for place, group in enumerate(plan.statements)
    }


@pytest.mark.parametrize("kind", FACTS)
def test_there_are_two_dozen_ways_to_say_each_kind_of_fact(kind: str) -> None:
    assert len(set(wordings(kind))) >= 24


@pytest.mark.parametrize("kind", NOTED)
def test_there_are_eight_ways_to_say_each_kind_of_note(kind: str) -> None:
    assert len(set(wordings(kind))) >= 8


def test_each_key_of_a_chain_can_be_spoken_against() -> None:
    assert AGAINST.keys() == AGAIN.keys() == {*KEYS}
    assert len(DEFEATERS) == 14


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("difficulty", LEVELS)
def test_statements_within_prose_are_all_that_a_text_states(number: int, difficulty: Difficulty) -> None:
    found = stated(number, difficulty)

    assert {len(facts) for facts in found.values()} == {sum(MIX[difficulty]) + (2 if difficulty == "hard" else 1)}


@pytest.mark.slow
def test_nothing_is_read_from_filler() -> None:
    """Twelve samples of 40: some 950 documents, and no sample is built without the same being proved of it."""
    for number in sampled(range(40), 12):
        one = generate(9, number, filler=filler)

        assert {len(facts) for facts in facts_of(one).values()} == {
            sum(MIX[one.difficulty]) + (2 if one.difficulty == "hard" else 1)
        }


@pytest.mark.parametrize(
    "text",
    [
        "The weather was fine on 12 May, and Ana Petrov liked it.",
        "Somebody runs the Harbour permits desk well.",
        "The Halden rate sheet has been printed on green paper.",
        "",
    ],
)
def test_a_sentence_of_no_wording_states_nothing(text: str) -> None:
    assert read({"d": text}, NOW) == {"d": ()}


@pytest.mark.parametrize(
    "both",
    [
        "the Halden rate sheet, or the blue book as Mireille calls it,",
        "the Halden rate sheet (better known as the blue book)",
        "the blue book, that is the Halden rate sheet,",
    ],
)
def test_a_shorter_name_is_the_thing_for_which_another_text_explains_it(both: str) -> None:
    texts = {
        "a": "The blue book comes from the Harbour permits desk, out of Vellum.",
        "b": f"The Halden tender file builds on {both} from the first page to the last.",
    }
    alone = {"a": texts["a"]}

    assert read(texts, NOW)["a"] == (Fact("at", ("Halden rate sheet", "Harbour permits desk", "Vellum")),)
    assert read(texts, NOW)["b"] == (Fact("needs", ("Halden tender file", "Halden rate sheet")),)
    assert read(alone, NOW)["a"] == (Fact("at", ("blue book", "Harbour permits desk", "Vellum")),)


def test_a_desk_is_the_same_where_its_place_stands_behind() -> None:
    assert read({"a": "Our contact at the permits desk at Harbour is Karim Moreau."}, NOW)["a"] == (
        Fact("run", ("Harbour permits desk", "Karim Moreau")),
    )


@pytest.mark.parametrize("short", ["K. Moreau", "Karim"])
def test_part_of_a_name_stands_for_the_person_named_in_full_elsewhere(short: str) -> None:
    both = {"a": f"{short} runs the Harbour permits desk.", "b": "Karim Moreau has found the lost umbrella."}

    assert read(both, NOW)["a"] == (Fact("run", ("Harbour permits desk", "Karim Moreau")),)


def test_a_given_name_of_two_people_stands_for_neither() -> None:
    texts = {
        "a": "Karim runs the Harbour permits desk.",
        "b": "Karim Moreau has found the lost umbrella.\nSomebody asked Karim Iyer for the recipe.",
    }

    assert read(texts, NOW)["a"] == (Fact("run", ("Harbour permits desk", "Karim")),)


@pytest.mark.parametrize(
    "text",
    [
        "By the way, Karim Moreau runs the Harbour permits desk.",
        "I should add that the Harbour permits desk is run by Karim Moreau.",
        "Karim Moreau runs the Harbour permits desk, known as the old window, as you know.",
    ],
)
def test_what_stands_around_a_wording_changes_nothing(text: str) -> None:
    assert read({"a": text}, NOW)["a"] == (Fact("run", ("Harbour permits desk", "Karim Moreau")),)


def test_a_sentence_ends_at_a_full_stop_but_not_at_an_initial() -> None:
    text = "The date of the offer. K. Moreau runs it. On time."

    assert [*sentences(text)] == ["The date of the offer.", "K. Moreau runs it.", "On time."]


@pytest.mark.parametrize("ahead", [-140, -20, 3, 40, 145, 200, 400])
def test_a_day_is_read_back_in_each_of_its_forms(ahead: int) -> None:
    fact = Fact("due", ("Halden tender file", "Karim Moreau", (NOW + timedelta(days=ahead)).isoformat()))
    written = {str(seed): said(random.Random(seed), Statement(fact), {}, NOW) for seed in range(60)}

    assert set(read(written, NOW).values()) == {(fact,)}
    assert len(set(written.values())) > 20
