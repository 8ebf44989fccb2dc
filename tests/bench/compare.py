"""Figures of this checkout beside those of another: kept in files, taken in turns, told as ratios of medians."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.timing import MORE_IS_BETTER, Figure, written

__all__ = ("Kept", "Line", "compared", "keep", "kept", "read", "take_turns")

ROOT = Path(__file__).parents[2]
WORTH_A_REASON = 1.1


class Kept(NamedTuple):
    """What one figure came to, run by run."""

    unit: str
    values: tuple[float, ...]


Runs = Mapping[str, Kept]
"""`conditions: what` -> what it came to."""


class Line(NamedTuple):
    """One figure here and there: medians, None where a side has none of that name.

    `ratio` is what it costs here over there (the other way round where more is better), of the medians; `low` and
    `high` are the least and the most of the ratios run by run, the first here to the first there.
    """

    name: str
    unit: str
    here: float | None
    there: float | None
    ratio: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def slower(self) -> bool:
        return self.ratio is not None and self.ratio > WORTH_A_REASON

    def __str__(self) -> str:
        here, there = ("-" if value is None else written(value, self.unit) for value in (self.here, self.there))
        if self.ratio is None:
            return f"  {self.name}: {here} here, {there} there"
        mark = "!" if self.slower else " "
        return f"{mark} {self.ratio:5.2f} ({self.low:.2f} to {self.high:.2f})  {self.name}: {here} here, {there} there"


def kept(figures: Iterable[Figure]) -> dict[str, Kept]:
    """One run's figures. Raises ValueError for two of one name."""
    found: dict[str, Kept] = {}
    for figure in figures:
        name = f"{figure.conditions}: {figure.what.strip()}"
        if name in found:
            raise ValueError(f"two figures have the name {name!r}")
        found[name] = Kept(figure.unit, (figure.value,))
    return found


def keep(file: Path, run: Runs) -> None:
    """Add a run to those that the file has."""
    runs = read(file) if file.exists() else {}
    for name, (unit, values) in run.items():
        runs[name] = Kept(unit, (*(runs[name].values if name in runs else ()), *values))
    file.write_text(json.dumps({name: each._asdict() for name, each in runs.items()}, indent=1) + "\n", "utf-8")


def read(file: Path) -> dict[str, Kept]:
    """The runs that `keep` wrote. Raises ValueError for a file of another kind."""
    try:
        found = json.loads(file.read_text("utf-8"))
        return {name: Kept(each["unit"], tuple(map(float, each["values"]))) for name, each in found.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"{file} is not what `python -m tests.bench --json FILE` writes: {error!r}") from None


def compared(here: Runs, there: Runs) -> list[Line]:
    """Every figure of either side, in the order of this one's and then of those that only the other has."""
    return [_line(name, here.get(name), there.get(name)) for name in {**here, **there}]


def _line(name: str, here: Kept | None, there: Kept | None) -> Line:
    ours, theirs = (None if side is None else statistics.median(side.values) for side in (here, there))
    unit = (here or there or Kept("", ())).unit
    if here is None or there is None or not ours or not theirs or here.unit != there.unit:
        return Line(name, unit, ours, theirs)
    turned = unit in MORE_IS_BETTER
    pairs = [(ours, theirs), *zip(here.values, there.values, strict=False)]
    ratio, *each = [b / a if turned else a / b for a, b in pairs]
    return Line(name, unit, ours, theirs, ratio, min(each), max(each))


def take_turns(
    checkout: Path, groups: Sequence[str], rounds: int, say: Callable[[str], object]
) -> tuple[dict[str, Kept], dict[str, Kept]]:
    """Runs of this checkout's packages and of the other's, both measured by the code in this `tests`.

    A group of figures is measured here, then there, and the other way round in the next round. Where the packages there
    lack something that this code needs, the other checkout's own `tests` measure the group there: its figures compare
    as far as they have the same names. Without figures by either, the group has none of that side. `say` is told both,
    and why. Raises ValueError where `checkout` is not one.
    """
    if not (checkout / "harness" / "__init__.py").is_file():
        raise ValueError(f"{checkout} is not a checkout of this project: it has no harness/__init__.py")
    with tempfile.TemporaryDirectory() as folder:
        files = {"here": Path(folder) / "here.json", "there": Path(folder) / "there.json"}
        for turn in range(rounds):
            for group in groups:
                sides = [("here", ROOT), ("there", checkout)]
                for side, packages in reversed(sides) if turn % 2 else sides:
                    say(f"round {turn + 1} of {rounds}: {group}, {side}")
                    measure = ("-m", "tests.bench", "--only", group, "--json", str(files[side]))
                    done = run_with(packages, *measure)
                    if done.returncode and side == "there":
                        say(f"  by its own tests, since with these: {_last(done)}")
                        done = run_with(packages, *measure, tests=packages)
                    if done.returncode:
                        say(f"  {group} has no figures {side}: {_last(done)}")
        here, there = (read(file) if file.exists() else {} for file in files.values())
    return here, there


def _last(done: subprocess.CompletedProcess[str]) -> str:
    """The last line of what a process complained of."""
    return (done.stderr.strip() or "no reason").splitlines()[-1]


def run_with(packages: Path, *arguments: str, tests: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run Python where `tests` is that of one checkout, by default this, and all other packages are of another."""
    with _apart(tests) as folder:
        environment = {
            **os.environ,
            "PYTHONPATH": str(packages.resolve()),  # before the checkout that this environment was made for
            "HARNESS_DATA": str(folder / "data"),
        }
        return subprocess.run(
            [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
        )


@contextmanager
def _apart(tests: Path) -> Iterator[Path]:
    """A folder to stand in, which is looked in first, with nothing but `tests`."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "tests").symlink_to(tests.resolve() / "tests", target_is_directory=True)
        yield Path(folder)
