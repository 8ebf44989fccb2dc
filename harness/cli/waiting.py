"""What `harness play` and `harness fork` show a person, and how they wait for one."""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from harness.cli.saying import say

if TYPE_CHECKING:
    from harness.cli.terminal import Terminal

__all__ = ("for_a_line", "show_entry")


def show_entry(urls: Mapping[str, str]) -> None:
    """How to connect: the URL of each app, and an entry that MCP clients take."""
    from harness.serving.offer import client_config

    say("Connect any MCP client over streamable HTTP:")
    for app, url in urls.items():
        say(f"  {app:<12} {url}")
    say(f"\nAs an entry for a client's file:\n{json.dumps(client_config(urls, 'sandbox-'), indent=2)}\n")


async def for_a_line(terminal: Terminal | None = None) -> str:
    """The next line of standard input, without its end; empty at the end of input, at Ctrl-C or at SIGTERM.

    With a `terminal`, lines that answer its questions go there.
    """
    import asyncio

    loop, heard = asyncio.get_running_loop(), asyncio.Event()
    line = ""

    def read() -> None:
        nonlocal line
        line = sys.stdin.readline().rstrip("\n")
        tell()

    def tell(*_: Any) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(heard.set)

    async def listen(there: Terminal) -> None:
        nonlocal line
        line = await there.line()
        heard.set()

    listening = asyncio.ensure_future(listen(terminal)) if terminal else None
    if listening is None:
        # A daemon thread, since nothing else can leave off reading; asyncio's own signal handlers are not on Windows.
        threading.Thread(target=read, daemon=True).start()
    before = {number: signal.signal(number, tell) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        await heard.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if listening:
            listening.cancel()
    return line
