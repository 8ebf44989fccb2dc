"""Requests and tokens a minute: who asks waits until there is room, first come, first served."""

from __future__ import annotations

import operator
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import accumulate

import anyio

__all__ = ("Pace", "Turn")

_MINUTE = 60.0

_GLANCE = 1.0
"""Seconds after which whoever waits looks again: a reply that took less than was thought makes room early."""


@dataclass
class Turn:
    """A request that was let through at a time, and the tokens that count for it: set them when they are known."""

    at: float
    tokens: int


class Pace:
    """At most `requests` requests and `tokens` tokens in any sixty seconds; None is unlimited.

    A request counts from when it is let through, with the tokens that it is thought to take until it says what it took.
    One that is thought to take more than a whole minute's tokens has a minute to itself.
    """

    def __init__(
        self,
        requests: int | None = None,
        tokens: int | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
    ) -> None:
        self._requests, self._tokens = requests, tokens
        self._clock, self._sleep = clock, sleep
        self._line = anyio.Lock()
        self._turns: deque[Turn] = deque()

    @asynccontextmanager
    async def turn(self, lane: anyio.CapacityLimiter, tokens: int) -> AsyncIterator[Turn]:
        """Wait for room, then for the lane, and hold the lane meanwhile. A lane is not held while there is no room."""
        if self._requests is None and self._tokens is None:
            async with lane:
                yield Turn(0.0, tokens)
            return
        async with self._line:
            while (wait := self._wait(tokens)) > 0:
                await self._sleep(min(wait, _GLANCE))
            await lane.acquire()
            turn = Turn(self._clock(), tokens)
            self._turns.append(turn)
        try:
            yield turn
        finally:
            lane.release()

    def _wait(self, tokens: int) -> float:
        """Seconds until a request of so many tokens has room; 0 where it has."""
        now = self._clock()
        while self._turns and self._turns[0].at + _MINUTE <= now:
            self._turns.popleft()
        gone = 0  # how many of the turns have to be a minute old first
        if self._requests is not None:
            gone = max(gone, len(self._turns) - self._requests + 1)
        if self._tokens is not None:
            most = max(0, self._tokens - tokens)
            taken = [turn.tokens for turn in self._turns]
            left = accumulate(taken, operator.sub, initial=sum(taken))
            gone = max(gone, next(n for n, rest in enumerate(left) if rest <= most))
        return self._turns[gone - 1].at + _MINUTE - now if gone else 0.0
