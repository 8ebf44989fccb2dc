"""Three offices agree with their ledgers, and what is planted in one is found."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import benchmarks.office.check
from benchmarks.office.check import amounts, check, days_in, parts, problems
from benchmarks.office.ledger import Mail
from benchmarks.office.measure import measures, shared_runs
from benchmarks.office.stories.telling import STORIES
from benchmarks.office.styles import CARDS, SOBER, Style, sober
from benchmarks.office.world import SEED, ledger, world
from servers.kernel import World
from tests.office import plants_in_apps, plants_in_mail, plants_of_sense
from tests.office.planting import PLANTS, Rows

pytestmark = pytest.mark.slow

SEEDS = (SEED, 1, 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_office_agrees_with_its_ledger(seed: int) -> None:
    assert check(world(seed), ledger(seed)) == []


@pytest.mark.parametrize("seed", [18, 23, 39])
def test_nobody_attaches_a_file_before_it_is_written(seed: int) -> None:
    assert check(world(seed), ledger(seed)) == []


def test_the_check_has_something_to_read() -> None:
    texts = [f"{row['subject']}\n{row['body']}" for row in world().rows["gmail"]["emails"]]

    assert sum(len(list(days_in(text))) for text in texts) > 100
    assert sum(len(amounts(text)) for text in texts) > 40
    assert sum(" wrote:\n>" in text for text in texts) > 100


@cache
def pickled() -> bytes:
    """Rows of the office, which are copied from this in a tenth of the time that `deepcopy` takes."""
    return pickle.dumps({app: dict(tables) for app, tables in world().rows.items()})


@pytest.mark.parametrize(("rule", "plant"), PLANTS, ids=[plant.__name__ for _, plant in PLANTS])
def test_what_is_planted_is_found(rule: str, plant: Callable[[Rows], None]) -> None:
    office = world()
    rows: Rows = pickle.loads(pickled())
    plant(rows)

    assert rule in (problem.rule for problem in problems(replace(office, rows=rows), ledger()))


def test_forty_different_inconsistencies_are_planted_under_many_rules() -> None:
    assert len({plant.__name__ for _, plant in PLANTS}) == len(PLANTS) >= 40
    assert {plant.__module__ for _, plant in PLANTS} == {
        each.__name__ for each in (plants_in_apps, plants_in_mail, plants_of_sense)
    }
    assert len({rule for rule, _ in PLANTS}) >= 20


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 12 March, or 3rd April 2026", [(None, 3, 12, None), (2026, 4, 3, None)]),
        ("Thursday 12 March", [(None, 3, 12, 3)]),
        ("Thu 3/12", [(None, 3, 12, 3)]),
        ("by 2026-03-12", [(2026, 3, 12, None)]),
        ("March 12 it is", [(None, 3, 12, None)]),
        ("I may come, 24/7 or not: version 3.12", [(None, 24, 7, None)]),
        ("nine pallets in bay four", []),
    ],
)
def test_dates_are_read_in_every_manner(text: str, found: list[Any]) -> None:
    assert list(days_in(text)) == found


def test_sums_are_read_in_every_manner() -> None:
    assert amounts("€48,600 or 48,600 EUR, EUR 1,250, 90 euros, 40 units") == [48600, 48600, 1250, 90]


@pytest.mark.parametrize("seed", SEEDS)
def test_an_office_is_as_lifelike_as_it_is_meant_to_be(seed: int) -> None:
    found = measures(world(seed), ledger(seed))

    assert [f"{each.name}: {each.value:.1f}" for each in found if not each.fits] == []


def test_a_run_of_words_that_two_mails_share_is_found() -> None:
    office = world()
    rows: Rows = pickle.loads(pickled())
    long = [row for row in rows["gmail"]["emails"] if len(parts(row["body"])[0].split()) > 30]
    first, second = long[0], next(row for row in long if row["thread"] != long[0]["thread"])
    second["body"] = first["body"]

    assert shared_runs(office, ledger()) == {}
    assert shared_runs(replace(office, rows=rows), ledger())


def test_a_world_without_its_ledger_can_be_checked_too() -> None:
    office = world()

    assert check(World(office.name, office.now, office.rows), ledger()) == []


def test_every_rule_has_something_planted_for_it() -> None:
    rules = {
        call.args[0].value
        for path in Path(benchmarks.office.check.__file__).parent.glob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Problem" and call.args
        if isinstance(call.args[0], ast.Constant)
    }

    assert rules == {rule for rule, _ in PLANTS}


def test_another_seed_tells_other_story_lines_and_each_has_some_that_are_held_out() -> None:
    told = [{story.id: story.held_out for story in ledger(seed).stories} for seed in SEEDS]
    lines = [{name for name, *_ in STORIES if name in each} for each in told]

    assert [len(each) for each in lines] == [10, 10, 10]
    assert len({frozenset(each) for each in lines}) == 3
    assert all(sum(each[name] for name in lines[n]) == 2 for n, each in enumerate(told))


def test_every_story_line_is_told_for_some_seed() -> None:
    seeds = range(1, 12)

    assert {story.id for seed in seeds for story in ledger(seed).stories} >= {name for name, *_ in STORIES}


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.goodbyes[0] or "none")
def test_nobody_is_cheerful_below_grave_news_and_everybody_stays_recognisable(card: Style) -> None:
    grave = sober(card)

    assert set(grave.goodbyes) <= SOBER
    assert not any("!" in each for each in grave.greetings)
    assert grave.habits | {"bang", "smile"} >= card.habits
    assert (grave.dates, grave.money, grave.signs) == (card.dates, card.money, card.signs)


def test_mails_of_grave_news_are_marked_in_every_office() -> None:
    assert all(sum(mail.tone == "grave" for mail in ledger(seed).of(Mail)) >= 4 for seed in SEEDS)
