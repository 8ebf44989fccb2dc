"""Names of well-known servers and of papers, and which tool of ours stands for each: `servers/NAME/official.py`.

Such a module has `OFFICIAL`, from a server's name to its tools' names and for each `toolset.tool` of ours, or nothing
where we have none; and, for these, `NOT_OFFERED`, from those names to why. An app without one claims nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from servers.kernel import App

__all__ = ("PAPER", "SERVERS", "Official", "official", "problems")

PAPER = "pi"
"""The one name in `OFFICIAL` that is also a toolset: it has the rows of a paper's table, and no others."""

SERVERS: Mapping[str, str] = {
    "google": "Google's own remote servers of Gmail and Calendar",
    "gongrzhe": "GongRzhe's Gmail server",
    "nspady": "nspady's Google Calendar server",
    "doist": "Doist's own Todoist server",
    "hubspot local": "HubSpot's own local server",
    "hubspot remote": "HubSpot's own remote server",
    "reference": "the reference server of the MCP project",
    "slack": "the MCP project's reference server for Slack",
    PAPER: "the table of tools of the paper on pi-Bench",
}
"""Who is behind a name in `OFFICIAL`."""


class Official(NamedTuple):
    """What an app says of the names of others."""

    names: Mapping[str, Mapping[str, str]] = {}
    not_offered: Mapping[str, str] = {}


def official(app: str) -> Official:
    """What `servers.<app>.official` says, nothing if there is no such module."""
    name = f"servers.{app}.official"
    if find_spec(name) is None:
        return Official()
    module = import_module(name)
    return Official(module.OFFICIAL, getattr(module, "NOT_OFFERED", {}))


def problems(app: App, said: Official) -> Iterator[str]:
    """What is not true of it, or left open."""
    for server, names in said.names.items():
        for name, target in names.items():
            if not target:
                if not said.not_offered.get(name, "").strip():
                    yield f"{server}: {name} is offered by no tool, and NOT_OFFERED does not say why"
                continue
            toolset, _, tool = target.partition(".")
            if toolset not in app.toolsets or tool not in app.toolsets[toolset].tools:
                yield f"{server}: {name} is {target}, which {app.name} does not have"
    missing = {name for names in said.names.values() for name, target in names.items() if not target}
    for name in sorted(said.not_offered.keys() - missing):
        yield f"NOT_OFFERED has {name}, which is offered or in no list"
    if PAPER in app.toolsets:
        listed = {target.rpartition(".")[2] for target in said.names.get(PAPER, {}).values()}
        yield from (
            f"{PAPER}: {tool} is no row of the table" for tool in app.toolsets[PAPER].tools if tool not in listed
        )
