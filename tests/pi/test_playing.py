"""Sessions played by the harness: the oracle, somebody idle, and one who only does what is said."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pi.episode import episode
from benchmarks.pi.playing import Unit, hidden, task, units
from benchmarks.pi.scoring import checks
from harness import wiring as wirings
from harness.cli.stories import of_task
from harness.core.config import Condition, IdleConfig, OracleConfig, RunConfig
from harness.play.run import evaluate
from harness.record.store import TrialRecord
from harness.suite import Suite
from servers.kernel import Owner, World

BAKER = Path(__file__).parent / "fixtures" / "baker"
NOW = datetime(2026, 4, 13, 8)
WITH_A_PERSON = Condition.model_validate({"ask": "ask_user", "end_of_turn": "user", "user": {"kind": "intents"}})


def world() -> World:
    at = NOW.isoformat()
    folder = {"id": "/workspace/notes", "kind": "directory", "created": at, "modified": at}
    rows: dict[str, Any] = {"filesystem": {"entries": [folder]}, "calendar": {"events": []}, "gmail": {"emails": []}}
    return World("baker", NOW, rows, owner=Owner(name="Ada", address="ada@bakery.example"))


UNITS = {unit.id: unit for unit in units(episode(BAKER))}


def suite() -> Suite:
    def of(asked: object) -> Unit:
        return UNITS[getattr(asked, "id")]  # noqa: B009

    return Suite(
        name="toy",
        version="1",
        description="A baker's two sessions.",
        tasks=[task(unit, world()) for unit in UNITS.values()],
        world=lambda _: world(),
        checks=checks(of, lambda _: world()),
        hidden=lambda asked: hidden(of(asked)),
        toolsets={"calendar": "default", "gmail": "pi", "filesystem": "pi"},
    )


class Wired(wirings.Wired):
    """The real wiring over that suite."""

    def suite(self, name: str, scale: int = 1) -> Suite:
        return suite()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], TrialRecord]:
    agents = (OracleConfig(kind="oracle"), IdleConfig(kind="idle"))
    config = RunConfig(suite="toy", agents=agents, conditions={"person": WITH_A_PERSON})
    run = evaluate(config, suite(), Wired(), tmp_path_factory.mktemp("run") / "run")
    records = {record.trajectory.agent: record for record in run.records()}
    return lambda agent: records[agent]


def test_a_group_is_a_unit_whose_sessions_keep_their_order() -> None:
    assert {id: [session.id for session in unit.sessions] for id, unit in UNITS.items()} == {
        "baker-bread": ["baker-01", "baker-02"]
    }


def test_the_oracle_meets_every_rule_item_and_completes_every_intent(played: Callable[[str], TrialRecord]) -> None:
    record = played("oracle")

    assert record.trajectory.status == "finished"
    assert record.scores["outcome"].detail["comp"] == 1, record.scores["outcome"].reason
    assert record.scores["proc"].value == 1
    assert record.scores["proc"].detail["completed"] == 2


def test_an_idle_agent_is_told_everything_and_meets_nothing(played: Callable[[str], TrialRecord]) -> None:
    record = played("idle")

    assert record.scores["outcome"].detail["comp"] == 0
    assert record.scores["proc"].value == 0


def test_an_item_with_a_rubric_leaves_its_trial_unscored(played: Callable[[str], TrialRecord]) -> None:
    score = played("oracle").scores["outcome"]

    assert (score.value, score.right) == (None, None)
    assert [criterion.name for criterion in score.criteria if criterion.value is None] == ["baker-02.c2"]
    assert score.reason == "All scored items are met. 1 await a judge."


def test_a_session_begins_with_its_event_and_its_files(played: Callable[[str], TrialRecord]) -> None:
    trial = played("oracle").trajectory

    assert [event.kind for event in trial.events if event.session == 0][:2] == ["arrival", "request"]
    assert "spelt flour" in trial.sessions[1].request


def test_a_task_is_shown_with_what_is_held_back_and_what_counts() -> None:
    told = of_task(suite(), suite().task("baker-bread"))

    assert 'i1: Every tasting lasts forty minutes. "Tastings are always 40 minutes, please."' in told
    assert "c1: The calendar has the tasting of the rye loaf with a length of 40 minutes. (needs i1)" in told
    assert "c2: The hand-over names the day of the tasting." in told
