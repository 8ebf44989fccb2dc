"""The suites `lhaw-workplace` and `lhaw-short`: long and short office work with one or two values withheld.

Their rows are files, made by `harness build lhaw`. The two are never pooled: worlds, tools and checks differ.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.lhaw.build.joining import loaded
from harness.suite import Suite

__all__ = ("RELEASED", "short", "workplace")

RELEASED = Path(__file__).with_name("released")
"""Rows of the released sets, a file each."""


def workplace() -> Suite:
    """Variants of `workflows`. Raises `SuiteError` where a row no longer fits its task."""
    from benchmarks.workflows.suite import load

    return loaded(
        RELEASED / "workplace.jsonl",
        load(),
        name="lhaw-workplace",
        version="2",
        description="Long office work with one or two values withheld (LHAW), over several apps",
    )


def short() -> Suite:
    """Variants of `workbench-synth`. Raises `SuiteError` where a row no longer fits its task."""
    from benchmarks.workbench.synth.suite import load

    return loaded(
        RELEASED / "short.jsonl",
        load(),
        name="lhaw-short",
        version="2",
        description="Short office requests with one or two values withheld (LHAW), over six apps",
    )
