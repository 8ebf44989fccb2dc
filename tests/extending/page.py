"""`docs/extending.md` as what it holds: files, commands and what they print."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

__all__ = ("BLOCKS", "ROOT", "Block")

ROOT = Path(__file__).parents[2]


class Block(NamedTuple):
    """A fenced block; `file` is the path on the line before it, if there is one."""

    file: str
    language: str
    text: str


_FENCED = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

BLOCKS = [Block(*found) for found in _FENCED.findall((ROOT / "docs" / "extending.md").read_text(encoding="utf-8"))]
