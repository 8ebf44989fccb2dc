"""Facts said as sentences are read back, exactly, and nothing else is read."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.probe.grammar.causes import causes
from benchmarks.probe.grammar.documents import days
from benchmarks.probe.grammar.entities import Mint
from benchmarks.probe.grammar.facts import DEFEATERS, FACTS, NOTES, Fact, Remit
from benchmarks.probe.grammar.layout import Layout, laid_out
from benchmarks.probe.grammar.people import persona
from benchmarks.probe.grammar.reading import read, sentences
from benchmarks.probe.grammar.saying import Statement, said, wordings
from benchmarks.probe.records import Difficulty
from tests.probe.grammar.samples import LEVELS, stated

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
    draw, plan = layout(seed, difficulty)
    written = {
        str(place): "\n".join(f"- {said(draw, each, plan.names, NOW)}" for each in group)
        for place, group in enumerate(plan.statements)
    }

    assert read(written, NOW) == {
        str(place): tuple(each.fact for each in group) for place, group in enumerate(plan.statements)
    }


@pytest.mark.parametrize("kind", [*FACTS, *NOTES])
def test_there_are_twelve_ways_to_say_each_kind_of_fact(kind: str) -> None:
    assert len(set(wordings(kind))) >= 12


def test_there_are_eight_ways_for_a_chain_to_be_none() -> None:
    assert len(DEFEATERS) == 8


@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("difficulty", LEVELS)
def test_statements_within_prose_are_all_that_a_text_states(number: int, difficulty: Difficulty) -> None:
    found = stated(number, difficulty)

    assert {len(facts) for facts in found.values()} == {{"easy": 11, "medium": 10, "hard": 9}[difficulty]}


@pytest.mark.parametrize(
    "text",
    [
        "The weather was fine on 12 May, and Ana Petrov liked it.",
        "Somebody runs desk K14 well.",
        "TQ-2041 is a number.",
        "",
    ],
)
def test_a_sentence_of_no_wording_states_nothing(text: str) -> None:
    assert read({"d": text}, NOW) == {"d": ()}


def test_a_short_name_is_the_thing_whose_full_name_another_text_gives() -> None:
    both = {
        "a": "The Halden rate sheet comes from desk K14, out of Vellum.",
        "b": "TQ-2041 builds on the Halden rate sheet (RS-2210) from the first page to the last.",
    }
    alone = {"a": both["a"]}

    assert read(both, NOW)["a"] == (Fact("at", ("RS-2210", "K14", "Vellum")),)
    assert read(alone, NOW)["a"] == (Fact("at", ("Halden rate sheet", "K14", "Vellum")),)


def test_an_initial_stands_for_the_person_named_in_full_elsewhere() -> None:
    both = {"a": "K. Moreau runs desk K14.", "b": "You will find Karim Moreau at desk K14, as before."}

    assert read(both, NOW)["a"] == (Fact("run", ("K14", "Karim Moreau")),)


def test_a_sentence_ends_at_a_code_but_not_at_an_initial() -> None:
    text = "The date of RE7946-A. K. Moreau runs desk K14. On time."

    assert [*sentences(text)] == ["The date of RE7946-A.", "K. Moreau runs desk K14.", "On time."]


@pytest.mark.parametrize("ahead", [-140, -20, 3, 40, 145, 200, 400])
def test_a_day_is_read_back_in_each_of_its_forms(ahead: int) -> None:
    fact = Fact("due", ("TQ-2041", "Karim Moreau", (NOW + timedelta(days=ahead)).isoformat()))
    names = {"TQ-2041": "Halden tender file"}
    written = {str(seed): said(random.Random(seed), Statement(fact), names, NOW) for seed in range(60)}

    assert set(read(written, NOW).values()) == {(fact,)}
    assert len(set(written.values())) > 40
