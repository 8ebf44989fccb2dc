"""A sandbox with a terminal, in which scripts are run and changes looked at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from servers.kernel import Engine, Failure, Layer, World
from servers.terminal import app

__all__ = ("HOME", "NOW", "ROWS", "Terminal", "terminal")

NOW = datetime(2024, 3, 11, 9, 30)
HOME = "/workspace"

ROWS: Sequence[Mapping[str, Any]] = (
    {"id": f"{HOME}/notes.txt", "content": "Call Mei (again)\nBook a room\n"},
    {"id": f"{HOME}/docs", "kind": "directory"},
    {"id": f"{HOME}/docs/plan v2.csv", "content": "room,seats\nhall,40\n", "mode": "600"},
    {"id": f"{HOME}/docs/logo.png", "data": "iVBORw0KGgo="},
    {"id": f"{HOME}/latest", "kind": "link", "content": "docs/plan v2.csv"},
)


class Terminal(NamedTuple):
    """One sandbox."""

    layer: Layer

    def __call__(self, script: str) -> str:
        """What `run_shell` answers; a failure is raised."""
        return app.default.tool("run_shell").call(self.layer.state(app), {"script": script}).text

    def refusal(self, script: str) -> str:
        """The text of the failure that the script must end in; nothing may have changed."""
        before = self.layer.digest()
        try:
            said = self(script)
        except Failure as failure:
            assert self.layer.digest() == before
            return str(failure)
        raise AssertionError(f"{script!r} did not fail: {said}")

    def changes(self) -> dict[str, dict[str, Any] | None]:
        """Path -> fields that differ from the start, None where it is gone."""
        return {change.id: None if change.after is None else change.fields for change in self.layer.changes()}


@contextmanager
def terminal(rows: Sequence[Mapping[str, Any]] = ROWS, now: datetime = NOW) -> Iterator[Terminal]:
    """A sandbox of its own over those nodes."""
    engine = Engine()
    layer = engine.layer(engine.load(World("desk", now, {"terminal": {"nodes": rows}})))
    yield Terminal(layer)
    layer.close()
    engine.close()
