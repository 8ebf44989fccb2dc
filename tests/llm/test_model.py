"""The model adapter, over real HTTP against the stub."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import anyio
import pytest

from harness.core.config import LlmConfig, Price
from harness.models.llm import Lanes, Model, check, price
from harness.models.replies import Completion, ContextWindow, ModelError, ModelFault
from harness.stub import Fault, Reply, Script, StubServer, ToolCall
from tests.llm.support import HELLO, MODEL, Waits, config, model, run

FAULTS = [429, 500, 502, 503, 529, "truncated", "not_json"]


def ask(script: Script, waits: Waits | None = None, **fields: Any) -> Completion:
    async def scene() -> Completion:
        async with StubServer(script) as stub:
            return await model(stub, waits, **fields).complete(HELLO)

    return run(scene)


def fails(script: Script, kind: type[Exception], **fields: Any) -> tuple[str, int]:
    """The error's text, and how many requests were made."""

    async def scene() -> tuple[str, int]:
        async with StubServer(script) as stub:
            with pytest.raises(kind) as caught:
                await model(stub, **fields).complete(HELLO)
            return str(caught.value), stub.requests

    return run(scene)


def test_a_plain_reply_comes_with_its_tokens_and_the_whole_exchange() -> None:
    completion = ask({"hello": [Reply(text="Good day.")]})

    assert (completion.text, completion.calls, completion.attempts) == ("Good day.", (), 1)
    assert completion.usage.model_dump() == {"prompt_tokens": 2, "completion_tokens": 3, "cost_usd": None}
    assert completion.request == {"model": MODEL, "messages": HELLO, "temperature": 0.0}
    assert completion.response["choices"][0]["message"]["content"] == "Good day."


def test_what_callbacks_would_get_is_not_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from litellm.litellm_core_utils.litellm_logging import Logging

    made: list[object] = []
    monkeypatch.setattr(Logging, "_success_handler_helper_fn", lambda *given, **_: made.append(given))
    ask({"hello": [Reply(text="Good day.")]})

    assert made == []


def test_a_model_that_takes_no_temperature_of_zero_is_asked_without_one() -> None:
    completion = ask({"hello": [Reply(text="Good day.")]}, model="openai/gpt-5-mini")

    assert completion.text == "Good day."
    assert completion.request == {"model": "openai/gpt-5-mini", "messages": HELLO}


def test_a_temperature_that_a_model_does_not_take_is_refused_before_it_is_asked() -> None:
    said, requests = fails({"hello": [Reply(text="Hi.")]}, ModelError, model="openai/gpt-5-mini", temperature=0.7)

    assert "does not take `temperature: 0.7`: write `temperature: null`" in said
    assert requests == 0


def test_a_temperature_for_later_tries_that_a_model_does_not_take_is_found_before_the_first_trial() -> None:
    given: dict[str, Any] = {"kind": "llm", "model": "openai/gpt-5-mini", "api_base": "http://127.0.0.1:9/v1"}
    check(LlmConfig(**given))

    with pytest.raises(ModelError, match="write `resample_temperature: null`"):
        check(LlmConfig(**given, resample=1))
    check(LlmConfig(**given, resample=1, resample_temperature=None))


def test_a_temperature_that_litellm_is_to_drop_is_not_refused() -> None:
    completion = ask(
        {"hello": [Reply(text="Hi.")]}, model="openai/gpt-5-mini", temperature=0.7, extra={"drop_params": True}
    )

    assert completion.text == "Hi."


def test_a_model_that_takes_a_temperature_while_it_does_not_reason_is_asked_with_it() -> None:
    completion = ask({"hello": [Reply(text="Good day.")]}, model="openai/gpt-5.1", extra={"reasoning_effort": "none"})

    assert completion.request["temperature"] == 0.0


def test_a_reply_that_no_file_could_hold_is_made_writable() -> None:
    completion = ask({"hello": [Reply(text="half a pair: \ud83d")]})

    assert completion.text == r"half a pair: \ud83d"
    assert completion.model_dump_json()


@pytest.mark.parametrize(
    "call",
    [
        ToolCall(name="a", arguments="[" * 3_000 + "]" * 3_000),
        ToolCall(name="a", arguments='{"x": ' + "7" * 5_000 + "}"),
        ToolCall(name="multi_tool_use.parallel", arguments="{}"),
        ToolCall(name="multi_tool_use.parallel", arguments="[1]"),
    ],
    ids=["deep", "digits", "no bundle", "a list"],
)
def test_whatever_a_call_holds_is_the_models_and_no_fault_of_the_provider(call: ToolCall) -> None:
    completion = ask({"hello": [Reply(calls=(call,))]}, retries=0)

    assert [(made.name, made.arguments) for made in completion.calls] == [(call.name, call.arguments)]


def test_calls_bundled_as_one_are_taken_apart() -> None:
    uses = [{"recipient_name": "functions.a", "parameters": {"x": n}} for n in (1, 2)]
    bundle = ToolCall(name="multi_tool_use.parallel", arguments={"tool_uses": uses})

    assert [made[1:] for made in ask({"hello": [Reply(calls=(bundle,))]}).calls] == [
        ("a", '{"x": 1}'),
        ("a", '{"x": 2}'),
    ]


def test_tool_calls_keep_their_order_ids_and_raw_arguments() -> None:
    calls = (ToolCall(name="a", arguments={"x": 1}), ToolCall(name="b", arguments='{"y": ', id="mine"))
    completion = ask({"hello": [Reply(calls=calls)]})

    assert completion.text == ""
    assert completion.calls == (("call_0_0", "a", '{"x": 1}'), ("mine", "b", '{"y": '))


@pytest.mark.parametrize("fault", FAULTS)
def test_a_passing_fault_is_retried(fault: Any) -> None:
    waits = Waits()
    completion = ask({"hello": [Fault(fault=fault, times=2, then=Reply(text="at last"))]}, waits)

    assert (completion.text, completion.attempts, waits) == ("at last", 3, [1.0, 2.0])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_lasting_fault_ends_in_a_model_fault(fault: Any) -> None:
    text, requests = fails({"hello": [Fault(fault=fault, times=None)]}, ModelFault)

    assert text.startswith(f"model {MODEL!r} failed in 3 attempts: ")
    assert requests == 3


def test_a_passing_time_out_is_retried() -> None:
    completion = ask({"hello": [Fault(fault="timeout", then=Reply(text="at last"))]}, timeout=1)

    assert (completion.text, completion.attempts) == ("at last", 2)


def test_a_lasting_time_out_ends_in_a_model_fault() -> None:
    text, _ = fails({"hello": [Fault(fault="timeout", times=None)]}, ModelFault, timeout=0.2, retries=1)

    assert "failed in 2 attempts" in text


def test_a_dead_endpoint_ends_in_a_model_fault() -> None:
    async def scene() -> None:
        async with StubServer({}) as stub:
            dead = config(stub, retries=1)
        with pytest.raises(ModelFault, match=r"2 attempts.*onnection"):
            await Model(dead, sleep=Waits()).complete(HELLO)

    run(scene)


def test_the_provider_says_how_long_to_wait() -> None:
    waits = Waits()
    ask({"hello": [Fault(fault=429, times=2, retry_after=7)]}, waits)

    assert waits == [7.0, 7.0]


def test_a_wait_beyond_patience_is_a_fault_at_once() -> None:
    text, requests = fails({"hello": [Fault(fault=429, retry_after=3600)]}, ModelFault)

    assert "asks for a wait of 3600 s" in text
    assert requests == 1


def test_an_outgrown_context_window_is_the_agents_limit() -> None:
    _, requests = fails({"hello": [Fault(fault="context")]}, ContextWindow)

    assert requests == 1


@pytest.mark.parametrize(
    ("status", "remedy"), [(400, "parameters"), (401, "key"), (403, "key"), (404, "api_base"), (422, "parameters")]
)
def test_what_no_retry_mends_is_said_once(status: int, remedy: str) -> None:
    text, requests = fails({"hello": [Fault(fault=status, message="no such luck")]}, ModelError)

    assert text.startswith(f"model {MODEL!r}: ")
    assert "no such luck" in text
    assert remedy in text
    assert requests == 1


def test_no_more_requests_than_the_lane_is_wide_are_in_flight() -> None:
    crowd: list[int] = []

    async def scene() -> None:
        full = anyio.Event()

        async def slow(request: dict[str, Any]) -> Reply:
            crowd.append(stub.in_flight)
            if stub.in_flight == 2:
                full.set()
            await full.wait()
            return Reply(text="ok")

        async with StubServer(slow) as stub:
            lanes = Lanes(2)
            models = [Model(config(stub), lanes=lanes), Model(config(stub, temperature=1), lanes=lanes)]
            async with anyio.create_task_group() as group:
                for n in range(8):
                    group.start_soon(models[n % 2].complete, HELLO)

    run(scene)

    assert len(crowd) == 8
    assert max(crowd) == 2


def test_a_listed_model_costs_what_litellm_lists() -> None:
    completion = ask({"hello": [Reply(text="Good day.")]}, model="openai/gpt-4o-mini")

    assert completion.usage.cost_usd == pytest.approx((2 * 0.15 + 3 * 0.6) / 1e6)


def test_the_configs_price_goes_before_the_list() -> None:
    completion = ask(
        {"hello": [Reply(text="Good day.")]}, model="openai/gpt-4o-mini", price=Price(prompt=10, completion=20)
    )

    assert completion.usage.cost_usd == pytest.approx(80 / 1e6)


@pytest.mark.parametrize("model", [MODEL, "openai/gpt-4o-mini"])
def test_fewer_tokens_than_none_are_as_none_reported(model: str) -> None:
    nonsense = {"prompt_tokens": -5, "completion_tokens": 30, "total_tokens": 25}
    told, silent = (ask({"hello": [Reply(text="Hi.", usage=usage)]}, model=model).usage for usage in (nonsense, {}))

    assert told == silent
    assert (told.prompt_tokens, told.completion_tokens) == (0, 0)


def test_prices_are_known_before_a_run() -> None:
    def of(name: str, own: Price | None = None) -> Price | None:
        return price(LlmConfig(kind="llm", model=name, api_base="http://127.0.0.1:9/v1", price=own))

    own = Price(prompt=1, completion=2)
    assert of("openai/gpt-4o-mini") == Price(prompt=0.15, completion=0.6)
    assert of(MODEL) is None
    assert of("huggingface/some/thing") is None  # of which LiteLLM says that it is free
    assert of(MODEL, own) == own


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"model": "no-such-model"}, "knows no such provider"),
        ({"model": "nobody/at-all"}, "knows no such provider"),
        ({"model": "openai/"}, "knows no such provider"),
        ({"model": "groq/llama-3.3-70b-versatile"}, "set GROQ_API_KEY"),
        ({"model": MODEL, "extra": {"extra_headers": {"Authorization": "Bearer x"}}}, "'Authorization'"),
        ({"model": MODEL, "extra": {"api_key": "x"}}, "'api_key'"),
        ({"model": MODEL, "extra": {"stream": True}}, "'stream'"),
    ],
)
def test_a_model_that_cannot_work_is_refused_before_the_run(
    fields: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GROQ_API_KEY", raising=False)

    with pytest.raises(ModelError) as caught:
        check(LlmConfig(kind="llm", **fields))

    assert said in str(caught.value)
    assert repr(fields["model"]) in str(caught.value)


def test_without_the_extra_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from harness.models import llm

    llm._litellm.cache_clear()
    monkeypatch.setitem(sys.modules, "litellm", None)

    with pytest.raises(ModelError, match=r"pip install 'workplace-harness\[models\]'"):
        check(LlmConfig(kind="llm", model=MODEL))


OFFLINE = """
import socket, sys

def refuse(*args, **kwargs):
    raise AssertionError(f"network at import: {args}")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = refuse
import harness.models.llm, harness.models.cassette, harness.stub, harness.agents.llm
assert "litellm" not in sys.modules, "imported before it was needed"
from harness.core.config import LlmConfig
stub = LlmConfig(kind="llm", model="openai/gpt-4o-mini", api_base="http://127.0.0.1:9/v1")
harness.models.llm.check(stub)
assert harness.models.llm.price(stub).prompt == 0.15
import litellm
assert not (litellm.callbacks or litellm.success_callback or litellm.failure_callback or litellm.telemetry)
"""


@pytest.mark.slow
def test_litellm_is_imported_late_and_without_network() -> None:
    done = subprocess.run([sys.executable, "-c", OFFLINE], capture_output=True, text=True, timeout=120, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
