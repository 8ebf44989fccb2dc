"""The changes that a right outcome contains, found by playing reference calls through the apps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.workbench.official.ids import starting_ids
from benchmarks.workbench.official.names import APPS, COMPARE, SOURCES, TOOLSET
from harness.task import Call, Expected
from servers import catalog
from servers.kernel import App, Change, Engine, Failure, World

__all__ = ("Bench", "Refused", "expected")

_COLUMNS = {(source.app, source.table): {*source.columns.values()} for source in SOURCES}
"""Fields of tables that the release has too; a table of ours may have more."""


class Refused(Exception):
    """A reference call that an app refused; says which and why."""


class Bench:
    """One world and the six apps, for playing short lists of calls, each from the world's own state.

    `ids` are the world's, as `Ids` begins with them.
    """

    def __init__(self, world: World) -> None:
        self.apps: dict[str, App] = {name: catalog.app(name) for name in APPS.values()}
        self.engine = Engine()
        self.base = self.engine.load(world)
        self.ids = starting_ids(world)

    def play(self, calls: Iterable[Call]) -> list[Change]:
        """What the calls change, in a fresh sandbox. Raises `Refused` at the first that fails."""
        layer = self.engine.layer(self.base)
        try:
            for number, call in enumerate(calls, 1):
                app = self.apps[call.app]
                try:
                    app.toolset(TOOLSET).tool(call.tool).call(layer.state(app), call.arguments)
                except Failure as failure:
                    raise Refused(f"call {number}, {call.app}.{call.tool}: {failure}") from None
            return layer.changes()
        finally:
            layer.close()

    def close(self) -> None:
        self.engine.close()


def expected(changes: Sequence[Change]) -> tuple[Expected, ...]:
    """The changes as a task states them: no id for an insert, and no field that the comparison leaves free.

    Nor one that the release does not have: no call of its can set it.
    """
    return tuple(
        Expected(
            op=change.op,
            app=change.app,
            table=change.table,
            id="" if change.op == "insert" else change.id,
            values={
                name: value
                for name, value in change.fields.items()
                if f"{change.app}.{change.table}.{name}" not in COMPARE.free
                and name in _COLUMNS.get((change.app, change.table), {name})
            },
        )
        for change in changes
    )
