"""`docs/python.md` as what it holds: blocks of Python, each with what it prints."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ("BLOCKS", "PAGE", "Block")

PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")

_FENCED = re.compile(r"^```python\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A block of Python, and the text that follows as what it prints, "" where none does."""

    code: str
    printed: str

    def run(self, names: dict[str, Any]) -> str:
        """Run it with the names that those before it left; what it prints."""
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(self.code, "example.py", "exec"), names)
        return out.getvalue()


BLOCKS = [Block(*found) for found in _FENCED.findall(PAGE)]
