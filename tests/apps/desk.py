"""One sandbox over a few rows, with tools called by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from servers.kernel import App, Engine, Failure, Layer, Owner, World

__all__ = ("NOW", "Desk", "desk")

NOW = datetime(2023, 11, 30, 8, 15)


class Desk:
    """Calls the tools of an app's `workbench` toolset; a failure is raised."""

    def __init__(self, app: App, layer: Layer) -> None:
        self.app, self.layer = app, layer

    def __call__(self, tool: str, **arguments: Any) -> Any:
        """What the tool returns, as JSON values."""
        data = self.app.toolset("workbench").tool(tool).call(self.layer.state(self.app), arguments).data
        return data.get("result", data)

    def refusal(self, tool: str, **arguments: Any) -> str:
        """The text of the failure that the call must end in; nothing may have changed."""
        before = self.layer.digest()
        try:
            self(tool, **arguments)
        except Failure as failure:
            assert self.layer.digest() == before
            return str(failure)
        raise AssertionError(f"{tool}({arguments}) did not fail")


@contextmanager
def desk(app: App, rows: Mapping[str, Sequence[Mapping[str, Any]]], *, owner: Owner | None = None) -> Iterator[Desk]:
    """A sandbox of its own over those rows, by table."""
    engine = Engine()
    layer = engine.layer(engine.load(World("desk", NOW, {app.name: rows}, owner=owner)))
    yield Desk(app, layer)
    layer.close()
    engine.close()
