"""What a fenced program is shown of this machine's files besides a system's own, all of it read-only.

Links do not get around it. What is shown is mounted from its real path, and what holds answers is told by its real path
and left empty at every path that leads to it. Hard links and copies cannot be told.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import platformdirs

from harness.core.config import CommandConfig, ConfigProblem
from harness.core.distribution import DISTRIBUTION, PACKAGES

__all__ = ("SYSTEM", "Mount", "check", "hidden", "mounts", "shown")

SYSTEM = (
    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
    "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/local",
)  # fmt: skip
"""Where a system keeps programs and libraries, in a container those of its image."""

_ALSO = ("tests", ".git", "runs", "build", "dist")
"""What a checkout holds besides the packages: keys, history, records, and copies of all."""


class Mount(NamedTuple):
    """A file or folder of this machine, by its real path, and where the program sees it."""

    source: str
    at: str


def check(config: CommandConfig) -> None:
    """Raises `ConfigProblem` for a path in `readable` that is not there, and for any that shows what it must not."""
    for path in config.readable:
        if not os.path.exists(path):
            raise ConfigProblem(f"agent {config.name}: readable names {path}, which is not there")
    answers = dict.fromkeys(map(os.path.realpath, _answers()))
    for path in shown(config):
        real = os.path.realpath(path)
        whose = "readable names" if path in config.readable else "its command needs"
        which = f"agent {config.name}: {whose} {path}, which {'' if real == path else f'leads to {real} and '}"
        if _within("/proc", real) or _within(real, "/proc"):
            raise ConfigProblem(f"{which}shows all processes of this machine: name the folders that the agent needs")
        for answer in answers:
            if _within(real, answer):
                raise ConfigProblem(
                    f"{which}{'is' if real == answer else 'lies in'} {answer}. That holds answers to tasks, or shows "
                    "how to work them out: leave it out, and keep what the agent needs in another folder"
                )


def shown(config: CommandConfig) -> list[str]:
    """Paths to show: those in `readable`, the files that are arguments, and the interpreter behind `{python}`.

    The program itself is not: most need more of their installation than one file, and would start and then fail.
    """
    found = []
    if any("{python}" in part for part in config.command):
        # A system's own Python has /usr for its prefix, of which SYSTEM is all that a program needs.
        found += [path for path in (sys.prefix, sys.base_prefix) if not any(_within(each, path) for each in SYSTEM)]
    found += [part for part in config.command[1:] if os.path.isabs(part) and os.path.isfile(part)]
    return [*config.readable, *(path for path in found if not any(_within(path, folder) for folder in SYSTEM))]


def mounts(paths: Iterable[str]) -> list[Mount]:
    """What to mount so that each path is there.

    A path inside of another that is mounted needs no mount, unless a link leads out: then what it leads to gets one.
    """
    found: list[Mount] = []
    for path in sorted(dict.fromkeys(paths), key=lambda path: len(Path(path).parts)):
        real = os.path.realpath(path)
        if not any(_within(path, mount.at) for mount in found):
            found.append(Mount(real, path))
        elif not any(_shows(mount, at, real) for mount in found for at in (path, real)):
            found.append(Mount(real, real))
    return found


def hidden(mounts: Sequence[Mount]) -> list[Mount]:
    """Where in those mounts there are answers to tasks, or the means to work them out; no place lies in another."""
    places: dict[str, Mount] = {}
    for answer in map(os.path.realpath, _answers()):
        for source, at in mounts:
            if _within(answer, source):
                place = os.path.normpath(os.path.join(at, os.path.relpath(answer, source)))
                places[place] = Mount(answer, place)
            elif _within(source, answer):
                places[at] = Mount(source, at)
    return [each for at, each in places.items() if not any(_within(at, other) for other in places if other != at)]


def _answers() -> Iterator[Path]:
    """Files and folders that are there and no program may read; their paths may lead through links."""
    places = [platformdirs.user_data_path(DISTRIBUTION), Path("runs"), *_checked_out()]
    if given := os.environ.get("HARNESS_DATA"):
        places.append(Path(given))
    for home in {Path(__file__).parents[2], *map(Path, sys.path)}:
        if (home / "harness" / "isolation").is_dir():  # this project, maybe installed a second time
            places += [home / name for name in PACKAGES]
    places += _suites()
    return (place for place in places if os.path.exists(place))


@cache
def _suites() -> tuple[Path, ...]:
    """Packages and modules of installed suites."""
    names = {point.module.partition(".")[0] for point in entry_points(group="workplace_harness.suites")}
    specs = filter(None, map(find_spec, sorted(names)))
    return tuple(
        Path(place) for spec in specs for place in spec.submodule_search_locations or filter(None, [spec.origin])
    )


def _checked_out() -> Iterator[Path]:
    """Where this is a checkout: its repository, and what no program may read in any working tree of that."""
    ours = Path(__file__).resolve().parents[2]
    if not (ours / "pyproject.toml").is_file():
        return
    trees = [ours]
    git = next((folder / ".git" for folder in (ours, *ours.parents) if (folder / ".git").exists()), None)
    if git is not None:
        if git.is_file():
            git = git.parent / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
            shared = git / "commondir"
            git = (git / shared.read_text(encoding="utf-8").strip()).resolve() if shared.is_file() else git
        trees.append(git.parent)
        trees += (Path(file.read_text(encoding="utf-8").strip()).parent for file in git.glob("worktrees/*/gitdir"))
        yield git
    for tree in trees:
        yield from (tree / name for name in (*PACKAGES, *_ALSO))


def _shows(mount: Mount, at: str, real: str) -> bool:
    """Whether a path is what it is outside, without a link on the way."""
    return _within(at, mount.at) and os.path.normpath(f"{mount.source}/{os.path.relpath(at, mount.at)}") == real


def _within(path: str, folder: str) -> bool:
    """Both absolute and without dots."""
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
