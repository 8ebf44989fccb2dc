"""The copy-on-write store: many sandboxes over one immutable world, each only its differences.

A world's rows live once, in base tables. A sandbox is a layer: it holds the rows it changed, and
writes them to delta tables, under a number of its own, when a search is about to look there; a
view shows base rows that the layer has not touched, then its own. So keyed reads of changed rows,
writes, diffs, snapshots and resets ask the database nothing.

One engine serves one thread; nothing here waits. `docs/state-engine.md` says why it is so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from servers.kernel.base import LIVE, START, Base
from servers.kernel.changes import Came, Edit
from servers.kernel.database import Database
from servers.kernel.errors import StateError, WorldMismatch
from servers.kernel.layer import Layer
from servers.kernel.plain import canonical
from servers.kernel.table import Tables
from servers.kernel.world import Former, Owner, World

__all__ = ("Engine",)


class Engine(Database):
    """One DuckDB instance, in memory or on one file, with the worlds that are loaded into it and the layers over them.

    Raises `StateInUse` when another process holds the file, `StateError` when it is none of ours.
    """

    def __init__(self, path: Path | None = None) -> None:
        super().__init__(path)
        self._bases: list[tuple[World, Base]] = []  # each with the world that was asked for
        self._loads = 0

    def load(self, world: World) -> Base:
        """The world's base, loaded once per engine.

        A file that was made from other rows of a world of that name goes on with its own (`Former`). Raises
        `WorldMismatch` when it was made from another world.
        """
        for asked, base in self._bases:
            if asked is world or asked.digest == world.digest:
                return base
        with self._filed():
            there = world if self.path is None else self._claimed(self.path, world)
            base = Base(self, there, f"w{self._loads}")
        self._loads += 1  # a file has one world, and so always "w0"
        self._bases.append((world, base))
        return base

    def forget(self, base: Base) -> None:
        """Give back what a world's base holds, once all layers over it are closed; it can be loaded again.

        Raises `StateError` where a file has it, which keeps its world.
        """
        if self.path is not None:
            raise StateError(f"{self.path} keeps its world")
        self._bases = [pair for pair in self._bases if pair[1] is not base]
        shelves = base.shelves
        for shelf in shelves:
            self._retired.pop(shelf.delta_name, None)
        for schema in dict.fromkeys(schema for shelf in shelves for schema in shelf.schemas):
            self.connection.execute(f'DROP SCHEMA memory."{schema}" CASCADE')

    def layer(self, base: Base, setup: Iterable[Edit] = (), apps: Iterable[Tables] = ()) -> Layer:
        """A new sandbox state over `base`, with `setup` applied as its starting point.

        `apps` are those that `setup` names. Raises `StateError` for a step that does not fit.
        """
        layer = Layer(base)
        if setup := tuple(setup):
            layer._apply(setup, {app.name: app for app in apps})
        return layer

    def resume(self, base: Base, apps: Iterable[Tables], setup: Iterable[Edit] = ()) -> Layer:
        """The one layer that a state file keeps, as it was at its last commit; a new one in a new file.

        A new file starts with `setup` applied, and remembers that start. Give the same setup, or
        none, when opening it again; another one raises `StateError`.
        """
        apps, setup = tuple(apps), tuple(setup)
        if self.path is None:
            return self.layer(base, setup, apps)
        if self._in_use:
            raise StateError(f"{self.path} is in use already, by this process.")
        with self._filed():
            layer = self._resumed(base, apps, setup)
        layer._kept = self._in_use = True
        return layer

    def _resumed(self, base: Base, apps: tuple[Tables, ...], setup: tuple[Edit, ...]) -> Layer:
        for app in apps:
            for table in app.tables:
                base.shelf(app, table)
        with self.atomic():  # once all fit: a version that is refused leaves the file to the one before
            for shelf in base.shelves:
                shelf.grow()
        wanted = hashlib.sha256(canonical([edit.model_dump(mode="json") for edit in setup])).hexdigest()
        held = self._noted("setup")
        if held is None:
            layer = self.layer(base, setup, apps)
            with self.atomic():
                for number, source in ((LIVE, layer), (START, layer.start)):
                    for shelf, touched in source._touched.items() if source else ():
                        shelf.write(shelf.kept, number, touched.rows)
                self._note("setup", wanted)
                self._note("started", "yes" if setup else "no")
                self._note("now", layer.now.isoformat())
        elif setup and held != wanted:
            raise StateError(
                f"{self.path} was started from another task. Give another folder with --state, or remove that file."
            )
        else:
            start = self._recalled(base, apps, START) if self._noted("started") == "yes" else None
            layer = self._recalled(base, apps, LIVE, start)
            layer.now = datetime.fromisoformat(self._noted("now") or base.world.now.isoformat())
            layer.came = tuple(map(Came.model_validate, json.loads(self._noted("came") or "[]")))
        return layer

    def _claimed(self, path: Path, world: World) -> World:
        """The world that the file is of, which is noted in a new one."""
        name = f"{world.name}{world.days:+}d" if world.days else world.name
        held, wanted = self._noted("world"), f"{name}@{world.digest[:12]}"
        if held is None:
            self._note("digest", world.digest)
            self._note("owner", world.owner.model_dump_json() if world.owner else "")
            self._note("began", world.now.isoformat())
            self._note("world", wanted)
        if held in (None, wanted):
            return world
        if held.rpartition("@")[0] != name:
            raise WorldMismatch(path, held, wanted)
        owner, began = self._noted("owner"), self._noted("began")
        return Former(
            world.name,
            datetime.fromisoformat(began) if began else world.now,
            {},
            world.days,
            world.owner if owner is None else Owner.model_validate_json(owner) if owner else None,
            held=self._noted("digest") or held.rpartition("@")[2],
        )

    def _recalled(self, base: Base, apps: Iterable[Tables], number: int, start: Layer | None = None) -> Layer:
        layer = Layer(base, start)
        for app in apps:
            for table in app.tables:
                layer._recall(base.shelf(app, table), number)
        return layer
