"""The wire surface of every app, recorded for review: `python -m tests.contracts.surfaces` writes it anew.

A change to a name, a description or a schema changes what models read, so it shows as a diff of these files.
"""

from __future__ import annotations

import json
from pathlib import Path

from servers import catalog
from servers.kernel import App

__all__ = ("FOLDER", "surface")

FOLDER = Path(__file__).parent / "surfaces"


def surface(app: App) -> str:
    """What clients are told about an app, as JSON text."""
    toolsets = {
        toolset.name: {
            tool.name: {
                "kind": tool.kind,
                "destructive": tool.destructive,
                "idempotent": tool.idempotent,
                "description": tool.description.splitlines(),
                "input": tool.input_schema,
                "output": tool.output_schema,
            }
            for tool in toolset.tools.values()
        }
        for toolset in app.toolsets.values()
    }
    body = {"instructions": app.instructions, "toolsets": toolsets}
    return json.dumps(body, indent=2, ensure_ascii=False) + "\n"


def _write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.json"):
        path.unlink()
    for name in catalog.folders():
        (FOLDER / f"{name}.json").write_text(surface(catalog.app(name)), encoding="utf-8")


if __name__ == "__main__":
    _write()
