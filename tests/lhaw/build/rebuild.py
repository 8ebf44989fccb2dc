"""Builds the released sets anew: `python -m tests.lhaw.build.rebuild` writes them, from slots and without a model."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.lhaw.build.building import build
from benchmarks.lhaw.suite import RELEASED

__all__ = ("CONFIGS", "rebuilt")

CONFIGS: Mapping[str, Path] = {
    "workplace.jsonl": Path(__file__).parents[3] / "configs" / "build" / "lhaw.yaml",
    "short.jsonl": Path(__file__).parents[3] / "configs" / "build" / "lhaw-short.yaml",
}
"""Which config each released file is built from."""


def rebuilt(name: str, folder: Path) -> bytes:
    """The bytes of a released file, built in a new folder."""
    build(CONFIGS[name], out=folder, json=False)
    return (folder / "variants.jsonl").read_bytes()


def main() -> None:
    for name in CONFIGS:
        with TemporaryDirectory() as folder:
            content = rebuilt(name, Path(folder) / "set")
        (RELEASED / name).write_bytes(content)
        sys.stdout.write(f"{RELEASED / name}\n")


if __name__ == "__main__":
    main()
