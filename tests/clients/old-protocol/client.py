"""LangChain's adapter, an MCP client of the 1.x SDK: plays calls on the one server of a client config.

Usage: python client.py CONFIG CALLS, the latter as JSON: [{"name": ..., "arguments": {...}}, ...]
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools


async def use(config: dict[str, Any], calls: list[dict[str, Any]]) -> dict[str, Any]:
    ((app, entry),) = config["mcpServers"].items()
    entry = {key: value for key, value in entry.items() if key != "type"}
    apps = MultiServerMCPClient({app: {"transport": "http" if "url" in entry else "stdio", **entry}})
    async with apps.session(app, auto_initialize=False) as session:
        hello = await session.initialize()
        tools = {tool.name: tool for tool in await load_mcp_tools(session)}
        asked = [{"type": "tool_call", "id": "1", "args": call["arguments"], **call} for call in calls]
        done = [await tools[call["name"]].ainvoke(call) for call in asked]
        results = [
            {
                "error": message.status == "error",
                "data": (message.artifact or {}).get("structured_content"),
                "text": message.text,
            }
            for message in done
        ]
        return {"protocol": hello.protocolVersion, "tools": list(tools), "results": results}


if __name__ == "__main__":
    given = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.stdout.write(json.dumps(asyncio.run(use(given, json.loads(sys.argv[2])))))
