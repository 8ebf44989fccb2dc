"""A hundred HTTP clients, each with a sandbox of its own in one process: calls a second, and memory.

The server is a process of its own, as a user starts it; the clients share another.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import anyio
import httpx2
import psutil

from harness.service.client import Client
from harness.serving.serve import call, connect_http
from tests.bench.timing import Figure

__all__ = ("figures",)

ROOT = Path(__file__).parents[2]
CLIENTS, CALLS = 100, 50
SERVE = (sys.executable, "-m", "harness", "serve", "--transport", "http", "--port", "0")
TASK = {
    "task_name": "Count the chairs",
    "assigned_to_email": "nobody@example.test",
    "list_name": "Backlog",
    "due_date": "2025-04-01",
    "board": "Design",
}
WORK = (
    ("search_tasks", {"list_name": "Completed"}),
    ("create_task", TASK),
    ("update_task", {"task_id": "00000003", "field": "list_name", "new_value": "In Review"}),
    ("get_task_information_by_id", {"task_id": "00000003", "field": "list_name"}),
    ("delete_task", {"task_id": "00000004"}),
)


async def _work(url: str, waited: list[float]) -> None:
    # One connection each: a shared pool looks through all its connections on every request.
    async with httpx2.AsyncClient(timeout=None, verify=False) as http, connect_http(url, http) as agent:
        for number in range(CALLS):
            tool, arguments = WORK[number % len(WORK)]
            began = perf_counter()
            await call(agent, tool, arguments)
            waited.append(perf_counter() - began)


async def _crowd(address: str, server: psutil.Process) -> Iterator[Figure]:
    waited: list[float] = []

    def memory() -> float:
        return float(server.memory_info().rss) / 1e6

    async with Client(address) as client:
        first = await client.create()
        await first.diff()
        before = memory()
        boxes = [await client.create() for _ in range(CLIENTS)]
        began, busy = perf_counter(), sum(server.cpu_times()[:2])
        async with anyio.create_task_group() as group:
            for box in boxes:
                group.start_soon(_work, box.urls["projects"], waited)
        taken, busy = perf_counter() - began, sum(server.cpu_times()[:2]) - busy
        after = memory()
        began = perf_counter()
        assert len({(await box.diff()).digest for box in boxes}) == 1
        diffs = (perf_counter() - began) / CLIENTS * 1000
    where = f"{CLIENTS} HTTP clients in one process, a sandbox each in another, {CALLS} calls each (3 of 5 write)"
    calls = len(waited)
    return iter(
        (
            Figure("calls", where, calls / taken, "a second"),
            Figure("  by the server's processor time", where, calls / busy, "a second"),
            Figure("a call, with 99 others waiting", where, statistics.median(waited) * 1000, "ms"),
            Figure("memory of the server", where, after, "MB", f"{before:.0f} with one sandbox", "300 MB"),
            Figure("diff and digest by the service, one at a time", where, diffs, "ms"),
        )
    )


def figures() -> Iterator[Figure]:
    """What one process serves on a machine that also plays the clients."""
    with subprocess.Popen(SERVE, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        address = process.stderr.readline().decode().partition(" at ")[2].partition(";")[0]
        yield from anyio.run(_crowd, address, psutil.Process(process.pid))
        process.terminate()
