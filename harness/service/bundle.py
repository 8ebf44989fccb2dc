"""Several apps as one MCP server, their tools named `<app>_<tool>`, and whatever they have to be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.core.trajectory import CallRecord
from harness.serving.person import Caller
from harness.serving.sandbox import Sandbox
from servers.kernel import App, Picture, Resource, Toolset, UnknownTool, prefixed

__all__ = ("NAME", "Bundle")

NAME = "workplace"
"""What the server of several apps is called."""


class Bundle(Sandbox):
    """Sandboxes, one per app, behind one server; from then on what their tools say names tools as they are named here.

    Each call goes on to the app's own sandbox under the app's own names, so records keep app and tool apart.
    """

    def __init__(self, sandboxes: Mapping[str, Sandbox]) -> None:
        self._sandboxes = sandboxes
        self._behind: dict[str, tuple[str, str]] = {}
        parts = [prefixed(sandbox.toolsets[app]) for app, sandbox in sandboxes.items()]
        for sandbox, part in zip(sandboxes.values(), parts, strict=True):
            sandbox.toolsets = {**sandbox.toolsets, part.app.name: part}
        about = "\n\n".join(f"Tools that start with `{part.app.name}_`: {part.instructions}" for part in parts)
        reads = (lambda _: self.resources(NAME).values()) if any(part.app.resources for part in parts) else None
        surface = Toolset(App(NAME, about, resources=reads), "prefixed")
        for part in parts:
            for tool in part.tools.values():
                surface.tools[tool.shown] = tool
                self._behind[tool.shown] = (part.app.name, tool.name)
        first = next(iter(sandboxes.values()))
        super().__init__(first.layer, {NAME: surface}, listener=first._listener)

    def resources(self, app: str) -> dict[str, Resource]:
        return {uri: each for name, box in self._sandboxes.items() for uri, each in box.resources(name).items()}

    async def show(
        self, app: str, tool: str, arguments: Mapping[str, Any], caller: Caller | None = None
    ) -> tuple[CallRecord, Picture | None]:
        if tool not in self._behind:
            unknown = self.untaken(tool, arguments)
            return unknown or self.record("", tool, arguments, "unknown", str(UnknownTool(tool, self._behind))), None
        app, name = self._behind[tool]
        return await self._sandboxes[app].show(app, name, arguments, caller)
