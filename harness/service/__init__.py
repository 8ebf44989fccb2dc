"""Sandboxes for programs, over HTTP: create, snapshot, restore, fork, diff, score, delete.

`Client` is all a Python program needs; any other language reads `/v1/openapi.json`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.service.client import Client, RemoteSandbox, ServiceError
    from harness.service.models import NewSandbox

__all__ = ("Client", "NewSandbox", "RemoteSandbox", "ServiceError")


def __getattr__(name: str) -> object:
    """A name of this door, imported when asked for: a server over stdio starts without clients."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{'models' if name == 'NewSandbox' else 'client'}"), name)
