"""`python -m benchmarks.pi.schema` writes the JSON Schema of a session's file beside this module."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from benchmarks.pi.session import schema

__all__ = ("PUBLISHED", "text")

PUBLISHED: Final = Path(__file__).with_name("session.schema.json")
"""The file that ships. An editor checks a session by it whose first line is `# yaml-language-server: $schema=PATH`."""


def text() -> str:
    """What the published file holds."""
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    PUBLISHED.write_text(text(), encoding="utf-8", newline="\n")
