"""The toy persona's episode with one text changed."""

from __future__ import annotations

import shutil
from pathlib import Path

BAKER = Path(__file__).parent / "fixtures" / "baker"


def copied(to: Path, old: str, new: str, file: str = "baker-01") -> Path:
    """A copy of the fixture in which the first `old` of a file is `new`."""
    folder = to / "baker"
    shutil.copytree(BAKER, folder)
    path = folder / f"{file}.yaml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder
