"""PROBE: its two reading tools above the transport, and what a process holds of a run over a thousand of its worlds.

python -m tests.bench --only probe
python -m tests.bench.probe WORLDS     # one run in a process of its own: its peak as JSON
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import anyio

from benchmarks.probe import naming, worlds
from benchmarks.probe.grammar.generate import difficulty_of
from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.score import outcome
from harness.serving.sandbox import Sandbox
from harness.serving.serve import call, connect
from harness.suite import Suite
from harness.task import Call, Session, Task
from harness.wiring import Wired
from servers import catalog
from servers.kernel import Engine, World
from tests.bench.timing import Figure, Timed, timed_async

__all__ = ("figures", "wired")

WORLDS, FEW, SAMPLES, TIMES = 1_000, 20, 5, 100
"""Worlds of the run, the samples that they are made from, samples whose tools are timed, and calls of each tool."""
_IDLE, _FIRST = (
    "the transport alone: a page with nothing on it",
    "the first semantic_search of a world: its index is made",
)
_SEED = 1
_QUERIES = (
    "pension statement deadline",
    "waiting for a signature",
    "who decides about the budget line",
    "returns desk",
)
_SQL = (
    "SELECT id, title, date FROM documents ORDER BY date DESC LIMIT 20",
    "SELECT id, subject FROM emails WHERE body LIKE '%statement%'",
    "SELECT count(*) FROM events",
    "SELECT id, body FROM emails ORDER BY id LIMIT 8",
)


async def _tools(name: str) -> dict[str, Timed]:
    """Milliseconds of calls through MCP in process, in the world of one sample."""
    engine = Engine()
    base = engine.load(worlds.world(name))
    toolsets = {
        app: catalog.app(app).toolset("default" if app == "datastore" else "open") for app in ("datastore", "actions")
    }
    box = Sandbox(engine.layer(base), toolsets)
    async with connect(box, "datastore") as store:

        async def search(number: int) -> None:
            await call(store, "semantic_search", {"query": _QUERIES[number % len(_QUERIES)]})

        async def sql(number: int) -> None:
            await call(store, "sql_reader", {"query": _SQL[number % len(_SQL)]})

        async def nothing(number: int) -> None:
            await call(store, "sql_reader", {"query": ""})

        start = perf_counter()
        await search(0)
        first = perf_counter() - start
        await sql(0)
        found = {
            "semantic_search": await timed_async(search, times=TIMES),
            "sql_reader": await timed_async(sql, times=TIMES),
            _IDLE: await timed_async(nothing, times=TIMES),
        }
        return {**found, _FIRST: Timed(first * 1000, first * 1000)}


def _sample(number: int) -> str:
    return naming.named(_SEED, number, difficulty_of(number))


def _world(name: str) -> World:
    """The world `SAMPLE.N`: that of the sample, with a number in one title, so that no two are the same."""
    base, _, number = name.rpartition(".")
    made = worlds.world(base)
    first, *others = made.rows["datastore"]["documents"]
    changed = {**first, "payload": {**first["payload"], "title": f"{first['payload']['title']} {number}"}}
    datastore = {**made.rows["datastore"], "documents": [changed, *others]}
    return replace(made, name=name, rows={**made.rows, "datastore": datastore})


def _names(count: int) -> list[str]:
    """Worlds in runs of one sample, as jobs come grouped by world."""
    each = -(-count // FEW)
    return [f"{_sample(number // each)}.{number % each}" for number in range(count)]


def _task(name: str) -> Task:
    """Open a world, search it and read in it."""
    return Task(
        id=name.replace(".", "-"),
        world=name,
        apps=("datastore",),
        sessions=(Session(requests={"original": "Look around."}),),
        solution=(
            Call(app="datastore", tool="semantic_search", arguments={"query": _QUERIES[0]}),
            Call(app="datastore", tool="sql_reader", arguments={"query": _SQL[0]}),
        ),
    )


class _Many(Wired):
    def __init__(self, digests: Mapping[str, str]) -> None:
        super().__init__()
        tasks = [_task(name) for name in digests]
        checks, toolsets = {"outcome": outcome}, {"datastore": "default"}
        self._suite = Suite("many", "1", "Many worlds.", tasks, _world, checks, toolsets=toolsets, worlds=digests)

    def suite(self, name: str, scale: int = 1) -> Suite:
        return self._suite


def wired(digests: Mapping[str, str]) -> _Many:
    """What worker processes call."""
    return _Many(digests)


def _played(count: int) -> dict[str, float]:
    digests = {name: _world(name).digest for name in _names(count)}
    wiring = wired(digests)
    config = RunConfig.model_validate({"suite": "many", "agents": [{"kind": "oracle"}]})
    before, began = _peak(), perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        evaluate(config, wiring.suite("many"), wiring, Path(folder) / "run")
        trials = sum(1 for _ in (Path(folder) / "run" / "trials").iterdir())
    return {"trials": trials, "seconds": perf_counter() - began, "before": before, "peak": _peak()}


def _peak() -> float:
    """The most that this process has held so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def figures() -> Iterator[Figure]:
    """Median milliseconds of reading tools in process, less the transport, and the peak of a run in its own process."""
    found = [anyio.run(_tools, _sample(number)) for number in range(SAMPLES)]
    where = f"79 documents, in-process MCP, median over {SAMPLES} samples of {TIMES} calls"
    idle = statistics.median(each[_IDLE].median for each in found)
    yield Figure(_IDLE, where, idle, "ms")
    for what, target in (("semantic_search", "2 ms"), ("sql_reader", "3 ms")):
        yield Figure(
            f"{what}, above the transport", where, statistics.median(each[what].median for each in found) - idle, "ms",
            f"(the call: {statistics.median(each[what].median for each in found):.3f})", target,
        )  # fmt: skip
    first = statistics.median(each[_FIRST].median for each in found)
    yield Figure(_FIRST, where, first, "ms")
    command = [sys.executable, "-m", "tests.bench.probe", str(WORLDS)]
    run: dict[str, float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    where = f"{WORLDS:,} worlds of {FEW} samples, {run['trials']:,.0f} trials that search and read, one process"
    beside = f"({run['before']:.0f} before the first trial)"
    yield Figure("peak memory, with samples and digests made there too", where, run["peak"], "MB", beside, "500 MB")
    yield Figure("  the whole run", where, run["seconds"], "s")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_played(int(sys.argv[1]))))
