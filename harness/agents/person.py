"""The agent that is a person, at work in an MCP client of their own."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping

from harness.agents.desk import Desk
from harness.offer import offered
from harness.trajectory import Message

__all__ = ("PersonAgent",)


class PersonAgent:
    """Opens the session's apps over HTTP and waits.

    `show` is told what is asked for, what is said besides, and each app's URL; `wait` returns when the person is
    done, with what they have to say. `seconds` adds up what they took, from being shown a request to being done.
    """

    def __init__(
        self,
        show: Callable[[str, str, Mapping[str, str]], None],
        wait: Callable[[], Awaitable[str]],
        port: int = 0,
    ) -> None:
        self._show, self._wait, self._port = show, wait, port
        self.seconds = 0.0

    async def turn(self, desk: Desk, message: str) -> str:
        reply = ""
        desk.messages.append(Message(session=desk.session, role="user", content=message))
        async with offered(desk, self._port) as urls:
            began = time.perf_counter()
            try:
                self._show(message, f"{desk.system.strip()}\n\nIt is {desk.now:%Y-%m-%d %H:%M}.".strip(), urls)
                reply = await self._wait()
            finally:
                self.seconds += time.perf_counter() - began
        desk.messages.append(Message(session=desk.session, role="assistant", content=reply))
        return reply
