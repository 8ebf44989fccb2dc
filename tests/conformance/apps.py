"""`harness serve --transport http` as a process, for clients that are none of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from servers import catalog
from tests.conformance.node import ROOT

__all__ = ("ENVIRONMENT", "SERVE", "http_server")

SERVE = (sys.executable, "-m", "harness", "serve")
ENVIRONMENT = {"PYTHONPATH": str(ROOT)}


@contextmanager
def http_server() -> Iterator[str]:
    """The address of a process that serves every app, while the block runs."""
    command = [*SERVE, *catalog.names(), "--transport", "http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **ENVIRONMENT}) as process:
        assert process.stderr is not None
        try:
            address = process.stderr.readline().partition("serving at ")[2].partition(";")[0]
            assert address, process.stderr.read()
            yield address
        finally:
            process.terminate()
