"""A page of `docs/` as what it holds: files, commands and what they print."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

__all__ = ("BLOCKS", "ROOT", "Block", "blocks")

ROOT = Path(__file__).parents[2]


class Block(NamedTuple):
    """A fenced block; `file` is the path on the line before it, if there is one."""

    file: str
    language: str
    text: str


_FENCED = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[Block]:
    """The fenced blocks of `docs/PAGE.md`, in order."""
    return [Block(*found) for found in _FENCED.findall((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))]


BLOCKS = blocks("extending")
