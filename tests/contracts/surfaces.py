"""The wire surface of every app, recorded for review: `python -m tests.contracts.surfaces` writes it anew.

A change to a name, a description or a schema changes what models read, so it shows as a diff of these files.
"""

from __future__ import annotations

from pathlib import Path

from harness.scaffold.surface import surface
from servers import catalog

__all__ = ("FOLDER",)

FOLDER = Path(__file__).parent / "surfaces"


def _write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for name in catalog.folders():
        (FOLDER / f"{name}.json").write_text(surface(catalog.app(name)), encoding="utf-8")


if __name__ == "__main__":
    _write()
