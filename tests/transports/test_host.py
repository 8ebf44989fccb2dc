"""Sandboxes over HTTP: each URL reaches its own rows and nothing else does."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import httpx2
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from harness.serving.host import HttpHost
from harness.serving.sandbox import Sandbox
from servers import catalog
from servers.kernel import Engine
from tests.harness import toy

PROJECTS = catalog.app("projects")
MOVE = {"task_id": "00000000", "field": "list_name", "new_value": "Completed"}


@asynccontextmanager
async def hosted(count: int) -> AsyncIterator[tuple[HttpHost, list[Sandbox], list[str]]]:
    """A host with that many sandboxes of one world, and their ids."""
    engine = Engine()
    base = engine.load(toy.world())
    host = HttpHost([PROJECTS.default])
    async with host.run():
        sandboxes = [Sandbox(engine.layer(base), {"projects": PROJECTS.default}) for _ in range(count)]
        yield host, sandboxes, [host.add(sandbox) for sandbox in sandboxes]
    engine.close()


def test_a_call_changes_the_sandbox_of_its_url_alone() -> None:
    async def main() -> None:
        async with hosted(2) as (host, sandboxes, ids):
            async with Client(host.url(ids[0], "projects")) as client:
                result = await client.call_tool("update_task", MOVE)

            assert not result.is_error
            assert [len(sandbox.layer.changes()) for sandbox in sandboxes] == [1, 0]

    anyio.run(main)


def test_an_old_client_is_served_as_well() -> None:
    async def main() -> None:
        async with hosted(1) as (host, sandboxes, ids):
            async with Client(host.url(ids[0], "projects"), mode="legacy") as client:
                await client.call_tool("update_task", MOVE)

            assert len(sandboxes[0].layer.changes()) == 1

    anyio.run(main)


def test_concurrent_clients_of_many_sandboxes_do_not_mix() -> None:
    async def use(url: str, number: int) -> None:
        async with Client(url) as client:
            for step in range(5):
                await client.call_tool("update_task", {**MOVE, "task_id": f"{(number + step) % 12:08d}"})

    async def main() -> None:
        async with hosted(8) as (host, sandboxes, ids):
            async with anyio.create_task_group() as group:
                for number, id in enumerate(ids):
                    group.start_soon(use, host.url(id, "projects"), number)

            for number, sandbox in enumerate(sandboxes):
                changed = {change.id for change in sandbox.layer.changes()}
                assert changed == {f"{(number + step) % 12:08d}" for step in range(5)}

    anyio.run(main)


def test_unknown_removed_and_malformed_addresses_answer_404() -> None:
    async def main() -> None:
        async with hosted(1) as (host, _, ids), httpx2.AsyncClient() as http:
            good = host.url(ids[0], "projects")
            wrong = [host.url("0" * 32, "projects"), host.url(ids[0], "gmail"), good.replace("/s/", "/"), good + "/x"]
            host.remove(ids[0])

            for url in (*wrong, good):
                assert (await http.post(url, json={})).status_code == 404

    anyio.run(main)


def test_a_stream_that_nothing_would_come_over_is_refused() -> None:
    async def main() -> None:
        async with hosted(1) as (host, _, ids), httpx2.AsyncClient() as http:
            accept = {"Accept": "text/event-stream"}
            async with http.stream("GET", host.url(ids[0], "projects"), headers=accept) as answer:
                assert (answer.status_code, answer.headers.get("Allow")) == (405, "POST")

    anyio.run(main)


@pytest.mark.parametrize("method", ["DELETE", "PUT", "PATCH", "OPTIONS"])
def test_a_method_that_is_not_taken_is_answered_with_those_that_are(method: str) -> None:
    async def main() -> None:
        async with hosted(1) as (host, _, ids), httpx2.AsyncClient() as http:
            answer = await http.request(method, host.url(ids[0], "projects"))

            assert (answer.status_code, answer.headers.get("Allow")) == (405, "POST")
            assert answer.json()["message"].endswith(f"/projects/mcp takes POST, not {method}")

    anyio.run(main)


def test_a_client_that_does_not_say_what_it_accepts_takes_anything() -> None:
    async def main() -> None:
        async with hosted(1) as (host, _, ids):
            url = host.url(ids[0], "projects")
            body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}'
            request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
            with await anyio.to_thread.run_sync(urllib.request.urlopen, request) as answer:
                assert json.load(answer)["id"] == 1

    anyio.run(main)


def test_a_cursor_that_nobody_was_given_is_refused() -> None:
    async def main() -> None:
        async with hosted(1) as (host, _, ids), Client(host.url(ids[0], "projects")) as client:
            with pytest.raises(MCPError, match="There is no cursor 'abc': the list is given whole") as refused:
                await client.list_tools(cursor="abc")
            assert refused.value.error.code == -32602

    anyio.run(main)


def test_a_page_that_rebinds_its_name_to_loopback_is_refused() -> None:
    async def main() -> None:
        async with hosted(1) as (host, _, ids), httpx2.AsyncClient() as http:
            url = host.url(ids[0], "projects")
            rebound = await http.post(url, json={}, headers={"Host": "evil.example"})
            foreign = await http.post(url, json={}, headers={"Origin": "https://evil.example"})

            assert (rebound.status_code, foreign.status_code) == (421, 403)

    anyio.run(main)
