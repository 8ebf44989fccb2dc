"""Memory, each figure in a process of its own: `python -m tests.bench.memory NAME` prints one as JSON."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any

import anyio
import psutil

from servers.gmail import app
from servers.kernel import Base, Engine, Layer
from tests.bench.kernel import Copies, delete, search, send
from tests.bench.mailbox import mailbox
from tests.bench.timing import Figure

__all__ = ("figures",)

MAILS = 50_000
SANDBOXES = 1_000
COPIES = 20
TURNOVER = 100_000


def _rss() -> float:
    """This process's resident memory, in MB."""
    gc.collect()
    return float(psutil.Process().memory_info().rss) / 1e6


def _loaded(mails: int) -> tuple[Engine, Base]:
    engine = Engine()
    base = engine.load(mailbox(mails))
    search(engine.layer(base).state(app))
    return engine, base


def _used(layer: Layer, number: int) -> Layer:
    delete(layer.state(app), number % 400)
    send(layer.state(app))
    search(layer.state(app), number)
    return layer


def state() -> dict[str, float]:
    """Sandboxes with two changes each, over one large world."""
    engine, base = _loaded(MAILS)
    before = _rss()
    live = [_used(engine.layer(base), number) for number in range(SANDBOXES)]
    after = _rss()
    return {"world": before, "all": after, "each_kb": (after - before) / len(live) * 1000}


def connected() -> dict[str, float]:
    """The same, each with its own in-process MCP server and connected client."""
    from harness.serving.sandbox import Sandbox
    from harness.serving.serve import call, connect

    engine, base = _loaded(MAILS)
    before = _rss()

    async def main() -> float:
        async with AsyncExitStack() as stack:
            for number in range(SANDBOXES):
                sandbox = Sandbox(_used(engine.layer(base), number), {"gmail": app.toolset("workbench")})
                client = await stack.enter_async_context(connect(sandbox, "gmail"))
                await call(client, "get_email_information_by_id", {"email_id": "00000500", "field": "subject"})
            return _rss()

    after = anyio.run(main)
    return {"world": before, "all": after, "each_kb": (after - before) / SANDBOXES * 1000}


def copies() -> dict[str, float]:
    """A database copied for every sandbox."""
    engine = Engine()
    copying = Copies(engine, mailbox(MAILS))
    before = _rss()
    for _ in range(COPIES):
        copying.copy()
    return {"each_kb": (_rss() - before) / COPIES * 1000}


def turnover() -> dict[str, float]:
    """Sandboxes opened, written, searched and closed one after another, with others live."""
    engine, base = _loaded(500)
    live = [_used(engine.layer(base), number) for number in range(50)]
    early = peak = 0.0
    for number in range(TURNOVER):
        layer = engine.layer(base)
        send(layer.state(app))
        if number % 10 == 0:
            search(layer.state(app), number)
        layer.close()
        if number == 999:
            early = _rss()
        elif number % 10_000 == 9_999:
            peak = max(peak, _rss())
    assert all(len(layer.changes()) == 2 for layer in live)
    return {"early": early, "late": _rss(), "peak": peak}


MEASURES = {measure.__name__: measure for measure in (state, connected, copies, turnover)}


def _apart(name: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.memory", name], check=True, stdout=subprocess.PIPE, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def figures() -> Iterator[Figure]:
    """Every memory figure, each from a fresh process."""
    ours, wired, copied = _apart("state"), _apart("connected"), _apart("copies")
    where = f"{SANDBOXES:,} sandboxes over {MAILS:,} mails, 2 rows changed and a search each"
    for kind, found, target in (("state only", ours, "400 MB"), ("with connected in-process MCP servers", wired, "")):
        yield Figure(f"memory, {kind}", where, found["all"], "MB", "", target)
        yield Figure(f"  {kind}: the world and Python alone", where, found["world"], "MB")
        yield Figure(f"  {kind}: per sandbox", where, found["each_kb"], "kB")
    where = f"{MAILS:,} mails"
    yield Figure("memory per sandbox, copying a database", where, copied["each_kb"], "kB")
    yield Figure("  that, over ours", where, copied["each_kb"] / ours["each_kb"], "times")
    turned = _apart("turnover")
    where = f"{TURNOVER:,} sandboxes opened, written and closed, 50 others live, 500 mails"
    grown = "of that after the first 1,000"
    yield Figure("memory after all", where, turned["late"] / turned["early"], grown, "", "1.2")
    yield Figure("memory at its highest", where, turned["peak"] / turned["early"], grown, "", "1.2")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(MEASURES[sys.argv[1]]()))
