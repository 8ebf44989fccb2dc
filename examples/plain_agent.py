"""A whole agent without a model: it reads a request, finds rows through MCP tools and changes them.

    python plain_agent.py MCP_CONFIG REQUEST

MCP_CONFIG is a file as Claude Code and others take it, `{"mcpServers": {"gmail": {"type": "http", "url": ...}}}`. It
understands two sorts of requests of the suite `workbench-synth`, "send a mail" and "delete a customer", and says of
any other that it does not. `examples/plain_agent.yaml` plays them: `harness eval examples/plain_agent.yaml`.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

from mcp.client.client import Client

MAIL = (
    r'a mail with the subject "(?P<subject>[^"]+)" to (?P<who>\w+), saying "(?P<body>[^"]+)"',
    r'Let (?P<who>\w+) know by mail under the subject "(?P<subject>[^"]+)": "(?P<body>[^"]+)"',
    r'go out to (?P<who>\w+) today: a mail with the subject "(?P<subject>[^"]+)" that says "(?P<body>[^"]+)"',
)
CUSTOMER = (
    r"Delete (?P<who>\w+ \w+) from the CRM",
    r"an entry for (?P<who>\w+ \w+) in the CRM. Please delete it",
    r"no longer work with (?P<who>\w+ \w+), so delete their record",
)


class Apps:
    """The apps of a session; each call has a connection of its own."""

    def __init__(self, config: Path) -> None:
        self._servers = json.loads(config.read_text(encoding="utf-8"))["mcpServers"]

    async def call(self, app: str, tool: str, **arguments: Any) -> Any:
        """What a tool gave back. Raises RuntimeError with its words where it refused."""
        async with Client(self._servers[app]["url"]) as client:
            result = await client.call_tool(tool, arguments)
        if result.is_error:
            raise RuntimeError(f"{app}.{tool}: {result.content}")
        return (result.structured_content or {}).get("result")


async def work(apps: Apps, request: str) -> str:
    """Do what is asked for; what there is to say about it."""
    if asked := find(MAIL, request):
        (address, *others) = await apps.call("directory", "find_email_address", name=asked["who"])
        if others:
            return f"There are several people called {asked['who']}."
        await apps.call("gmail", "send_email", recipient=address, subject=asked["subject"], body=asked["body"])
        return f"I sent the mail to {address}."
    if asked := find(CUSTOMER, request):
        rows = await apps.call("crm", "search_customers", customer_name=asked["who"])
        if len(rows) != 1:
            return f"{len(rows)} customers are called {asked['who']}, so I deleted none."
        await apps.call("crm", "delete_customer", customer_id=rows[0]["customer_id"])
        return f"I deleted {asked['who']}."
    return "I do not understand this request."


def find(patterns: tuple[str, ...], request: str) -> dict[str, str]:
    """The parts of the first pattern that the request holds; empty if it holds none."""
    found = (re.search(pattern, request) for pattern in patterns)
    return next((match.groupdict() for match in found if match), {})


if __name__ == "__main__":
    sys.stdout.write(asyncio.run(work(Apps(Path(sys.argv[1])), sys.argv[2])) + "\n")
