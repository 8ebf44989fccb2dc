"""A hundred clients at once: nobody's sandbox knows of the others."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

import anyio
import httpx2
import pytest

from harness.service.client import RemoteSandbox
from harness.serving.sandbox import Sandbox
from harness.serving.serve import call, connect_http
from servers import catalog
from servers.kernel import Engine
from tests.harness import toy
from tests.sampling import sampled
from tests.service.scenes import service

CLIENTS, CALLS = 100, 50
PROJECTS = catalog.app("projects").default
Plan = Sequence[tuple[str, dict[str, Any]]]


def plan(client: int) -> Plan:
    """Random calls: most change something, some are refused, some look. Twenty a client meet enough of the others'."""
    draw = random.Random(f"crowd|{client}")
    row = {
        "list_name": "Backlog",
        "board": "Design",
        "assigned_to_email": "ines@example.test",
        "due_date": "2025-04-01",
    }

    def one() -> tuple[str, dict[str, Any]]:
        id = f"{draw.randrange(14):08d}"  # two of fourteen are in no world
        changed = {"task_id": id, "field": "list_name", "new_value": draw.choice(["Completed", "In Review", "nowhere"])}
        calls: list[tuple[str, dict[str, Any]]] = [
            ("update_task", changed),
            ("delete_task", {"task_id": id}),
            ("create_task", {"task_name": f"Job of {client}", **row}),
            ("search_tasks", {"list_name": "Completed"}),
        ]
        return draw.choices(calls, (3, 2, 2, 1))[0]

    return sampled([one() for _ in range(CALLS)], 20)


def alone(plans: Mapping[int, Plan]) -> dict[int, str]:
    """The digests that these calls lead to, each plan by itself in an engine where no other is open."""
    engine = Engine()
    base = engine.load(toy.world())

    async def replay(calls: Plan) -> str:
        with closing(engine.layer(base)) as layer:
            sandbox = Sandbox(layer, {"projects": PROJECTS})
            for tool, arguments in calls:
                await sandbox.call("projects", tool, arguments)
            return layer.digest()

    digests = {number: anyio.run(replay, calls) for number, calls in plans.items()}
    engine.close()
    return digests


async def work(box: RemoteSandbox, calls: Plan, order: random.Random) -> None:
    """Make the calls, letting others go first now and then."""
    # A client pool looks through all its connections on every request, and TLS takes 25 ms to set up.
    async with (
        httpx2.AsyncClient(timeout=None, verify=False) as http,
        connect_http(box.urls["projects"], http) as agent,
    ):
        for tool, arguments in calls:
            for _ in range(order.randrange(5)):
                await anyio.lowlevel.checkpoint()
            await call(agent, tool, arguments)


async def vanish(box: RemoteSandbox, number: int) -> None:
    """Send a call and hang up: before it is whole, or before its answer can have come."""
    url = httpx2.URL(box.urls["projects"])
    params = {"name": "delete_task", "arguments": {"task_id": "00000003"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    head = {
        "Host": f"{url.host}:{url.port}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
        "Content-Length": str(len(body)),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    start = f"POST {url.path} HTTP/1.1\r\n{lines}\r\n".encode()
    async with await anyio.connect_tcp(url.host, url.port or 80) as wire:
        await wire.send(start + (body if number % 20 else body[: len(body) // 2]))


@pytest.mark.slow
def test_a_hundred_clients_do_not_mix_though_a_tenth_vanish_mid_call() -> None:
    plans = [plan(number) for number in range(CLIENTS)]
    vanishing = set(range(0, CLIENTS, 10))

    async def main() -> dict[int, str]:
        async with service() as scene:
            boxes = [await scene.client.create() for _ in range(CLIENTS)]
            order = random.Random("schedule")
            async with anyio.create_task_group() as group:
                for number in order.sample(range(CLIENTS), CLIENTS):
                    if number in vanishing:
                        group.start_soon(vanish, boxes[number], number)
                    else:
                        group.start_soon(work, boxes[number], plans[number], random.Random(f"order|{number}"))
            lost = [await boxes[number].diff() for number in sorted(vanishing)]
            assert {len(diff.changes) for diff in lost} <= {0, 1}  # a call is made whole, or not at all
            return {n: (await boxes[n].diff()).digest for n in range(CLIENTS) if n not in vanishing}

    digests = anyio.run(main)

    assert len(set(digests.values())) == len(digests) == CLIENTS - len(vanishing)
    assert digests == alone({number: plans[number] for number in digests})
