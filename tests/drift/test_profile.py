"""What each arm is told: of configs/drift-paper.yaml, profile `paper` of the conditions, and of configs/drift.yaml."""

from __future__ import annotations

from pathlib import Path

from benchmarks.drift.answers import predicted
from benchmarks.drift.suite import suite_of
from benchmarks.drift.tasks import built
from harness.core.config import RunConfig
from harness.core.config_file import load
from harness.core.desk import Agent, Desk
from harness.play.run import evaluate
from harness.play.stage import Job
from harness.suite import Suite
from harness.wiring import Wired
from tests.drift.place import COUNTS, PLACE
from tests.harness.wired import Over

CONFIGS = Path(__file__).parents[2] / "configs"
SUITE = suite_of([PLACE], built([PLACE], COUNTS))


class Told:
    """Keeps what it is told, and does nothing."""

    def __init__(self, desks: dict[str, Desk], condition: str) -> None:
        self._desks, self._condition = desks, condition

    async def turn(self, desk: Desk, message: str) -> str:
        self._desks[self._condition] = desk
        return ""


class _Wired(Wired):
    def __init__(self) -> None:
        super().__init__()
        self.desks: dict[str, Desk] = {}

    def suite(self, name: str, scale: int = 1) -> Suite:
        return SUITE

    def agent(self, job: Job, suite: Suite, recorded: object = ()) -> Agent:
        return Told(self.desks, job.condition)


def told(name: str, folder: Path) -> dict[str, Desk]:
    """What the agent of a config is told under each condition."""
    config: RunConfig = load(CONFIGS / name)
    task = next(task for task in SUITE.tasks if "fault" in task.facts)
    one = config.model_copy(update={"tasks": (task.id,), "agents": config.agents[:1]})
    wired = _Wired()
    evaluate(one, SUITE, wired, folder / "run")
    return wired.desks


def asks_for_the_question(desk: Desk) -> bool:
    (tool,) = (tool for tool in desk.tools if tool.tool == "submit_answer")
    return "predicted_question" in tool.input_schema["properties"]


def test_in_profile_paper_only_who_can_ask_is_told_of_faults_and_says_how_it_understood(tmp_path: Path) -> None:
    found = told("drift-paper.yaml", tmp_path)

    for name, desk in found.items():
        can_ask = name.endswith("+clarify")
        assert ("ambiguous" in desk.system) == can_ask, name
        assert asks_for_the_question(desk) == can_ask, name
        assert any(tool.app == "clarify" for tool in desk.tools) == can_ask, name
    assert len(found) == 4


def test_the_reference_agent_says_how_it_understood_where_it_is_asked_to_and_nowhere_else(tmp_path: Path) -> None:
    config: RunConfig = load(CONFIGS / "drift-paper.yaml")
    read = next(
        task for task in SUITE.tasks if task.facts.get("need") == "robust" and task.facts["kind"] == "read"
    )  # fmt: skip
    run = evaluate(config.model_copy(update={"tasks": (read.id,)}), SUITE, Over(SUITE), tmp_path / "run")
    found = {each.trajectory.condition: each.trajectory for each in run.records()}

    assert {name: bool(predicted(trial)) for name, trial in found.items()} == {
        "oracle": False, "oracle+clarify": True, "faulty": False, "faulty+clarify": True
    }  # fmt: skip
    assert {call.status for trial in found.values() for call in trial.calls} == {"ok"}


def test_else_all_arms_are_told_the_same(tmp_path: Path) -> None:
    found = told("drift.yaml", tmp_path)

    assert len({desk.system for desk in found.values()}) == 1
    assert all(asks_for_the_question(desk) for desk in found.values())
    assert len(found) == 10
