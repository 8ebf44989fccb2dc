"""Services of the app `apis`: what a call costs through the gateway and through its own tool, and a task's solution.

python -m tests.bench --only apis
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.drift.apis import TEMPLATES, rows, world
from benchmarks.drift.template import Draw
from servers.apis import app
from servers.kernel import Engine
from tests.bench.timing import Figure, timed

__all__ = ("figures",)

TOWN = "apis-harwick"


def figures() -> Iterator[Figure]:
    """Calls in a town of about 800 rows; each finds it as it was, since a call that is counted writes a row."""
    conditions = f"a town of {sum(map(len, rows(TOWN).values()))} rows, in process, without a client"
    engine = Engine()
    base = engine.load(world(TOWN))
    layer = engine.layer(base)
    state = layer.state(app)
    order = next(row["id"] for row in rows(TOWN)["orders"] if row["status"] == "open")
    gateway, flat = app.default.tool("call_endpoint"), app.toolsets["flat"]

    def through(endpoint: str, **arguments: Any) -> None:
        found = gateway.call(state, {"service": "orders", "endpoint": endpoint, "arguments": arguments}).data
        if found["status"] not in (200, 201):
            raise ValueError(found)

    def undo(number: int) -> None:
        layer.reset()

    read = timed(lambda number: through("get_order", order_id=order), after=undo)
    yield read.figure("one row through the gateway", conditions)
    found = timed(lambda number: flat.tool("orders_get_order").call(state, {"order_id": order}), after=undo)
    yield found.figure("one row through its own tool", conditions)
    searched = timed(lambda number: through("find_orders", status="open"), after=undo)
    yield searched.figure("a search through the gateway", conditions)
    written = timed(lambda number: through("hold_order", order_id=order), after=undo)
    yield written.figure("a change through the gateway", conditions)
    listed = timed(lambda number: app.default.tool("list_endpoints").call(state, {"service": "orders"}))
    yield listed.figure("a list of endpoints", conditions)
    template = TEMPLATES[0]
    values = next(v for n in range(9) if (v := template.draw(rows(template.world), Draw("bench", n))))
    taken = {slot: value.value for slot, value in values.items()}
    solved = timed(lambda number: template.solve(rows(template.world), taken), times=50)
    yield solved.figure(f"a solution worked out, {len(template.solve(rows(template.world), taken))} calls", conditions)
    layer.close()
    engine.close()
