"""Which candidates are released: as many of each class as wanted, matched sets whole, spread over tasks."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from benchmarks.lhaw.build.config import BuildConfig
from benchmarks.lhaw.build.records import Candidate
from benchmarks.lhaw.build.selection import pairs, select, spread, triples
from benchmarks.lhaw.rewrite import SEVERITIES
from benchmarks.lhaw.variants import DesignedClass
from tests.lhaw.build.scenes import candidate

CLASSES: tuple[DesignedClass, ...] = ("outcome-critical", "divergent", "benign")


def config(**fields: Any) -> BuildConfig:
    return BuildConfig(suite="x", **fields)


def plenty(tasks: int = 12) -> list[Candidate]:
    """Of each task three segments of one class each, alone and in twos, by every strategy."""
    return [
        candidate(f"task-{n:02d}", names, how, of)
        for n in range(tasks)
        for names, of in (
            (["a"], CLASSES[0]), (["b"], CLASSES[1]), (["c"], CLASSES[2]),
            (["a", "b"], CLASSES[0]), (["b", "c"], CLASSES[1]),
        )
        for how in SEVERITIES
    ]  # fmt: skip


def classes(chosen: Any) -> dict[str, int]:
    return dict(Counter(each.designed_class for each in chosen))


def test_shares_become_numbers_by_largest_remainders() -> None:
    assert config(number=10).quotas == {"outcome-critical": 4, "divergent": 3, "benign": 3}
    assert config(number=7, mix={"outcome-critical": 1, "benign": 1}).quotas == {
        "outcome-critical": 4, "divergent": 0, "benign": 3,
    }  # fmt: skip


def test_as_many_of_each_class_are_chosen_as_the_mix_has() -> None:
    found = select(config(number=50), plenty())

    assert classes(found.chosen) == {"outcome-critical": 20, "divergent": 15, "benign": 15}
    assert found.short == {}


def test_where_there_is_too_little_there_are_fewer_and_it_says_by_how_much() -> None:
    few = [each for each in plenty() if each.designed_class != "benign"] + [
        candidate("last", ["c"], "delete", "benign")
    ]
    found = select(config(number=50, triples=12), few)

    assert classes(found.chosen) == {"outcome-critical": 20, "divergent": 15, "benign": 1}
    assert found.short == {"benign": 14, "triples": 1}


def test_triples_are_whole() -> None:
    found = select(config(number=50, triples=10), plenty())
    ids = triples(found.chosen)

    assert len(set(ids.values())) >= 10
    assert set(Counter(ids.values()).values()) == {3}
    for id in set(ids.values()):
        group = [each for each in found.chosen if ids.get(each.task_id) == id]
        assert {each.criteria.severity for each in group} == set(SEVERITIES)
        assert len({(each.original_task, each.names) for each in group}) == 1


def test_two_thirds_of_a_set_have_no_id() -> None:
    assert triples([candidate("task", ["a"], how) for how in ("delete", "vagify")]) == {}


def test_a_pair_is_one_segment_and_the_same_with_another_by_one_strategy() -> None:
    one, two = candidate("task", ["a"], "delete"), candidate("task", ["a", "b"], "delete")
    others = [
        candidate("task", ["a"], "vagify"),
        candidate("other", ["a"], "delete"),
        candidate("task", ["c"], "delete"),
    ]
    found = pairs([one, two, *others])

    assert set(found) == {one.task_id, two.task_id}
    assert len(set(found.values())) == 1


def test_a_variant_is_in_one_pair_at_most() -> None:
    found = pairs([candidate("task", names, "delete") for names in (["a"], ["b"], ["a", "b"], ["a", "c"])])

    assert sorted(Counter(found.values()).values()) == [2, 2] or list(Counter(found.values()).values()) == [2]
    assert len(found) in (2, 4)


def test_pairs_are_looked_for() -> None:
    assert len(set(pairs(select(config(number=48), plenty()).chosen).values())) >= 6


def test_tasks_and_numbers_of_segments_are_spread() -> None:
    found = select(config(number=48, mix={"outcome-critical": 1}), plenty()).chosen

    assert set(Counter(each.original_task for each in found).values()) <= {3, 4, 5}
    assert Counter(len(each.names) for each in found) == {1: 24, 2: 24}
    assert set(Counter(each.criteria.severity for each in found).values()) <= {15, 16, 17}


def test_what_shows_its_gap_comes_before_what_hides_it() -> None:
    alike = [candidate("task", ["a"], "delete", gap="hidden"), candidate("task", ["b"], "delete", gap="shown")]
    (chosen,) = select(config(number=1, mix={"outcome-critical": 1}), alike).chosen

    assert chosen.gap == "shown"


def test_the_order_of_candidates_changes_nothing_and_the_seed_does() -> None:
    shuffled = plenty()
    Random(1).shuffle(shuffled)
    wanted = config(number=30, triples=5)

    assert select(wanted, shuffled) == select(wanted, plenty())
    assert select(config(number=30, triples=5, seed=2), plenty()) != select(wanted, plenty())


def test_a_spread_takes_from_every_class_and_task() -> None:
    found = spread(select(config(number=60), plenty()).chosen, 12)

    assert classes(found) == dict.fromkeys(CLASSES, 4)
    assert len({each.original_task for each in found}) == 12
