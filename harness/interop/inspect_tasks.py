"""What `inspect eval workplace/SUITE` finds: a task for each suite, and `workplace/suite` for one in a folder.

The entry point of the group `inspect_ai` leads here. Inspect finds tasks by importing what registers them, so importing
this does so, where Inspect is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

__all__ = ("NAME",)

NAME = "workplace"
"""What stands before the slash; the name of the entry point."""


def _register() -> None:
    from inspect_ai import task

    from harness.wiring import catalog

    for name, entry in catalog().suites.items():
        task(name=f"{NAME}/{name}")(_task(name, entry.description))
    task(name=f"{NAME}/suite")(_folder())


def _task(suite: str, about: str) -> Callable[..., Any]:
    def made(
        prompt: str = "original", ask: str = "off", limit: int | None = None, sample: int | None = None, seed: int = 0
    ) -> Any:
        from harness.interop.inspect_play import suite_task

        return suite_task(suite, prompt=prompt, ask=ask, limit=limit, sample=sample, seed=seed)  # type: ignore[arg-type]

    return _ours(made, suite, about)


def _folder() -> Callable[..., Any]:
    def made(
        path: str,
        prompt: str = "original",
        ask: str = "off",
        limit: int | None = None,
        sample: int | None = None,
        seed: int = 0,
    ) -> Any:
        from harness.interop.inspect_play import suite_task

        return suite_task(path, prompt=prompt, ask=ask, limit=limit, sample=sample, seed=seed)  # type: ignore[arg-type]

    return _ours(made, "suite", "The suite in a folder that `harness build` or `harness import` made.")


def _ours(function: Callable[..., Any], name: str, about: str) -> Callable[..., Any]:
    """Named as Inspect shall know it: else it puts the name of our module before, but only where we are a wheel."""
    function.__name__, function.__doc__, function.__module__ = name, about, NAME
    return function


if find_spec("inspect_ai"):
    _register()
