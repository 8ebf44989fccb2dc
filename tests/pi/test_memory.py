"""What an agent has of earlier sessions, as conditions give it: nothing, a memory, conversations, or all evidence."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from harness.core.config import Condition, ConfigProblem, OracleConfig, RunConfig
from harness.play.run import evaluate
from harness.play.stage import offered, toolsets_for
from harness.record.store import Run, TrialRecord
from harness.trajectory import Arrival, Trajectory
from harness.wiring import Wired, suite

ROOT = Path(__file__).parents[2]


def harness(*arguments: str) -> str:
    command = [sys.executable, "-m", "harness", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("memory") / "run"
    return folder, json.loads(harness("eval", "configs/pi-memory.yaml", "--output", str(folder), "--json"))


def told(run: dict[str, Any]) -> dict[tuple[str, str], dict[str, float]]:
    (table,) = [rows for title, rows in run["tables"].items() if "what became of intents" in title]
    return {(row["agent"], row["condition"]): row for row in table}


def test_what_only_leads_tell_is_known_wherever_they_are_remembered(run: tuple[Path, dict[str, Any]]) -> None:
    shares = {at: row["completed"] for at, row in told(run[1]).items()}

    assert {condition for (agent, condition), share in shares.items() if agent == "able" and share == 85.7} == {
        "notes", "transcript", "evidence",
    }  # fmt: skip
    assert shares["able", "off"] == 52.4
    assert {shares["forgetful", condition] for condition in ("off", "notes", "transcript")} == {52.4}


def test_a_trial_with_conversations_is_replayed_to_the_same_digests(run: tuple[Path, dict[str, Any]]) -> None:
    assert "8 digests equal" in harness("replay", str(run[0]))


def test_a_run_that_was_killed_is_gone_on_with_to_the_same_states(
    run: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "harness", "eval", "configs/pi-memory.yaml", "--output", str(tmp_path / "run")]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as one:
        while not list(tmp_path.glob("run/trials/*.json*")):
            with suppress(subprocess.TimeoutExpired):
                one.wait(0.05)
                break
        one.kill()
    there = len(list(tmp_path.glob("run/trials/*.json*")))
    resumed = json.loads(harness(*command[3:], "--json"))

    assert 0 < there < 8
    assert resumed["digest"] == run[1]["digest"]


def test_a_conversation_lies_in_a_file_for_later_sessions(run: tuple[Path, dict[str, Any]]) -> None:
    played = Run.open(run[0])
    records = [played.read(path).trajectory for path in played.files()]
    kept = [_kept(each) for each in records if (each.agent, each.condition) == ("able", "transcript")]
    ((first, second, _),) = kept

    assert first.startswith("Conversation that began at 2026-04-13 09:10\n\nUser: Halldata's fortnight")
    assert "\n\nAssistant: " in first
    assert "2026-04-16 10:40" in second
    assert all(not _kept(each) for each in records if each.condition == "notes")


def _kept(trajectory: Trajectory) -> list[str]:
    writes = [write for event in trajectory.events if isinstance(event, Arrival) for write in event.writes]
    return [str(w.values["text"]) for w in writes if w.values and w.id.startswith("/workspace/conversations/")]


def test_an_app_that_a_condition_does_without_is_not_offered() -> None:
    found = suite("pi-synth")
    (task,) = found.tasks

    assert "memory" in offered(found, Condition(), task)
    assert offered(found, Condition(without=("memory",)), task) == tuple(app for app in task.apps if app != "memory")


def test_an_app_that_no_task_opens_cannot_be_done_without() -> None:
    with pytest.raises(ConfigProblem, match=r"without.0: no task of pi-synth has an app 'memry'"):
        toolsets_for(suite("pi-synth"), Condition(without=("memry",)), ("memory",))


def _played(accounts: str) -> TrialRecord:
    """The oracle's trial where accounts are on or off."""
    condition = Condition.model_validate(
        {"ask": "ask_user", "end_of_turn": "user", "user": {"kind": "intents"}, "accounts": accounts}
    )
    config = RunConfig(suite="pi-synth", agents=(OracleConfig(kind="oracle"),), conditions={"one": condition})
    with TemporaryDirectory() as folder:
        (record,) = evaluate(config, suite("pi-synth"), Wired(), Path(folder) / "run").records()
    return record


def test_a_login_ends_with_its_session() -> None:
    trial = _played("on").trajectory
    ends = [event for event in trial.events if isinstance(event, Arrival) and event.text == "logins end with a session"]

    assert [(event.session, [write.app for write in event.writes]) for event in ends] == [
        (1, ["filesystem"]),
        (2, ["filesystem"]),
        (3, ["filesystem", "gmail", "todoist"]),
    ]
    assert {change.app for change in trial.changes if change.table == "logins"} == {"phone", "splitwise"}


def test_without_accounts_everybody_is_logged_in_from_the_start() -> None:
    record = _played("off")
    trial = record.trajectory
    (begun,) = [event for event in trial.events if isinstance(event, Arrival) and "logged in" in event.text]

    assert {write.app for write in begun.writes} == {
        "filesystem", "gmail", "phone", "simple_note", "splitwise", "todoist",
    }  # fmt: skip
    assert [change for change in trial.changes if change.table == "logins"] == []
    assert (record.scores["proc"].value, record.scores["outcome"].detail["comp"]) == (1, 1)
