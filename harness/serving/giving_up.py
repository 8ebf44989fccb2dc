"""What somebody waits for, given up before it has come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from anyio import CancelScope

__all__ = ("GivenUp", "UnderWay")


class GivenUp(BaseException):
    """Ends a call that nobody waits for any more. Nothing is recorded of it.

    No `Exception`: like a cancellation it is none of the business of tools, and of whatever judges their errors.
    """


class UnderWay:
    """What is waited for at the same time, and given up all at once."""

    def __init__(self) -> None:
        self._scopes: set[CancelScope] = set()

    @contextmanager
    def one(self) -> Iterator[None]:
        """A block that is under way while it runs. Raises `GivenUp` where it was given up and had not ended."""
        with CancelScope() as scope:
            self._scopes.add(scope)
            try:
                yield
            finally:
                self._scopes.remove(scope)
        if scope.cancelled_caught:
            raise GivenUp

    def give_up(self) -> None:
        """Give up all that is under way now; what begins later is not."""
        for scope in self._scopes:
            scope.cancel()
