"""A world to be written as a folder that a person edits: rows as tools see them, with no dates left to move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from harness.service.keeping import AppRows, rows_of
from servers.kernel import App, Coming, Engine, World

__all__ = ("exported",)


@dataclass(frozen=True)
class _Written(World):
    """Rows of one world, and beside them what lies beside another."""

    source: World | None = field(default=None, compare=False)

    def aside(self, name: str) -> str:
        assert self.source is not None, "it is given where anything lies beside"
        return self.source.aside(name)


def exported(
    world: World, apps: Sequence[App], states: Mapping[str, AppRows] | None = None, now: datetime | None = None
) -> World:
    """A world as it is loaded: every field of every row, no dates left to move. What has come is among the rows.

    Of apps in `states` the rows are those, of the others the world's. `now` is the time there; by default the latest
    of the states, else the world's. Raises `StateError` for a row that does not fit, by its file and line.
    """
    states = states or {}
    engine = Engine()
    try:
        layer = engine.layer(engine.load(world))
        rows = {app.name: states[app.name].rows if app.name in states else rows_of(layer, app) for app in apps}
    finally:
        engine.close()
    since = {name: state.came for name, state in states.items()}
    ahead = (_left(each, since) for each in world.coming(apps).values())
    return _Written(
        world.name,
        now or max((state.now for state in states.values()), default=world.now),
        rows,
        owner=world.owner,
        arrivals=tuple(each for each in ahead if each.edits),
        beside=world.beside,
        source=world,
    )


def _left(coming: Coming, since: Mapping[str, datetime | None]) -> Coming:
    """What of it has not come yet, app by app."""
    left = tuple(edit for edit in coming.edits if (last := since.get(edit.app)) is None or coming.at > last)
    return coming.model_copy(update={"edits": left})
