"""A server process starts without what only clients and web servers need, and loses nothing by it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SERVING = """
import sys
from harness.lean import quick_start
with quick_start():
    import harness.serve
    import harness.standalone
"""


def ran(lines: str) -> str:
    done = subprocess.run([sys.executable, "-c", SERVING + lines], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_clients_and_web_frameworks_stay_unloaded() -> None:
    heavy = ("mcp.client.client", "mcp.server.mcpserver", "httpx2", "litellm", "harness.service.client")

    assert ran(f"print([name for name in {heavy!r} if name in sys.modules])") == "[]"


def test_what_was_put_off_is_there_when_asked_for() -> None:
    lines = """
import anyio
from harness.sandbox import Sandbox
from servers import catalog
from servers.kernel import Engine
from tests.harness import toy

async def main():
    toolset = catalog.app("projects").default
    engine = Engine()
    sandbox = Sandbox(engine.layer(engine.load(toy.world())), {"projects": toolset})
    async with harness.serve.connect(sandbox, "projects") as client:
        listed = await client.list_tools()
    print(len(listed.tools) == len(toolset.tools))

anyio.run(main)
import harness.service, mcp.server
print(mcp.server.MCPServer.__name__, mcp.ClientSession.__name__, harness.service.Client.__name__)
"""

    assert ran(lines).split() == ["True", "MCPServer", "ClientSession", "Client"]


def test_models_defined_afterwards_are_built_as_ever() -> None:
    lines = "from pydantic import BaseModel; print(BaseModel.model_config, __import__('gc').isenabled())"

    assert ran(lines) == "{} True"
