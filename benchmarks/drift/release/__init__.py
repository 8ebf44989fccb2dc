"""The released tasks: files, so that a suite is loaded without being made, and can be read.

    python -m benchmarks.drift.release        builds them anew and writes them

They are what `harness build drift configs/build/drift.yaml` leaves in `released/`; a test holds the files against that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.drift.environments import Place
from benchmarks.drift.frames import Variant, read
from benchmarks.drift.tasks import Built, faulty
from harness.task import Task

__all__ = ("FOLDER", "joined", "read_released", "released")

FOLDER: Final = Path(__file__).parents[1] / "released"
"""Of each environment the clean tasks and the variants, one a line."""


@cache
def released(places: tuple[Place, ...]) -> Built:
    """The tasks of these environments. Raises `SuiteError`."""
    return joined([read_released(place.name) for place in places])


def joined(parts: Sequence[Built]) -> Built:
    """The tasks of several environments as one."""
    return Built(
        tuple(task for part in parts for task in part.clean),
        tuple(each for part in parts for each in part.faulty),
        tuple(each for part in parts for each in part.refused),
    )


def read_released(name: str, folder: Path = FOLDER) -> Built:
    """The released tasks of an environment. Raises `SuiteError`."""
    clean = {task.id: task for task in read(folder / f"{name}-tasks.jsonl", Task)}
    variants = read(folder / f"{name}-variants.jsonl", Variant)
    found = tuple(faulty(clean[variant.task], variant) for variant in variants)
    return Built(tuple(clean.values()), found, ())
