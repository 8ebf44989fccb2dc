"""The four clients: where each keeps its servers, under which key, and what an entry looks like."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from harness.connect.problem import ConnectProblem

__all__ = ("CLIENTS", "Client", "Machine", "Place", "here")

System = Literal["windows", "macos", "linux"]


class Machine(NamedTuple):
    """What a file's location depends on."""

    system: System
    home: Path
    environment: Mapping[str, str]
    folder: Path  #: the project that the client is used in


class Place(NamedTuple):
    """A file and the objects in it that hold servers, each as the keys that lead there."""

    file: Path
    keys: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class Client:
    """One MCP client."""

    name: str
    title: str
    key: str = "mcpServers"
    comments: bool = False  #: whether its file may hold comments and trailing commas
    fixed: tuple[tuple[str, str], ...] = ()  #: what every entry begins with
    after: str  #: what a person does next

    def entry(self, command: list[str]) -> dict[str, Any]:
        """The entry of a server that this command starts."""
        return {**dict(self.fixed), "command": command[0], "args": command[1:]}

    def file(self, machine: Machine) -> Path:
        """The file that holds this person's servers, or with Claude Code this project's.

        Raises `ConnectProblem` where there are several and nothing tells them apart.
        """
        match self.name:
            case "claude-desktop":
                return _claude_desktop(machine) / "claude_desktop_config.json"
            case "claude-code":
                return machine.folder / ".mcp.json"
            case "cursor":
                return machine.home / ".cursor" / "mcp.json"
            case _:
                return _roaming(machine) / "Code" / "User" / "mcp.json"

    def places(self, machine: Machine) -> list[Place]:
        """The files that this client takes servers from, as far as files say, whichever is written to."""
        folder, shared = machine.folder, ((self.key,),)
        match self.name:
            case "claude-desktop":
                return []  # but its one file, of which there may be too many to tell
            case "claude-code":
                settings = Path(machine.environment.get("CLAUDE_CONFIG_DIR") or machine.home) / ".claude.json"
                local = ("projects", folder.as_posix(), self.key)
                return [Place(self.file(machine), shared), Place(settings, (*shared, local))]
            case "cursor":
                return [Place(self.file(machine), shared), Place(folder / ".cursor" / "mcp.json", shared)]
            case _:
                portable = Place(folder / ".mcp.json", (("mcpServers",),))
                return [Place(self.file(machine), shared), Place(folder / ".vscode" / "mcp.json", shared), portable]


CLIENTS = {
    client.name: client
    for client in (
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            after="Quit Claude Desktop and start it again.",
        ),
        Client(
            name="claude-code",
            title="Claude Code",
            after="Start `claude` in that folder and approve the servers.",
        ),
        Client(
            name="cursor",
            title="Cursor",
            after="Turn the servers on under Settings, MCP.",
        ),
        Client(
            name="vscode",
            title="VS Code",
            key="servers",
            comments=True,
            fixed=(("type", "stdio"),),
            after="Start the servers with the command MCP: List Servers.",
        ),
    )
}


def here() -> Machine:
    """This machine, and the current folder. Raises `ConnectProblem` where nobody says which home folder it has."""
    system: System = {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")  # type: ignore[assignment]
    try:
        return Machine(system, Path.home(), os.environ, Path.cwd())
    except RuntimeError:
        raise ConnectProblem("This user has no home folder that the system knows: set HOME.") from None


def _roaming(machine: Machine) -> Path:
    """Where desktop programs keep settings."""
    environment, home = machine.environment, machine.home
    match machine.system:
        case "windows":
            return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
        case "macos":
            return home / "Library" / "Application Support"
        case "linux":
            return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")


def _claude_desktop(machine: Machine) -> Path:
    """Claude Desktop's folder. Windows shows an installed package (MSIX) a private copy of the roaming folder."""
    plain = _roaming(machine) / "Claude"
    if machine.system != "windows":
        return plain
    local = Path(machine.environment.get("LOCALAPPDATA") or machine.home / "AppData" / "Local")
    inside = Path("LocalCache") / "Roaming" / "Claude"
    packages = sorted(package / inside for package in (local / "Packages").glob("Claude_*"))
    used = [folder for folder in packages if (folder / "claude_desktop_config.json").exists()] or packages
    if len(used) > 1:
        found = ", ".join(str(folder) for folder in used)
        raise ConnectProblem(f"Claude Desktop is installed more than once: {found}. Name the file with --config.")
    return used[0] if used else plain
