"""Digests of the poured worlds, so that the suite is at hand without making a sample: `pins.txt`.

`python -m benchmarks.probe.workplace.pins` writes the file anew, after `python -m benchmarks.probe.pins`, which has all
else that tasks need to know. As there, a sample has two worlds, by how tokens are counted.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from benchmarks.probe import pins
from benchmarks.probe.grammar.sizes import estimated
from benchmarks.probe.workplace import pouring
from harness.suite import SuiteError

__all__ = ("digest", "read")

_FILE = Path(__file__).with_name("pins.txt")
_HEAD = "# sample; digests of the world, the world with tokens estimated\n"


def digest(name: str) -> str:
    """The digest of a sample's world, for which it is made. Raises `SuiteError`."""
    return pouring.world(name).digest


@cache
def read() -> dict[str, str]:
    """The pinned digests by sample, under the present way to count tokens.

    Raises:
        SuiteError: a line that is none; it names file and line.
    """
    found: dict[str, str] = {}
    for number, line in enumerate(_FILE.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        parts = line.split()
        if len(parts) != 3:
            raise SuiteError(f"{_FILE.name}:{number}: expected three words, found {len(parts)}; write the file anew")
        name, counted, guessed = parts
        found[name] = guessed if estimated() else counted
    return found


def _write() -> None:
    names = pins.chosen()
    lines = [" ".join((name, *worlds)) for name, worlds in zip(names, pins.both_ways(digest, names), strict=True)]
    _FILE.write_text(_HEAD + "".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    _write()
