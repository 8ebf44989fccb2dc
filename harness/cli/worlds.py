"""Starting rows by name, and what changes in them before the start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.suite import Suite
    from servers.kernel import Edit, World

__all__ = ("DEFAULT", "edits_in", "world_named")

DEFAULT = "workbench-synth"
"""The suite whose world is used unless another is named: it ships with the package."""


def world_named(name: str, load: Callable[[str], Suite] | None = None) -> World:
    """The world of a suite, `SUITE` or `SUITE:WORLD`, or of a folder with a `world.json`.

    `load` finds suites, where somebody keeps them. Raises `SuiteError`.
    """
    from harness.cli import wiring
    from harness.suite import SuiteError
    from servers.kernel import World

    if (Path(name) / "world.json").exists():
        return World.read(Path(name))
    suite_name, _, world = name.partition(":")
    if "/" in name or suite_name not in wiring.catalog().suites:
        raise SuiteError(f"world {name}: neither a folder with a world.json nor a suite; see `harness list suites`")
    opening = wiring.catalog().suites[suite_name].world
    if opening and not world:
        return opening()
    suite = (load or wiring.suite)(suite_name)
    worlds = list(dict.fromkeys(task.world for task in suite.tasks))
    if world and world not in worlds:
        raise SuiteError(f"world {name}: suite {suite_name} has no world {world!r}; it has {', '.join(worlds)}")
    return suite.load_world(world or worlds[0])


def edits_in(path: Path | None) -> list[Edit]:
    """The changes to make before the first call, as a file lists them. Raises `CallProblem`."""
    if path is None:
        return []
    from pydantic import TypeAdapter, ValidationError

    from harness.cli.problems import CallProblem
    from servers.kernel import Edit

    try:
        return TypeAdapter(list[Edit]).validate_json(path.read_bytes())
    except OSError as error:
        raise CallProblem(f"--setup {path} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(map(str, problem["loc"])) or "file"
        raise CallProblem(
            f"--setup {path}: {where}: {problem['msg']}; it is a list of op, app, table, id, values"
        ) from None
