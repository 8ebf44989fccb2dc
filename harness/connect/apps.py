"""What a client is told about our apps: the command that starts each, where it keeps its rows, what it costs."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import platformdirs

from harness.connect.clients import Client
from harness.connect.merge import PREFIX
from harness.core.distribution import DISTRIBUTION

__all__ = ("command", "data_folder", "defaults", "entries", "tokens")


def command() -> list[str]:
    """What starts this installation from anywhere: clients know neither our environment nor our folder."""
    script = Path(sysconfig.get_path("scripts")) / ("harness.exe" if os.name == "nt" else "harness")
    if script.is_file():
        return [str(script)]
    return [sys.executable, "-P", "-m", "harness"]  # -P: a folder `harness` where the client runs is not us


def data_folder() -> Path:
    """Where sandboxes of clients are kept, each client's in a folder of its own."""
    given = os.environ.get("HARNESS_DATA")
    return (Path(given).absolute() if given else platformdirs.user_data_path(DISTRIBUTION)) / "clients"


def defaults() -> list[str]:
    """The apps that are connected when none is named: those that make an office together, for what they cost."""
    from harness.serving.cost import CORE
    from servers import catalog

    return [name for name in catalog.names() if name in CORE]


def entries(client: Client, apps: Sequence[str], state: Path) -> dict[str, dict[str, Any]]:
    """The entry of each app, by its name in the client. Raises `StateError` where `state` can be no folder of one."""
    from servers.kernel import Engine

    Engine.check(state)
    start = command()
    return {PREFIX + app: client.entry([*start, "serve", app, "--state", str(state)]) for app in apps}


def tokens(app: str) -> int:
    """About how many tokens the definitions of an app's tools take in every conversation."""
    from harness.serving.cost import cost
    from servers import catalog

    return cost(catalog.app(app).default).tokens
