"""`pi-synth` and `pi-units` as `harness eval configs/pi.yaml` plays them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from benchmarks.pi import playing
from benchmarks.pi.instruments import question
from benchmarks.pi.known import known
from benchmarks.pi.session import Session
from benchmarks.pi.suite import episodes, load, load_episodes
from userssim.intents.asking import asks, units

ROOT = Path(__file__).parents[2]
UNITS = [playing.Unit(each.persona, each.sessions) for each in episodes()]


def evaluated(folder: Path, *options: str, seed: str = "0") -> dict[str, object]:
    command = [sys.executable, "-m", "harness", "eval", str(ROOT / "configs" / "pi.yaml"), "--json", *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}
    done = subprocess.run(
        [*command, "--output", str(folder / "run")], cwd=folder, capture_output=True, text=True, check=False,
        env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    return evaluated(tmp_path_factory.mktemp("first"))


def rows(run: dict[str, object], title: str) -> dict[tuple[str, str], dict[str, object]]:
    """The rows of the table whose title begins so, by agent and condition."""
    tables = run["tables"]
    assert isinstance(tables, dict)
    (found,) = [table for name, table in tables.items() if name.startswith(f"Calibration: {title}")]
    return {(row["agent"], row["condition"]): row for row in found}


def test_each_instrument_comes_out_at_what_is_known_of_it(run: dict[str, object]) -> None:
    config = yaml.safe_load((ROOT / "configs" / "pi.yaml").read_text(encoding="utf-8"))
    ends, burden = rows(run, "how sessions ended"), rows(run, "burden of a session")
    for agent in config["agents"]:
        for condition, settings in config["conditions"].items():
            at = agent.get("name", agent["kind"]), condition
            wanted = known(agent["kind"], agent.get("settings", {}), UNITS, most=settings["user"].get("most"))
            found = (burden[at]["Proc"], ends[at]["Comp"], ends[at]["maximum"])
            assert wanted is not None
            for figure, span in zip(found, wanted, strict=True):
                assert span is None or span.low - 0.001 <= float(str(figure)) / 100 <= span.high + 0.001, (
                    at,
                    span,
                    found,
                )


def test_the_oracle_completes_all_able_asks_for_the_rest_and_passive_is_told(run: dict[str, object]) -> None:
    told = rows(run, "what became of intents")

    assert told["oracle", "notes"]["completed"] == 100
    assert (told["able", "notes"]["completed"], told["able", "notes"]["inferred"]) == (85.7, 14.3)
    assert told["asker", "notes"]["inferred"] == 100
    assert told["passive", "notes"]["provided"] == 100
    assert told["idle", "notes"]["provided"] == 100


def test_the_shotgun_breaks_every_guard_and_no_other_does(run: dict[str, object]) -> None:
    guards = {agent: row["guards"] for (agent, condition), row in rows(run, "how sessions ended").items()}

    assert guards.pop("shotgun") == "7 of 7"
    assert set(guards.values()) == {"0 of 7"}


def test_forty_questions_at_once_are_worth_less_where_three_are_answered(run: dict[str, object]) -> None:
    told, burden = rows(run, "what became of intents"), rows(run, "burden")

    assert told["questionnaire", "notes"]["inferred"] == 100
    assert float(str(told["questionnaire", "notes@3"]["inferred"])) < 60
    assert burden["questionnaire", "notes"]["fishing"] == 1.0


def test_a_questionnaire_has_forty_questions() -> None:
    text = (ROOT / "benchmarks" / "pi" / "personas" / "financier" / "questionnaire.md").read_text(encoding="utf-8")

    assert len(units(text)) == 40


@pytest.mark.parametrize("session", [session for unit in UNITS for session in unit.sessions], ids=lambda each: each.id)
def test_each_intent_has_a_question_of_its_own(session: Session) -> None:
    for intent in session.intents:
        asked = question(session, intent)
        assert [each.id for each in session.intents if asks(asked, each.cues, each.not_cues)] == [intent.id]


def test_another_process_and_hash_seed_lead_to_the_same_states(run: dict[str, object], tmp_path: Path) -> None:
    assert evaluated(tmp_path, "--concurrency", "1", seed="7")["digest"] == run["digest"]


def test_a_unit_has_the_sessions_of_its_group_and_an_episode_all() -> None:
    assert [len(task.sessions) for task in load().tasks if task.id not in load().aside] == [3, 1]
    assert [len(task.sessions) for task in load_episodes().tasks] == [4]


def test_no_request_names_a_value_that_its_session_withholds() -> None:
    (task,) = load_episodes().tasks
    hidden = load_episodes().hidden
    assert hidden is not None
    for session, intents in zip(task.sessions, hidden(task).sessions, strict=True):
        said = session.requests["original"].casefold()
        assert not [value for intent in intents for value in intent.values if value.casefold() in said]


def test_patterns_of_failure_are_those_that_instruments_show_on_purpose(run: dict[str, object]) -> None:
    found = {agent: row for (agent, condition), row in rows(run, "failures").items() if condition == "notes"}

    assert (found["forgetful"]["prior context"], found["able"]["prior context"]) == ("4 of 4", "0 of 4")
    assert (found["passive"]["hidden requirements"], found["asker"]["hidden requirements"]) == ("4 of 4", "0 of 4")
    assert (found["idle"]["no question"], found["able"]["no question"]) == ("3 of 3", "0 of 3")
    assert (found["undo"]["not looked at"], found["idle"]["not looked at"]) == ("4 of 4", "0 of 4")
