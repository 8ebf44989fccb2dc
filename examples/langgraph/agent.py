"""A LangGraph agent that works in a sandbox of the harness.

    python agent.py MCP_CONFIG SYSTEM REQUEST MODEL

MCP_CONFIG is a file `{"mcpServers": {"gmail": {"type": "http", "url": ...}, ...}}`, SYSTEM what the agent is told
besides. The model is asked for chat completions at OPENAI_BASE_URL with OPENAI_API_KEY. README.md says how to run it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage, SystemMessage
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

STEPS = 400
"""More than a task needs: the harness holds the budget."""


async def work(entries: dict[str, dict[str, str]], system: str, request: str, model: str) -> str:
    """Play the request to its end with the servers of those entries; the agent's last words."""
    apps = MultiServerMCPClient(
        {app: {"transport": "http", "url": entry["url"]} for app, entry in entries.items()}, tool_name_prefix=True
    )
    tools = await apps.get_tools()
    # Without parallel calls: the tool node would run those of one reply all at once.
    mind = ChatOpenAI(model=model).bind_tools(tools, parallel_tool_calls=False)

    async def think(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await mind.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("think", think)
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "think")
    graph.add_conditional_edges("think", tools_condition)
    graph.add_edge("tools", "think")
    told = {"messages": [SystemMessage(system), HumanMessage(request)]}
    done = await graph.compile().ainvoke(told, {"recursion_limit": STEPS})
    return str(done["messages"][-1].text)


if __name__ == "__main__":
    config = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    sys.stdout.write(asyncio.run(work(config["mcpServers"], *sys.argv[2:])) + "\n")
