"""The paradox over many seeds: what is computed is what would be played, and how often it is observed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.drift import seeds
from benchmarks.drift.environments import environments
from benchmarks.drift.release import released
from benchmarks.drift.seeds import COMPARED, CONTROLS, Case, cases, controls, observed, taken
from benchmarks.drift.suite import suite_of
from benchmarks.drift.tasks import built
from harness.core.config import RunConfig
from harness.play.run import evaluate
from tests.drift.place import PLACE, TEMPLATES
from tests.harness.wired import Over

SERVICES = PLACE._replace(
    name="apis",
    templates=tuple(replace(each, id=f"{each.id}-by-post", environment="apis") for each in TEMPLATES),
    worlds=(),
)
BUILT = built([PLACE, SERVICES], {"sql": 4, "apis": 4})
SUITE = suite_of([PLACE, SERVICES], BUILT)
SOME = 12


@pytest.fixture(scope="module")
def sample() -> Sequence[Case]:
    """Every eighth of the released variants."""
    places = environments()
    return cases(places, released(places).faulty[::8])


def test_what_is_computed_is_what_a_run_plays(tmp_path: Path) -> None:
    seed = 3
    mine = cases([PLACE, SERVICES], BUILT.faulty)
    dials = {name: each for name, each in controls(mine).items() if name != "no scramble"}
    config = RunConfig.model_validate(
        {
            "suite": "drift-workplace",
            "seed": seed,
            "agents": [
                {"kind": "reference", "name": name, "settings": each.model_dump()} for name, each in dials.items()
            ],
            "conditions": {
                "faulty": {"prompt": "faulty"},
                "rational": {"prompt": "faulty", "ask": "clarify", "user": {"kind": "persona"}},
            },
            "tasks": [each.task.id for each in BUILT.faulty],
        }
    )
    played = {
        (each.trajectory.agent, each.trajectory.condition, each.trajectory.task): bool(each.scores["outcome"].right)
        for each in evaluate(config, SUITE, Over(SUITE), tmp_path / "run").records()
    }
    computed = {
        (name, condition, case.faulty.task.id): taken(case, each, seed, condition)
        for name, each in dials.items()
        for condition in COMPARED
        for case in mine
    }

    assert computed == played
    assert {*computed.values()} == {True, False}


@pytest.mark.parametrize("name", CONTROLS)
def test_where_it_is_not_it_is_not_observed(sample: Sequence[Case], name: str) -> None:
    found = list(observed(sample, controls(sample)[name], range(SOME)))

    assert [(each.state, each.service, each.seeds) for each in found] == [
        ("sql", "apis", SOME), ("terminal", "apis", SOME)
    ]  # fmt: skip
    assert [each.times for each in found] == [0, 0]


def test_where_it_is_it_is_observed(sample: Sequence[Case]) -> None:
    dials = controls(sample)["in services"].model_copy(update={"scramble": 1.0})

    assert [each.times for each in observed(sample, dials, range(SOME))] == [SOME, SOME]


def test_a_sample_is_another_one_for_each_seed_and_does_not_depend_on_order(sample: Sequence[Case]) -> None:
    drawn = [[case.faulty.task.id for case in seeds._sampled(sample, seed, 5)] for seed in (1, 2)]
    turned = sorted(case.faulty.task.id for case in seeds._sampled(sample[::-1], 1, 5))

    assert drawn[0] != drawn[1]
    assert turned == sorted(drawn[0])


def test_what_is_printed_names_environments_seeds_and_gains(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(seeds, "environments", lambda: (PLACE, SERVICES))
    monkeypatch.setattr(seeds, "released", lambda places: BUILT)
    seeds.main(["--seeds", "2"])

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert lines[0].startswith("no scramble: sql and apis: observed in 0 of 2 seeds, mean gains +")
