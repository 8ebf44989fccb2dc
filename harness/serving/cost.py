"""What the definitions of tools cost: whoever talks to a model with an app pays for them in every conversation."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import NamedTuple

from servers.kernel import App, Toolset

__all__ = ("BYTES_PER_TOKEN", "CORE", "Cost", "core", "cost", "definitions")

BYTES_PER_TOKEN = 4
"""The rule of thumb of the estimate; tokenizers differ, by about a quarter either way on such text."""

CORE = ("gmail", "calendar", "todoist", "crm", "chat", "filesystem", "ask_user")
"""Apps that make an office together, those of them that there are. A test holds their default toolsets to a budget."""


class Cost(NamedTuple):
    """Of one toolset, or of several together: how many tools, and the bytes of the JSON that models read of them."""

    tools: int
    bytes: int

    @property
    def tokens(self) -> int:
        """About how many tokens that is, without a tokenizer: the bytes divided by `BYTES_PER_TOKEN`, rounded up."""
        return math.ceil(self.bytes / BYTES_PER_TOKEN)


def cost(*toolsets: Toolset) -> Cost:
    """What these toolsets cost a conversation that has them all."""
    return Cost(
        tools=sum(len(toolset.tools) for toolset in toolsets),
        bytes=sum(len(definitions(toolset).encode()) for toolset in toolsets),
    )


def definitions(toolset: Toolset) -> str:
    """The tools of a toolset as a model reads them, in JSON: name, description and what goes in.

    What else clients get in answer to `tools/list` (hints, what comes out) they keep to themselves.
    """
    tools = [
        {"name": tool.shown, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in toolset.tools.values()
    ]
    return json.dumps(tools, separators=(",", ":"), ensure_ascii=False)


def core(apps: Iterable[App]) -> list[Toolset]:
    """The default toolsets of the core apps among these."""
    return [app.default for app in apps if app.name in CORE]
