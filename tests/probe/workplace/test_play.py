"""The suite as instruments play it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.probe.report import report
from harness.core.config import Condition, IdleConfig, Limits, OracleConfig, ReferenceConfig, RunConfig
from harness.play.run import evaluate
from harness.suite import Scored
from tests.harness.wired import Over
from tests.probe.workplace.scenes import named, suite, values

AGENTS = (IdleConfig(kind="idle"), OracleConfig(kind="oracle"), ReferenceConfig(kind="reference"))
SCORES = ("outcome", "strict", "search_f1", "identification", "execution", "overall")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Scored]:
    """One task by three agents: agent -> trial. Its act is a mail, so that an address has to be looked up."""

    config = RunConfig(
        suite="probe-inbox",
        tasks=(named("mail"),),
        agents=AGENTS,
        conditions={"one": Condition(prompt="one")},
        limits=Limits(tool_calls=400),
    )
    records = evaluate(config, suite(), Over(suite()), Path(tmp_path_factory.mktemp("inbox"))).records()
    return {record.trajectory.agent: Scored(record.trajectory, record.scores) for record in records}


@pytest.mark.parametrize("agent", ["oracle", "reference"])
def test_instruments_that_know_get_everything_right(played: Mapping[str, Scored], agent: str) -> None:
    trial = played[agent]

    assert trial.trajectory.status == "finished"
    assert values(trial.scores) == dict.fromkeys(SCORES, 1.0)
    assert {call.status for call in trial.trajectory.calls} == {"ok"}


def test_doing_nothing_is_worth_nothing(played: Mapping[str, Scored]) -> None:
    scores = played["idle"].scores

    assert set(values(scores).values()) == {0.0}
    assert scores["outcome"].label == "nothing_done"


def test_the_reference_agent_is_shown_every_document(played: Mapping[str, Scored]) -> None:
    told = {agent: played[agent].scores["strict"].detail for agent in ("reference", "oracle")}

    assert told["reference"]["scored"]["touched"]["recall"] == 1
    assert told["reference"]["scored"]["touched"]["retrieved"] == told["reference"]["documents"]
    assert told["oracle"]["scored"]["touched"]["retrieved"] == 0


def test_the_tables_of_the_paper_are_there(played: Mapping[str, Scored]) -> None:
    tables = report(suite(), {name: {"kind": name} for name in ("idle", "oracle", "reference")}, [*played.values()])

    main = next(table for table in tables if "search, identification and execution" in table.title)
    assert {row["Model"]: row["Task Execution"] for row in main.rows} == {"idle": 0.0, "oracle": 1.0, "reference": 1.0}
