"""The wire surface of an app as text for review: a change to what models read shows as a diff of it."""

from __future__ import annotations

import json

from servers.kernel import App

__all__ = ("surface",)


def surface(app: App) -> str:
    """What clients are told about an app, as JSON text."""
    toolsets = {
        toolset.name: {
            tool.name: {
                "kind": tool.kind,
                "destructive": tool.destructive,
                "idempotent": tool.idempotent,
                "description": tool.description.splitlines(),
                "input": tool.input_schema,
                **({"output": tool.output_schema} if tool.structured else {}),
            }
            for tool in toolset.tools.values()
        }
        for toolset in app.toolsets.values()
    }
    own = {name: each.instructions for name, each in app.toolsets.items() if each.instructions != app.instructions}
    body = {"instructions": app.instructions, **({"own_instructions": own} if own else {}), "toolsets": toolsets}
    return json.dumps(body, indent=2, ensure_ascii=False) + "\n"
