"""Whole trials of the ReAct agent: trying again in a fresh sandbox, tools on offer, prompts of one's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from benchmarks.workbench.synth.suite import load as synth
from harness.core.config import Condition, ConfigProblem, Limits, LlmConfig, Prompts, RunConfig
from harness.models.cassette import Cassette
from harness.play.replay import replay_run
from harness.play.run import evaluate
from harness.play.session import Prefix
from harness.play.stage import Job, Stage
from harness.play.trial import play
from harness.record.store import TrialRecord, identity
from harness.serving.links import MemoryLinks
from harness.stub import Reply, StubServer
from harness.task import Task
from harness.wiring import Wired
from tests.harness import toy
from tests.llm.support import run
from tests.llm.test_react import DONE, act

TASK = toy.task(0)
MOVE = act("projects_update_task", {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"})
WRONG = act("projects_update_task", {"task_id": "00000001", "field": "list_name", "new_value": "Completed"})
REPEATED: dict[str, Any] = {"patience": 1, "resample": 5}

Say = Callable[[int, float, int], str]
"""(try so far, temperature, turn) -> what the model says."""


def trial(say: Say, cassette: Cassette | None = None, prefix: Prefix | None = None, **settings: Any) -> TrialRecord:
    """Play the toy task; `settings` are of the agent, save `condition`, `limits` and `needs`."""
    condition = settings.pop("condition", Condition())
    limits = settings.pop("limits", Limits())
    needs = settings.pop("needs", None)
    starts = -1

    def script(request: dict[str, Any]) -> Reply:
        nonlocal starts
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        starts += not turn
        return Reply(text=say(starts, request["temperature"], turn))

    async def scene() -> TrialRecord:
        async with StubServer(script) as stub:
            fields = {"strategy": "react", "api_base": stub.base_url, **settings}
            agent = LlmConfig.model_validate({"kind": "llm", "model": "hosted_vllm/stub", **fields})
            config = RunConfig(suite="toy", agents=(agent,), conditions={"default": condition}, limits=limits)
            task = TASK.model_copy(update={"apps": ("projects", "gmail", "directory")})
            suite = replace(toy.suite([task]), required=needs)
            wired = Wired(cassette)
            stage = Stage(config, suite, wired)
            job = Job(agent=agent, condition="default", prompt="original", task=task.id, trial=0)
            try:
                return await play(stage, job, MemoryLinks(), prefix)
            finally:
                stage.engine.close()
                await wired.aclose()

    return run(scene)


def told(*said: str) -> Say:
    """The same replies in every try."""
    return lambda attempt, temperature, turn: said[turn]


def test_an_episode_that_succeeds_is_tried_once() -> None:
    record = trial(told(MOVE, DONE), **REPEATED)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("finished", 1)
    assert record.trajectory.sessions[0].reply == "All done."
    assert record.trajectory.tries == []


def test_without_resampling_a_missing_action_is_a_failure() -> None:
    record = trial(told("It is moved."), patience=1)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("crashed", 0)
    assert (record.trajectory.calls[0].status, record.trajectory.calls[0].tool) == ("garbled", "")
    assert record.trajectory.calls[0].arguments == {"raw": "It is moved."}


def after(wrong: int, *first: str) -> Say:
    """`first` in the first `wrong` tries, then the work, well done."""
    return lambda attempt, temperature, turn: (first if attempt < wrong else (MOVE, DONE))[turn]


def test_the_next_try_has_a_fresh_sandbox_and_another_temperature() -> None:
    temperatures: list[float] = []
    say = after(2, WRONG, "All of it is done now.")

    def listening(attempt: int, temperature: float, turn: int) -> str:
        temperatures.append(temperature)
        return say(attempt, temperature, turn)

    record = trial(listening, **REPEATED)

    assert temperatures == [0, 0, 0.5, 0.5, 0.5, 0.5]
    assert record.scores["outcome"].value == 1
    assert [change.id for change in record.trajectory.changes] == ["00000000"]
    assert [[change.id for change in each.changes] for each in record.trajectory.tries] == [["00000001"]] * 2


def test_every_try_is_on_record_with_what_it_cost() -> None:
    record = trial(after(1, "Done."), **REPEATED, price={"prompt": 1, "completion": 2})
    last, (first,) = record.trajectory, record.trajectory.tries

    assert [len(each.model_calls) for each in (first, last)] == [1, 2]
    assert (first.status, first.messages[-2].content, first.tries) == ("crashed", "Done.", [])
    calls = [call.usage for call in (*first.model_calls, *last.model_calls)]
    assert last.usage.prompt_tokens == sum(usage.prompt_tokens for usage in calls) > first.usage.prompt_tokens > 0
    assert last.usage.cost_usd == pytest.approx(sum(usage.cost_usd or 0 for usage in calls))
    assert last.seconds >= first.seconds
    assert TrialRecord.model_validate_json(record.model_dump_json()) == record


def test_the_last_try_counts_and_there_is_an_end_to_them() -> None:
    record = trial(told("Done."), patience=1, resample=3)

    assert (record.trajectory.status, record.scores["outcome"].value) == ("crashed", 0)
    assert len(record.trajectory.tries) == 3


def test_an_action_that_does_not_parse_is_tried_again_too() -> None:
    record = trial(after(1, MOVE[:-20]), **REPEATED)

    assert (record.scores["outcome"].value, len(record.trajectory.tries)) == (1, 1)


@pytest.mark.parametrize(
    "say",
    [told(DONE), told(WRONG, DONE), told(act("no_such_tool", {}), DONE), told(act("projects_update_task", {}), DONE)],
)
def test_a_try_that_ended_by_itself_is_never_repeated(say: Say) -> None:
    record = trial(say, **REPEATED)

    assert (record.trajectory.status, record.trajectory.tries) == ("finished", [])
    assert record.scores["outcome"].value == 0


def test_a_limit_is_no_reason_to_try_again() -> None:
    record = trial(told(MOVE, "Hm.", "Hm."), patience=5, resample=5, limits=Limits(turns=2))

    assert (record.trajectory.status, record.trajectory.tries) == ("limit", [])


def test_turns_are_for_each_try_and_tokens_for_all() -> None:
    say = after(3, MOVE, "Done.")
    whole = trial(say, **REPEATED, limits=Limits(turns=2, tool_calls=2))
    tokens = whole.trajectory.tries[0].usage.prompt_tokens * 2
    cut = trial(say, **REPEATED, limits=Limits(tokens=tokens))

    assert (whole.trajectory.status, len(whole.trajectory.tries)) == ("finished", 3)
    assert (cut.trajectory.status, cut.trajectory.reason) == ("limit", "limit reached: tokens")
    assert len(cut.trajectory.tries) == 1


def test_a_trial_of_several_tries_is_rebuilt_to_each_step_and_goes_on_live() -> None:
    say = after(2, WRONG, "Done.")
    recorded = trial(say, **REPEATED).trajectory

    for step in range(len(recorded.calls) + 1):
        again = trial(told(MOVE, DONE), prefix=Prefix(recorded, step), **REPEATED).trajectory
        assert (again.status, again.digest, again.messages) == ("finished", recorded.digest, recorded.messages)
        assert (again.usage, again.tries) == (recorded.usage, recorded.tries)


def test_equal_requests_of_different_tries_are_apart_in_a_cassette(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    say = after(3, "Done.")
    there = trial(say, Cassette(path, "record"), **REPEATED, extra={"user": "tape"}).trajectory
    again = trial(told(), Cassette(path, "replay"), **REPEATED, extra={"user": "tape"}).trajectory

    assert (len(there.tries), there.digest, there.messages) == (3, again.digest, again.messages)


def test_required_tools_are_those_of_the_apps_a_task_needs() -> None:
    def needs(task: Task) -> tuple[str, ...]:
        return ("directory", "projects")

    every = trial(told(MOVE, DONE), needs=needs)
    required = trial(told(MOVE, DONE), needs=needs, condition=Condition(tools="required"))
    refused = trial(
        told(act("gmail_delete_email", {"email_id": "00000000"}), DONE),
        needs=needs,
        condition=Condition(tools="required"),
    )

    prompts = [record.trajectory.messages[0].content for record in (every, required)]
    assert ["gmail_send_email" in prompt for prompt in prompts] == [True, False]
    assert all("directory_find_email_address" in prompt for prompt in prompts)
    assert (required.trajectory.digest, required.scores["outcome"].value) == (every.trajectory.digest, 1)
    assert refused.trajectory.calls[0].status == "unknown"


def test_a_run_with_required_tools_is_replayed_from_disk(tmp_path: Path) -> None:
    (call,) = TASK.solution
    calls = [("gmail_delete_email", {"email_id": "00000000"}), (f"{call.app}_{call.tool}", call.arguments)]
    task = TASK.model_copy(update={"apps": ("projects", "gmail")})
    wiring = toy.Wiring([task], lambda _: toy.Scripted(calls))
    suite = replace(toy.suite([task]), required=lambda task: ("projects",))
    config = toy.config(conditions={"few": Condition(tools="required")})
    done = evaluate(config, suite, wiring, tmp_path / "run")
    (record,) = done.records()

    assert [call.status for call in record.trajectory.calls] == ["unknown", "ok"]
    assert [each.equal for each in replay_run(done, suite, wiring)] == [True]


def test_required_tools_are_enough_for_every_task_of_our_own() -> None:
    suite = synth()
    assert suite.required is not None
    missing = [t.id for t in suite.tasks if not {call.app for call in t.solution} <= {*suite.required(t)}]

    assert missing == []
    fewer = [task for task in suite.tasks if len(suite.required(task)) < len(task.apps)]
    assert len(fewer) == 680  # one template across all domains needs every app


def test_asking_stays_on_offer_among_required_tools() -> None:
    condition = Condition(tools="required", ask="ask_user")
    record = trial(told(MOVE, DONE), needs=lambda task: ("projects",), condition=condition)

    assert "ask_user_ask_user" in record.trajectory.messages[0].content


def test_a_suite_that_does_not_say_what_a_task_needs_has_no_required_tools() -> None:
    config = toy.config(conditions={"few": Condition(tools="required")})
    stage = Stage(config, toy.suite(), toy.Wiring())
    try:
        with pytest.raises(ConfigProblem, match="suite toy does not say which apps a task needs"):
            stage.toolsets("few", TASK)
    finally:
        stage.engine.close()


def test_a_template_file_is_part_of_the_config_and_of_the_runs_identity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(text: str) -> LlmConfig:
        (tmp_path / "mine.j2").write_text(text)
        return LlmConfig.model_validate({"kind": "llm", "model": "m/x", "prompts": {"react": "mine.j2"}})

    monkeypatch.chdir(tmp_path)
    one, other = made("{{ system }} Be quick.\n"), made("{{ system }} Be slow.\n")

    assert one.prompts.react == "{{ system }} Be quick.\n"
    assert LlmConfig.model_validate_json(one.model_dump_json()) == one
    runs = [RunConfig(suite="toy", agents=(each,)) for each in (one, other)]
    assert identity(runs[0], "", "") != identity(runs[1], "", "")


def test_a_template_is_looked_for_beside_its_config(tmp_path: Path) -> None:
    (tmp_path / "mine.j2").write_text("{{ day }}")

    assert Prompts.model_validate({"system": "mine.j2"}, context={"folder": tmp_path}).system == "{{ day }}\n"


@pytest.mark.parametrize("strategy", ["tools", "react"])
def test_a_template_of_ones_own_is_what_the_model_gets(strategy: str) -> None:
    own = {"tools": "system", "react": "react"}[strategy]
    text = f"Be quick.\n{{% include '{own}.j2' %}}\n"
    record = trial(told(DONE), strategy=strategy, prompts={own: text})

    assert record.trajectory.messages[0].content.startswith("Be quick.\nToday is Thursday.\n\nIt is ")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("nowhere.j2", "'nowhere.j2' cannot be read"),
        ("{% if %}\n", "line 1 of the template"),
        ("{{ tools }}\n", "the template uses 'tools'; it may use day, now, system"),
    ],
)
def test_a_template_that_cannot_work_is_refused_before_the_run(given: str, problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Prompts(system=given)


def test_a_template_cannot_reach_into_the_program() -> None:
    record = trial(told(DONE), prompts={"react": "{{ system.__class__.__mro__ }}\n"})

    assert record.trajectory.status == "void"
    assert "unsafe" in record.trajectory.reason
