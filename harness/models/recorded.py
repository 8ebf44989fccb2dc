"""A recording in place of a model: what was replied, for as long as it was asked the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from harness.core.secrets import scrub
from harness.core.trajectory import ModelCall
from harness.models.replies import Completes, Completion
from servers.kernel import Fault

__all__ = ("Recorded",)


class Recorded:
    """Serves the replies of recorded model calls in order, then hands over to `then` if there is one.

    Each request must equal the recorded one in its messages, else `Fault` names the first that
    differs: a replay that has come off its track must not go on.
    """

    def __init__(self, model_calls: Sequence[ModelCall], then: Completes | None = None) -> None:
        self._calls = tuple(model_calls)
        self._next = 0
        self._then = then

    async def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
    ) -> Completion:
        if self._next == len(self._calls):
            if self._then is None:
                raise Fault(f"the recording ends after {self._next} replies, and one more is asked for")
            return await self._then.complete(messages, tools)
        call = self._calls[self._next]
        self._next += 1
        for n, (then, now) in enumerate(zip_longest(call.request["messages"], scrub(list(messages))), 1):
            if then != now:
                raise Fault(f"request {self._next} differs from the recording at message {n}")
        return Completion(request=call.request, response=call.response, usage=call.usage, attempts=call.attempts)
