"""The reference solution of a task: a script that calls endpoints as somebody does who knows the services by heart.

It starts from the words of a request (`finding`) and goes by what the services answer, so that what it finds is found
apart from a template's truth, which looks at rows. A call that meets an outage is made again; which ones do is the same
whenever it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from benchmarks.drift.apis import worlds
from benchmarks.drift.template import Declined, Rows
from harness.task import Call
from servers.apis import app, called, flattened
from servers.kernel import Base, Engine, Layer

__all__ = ("Path", "Play", "flat", "solved")


class Play:
    """Calls through the gateway, kept in `calls`. `rows` are for what people call things, and for nothing else."""

    def __init__(self, world: str, rows: Rows) -> None:
        self.rows = rows
        self._layer = Layer(_base(world))
        self.calls: list[Call] = []

    def __call__(self, service: str, endpoint: str, **arguments: Any) -> dict[str, Any]:
        """The body of the answer. Raises `Declined` for an error other than an outage, which is tried again once."""
        call = {"service": service, "endpoint": endpoint, "arguments": arguments}
        for _ in range(2):
            self.calls.append(Call(app="apis", tool="call_endpoint", arguments=call))
            given = app.default.tool("call_endpoint").call(self._layer.state(app), call).data
            if given["status"] != 503:
                break
        if "body" not in given:
            raise Declined(f"{service}.{endpoint}({arguments}): {given}")
        body: dict[str, Any] = given["body"]
        return body

    def items(self, service: str, endpoint: str, **arguments: Any) -> list[dict[str, Any]]:
        """The rows that a search finds."""
        found: list[dict[str, Any]] = self(service, endpoint, **arguments)["items"]
        return found

    def answer(self, *answers: Any) -> None:
        """Hand in what was found."""
        texts = [str(each) for each in answers]
        self.calls.append(Call(app="answer", tool="submit_answer", arguments={"answers": texts}))

    def close(self) -> None:
        self._layer.close()


Path: TypeAlias = Callable[[Play, Mapping[str, Any]], None]
"""(calls, slot -> value) -> nothing: it makes the calls."""


def solved(world: str, path: Path) -> Callable[[Rows, Mapping[str, Any]], Sequence[Call]]:
    """What a template takes as `solve`: the calls that the path makes in that world."""

    def solve(rows: Rows, values: Mapping[str, Any]) -> Sequence[Call]:
        play = Play(world, rows)
        try:
            path(play, values)
        finally:
            play.close()
        return tuple(play.calls)

    return solve


def flat(calls: Sequence[Call]) -> tuple[Call, ...]:
    """The same calls through the toolset `flat`; calls of other apps stay."""
    return tuple(_flat(call) for call in calls)


def _flat(call: Call) -> Call:
    found = called(call.tool, call.arguments) if call.app == "apis" else None
    return call.model_copy(update={"tool": flattened(found), "arguments": dict(found.arguments)}) if found else call


@cache
def _base(world: str) -> Base:
    return Engine().load(worlds.world(world))
