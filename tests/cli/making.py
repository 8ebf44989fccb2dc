"""A small thing to build, and ways to be killed while it is made: `python -m tests.cli.making FOLDER WORKERS`."""

from __future__ import annotations

import os
import signal
import sys
from functools import partial
from pathlib import Path

from harness.cli.building import Built, Made, Refused, build

NAMES = [f"thing-{number:02d}" for number in range(12)]
INPUTS = {"seed": 1, "format": "ours"}


def make(name: str, *, moment: Path) -> Made:
    """Two files. Where the file `moment` names the thing and a victim, that process is killed first, once."""
    whom, _, when = moment.read_text().partition(" ") if moment.exists() else ("", "", "")
    if when == name:
        moment.unlink()
        os.kill(os.getppid() if whom == "parent" else os.getpid(), signal.SIGKILL)
        if whom == "parent":
            signal.pause()  # until the end of the parent is heard of, which ends this process
    if name.endswith("bad"):
        raise Refused(f"{name} has no legs", legs=0)
    if name.endswith("bug"):
        raise KeyError(name)
    return Made({f"things/{name}.txt": f"{name}\n" * 3, f"things/{name}.key": name[::-1]}, {"size": len(name)})


def built(folder: Path, names: list[str] = NAMES, workers: int = 1, **inputs: object) -> Built:
    work = partial(make, moment=folder.with_name("moment"))
    suite = {"benchmark": "toy", "name": folder.name}
    return build(folder, {**INPUTS, **inputs}, dict.fromkeys(names), work, workers=workers, suite=suite)


if __name__ == "__main__":
    built(Path(sys.argv[1]), workers=int(sys.argv[2]))
