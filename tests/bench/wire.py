"""Calls as an agent makes them: through an MCP client and server in this process, recorded."""

from __future__ import annotations

from collections.abc import Iterator

import anyio

from harness.serving.sandbox import Sandbox
from harness.serving.serve import call, connect
from servers.gmail import app
from servers.kernel import Engine
from tests.bench.mailbox import WORDS, mail_id, mailbox
from tests.bench.timing import Figure, Timed, timed_async

__all__ = ("figures",)


async def _measure(mails: int) -> dict[str, Timed]:
    engine = Engine()
    base = engine.load(mailbox(mails))
    toolsets = {"gmail": app.toolset("workbench")}

    async def opened(_: int) -> None:
        async with connect(Sandbox(engine.layer(base), toolsets), "gmail"):
            pass

    async with connect(Sandbox(engine.layer(base), toolsets), "gmail") as client:

        async def read(number: int) -> None:
            await call(client, "get_email_information_by_id", {"email_id": mail_id(number), "field": "subject"})

        async def add(number: int) -> None:
            arguments = {"recipient": "a@example.test", "subject": f"hello {number}", "body": "hi"}
            await call(client, "send_email", arguments)

        async def delete(number: int) -> None:
            await call(client, "delete_email", {"email_id": mail_id(number + 250)})

        async def search(number: int) -> None:
            base.answers.clear()
            await call(client, "search_emails", {"query": WORDS[number % len(WORDS)]})

        await read(499)
        return {
            "new sandbox, connected and closed": await timed_async(opened),
            "keyed read, row not read before": await timed_async(read),
            "keyed read, row read before": await timed_async(read),
            "search, table untouched": await timed_async(search, times=60),
            "add a row": await timed_async(add),
            "delete a row not read before": await timed_async(delete),
            "search, table touched": await timed_async(search, times=60),
        }


def figures() -> Iterator[Figure]:
    """No JSON is framed and no process crossed: see `docs/performance.md`."""
    for mails in (500, 50_000):
        for what, found in anyio.run(_measure, mails).items():
            target = "" if "search" in what or "connected" in what else "1.5 ms"
            yield found.figure(what, f"{mails:,} mails, in-process MCP", target)
