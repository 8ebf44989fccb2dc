"""What a fenced program is shown of this machine's files besides a system's own, all of it read-only."""

from __future__ import annotations

import os
import sys
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import platformdirs

from harness.config import CommandConfig, ConfigProblem

__all__ = ("SYSTEM", "check", "hidden", "shown")

SYSTEM = (
    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
    "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/local",
)  # fmt: skip
"""Where a system keeps programs and libraries, in a container those of its image."""


def check(config: CommandConfig) -> None:
    """Raises `ConfigProblem` for a path in `readable` that is not there."""
    for path in config.readable:
        if not os.path.exists(path):
            raise ConfigProblem(f"agent {config.name}: readable names {path}, which is not there")


def shown(config: CommandConfig) -> list[str]:
    """Paths to show: those in `readable`, the files that are arguments, and the interpreter behind `{python}`.

    The program itself is not: most need more of their installation than one file, and would start and then fail.
    """
    found = []
    if any("{python}" in part for part in config.command):
        found += [sys.prefix, sys.base_prefix]
    found += [part for part in config.command[1:] if os.path.isabs(part) and os.path.isfile(part)]
    more = [path for n, path in enumerate(found) if not _below(path, [*SYSTEM, *config.readable, *found[:n]])]
    return [*config.readable, *more]


def hidden(paths: list[str]) -> list[str]:
    """Folders below those paths that stay empty: with answers to tasks, or the means to work them out."""
    ours = Path(__file__).parents[2]
    answers = [ours / name for name in ("harness", "servers", "benchmarks", "userssim")]
    for point in entry_points(group="workplace_harness.suites"):
        spec = find_spec(point.module.partition(".")[0])
        answers += map(Path, (spec and spec.submodule_search_locations) or ())
    given = os.environ.get("HARNESS_DATA")
    answers.append(Path(given).absolute() if given else platformdirs.user_data_path("workplace-harness"))
    real = [os.path.realpath(path) for path in paths]
    return [str(each) for each in answers if each.is_dir() and _below(os.path.realpath(each), [*paths, *real])]


def _below(path: str, folders: list[str]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)
