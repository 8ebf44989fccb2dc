"""The released tasks: files, so that a suite is loaded without being made, and can be read.

    python -m benchmarks.drift.release        writes those of every environment
    python -m benchmarks.drift.release apis   writes those of one

A test makes some of them anew and holds them against the files.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.drift.environments import Place, environments
from benchmarks.drift.frames import Variant, read, write
from benchmarks.drift.tasks import Built, built, faulty
from harness.task import Task

__all__ = ("FOLDER", "read_released", "release", "released")

FOLDER: Final = Path(__file__).with_name("released")
"""Of each environment the clean tasks and the variants, one a line."""


@cache
def released(places: tuple[Place, ...]) -> Built:
    """The tasks of these environments: as released, and made where an environment has none yet."""
    parts = [read_released(place.name) or built([place]) for place in places]
    return Built(
        tuple(task for part in parts for task in part.clean),
        tuple(each for part in parts for each in part.faulty),
        tuple(each for part in parts for each in part.refused),
    )


def read_released(name: str, folder: Path = FOLDER) -> Built | None:
    """The released tasks of an environment, None where there are none."""
    tasks, variants = folder / f"{name}-tasks.jsonl", folder / f"{name}-variants.jsonl"
    if not tasks.exists():
        return None
    clean = {
        task.id: task
        for line in tasks.read_text(encoding="utf-8").splitlines()
        for task in [Task.model_validate_json(line)]
    }
    found = tuple(faulty(clean[variant.task], variant) for variant in read(variants, Variant))
    return Built(tuple(clean.values()), found, ())


def release(place: Place, folder: Path = FOLDER) -> Built:
    """Make an environment's tasks and write them."""
    made = built([place])
    folder.mkdir(exist_ok=True)
    lines = "".join(f"{task.model_dump_json(exclude_defaults=True)}\n" for task in made.clean)
    (folder / f"{place.name}-tasks.jsonl").write_text(lines, encoding="utf-8")
    write([each.variant for each in made.faulty], folder / f"{place.name}-variants.jsonl")
    return made


def main(names: Sequence[str]) -> None:
    places = {place.name: place for place in environments()}
    if unknown := [name for name in names if name not in places]:
        sys.exit(f"benchmarks.drift.release: there is no environment {unknown[0]!r}; there are {', '.join(places)}")
    for name in names or places:
        made = release(places[name])  # type: ignore[index]
        told = f"{len(made.clean)} tasks, {len(made.faulty)} variants; {len(made.refused)} refused"
        sys.stdout.write(f"{name}: {told}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
