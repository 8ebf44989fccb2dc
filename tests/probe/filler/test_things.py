"""What filler's pieces of work, desks and small things are called, and who has to do with them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from benchmarks.probe.filler.frames import frame
from benchmarks.probe.filler.strands import number, scenes
from benchmarks.probe.filler.things import Things, called, once_comma
from benchmarks.probe.grammar.setting import Named
from tests.probe.filler.scenes import KINDS, NOW, setting
from tests.probe.filler.test_topics import page

STATED = (
    "Sable tender file",
    "Halden rate sheet",
    "Sable gate pass",
    "Harbour permits desk",
    "Halden bundle",
    "blue book",
)
"""Names in statements, two of them shorter ones."""


def things(taken: tuple[str, ...] = STATED) -> Things:
    return Things(random.Random(1), lambda: "B-12345", taken)


def test_work_shares_theme_and_kind_with_statements_and_is_called_like_none_of_theirs() -> None:
    mine = things()

    first, second = (mine.work().full for _ in range(2))

    assert {first, second} == {"Sable rate sheet", "Halden tender file"}


def test_no_name_is_drawn_twice_and_none_that_statements_have() -> None:
    mine = things()

    drawn = [each for _ in range(40) for each in (mine.work(), mine.desk(), mine.object())]
    names = [name for each in drawn for name in each if name]

    assert len(names) == len(set(names)) > len(drawn)
    assert not {*names} & {*STATED}


def test_nothing_has_a_shorter_name_where_statements_have_none() -> None:
    mine = things(STATED[:4])

    assert {each.short for _ in range(20) for each in (mine.work(), mine.desk())} == {""}


def test_what_has_a_shorter_name_goes_by_one_by_the_other_and_by_both() -> None:
    draw, thing = random.Random(2), Named("Sable rate sheet", "blue roll")
    found = [called(draw, thing) for _ in range(60)]

    assert {"the Sable rate sheet", "the blue roll"} < {*found}
    assert any("Sable rate sheet" in each and "blue roll" in each for each in found)


def test_a_comma_that_a_name_brings_along_goes_where_another_mark_stands_behind_it() -> None:
    assert (
        once_comma("By the sheet, known as the roll,, or the roll,.") == "By the sheet, known as the roll, or the roll."
    )


def test_nobody_from_outside_the_firm_works_on_anything_or_has_a_say() -> None:
    draw = random.Random(3)
    given = setting(draw)
    people = tuple(replace(each, team="outside") if place < 10 else each for place, each in enumerate(given.people))

    planned = scenes(draw, replace(given, people=people), KINDS, [NOW] * len(KINDS), Things(draw, lambda: number(draw)))

    assert {person.team for scene in planned for person in scene.team} == {"planning"}


@pytest.mark.parametrize("seed", range(20))
def test_no_more_than_nine_cases_are_counted_in_ten(seed: int) -> None:
    assert int(frame("{~9} cases out of ten").say(page(2 * seed + 1)).split()[0]) <= 9
