"""A sample as a world, and what is pinned of it."""

from __future__ import annotations

import json

import pytest

from benchmarks.probe import days, naming, pins, worlds
from benchmarks.probe.pipeline import stored
from benchmarks.probe.suite import load
from harness.suite import SuiteError
from servers import catalog

FIRST = pins.chosen(total=3)


@pytest.mark.parametrize("name", [*FIRST, naming.control_of(FIRST[0]), naming.days_of(FIRST[0])])
def test_a_world_is_as_pinned(name: str) -> None:
    assert pins.pinned(name) == next(pin for pin in pins.read() if pin.name == name)


def test_every_row_fits_its_table() -> None:
    world = worlds.world(FIRST[0])

    for app in ("datastore", "actions"):
        for table in catalog.apps()[app].tables:
            rows = world.rows[app][table.table_name]
            assert [table.model_validate(row).id for row in rows] == [row["id"] for row in rows]


def test_a_world_has_nothing_of_the_answer_key() -> None:
    sample, world = worlds.sample(FIRST[0]), worlds.world(FIRST[0])
    known = json.dumps(world.rows)

    assert '"critical"' not in known
    assert sample.gold.description not in known
    assert world.rows["actions"]["decisions"] == []
    assert sorted(row["place"] for table in world.rows["datastore"].values() for row in table) == list(
        range(1, len(sample.documents) + 1)
    )


def test_any_part_of_ten_is_as_hard_as_another() -> None:
    names = pins.chosen(total=300)
    levels = [[name.rsplit("-", 1)[1] for name in names[at : at + 10]] for at in range(0, 300, 10)]

    assert len(set(names)) == 300
    assert all((each.count("easy"), each.count("medium"), each.count("hard")) == (2, 3, 5) for each in levels)
    controls = [naming.control_of(name) for name in names[: pins.CONTROLS]]
    assert [pin.name for pin in pins.read()] == [*names, *controls, *days.names()]


@pytest.mark.parametrize("name", ["grammar-1-0017", "grammar-1-1000-hard", "grammar-1-0001-dire"])
def test_a_name_of_no_sample_is_refused(name: str) -> None:
    with pytest.raises(SuiteError, match="no sample is called"):
        worlds.sample(name)


def test_a_sample_of_another_difficulty_is_another_sample() -> None:
    assert worlds.sample("grammar-1-0013-easy").gold != worlds.sample("grammar-1-0013-hard").gold


def test_the_suite_is_at_hand_without_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "generate", None)  # whoever makes one fails
    worlds.sample.cache_clear()

    suite = load()

    aside = pins.CONTROLS + days.COUNT + len(stored.names())
    assert len(suite.tasks) == 300 + aside
    assert len(suite.aside) == aside
    assert len(suite.digest) == 64


def test_a_suite_of_another_seed_makes_its_samples() -> None:
    suite = load(seed=2, total=1, controls=0)

    assert [task.id for task in suite.tasks] == pins.chosen(2, 1)
    assert suite.load_world(suite.tasks[0].world).digest == suite.worlds[suite.tasks[0].world]


@pytest.mark.parametrize("total", [0, 1001])
def test_a_set_of_no_size_is_refused(total: int) -> None:
    with pytest.raises(SuiteError, match="1 to 1000 samples"):
        pins.chosen(total=total)


@pytest.mark.parametrize("prompt", ["one", "any"])
def test_a_request_tells_what_the_person_knows_of_themselves(prompt: str) -> None:
    for task in load(total=3, controls=0).tasks:
        known = json.dumps(worlds.sample(task.world).world_model, indent=2, ensure_ascii=False)

        assert known in task.sessions[0].requests[prompt]
