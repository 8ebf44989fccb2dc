"""What comes to a sandbox by itself as its clock passes, where a person has it live: mails, messages, what others do.

Nothing waits in the background. What is due comes before a call, so a sandbox that nobody uses is brought up to date
when somebody does, and a tool never sees rows change under it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime

from harness.core.trajectory import Arrival, Write
from harness.serving.sandbox import Sandbox
from servers.kernel import App, Edit, Engine, Layer, StateError, World

__all__ = ("SOURCE", "Arrivals", "expect", "reserved")

SOURCE = "clock"
"""What a record names as the source of what comes by itself."""


def reserved(engine: Engine, world: World, layer: Layer, apps: Sequence[App], setup: Sequence[Edit]) -> None:
    """Make sure that all that may come to a layer fits its world, and that no new row takes the id of one of them.

    `setup` is what the layer started with. Done whether anything is to come or not, so that ids are the same. Raises
    `StateError` naming the line that does not fit.
    """
    coming = world.coming(apps)
    if not coming:
        return
    trial = engine.layer(engine.load(world), setup, apps)
    try:
        for number, each in coming.items():
            try:
                trial.arrive(each.edits, apps)
            except StateError as error:
                raise StateError(f"{world.arrival(number)}: {error}") from None
        layer.reserve(trial)
    finally:
        trial.close()


def expect(sandbox: Sandbox, engine: Engine, apps: Sequence[App], setup: Sequence[Edit]) -> None:
    """Have ids reserved before the first call, as `reserved` does: whoever starts need not wait for tables to load."""

    def first(sandbox: Sandbox) -> None:
        reserved(engine, sandbox.layer.base.world, sandbox.layer, apps, setup)
        sandbox.coming = None

    sandbox.coming = first


class Arrivals:
    """What comes to some apps of a world, each at its moment and once."""

    def __init__(self, world: World, apps: Sequence[App]) -> None:
        self._apps = apps
        self._queue = [*world.coming(apps).values()]
        self._moments = [each.at for each in self._queue]

    def __call__(self, sandbox: Sandbox) -> None:
        """Let in what is due by the sandbox's clock and has not come yet; it is on record as the environment's."""
        layer = sandbox.layer
        since = layer.came[-1].at if layer.came else datetime.min
        due = self._queue[bisect_right(self._moments, since) : bisect_right(self._moments, layer.now)]
        if not due:
            return
        for came, written in layer.come(due, self._apps):
            sandbox.events.append(
                Arrival(
                    session=sandbox.session,
                    start=sandbox.clock(),
                    step=sandbox.steps,
                    source=SOURCE,
                    text="; ".join(part for part in (came.text, came.skipped) if part),
                    writes=[Write(app=a, table=t, id=i, values=v) for a, t, i, v in written],
                )
            )
