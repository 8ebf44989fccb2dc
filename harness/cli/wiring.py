"""The composition root: the only place that knows benchmarks, users and agents at once.

The folder is the registry: `benchmarks/<name>/__init__.py` exposes `suites`. Installed packages add
theirs through the entry-point group `workplace_harness.suites`.
"""

from __future__ import annotations

import importlib
import pkgutil
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.config_file import near
from harness.suite import Suite, SuiteEntry, SuiteError

if TYPE_CHECKING:
    from harness.agents.desk import Agent
    from harness.config import AgentConfig, UserConfig
    from harness.run import Wiring
    from harness.task import Brief, Task
    from servers.kernel import User

__all__ = ("GROUP", "Catalog", "agent", "catalog", "suite", "user", "wiring")

GROUP = "workplace_harness.suites"
"""Entry points of this group name a tuple of `SuiteEntry`."""


class Catalog(NamedTuple):
    """Every suite on offer by name, and one message for each folder or plugin that could not be read."""

    suites: dict[str, SuiteEntry]
    broken: list[str]


def catalog() -> Catalog:
    """Look through benchmark folders and plugins; a broken one is reported and hides no other."""
    found = Catalog({}, [])
    origin: dict[str, str] = {}
    for where, read in _sources():
        try:
            entries = tuple(read())
        except Exception as error:  # noqa: BLE001 (whatever a folder raises must not take the others down)
            found.broken.append(f"{where} cannot be imported: {_cause(error)}")
            continue
        for entry in entries:
            if entry.name in origin:
                found.broken.append(f"{where} offers suite {entry.name!r}, which {origin[entry.name]} offers too")
            else:
                origin[entry.name] = where
                found.suites[entry.name] = entry
    return found


def suite(name: str) -> Suite:
    """Load a suite. Raises `SuiteError` with close matches, or with what is broken or missing."""
    found = catalog()
    if name not in found.suites:
        broken = "".join(f"\n{problem}" for problem in found.broken)
        raise SuiteError(
            f"no suite is named {name!r}.{near(name, found.suites)} "
            f"Known: {', '.join(sorted(found.suites)) or 'none'}; see `harness list suites`.{broken}"
        )
    try:
        return found.suites[name].load()
    except SuiteError:
        raise
    except Exception as error:
        raise SuiteError(f"suite {name!r} cannot be loaded: {_cause(error)}") from error


def _sources() -> Iterator[tuple[str, Callable[[], Any]]]:
    import benchmarks

    for module in sorted(pkgutil.iter_modules(benchmarks.__path__)):
        if module.ispkg:
            yield f"benchmarks/{module.name}", partial(_folder, f"benchmarks.{module.name}")
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield f"plugin {point.name!r} ({point.value})", point.load


def _folder(module: str) -> tuple[SuiteEntry, ...]:
    """A folder's suites; a folder without `suites` (shared code) offers none."""
    suites: tuple[SuiteEntry, ...] = getattr(importlib.import_module(module), "suites", ())
    return suites


def _cause(error: Exception) -> str:
    """The exception in one line, with the place that raised it."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} ({error.filename}:{error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if not frame.filename.startswith("<")]
    at = f" ({ours[-1].filename}:{ours[-1].lineno})" if ours else ""
    return f"{type(error).__name__}: {error}{at}"
