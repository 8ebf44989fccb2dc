"""Handing in an answer: the first counts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest

from servers.answer import Submission, app
from servers.kernel import Engine, InvalidArguments, Layer, Rejected, World


@pytest.fixture
def layer() -> Iterator[Layer]:
    engine = Engine()
    base = engine.load(World("desk", datetime(2031, 5, 6, 9), {"answer": {"submissions": []}}))
    yield engine.layer(base)
    engine.close()


def submit(layer: Layer, **arguments: object) -> str:
    return app.default.tool("submit_answer").call(layer.state(app), arguments).text


def test_an_answer_is_kept_as_a_row_with_the_question_that_the_agent_understood(layer: Layer) -> None:
    assert submit(layer, answers=["Berg", "12"], predicted_question="Which orders are late?") == "Handed in."

    (kept,) = layer.state(app).find(Submission)
    assert (kept.answers, kept.predicted_question) == (["Berg", "12"], "Which orders are late?")


def test_an_answer_may_be_empty(layer: Layer) -> None:
    submit(layer, answers=[])

    assert [row.answers for row in layer.state(app).find(Submission)] == [[]]


def test_a_second_answer_is_refused_and_the_first_stays(layer: Layer) -> None:
    submit(layer, answers=["12"])

    with pytest.raises(Rejected, match="handed in already, and the first one counts"):
        submit(layer, answers=["13"])

    assert [row.answers for row in layer.state(app).find(Submission)] == [["12"]]


def test_a_call_that_does_not_fit_does_not_count_as_the_first(layer: Layer) -> None:
    with pytest.raises(InvalidArguments):
        submit(layer, answers="12")

    assert submit(layer, answers=["12"]) == "Handed in."
