"""The record as one list of events: their order, their times, and what is made of earlier records."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from harness.core.config import Condition, LlmConfig, RunConfig
from harness.core.desk import Desk
from harness.play.run import evaluate
from harness.play.stage import Job, Stage
from harness.play.trial import play
from harness.record.files import RunError
from harness.record.shape import shape
from harness.record.store import Run, TrialRecord
from harness.serving.links import MemoryLinks
from harness.stub import Fault, Reply, StubServer, ToolCall
from harness.trajectory import AnswerRecord, CallRecord, HandOver, QuestionRecord, Request, Trajectory
from harness.wiring import Wired
from tests.harness import toy
from tests.llm.support import run as scene

V1 = Path(__file__).parent / "v1"
OLD = sorted(V1.glob("*/trials/*.json"))


class Asker:
    """Asks with a tool, then at the end of its turn."""

    def __init__(self) -> None:
        self.heard = 0

    async def turn(self, desk: Desk, message: str) -> str:
        self.heard += 1
        if self.heard == 1:
            await desk.call("ask_user_ask_user", {"question": "Which list?"})
            return "Is it the list that I think it is?"
        await desk.call("projects_update_task", {"task_id": "00000000", "field": "list_name", "new_value": "Completed"})
        return "Done."


@pytest.fixture
def run(tmp_path: Path) -> Run:
    conditions = {"asking": Condition(ask="ask_user", end_of_turn="user")}
    config = toy.config(conditions=conditions, tasks=("toy-0",))
    return evaluate(config, toy.suite(), toy.Wiring(make=lambda _: Asker()), tmp_path / "run")


def trial(run: Run) -> Trajectory:
    return next(run.records()).trajectory


def test_events_stand_in_the_order_in_which_they_ended(run: Run) -> None:
    kinds = [event.kind for event in trial(run).events]

    assert kinds == ["request", "question", "answer", "call", "hand_over", "answer", "call", "hand_over", "answer"]


def test_a_question_stands_before_its_call_and_is_gathered_in_it(run: Run) -> None:
    _, question, answer, call, *_ = trial(run).events

    assert isinstance(question, QuestionRecord)
    assert isinstance(answer, AnswerRecord)
    assert isinstance(call, CallRecord)
    assert (question.step, answer.step, call.n) == (0, 0, 0)
    assert (question.text, answer.text) == ("Which list?", "In Progress")
    assert [(asked.text, asked.answer, asked.revealed) for asked in call.asked] == [
        ("Which list?", "In Progress", ("list",))
    ]


def test_the_hand_over_that_ends_a_session_is_on_record_and_no_question(run: Run) -> None:
    last = trial(run).steps[-1]

    assert isinstance(last, HandOver)
    assert (last.n, last.text) == (3, "Done.")
    assert [asked.goes_on for asked in last.asked] == [False]
    assert [asked.text for asked in trial(run).questions] == ["Which list?", "Is it the list that I think it is?"]
    assert trial(run).tool_calls == 3


def test_the_request_is_written_once_and_known_to_its_session(run: Run) -> None:
    first = trial(run).events[0]
    raw = json.loads(next((run.folder / "trials").glob("*.json")).read_text())["trajectory"]

    assert isinstance(first, Request)
    assert trial(run).sessions[0].request == first.text == "Move job 0 to In Progress."
    assert "request" not in raw["sessions"][0]


def test_an_event_lies_within_the_trial_and_a_question_within_its_call(run: Run) -> None:
    told = trial(run)
    _, question, _, call, *_ = told.events

    assert all(0 <= event.start <= event.start + event.duration <= told.seconds + 0.01 for event in told.events)
    assert call.start <= question.start <= call.start + call.duration


def test_times_do_not_tell_two_events_apart() -> None:
    one = Request(session=0, now="2025-03-13T00:00:00", text="Go.", start=1.0, duration=2.0)

    assert one == Request(session=0, now="2025-03-13T00:00:00", text="Go.")
    assert one != Request(session=0, now="2025-03-13T00:00:00", text="Stop.")


def test_a_record_reads_back_as_it_was(run: Run) -> None:
    record = next(run.records())

    assert TrialRecord.model_validate_json(record.model_dump_json()) == record


@pytest.mark.parametrize("path", OLD, ids=lambda path: f"{path.parts[-3]}-{path.stem[:16]}")
def test_a_record_of_version_1_loses_nothing(path: Path) -> None:
    then = json.loads(path.read_text(encoding="utf-8"))
    now = shape(TrialRecord.model_validate(then))

    assert now["trajectory"].pop("version") == 2
    assert then["trajectory"].pop("version") == 1
    for earlier in (*now["trajectory"]["tries"], *then["trajectory"]["tries"]):
        earlier.pop("version")
    assert now == then


@pytest.mark.parametrize("path", OLD, ids=lambda path: f"{path.parts[-3]}-{path.stem[:16]}")
def test_a_record_takes_at_most_a_tenth_more_than_one_of_version_1(path: Path) -> None:
    then = path.read_text(encoding="utf-8")
    record = TrialRecord.model_validate_json(then)
    for event in record.trajectory.events:  # what was not written then, as long as times are
        event.start, event.duration = 12.3456, 0.1234

    assert len(record.model_dump_json()) <= 1.1 * len(then)


def test_a_run_of_version_1_is_not_gone_on_with(tmp_path: Path) -> None:
    head = Run.open(V1 / "plain").head

    with pytest.raises(
        RunError, match=r"a run of version 1, which can be read but not continued: give another --output$"
    ):
        Run.create(_copy(V1 / "plain", tmp_path / "plain"), head.model_copy(update={"version": 2}))


def test_a_record_of_a_version_to_come_is_refused_by_its_number(run: Run) -> None:
    path = next((run.folder / "trials").glob("*.json"))
    path.write_text(path.read_text().replace('"version":2', '"version":3', 1))

    with pytest.raises(RunError, match="of version 3, and this package reads versions 1 and 2"):
        run.read(path)


def test_a_models_call_stands_behind_its_reply_and_before_what_it_led_to() -> None:
    arguments = {"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}
    replies: list[Reply | Fault] = [
        Reply(calls=(ToolCall(name="projects_update_task", arguments=arguments),)),
        Reply(text="Done."),
    ]

    async def play_it() -> Trajectory:
        async with StubServer({"Move job 0 to In Progress.": replies}) as stub:
            agent = LlmConfig.model_validate({"kind": "llm", "model": "hosted_vllm/stub", "api_base": stub.base_url})
            stage = Stage(RunConfig(suite="toy", agents=(agent,)), toy.suite(), Wired())
            job = Job(agent=agent, condition="default", prompt="original", task="toy-0", trial=0)
            try:
                return (await play(stage, job, MemoryLinks())).trajectory
            finally:
                stage.engine.close()

    told = scene(play_it)
    replied, (first, _), (call,) = told.messages[2], told.model_calls, told.calls

    assert [event.kind for event in told.events] == [
        "request", "message", "message", "message", "model_call", "call", "message", "message", "model_call",
    ]  # fmt: skip
    assert first.duration > 0
    assert first.start < replied.start <= call.start


def _copy(source: Path, target: Path) -> Path:
    shutil.copytree(source, target)
    return target
