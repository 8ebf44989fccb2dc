"""A program as a command agent: sends the calls of a seed as raw bodies, in the manner of either protocol era.

Its arguments are the MCP client config, and the seed and the number of calls as the request has them.
"""

from __future__ import annotations

import http.client
import json
import sys
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.hostile.calls import SIZES, Call, Tool, drawn

MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "hostile", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def main(config: str, request: str) -> None:
    seed, count = request.split()
    servers = json.loads(Path(config).read_text(encoding="utf-8"))["mcpServers"]
    wires = [Wire(server["url"]) for server in servers.values()]
    random = Random(seed)
    for _ in range(int(count)):
        wire = random.choice(wires)
        wire.send(drawn(random, wire.tools, wire.sizes), random)
    sys.stdout.buffer.write(b"\xed\xa0\x80 \xff\x00 done")  # half of a pair, and what is not text at all


class Wire:
    """A connection to one app."""

    def __init__(self, url: str) -> None:
        self._where = urlsplit(url)
        self._open = http.client.HTTPConnection(self._where.netloc, timeout=60)
        listed = self._post(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "tools/list"}).encode(), {})
        tools = json.loads(listed)["result"]["tools"]
        self.tools: list[Tool] = [(tool["name"], tool["inputSchema"]) for tool in tools]
        asks = {"ask_user", "clarify"} & {name for name, _ in self.tools}
        self.sizes = SIZES[:1] if asks else SIZES  # people are asked short questions

    def send(self, call: Call, random: Random) -> None:
        """One call, and whatever comes back."""
        given = f', "arguments": {call.arguments}' if call.arguments else ""
        headers = {}
        meta = ""
        name = call.name.strip('"')
        if random.random() < 0.5 and name.isascii() and name.isidentifier():  # others need an encoding of their own
            headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": name}
            meta = f', "_meta": {json.dumps(META)}'
        body = f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": {call.name}{given}{meta}}}}}'
        self._post(body.encode("utf-8", "surrogatepass"), headers)

    def _post(self, body: bytes, headers: dict[str, Any]) -> bytes:
        common = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        try:
            self._open.request("POST", self._where.path, body, {**common, **headers})
            return self._open.getresponse().read()
        except (http.client.HTTPException, ConnectionError):
            self._open.close()  # a body that is too long may be cut off
            return b""


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
