"""How long a client waits for a server that it starts: over stdio, and over HTTP with every app there is."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import anyio
import httpx2
import psutil

from harness.serving.serve import connect_http
from servers import catalog
from tests.bench.timing import Figure

__all__ = ("figures",)

ROOT = Path(__file__).parents[2]
REPEAT = 7
SERVED = [name for name, app in catalog.apps().items() if not app.apart]
"""What is served over HTTP where no app is named."""
SERVE = (sys.executable, "-m", "harness", "serve")
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Start(NamedTuple):
    """Seconds until it was ready, seconds of processor time it took, resident memory in MB."""

    ready: float
    processor: float
    memory: float


def _start(process: subprocess.Popen[bytes], began: float) -> Start:
    ready, what = perf_counter() - began, psutil.Process(process.pid)
    times = what.cpu_times()
    return Start(ready, times.user + times.system, what.memory_info().rss / 1e6)


def _stdio(*arguments: str) -> Start:
    """Start one app, say hello and ask for its tools."""
    began = perf_counter()
    with subprocess.Popen(
        [*SERVE, "gmail", *arguments],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        asking, answers = process.stdin, process.stdout
        assert asking is not None
        assert answers is not None

        def send(**message: Any) -> None:
            asking.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            asking.flush()

        send(id=1, method="initialize", params=HELLO)
        answers.readline()
        send(method="notifications/initialized")
        send(id=2, method="tools/list")
        assert json.loads(answers.readline())["result"]["tools"]
        found = _start(process, began)
        asking.close()
    return found


def _http() -> Start:
    """Start every app, and ask each for its tools."""
    began = perf_counter()
    with subprocess.Popen(
        [*SERVE, "--transport", "http", "--port", "0"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        assert process.stderr is not None
        address = process.stderr.readline().decode().partition(" at ")[2].partition(";")[0]
        try:
            anyio.run(_listed, address)
            found = _start(process, began)
        finally:
            process.terminate()
    return found


async def _listed(address: str) -> None:
    async with httpx2.AsyncClient() as http:
        for app in SERVED:
            async with connect_http(f"{address}/{app}/mcp", http) as client:
                assert (await client.list_tools()).tools


def figures() -> Iterator[Figure]:
    """Each a process of its own with the default world, the client there before it."""
    with tempfile.TemporaryDirectory() as folder:
        kinds: tuple[tuple[str, Callable[[int], Start], str, str], ...] = (
            ("one app over stdio, connected and its tools listed", lambda n: _stdio(), "1 s", ""),
            ("one app over stdio with --state", lambda n: _stdio("--state", os.path.join(folder, str(n))), "1 s", ""),
            (f"{len(SERVED)} apps over HTTP, each with its tools listed", lambda n: _http(), "2 s", "300 MB"),
        )
        for what, start, time, room in kinds:
            starts = [start(n) for n in range(REPEAT)]
            ready, processor, memory = (statistics.median(each) for each in zip(*starts, strict=True))
            where = f"a process from its start, the office, of {REPEAT}"
            verdict = "within the aim" if min(starts).ready <= float(time.split()[0]) else "above the aim"
            beside = f"{min(starts).ready:.2f} at best, {verdict} ({processor:.2f} s of processor)"
            yield Figure(what, where, ready, "s", beside, time)
            yield Figure(f"  {what.strip()}: memory", where, memory, "MB", "", room)
