"""Filesystem: files and directories below `/workspace`, with the tools of the MCP reference server of that name.

Names, arguments and meaning of the tools are those of `@modelcontextprotocol/server-filesystem` (2026.8), without its
deprecated `read_file`. Files are rows: no tool reads or writes a file of the machine. `docs/filesystem.md` lists
departures: stricter paths, limits on what one result shows, no ambiguity in case. The surface `pi` has the tools of
pi-Bench, over the same rows, and `pi_shell` runs scripts over them too, for which it needs the extra `drift`.
"""

from servers.filesystem import default, pi, pi_shell
from servers.filesystem.entries import Entry
from servers.filesystem.tables import app

__all__ = ("Entry", "app", "default", "pi", "pi_shell")
