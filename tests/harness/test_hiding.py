"""What stands in the environment: a setting changes no record, and a secret stands in none."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from harness import report
from harness.core.config import Condition, RunConfig
from harness.core.desk import Agent
from harness.play.replay import replay_run
from harness.play.run import evaluate, score_run
from harness.record.said import SAID
from harness.record.store import Run, RunHead, TrialRecord
from harness.task import Task
from servers.kernel import Change
from tests.harness import toy
from tests.harness.wired import Over

SECRET = "r8Vd03mXq7Yb2LkTz6Wn"
CONFIG = toy.config(conditions={"original": Condition(), "asking+or-not": Condition(ask="ask_user")})


def talkative(task: Task) -> Agent:
    calls = [(f"{call.app}_{call.tool}", call.arguments) for call in task.solution]
    asked = ("ask_user_ask_user", {"question": "Which list, In Progress or Completed?"})
    found = ("projects_search_tasks", {"list_name": "Backlog", "assigned_to_email": "ines@example.test"})
    return toy.Scripted([asked, found, *calls, ("no_such_tool", {"field": "list_name"})], reply="finished: list_name")


def played(folder: Path) -> tuple[Run, Any]:
    """A run and its tables."""
    wiring = toy.Wiring([toy.task(n, ask=True) for n in range(3)], talkative)
    suite = wiring.suite("toy")
    run = evaluate(CONFIG, suite, wiring, folder)
    score_run(run, suite)
    assert all(each.equal for each in replay_run(Run.open(folder), suite, wiring))
    return run, report.summary(run, suite, list(run.records()))["tables"]


@cache
def plain() -> tuple[dict[tuple[str, str, int], str], Any, list[str]]:
    """Digests, tables and all words, names, numbers and hashes of a run without secrets.

    Longer texts are left out: four words may be a passphrase, more than forty characters a key.
    """
    with tempfile.TemporaryDirectory() as name:
        run, tables = played(Path(name) / "run")
        files = sorted((Path(name) / "run").rglob("*.json"))
        words = {word for path in files for word in texts(json.loads(path.read_text()))}
        return toy.digests(run), tables, sorted(word for word in words if len(word) >= 8 and _is_word(word))


def _is_word(text: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{64}|\S+( \S+){0,2}", text) is not None and len(text) <= 64


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        yield from (text for item in value.values() for text in texts(item))
    elif isinstance(value, list):
        yield from (text for item in value for text in texts(item))
    else:
        yield str(value)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_word_of_a_record_in_the_environment_changes_a_run(data: st.DataObject) -> None:
    digests, tables, words = plain()
    word = data.draw(st.sampled_from(words))

    with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, {"SORT_KEY": word, "TOKEN_TYPE": word}):
        run, found = played(Path(name) / "run")
        assert (toy.digests(run), found) == (digests, tables)


TELL = f"""
import os, sys
from tests.command.programs import CALL
exec(CALL)
secret = os.environ["ACME_API_KEY"]
assert len(secret) == {len(SECRET)}
call("search_tasks", {{"task_name": secret}})
call("update_task", {{"task_id": "00000000", "field": "task_name", "new_value": f"Job <{{secret}}>"}})
call("search_tasks", {{"task_name": secret}})
call("update_task", {{"task_id": secret, "field": secret, secret: [secret]}})
call(secret, {{}})
print("my key is", secret)
sys.exit(f"so long, {{secret}}")
"""


def test_a_secret_that_a_program_says_and_sends_stands_in_no_file_and_replay_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_API_KEY", SECRET)
    root = Path(__file__).parents[2]
    program = {
        "kind": "command",
        "command": ["{python}", "-c", TELL, "{mcp_config}"],
        "environment": {"PYTHONPATH": str(root)},
        "pass_environment": ["ACME_API_KEY"],
    }
    config = RunConfig.model_validate({"suite": "toy", "agents": [program]})
    suite = toy.suite([toy.task(0)])

    run = evaluate(config, suite, Over(suite), tmp_path / "run")
    (record,) = run.records()
    monkeypatch.delenv("ACME_API_KEY")
    (again,) = replay_run(run, suite, Over(suite))

    written = {path: path.read_text(encoding="utf-8") for path in (tmp_path / "run").rglob("*") if path.is_file()}
    assert [path for path, text in written.items() if SECRET in text] == []
    assert record.trajectory.reason.endswith("so long, [hidden]")
    assert [call.status for call in record.trajectory.calls] == ["ok", "ok", "ok", "invalid", "unknown"]
    assert [change.fields for change in record.trajectory.changes] == [{"task_name": "Job <[hidden]>"}]
    assert again.equal, again.difference


def test_a_digest_that_stands_in_the_environment_stays_in_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMIT_KEY", toy.world().digest)
    run = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")

    assert {record.trajectory.world for record in run.records()} == {toy.world().digest}


KEPT = {
    "AnswerRecord": "kind targets revealed",
    "Arrival": "kind source",
    "Asked": "targets revealed strategy",
    "CallRecord": "kind app status",
    "Change": "app table id",
    "CommandConfig": "kind name pass_environment isolation image runtime",
    "Condition": "prompt ask notice persona end_of_turn tools without toolsets accounts overlays",
    "Criterion": "kind name about",
    "Disturbance": "kind tools mode",
    "FunctionConfig": "kind name version",
    "Landing": "kind status",
    "LlmConfig": "kind name model strategy",
    "LlmUserConfig": "kind profile",
    "Message": "kind role ended",
    "ModelCall": "kind purpose",
    "Opinion": "judge votes answer",
    "Overlay": "rename hide",
    "Parent": "run trial",
    "Part": "kind target",
    "Process": "isolation",
    "QuestionRecord": "kind strategy",
    "ReferenceConfig": "kind name settings",
    "Request": "kind now source",
    "PersonaUserConfig": "kind persona",
    "PlanExecute": "by",
    "PlayedPersonaConfig": "kind persona profile",
    "Reflexion": "by commit",
    "RunConfig": "suite name transport tasks",
    "RunHead": "identity suite suite_version suite_digest package sources forks",
    "Score": "label",
    "SessionRecord": "now digest",
    "Trajectory": "suite task task_hash agent condition prompt status digest defaults world transport package",
    "UserConfig": "kind version policy deferral memory probe consent manner",
    "Write": "app table id",
}  # fmt: skip


def test_every_text_of_a_record_is_either_said_or_kept() -> None:
    """A new field fails here until it is decided."""
    models = {model for root in (RunHead, TrialRecord) for model in within(root)}
    open_ = {
        f"{model.__name__}.{name}"
        for model in models
        for name, field in model.model_fields.items()
        if holds_text(field.annotation)
        and not any(name in SAID.get(kind, ()) for kind in model.__mro__)
        and name not in KEPT.get(model.__name__, "kind name").split()
    }

    assert Change in models
    assert open_ == set()


def within(model: type[BaseModel], seen: set[type[BaseModel]] | None = None) -> set[type[BaseModel]]:
    seen = set() if seen is None else seen
    if model not in seen:
        seen.add(model)
        for field in model.model_fields.values():
            for part in parts(field.annotation):
                if isinstance(part, type) and issubclass(part, BaseModel):
                    within(part, seen)
    return seen


def parts(annotation: Any) -> Iterator[Any]:
    yield annotation
    for part in get_args(annotation):
        yield from parts(part)


def holds_text(annotation: Any) -> bool:
    """Whether a text may stand there, also as one of few words; a mapping from names to models holds none."""
    found = list(parts(annotation))
    if any(isinstance(part, type) and issubclass(part, BaseModel) for part in found):
        return False
    return any(part in (str, Any) or isinstance(part, str) for part in found)
