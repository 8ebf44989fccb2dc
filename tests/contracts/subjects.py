"""What the contract tests run over: every app of the catalogue, in the world of the contract tests."""

from __future__ import annotations

from functools import cache

import pytest

from harness.contracts.ground import Ground
from servers import catalog
from servers.kernel import Tool, Toolset
from tests.contracts.world import contract_world

__all__ = ("every_id", "every_tool", "every_toolset", "ground")


@cache
def ground() -> Ground:
    """The contract world, to try calls in."""
    return Ground(contract_world())


def surfaces() -> list[Toolset]:
    """Every toolset of every app."""
    return [toolset for app in catalog.apps().values() for toolset in app.toolsets.values()]


def tools() -> list[Tool]:
    """Every tool of every toolset."""
    return [tool for toolset in surfaces() for tool in toolset.tools.values()]


def _tool(tool: Tool) -> str:
    return f"{tool.app}.{tool.name}"


every_toolset = pytest.mark.parametrize("toolset", surfaces(), ids=lambda toolset: f"{toolset.app.name}/{toolset.name}")
every_tool = pytest.mark.parametrize("tool", tools(), ids=_tool)
every_id = pytest.mark.parametrize("tool", [tool for tool in tools() if tool.refs], ids=_tool)
