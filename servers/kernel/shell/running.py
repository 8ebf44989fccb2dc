"""A script run over files: the shell in the child process runs it, and says what it printed and changed."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final, NamedTuple

from servers.kernel.child import Child, ChildBroken, ChildLost, insist
from servers.kernel.errors import Rejected
from servers.kernel.shell.misread import misread
from servers.kernel.shell.tree import BASHKIT, ROOT, Files, Limits, Nodes
from servers.kernel.texts import bounded

__all__ = ("CHARACTERS", "SECONDS", "STOPPED", "Ran", "run")

CHARACTERS: Final = 4_000
"""Characters of output that are shown."""

SECONDS: Final = 5.0
"""How long a script may run."""

STOPPED: Final = f"The script was stopped after {SECONDS:g} seconds"
"""How an error begins that depends on how fast the machine is."""

_TIMEOUT: Final = " timeout ("
"""How the shell says in the reason for a stop that the time was up."""

_SCRIPT: Final = 20_000
_SHELL: Final = Child("servers.kernel.shell.bash:run")
"""The shell of this process, for all its sandboxes: started with the first script, and rebuilt from rows when lost."""

_SLACK: Final = 2.0
"""Seconds after which the child is killed where the shell itself did not stop in time: inside one long command."""


class Ran(NamedTuple):
    """What came of a script: all that it `printed`, the same as it is `shown`, and the files as they are now.

    `changed` has path -> node for what it added or rewrote, None for what is gone; directories before what is in them.
    """

    printed: str
    shown: str
    changed: dict[str, dict[str, Any] | None]
    files: Files


def run(files: Files, script: str, now: datetime, limits: Limits, *, called: str = "script") -> Ran:
    """Run a bash script over those files at that moment; `called` is what errors call it.

    Raises `Rejected` where it would be misread, was stopped or left what cannot be kept, `ChildBroken` without a shell.
    """
    bounded(_SCRIPT, **{called: script})
    if "\0" in script:
        raise Rejected(f"{called} holds a NUL character, which bash cannot read.")
    if wrong := misread(script):
        raise Rejected(f"bash: {wrong}. Nothing was run.")
    reply = _asked(files, script, now, limits)
    if why := reply.get("refused"):
        raise Rejected(why)
    changed, after = reply["changed"], files
    if changed:
        nodes: Nodes = {path: node for path, node in (files.nodes | changed).items() if node is not None}
        after = Files(nodes, reply["key"])
    return Ran(reply["printed"], _shown(reply["printed"], reply["status"], reply["elsewhere"]), changed, after)


def _asked(files: Files, script: str, now: datetime, limits: Limits) -> dict[str, Any]:
    """The child's reply; it is told the files where it does not know them, and everything again if it was lost."""
    request = {"key": files.key, "script": script, "now": now.isoformat(), "limits": limits}

    def asked(**more: Any) -> dict[str, Any]:
        reply: dict[str, Any] = _SHELL.ask({**request, **more}, seconds=SECONDS + _SLACK)
        return reply

    def run() -> dict[str, Any]:
        reply = asked(nodes=None)
        return asked(nodes=files.nodes) if reply.get("unknown") else reply

    try:
        reply = insist(run, lambda: asked(script="true", nodes=files.nodes), "the shell ends whatever it runs")
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
        if lacking := BASHKIT.lacking:
            raise ChildBroken(f"the shell {lacking}") from broken
        raise


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
