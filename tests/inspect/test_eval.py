"""`inspect eval` plays our suites: our sandbox, user and checks around Inspect's model, with the scores of our runs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, ModelOutput
from inspect_ai.solver import generate

from harness import wiring
from harness.core.config import ConfigProblem, RunConfig
from harness.interop import inspect_tasks
from harness.interop.inspect_play import KEPT, suite_task
from harness.play.run import evaluate
from harness.trajectory import Trajectory
from tests.harness import toy
from tests.inspect.scenes import called, inspected, mock, offer, said, solving

pytestmark = [  # of Inspect's own making, where warnings are errors
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def kept(sample: EvalSample) -> Trajectory:
    """What happened, as our side has it."""
    return Trajectory.model_validate(sample.store[KEPT])


def by_id(log: EvalLog) -> dict[str, EvalSample]:
    return {str(sample.id): sample for sample in log.samples or []}


def values(log: EvalLog) -> dict[str, Any]:
    return {id: (sample.scores or {})["outcome"].value for id, sample in by_id(log).items()}


def test_scores_are_those_of_our_own_run_of_the_same_calls(tmp_path: Path) -> None:
    """One task done by its reference calls, one left alone."""
    suite = wiring.suite("workbench-synth")
    done, left = (next(task for task in suite.tasks if len(task.solution) == n) for n in (2, 1))
    agents: Any = [{"kind": "oracle"}, {"kind": "idle"}]
    config = RunConfig(suite=suite.name, agents=agents, tasks=(done.id, left.id))
    run = evaluate(config, suite, wiring.wiring(), tmp_path / "run")
    own = {(record.trajectory.agent, record.trajectory.task): record for record in run.records()}
    expected = {done.id: own["oracle", done.id], left.id: own["idle", left.id]}

    task = suite_task(suite.name)
    model = mock(solving([done, left], wrong=[left.id]))
    log = inspected(task, model, tmp_path, sample_id=[done.id, left.id])

    assert values(log) == {done.id: "C", left.id: "I"}
    for id, sample in by_id(log).items():
        score = (sample.scores or {})["outcome"]
        assert score.metadata == expected[id].scores["outcome"].model_dump(mode="json")
        assert kept(sample).digest == expected[id].trajectory.digest
    assert log.results
    assert log.results.scores[0].metrics["accuracy"].value == 0.5


def test_the_model_reads_what_our_own_agent_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = toy.task(0)
    name = offer(monkeypatch, toy.suite([task]))

    log = inspected(suite_task(name), mock(solving([task])), tmp_path)
    (sample,) = log.samples or []
    record = kept(sample)

    assert "Today is Thursday." in sample.messages[0].text
    assert [message.text for message in sample.messages] == [message.content for message in record.messages]
    assert [(call.tool, call.status) for call in record.calls] == [("update_task", "ok")]
    assert record.usage.prompt_tokens == 200


def test_a_question_reaches_the_grounded_user_and_its_answer_the_model(tmp_path: Path) -> None:
    suite = wiring.suite("lhaw-workplace")
    task = next(t for t in suite.tasks if "underspecified" in t.sessions[0].requests and _names(t) == ["person"])
    heard: list[str] = []

    def say(conversation: Sequence[ChatMessage]) -> ModelOutput:
        if conversation[-1].role == "tool":
            heard.append(conversation[-1].text)
            return said("Thank you.")
        return called("ask_user_ask_user", {"question": "Who is it for? Which person do you mean?"})

    played = suite_task(suite.name, prompt="underspecified", ask="ask_user")
    log = inspected(played, mock(say), tmp_path, sample_id=task.id)
    (sample,) = log.samples or []
    (asked,) = kept(sample).questions
    (withheld,) = task.sessions[0].briefs["underspecified"].withheld

    assert sample.input == task.sessions[0].requests["underspecified"]
    assert asked.revealed == (withheld.id,)
    assert heard == [asked.answer]
    assert withheld.value in heard[0]


def _names(task: Any) -> list[str]:
    return [each.slot.kind for each in task.sessions[0].briefs["underspecified"].withheld]


def test_every_session_begins_with_an_empty_conversation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = toy.task(0, sessions=2)
    name = offer(monkeypatch, toy.suite([task]))
    seen: list[list[str]] = []

    def say(conversation: Sequence[ChatMessage]) -> ModelOutput:
        seen.append([message.role for message in conversation])
        return solving([task])(conversation)

    (sample,) = inspected(suite_task(name), mock(say), tmp_path).samples or []

    assert seen == [["system", "user"], ["system", "user", "assistant", "tool"]] * 2
    assert [session.reply for session in kept(sample).sessions] == ["It is done."] * 2
    assert [message.role for message in sample.messages] == ["system", "user", "assistant", "tool", "assistant"] * 2


def test_what_inspect_does_not_pass_on_is_on_record_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = offer(monkeypatch, toy.suite([toy.task(0)]))
    replies = iter(
        [
            called("projects_update_task", {"task_id": 7}),
            called("projects_nothing", {}),
            called("projects_update_task", {"raw": "{"}, "no JSON"),
            said("I give up."),
        ]
    )

    (sample,) = inspected(suite_task(name), mock(lambda _: next(replies)), tmp_path).samples or []

    assert [call.status for call in kept(sample).calls] == ["garbled", "unknown", "garbled"]
    assert values_of(sample) == "I"


def values_of(sample: EvalSample) -> Any:
    return (sample.scores or {})["outcome"].value


def test_a_refusal_reaches_the_model_as_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = offer(monkeypatch, toy.suite([toy.task(0)]))
    wrong = {"task_id": "99999999", "field": "list_name", "new_value": "Backlog"}
    replies = iter([called("projects_update_task", wrong), said("There is none.")])

    (sample,) = inspected(suite_task(name), mock(lambda _: next(replies)), tmp_path).samples or []
    (told,) = (message for message in sample.messages if message.role == "tool")

    assert told.error
    assert "99999999" in told.error.message
    assert [call.status for call in kept(sample).calls] == ["failed"]


def test_a_limit_of_inspects_fails_the_trial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = toy.task(0)
    name = offer(monkeypatch, toy.suite([task]))

    (sample,) = inspected(suite_task(name), mock(solving([task])), tmp_path, turn_limit=1).samples or []

    assert sample.limit
    assert sample.limit.type == "turn"
    assert kept(sample).changes  # the work was done, and yet the trial has not ended as it should
    assert (kept(sample).status, values_of(sample)) == ("limit", "I")


def test_a_model_that_cannot_be_asked_is_an_error_of_the_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = offer(monkeypatch, toy.suite([toy.task(0)]))

    def say(_: Sequence[ChatMessage]) -> ModelOutput:
        raise ValueError("no such model here")

    log = inspected(suite_task(name), mock(say), tmp_path, fail_on_error=False)
    (sample,) = log.samples or []

    assert sample.error
    assert "no such model here" in sample.error.message
    assert not sample.scores


def test_epochs_are_trials_with_seeds_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = toy.task(0)
    name = offer(monkeypatch, toy.suite([task]))
    ours = evaluate(
        toy.config(trials=2, conditions={"original": {}}), toy.suite([task]), toy.wiring(), tmp_path / "run"
    )

    samples = inspected(suite_task(name), mock(solving([task])), tmp_path, epochs=2).samples or []

    assert sorted((kept(each).trial, kept(each).seed) for each in samples) == sorted(
        (record.trajectory.trial, record.trajectory.seed) for record in ours.records()
    )


def test_a_task_takes_the_first_samples_or_some_of_each_template(monkeypatch: pytest.MonkeyPatch) -> None:
    name = offer(monkeypatch, toy.suite())

    first, drawn = suite_task(name, limit=3), suite_task(name, sample=4)

    assert [sample.id for sample in first.dataset] == ["toy-0", "toy-1", "toy-2"]
    assert sorted(str((sample.metadata or {})["template"]) for sample in drawn.dataset) == [
        f"template-{n}" for n in range(4)
    ]


def test_a_prompt_that_is_not_there_is_refused_before_anything_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    name = offer(monkeypatch, toy.suite())

    with pytest.raises(ConfigProblem, match="no prompt 'vague'"):
        suite_task(name, prompt="vague")


def test_another_solver_is_told_that_there_is_nothing_to_score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = offer(monkeypatch, toy.suite([toy.task(0)]))

    log = inspected(suite_task(name), mock(lambda _: said("Hm.")), tmp_path, solver=generate(), fail_on_error=False)
    (sample,) = log.samples or []

    assert sample.error
    assert "play it without --solver" in sample.error.message


@pytest.mark.skipif(
    not [point for point in entry_points(group="inspect_ai") if point.name == inspect_tasks.NAME],
    reason="the package was installed before it had this entry point",
)
def test_a_suite_is_found_by_its_name(tmp_path: Path) -> None:
    suite = wiring.suite("workbench-synth")
    model = mock(solving(suite.tasks[:1]))

    (found,) = inspect_eval(
        f"{inspect_tasks.NAME}/workbench-synth",
        model=model,
        task_args={"limit": 1},
        log_dir=str(tmp_path),
        display="none",
    )
    log = read_eval_log(found.location)

    assert log.eval.task_registry_name == "workplace/workbench-synth"
    assert (log.eval.task, log.eval.task_args["prompt"]) == ("workbench-synth", "original")
    assert values(log) == {suite.tasks[0].id: "C"}
