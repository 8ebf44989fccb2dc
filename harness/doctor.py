"""Looks for what keeps an installation from working, and names the remedy."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions, version
from pathlib import Path
from typing import Literal, NamedTuple

import platformdirs

from harness.core.distribution import DISTRIBUTION, PACKAGES

__all__ = ("Finding", "commands", "data_folder", "examine", "packages", "versions")


class Finding(NamedTuple):
    """One thing looked at. `remedy` says what to do when `state` is not `ok`; a `note` may be right as it is."""

    name: str
    state: Literal["ok", "note", "missing", "problem"]
    text: str
    remedy: str = ""


def examine() -> list[Finding]:
    """Every finding of this machine that needs no suite to be loaded."""
    home = Path(__file__).resolve().parents[1]
    return [*versions(), *packages(home, PACKAGES), *commands(os.get_exec_path(), _own_command()), data_folder()]


def versions() -> Iterator[Finding]:
    """Python, what we stand on, and the extras."""
    python = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", "ok", f"{python} ({sys.executable})")
    for name in (DISTRIBUTION, "mcp", "duckdb", "pydantic"):
        try:
            yield Finding(name, "ok", version(name))
        except PackageNotFoundError:
            yield Finding(name, "problem", "not installed", "install this package again: pip install -e .")
    for extra, package, use in (
        ("models", "litellm", "only the llm agent needs it"),
        ("plots", "matplotlib", "only figures of reports and images of plots need it"),
        ("codeact", "pydantic-monty", "only the strategy codeact needs it"),
        ("inspect", "inspect-ai", "only Inspect's own commands need it"),
    ):
        try:
            yield Finding(f"extra {extra}", "ok", f"{package} {version(package)}")
        except PackageNotFoundError:
            remedy = f"{use}: pip install '{DISTRIBUTION}[{extra}]'"
            yield Finding(f"extra {extra}", "missing", f"{package} is not installed", remedy)


def packages(home: Path, names: Iterable[str]) -> Iterator[Finding]:
    """Whether each package resolves to the installation in `home`, whose it is otherwise, and what to do."""
    for name in names:
        spec = importlib.util.find_spec(name)
        found = [Path(place).resolve() for place in (spec.submodule_search_locations or ())] if spec else []
        if found[:1] == [home / name]:
            yield Finding(f"package {name}", "ok", str(found[0]))
            continue
        where = str(found[0]) if found else "nowhere"
        yield Finding(
            f"package {name}", "problem", f"resolves to {where}, not to {home / name}", _remedy(name, found, home)
        )


def _remedy(name: str, found: Sequence[Path], home: Path) -> str:
    owners = [owner for owner in packages_distributions().get(name, ()) if owner != DISTRIBUTION]
    if owners:
        return f"{owners[0]} brings a package of that name: pip uninstall {owners[0]}, or use another environment"
    if found and any(found[0].parent == Path(entry or os.curdir).resolve() for entry in sys.path):
        return f"{found[0].parent} comes first on the import path: leave that folder, or take it out of PYTHONPATH"
    return f"install this package again: pip install -e {home}"


def commands(path: Sequence[str], own: Path | None) -> Iterator[Finding]:
    """Whether the first `harness` on PATH is ours (a product of another vendor has a command of that name)."""
    first = shutil.which("harness", path=os.pathsep.join(path))
    again = f"type `{DISTRIBUTION}` or `python -m harness` instead"
    if own is None:
        remedy = "install this package again: pip install -e ."
        yield Finding("command harness", "problem", "this installation has no console script", remedy)
    elif first is None:
        remedy = f"activate the environment, or add {own.parent} to PATH"
        yield Finding("command harness", "missing", f"{own} is not on PATH", remedy)
    elif Path(first).resolve() != own.resolve():
        remedy = f"{again}, or put {own.parent} first on PATH"
        yield Finding("command harness", "problem", f"{first} precedes {own} on PATH", remedy)
    else:
        yield Finding("command harness", "ok", str(own))


def data_folder() -> Finding:
    """Whether imported suites have a place to be kept."""
    given = os.environ.get("HARNESS_DATA")
    folder = Path(given) if given else platformdirs.user_data_path(DISTRIBUTION)
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if nearest.is_dir() and os.access(nearest, os.W_OK):
        return Finding("data folder", "ok", f"{folder}{'' if folder.exists() else ' (not made yet)'}")
    return Finding(
        "data folder",
        "problem",
        f"{nearest} cannot be written to",
        "set HARNESS_DATA to a folder that can be written to",
    )


def _own_command() -> Path | None:
    """Our console script, wherever the installer put it."""
    try:
        files = distribution(DISTRIBUTION).files or []
    except PackageNotFoundError:
        return None
    for name in ("harness", "harness.exe"):
        for file in files:
            if file.name == name and file.parent.name in ("bin", "Scripts"):
                return Path(os.path.abspath(file.locate()))
    return None
