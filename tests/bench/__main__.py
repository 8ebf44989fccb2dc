"""`python -m tests.bench`: figures with their conditions. Prints, asserts nothing about time."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import version

import psutil
from rich.console import Console

from tests.bench import crowd, hostile, kernel, memory, scale, starting, trials, wire
from tests.bench.timing import Figure


def _figures() -> Iterator[Figure]:
    for mails in (500, 50_000):
        yield from kernel.in_memory(mails)
        yield from kernel.against_copies(mails)
    yield from kernel.on_a_file()
    for mails in (500, 50_000):
        yield from wire.in_process(mails)
    yield from starting.figures()
    yield from crowd.figures()
    yield from memory.figures()
    yield from scale.figures()
    yield from trials.figures()
    yield from hostile.figures()


def main() -> None:
    console = Console(width=170, highlight=False)
    packages = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "mcp", "pydantic"))
    console.print(
        f"Python {platform.python_version()}, {packages}; {os.cpu_count()} cores, "
        f"{psutil.virtual_memory().total / 1e9:.0f} GB, load {os.getloadavg()[0]:.1f}. "
        "Medians; docs/performance.md says how to read them."
    )
    conditions = ""
    for figure in _figures():
        if figure.conditions != conditions:
            conditions = figure.conditions
            console.print(f"\n[bold]{conditions}[/bold]")
        aim = f"aim {figure.target}" if figure.target else ""
        console.print(f"  {figure.what:<52} {figure.value:<28} {aim}")


if __name__ == "__main__":
    main()
