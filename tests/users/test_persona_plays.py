"""Runs with personas: over suites whose requests have slots, and with a model that plays them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import start_blocking_portal

from harness.core.config import Condition, RunConfig
from harness.core.credentials import stored
from harness.models.cassette import Cassette
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.record.store import Run, TrialRecord
from harness.stub import Reply, StubServer
from harness.suite import Suite
from harness.trajectory import Trajectory
from harness.wiring import Wired
from harness.wiring import suite as load
from tests.users.speaking import Speaker, heard, speaking
from tests.users.test_llm_user_plays import Asking

WITHHOLDING = ("lhaw-short", "lhaw-workplace")
"""Requests of `workbench-synth` and of `workflows` from which a value was taken."""


def lacking(suite: Suite, number: int) -> list[str]:
    """So many tasks from which one value was taken, of different templates."""
    by_template = {
        task.template: task.id for task in suite.tasks if [len(gone) for gone in task.withheld.values()] == [1]
    }
    return [*by_template.values()][:number]


def played(
    suite: Suite, condition: dict[str, Any], tasks: Sequence[str], folder: Path, *, agent: str = "reference"
) -> list[TrialRecord]:
    config = RunConfig.model_validate(
        {
            "suite": suite.name, "agents": [{"kind": agent}], "conditions": {"c": condition}, "tasks": tasks,
            "limits": {"turns": 200, "tool_calls": 150},
        }
    )  # fmt: skip
    return list(evaluate(config, suite, Wired(), folder).records())


@pytest.mark.parametrize(("name", "ask"), [("lhaw-short", "ask_user"), ("lhaw-workplace", "clarify")])
def test_a_persona_tells_what_the_requests_of_other_suites_lack(name: str, ask: str, tmp_path: Path) -> None:
    suite = load(name)
    condition = {"prompt": "underspecified", "ask": ask, "user": {"kind": "persona", "persona": "rational"}}
    found = played(suite, condition, lacking(suite, 3), tmp_path / "run")

    assert [bool(each.scores["outcome"].right) for each in found] == [True] * 3
    assert [len(each.trajectory.questions) for each in found] == [1] * 3
    assert all(each.trajectory.questions[0].revealed for each in found)


@pytest.mark.parametrize("name", WITHHOLDING)
def test_an_avoidant_persona_tells_them_nothing_at_the_first_ask(name: str, tmp_path: Path) -> None:
    suite = load(name)
    condition = {"prompt": "underspecified", "ask": "clarify", "user": {"kind": "persona", "persona": "avoidant"}}
    found = played(suite, condition, lacking(suite, 2), tmp_path / "run")

    assert [[part.kind for part in each.trajectory.questions[0].parts] for each in found] == [["put_off"]] * 2
    assert [bool(each.scores["outcome"].right) for each in found] == [False] * 2


@pytest.mark.parametrize("name", ["workbench-synth", "workflows"])
def test_whole_requests_of_other_suites_are_played_with_a_persona_at_hand(name: str, tmp_path: Path) -> None:
    suite = load(name)
    condition = {"ask": "clarify", "user": {"kind": "persona", "persona": "dependent"}}
    found = played(suite, condition, [task.id for task in suite.tasks[:2]], tmp_path / "run")

    assert [(each.scores["outcome"].right, each.trajectory.questions) for each in found] == [(True, [])] * 2


# --- with a model ------------------------------------------------------------------------------------------------


def config(user: dict[str, Any]) -> RunConfig:
    condition = Condition.model_validate(
        {"prompt": "underspecified", "ask": "ask_user", "user": {"kind": "persona", **user}}
    )
    return RunConfig.model_validate({"suite": "toy", "agents": [{"kind": "idle"}], "conditions": {"c": condition}})


def modelled(speaker: Speaker, **more: Any) -> dict[str, Any]:
    price = {"prompt": 1_000_000, "completion": 1_000_000}
    return {"model": {"model": "openai/stub", "api_base": speaker.base_url, "price": price}, **more}


def asked(config: RunConfig, folder: Path, wiring: Asking | None = None) -> tuple[Run, Trajectory]:
    wiring = wiring or Asking()
    run = evaluate(config, wiring.suite("toy"), wiring, folder)
    return run, next(run.records()).trajectory


def test_its_calls_are_on_record_and_paid_for_and_replaying_asks_nobody(tmp_path: Path) -> None:
    with speaking([heard("list")], ["To In Progress."]) as speaker:
        run, then = asked(config(modelled(speaker)), tmp_path / "run")
        calls = len(speaker.requests)

        assert [each.equal for each in replay_run(run, Asking().suite("toy"), Asking())] == [True]
        assert len(speaker.requests) == calls == 2

    assert then.questions[0].answer == "To In Progress."
    assert [call.purpose for call in then.model_calls] == ["user", "user"]
    assert then.usage.cost_usd == sum(call.usage.cost_usd or 0 for call in then.model_calls) > 0


@pytest.mark.parametrize("profile", ["standard", "paper"])
def test_a_cassette_holds_what_it_said(tmp_path: Path, profile: str) -> None:
    with speaking([heard("list")], ["To In Progress."]) as speaker:
        told = config(modelled(speaker, profile=profile))
        _, then = asked(told, tmp_path / "run", Asking(cassette=Cassette(tmp_path / "tape", "record")))
        calls = len(speaker.requests)
        _, again = asked(told, tmp_path / "again", Asking(cassette=Cassette(tmp_path / "tape", "replay")))

        assert len(speaker.requests) == calls
    assert [each.answer for each in then.questions] == [each.answer for each in again.questions] == ["To In Progress."]


def test_a_persona_whose_replies_will_not_do_voids_the_trial(tmp_path: Path) -> None:
    with speaking([heard("list")], ["To list 47."]) as speaker:
        _, then = asked(config(modelled(speaker)), tmp_path / "run")

    assert then.status == "void"
    assert "none of 3 replies of the user's model could be used" in then.reason
    assert [call.problem[:7] for call in then.model_calls] == ["", "missing", "missing", "missing"]


def test_each_case_is_played_by_the_model_that_its_hash_names(tmp_path: Path) -> None:
    with speaking([heard("list")], ["To In Progress."]) as speaker:
        one = modelled(speaker)["model"]
        told = config({"model": {**one, "model": "openai/first"}, "rotation": [{**one, "model": "openai/second"}]})
        user: Any = told.conditions["c"].user
        asked(told, tmp_path / "run")

    assert {request["model"] for request in speaker.requests} == {
        user.of_case(0, "toy-0").model.model.partition("/")[2]
    }


def test_credentials_of_each_of_its_models_are_stored_nowhere() -> None:
    urls = [f"http://me:hunter{n}-secret@127.0.0.1/v1" for n in range(2)]
    first, second = ({"model": "openai/stub", "api_base": url} for url in urls)
    kept = stored(config({"model": first, "rotation": [second]})).model_dump_json()

    assert "hunter" not in kept
    assert kept.count("127.0.0.1") == 2


def told_all(request: dict[str, Any]) -> Reply:
    """A stub that hears every fact in a question, and says what its notes tell it to, word for word."""
    system, question = (request["messages"][n]["content"] for n in (0, -1))
    if Speaker.hearing(request):
        facts = system.partition("The facts:")[2].partition("Reply with")[0]
        return Reply(text=heard(*re.findall(r"(?m)^- ([\w-]+)", facts)))
    return Reply(text=" and ".join(re.findall(r"stand in your answer as they are: (.+)", question)) or "No idea yet.")


@contextmanager
def served(script: Callable[[dict[str, Any]], Reply]) -> Iterator[str]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(StubServer(script)) as stub:
        yield stub.base_url


@pytest.mark.parametrize("name", WITHHOLDING)
def test_a_persona_that_a_model_plays_answers_over_other_suites_too(name: str, tmp_path: Path) -> None:
    suite = load(name)
    with served(told_all) as address:
        user = {"kind": "persona", "model": {"model": "openai/stub", "api_base": address}}
        condition = {"prompt": "underspecified", "ask": "clarify", "user": user}
        (found,) = played(suite, condition, lacking(suite, 1), tmp_path / "run")

    assert found.scores["outcome"].right
    assert [call.purpose for call in found.trajectory.model_calls] == ["user", "user"]
