"""What calls come to, each made only once in every state that its app can be in.

An app sees its own rows, the time and the arguments, and nothing of other apps. So a call comes to what it came to
before, unless a call that wrote has been added, left out or changed among those that its app had before it. The
mutants of a long solution are alike but for one call: most of what they do has been done.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import count
from typing import Any

from harness.audit.ends import Left
from harness.core.trajectory import CallRecord
from harness.serving.sandbox import Sandbox
from servers.kernel import Change, Layer, Toolset, fold

__all__ = ("Place", "Steps", "called")

Place = dict[str, int]
"""In which state each app is: 0, or left out, as it starts."""


class Steps:
    """Calls that have been made from one start, and the states that they left.

    `start` is left alone. Nothing arrives, the time stands still, and nobody answers questions.
    """

    def __init__(self, start: Layer, toolsets: Mapping[str, Toolset]) -> None:
        self._start, self._toolsets = start.fork(), toolsets
        self._begun = start.start.changes() if start.start else []
        self._known: dict[tuple[str, int, str, str], tuple[CallRecord, int]] = {}
        self._states: dict[int, tuple[Layer, list[Change]]] = {0: (self._start, [])}
        self._numbers = count(1)
        self._under_way: dict[str, tuple[Sandbox, int]] = {}
        self._ends: dict[frozenset[int], Left] = {}

    async def make(self, place: Place, app: str, tool: str, arguments: Mapping[str, Any]) -> CallRecord:
        """What a call comes to in a place, which moves on where it wrote. The record is shared, its number anyone's."""
        before = place.get(app, 0)
        call = app, before, tool, json.dumps(arguments)
        if call not in self._known:
            sandbox, after = self._in(app, before), before
            record = await called(sandbox, app, tool, arguments)
            if record.writes:
                after = next(self._numbers)
                self._states[after] = sandbox.layer.fork(), sandbox.layer.changes()
            self._under_way[app] = sandbox, after
            self._known[call] = record, after
        record, place[app] = self._known[call]
        return record

    def left(self, place: Place) -> Left:
        """What whoever is in that place leaves. It is shared."""
        key = frozenset(place.values())
        if key not in self._ends:
            found = [change for state in key for change in self._states[state][1]]
            found.sort(key=lambda change: (change.app, change.table, change.id))  # as a layer tells them
            self._ends[key] = Left(found, fold(self._start.base.world.digest, self._begun, found))
        return self._ends[key]

    def close(self) -> None:
        under_way = (sandbox.layer for sandbox, _ in self._under_way.values())
        for layer in (*under_way, *(layer for layer, _ in self._states.values())):
            layer.close()

    def _in(self, app: str, state: int) -> Sandbox:
        """The app's sandbox in a state: each has one, since another app's calls would only be in the way."""
        held, _ = self._states[state]
        if app not in self._under_way:
            self._under_way[app] = Sandbox(held.fork(), self._toolsets), state
        sandbox, now = self._under_way[app]
        if now != state:
            sandbox.layer.restore(held)
        return sandbox


async def called(sandbox: Sandbox, app: str, tool: str, arguments: Mapping[str, Any]) -> CallRecord:
    """What a call comes to there, also one to an app that is not."""
    if app not in sandbox.toolsets:
        return sandbox.record(app, tool, arguments, "unknown", f"The task does not open the app {app!r}.")
    return await sandbox.call(app, tool, arguments)
