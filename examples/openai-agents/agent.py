"""An agent of the OpenAI Agents SDK that works in a sandbox of the harness.

    python agent.py MCP_CONFIG SYSTEM REQUEST MODEL

MCP_CONFIG is a file `{"mcpServers": {"gmail": {"type": "http", "url": ...}, ...}}`, SYSTEM what the agent is told
besides. The model is asked for chat completions at OPENAI_BASE_URL with OPENAI_API_KEY. README.md says how to run it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from agents import Agent, AsyncOpenAI, ModelSettings, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerManager, MCPServerStreamableHttp

TURNS = 200
"""More than a task needs: the harness holds the budget."""


async def work(entries: dict[str, dict[str, str]], system: str, request: str, model: str) -> str:
    """Play the request to its end with the servers of those entries; the agent's last words."""
    servers = [
        MCPServerStreamableHttp(
            {"url": entry["url"]}, name=app, cache_tools_list=True, client_session_timeout_seconds=60
        )
        for app, entry in entries.items()
    ]
    async with MCPServerManager(servers, strict=True) as apps:
        agent = Agent(
            name="clerk",
            instructions=system,
            model=OpenAIChatCompletionsModel(model, AsyncOpenAI()),
            model_settings=ModelSettings(parallel_tool_calls=False),  # calls of one reply would run all at once
            mcp_servers=apps.active_servers,
            mcp_config={"include_server_in_tool_names": True},
        )
        result = await Runner.run(agent, request, max_turns=TURNS)
    return str(result.final_output)


if __name__ == "__main__":
    set_tracing_disabled(True)  # else the SDK sends every run to its maker's service
    config = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.stdout.write(asyncio.run(work(config["mcpServers"], *sys.argv[2:])) + "\n")
