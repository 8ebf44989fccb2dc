"""One app standing alone: its own process, its own state file, one sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import anyio

from harness.sandbox import Sandbox
from harness.trajectory import CallRecord
from servers.kernel import Edit, Engine, StateError, Toolset, User, World

__all__ = ("serve_app",)


def serve_app(
    toolset: Toolset,
    world: World,
    *,
    state: Path | None = None,
    setup: Sequence[Edit] = (),
    now: datetime | None = None,
    user: User | None = None,
    record: Path | None = None,
    pictures: bool = True,
) -> None:
    """Serve one toolset on standard input and output until the client goes.

    `state` is a folder that keeps the app's rows in `<app>.duckdb`; without it they live in memory.
    `record` gets one JSON line per call, written before the call is answered. `pictures` as in `harness.serve.server`.
    Raises `StateInUse`, `WorldMismatch` or `StateError` before serving.
    """
    from harness.serve import serve_stdio

    app = toolset.app
    if state is not None:
        try:
            state.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StateError(f"--state {state} cannot be a folder: {error.strerror}") from None
    engine = Engine(state / f"{app.name}.duckdb" if state else None)
    try:
        base = engine.load(world)
        layer = engine.resume(base, [app], setup) if state else engine.layer(base, setup, [app])
        if now is not None:
            layer.now = now
        sandbox = Sandbox(layer, {app.name: toolset}, user, _Log(record) if record else None)
        anyio.run(serve_stdio, sandbox, app.name, pictures)
    finally:
        engine.close()


class _Log:
    """Appends records to a file, each flushed before the next step."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.touch()

    def __call__(self, record: CallRecord) -> None:
        with self._path.open("a", encoding="utf-8") as lines:
            lines.write(record.model_dump_json() + "\n")
