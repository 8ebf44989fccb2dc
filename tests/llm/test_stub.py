"""The stub server, as a client without LiteLLM sees it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from harness.stub import Fault, Reply, Script, ScriptError, StubServer, ToolCall, load_script
from tests.llm.support import run

MANUAL = Path(__file__).parents[2] / "docs" / "stub.md"


def body(*texts: str, **more: Any) -> dict[str, Any]:
    """A request whose messages are the user's and the assistant's in turn."""
    roles = ("user", "assistant")
    return {"messages": [{"role": roles[n % 2], "content": text} for n, text in enumerate(texts)], **more}


def talk(script: Script, scene: Callable[[StubServer, httpx2.AsyncClient], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        async with StubServer(script) as stub, httpx2.AsyncClient(base_url=stub.base_url) as client:
            return await scene(stub, client)

    return run(main)


def answers(script: Script, *bodies: dict[str, Any]) -> list[httpx2.Response]:
    async def scene(stub: StubServer, client: httpx2.AsyncClient) -> list[httpx2.Response]:
        return [await client.post("/chat/completions", json=request) for request in bodies]

    done: list[httpx2.Response] = talk(script, scene)
    return done


def said(response: httpx2.Response) -> Any:
    message = response.json()["choices"][0]["message"]
    return message["content"] or [tuple(call["function"].values()) for call in message["tool_calls"]]


def test_an_answer_is_a_whole_chat_completion() -> None:
    call = ToolCall(name="gmail_send", arguments={"to": "bo"})
    answer = answers({"hi": [Reply(text="Hello.", calls=(call,))]}, body("hi", model="m"))[0].json()

    function = {"name": "gmail_send", "arguments": '{"to": "bo"}'}
    message = {
        "role": "assistant",
        "content": "Hello.",
        "tool_calls": [{"id": "call_0_0", "type": "function", "function": function}],
    }
    assert answer == {
        "id": "stub-0",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 5, "total_tokens": 6},
    }


def test_calls_without_a_text_have_no_content_and_an_empty_answer_has_an_empty_one() -> None:
    call = ToolCall(name="gmail_send", arguments={"to": "bo"})
    for reply, content in ((Reply(calls=(call,)), None), (Reply(), ""), (Reply(text="", calls=(call,)), None)):
        (answer,) = answers({"hi": [reply]}, body("hi"))

        assert answer.json()["choices"][0]["message"]["content"] == content


def test_the_turn_follows_from_the_conversation_alone() -> None:
    script = {"a": [Reply(text="a1"), Reply(text="a2")], "b": [Reply(text="b1")], None: [Reply(text="other")]}
    requests = [body("a", "a1", "go on"), body("b"), body("a"), body("c"), body("a")]

    assert [said(answer) for answer in answers(script, *requests)] == ["a2", "b1", "a1", "other", "a1"]


def test_the_first_user_message_may_come_in_parts_and_after_others() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    request = {"messages": [{"role": "system", "content": "x"}, {"role": "user", "content": parts}]}

    assert said(answers({"ab": [Reply(text="known")]}, request)[0]) == "known"


def test_a_fault_comes_again_for_the_next_equal_conversation() -> None:
    script = {"hi": [Fault(fault=503, times=2, message="full", then=Reply(text="ok"))]}
    done = answers(script, *[body("hi")] * 6)

    assert [answer.status_code for answer in done] == [503, 503, 200] * 2
    assert done[0].json()["error"]["message"] == "full"


def test_a_faulty_reply_takes_a_turn_of_its_own() -> None:
    good = Reply(calls=(ToolCall(name="a_b", arguments={"x": "yes"}),))
    script = {"hi": [Fault(fault="cut_arguments", then=good), Fault(fault="unknown_tool", then=good)]}
    requests = [body("hi", *["", "error"] * n) for n in range(4)]

    assert [said(answer) for answer in answers(script, *requests)] == [
        [("a_b", '{"x": ')],
        [("a_b", '{"x": "yes"}')],
        [("no_such_a_b", '{"x": "yes"}')],
        [("a_b", '{"x": "yes"}')],
    ]


def test_a_fault_without_a_call_spoils_one_to_the_first_tool_on_offer() -> None:
    request = body("hi", tools=[{"function": {"name": "crm_find"}}])

    assert said(answers({"hi": [Fault(fault="bad_arguments")]}, request)[0])[0][0] == "crm_find"


def test_a_truncated_body_ends_the_connection_before_its_end() -> None:
    with pytest.raises(httpx2.RemoteProtocolError):
        answers({"hi": [Fault(fault="truncated", then=Reply(text="long enough"))]}, body("hi"))


def test_a_held_request_is_let_go_with_its_client() -> None:
    async def scene(stub: StubServer, client: httpx2.AsyncClient) -> tuple[int, int]:
        with pytest.raises(httpx2.ReadTimeout):
            await client.post("/chat/completions", json=body("hi"), timeout=0.05)
        return stub.requests, stub.faults

    assert talk({"hi": [Fault(fault="timeout", times=None)]}, scene) == (1, 1)


def test_many_conversations_at_once_do_not_mix() -> None:
    script: Script = {str(n): [Reply(text=f"{n}:{turn}") for turn in range(3)] for n in range(20)}
    heard: list[tuple[int, str]] = []

    async def scene(stub: StubServer, client: httpx2.AsyncClient) -> int:
        async def converse(n: int) -> None:
            texts = [str(n)]
            for _ in range(3):
                answer = said(await client.post("/chat/completions", json=body(*texts)))
                heard.append((n, answer))
                texts += [answer, "go on"]

        async with anyio.create_task_group() as group:
            for n in range(20):
                group.start_soon(converse, n)
        return stub.requests

    assert talk(script, scene) == 60
    assert sorted(heard) == sorted((n, f"{n}:{turn}") for n in range(20) for turn in range(3))


@pytest.mark.parametrize(
    ("request_", "status", "message"),
    [
        (body("who?"), 400, "no conversation that starts with 'who?'"),
        (body("hi", "a", "b"), 400, "has 1 replies for 'hi', and was asked for one more"),
        (body("hi", stream=True), 400, "does not stream"),
        ({"prompt": "hi"}, 400, "not a chat completion request"),
        ([1], 400, "not a chat completion request"),
    ],
)
def test_a_request_it_cannot_answer_is_refused_with_the_reason(request_: Any, status: int, message: str) -> None:
    answer = answers({"hi": [Reply(text="ok")]}, request_)[0]

    assert answer.status_code == status
    assert message in answer.json()["error"]["message"]


def test_only_its_own_paths_exist() -> None:
    async def scene(stub: StubServer, client: httpx2.AsyncClient) -> list[int]:
        tried = [
            await client.get("/models"),
            await client.get("/chat/completions"),
            await client.post("/other", json={}),
        ]
        return [answer.status_code for answer in tried]

    assert talk({}, scene) == [200, 404, 404]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "s.jsonl:2: line: Invalid JSON"),
        ('{"request": "a"}', "s.jsonl:2: replies: Field required"),
        ('{"request": "a", "replies": [{"txt": "b"}]}', r"s.jsonl:2: replies.0.Reply.txt: "),
        ('{"request": "a", "replies": [{"fault": "flood"}]}', r"s.jsonl:2: replies.0."),
        ('{"request": "first", "replies": []}', "s.jsonl:2: request 'first' was scripted already"),
    ],
)
def test_a_script_that_cannot_be_played_is_refused_by_line_and_field(line: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"request": "first", "replies": []}\n' + line + "\n", encoding="utf-8")

    with pytest.raises(ScriptError) as caught:
        load_script(path)

    assert said in str(caught.value)


def test_other_line_ends_within_a_text_of_a_script_end_no_line(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"request": "Send\u2028it.\x85", "replies": [{"text": "Sent."}]}\n', encoding="utf-8")

    assert list(load_script(path)) == ["Send\u2028it.\x85"]


def test_the_manuals_script_plays(tmp_path: Path) -> None:
    blocks = re.findall(r"```jsonl\n(.*?)```", MANUAL.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "manual.jsonl"
    path.write_text(blocks[0], encoding="utf-8")
    done = answers(load_script(path), body("How many mails are there?"), *[body("Send it.")] * 3, body("?"))

    assert [answer.status_code for answer in done] == [200, 429, 429, 200, 200]
    assert said(done[-1]) == "I cannot help with that."


def test_the_manual_names_every_fault() -> None:
    named = set(re.findall(r"^\| `(\w+)` \| (?!what)", MANUAL.read_text(encoding="utf-8"), re.MULTILINE))
    kinds = next(part["enum"] for part in Fault.model_json_schema()["properties"]["fault"]["anyOf"] if "enum" in part)

    assert named == set(kinds)


@pytest.mark.slow
def test_it_runs_as_a_command_and_prints_its_address(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text('{"replies": [{"text": "here"}]}\n', encoding="utf-8")
    command = [sys.executable, "-m", "harness.stub", "--script", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        answer = httpx2.post(f"{address}/chat/completions", json=body("hi"))
        process.send_signal(signal.SIGINT)

    assert said(answer) == "here"
    assert process.returncode == 0


@pytest.mark.slow
def test_as_a_command_it_refuses_a_bad_script_with_status_2(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness.stub", "--script", str(tmp_path / "none.jsonl")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "none.jsonl: cannot be read" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
