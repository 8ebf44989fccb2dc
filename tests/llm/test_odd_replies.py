"""What an endpoint answers that no client library can read is told in a sentence."""

from __future__ import annotations

import json
from asyncio import StreamReader, StreamWriter, start_server
from typing import Any

import pytest

from harness.core.config import LlmConfig
from harness.models.llm import Model
from harness.models.replies import ModelError, ModelFault
from tests.llm.support import HELLO, Waits, run

MODELS = ("openai/stub", "hosted_vllm/stub")
"""One of each of the two ways in which LiteLLM asks."""


def fails(model: str, body: bytes, kind: type[Exception], *, status: int = 200, media: str = "application/json") -> str:
    """The error's text, where an endpoint answers like that."""

    async def answer(reader: StreamReader, writer: StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        lengths = [line.partition(b":")[2] for line in head.lower().splitlines() if line.startswith(b"content-length")]
        await reader.readexactly(int(lengths[0]))
        length = f"Content-Length: {len(body)}\r\n" if status != 204 else ""
        writer.write(f"HTTP/1.1 {status} So\r\nContent-Type: {media}\r\n{length}Connection: close\r\n\r\n".encode())
        writer.write(body)
        await writer.drain()
        writer.close()

    async def scene() -> str:
        async with await start_server(answer, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            config = LlmConfig(kind="llm", model=model, api_base=f"http://127.0.0.1:{port}/v1", retries=1)
            with pytest.raises(kind) as caught:
                await Model(config, sleep=Waits()).complete(HELLO)
            return str(caught.value)

    return run(scene)


def completion(choice: Any, **changes: Any) -> bytes:
    return json.dumps(
        {"id": "x", "object": "chat.completion", "model": "stub", "choices": [choice], **changes}
    ).encode()


SAYING = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "hi"}}

UNREADABLE = {
    "no message": completion({"index": 0}),
    "a message that is null": completion({**SAYING, "message": None}),
    "a message that is a list": completion({**SAYING, "message": []}),
    "a number as content": completion({**SAYING, "message": {"role": "assistant", "content": 7}}),
    "words as tokens": completion(SAYING, usage={"prompt_tokens": "few", "completion_tokens": "few"}),
    "an object as calls": completion({**SAYING, "message": {"role": "assistant", "tool_calls": {"id": "a"}}}),
    "a list": b"[]",
}


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_a_reply_of_another_shape_is_a_fault_that_quotes_no_code(body: bytes, model: str) -> None:
    text = fails(model, body, ModelFault)

    assert "nvalid response" in text
    assert "Traceback" not in text
    assert ".py" not in text


@pytest.mark.parametrize(
    ("status", "media", "body"),
    [
        (200, "text/html", b"<html><body>Welcome</body></html>"),
        (200, "application/json", b""),
        (204, "application/json", b""),
        (200, "text/event-stream", b"data: {}\n\ndata: [DONE]\n\n"),
        (200, "application/json", b"\xff\xfe\xe9{"),
    ],
)
def test_what_is_no_json_at_all_comes_from_another_address(status: int, media: str, body: bytes) -> None:
    text = fails("hosted_vllm/stub", body, ModelError, status=status, media=media)

    assert text.endswith("(what answers there is no model's endpoint: check `api_base`)")


def test_of_a_page_of_some_megabytes_only_the_beginning_is_searched_for_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    from litellm.litellm_core_utils import secret_redaction as redaction

    searched: list[str] = []

    class Pattern:
        def sub(self, by: str, text: str) -> str:
            searched.append(text)
            return text

    monkeypatch.setattr(redaction, "_SECRET_RE", Pattern())
    text = fails("hosted_vllm/stub", b"Overloaded. " * 100_000, ModelFault, status=503, media="text/html")

    assert text.endswith(" ...")
    assert max(map(len, searched)) == 20_000


def test_a_field_beside_the_reply_that_is_nested_too_deep_is_a_fault_that_names_the_model() -> None:
    nested: list[Any] = []
    for _ in range(500):
        nested = [nested]

    text = fails("hosted_vllm/stub", completion(SAYING, extra=nested), ModelFault)

    assert text.startswith("model 'hosted_vllm/stub' failed in 2 attempts: the answer cannot be kept: ")
