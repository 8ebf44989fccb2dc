"""Disturbances: which calls of a sandbox are answered otherwise than by their tools, and with what.

What meets a call is drawn from a hash of the trial's seed, the call's number, its app and tool, and the place of the
disturbance in its condition. So it depends on nothing that was drawn before, nor on other trials. Nothing here waits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol

from harness.core.trajectory import CallRecord, DisturbanceKind, Disturbed, Event, HandOver
from servers.kernel import Tool, canonical

if TYPE_CHECKING:
    from harness.core.config import Disturbance

__all__ = ("CANCELS", "Disturbing", "drawing", "due", "following", "may_meet", "told")

CANCELS: Final[frozenset[DisturbanceKind]] = frozenset({"timeout", "rate_limit", "error", "late"})
"""Kinds under which the tool does not run when it is called; under the others it does, and its result is disturbed."""

_NO_ANSWER = "No answer within 30 seconds. It is not known whether the call took effect."

_TOLD: Final[Mapping[DisturbanceKind, str]] = {
    "timeout": _NO_ANSWER,
    "lost": _NO_ANSWER,
    "rate_limit": "Too many requests: this call was not made. Try again after 30 seconds.",
    "error": "The server failed with an internal error.",
    "cut": "{start}\n[The answer broke off here, after {half:,} of {whole:,} characters.]",
    "late": "Accepted. It takes effect later.",
}


class Disturbing(Protocol):
    """What meets call `n`, to a tool that does not ask, with arguments that fit; None if nothing does.

    `events` are those before it.
    """

    def __call__(
        self, n: int, app: str, tool: Tool, arguments: Mapping[str, Any], events: Sequence[Event], /
    ) -> Disturbed | None: ...


def drawing(seed: int, disturbances: Sequence[Disturbance]) -> Disturbing:
    """The disturbances of a condition, as the trial of that seed draws them."""
    return partial(_drawn, seed, tuple(disturbances))


def following(steps: Sequence[CallRecord | HandOver], then: Disturbing | None) -> Disturbing | None:
    """What met these steps of a record meets them again, without a draw; those after them are left to `then`."""
    if then is None and not any(isinstance(step, CallRecord) and step.disturbance for step in steps):
        return None
    return partial(_followed, tuple(steps), then)


def told(met: Disturbed, text: str = "") -> str:
    """What the agent is told in place of a result; `text` is that result, where the tool has run."""
    half = len(text) // 2
    return _TOLD[met.kind].format(start=text[:half], half=half, whole=len(text))


def due(call: CallRecord) -> int | None:
    """The number of the call before which the effect of this one lands; None if it is not late."""
    return call.disturbance.before if call.disturbance else None


def may_meet(kind: DisturbanceKind, tool: Tool) -> bool:
    """Whether a disturbance of that kind may meet a tool. None meets one that asks; only what writes is late."""
    return tool.kind == "writes" or (tool.kind == "reads" and kind != "late")


def _drawn(
    seed: int,
    disturbances: Sequence[Disturbance],
    n: int,
    app: str,
    tool: Tool,
    arguments: Mapping[str, Any],
    events: Sequence[Event],
) -> Disturbed | None:
    for index, each in enumerate(disturbances):
        if (
            may_meet(each.kind, tool)
            and (not each.tools or app in each.tools or f"{app}.{tool.name}" in each.tools)
            and _share(seed, n, app, tool.name, index) < each.rate
            and (each.mode == "always" or not _met(index, app, tool.name, arguments, events))
        ):
            return Disturbed(index=index, kind=each.kind, before=n + each.after if each.kind == "late" else None)
    return None


def _share(seed: int, n: int, app: str, tool: str, index: int) -> float:
    """From 0 to below 1."""
    drawn = hashlib.sha256(canonical(["disturbance", seed, n, app, tool, index])).digest()
    return float(int.from_bytes(drawn[:6]) / 2**48)


def _met(index: int, app: str, tool: str, arguments: Mapping[str, Any], events: Sequence[Event]) -> bool:
    """Whether the disturbance has met the same call before."""
    return any(
        isinstance(event, CallRecord)
        and event.disturbance is not None
        and event.disturbance.index == index
        and (event.app, event.tool, event.arguments) == (app, tool, arguments)
        for event in events
    )


def _followed(
    steps: Sequence[CallRecord | HandOver],
    then: Disturbing | None,
    n: int,
    app: str,
    tool: Tool,
    arguments: Mapping[str, Any],
    events: Sequence[Event],
) -> Disturbed | None:
    if n < len(steps):
        step = steps[n]
        return step.disturbance if isinstance(step, CallRecord) else None
    return then(n, app, tool, arguments, events) if then else None
