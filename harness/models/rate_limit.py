"""Requests and tokens a minute: who asks waits until there is room, first come, first served.

And how long the models of a trial kept it waiting, which is not charged to its agent.
"""

from __future__ import annotations

import operator
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf

import anyio

__all__ = ("RateLimit", "Turn", "Wait", "Waits", "counted", "counting")

_MINUTE = 60.0

_GLANCE = 1.0
"""Seconds after which whoever waits looks again: a reply that took less than was thought makes room early."""


@dataclass
class Turn:
    """A request that was let through at a time, and the tokens that count for it: set them when they are known.

    `waited` is for how many seconds there was no room.
    """

    at: float
    tokens: int
    waited: float = 0.0


@dataclass
class Wait:
    """A wait that is under way. `until`: when it was over, where that shows only later; None is when its block ends."""

    until: float | None = None


@dataclass
class Waits:
    """The seconds that a trial's models have waited for room or been asked in vain.

    The trial's deadlines stand still meanwhile.
    """

    seconds: float = 0.0
    _under_way: int = 0
    _began: float = 0.0
    _over: float = 0.0
    _scopes: list[anyio.CancelScope] = field(default_factory=list)
    _stopped: list[tuple[anyio.CancelScope, float]] = field(default_factory=list)

    @contextmanager
    def deadline(self, scope: anyio.CancelScope) -> Iterator[None]:
        """Have the deadline of a scope be one of the trial's while the block runs; nobody waits when it begins."""
        self._scopes.append(scope)
        try:
            yield
        finally:
            self._scopes.remove(scope)

    @contextmanager
    def waiting(self, clock: Callable[[], float]) -> Iterator[Wait]:
        """Somebody waits while the block runs. Of several at a time the seconds count once."""
        wait = Wait()
        if not self._under_way:
            self._began = self._over = clock()
            self._stopped = [(scope, scope.deadline) for scope in self._scopes]
            for scope in self._scopes:
                scope.deadline = inf
        self._under_way += 1
        try:
            yield wait
        finally:
            self._under_way -= 1
            self._over = max(self._over, clock() if wait.until is None else wait.until)
            if not self._under_way:
                took = self._over - self._began
                self.seconds += took
                for scope, deadline in self._stopped:
                    scope.deadline = deadline + took


_TRIAL: ContextVar[Waits | None] = ContextVar("waits of the trial", default=None)


@contextmanager
def counting() -> Iterator[Waits]:
    """What models that are made in the block, a trial, keep it waiting."""
    waits = Waits()
    before = _TRIAL.set(waits)
    try:
        yield waits
    finally:
        _TRIAL.reset(before)


def counted() -> Waits:
    """That of the trial under way, or one that nobody looks at."""
    return _TRIAL.get() or Waits()


class RateLimit:
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
        self.clock, self._sleep = clock, sleep
        self._line = anyio.Lock()
        self._turns: deque[Turn] = deque()

    @asynccontextmanager
    async def turn(self, slots: anyio.CapacityLimiter, tokens: int, waits: Waits | None = None) -> AsyncIterator[Turn]:
        """Wait for room, then for one of the slots, and hold it meanwhile. None is held while there is no room.

        The first of the two counts among the `waits`.
        """
        if self._requests is None and self._tokens is None:
            async with slots:
                yield Turn(self.clock(), tokens)
            return
        began = self.clock()
        with ExitStack() as standing:
            standing.enter_context((waits or Waits()).waiting(self.clock))
            async with self._line:
                while (wait := self._wait(tokens)) > 0:
                    await self._sleep(min(wait, _GLANCE))
                standing.close()
                waited = self.clock() - began
                await slots.acquire()
                turn = Turn(self.clock(), tokens, waited)
                self._turns.append(turn)
        try:
            yield turn
        finally:
            slots.release()

    def _wait(self, tokens: int) -> float:
        """Seconds until a request of so many tokens has room; 0 where it has."""
        now = self.clock()
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
