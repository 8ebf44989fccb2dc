"""One sandbox over a few rows, with tools called by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any, TypeVar, overload

from servers.kernel import App, Engine, Failure, Layer, Owner, World

__all__ = ("NOW", "Desk", "desk")

NOW = datetime(2023, 11, 30, 8, 15)


class Desk:
    """Calls the tools of one toolset of an app; a failure is raised."""

    toolset = "workbench"

    def __init__(self, app: App, layer: Layer) -> None:
        self.app, self.layer = app, layer

    def __call__(self, tool: str, **arguments: Any) -> Any:
        """What the tool returns, as JSON values."""
        data = self.app.toolsets[self.toolset].tool(tool).call(self.layer.state(self.app), arguments).data
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


D = TypeVar("D", bound=Desk)
Rows = Mapping[str, Sequence[Mapping[str, Any]]]


@overload
def desk(app: App, rows: Rows, *, owner: Owner | None = None) -> AbstractContextManager[Desk]: ...
@overload
def desk(app: App, rows: Rows, *, owner: Owner | None = None, kind: type[D]) -> AbstractContextManager[D]: ...
@contextmanager
def desk(app: App, rows: Rows, *, owner: Owner | None = None, kind: type[Any] = Desk) -> Iterator[Any]:
    """A sandbox of its own over those rows, by table."""
    engine = Engine()
    layer = engine.layer(engine.load(World("desk", NOW, {app.name: rows}, owner=owner)))
    yield kind(app, layer)
    layer.close()
    engine.close()
