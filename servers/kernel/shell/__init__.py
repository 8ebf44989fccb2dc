"""A shell for apps whose files are rows: what a script prints, and what it changes.

`run` asks a child process, in which bashkit interprets the script over files in its memory. It knows no app and writes
no row: whoever calls has files as `Nodes`, and makes rows of what has changed.
"""

from servers.kernel.shell.running import CHARACTERS, SECONDS, STOPPED, Ran, run
from servers.kernel.shell.tree import BASHKIT, ROOT, Files, Limits, Nodes, coded, decoded, key, misfit, usual_mode

__all__ = (
    "BASHKIT",
    "CHARACTERS",
    "ROOT",
    "SECONDS",
    "STOPPED",
    "Files",
    "Limits",
    "Nodes",
    "Ran",
    "coded",
    "decoded",
    "key",
    "misfit",
    "run",
    "usual_mode",
)
