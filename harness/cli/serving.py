"""`harness serve`: one app on standard input and output, for any MCP client."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from datetime import datetime

    from servers.kernel import Edit, Toolset, World

__all__ = ("serve",)

_WORLD = "workbench-synth"
"""The suite whose world is served unless another is named: it ships with the package."""


def serve(
    app: Annotated[str, typer.Argument(metavar="APP", help="The app to serve; `harness list apps` names them.")],
    state: Annotated[
        Path | None, typer.Option(help="Folder that keeps changes; without it they are forgotten.")
    ] = None,
    world: Annotated[
        str, typer.Option(help="Starting rows: a suite, SUITE:WORLD, or a folder with a world.json.")
    ] = _WORLD,
    toolset: Annotated[str | None, typer.Option(help="Tool surface; by default the app's own.")] = None,
    now: Annotated[str, typer.Option(help="The time there: world, real, or as 2025-03-13T09:00.")] = "world",
    pictures: Annotated[bool, typer.Option(help="Send what tools draw as images beside the text.")] = True,
    setup: Annotated[Path | None, typer.Option(hidden=True)] = None,
    record: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> None:
    """Serve one app over stdio until the client goes."""
    from harness.standalone import serve_app

    serve_app(
        _toolset(app, toolset), _world(world), state=state, setup=_setup(setup), now=_time(now), record=record,
        pictures=pictures,
    )  # fmt: skip


def _toolset(app: str, name: str | None) -> Toolset:
    from harness.cli.problems import CallProblem
    from harness.config_file import near
    from servers import catalog

    found = catalog.app(app)
    if name is None:
        return found.default
    if name not in found.toolsets:
        raise CallProblem(
            f"{app} has no toolset {name!r}.{near(name, found.toolsets)} Known: {', '.join(found.toolsets)}."
        )
    return found.toolsets[name]


def _world(name: str) -> World:
    from harness.cli import wiring
    from harness.cli.problems import CallProblem
    from servers.kernel import World

    if (Path(name) / "world.json").exists():
        return World.read(Path(name))
    suite_name, _, world = name.partition(":")
    if "/" in name or suite_name not in wiring.catalog().suites:
        raise CallProblem(f"--world {name}: neither a folder with a world.json nor a suite; see `harness list suites`")
    opening = wiring.catalog().suites[suite_name].world
    if opening and not world:
        return opening()
    suite = wiring.suite(suite_name)
    worlds = list(dict.fromkeys(task.world for task in suite.tasks))
    if world and world not in worlds:
        raise CallProblem(f"--world {name}: suite {suite_name} has no world {world!r}; it has {', '.join(worlds)}")
    return suite.world(world or worlds[0])


def _time(text: str) -> datetime | None:
    from datetime import datetime

    from harness.cli.problems import CallProblem

    if text == "world":
        return None
    if text == "real":
        return datetime.now().replace(microsecond=0)
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise CallProblem(f"--now {text}: write world, real, or a time such as 2025-03-13T09:00") from None


def _setup(path: Path | None) -> list[Edit]:
    """Changes to make before the first call; how the stdio transport of a run starts a task."""
    from pydantic import TypeAdapter

    from servers.kernel import Edit

    return [] if path is None else TypeAdapter(list[Edit]).validate_json(path.read_bytes())
