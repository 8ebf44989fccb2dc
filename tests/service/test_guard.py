"""Who may talk to the server at all."""

from __future__ import annotations

import anyio
import httpx2
import pytest
from mcp.client.client import Client as Agent

from harness.cli.problems import CallProblem
from harness.cli.serving import _guard
from harness.core.config import ConfigProblem
from harness.service import Client, ServiceError
from harness.serving.guard import Guard, Refused, is_loopback
from harness.serving.host import HttpHost
from harness.serving.sandbox import Sandbox
from servers.kernel import Engine
from tests.harness import toy
from tests.service.scenes import APPS, MOVE, service


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "127.0.0.1:8000"}, None),
        ({"host": "LOCALHOST:1"}, None),
        ({"host": "[::1]:8000"}, None),
        ({"host": "[::1]"}, None),
        ({"host": "localhost:8000", "origin": "http://localhost:3000"}, None),
        ({}, 421),
        ({"host": "evil.example"}, 421),
        ({"host": "localhost.evil.example:8000"}, 421),
        ({"host": "127.0.0.1", "origin": "https://evil.example"}, 403),
        ({"host": "127.0.0.1", "origin": "http://127.0.0.1.evil.example"}, 403),
        ({"host": "127.0.0.1", "origin": "null"}, 403),
    ],
)
def test_a_name_that_is_not_ours_is_refused(headers: dict[str, str], status: int | None) -> None:
    if status is None:
        Guard().check("/gmail/mcp", headers)
        return
    with pytest.raises(Refused) as refused:
        Guard().check("/gmail/mcp", headers)
    assert refused.value.status == status


def test_only_loopback_is_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.0.2", "example.org", "")))


def test_with_a_token_nothing_is_served_without_it() -> None:
    async def main() -> None:
        async with service(guard=Guard(token="s3cret"), token="s3cret") as scene:
            box = await scene.client.create()
            answer = await scene.move(box.urls["projects"])
            paths = ["/v1/openapi.json", "/v1/sandboxes", f"/s/{box.info.id}/projects/mcp", "/gmail/mcp", "/"]
            for path in paths:
                for given in ("", "Bearer", "Bearer wrong", "Basic s3cret", "Bearer s3cret2", "Bearer \xff"):
                    headers = [(b"authorization", given.encode("latin-1"))]
                    refused = await scene.http.get(scene.host.address + path, headers=headers)
                    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
            assert "updated" in answer.lower()
            async with Client(scene.host.address) as stranger:
                with pytest.raises(ServiceError, match="--token"):
                    await stranger.list()

    anyio.run(main)


def test_an_agent_with_its_token_cannot_use_the_service() -> None:
    async def main() -> None:
        guard = Guard(token="agent", service_token="program")
        async with service(guard=guard, token="agent") as scene:
            with pytest.raises(ServiceError, match="--service-token") as refused:
                await scene.client.create(suite="toy", task="toy-1")
            async with Client(scene.host.address, token="program") as program:
                box = await program.create()
            await scene.move(box.urls["projects"])

            assert refused.value.status == 401

    anyio.run(main)


def test_the_shared_sandbox_says_that_it_is_shared() -> None:
    async def main() -> None:
        engine = Engine()
        toolsets = {"projects": APPS["projects"].default}
        sandbox = Sandbox(engine.layer(engine.load(toy.world())), toolsets)
        host = HttpHost(toolsets.values(), shared={"projects": sandbox})
        async with host.run():
            url = f"{host.address}/projects/mcp"
            for mode, to in (("auto", "Completed"), ("legacy", "In Review")):
                async with Agent(url, mode=mode) as client:
                    assert "shared by everyone" in (client.instructions or "")
                    await client.call_tool("update_task", {**MOVE, "new_value": to})
        found = sandbox.layer.changes()
        engine.close()

        assert sandbox.calls == []
        assert len(found) == 1

    anyio.run(main)


def test_bodies_and_results_have_limits() -> None:
    async def main() -> None:
        engine = Engine()
        toolsets = {"projects": APPS["projects"].default}
        sandbox = Sandbox(engine.layer(engine.load(toy.world())), toolsets)
        host = HttpHost(toolsets.values(), body_limit=2000, result_limit=500)
        async with host.run(), Agent(host.url(host.add(sandbox), "projects")) as client:
            long = await client.call_tool("search_tasks", {"list_name": "Backlog"})
            short = await client.call_tool("search_tasks", {"task_name": "Job 11"})
            async with httpx2.AsyncClient() as http:
                url, head = host.url(host.add(sandbox), "projects"), {"Content-Type": "application/json"}
                huge = await http.post(url, content=b"x" * 3000, headers=head)

            assert huge.status_code == 413
            assert (long.is_error, short.is_error) == (True, False)
            assert "500 is the limit" in str(long.content)
            assert [record.status for record in sandbox.calls] == ["failed", "ok", "garbled"]
        engine.close()

    anyio.run(main)


def test_beyond_loopback_a_token_is_a_must() -> None:
    with pytest.raises(CallProblem, match=r"--host 0\.0\.0\.0 can be reached from other machines: give a bearer token"):
        _guard("0.0.0.0", "", "", [])
    guard = _guard("192.168.0.2", "s3cret", "", ["Office.example"])

    for host in ("192.168.0.2:8000", "office.example", "localhost:8000"):
        guard.check("/gmail/mcp", {"host": host, "authorization": "Bearer s3cret"})


def test_an_address_that_is_taken_is_named_with_the_remedy() -> None:
    async def main() -> None:
        taken = HttpHost([])
        async with taken.run():
            port = int(taken.address.rpartition(":")[2])
            with pytest.raises(ConfigProblem, match=f"port {port}: .* port 0 takes a free one"):
                async with HttpHost([]).run(port):
                    raise AssertionError("two servers listen at one address")

    anyio.run(main)
