"""What follows from days that are told by events, from offices, and from notes that hold for a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from benchmarks.probe.grammar.facts import PASSING, RECKONED, Chain, Fact, chains, keys_of, live
from benchmarks.probe.grammar.proofs import prove, remit_of, shown_of
from benchmarks.probe.grammar.reading import read, shown
from benchmarks.probe.grammar.reckoning import Almanac, leaned_on, reckoned, shifted
from benchmarks.probe.grammar.saying import told_by
from tests.probe.grammar.samples import LEVELS, chain, sample

MONDAY = date(2026, 3, 9)
MUSTER = "wardens' muster"
HARD = pytest.mark.parametrize("number", range(3))


def day(*facts: Fact, told: str = f"{MUSTER}+0") -> date | None:
    return Almanac(facts, MONDAY).day(told)


@pytest.mark.parametrize(
    ("count", "wanted"),
    [(0, MONDAY), (4, date(2026, 3, 13)), (5, date(2026, 3, 16)), (-1, date(2026, 3, 6)), (-6, date(2026, 2, 27))],
)
def test_working_days_are_counted_over_weekends(count: int, wanted: date) -> None:
    assert shifted(MONDAY, count) == wanted


def test_all_changes_of_an_event_add_up_whatever_their_order() -> None:
    moved = [Fact("later", (MUSTER, "4")), Fact("event", (MUSTER, "2026-03-09")), Fact("sooner", (MUSTER, "6"))]

    assert day(*moved) == day(*reversed(moved)) == date(2026, 3, 5)


def test_the_same_change_told_twice_is_two_changes() -> None:
    assert day(Fact("event", (MUSTER, "2026-03-09")), *[Fact("later", (MUSTER, "2"))] * 2) == date(2026, 3, 13)


def test_an_event_told_by_another_moves_with_it() -> None:
    tied = Fact("event", (MUSTER, "donors' regatta+2"))
    other = [Fact("event", ("donors' regatta", "2026-03-09")), Fact("later", ("donors' regatta", "3"))]

    assert day(tied, *other) == date(2026, 3, 16)


@pytest.mark.parametrize(
    "facts",
    [
        [],
        [Fact("later", (MUSTER, "2"))],
        [Fact("event", (MUSTER, "donors' regatta+2")), Fact("event", ("donors' regatta", f"{MUSTER}+1"))],
        [Fact("event", (MUSTER, "2026-03-09")), Fact("event", (MUSTER, "2026-03-10"))],
    ],
)
def test_an_event_without_a_first_day_or_with_two_has_none(facts: list[Fact]) -> None:
    assert day(*facts) is None


OFFICE = "inland bursar"
FIRST = Fact("office", (OFFICE, "Ana Iyer"))
SINCE = Fact("office from", (OFFICE, "Bilal Roe", "2026-03-06"))
AHEAD = Fact("office from", (OFFICE, "Cosmin Ueda", "2026-03-10"))


@pytest.mark.parametrize(
    ("facts", "wanted"),
    [
        ([FIRST], "Ana Iyer"),
        ([FIRST, SINCE, AHEAD], "Bilal Roe"),
        ([AHEAD, SINCE, Fact("office from", (OFFICE, "Dagmar Vidal", "2026-03-04")), FIRST], "Bilal Roe"),
        ([FIRST, SINCE, Fact("acting", (OFFICE, "Ebba Yusuf", "2026-03-05", "2026-03-10"))], "Ebba Yusuf"),
        ([FIRST, SINCE, Fact("acting", (OFFICE, "Ebba Yusuf", "2026-03-02", "2026-03-06"))], "Bilal Roe"),
        ([FIRST, Fact("office from", (OFFICE, "Bilal Roe", f"{MUSTER}+1"))], None),
        ([AHEAD], None),
    ],
)
def test_an_office_is_held_by_whoever_acts_or_else_took_it_over_last(facts: list[Fact], wanted: str | None) -> None:
    assert Almanac(facts, MONDAY).holder(OFFICE) == wanted


@pytest.mark.parametrize(
    ("ends", "told", "wanted"),
    [
        ("until", "2026-03-06", "mention person"),
        ("until", "2026-03-09", "covered"),
        ("from", "2026-03-09", "covered"),
        ("from", "2026-03-10", "mention person"),
        ("until", f"{MUSTER}+1", "covered"),
    ],
)
def test_a_note_that_holds_for_a_time_counts_as_it_stands_today(ends: str, told: str, wanted: str) -> None:
    """Where nobody could say whether it holds, it counts against the chain."""
    note = Fact(f"{ends} person", ("Ana Iyer", told))

    assert reckoned({"d": [note]}, MONDAY)["d"] == (Fact(wanted, ("Ana Iyer",)),)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (f"{MUSTER}+3", "the third working day after the wardens' muster"),
        (f"{MUSTER}-12", "the twelfth working day before the wardens' muster"),
        ("growers' field day+0", "the day of the growers' field day"),
    ],
)
def test_a_day_told_by_an_event_is_read_back(told: str, words: str) -> None:
    text = {"d": f"On {words} Karim Moreau hands in the Halden tender file."}

    assert told_by(told) == words
    assert shown(text, MONDAY)["d"] == (Fact("due", ("Halden tender file", "Karim Moreau", told)),)
    assert read(text, MONDAY)["d"] == (Fact("due", ("Halden tender file", "Karim Moreau", "")),)


def test_owner_and_decider_are_whoever_has_the_office_today() -> None:
    facts = [
        FIRST, AHEAD, Fact("due", ("Halden tender file", OFFICE, "2026-03-20")),
        Fact("lever", ("Halden job card", OFFICE, "B-12345")),
    ]  # fmt: skip

    assert reckoned({"d": facts}, MONDAY)["d"][2:] == (
        Fact("due", ("Halden tender file", "Ana Iyer", "2026-03-20")),
        Fact("lever", ("Halden job card", "Ana Iyer", "B-12345")),
    )


@pytest.mark.parametrize("difficulty", LEVELS)
def test_only_hard_samples_have_anything_to_reckon(difficulty: str) -> None:
    one = sample(0, difficulty)
    kinds = {fact.kind for facts in shown_of(one).values() for fact in facts}

    assert bool(kinds & {*RECKONED, *PASSING}) == (difficulty == "hard")


def told(number: int) -> list[Fact]:
    return [fact for facts in shown_of(sample(number, "hard")).values() for fact in facts]


def without(number: int, gone: Callable[[Fact], bool]) -> list[Chain]:
    """What would be live if documents did not say such things."""
    one = sample(number, "hard")
    left = [fact for fact in told(number) if not gone(fact)]
    known = reckoned({"d": left}, date.fromisoformat(one.now))["d"]
    return live(known, remit_of(one))


@HARD
def test_whoever_overlooks_that_events_were_moved_gets_another_answer(number: int) -> None:
    assert without(number, lambda fact: fact.kind in ("later", "sooner")) != [chain(number, "hard")]


@HARD
def test_without_notes_that_hold_for_a_time_many_chains_are_live(number: int) -> None:
    assert len(without(number, lambda fact: fact.kind in PASSING)) > 5


@HARD
def test_a_third_of_all_changes_of_days_decide_by_themselves(number: int) -> None:
    moves = {fact for fact in told(number) if fact.kind in ("later", "sooner")}
    decisive = [each for each in moves if without(number, each.__eq__) != [chain(number, "hard")]]

    assert len(decisive) > len(moves) / 3


@HARD
def test_no_event_is_moved_twice_by_as_much_in_the_same_direction(number: int) -> None:
    moves = [fact for fact in told(number) if fact.kind in ("later", "sooner")]

    assert len(moves) == len({*moves})


@HARD
def test_nothing_that_has_to_be_reckoned_falls_on_today(number: int) -> None:
    almanac = Almanac(told(number), date.fromisoformat(sample(number, "hard").now))
    days = [
        almanac.day(value)
        for fact in told(number)
        if fact.kind in {*PASSING, "office from", "acting", "due"}
        for value in fact.values
        if value[0].islower() and value[-1].isdigit() and ("+" in value or "-" in value)
    ]

    assert len(days) > 100
    assert date.fromisoformat(sample(number, "hard").now) not in days


@HARD
def test_the_chains_of_a_hard_sample_are_told_by_events_and_offices(number: int) -> None:
    for each in chains(told(number)):
        assert not each.due["deadline"][0].isdigit()
        assert each.lever["decider"][0].islower()


@HARD
def test_documents_on_which_day_and_decider_rest_are_neutral(number: int) -> None:
    one = sample(number, "hard")
    keys = {key for fact in prove(one) for key in keys_of(fact)}
    mine = next(each for each in chains(told(number)) if {key for fact in each for key in keys_of(fact)} == keys)
    basis = leaned_on(mine, told(number))
    homes = {id for id, facts in shown_of(one).items() if basis & {*facts}}

    assert len(basis) > 6
    assert homes <= {*one.gold.neutral, *one.gold.true_positives}
