"""What `inspect eval workplace/SUITE` finds: a task for each suite, and `workplace/suite` for one in a folder.

The entry point of the group `inspect_ai` leads here. Inspect finds tasks by importing what registers them, so importing
this does so, where Inspect is installed.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from inspect import Signature
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
    from harness.interop.inspect_options import Options, in_a_line, signature

    def made(**given: Any) -> Any:
        from harness.interop.inspect_play import suite_task

        with in_a_line():
            return suite_task(suite, **given)

    return _ours(made, suite, about, signature(Options))


def _folder() -> Callable[..., Any]:
    from harness.interop.inspect_options import FolderOptions, chosen, in_a_line, signature

    def made(**given: Any) -> Any:
        from harness.interop.inspect_play import suite_task

        with in_a_line():
            chosen(FolderOptions, given)
            return suite_task(given.pop("path"), **given)

    about = "The suite in a folder that `harness build` or `harness import` made."
    return _ours(made, "suite", about, signature(FolderOptions))


def _ours(function: Any, name: str, about: str, options: Signature) -> Callable[..., Any]:
    """Named as Inspect shall know it: else it puts the name of our module before, but only where we are a wheel."""
    function.__name__, function.__doc__, function.__module__ = name, about, NAME
    function.__signature__ = options
    found: Callable[..., Any] = function
    return found


if find_spec("inspect_ai"):
    _register()
