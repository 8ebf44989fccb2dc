"""Sandboxes for programs, over HTTP: create, snapshot, restore, fork, diff, score, delete.

`Client` is all a Python program needs; any other language reads `/v1/openapi.json`.
"""

from harness.service.client import Client, RemoteSandbox, ServiceError
from harness.service.models import NewSandbox

__all__ = ("Client", "NewSandbox", "RemoteSandbox", "ServiceError")
