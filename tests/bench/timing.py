"""How a figure is taken: many repetitions, each timed alone; the median stands for all."""

from __future__ import annotations

import statistics
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, Final, NamedTuple

__all__ = ("MORE_IS_BETTER", "Figure", "Timed", "timed", "timed_async", "timed_in_turn", "written")

MORE_IS_BETTER: Final = ("a second", "times")
"""Units of figures that are the better the larger they are; `times` is what something else costs over ours."""

_DIGITS: Final = {"ms": 3, "s": 3, "MB": 0, "kB": 1, "a second": 0, "times": 0}


class Figure(NamedTuple):
    """One line of the table; `what` and `conditions` together name it.

    `beside` is what else there is to say of the value; `target` is empty where there is none.
    """

    what: str
    conditions: str
    value: float
    unit: str
    beside: str = ""
    target: str = ""

    def __str__(self) -> str:
        return f"{written(self.value, self.unit)} {self.beside}".strip()


def written(value: float, unit: str) -> str:
    """A value with its unit, in as many digits as are worth reading."""
    return f"{value:,.{_DIGITS.get(unit, 3)}f} {unit}".strip()


class Timed(NamedTuple):
    """Milliseconds: the median and the 90th percentile."""

    median: float
    high: float

    def figure(self, what: str, conditions: str, target: str = "") -> Figure:
        return Figure(what, conditions, self.median, "ms", f"(90%: {self.high:.3f})", target)


def _summary(times: list[float]) -> Timed:
    deciles = statistics.quantiles(times, n=10)
    return Timed(statistics.median(times) * 1000, deciles[-1] * 1000)


def timed(
    act: Callable[[int], Any],
    *,
    times: int = 200,
    before: Callable[[int], Any] | None = None,
    after: Callable[[int], Any] | None = None,
) -> Timed:
    """Time `act(n)`; what `before` and `after` do is not counted."""
    found = []
    for n in range(times):
        if before:
            before(n)
        start = perf_counter()
        act(n)
        found.append(perf_counter() - start)
        if after:
            after(n)
    return _summary(found)


def timed_in_turn(*acts: Callable[[int], Any], times: int = 200) -> tuple[Timed, ...]:
    """Time several acts in turn, `times` rounds, so that a slow moment of the machine meets all of them."""
    found: list[list[float]] = [[] for _ in acts]
    for n in range(times):
        for act, taken in zip(acts, found, strict=True):
            start = perf_counter()
            act(n)
            taken.append(perf_counter() - start)
    return tuple(map(_summary, found))


async def timed_async(act: Callable[[int], Awaitable[Any]], *, times: int = 200) -> Timed:
    """The same for a coroutine function."""
    found = []
    for n in range(times):
        start = perf_counter()
        await act(n)
        found.append(perf_counter() - start)
    return _summary(found)
