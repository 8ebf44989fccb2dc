"""The surface `pi` with a shell, the eighth of the General rows of pi-Bench's table: for those who name it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.filesystem.pi import pi
from servers.filesystem.scripts import run
from servers.filesystem.tables import app
from servers.kernel import State
from servers.kernel.shell import BASHKIT

__all__ = ("pi_shell",)

pi_shell = app.toolset("pi_shell", pi.instructions, structured=False, needs=BASHKIT)
pi_shell.tools.update(pi.tools)


@pi_shell.writes(destructive=True)
def shell_exec(
    state: State,
    command: Annotated[str, Field(description="A bash command, or a script of several lines.")],
) -> str:
    """Run a bash command over the files in /workspace and return what it prints, errors and exit status included.

    Every call is a new shell that starts in /workspace. Files and directories below it are kept from call to call;
    nothing else is: no permissions, links, times, variables or files elsewhere. Permissions are not enforced. Homes are
    not there. The common commands are (ls, cat, grep, sed, awk, find, sort, jq, diff, gzip); there is no network and no
    Python, and nothing can be installed. `date` shows the local time, though it calls it UTC. A call may run 20,000
    commands and take 5 seconds; one that is stopped, or leaves what cannot be kept, has changed nothing. Of a long
    output the first 4,000 characters are shown.
    """
    return run(state, command)
