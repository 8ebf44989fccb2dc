"""The app whose surfaces are made over files and directories."""

from __future__ import annotations

from servers.filesystem.entries import Entry
from servers.filesystem.paths import ROOT
from servers.kernel import Account, App, Login

__all__ = ("app",)

app = App(
    "filesystem",
    f"Read, write, move and search files. Everything is in {ROOT}; a path is absolute or relative to it, "
    "and case matters.",
    tables=(Entry, Account, Login),
)
