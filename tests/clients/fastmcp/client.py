"""fastmcp's client: connects to the one server of an MCP client config, plays calls, prints what came of it.

Usage: python client.py CONFIG CALLS, the latter as JSON: [{"name": ..., "arguments": {...}}, ...]
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from fastmcp import Client


async def use(config: dict[str, Any], calls: list[dict[str, Any]]) -> dict[str, Any]:
    async with Client(config) as client:
        tools = [tool.name for tool in await client.list_tools()]
        done = [await client.call_tool(call["name"], call["arguments"], raise_on_error=False) for call in calls]
        results = [
            {
                "error": result.is_error,
                "data": result.structured_content,
                "text": "".join(block.text for block in result.content),
            }
            for result in done
        ]
        return {"protocol": client.protocol_version, "tools": tools, "results": results}


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.stdout.write(json.dumps(asyncio.run(use(given, json.loads(sys.argv[2])))))
