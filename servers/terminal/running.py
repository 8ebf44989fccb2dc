"""A script run over the rows of a sandbox: the shell in the child process runs it, and what it changed becomes rows."""

from __future__ import annotations

from datetime import datetime
from importlib.util import find_spec
from typing import Any, Final

from servers.kernel import Child, ChildBroken, ChildLost, Rejected, State, bounded, insist
from servers.terminal.nodes import ROOT, Files, Node, files, key

__all__ = ("CHARACTERS", "SECONDS", "STOPPED", "printed", "run")

CHARACTERS: Final = 4_000
"""Characters of output that are shown."""

SECONDS: Final = 5.0
"""How long a script may run."""

STOPPED: Final = f"The script was stopped after {SECONDS:g} seconds"
"""How an error begins that depends on how fast the machine is."""

_TIMEOUT: Final = " timeout ("
"""How the shell says in the reason for a stop that the time was up."""

_SCRIPT: Final = 20_000
_SHELL: Final = Child("servers.terminal.shell:run")
"""The shell of this process, for all its sandboxes: started with the first script, and rebuilt from rows when lost."""

_SLACK: Final = 2.0
"""Seconds after which the child is killed where the shell itself did not stop in time: inside one long command."""


_MISSING: Final = "the app terminal needs bashkit, which is not installed: pip install 'workplace-harness[drift]'"


def run(state: State, script: str) -> str:
    """What the script prints. Its changes to files are in the rows, all of them.

    Raises `Rejected`, with nothing changed, where it was stopped or left what no row can hold, `ChildBroken` where
    there is no shell.
    """
    bounded(_SCRIPT, script=script)
    if "\0" in script:
        raise Rejected("script holds a NUL character, which bash cannot read.")
    found = state.derived(files)
    reply = _asked(found, script, state.now)
    if why := reply.get("refused"):
        raise Rejected(why)
    for path, node in reply["changed"].items():
        _apply(state, found, path, node)
    if reply["changed"]:
        after = {path: node for path, node in (found.nodes | reply["changed"]).items() if node is not None}
        state.derived(files, known=Files(after, reply["key"]))  # to read them again would cost more than the script
    return _shown(reply["printed"], reply["status"], reply["elsewhere"])


def printed(nodes: dict[str, dict[str, Any]], script: str, now: datetime) -> str:
    """All that a script prints over these nodes, path -> node as JSON values; what it changes is lost.

    Raises `Rejected` where it was stopped, `ChildBroken` where there is no shell.
    """
    reply = _asked(Files(nodes, key(nodes)), script, now)
    if why := reply.get("refused"):
        raise Rejected(why)
    return str(reply["printed"])


def _asked(found: Files, script: str, now: datetime) -> dict[str, Any]:
    """The child's reply; it is told the files where it does not know them, and everything again if it was lost."""
    request = {"key": found.key, "script": script, "now": now.isoformat()}

    def asked(**more: Any) -> dict[str, Any]:
        reply: dict[str, Any] = _SHELL.ask({**request, **more}, seconds=SECONDS + _SLACK)
        return reply

    def run() -> dict[str, Any]:
        reply = asked(nodes=None)
        return asked(nodes=found.nodes) if reply.get("unknown") else reply

    try:
        reply = insist(run, lambda: asked(script="true", nodes=found.nodes), "the shell ends whatever it runs")
        return (
            {**reply, "refused": f"{STOPPED}. Nothing was changed."} if _TIMEOUT in reply.get("refused", "") else reply
        )
    except ChildLost as lost:
        if lost.timed_out:
            raise Rejected(f"{STOPPED}. Nothing was changed.") from None
        raise Rejected(
            "The shell broke down under this script, twice; it may need too much memory. Nothing was changed. Do the "
            "same in smaller steps."
        ) from None
    except ChildBroken as broken:
        if find_spec("bashkit"):
            raise
        raise ChildBroken(_MISSING) from broken


def _apply(state: State, found: Files, path: str, node: dict[str, Any] | None) -> None:
    if node is not None:
        row = Node.from_json({"id": path, **node})
        (state.save if path in found.nodes else state.add)(row)
    elif path in found.nodes:  # a directory above a file may have no row
        state.delete(Node.from_json({"id": path, **found.nodes[path]}))


def _shown(printed: str, status: int, elsewhere: list[str]) -> str:
    """Output as a terminal shows it, cut to `CHARACTERS`, and below it, in brackets, what a terminal would not say."""
    lines = [printed[:CHARACTERS].rstrip("\n")] if printed else []
    left = len(printed) - CHARACTERS
    if left > 0:
        lines.append(f"[{left:,} of {len(printed):,} characters are cut off here; print less, with head or grep]")
    if elsewhere:
        lines.append(f"[not kept, since only files below {ROOT} are: {', '.join(elsewhere)}]")
    if status:
        lines.append(f"[exit status {status}]")
    return "\n".join(lines) or "[no output]"
