"""Replies that fit a schema, or one clear error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from harness.models.cassette import Cassette
from harness.models.llm import Model
from harness.models.strict import Strict, StrictCall, Unparsable
from harness.stub import Fault, Reply, StubServer
from tests.llm.support import Waits, config, run

ASK = [{"role": "user", "content": "How many?"}]


class Count(BaseModel):
    count: int


def asked(replies: Sequence[Reply | Fault], cassette: Cassette | None = None) -> tuple[Any, list[StrictCall], int]:
    """What came of it (a value or an `Unparsable`), the calls that were kept, and how many requests there were."""
    kept: list[StrictCall] = []

    async def scene() -> tuple[Any, list[StrictCall], int]:
        async with StubServer({"How many?": replies}) as stub:
            model = Model(config(stub, price={"prompt": 1, "completion": 1}), sleep=Waits())
            if cassette:
                fixed = config(stub, api_base="http://127.0.0.1:9/v1")
                model = Model(fixed if cassette.mode == "replay" else config(stub), take=cassette.take("judge/0"))
            strict = Strict(model, "judge", kept.append)
            try:
                return await strict(ASK, Count), kept, stub.requests
            except Unparsable as error:
                return error, kept, stub.requests

    return run(scene)


def told(call: StrictCall) -> str:
    messages: Sequence[Mapping[str, Any]] = call.request["messages"]
    return str(messages[-1]["content"])


def test_a_reply_that_fits_comes_back_as_the_schema_has_it() -> None:
    value, calls, requests = asked([Reply(text='{"count": 3}')])

    assert (value, requests) == (Count(count=3), 1)
    assert (calls[0].purpose, calls[0].problem, calls[0].request["messages"]) == ("judge", "", ASK)
    assert calls[0].usage.cost_usd == pytest.approx(6e-6)  # 3 + 3 tokens at a dollar a million


@pytest.mark.parametrize("text", ['```json\n{"count": 3}\n```', '```\n{"count": 3}```', ' \n{"count": 3}\n'])
def test_json_in_one_fence_or_white_space_is_read_too(text: str) -> None:
    assert asked([Reply(text=text)])[0] == Count(count=3)


def test_each_try_is_told_what_was_wrong_with_the_one_before() -> None:
    value, calls, _ = asked([Reply(text="three"), Reply(text='{"count": "many"}'), Reply(text='{"count": 3}')])

    assert value == Count(count=3)
    assert [bool(call.problem) for call in calls] == [True, True, False]
    assert "Invalid JSON" in told(calls[1])
    assert "count: Input should be a valid integer" in told(calls[2])
    assert '"count"' in told(calls[1])


def test_after_three_tries_it_is_one_clear_error_and_every_call_is_kept() -> None:
    error, calls, requests = asked([Reply(text="one"), Reply(text=""), Reply(text="```"), Reply(text='{"count": 3}')])

    assert isinstance(error, Unparsable)
    assert str(error).startswith("none of 3 replies could be read (judge); of the last: the reply: Invalid JSON")
    assert (requests, len(calls)) == (3, 3)


@pytest.mark.parametrize("text", ["[" * 100_000, "NaN", '{"count": 1e999}', '{"count": "\\ud800"}', "`" * 100_000])
def test_whatever_is_no_such_json_is_unreadable_and_nothing_worse(text: str) -> None:
    assert isinstance(asked([Reply(text=text)] * 3)[0], Unparsable)


def test_it_works_with_a_cassette(tmp_path: Path) -> None:
    replies = [Reply(text="three"), Reply(text='{"count": 3}')]
    first = asked(replies, Cassette(tmp_path / "c.jsonl", "record"))
    again = asked(replies, Cassette(tmp_path / "c.jsonl", "replay"))

    assert (first[0], first[2]) == (again[0], 2) == (Count(count=3), 2)
    assert (again[1], again[2]) == (first[1], 0)
