"""What the commands of studies share: how they end, and what they say of forms that are written."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from harness.core.suite import SuiteError
from harness.judging.forms import FormError
from harness.judging.study.pairs import Study, write_forms
from harness.record.files import RunError

__all__ = ("ran", "written")


def ran(asked: argparse.Namespace) -> int:
    """Do what `asked.verb` does and print its lines.

    0 if it was done, 2 with one line on standard error if it could not be.
    """
    try:
        lines: list[str] = asked.verb(asked)
    except (FormError, RunError, SuiteError) as error:
        sys.stderr.write(f"study: {error}\n")
        return 2
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


def written(folder: Path, study: Study, wanted: int, what: str, *more: str) -> list[str]:
    """Write a study's forms. What is said of them: where fewer than `wanted` of `what` were there, then `more`."""
    paths, count = write_forms(folder, study), len(study.pairs)
    questions = sum(len(pair.queries) for pair in study.pairs)
    short = [] if count == wanted else [f"There are only {count} {what} to draw."]
    return [*short, *more, *(f"{path}: {questions} questions on {count} {what}" for path in paths)]
