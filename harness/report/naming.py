"""What runs side by side are called, so that each is told from the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

__all__ = ("run_labels", "tails")


def run_labels(names: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Each run's name; of runs that share one, as much of their folders' paths as tells them from all others."""
    found = []
    for name, folder, tail in zip(names, folders, tails(folders), strict=True):
        apart = folder.resolve().as_posix() if names.count(tail) == 1 else tail  # that is what another run is called
        found.append(name if names.count(name) == 1 else apart)
    return found


def tails(folders: Sequence[Path]) -> list[str]:
    """Of each folder's path as much, from its end, as tells it from the others: `a`, or `monday/a` by `tuesday/a`."""
    whole = [folder.resolve() for folder in folders]
    paths = [folder.parts[1:] for folder in whole]
    ends = [Counter(path[-length:] for path in paths) for length in range(1, max(map(len, paths)) + 1)]
    found = []
    for folder, path in zip(whole, paths, strict=True):
        lengths = (length for length, those in enumerate(ends, 1) if those[path[-length:]] == 1)
        length = next(lengths, 0)
        found.append("/".join(path[-length:]) if length else folder.as_posix())
    return found
