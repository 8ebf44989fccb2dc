"""Planted secrets never reach what is stored or said."""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.agents.llm import LlmAgent
from harness.core.secrets import HIDDEN, looks_secret, scrub
from harness.models.cassette import Cassette
from harness.models.llm import Model
from harness.models.replies import ModelError, ModelFault
from harness.stub import Fault, Reply, Script, StubServer, ToolCall
from tests.llm.support import FakeDesk, Waits, config, run

PHRASE = "correct horse battery staple"
KEY = 'sk-planted "quoted"/4711'
ENV = {"SOME_API_KEY": KEY, "HOME": "/home/ada-lovelace", "PIN_TOKEN": "short", "db_password": PHRASE}
TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def test_values_of_secret_variables_are_hidden_wherever_they_stand() -> None:
    planted = {"a": [f"x {KEY} y", {KEY: f"{PHRASE} or so"}], "b": 7, "c": None}

    assert scrub(planted, ENV) == {"a": [f"x {HIDDEN} y", {HIDDEN: f"{HIDDEN} or so"}], "b": 7, "c": None}


def test_escaped_forms_of_a_secret_are_hidden() -> None:
    once = json.dumps({"k": KEY})

    for text in (once, json.dumps(once), "https://x/?key=sk-planted%20%22quoted%22%2F4711"):
        assert "planted" not in scrub(text, ENV)


def test_ordinary_variables_and_short_values_stay() -> None:
    assert scrub("/home/ada-lovelace is short", ENV) == "/home/ada-lovelace is short"


@pytest.mark.parametrize(
    "value",
    [
        "finished", "underspecified+ask", "assistant", "tool_calls", "task_name", "In Progress", "2025-03-13",
        "2025-03-13T00:00:00", "00000137", "ines@example.test", "openai/gpt-4o-mini", "http://127.0.0.1:8080/v1",
    ],
)  # fmt: skip
def test_a_value_of_words_numbers_or_a_date_is_a_setting(value: str) -> None:
    request = {"role": value, value: [f"{value}."]}

    assert scrub(request, {"SORT_KEY": value}) == request


@given(st.text(string.ascii_letters + string.digits, min_size=20, max_size=20))
def test_twenty_random_letters_and_digits_are_a_secret(value: str) -> None:
    assert scrub([f"it is {value}."], {"A_KEY": value}) == [f"it is {HIDDEN}."]


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abc123def456",
        "{'Authorization': 'Basic YWxhZGRpbjpvcGVu'}",
        '{"x-api-key": "abc123def456"}',
        "api_key=abc123def456",
        "sent with bearer abc123def456",
    ],
)
def test_authorization_headers_in_a_text_are_hidden(text: str) -> None:
    scrubbed = scrub(text, {})

    assert HIDDEN in scrubbed
    assert "abc123def456" not in scrubbed
    assert "YWxhZGRpbjpvcGVu" not in scrubbed


@pytest.mark.parametrize(
    "text", ["Authorization: pending", "a basic understanding", "the bearer of this letter", "our API key: none yet"]
)
def test_prose_about_keys_stays(text: str) -> None:
    assert scrub(text, {}) == text


@pytest.mark.parametrize("name", ["Authorization", "X-Api-Key", "api_key", "openai_api_key", "client_secret", "Cookie"])
def test_fields_named_like_credentials_lose_their_value(name: str) -> None:
    assert looks_secret(name)
    assert scrub({name: "anything"}, {}) == {name: HIDDEN}


@pytest.mark.parametrize("name", ["max_tokens", "prompt_tokens", "key", "author", "keyboard", "subject"])
def test_ordinary_fields_keep_theirs(name: str) -> None:
    assert not looks_secret(name)
    assert scrub({name: "anything"}, {}) == {name: "anything"}


@given(JSON)
def test_what_holds_no_secret_is_left_as_it_is(value: Any) -> None:
    assert scrub(value, {"A_KEY": "this is in no generated text"}) == value


@given(JSON, TEXT)
def test_scrubbing_twice_changes_nothing_more(value: Any, around: str) -> None:
    once = scrub([value, around + KEY + around], ENV)

    assert scrub(once, ENV) == once


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    return "sk-planted-0123456789"


def test_no_record_cassette_or_conversation_partner_keeps_a_key(planted: str, tmp_path: Path) -> None:
    path, desk, seen = tmp_path / "c.jsonl", FakeDesk(), list[str]()

    def echo(request: dict[str, Any]) -> Reply:
        seen.append(str(request["messages"]))
        call = ToolCall(name="gmail_search", arguments={"query": planted})
        return Reply(text=f"your key is {planted}", calls=(call,) if len(seen) == 1 else ())

    async def scene() -> None:
        async with StubServer(echo) as stub:
            model = Model(config(stub), take=Cassette(path, "record").take())
            await LlmAgent(model).turn(desk, f"my key is {planted}")

    run(scene)

    assert planted in seen[0]  # the model is asked what the user said
    assert planted not in path.read_text(encoding="utf-8")
    assert [planted in call.model_dump_json() for call in desk.spent] == [False, False]
    assert desk.made == [("gmail_search", {"query": HIDDEN})]


@pytest.mark.parametrize(("status", "kind"), [(401, ModelError), (400, ModelError), (500, ModelFault)])
def test_an_error_that_echoes_the_key_does_not_pass_it_on(
    status: int,
    kind: type[Exception],
    planted: str,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    async def scene() -> None:
        script: Script = {"hello": [Fault(fault=status, times=None, message=f"Incorrect API key provided: {planted}")]}
        async with StubServer(script) as stub:
            await Model(config(stub), sleep=Waits()).complete([{"role": "user", "content": "hello"}])

    with pytest.raises(kind) as caught:
        run(scene)

    out, err = capfd.readouterr()
    assert HIDDEN in str(caught.value)
    assert planted not in str(caught.value) + caplog.text + out + err
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
