"""What comes of a request when somebody does it to the letter: the reference calls, played in the world of the task."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, TypeAlias

from benchmarks.drift.answers import BOOKS
from benchmarks.drift.drawn import Drawn
from benchmarks.drift.environments import Place
from benchmarks.drift.template import Declined, Slot
from servers import catalog
from servers.kernel import Base, Engine, Failure, Layer

__all__ = ("Came", "literally")

Came: TypeAlias = Literal["refused", "nothing", "changes"]
"""The tools refuse it, it leaves all rows as they were, or it changes some."""


def literally(task: Drawn, slot: Slot, said: Any) -> Came:
    """What the task's reference calls come to with the value `said` in this slot, whatever its template makes of it."""
    taken = {name: value.value for name, value in task.values.items()}
    layer = Layer(_base(task.place, task.template.world))
    try:
        for call in task.template.solve(task.rows, {**taken, slot.id: said}):
            app = catalog.app(call.app)
            app.default.tool(call.tool).call(layer.state(app), call.arguments)
        changed = any(f"{change.app}.{change.table}" not in BOOKS for change in layer.changes())
    except (Declined, Failure):
        return "refused"
    finally:
        layer.close()
    return "changes" if changed else "nothing"


@cache
def _base(place: Place, world: str) -> Base:
    return Engine().load(place.world(world))
