"""A sandbox with a few files, and its tools by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from servers.filesystem import Entry, app
from servers.kernel import Base, Engine, Layer, World
from tests.apps.desk import NOW, Desk, desk

__all__ = ("NOTES", "PLAN", "Files", "files")

NOTES = "one\ntwo\nthree\nfour\nfive\n"
PLAN = "# Plan\n\nstart:\n    call Mei\n    book a room\nend\n"
ROWS: Mapping[str, Mapping[str, Any]] = {
    "notes.txt": {"text": NOTES},
    "docs": {"kind": "directory"},
    "docs/plan.md": {"text": PLAN},
    "docs/logo.png": {"data": "iVBORw0KGgo="},
    "docs/old": {"kind": "directory"},
    "docs/old/plan.md": {"text": "Old.\n"},
    "docs2": {"kind": "directory"},
}


class Files(Desk):
    """Calls the tools of `filesystem`."""

    toolset = "default"

    def paths(self) -> list[str]:
        """Every path there is, below the root."""
        return sorted(row.path.removeprefix("/workspace/") for row in self.layer.state(app).find(Entry))

    def row(self, path: str) -> Entry:
        return self.layer.state(app).get(Entry, f"/workspace/{path}")


@contextmanager
def files(rows: Mapping[str, Mapping[str, Any]] | None = None) -> Iterator[Files]:
    """A sandbox of its own with those entries, by path below the root; by default `ROWS`, loaded once."""
    if rows is None:
        layer = Layer(_shared())
        yield Files(app, layer)
        layer.close()
    else:
        with desk(app, {"entries": _whole(rows)}, kind=Files) as calls:
            yield calls


@cache
def _shared() -> Base:
    return Engine().load(World("desk", NOW, {app.name: {"entries": _whole(ROWS)}}))


def _whole(rows: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"id": f"/workspace/{path}", "created": "2023-11-01T10:00:00", "modified": "2023-11-02T10:00:00", **values}
        for path, values in rows.items()
    ]
