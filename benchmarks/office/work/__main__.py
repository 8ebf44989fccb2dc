"""`python -m benchmarks.office.work [FILE]`: what is wrong with work scripts, and how often each can be told."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.office.lint import report
from benchmarks.office.work import FOLDER


def main(paths: Sequence[str]) -> int:
    """0 if nothing has to be mended, else 1."""
    lines, wrong = report([Path(path) for path in paths] or sorted(FOLDER.glob("*.txt")))
    sys.stdout.write("\n".join(lines) + "\n")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
