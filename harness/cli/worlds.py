"""Starting rows by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.suite import Suite
    from servers.kernel import World

__all__ = ("DEFAULT", "world_named")

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
    return suite.world(world or worlds[0])
