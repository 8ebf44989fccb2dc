"""Which suites are on offer, and how one of them is loaded.

The folder is the registry: `benchmarks/<name>/__init__.py` exposes `suites`. Installed packages add
theirs through the entry-point group `workplace_harness.suites`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from harness.core.raised import place, raised
from harness.core.suite import Suite, SuiteEntry, SuiteError

if TYPE_CHECKING:
    from servers.kernel import World

__all__ = ("DEFAULT", "FORMER", "GROUP", "Catalog", "Command", "catalog", "suite", "suite_on_offer", "world_named")

GROUP = "workplace_harness.suites"
"""Entry points of this group name a tuple of `SuiteEntry`."""

DEFAULT = "office"
"""The suite whose world a person is served unless another is named.

With the next the only benchmarks that the harness names: both ship with the package, and what is served first has to
be something.
"""

FORMER = "workbench-synth"
"""What state folders began with before they noted it, and what programs are given unless they name a world: what they
find there must not change with what people are served.
"""


class Command(NamedTuple):
    """What `harness VERB NAME` runs: a benchmark's "module:function", and the folder or plugin that declares it."""

    verb: str
    name: str
    target: str
    where: str

    def __str__(self) -> str:
        return f"{self.where} declares `harness {self.verb} {self.name}` as {self.target!r}"

    def function(self) -> Callable[..., object]:
        """Raises `SuiteError` where it cannot be had."""
        module, _, name = self.target.partition(":")
        if not module:
            raise SuiteError(f'{self}, and a command is written "module:function"')
        try:
            found = getattr(importlib.import_module(module), name, None)
        except Exception as error:
            raise SuiteError(f"{self}, and {module!r} cannot be imported: {raised(error)}") from error
        if not callable(found):
            raise SuiteError(f"{self}, and {module!r} has no function {name!r}")
        given: Callable[..., object] = found
        return given


class Catalog(NamedTuple):
    """Every suite on offer by name, one message for each folder or plugin that could not be read, and their commands.

    `commands[verb][name]` is what `harness VERB NAME` runs, `opens[name]` gives the suite in a folder that was made
    so; the name is the folder's or the plugin's, of a command the one behind its verb if there is one.
    """

    suites: dict[str, SuiteEntry]
    broken: list[str]
    commands: dict[str, dict[str, Command]]
    opens: dict[str, Callable[[Path], Suite]]


def catalog() -> Catalog:
    """Look through benchmark folders and plugins; a broken one is reported and hides no other."""
    found = Catalog({}, [], {}, {})
    origin: dict[str, str] = {}
    for where, read in _sources():
        try:
            entries = tuple(read())
        except Exception as error:  # noqa: BLE001 (whatever a folder raises must not take the others down)
            found.broken.append(f"{where} cannot be imported: {raised(error)}")
            continue
        for entry in entries:
            if entry.name in origin:
                found.broken.append(f"{where} offers suite {entry.name!r}, which {origin[entry.name]} offers too")
            else:
                origin[entry.name] = where
                found.suites[entry.name] = entry
            name = where.rpartition("/")[2]
            if entry.opens is not None:
                found.opens.setdefault(name, entry.opens)
            for words, target in entry.commands.items():
                verb, _, noun = words.partition(" ")
                brought = Command(verb, noun or name, target, where)
                first = found.commands.setdefault(verb, {}).setdefault(noun or name, brought)
                if first.target != target:
                    found.broken.append(f"{brought}, and {first}")
    return found


def suite(name: str, scale: int = 1) -> Suite:
    """Load a suite at a scale: one on offer, or the one in a folder that was built or imported, by its path.

    Raises `SuiteError` with close matches, or with what is broken or missing, and `ConfigProblem` for a scale
    other than 1 where the suite has no other.
    """
    found = catalog()
    if name not in found.suites and _is_suite(name):
        if scale != 1:
            from harness.core.config import ConfigProblem

            raise ConfigProblem(f"scale: suite {name} cannot be scaled: leave out `scale` ({scale}).")
        return _measured(_opened(Path(name), found), name)
    if name not in found.suites:
        raise _unknown(name, found, _no_folder(name))
    entry = found.suites[name]
    if scale != 1 and not entry.scales:
        from harness.core.config import ConfigProblem

        those = ", ".join(sorted(other.name for other in found.suites.values() if other.scales)) or "none"
        raise ConfigProblem(
            f"scale: suite {name} cannot be scaled: leave out `scale` ({scale}). Suites that scale: {those}."
        )
    try:
        return _measured(entry.load(scale=scale) if entry.scales else entry.load(), name, entry.load)
    except SuiteError:
        raise
    except Exception as error:
        raise SuiteError(f"suite {name!r} cannot be loaded: {raised(error, entry.load)}") from error


def suite_on_offer(name: str) -> Suite:
    """Load a suite by its name alone, for whoever is not to open folders here, or learn which there are.

    Raises `SuiteError` as `suite` does.
    """
    found = catalog()
    if name not in found.suites:
        raise _unknown(name, found, " No folder is opened here.")
    return suite(name)


def _unknown(name: str, found: Catalog, besides: str) -> SuiteError:
    from harness.core.near import near
    from servers.kernel import quoted

    broken = "".join(f"\n{problem}" for problem in found.broken)
    return SuiteError(
        f"no suite is named {quoted(name)}.{besides}{near(name, found.suites)} "
        f"Known: {', '.join(sorted(found.suites)) or 'none'}; see `harness list suites`.{broken}"
    )


_SUITE = "suite.json"


def _is_suite(name: str) -> bool:
    return Path(name, _SUITE).is_file()


def _no_folder(name: str) -> str:
    """What is said besides of a name that can only be a path."""
    if "/" not in name and not Path(name).is_dir():
        return ""
    return f" Nor is there a {Path(name, _SUITE)}, as `harness build` and `harness import` leave when they are done."


def _opened(folder: Path, found: Catalog) -> Suite:
    """The suite in a folder. Raises `SuiteError`."""
    import json

    path = folder / _SUITE
    try:
        whose = json.loads(path.read_text(encoding="utf-8")).get("benchmark")
    except (OSError, ValueError, AttributeError) as error:
        raise SuiteError(f"{path} cannot be read: {error}; build or import it again") from None
    opens = found.opens.get(whose) if isinstance(whose, str) else None
    if opens is None:
        broken = "".join(f"\n{problem}" for problem in found.broken)
        known = ", ".join(sorted(found.opens)) or "nobody"
        raise SuiteError(f"{path}: {whose!r} opens no folders; {known} does.{broken}")
    try:
        return opens(folder)
    except SuiteError:
        raise
    except Exception as error:
        raise SuiteError(f"the suite in {folder} cannot be loaded: {raised(error)}") from error


def _measured(suite: Suite, name: str, load: Callable[..., Suite] | None = None) -> Suite:
    """With what reports say of the users who answer for it. Raises `SuiteError` for what is no suite."""
    from userssim.heard import figures

    if not isinstance(suite, Suite):
        where = place(load) if load else ""
        raise SuiteError(f"suite {name!r} cannot be loaded: `load`{where} gives {suite!r:.80}, not a `Suite`")
    return suite if suite.measured else replace(suite, measured=figures())


def world_named(name: str, load: Callable[[str], Suite] | None = None) -> World:
    """The world of a suite, `SUITE` or `SUITE:WORLD`, or of a folder with a `world.json`.

    `load` finds suites, where somebody keeps them. Raises `SuiteError`.
    """
    from servers.kernel import World

    if (Path(name) / "world.json").exists():
        return World.read(Path(name))
    suite_name, _, world = name.partition(":")
    entry = catalog().suites.get(suite_name)
    if entry is None and not _is_suite(suite_name):
        raise SuiteError(f"world {name}: neither a folder with a world.json nor a suite; see `harness list suites`")
    if entry and entry.world and not world:
        return entry.world()
    return (load or suite)(suite_name).world_of(world)


def _sources() -> Iterator[tuple[str, Callable[[], Any]]]:
    found = find_spec("benchmarks")
    folders = found.submodule_search_locations if found else None
    for module in sorted(pkgutil.iter_modules(folders or [])):
        if module.ispkg:
            yield f"benchmarks/{module.name}", partial(_folder, f"benchmarks.{module.name}")
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield f"plugins/{point.name}", point.load


def _folder(module: str) -> tuple[SuiteEntry, ...]:
    """A folder's suites; a folder without `suites` (shared code) offers none."""
    suites: tuple[SuiteEntry, ...] = getattr(importlib.import_module(module), "suites", ())
    return suites
