"""What a recorded call called, through whichever toolset: for checks and metrics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from servers.apis.endpoint import Endpoint
from servers.apis.services import SERVICES

__all__ = ("Called", "called", "flattened")


class Called(NamedTuple):
    """An endpoint and the arguments that it was given. What `endpoint.irreversible` ones do cannot be undone."""

    endpoint: Endpoint
    arguments: Mapping[str, Any]


def called(tool: str, arguments: Mapping[str, Any]) -> Called | None:
    """What a call of one of the app's tools called; None for a tool or an endpoint that does not call anything."""
    if tool == "call_endpoint":
        service, name, given = (arguments.get(key) for key in ("service", "endpoint", "arguments"))
    else:
        service, _, name = tool.partition("_")
        given = arguments
    if not (isinstance(service, str) and isinstance(name, str) and isinstance(given, Mapping)):
        return None
    endpoint = SERVICES[service].endpoints.get(name) if service in SERVICES else None
    return Called(endpoint, given) if endpoint else None


def flattened(called: Called) -> str:
    """The tool of the toolset `flat` that makes the same call with the same arguments."""
    return f"{called.endpoint.service}_{called.endpoint.name}"
