"""What calls come to, each made only once in every state that its app can be in.

An app sees its own rows, the time and the arguments, and nothing of other apps. So a call comes to what it came to
before, unless a call that wrote has been added, left out or changed among those that its app had before it. The
mutants of a long solution are alike but for one call: most of what they do has been done.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from harness.core.trajectory import CallRecord
from harness.serving.sandbox import Sandbox
from servers.kernel import Change, Layer, Toolset

__all__ = ("Place", "Steps")

Place = dict[str, int]
"""In which state each app is: 0, or left out, as it starts."""


class Steps:
    """Calls that have been made from one start, and the states that they left.

    `start` is left alone. Nothing arrives, the time stands still, and nobody answers questions.
    """

    def __init__(self, start: Layer, toolsets: Mapping[str, Toolset]) -> None:
        self._start, self._toolsets = start.fork(), toolsets
        self._known: dict[tuple[str, int, str, str], tuple[CallRecord, int]] = {}
        self._left: dict[int, Layer] = {}
        self._changed: dict[int, list[Change]] = {0: []}
        self._under_way: dict[str, tuple[Sandbox, int]] = {}
        self._numbers = count(1)

    async def make(self, place: Place, app: str, tool: str, arguments: Mapping[str, Any]) -> CallRecord:
        """What a call comes to in a place, which moves on where it wrote. The record is shared: copy it."""
        before = place.get(app, 0)
        call = app, before, tool, json.dumps(arguments)
        if call not in self._known:
            sandbox = self._in(app, before)
            record = await sandbox.call(app, tool, arguments)
            after = before
            if record.writes:
                after = next(self._numbers)
                self._left[after] = sandbox.layer.fork()
                self._changed[after] = sandbox.layer.changes()
            self._under_way[app] = sandbox, after
            self._known[call] = record, after
        record, place[app] = self._known[call]
        return record

    def changes(self, place: Place) -> list[Change]:
        """What a place differs in from the start, in the order in which a layer tells it."""
        found = (change for state in place.values() for change in self._changed[state])
        return sorted(found, key=lambda change: (change.app, change.table, change.id))

    def close(self) -> None:
        under_way: Iterable[Layer] = (sandbox.layer for sandbox, _ in self._under_way.values())
        for layer in (*under_way, *self._left.values(), self._start):
            layer.close()

    def _in(self, app: str, state: int) -> Sandbox:
        """The app's sandbox in a state: each has one, since another app's calls would only be in the way."""
        held = self._left.get(state, self._start)
        if app not in self._under_way:
            self._under_way[app] = Sandbox(held.fork(), self._toolsets), state
        sandbox, now = self._under_way[app]
        if now != state:
            sandbox.layer.restore(held)
        return sandbox
