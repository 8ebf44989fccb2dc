"""What is written down of each sample of the set, so that a suite is at hand without making one: `pins.txt`.

`python -m benchmarks.probe.pins` writes the file anew after a change of grammar or filler, and `days.jsonl` before it.
How much filler a document has depends on how tokens are counted (`grammar.sizes`), so that a sample has one world where
a vocabulary is installed and another where tokens are estimated: both are pinned.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import count, cycle, islice
from pathlib import Path
from typing import TypeVar

from benchmarks.probe import days, naming, worlds
from benchmarks.probe.grammar.generate import NUMBER, difficulty_of
from benchmarks.probe.grammar.sizes import estimated
from benchmarks.probe.pouring import Pin, pin_of
from benchmarks.probe.records import Difficulty
from harness.suite import SuiteError

__all__ = ("CONTROLS", "COUNT", "SEED", "both_ways", "chosen", "pinned", "read")

SEED, COUNT, CONTROLS = 1, 300, 40
"""The set: its seed, its samples, and how many of them, the first, have their control pinned too."""
_FILE = Path(__file__).with_name("pins.txt")
_MIXED: Sequence[Difficulty] = (
    "easy", "medium", "hard", "hard", "medium", "hard", "easy", "hard", "medium", "hard",
)  # fmt: skip
"""The order of difficulties, over and over: one part of any ten is as easy as another."""
_HEAD = "# sample, template of its cause, right action; digests of the answer key, the world, the estimated world\n"


_Told = TypeVar("_Told")


def chosen(
    seed: int = SEED, total: int = COUNT, levels: Collection[Difficulty] = ("easy", "medium", "hard")
) -> list[str]:
    """Names of the first samples of a set, two tenths easy, three medium, five hard, also of the first few alone.

    Of some difficulties only, they stand to each other as in the whole.

    Raises:
        SuiteError: a seed has fewer samples than that.
    """
    there = sum(difficulty_of(number) in levels for number in range(NUMBER))
    if not 0 < total <= there:
        raise SuiteError(f"a set has 1 to {there} samples, not {total}")
    ways = {level: _of(level) for level in _MIXED}
    mixed = [level for level in _MIXED if level in levels]
    return [naming.named(seed, next(ways[level]), level) for level in islice(cycle(mixed), total)]


def pinned(name: str) -> Pin:
    """The pin of a sample as it is now, for which it is made. Raises `SuiteError`."""
    return pin_of(worlds.sample(name))._replace(world=worlds.world(name).digest)


def read() -> list[Pin]:
    """The pins of the set, with the worlds that there are under the present way to count tokens.

    Raises:
        SuiteError: a line that is none; it names file and line.
    """
    found: list[Pin] = []
    for number, line in enumerate(_FILE.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        parts = line.split()
        if len(parts) != 6:
            raise SuiteError(f"{_FILE.name}:{number}: expected six words, found {len(parts)}; write the file anew")
        *head, counted, guessed = parts
        name, template, action, key = head
        found.append(Pin(name, template, action, key, guessed if estimated() else counted))
    return found


def _of(level: Difficulty) -> Iterator[int]:
    return (number for number in count() if difficulty_of(number) == level)


def _without_vocabulary() -> None:
    """Have tokens estimated in this process, as where the vocabulary is not installed."""
    sys.modules["litellm"] = None  # type: ignore[assignment]


def both_ways(make: Callable[[str], _Told], names: Sequence[str]) -> list[tuple[_Told, _Told]]:
    """What `make` gives of each sample where tokens are counted and where they are estimated, each in its process.

    Raises:
        SystemExit: there is nothing here to count tokens by.
    """
    if estimated():
        raise SystemExit("pins: tokens are estimated here, so that half of the worlds cannot be made; install litellm")
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as counted, context.Pool(1, _without_vocabulary) as guessed:
        both = counted.map_async(make, names), guessed.map_async(make, names)
        return [*zip(*(each.get() for each in both), strict=True)]


def _days() -> Iterator[days.Coming]:
    """What arrives in the tasks with days: made of the first samples that leave room for it, tokens counted."""
    made = (days.made(worlds.sample(name), naming.days_of(name)) for name in chosen())
    return islice((each for each in made if each is not None), days.COUNT)


def _write() -> None:
    days.write([*_days()])
    names = [*chosen(), *map(naming.control_of, chosen(total=CONTROLS)), *days.names()]
    lines = [" ".join((*pin, other.world)) for pin, other in both_ways(pinned, names)]
    _FILE.write_text(_HEAD + "".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    _write()
