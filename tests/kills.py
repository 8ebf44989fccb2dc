"""Runs that are killed at chosen moments and gone on with: every trial once, equal digests, nothing left behind.

    python -m tests.kills --kills 300 [--seed 0] [--jobs 2]

kills a small run, each time anew: the process that was started, one of its workers or its whole group, at a number of
trials on disk that the seed chooses, at once or as soon as a program is running. Half of the trials play a program
that leaves a child behind. One line per cell:

    kills      how many times, and how many of them hit a run that was going on
    twice      trials that were there and were played again
    lost       trials that were not there in the end
    different  digests of final states unlike those of an unbroken run
    processes  what was still running 5 s after the kill: workers, programs and whatever else was started (where a
               worker is killed: 5 s after the run has ended by itself, which ends its other workers in order)
    folders    what was then left of temporary folders, and of files half written once the run was gone on with

The exit status is 1 unless all of these are 0.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psutil

from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.record.store import Run
from harness.suite import Suite
from harness.wiring import Wired
from tests.harness import toy

ROOT = Path(__file__).parents[1]
TARGETS = ("parent", "worker", "group")
SECONDS = 5
"""What a killed run may take to be gone."""

_GRACE = 35
"""What a run that lost a worker may take to end the others in order, which has 30 s."""

_STARTED = 60
"""Seconds for a run to get to where it is killed: bounds a wait, and says nothing of how long that takes."""

_PROGRAM = """\
sleep 300 &
if [ "$(ls "$0/run/trials" | wc -l)" -ge "$(cat "$0/moment" || echo 1000)" ]; then exec sleep 30; fi
"""
"""Leaves a child behind, and stays where a run is to be killed amid its programs."""


class Cell(NamedTuple):
    """What is killed, of which kind of run."""

    target: str
    concurrency: int
    workers: int


CELLS = [
    Cell(target, concurrency, workers)
    for target in TARGETS
    for concurrency in (1, 16)
    for workers in (1, 2)
    if workers > 1 or target != "worker"
]


class Moment(NamedTuple):
    """When: with so many trials on disk, and `amid` waits for a program that is running."""

    trials: int
    amid: bool


class Kill(NamedTuple):
    """One kill and what came of it; all but `hit` should be 0. `processes` are those left, by their command lines,
    and `folders` those, by what they hold."""

    hit: bool
    twice: int
    lost: int
    different: int
    processes: Sequence[str]
    folders: Sequence[str]

    @property
    def counts(self) -> Sequence[int]:
        """All but `hit`, as numbers."""
        return self.twice, self.lost, self.different, len(self.processes), len(self.folders)

    @property
    def harmless(self) -> bool:
        return not any(self.counts)


class KilledWired(Wired):
    """The real wiring, over a few tasks of the toy suite."""

    def suite(self, name: str, scale: int = 1) -> Suite:
        return toy.suite([toy.task(n) for n in range(6)])


def config(place: Path) -> RunConfig:
    program = ["/bin/sh", "-c", _PROGRAM, str(place), "{mcp_config}"]
    agents = [{"kind": "command", "command": program}, {"kind": "oracle"}]
    return RunConfig.model_validate({"suite": "toy", "trials": 2, "agents": agents})


TRIALS = 2 * 2 * 6

Digests = Mapping[tuple[str, str, int], str]


def play(place: Path, concurrency: int = 8, workers: int = 1) -> Run:
    """Play the run in `place`, or go on with it."""
    wired = KilledWired()
    return evaluate(
        config(place), wired.suite("toy"), wired, place / "run",
        concurrency=concurrency, workers=workers, wiring_factory="tests.kills:KilledWired",
    )  # fmt: skip


def digests(run: Run) -> Digests:
    records = (record.trajectory for record in run.records())
    return {(each.agent, each.task, each.trial): each.digest for each in records}


def kill(cell: Cell, moment: Moment, place: Path, unbroken: Digests) -> Kill:
    """Kill a run at a moment, and go on with it. `place` is an empty folder for all of it."""
    run, temporary = place / "run", place / "tmp"
    temporary.mkdir()
    if moment.amid:
        (place / "moment").write_text(str(moment.trials))
    script = f"from pathlib import Path; from tests.kills import play; play(Path({str(place)!r}), {cell[1]}, {cell[2]})"
    process = subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
    )  # fmt: skip
    with process:
        victim = _at(process, cell, run, moment, temporary)
        hit = victim is not None and process.poll() is None
        if victim is not None:
            with suppress(ProcessLookupError):
                (os.killpg if cell.target == "group" else os.kill)(victim, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_GRACE)
        left = _left(temporary)
        named = list(map(_named, left))
        if process.poll() is None:
            process.kill()
    folders = [
        f"{path.name}: {sorted(str(each.relative_to(path)) for each in path.rglob('*'))}"
        for path in temporary.iterdir()
    ]
    for each in left:
        with suppress(psutil.NoSuchProcess):
            each.kill()
    (place / "moment").unlink(missing_ok=True)
    before = _stamps(run)
    found = digests(play(place))
    after = _stamps(run)
    return Kill(
        hit,
        twice=sum(after.get(path) != stamp for path, stamp in before.items()) + max(len(after) - TRIALS, 0),
        lost=len(unbroken.keys() - found.keys()),
        different=sum(found.get(key) != digest for key, digest in unbroken.items()),
        processes=named,
        folders=[*folders, *(path.name for path in run.rglob(".*"))],
    )


def _at(process: subprocess.Popen[bytes], cell: Cell, run: Path, moment: Moment, temporary: Path) -> int | None:
    """Wait for a moment; whom to kill then, None where the run ended before."""
    deadline = time.monotonic() + _STARTED
    while time.monotonic() < deadline and process.poll() is None:
        if (run / "run.json").exists() and len(_stamps(run)) >= moment.trials:
            victims = [process.pid] if cell.target != "worker" else _workers(process.pid)
            if victims and (not moment.amid or any(each.name() == "sleep" for each in _of(temporary))):
                return victims[moment.trials % len(victims)]
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.005)
    return None


def _workers(parent: int) -> list[int]:
    found = []
    with suppress(psutil.NoSuchProcess):
        for child in psutil.Process(parent).children():
            with suppress(psutil.NoSuchProcess):
                if any("spawn_main" in part for part in child.cmdline()):
                    found.append(child.pid)
    return found


def _left(temporary: Path) -> Sequence[psutil.Process]:
    """Processes that have anything to do with a folder, once they are gone or have had their time to go."""
    deadline = time.monotonic() + SECONDS
    while (found := list(_of(temporary))) and time.monotonic() < deadline:
        psutil.wait_procs(found, timeout=0.1)
    return found


def _named(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return f"process {process.pid}, which ended meanwhile"


def _of(temporary: Path) -> Iterable[psutil.Process]:
    for process in psutil.process_iter():
        with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            mine = any(str(temporary) in value for value in process.environ().values())
            if mine and process.status() != psutil.STATUS_ZOMBIE:
                yield process


def _stamps(run: Path) -> dict[str, tuple[int, int]]:
    """The trials on disk, each with what changes when it is written again."""
    stats = {path.name: path.stat() for path in (run / "trials").glob("[!.]*.json")}
    return {name: (stat.st_ino, stat.st_mtime_ns) for name, stat in stats.items()}


def plan(kills: int, seed: int) -> list[tuple[Cell, Moment]]:
    """Each cell in turn; programs run in the first half of a run."""
    draw = random.Random(seed)
    planned = []
    for n in range(kills):
        cell, trials, amid = CELLS[n % len(CELLS)], draw.randrange(TRIALS * 3 // 4), draw.random() < 0.5
        if amid:  # programs come first, with room for all of them at once, or one by one
            trials = trials // 2 if cell.concurrency == 1 else 0
        planned.append((cell, Moment(trials, amid)))
    return planned


def _once(unbroken: Digests, planned: tuple[Cell, Moment]) -> Kill:
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        return kill(*planned, Path(place), unbroken)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="runs that are killed at a time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kills-") as place:
        unbroken = digests(play(Path(place)))
    planned = plan(options.kills, options.seed)
    write = sys.stdout.write
    write(f"{'killed':8}{'concurrency':>12}{'workers':>8}{'kills':>10}")
    write("".join(f"{name:>11}" for name in Kill._fields[1:]) + "\n")
    harmless = True
    with ThreadPoolExecutor(options.jobs) as pool:
        for cell in CELLS:  # a line when its kills are done, as all of them take an hour
            kills = list(pool.map(partial(_once, unbroken), [each for each in planned if each[0] == cell]))
            counted = f"{len(kills)} ({sum(each.hit for each in kills)})"
            write(f"{cell.target:8}{cell.concurrency:12}{cell.workers:8}{counted:>10}")
            write("".join(f"{sum(counts):11}" for counts in zip(*(each.counts for each in kills), strict=True)) + "\n")
            write("".join(f"left: {line}\n" for each in kills for line in (*each.processes, *each.folders)))
            sys.stdout.flush()
            harmless = harmless and all(each.harmless for each in kills)
    return 0 if harmless else 1


if __name__ == "__main__":
    sys.exit(main())
