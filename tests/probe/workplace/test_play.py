"""The suite as instruments play it, one task for each way of acting."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.probe.report import report
from benchmarks.probe.workplace.acts import PLACES, Place
from harness.core.config import Condition, IdleConfig, Limits, OracleConfig, ReferenceConfig, RunConfig
from harness.play.run import evaluate
from harness.suite import Scored, Suite
from harness.wiring import Wired
from tests.probe.workplace.scenes import named, suite, values

AGENTS = (IdleConfig(kind="idle"), OracleConfig(kind="oracle"), ReferenceConfig(kind="reference"))
SCORES = ("outcome", "strict", "search_f1", "identification", "execution", "overall")

Key = tuple[str, str]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Key, Scored]:
    """(agent, place) -> trial."""

    class One(Wired):
        def suite(self, name: str, scale: int = 1) -> Suite:
            return suite()

    names = {named(place): place for place in PLACES}
    config = RunConfig(
        suite="probe-inbox",
        tasks=tuple(names),
        agents=AGENTS,
        conditions={"one": Condition(prompt="one")},
        limits=Limits(tool_calls=400),
    )
    records = evaluate(config, suite(), One(), Path(tmp_path_factory.mktemp("inbox"))).records()
    return {
        (record.trajectory.agent, names[record.trajectory.task]): Scored(record.trajectory, record.scores)
        for record in records
    }


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("agent", ["oracle", "reference"])
def test_instruments_that_know_get_everything_right(played: Mapping[Key, Scored], agent: str, place: Place) -> None:
    trial = played[agent, place]

    assert trial.trajectory.status == "finished"
    assert values(trial.scores) == dict.fromkeys(SCORES, 1.0)
    assert {call.status for call in trial.trajectory.calls} == {"ok"}


@pytest.mark.parametrize("place", PLACES)
def test_an_act_is_a_change_in_the_app_of_its_way(played: Mapping[Key, Scored], place: Place) -> None:
    trial = played["oracle", place].trajectory

    assert PLACES[place] in {(each.app, each.table) for each in trial.changes if each.op == "insert"}


def test_doing_nothing_is_worth_nothing(played: Mapping[Key, Scored]) -> None:
    for place in PLACES:
        scores = played["idle", place].scores

        assert set(values(scores).values()) == {0.0}
        assert scores["outcome"].label == "nothing_done"


def test_the_reference_agent_is_shown_every_document(played: Mapping[Key, Scored]) -> None:
    told = played["reference", "mail"].scores["strict"].detail

    assert told["scored"]["touched"]["recall"] == 1
    assert told["scored"]["touched"]["retrieved"] == told["documents"]
    assert played["oracle", "mail"].scores["strict"].detail["scored"]["touched"]["retrieved"] == 0


def test_the_tables_of_the_paper_are_there(played: Mapping[Key, Scored]) -> None:
    tables = report(suite(), {name: {"kind": name} for name in ("idle", "oracle", "reference")}, [*played.values()])

    main = next(table for table in tables if "table 3" in table.title)
    assert {row["Model"]: row["Task Execution"] for row in main.rows} == {"idle": 0.0, "oracle": 1.0, "reference": 1.0}
