"""What `harness play` takes: a task by itself, or under a condition of a config."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import anyio
import pytest
import yaml
from mcp.client.client import Client

from harness import wiring
from harness.agents.person import PersonAgent
from harness.cli import playing
from harness.core.config import Condition
from harness.suite import SuiteEntry
from tests.cli.conftest import Call, offer
from tests.harness import toy

CONFIGS = Path(__file__).parents[2] / "configs"
CONDITIONS = "conditions:\n  alone: {}\n  asking: {ask: ask_user, user: {kind: scripted, script: [Yes.]}}\n"


@pytest.fixture
def written(call: Call, tmp_path: Path) -> str:
    """A config of the toy suite with two conditions."""
    (tmp_path / "two.yaml").write_text(f"suite: toy\nagents: [{{kind: idle}}]\n{CONDITIONS}")
    return "two.yaml"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--condition", "asking"), "--condition asking: say which config has it, with --config FILE"),
        (("--config", "two.yaml"), "it has several conditions; name one with --condition: alone, asking"),
        (
            ("--config", "two.yaml", "--condition", "askin"),
            "--condition askin: two.yaml has no such condition. Did you mean 'asking'? Known: alone, asking.",
        ),
        (("--config", "two.yaml", "--ask"), "--ask: the condition of --config says which prompt is given"),
        (("--config", "two.yaml", "--prompt", "original"), "--prompt: the condition of --config says which prompt"),
        (("--prompt", "faulty"), "--prompt: task toy-0 has no prompt 'faulty'; give one that it has: "),
    ],
)
def test_what_does_not_fit_is_told_before_anything_is_served(
    call: Call, written: str, arguments: tuple[str, ...], told: str
) -> None:
    status, out, err = call("play", "toy-0", *arguments)

    assert (status, out) == (2, "")
    assert told in err


def test_a_task_of_another_suite_than_the_configs_is_refused(call: Call, written: str) -> None:
    status, _, err = call("play", "office:toy-0", "--config", written, "--condition", "alone")

    assert status == 2
    assert "office:toy-0: two.yaml plays suite toy; give the id of one of its tasks" in err


def test_asking_is_as_the_suite_has_it(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    asking = {"ask": "clarify", "end_of_turn": "user", "user": {"kind": "scripted", "script": ["Yes."]}}
    entry = SuiteEntry("toy", "Jobs on a board.", lambda: replace(toy.suite(), asking=asking))
    offer(monkeypatch, entry)
    by_itself, _ = playing._alone("toy-0", None, ask=False)
    with_user, _ = playing._alone("toy-0", None, ask=True)

    assert by_itself.conditions == {"play": Condition()}
    assert with_user.conditions == {"play": Condition.model_validate(asking)}


@pytest.mark.parametrize(
    ("suite", "config"),
    [
        ("drift-short", "drift-composed.yaml"),
        ("drift-workplace", "drift.yaml"),
        ("lhaw-short", "lhaw-short.yaml"),
        ("pi-units", "pi-units.yaml"),
    ],
)
def test_a_suite_has_people_ask_as_its_config_has_agents_ask(suite: str, config: str) -> None:
    conditions = yaml.safe_load((CONFIGS / config).read_text(encoding="utf-8"))["conditions"].values()
    own = Condition.model_validate(wiring.suite(suite).asking)

    assert own in [Condition.model_validate({**each, "prompt": "original"}) for each in conditions]


def test_the_right_act_of_probe_is_scored_where_the_config_has_it_told_in_parts() -> None:
    config, suite = playing._of_config("grammar-1-0013-easy", CONFIGS / "probe.yaml", None)
    assert suite.solved
    (act,) = suite.solved(suite.task("grammar-1-0013-easy"), config.conditions["structured"].toolsets)
    there: dict[str, str] = {}

    async def done() -> str:
        async with Client(there[act.app]) as client:
            await client.call_tool(act.tool, dict(act.arguments))
        return ""

    person = PersonAgent(lambda request, system, urls: there.update(urls), lambda answer: None, done)
    record = anyio.run(playing._play, suite, config, person)

    assert record.trajectory.condition == "structured"
    assert record.scores["strict"].value == 1
