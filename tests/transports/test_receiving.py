"""Clients that send slowly, too much or nothing, and more clients than there is room for."""

from __future__ import annotations

import tracemalloc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import httpx2
import pytest
from anyio.abc import SocketStream
from mcp.client.client import Client

from harness.serving.host import HttpHost
from harness.serving.receiving import Limits
from harness.serving.sandbox import Sandbox
from servers import catalog
from servers.kernel import Answer, Engine, Question
from tests.harness import toy
from tests.service.scenes import service

QUICK = Limits(connections=50, receiving=0.3, parting=0.3)
PATIENT = QUICK._replace(receiving=1.5)
"""For what has to come in time on a busy machine too."""
HEAD = "POST /v1/sandboxes HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
WHOLE = f"{HEAD}Content-Length: 2\r\n\r\n{{}}"


async def reads_all(scope: Any, receive: Any, send: Any) -> None:
    """A service that answers when the body has come."""
    while (message := await receive())["type"] == "http.request" and message["more_body"]:
        continue
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"whole"})


@asynccontextmanager
async def hosted(limits: Limits = QUICK, **more: Any) -> AsyncIterator[HttpHost]:
    host = HttpHost([], limits=limits, service=reads_all, **more)
    async with host.run():
        yield host


async def connected(host: HttpHost, text: str = "") -> SocketStream:
    client = await anyio.connect_tcp("127.0.0.1", int(host.address.rpartition(":")[2]))
    if text:
        await client.send(text.encode())
    return client


async def to_the_end(client: SocketStream) -> str:
    """What the server still sends before it closes."""
    said = b""
    async with client:
        with anyio.fail_after(20):
            try:
                while True:
                    said += await client.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                return said.decode()


async def answered(client: SocketStream) -> str:
    """The answer to a whole request."""
    said = b""
    with anyio.fail_after(20):
        while not said.endswith(b"whole"):
            said += await client.receive()
    return said.decode()


def test_a_client_that_sends_nothing_is_let_go() -> None:
    async def main() -> None:
        async with hosted() as host:
            assert await to_the_end(await connected(host)) == ""

    anyio.run(main)


@pytest.mark.parametrize(
    "begun",
    [
        "POST /v1/sand",
        HEAD,
        f"{HEAD}Content-Length: 100\r\n\r\nabc",
        f"{HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nab",
    ],
    ids=["first line", "head", "body", "chunked body"],
)
def test_a_request_that_does_not_come_whole_is_told_so(begun: str) -> None:
    async def main() -> None:
        async with hosted() as host:
            said = await to_the_end(await connected(host, begun))

        assert said.startswith("HTTP/1.1 408 ")
        assert "did not arrive in full within 0.3 seconds" in said

    anyio.run(main)


def test_a_client_that_goes_on_a_byte_at_a_time_gains_nothing() -> None:
    async def main() -> None:
        async with hosted() as host:
            client, said = await connected(host, "POST /v1/sandboxes HTTP/1.1\r\nX: "), b""
            with anyio.fail_after(20):
                while not said:
                    await client.send(b"x")
                    with anyio.move_on_after(0.02):
                        said = await client.receive()
            await client.aclose()

            assert said.startswith(b"HTTP/1.1 408 ")

    anyio.run(main)


def test_between_requests_a_client_may_wait() -> None:
    async def main() -> None:
        async with hosted(PATIENT) as host:
            client = await connected(host, WHOLE)
            first = await answered(client)
            await to_the_end(await connected(host))  # for longer than a request may take
            await client.send(WHOLE.encode())
            second = await answered(client)
            await client.aclose()

            assert first.startswith("HTTP/1.1 200 ")
            assert second.startswith("HTTP/1.1 200 ")

    anyio.run(main)


def test_a_question_waits_for_its_answer_however_long() -> None:
    class Thoughtful:
        async def answer(self, question: Question) -> Answer:
            await to_the_end(await connected(host))
            return Answer(text="On Friday.")

    toolsets = {"ask_user": catalog.app("ask_user").default}
    host = HttpHost(toolsets.values(), limits=PATIENT)

    async def main() -> None:
        engine = Engine()
        sandbox = Sandbox(engine.layer(engine.load(toy.world())), toolsets, Thoughtful())
        async with host.run(), Client(host.url(host.add(sandbox), "ask_user")) as client:
            said = await client.call_tool("ask_user", {"question": "When?"})

        assert "On Friday." in str(said.content)
        engine.close()

    anyio.run(main)


def test_one_client_too_many_is_told_so_and_served_when_another_has_gone() -> None:
    async def main() -> None:
        async with hosted(Limits(connections=2, receiving=20, parting=0.2)) as host:
            first, second = await connected(host, WHOLE), await connected(host, WHOLE)
            await answered(first)
            await answered(second)
            said = await to_the_end(await connected(host))
            await second.aclose()
            with anyio.fail_after(20):
                async with httpx2.AsyncClient() as http:
                    while (later := await http.post(f"{host.address}/v1/x", json={})).status_code == 503:
                        continue
            await first.aclose()

            assert said.startswith("HTTP/1.1 503 ")
            assert "2 clients are connected, and no more are served" in said
            assert later.text == "whole"

    anyio.run(main)


@pytest.mark.parametrize("path", ["/v1/sandboxes", "mcp"])
def test_a_body_that_says_it_is_too_large_is_refused_before_it_comes(path: str) -> None:
    async def main() -> None:
        async with service(body_limit=1_000) as scene:
            box = await scene.client.create()
            path_ = box.urls["projects"].removeprefix(scene.host.address) if path == "mcp" else path
            head = HEAD.replace("/v1/sandboxes", path_)

            said = await to_the_end(await connected(scene.host, f"{head}Content-Length: 1001\r\n\r\n"))

            assert said.startswith("HTTP/1.1 413 ")
            assert path == "mcp" or "a body may have at most 1000 bytes" in said, "the SDK has words of its own"
            assert "\r\nconnection: close\r\n" in said, "else a client would send its next request here"

    anyio.run(main)


@pytest.mark.parametrize("path", ["/v1/sandboxes", "mcp"])
def test_a_body_of_unknown_length_is_refused_as_soon_as_it_is_too_large(path: str) -> None:
    async def main() -> None:
        async with service(body_limit=1_000) as scene:
            box = await scene.client.create()
            path_ = box.urls["projects"].removeprefix(scene.host.address) if path == "mcp" else path
            client = await connected(scene.host, HEAD.replace("/v1/sandboxes", path_))
            await client.send(f"Transfer-Encoding: chunked\r\n\r\n7d0\r\n{'x' * 2000}\r\n".encode())

            said = await to_the_end(client)

            assert said.startswith("HTTP/1.1 413 ")
            assert "\r\nconnection: close\r\n" in said

    anyio.run(main)


def test_a_refused_client_reads_why_though_it_goes_on_sending() -> None:
    async def main() -> None:
        async with hosted(PATIENT) as host, httpx2.AsyncClient() as http:
            refused = await http.post(f"{host.address}/nothing/here", content=b"x" * 3_000_000)

        assert refused.status_code == 404

    anyio.run(main)


def test_nothing_is_kept_of_the_bodies_of_refused_requests() -> None:
    async def main() -> None:
        async with hosted(PATIENT._replace(receiving=20, parting=20)) as host:
            clients = [await connected(host) for _ in range(20)]
            tracemalloc.start()
            for client in clients:
                await client.send(f"{HEAD.replace('v1', 'v0')}Content-Length: 3000000\r\n\r\n{'x' * 200_000}".encode())
            for client in clients:
                with anyio.fail_after(20):
                    assert (await client.receive()).startswith(b"HTTP/1.1 404 ")
            for client in clients:
                await client.send(b"x" * 1_000_000)
            with anyio.move_on_after(5) as waited:
                while tracemalloc.get_traced_memory()[0] > 1_000_000:
                    await anyio.lowlevel.checkpoint()
            tracemalloc.stop()
            for client in clients:
                await client.aclose()

        assert not waited.cancelled_caught, "the connections hold on to what was refused"

    anyio.run(main)
