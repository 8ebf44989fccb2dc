"""Credentials in a config's URLs reach the provider, and nothing that is kept or shown."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from harness.core.config import ConfigProblem, LlmConfig, RunConfig
from harness.core.credentials import check_complete, held_back, stored, without_credentials
from harness.models import llm
from harness.play.fork import go_on
from harness.play.run import evaluate, plan
from harness.record.store import Run
from harness.suite import Suite
from harness.trajectory import Trajectory
from harness.wiring import Wired
from tests.cli.conftest import Call, call
from tests.harness import toy

__all__ = ("call",)

PASSWORD = "b7Q-xw2_LkT9mZ4vRe1s"
KEY = "Jh3kd82LsPq04nXwTz5c"
SECRET = "r8Vd03mXq7Yb2LkTz6Wn"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://127.0.0.1:9/v1", "http://127.0.0.1:9/v1"),
        ("https://me:pw@host/v1", "https://[hidden]@host/v1"),
        ("https://token@host/v1", "https://[hidden]@host/v1"),
        ("https://h/v1?api_key=abc&api-version=2024-02-01", "https://h/v1?api_key=[hidden]&api-version=2024-02-01"),
        ("https://h/v1?sig=a%2Fb", "https://h/v1?sig=[hidden]"),
        (f"https://h/v1?x={KEY}", "https://h/v1?x=[hidden]"),
        ("https://h/@scope/v1?region=eu", "https://h/@scope/v1?region=eu"),
        ("--proxy=http://me:p@ss@host:1", "--proxy=http://[hidden]@host:1"),
        ("write to ada@example.test", "write to ada@example.test"),
    ],
)
def test_what_a_url_holds_of_credentials_is_hidden(url: str, expected: str) -> None:
    assert without_credentials(url) == expected
    assert without_credentials(expected) == expected


def test_a_base_without_a_scheme_hides_its_user_too() -> None:
    (agent,) = stored(config("me:pw@host/v1")).agents

    assert isinstance(agent, LlmConfig)
    assert agent.api_base == "[hidden]@host/v1"


def config(api_base: str, **agent: Any) -> RunConfig:
    llm = {"kind": "llm", "model": "hosted_vllm/stub", "api_base": api_base, "retries": 0, **agent}
    return RunConfig.model_validate({"suite": "toy", "agents": [llm], "tasks": ["toy-0"]})


def test_the_identity_of_a_run_needs_no_credentials() -> None:
    one, other, elsewhere = (
        plan(config(base), toy.suite()).head.identity
        for base in (f"http://me:{PASSWORD}@host/v1", "http://you:hunter2@host/v1", "http://you:hunter2@other/v1")
    )

    assert one == other != elsewhere


def test_no_text_of_a_config_shows_them() -> None:
    chosen = config(f"http://me:{PASSWORD}@host/v1", extra={"proxy": f"http://h?key={KEY}"})
    command = {"kind": "command", "command": ["x", "{mcp_config}", f"http://u:{PASSWORD}@h"]}
    program = {**command, "environment": {"HTTPS_PROXY": f"http://u:{PASSWORD}@h"}}
    programs = RunConfig.model_validate({"suite": "toy", "agents": [program]})

    kept = [plan(each, toy.suite()).head.model_dump_json() for each in (chosen, programs)]
    assert [text for text in (repr(chosen), *kept) if PASSWORD in text or KEY in text] == []
    for each in (chosen, programs):
        check_complete(each, "")
        with pytest.raises(ConfigProblem, match="play it again"):
            check_complete(stored(each), "play it again")
    assert set(held_back(stored(chosen).agents)) == set()


class Echo:
    """A server that says all that it was sent, in a header too: a model's reply, or an error 401."""

    def __init__(self, status: int = 401) -> None:
        self.seen = ""
        self._status = status

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = {name.lower(): value for name, _, value in (line.partition(": ") for line in head.splitlines())}
        asked = (await reader.readexactly(int(lines["content-length"]))).decode()
        self.seen = said = f"{head} {asked}".replace("\r\n", " ")
        writer.write(f"HTTP/1.1 {self._status} So\r\nContent-Type: application/json\r\n".encode())
        body = json.dumps(self._answer(f"who are you? {said}")).encode()
        writer.write(f"Connection: close\r\nContent-Length: {len(body)}\r\nX-Echo: {said}\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    def _answer(self, text: str) -> dict[str, Any]:
        if self._status == 401:
            return {"error": {"message": text, "type": "auth"}}
        return {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}


class ToyWired(Wired):
    def suite(self, name: str, scale: int = 1) -> Suite:
        return toy.suite()


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_error_that_echoes_them_reaches_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setenv("ACME_API_KEY", SECRET)
    echo = Echo()

    async def main() -> Run:
        server = await asyncio.start_server(echo.connected, "127.0.0.1", 0)
        async with server:
            host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
            extra = {"note": SECRET, "proxy": f"http://h?key={KEY}", "hooks": [f"http://me:{PASSWORD}@h"]}
            chosen = config(f"http://{host}/v1", extra=extra).model_copy(update={"tasks": ("toy-0", "toy-1")})
            factory = "tests.llm.test_credentials:ToyWired"
            play = partial(evaluate, chosen, toy.suite(), ToyWired(), tmp_path / "run")
            return await anyio.to_thread.run_sync(partial(play, workers=workers, wiring_factory=factory))

    records = list(anyio.run(main).records())

    assert all(secret in echo.seen for secret in (PASSWORD, SECRET, KEY)), echo.seen
    assert {record.trajectory.status for record in records} == {"void"}
    assert all("who are you?" in record.trajectory.reason for record in records)
    assert [t for t in written(tmp_path) if PASSWORD in t or KEY in t or SECRET in t] == []


Played = Callable[..., tuple[Trajectory, str]]


@pytest.fixture
def played(tmp_path: Path) -> Played:
    """Plays a trial with a model that says all that it was sent, at `http://{user}host/v1{query}`; that is returned."""

    def play(model: str, user: str = "", query: str = "") -> tuple[Trajectory, str]:
        echo = Echo(200)

        async def main() -> Run:
            server = await asyncio.start_server(echo.connected, "127.0.0.1", 0)
            async with server:
                chosen = config(f"http://{user}127.0.0.1:{server.sockets[0].getsockname()[1]}/v1{query}", model=model)
                run = partial(evaluate, chosen, toy.suite(), ToyWired(), tmp_path / "run")
                return await anyio.to_thread.run_sync(run)

        (record,) = anyio.run(main).records()
        return record.trajectory, echo.seen

    return play


served = pytest.mark.parametrize("model", ["openai/stub", "hosted_vllm/stub"])


@served
@pytest.mark.parametrize(
    ("user", "sent"),
    [(f"me:p%40ss-{PASSWORD}@", f"me:p@ss-{PASSWORD}"), (f"{PASSWORD}@", f"{PASSWORD}:")],
    ids=["name and password", "token"],
)
def test_the_user_of_a_url_is_sent_as_basic_authentication_and_not_stored(
    played: Played, tmp_path: Path, model: str, user: str, sent: str
) -> None:
    trajectory, seen = played(model, user)

    header = b64encode(sent.encode()).decode()
    assert (trajectory.status, trajectory.reason) == ("finished", "")
    assert f"authorization: Basic {header}".lower() in seen.lower()
    assert "who are you?" in trajectory.sessions[0].reply
    assert [text for text in written(tmp_path) if PASSWORD in text or header in text] == []


@served
def test_the_query_of_a_url_comes_behind_the_path_and_is_not_stored(played: Played, tmp_path: Path, model: str) -> None:
    trajectory, seen = played(model, query=f"?api_key={KEY}&sig=a%2Fb")

    assert (trajectory.status, trajectory.reason) == ("finished", "")
    assert seen.startswith(f"POST /v1/chat/completions?api_key={KEY}&sig=a%2Fb HTTP/1.1 ")
    assert seen.count(KEY) == 1
    assert [text for text in written(tmp_path) if KEY in text] == []


@pytest.mark.parametrize("switch", ["DISABLE_AIOHTTP_TRANSPORT", "LITELLM_HTTP2"])
@served
def test_the_query_of_a_url_is_sent_also_where_litellm_does_without_aiohttp(
    played: Played, monkeypatch: pytest.MonkeyPatch, model: str, switch: str
) -> None:
    monkeypatch.setenv(switch, "True")

    _, seen = played(model, query=f"?api_key={KEY}&sig=a%2Fb")

    assert seen.startswith(f"POST /v1/chat/completions?api_key={KEY}&sig=a%2Fb HTTP/1.1 ")


@pytest.mark.parametrize("origin", ["https://elsewhere", "http://host", "https://host:8443"])
def test_a_redirect_to_another_origin_takes_no_query_there(origin: str) -> None:
    sent: list[str] = []

    async def send(_: object, request: httpx.Request) -> None:
        sent.append(str(request.url))

    async def main() -> None:
        for asked in ("https://host:443/v1/chat/completions", f"{origin}/v1/chat/completions"):
            with llm._asking(f"https://me:{PASSWORD}@host/v1?api_key={KEY}"):
                await llm._addressed(send)(None, httpx.Request("POST", asked))

    anyio.run(main)

    assert sent == [f"https://host/v1/chat/completions?api_key={KEY}", f"{origin}/v1/chat/completions"]


def written(folder: Path) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file()]


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "script.jsonl").write_text('{"replies": [{"text": "No."}]}\n')
    command = [sys.executable, "-m", "harness.stub", "--script", str(tmp_path / "script.jsonl"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as server:
        assert server.stdout
        yield server.stdout.readline().strip()
        server.terminate()


@pytest.mark.slow
def test_a_run_with_them_is_resumed_from_its_config_and_not_forked_without(
    call: Call, tmp_path: Path, stub: str
) -> None:
    base = f"{stub}?api_key={KEY}"
    path = tmp_path / "one.yaml"
    agent = f"{{kind: llm, model: openai/stub, api_base: '{base}'}}"
    path.write_text(f"suite: toy\ntasks: [toy-0]\nagents: [{agent}]\n")
    first = call("eval", path, "--output", "run", "--record", "c.jsonl")
    again = call("eval", path, "--output", "run", "--trials", "2", "--json")
    shown = [call("report", "run", f"--format={kind}") for kind in ("terminal", "html", "csv")]
    forked = call("fork", "run", "toy-0.0", "--at", "0", "--agent", "llm")

    texts = [first.out, first.err, again.out, again.err, *(each.out for each in shown), forked.err]
    texts += [each for each in written(tmp_path) if each != path.read_text()]
    assert (first.status, again.status) == (0, 0), first.err + again.err
    assert json.loads(again.out)["trials"] == 2
    assert (forked.status, "which are not stored with a run" in forked.err) == (2, True)
    assert [text for text in texts if PASSWORD in text or KEY in text] == []


def test_only_the_agent_that_lacks_its_credentials_cannot_go_on(tmp_path: Path) -> None:
    run = evaluate(toy.config(), toy.suite(), toy.Wiring(), tmp_path / "run")
    name = min((run.folder / "trials").iterdir()).stem

    with pytest.raises(ConfigProblem, match="not stored with a run"):
        go_on(stored(config("http://me:pw@host/v1")), toy.suite(), ToyWired(), run, name, 0, tmp_path / "fork")
