"""`harness export inspect`: what Inspect reads in its logs is what our tables say."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from harness import wiring
from harness.core.config import Limits, RunConfig
from harness.core.suite import Scored
from harness.interop.inspect_log import export
from harness.play.run import evaluate
from harness.record.judgements import judged
from harness.record.store import Run
from harness.report.verdicts import accuracy, verdict
from harness.stub import Reply, ToolCall
from harness.suite import Suite
from tests.harness import subagents, toy
from tests.inspect.scenes import exported, stubbed
from tests.judging import scene


def counted(log: EvalLog, score: str = "outcome") -> dict[str, int]:
    """What became of the samples of a log, in our words."""
    words = {"C": "correct", "I": "failed"}
    samples = log.samples or []
    found = ["void" if s.error else words.get(str((s.scores or {})[score].value), "unscored") for s in samples]
    return dict(Counter(found))


def ours(run: Run, suite: Suite, log: EvalLog) -> tuple[dict[str, int], float | None]:
    about = log.eval.metadata or {}
    trials = [
        Scored(each.trajectory, each.scores)
        for each in judged(run, suite, run.records())
        if (each.trajectory.agent, each.trajectory.condition) == (about["agent"], about["condition"])
    ]
    return dict(Counter(map(verdict, trials))), accuracy(trials, suite).value


def figure(log: EvalLog, name: str = "accuracy") -> float:
    assert log.results
    return float(log.results.scores[0].metrics[name].value)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Suite, dict[str, EvalLog]]:
    """Instruments on a few tasks of office work, two trials each."""
    suite, folder = wiring.suite("workbench-synth"), tmp_path_factory.mktemp("office")
    agents: Any = [{"kind": "idle"}, {"kind": "oracle"}, {"kind": "reference"}]
    config = RunConfig(suite=suite.name, agents=agents, trials=2)
    run = evaluate(config, suite, wiring.wiring(), folder / "run", sample=6)
    return run, suite, exported(run, suite, folder / "logs")


@pytest.mark.parametrize("agent", ["idle", "oracle", "reference"])
def test_counts_and_accuracy_are_those_of_our_tables(office: tuple[Run, Suite, dict[str, EvalLog]], agent: str) -> None:
    run, suite, logs = office
    log = logs[f"{agent}/default"]

    assert len(logs) == 3
    assert len(log.samples or []) == 12
    assert (counted(log), figure(log)) == ours(run, suite, log)


def test_trials_are_epochs_and_tasks_are_sample_ids(office: tuple[Run, Suite, dict[str, EvalLog]]) -> None:
    run, _, logs = office
    log = logs["oracle/default"]
    played = sorted({record.trajectory.task for record in run.records()})

    assert log.eval.config.epochs == 2
    assert sorted(log.eval.dataset.sample_ids or []) == played
    assert sorted((each.id, each.epoch) for each in log.samples or []) == [(id, n) for id in played for n in (1, 2)]


def test_an_agent_without_a_model_has_its_calls_as_a_conversation(
    office: tuple[Run, Suite, dict[str, EvalLog]],
) -> None:
    run, suite, logs = office
    sample = next(each for each in logs["oracle/default"].samples or [] if suite.task(str(each.id)).solution)
    made = [call for message in sample.messages for call in getattr(message, "tool_calls", None) or ()]
    record = next(
        each.trajectory for each in run.records()
        if (each.trajectory.agent, each.trajectory.task, each.trajectory.trial) == ("oracle", sample.id, 0)
    )  # fmt: skip

    assert [call.function for call in made] == [f"{call.app}_{call.tool}" for call in record.calls]
    assert [call.arguments for call in made] == [call.arguments for call in record.calls]
    assert len({message.id for message in sample.messages}) == len(sample.messages)


def test_a_run_gives_the_same_logs_again(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(n) for n in range(3)])
    run = evaluate(toy.config(), suite, toy.wiring(), tmp_path / "run")

    first, again = (export(run, suite, tmp_path / name, "json") for name in ("a", "b"))

    assert [each.file.name for each in first] == [each.file.name for each in again]
    assert [each.file.read_bytes() for each in first] == [each.file.read_bytes() for each in again]


def test_its_list_of_logs_finds_them_all(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0)])
    run = evaluate(toy.config(), suite, toy.wiring(), tmp_path / "run")
    export(run, suite, tmp_path / "logs")

    (found,) = list_eval_logs(str(tmp_path / "logs"))

    assert found.task == "toy"
    assert read_eval_log(found, header_only=True).eval.model == "workplace/oracle"


class Judged:
    """A run on which one judge, and then another, has said something."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.suite = scene.played(folder / "run"), scene.suite()
        self.run = Run.open(self.folder)

    def by(self, folder: Path, **judges: Any) -> Judged:
        with scene.served(folder, **judges) as found:
            models = [part for name in judges for part in ("--model", f"hosted_vllm/{name}")]
            assert scene.command("judge", self.folder, *models, "--settings", found.settings) == 0
        return self


@pytest.fixture
def judging(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Judged:
    monkeypatch.chdir(tmp_path)
    return Judged(tmp_path)


def test_without_verdicts_nothing_is_scored_and_nothing_counts(judging: Judged, tmp_path: Path) -> None:
    log = exported(judging.run, judging.suite, tmp_path / "logs")["oracle/default"]

    assert counted(log, "quality") == {"unscored": 4}
    assert log.results
    assert (log.results.scores[0].scored_samples, log.results.scores[0].unscored_samples) == (0, 4)
    assert "accuracy" not in log.results.scores[0].metrics


@pytest.mark.parametrize("agent", ["oracle", "idle"])
def test_verdicts_make_scores_that_agree_with_ours(judging: Judged, tmp_path: Path, agent: str) -> None:
    judging.by(tmp_path, fair=scene.fair)

    log = exported(judging.run, judging.suite, tmp_path / "logs")[f"{agent}/default"]

    assert (counted(log, "quality"), figure(log)) == ours(judging.run, judging.suite, log)
    assert counted(log, "quality") == ({"correct": 4} if agent == "oracle" else {"failed": 4})


def test_a_graded_score_has_its_mean_and_its_criteria(judging: Judged, tmp_path: Path) -> None:
    judging.by(tmp_path, fair=scene.fair)

    log = exported(judging.run, judging.suite, tmp_path / "logs")["oracle/default"]
    (sample, *_) = log.samples or []
    score = (sample.scores or {})["quality"]

    assert figure(log, "mean") == pytest.approx(0.9375)  # three parts of four right, one at 4 of 1 to 5
    assert [each["name"] for each in (score.metadata or {})["criteria"]] == ["moved", "care"]
    assert "moved (weight 3): 1" in (score.explanation or "")


def _moves(request: dict[str, Any]) -> Reply:
    """Moves the job that it is asked about, then says so."""
    messages = request["messages"]
    number = next(m["content"] for m in messages if m["role"] == "user").split()[2]
    if messages[-1]["role"] == "tool":
        return Reply(text=f"Job {number} is moved.")
    task = toy.task(int(number))
    (call,) = task.solution
    return Reply(calls=(ToolCall(name=f"{call.app}_{call.tool}", arguments=call.arguments, id="c1"),))


def test_a_models_messages_calls_and_tokens_are_there(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0), toy.task(1)])
    run = stubbed(suite, tmp_path / "run", _moves)
    log = exported(run, suite, tmp_path / "logs")["talker/default"]
    (sample, *_) = log.samples or []
    record = next(each.trajectory for each in run.records() if each.trajectory.task == sample.id)
    (usage,) = sample.model_usage.values()

    assert log.eval.model == "hosted_vllm/stub"
    assert [message.role for message in sample.messages] == ["system", "user", "assistant", "tool", "assistant"]
    assert [message.text for message in sample.messages] == [message.content for message in record.messages]
    assert sample.output.completion == "Job 0 is moved."
    assert (usage.input_tokens, usage.output_tokens) == (record.usage.prompt_tokens, record.usage.completion_tokens)
    assert usage.input_tokens > 0
    assert usage.total_cost == pytest.approx(record.usage.cost_usd)
    assert counted(log) == {"correct": 2}


def test_each_model_call_shows_what_was_sent_offered_and_answered(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0)])
    run = stubbed(suite, tmp_path / "run", _moves)
    (sample,) = exported(run, suite, tmp_path / "logs")["talker/default"].samples or []
    calls: list[Any] = [event for event in sample.events if event.event == "model"]

    assert [len(call.input) for call in calls] == [2, 4]
    assert [tool.name for tool in calls[0].tools] == [
        tool["function"]["name"] for tool in next(run.records()).trajectory.model_calls[0].request["tools"]
    ]
    assert [call.output.stop_reason for call in calls] == ["tool_calls", "stop"]
    assert calls[0].input[1].id == calls[1].input[1].id == sample.messages[1].id


def test_a_trial_that_hit_a_limit_has_it_and_counts_as_failed(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0)])
    run = stubbed(suite, tmp_path / "run", _moves, limits=Limits(turns=1))
    log = exported(run, suite, tmp_path / "logs")["talker/default"]
    (sample,) = log.samples or []

    assert sample.limit
    assert (sample.limit.type, sample.limit.limit) == ("turn", 1)
    assert (counted(log), figure(log)) == ({"failed": 1}, 0)


def test_a_void_trial_is_an_error_without_a_score(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0), toy.task(1)])
    run = evaluate(toy.config(**toy.ASKING), suite, toy.dead("toy-1"), tmp_path / "run")
    log = exported(run, suite, tmp_path / "logs")["oracle/asking"]
    void = next(each for each in log.samples or [] if each.id == "toy-0")

    assert void.error
    assert void.error.message == "the simulator is down"
    assert not void.scores
    assert counted(log) == {"void": 1, "failed": 1}
    assert log.results
    assert (log.results.total_samples, log.results.completed_samples) == (2, 1)


def test_several_sessions_are_told_in_order(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0, sessions=2)])
    run = stubbed(suite, tmp_path / "run", _moves)
    (sample,) = exported(run, suite, tmp_path / "logs")["talker/default"].samples or []

    assert [message.text for message in sample.input] == ["Move job 0 to In Progress."] * 2
    assert [message.role for message in sample.messages] == ["system", "user", "assistant", "tool", "assistant"] * 2
    assert len({message.id for message in sample.messages}) == len(sample.messages)


def test_a_sample_says_what_was_to_be_done_and_which_run_it_is_of(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0)])
    run = evaluate(toy.config(), suite, toy.wiring(), tmp_path / "run")
    log = exported(run, suite, tmp_path / "logs")["oracle/default"]
    (sample,) = log.samples or []
    record = next(run.records()).trajectory

    assert sample.target == 'update projects.tasks 00000000 {"list_name": "In Progress"}'
    assert (sample.metadata["template"], sample.metadata["digest"]) == ("template-0", record.digest)
    assert log.metadata["identity"] == run.head.identity
    assert sample.store == {"projects": {"tasks": {"00000000": record.changes[0].after}}}


def test_a_check_that_does_not_decide_is_a_number(tmp_path: Path) -> None:
    plain = toy.suite([toy.task(0)])
    suite = replace(plain, checks={**plain.checks, "calls": lambda *_: _half()})
    run = evaluate(toy.config(), suite, toy.wiring(), tmp_path / "run")
    log = exported(run, suite, tmp_path / "logs")["oracle/default"]
    (sample,) = log.samples or []

    assert {name: score.value for name, score in (sample.scores or {}).items()} == {"outcome": "C", "calls": 0.5}
    assert log.results
    assert log.results.scores[1].metrics["mean"].value == 0.5


def _half() -> Any:
    from harness.score import Score

    return Score(value=0.5, label="half")


def test_the_command_prints_what_it_wrote(judging: Judged, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judging.by(tmp_path, fair=scene.fair)
    capsys.readouterr()

    assert scene.command("export", "inspect", judging.folder, "--json") == 0
    told = json.loads(capsys.readouterr().out)

    assert told["folder"] == str(judging.folder / "inspect")
    assert [(each["agent"], each["correct"], each["accuracy"]) for each in told["logs"]] == [
        ("oracle", 4, 1.0), ("idle", 0, 0.0)
    ]  # fmt: skip
    assert sorted(each["file"] for each in told["logs"]) == sorted(
        path.name for path in (judging.folder / "inspect").iterdir()
    )


def test_a_call_stands_beside_the_rows_that_it_wrote(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0)])
    run = stubbed(suite, tmp_path / "run", _moves)
    (sample,) = exported(run, suite, tmp_path / "logs")["talker/default"].samples or []
    events: list[Any] = list(sample.events)
    place = next(n for n, event in enumerate(events) if event.event == "tool")
    call, written = events[place : place + 2]
    (change,) = written.changes

    assert (call.id, call.function, call.error) == ("c1", "projects_update_task", None)
    assert call.span_id == written.span_id
    assert (change.op, change.path) == ("replace", "/projects/tasks/00000000")
    assert (change.replaced["list_name"], change.value["list_name"]) == ("Backlog", "In Progress")


def test_spans_open_and_close_in_order(tmp_path: Path) -> None:
    suite = toy.suite([toy.task(0, sessions=2)])
    run = evaluate(toy.config(), suite, toy.wiring(), tmp_path / "run")
    (sample,) = exported(run, suite, tmp_path / "logs")["oracle/default"].samples or []
    within: list[tuple[str, str]] = []
    named: list[str] = []

    for event in sample.events:
        if event.event == "span_begin":
            assert event.parent_id == (within[-1][0] if within else None)
            within.append((event.id, event.name))
            named.append(event.name)
        elif event.event == "span_end":
            assert event.id == within.pop()[0]

    assert within == []
    assert named == [
        "solvers", "session 1", "projects_update_task", "session 2", "projects_update_task", "scorers", "outcome"
    ]  # fmt: skip
    assert len({event.uuid for event in sample.events}) == len(sample.events)


def test_what_a_subagent_did_is_in_a_span_of_its_own_and_not_in_the_conversation(tmp_path: Path) -> None:
    given = subagents.suite([subagents.task(0)])
    run = evaluate(subagents.config(), given, subagents.Wiring(), tmp_path / "run")
    (sample,) = exported(run, given, tmp_path / "logs")["oracle/sub"].samples or []
    spans = [(event.name, event.type) for event in sample.events if event.event == "span_begin"]

    assert ("subagent 1", "agent") in spans
    assert spans.index(("subagent 1", "agent")) < spans.index(("projects_update_task", "tool"))
    assert [event.event for event in sample.events].count("span_end") == len(spans)
    assert [call.function for message in sample.messages for call in getattr(message, "tool_calls", None) or ()] == [
        "desk_spawn_subagent"
    ]
