"""A script run over the rows of a sandbox: what it changed becomes rows."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from servers.kernel import State, shell
from servers.kernel.shell import Files, Nodes, key
from servers.terminal.nodes import LIMITS, Node, files

__all__ = ("printed", "run")


def run(state: State, script: str) -> str:
    """What the script prints. Its changes to files are in the rows, all of them.

    Raises `Rejected`, with nothing changed, where it was stopped or left what no row can hold, `ChildBroken` where
    there is no shell.
    """
    found = state.derived(files)
    ran = shell.run(found, script, state.now, LIMITS)
    for path, node in ran.changed.items():
        _apply(state, found, path, node)
    if ran.changed:
        state.derived(files, known=ran.files)  # to read them again would cost more than the script
    return ran.shown


def printed(nodes: Nodes, script: str, now: datetime) -> str:
    """All that a script prints over these nodes; what it changes is lost.

    Raises `Rejected` where it was stopped, `ChildBroken` where there is no shell.
    """
    return shell.run(Files(nodes, key(nodes)), script, now, LIMITS).printed


def _apply(state: State, found: Files, path: str, node: dict[str, Any] | None) -> None:
    if node is not None:
        row = Node.from_json({"id": path, **node})
        (state.save if path in found.nodes else state.add)(row)
    elif path in found.nodes:  # a directory above a file may have no row
        state.delete(Node.from_json({"id": path, **found.nodes[path]}))
