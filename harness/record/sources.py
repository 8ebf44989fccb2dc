"""What decides a run beside its config and its suite's tasks: the files of programs, and the code of plug-ins.

What ships with the harness is not among it: that has a version, which is part of a run's identity.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from functools import cache, partial
from importlib.metadata import entry_points, packages_distributions, version
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.core.config import CommandConfig, RunConfig
from harness.core.distribution import PACKAGES
from harness.core.suite import Settling
from servers import catalog

if TYPE_CHECKING:
    from harness.core.suite import Suite

__all__ = ("sources",)


def sources(config: RunConfig, suite: Suite) -> dict[str, str]:
    """What decides a run and is neither config nor task: by absolute path or name of a package.

    Of a file that a command names the SHA-256 of its contents. Of the package that a plug-in's app, user, world, check
    or program comes from that of its Python files, or its version where it has none.
    """
    files = (part for agent in config.agents if isinstance(agent, CommandConfig) for part in agent.command)
    found = {part: digest for part in files if os.path.isabs(part) and (digest := _contents(part))}
    for module in {*_modules(_functions(suite)), *_of_apps(config, suite), *_of_users(config)}:
        found.update(_package(module))
    return dict(sorted(found.items()))


def _contents(path: str) -> str:
    if not os.path.isfile(path):  # a folder, or a pipe, which would wait for whoever writes to it
        return ""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""  # a file that only the program may read: there is no telling


def _functions(suite: Suite) -> Iterator[Any]:
    """What of a suite decides how trials go and what they score; how tables look is no part of it."""
    yield from (*suite.checks.values(), *suite.programs.values(), suite.world, suite.settled, suite.told)
    yield from (suite.questions, suite.compared, suite.required, suite.solved, suite.whole, suite.hidden)


def _modules(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, partial):
            yield from _modules((value.func, *value.args, *value.keywords.values()))
        elif isinstance(value, Settling):
            yield from _modules((value.func, value.check))
        elif callable(value):
            yield getattr(value, "__module__", None) or type(value).__module__


def _of_apps(config: RunConfig, suite: Suite) -> Iterator[str]:
    used = {app for task in suite.tasks for app in task.apps}
    used |= {condition.ask for condition in config.conditions.values() if condition.ask != "off"}
    if brought := used.difference(catalog.folders()):
        yield from (point.module for point in entry_points(group=catalog.GROUP) if point.name in brought)


def _of_users(config: RunConfig) -> Iterator[str]:
    return (type(condition.user).__module__ for condition in config.conditions.values())


@cache
def _package(module: str) -> dict[str, str]:
    """The outermost package that a module lies in, or the module; once, as the code that runs is read once."""
    top = module.partition(".")[0]
    if top in PACKAGES or top == "__main__" or top in sys.stdlib_module_names:
        return {}
    for name in accumulate(module.split("."), "{}.{}".format):
        try:
            spec = find_spec(name)
        except (ImportError, ValueError):  # made at run time, or gone
            return {}
        if spec is not None and spec.has_location and spec.origin:
            where = Path(spec.origin).resolve()
            files = sorted(where.parent.rglob("*.py")) if spec.submodule_search_locations else [where]
            own = [(path.relative_to(where.parent).as_posix(), path) for path in files if path.suffix == ".py"]
            if told := [f"{file} {_contents(str(path))}" for file, path in own if "/." not in f"/{file}"]:
                return {name: hashlib.sha256("\n".join(told).encode()).hexdigest()}
            return {name: ", ".join(f"{each} {version(each)}" for each in packages_distributions().get(top, ()))}
    return {}
