"""A limit of Inspect's ends the trial as one of ours does: on record, and scored as the rows then stand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage, get_model

from harness.interop.inspect_play import KEPT, suite_task
from harness.trajectory import Trajectory
from tests.harness import toy
from tests.inspect.scenes import inspected, offer, solving

pytestmark = [  # of Inspect's own making, where warnings are errors
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def hanging(tasks: Sequence[Any]) -> Model:
    """Makes the reference calls, and then never says that it is done."""
    say = solving(tasks)

    async def answer(input: list[ChatMessage], *_: object) -> ModelOutput:
        output = say(input)
        if not output.message.tool_calls:
            await anyio.sleep_forever()
        output.usage = ModelUsage(input_tokens=100, output_tokens=7, total_tokens=107)  # else it would be estimated
        return output

    return get_model("mockllm/model", custom_outputs=answer, memoize=False)


@pytest.mark.parametrize(
    ("limit", "name"),
    [
        ({"time_limit": 1}, "time"),
        ({"working_limit": 1}, "working"),
        ({"message_limit": 3}, "message"),
        ({"token_limit": 50}, "token"),
    ],
)
def test_the_record_and_the_score_are_those_of_what_was_done_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: dict[str, int], name: str
) -> None:
    tasks = [toy.task(0), toy.task(1)]
    suite = offer(monkeypatch, toy.suite(tasks))

    samples = inspected(suite_task(suite), hanging(tasks), tmp_path, **limit).samples or []

    assert len(samples) == 2
    for sample in samples:
        record = Trajectory.model_validate(sample.store[KEPT])
        score = (sample.scores or {})["outcome"]
        assert sample.error is None
        assert (sample.limit.type if sample.limit else "") == name
        assert (record.status, record.reason) == ("limit", f"limit reached: {name}")
        assert score.value == "I"
        assert bool(record.calls) == bool(record.changes) == (name != "token")
        assert (score.metadata or {})["label"] == "limit"


def test_a_session_that_was_never_begun_is_not_on_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = toy.task(0, sessions=2)
    suite = offer(monkeypatch, toy.suite([task]))

    (sample,) = inspected(suite_task(suite), hanging([task]), tmp_path, time_limit=1).samples or []
    record = Trajectory.model_validate(sample.store[KEPT])

    assert (record.status, len(record.sessions)) == ("limit", 1)
    assert record.digest
