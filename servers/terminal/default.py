"""The surface of the terminal: one tool that runs a script."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from servers.kernel import State
from servers.kernel.shell import BASHKIT
from servers.terminal.nodes import app
from servers.terminal.running import run

__all__ = ("default",)

default = app.toolset(
    "default",
    "A terminal over the files of {owner}: `run_shell` runs bash scripts. Nobody is there to confirm anything: what a "
    "script removes or overwrites is gone.",
    structured=False,
    needs=BASHKIT,
)


@default.writes(destructive=True)
def run_shell(
    state: State,
    script: Annotated[str, Field(description="A bash script, of one line or several.")],
) -> str:
    """Run a bash script and return what it prints, as a terminal shows it, errors and a failing exit status included.

    Every call is a new shell that starts in /workspace. Files below it are kept from call to call; nothing else is: not
    the working directory, variables or functions, and no files elsewhere, such as in /tmp. Permissions are kept but not
    enforced, and files carry no times of their own. The common commands are there (ls, cat, grep, sed, awk, find, sort,
    jq, diff, gzip); there is no network and no Python, and nothing can be installed. A script may run 20,000 commands
    and take 5 seconds; one that is stopped has changed nothing. Of a long output the first 4,000 characters are shown.
    """
    return run(state, script)
