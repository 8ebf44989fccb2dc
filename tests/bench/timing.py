"""How a figure is taken: many repetitions, each timed alone; the median stands for all."""

from __future__ import annotations

import statistics
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, NamedTuple

__all__ = ("Figure", "Timed", "timed", "timed_async")


class Figure(NamedTuple):
    """One line of the table. `value` is text with its unit; `target` is empty where there is none."""

    what: str
    conditions: str
    value: str
    target: str = ""


class Timed(NamedTuple):
    """Milliseconds: the median and the 90th percentile."""

    median: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.3f} ms (90%: {self.high:.3f})"


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


async def timed_async(act: Callable[[int], Awaitable[Any]], *, times: int = 200) -> Timed:
    """The same for a coroutine function."""
    found = []
    for n in range(times):
        start = perf_counter()
        await act(n)
        found.append(perf_counter() - start)
    return _summary(found)
