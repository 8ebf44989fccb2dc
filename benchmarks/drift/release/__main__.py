"""`python -m benchmarks.drift.release`: the released tasks, built anew and written."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.drift.build.building import made
from benchmarks.drift.build.config import BuildConfig
from benchmarks.drift.build.releasing import RELEASED
from benchmarks.drift.release import FOLDER


def main(folder: Path = FOLDER) -> None:
    """Build the set from slots and by hand, and write what is released of it."""
    with TemporaryDirectory() as place:
        made(BuildConfig(), Path(place) / "set")
        folder.mkdir(exist_ok=True)
        for path in sorted((Path(place) / "set" / RELEASED).iterdir()):
            (folder / path.name).write_bytes(path.read_bytes())
            sys.stdout.write(f"{folder / path.name}\n")


if __name__ == "__main__":
    main()
