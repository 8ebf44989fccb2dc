"""Small external programs for the command agent, and a run of one over the toy suite."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from harness.core.config import RunConfig
from harness.play.run import evaluate
from harness.record.store import Run
from harness.suite import Suite
from harness.trajectory import Process, Trajectory
from harness.wiring import Wired
from tests.harness import toy

ROOT = Path(__file__).parents[2]

# A call as a client of the older protocol makes it: one POST, no session, no library.
CALL = """
import json, sys, urllib.request
def call(tool, arguments):
    url = json.load(open(sys.argv[1]))["mcpServers"]["projects"]["url"]
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    return json.load(urllib.request.urlopen(request, timeout=20))["result"]
"""

MOVE = '{"task_id": "00000000", "field": "list_name", "new_value": "In Progress"}'
"""What the first toy task asks for."""

# Forks twice and leaves its session, so that the last one has no parent of ours; then all three hang.
DAEMON = """
import os, signal, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(1, b"daemon ")
    signal.pause()
signal.pause()
"""


class ToyWired(Wired):
    """The real wiring, over the toy suite."""

    def suite(self, name: str, scale: int = 1) -> Suite:
        return toy.suite([toy.task(0)])


def config(program: str, *, limits: dict[str, Any] | None = None, **agent: Any) -> RunConfig:
    command = {"kind": "command", "command": [sys.executable, "-c", program, "{mcp_config}"], **agent}
    return RunConfig.model_validate({"suite": "toy", "agents": [command], "limits": limits or {"seconds": 60}})


def run(program: str, folder: Path, **changes: Any) -> Run:
    return evaluate(config(program, **changes), toy.suite([toy.task(0)]), ToyWired(), folder)


def played(program: str, folder: Path, **changes: Any) -> Trajectory:
    """The one trial of a program on the first toy task: move job 0 to In Progress."""
    (record,) = run(program, folder, **changes).records()
    return record.trajectory


def process(trajectory: Trajectory) -> Process:
    (found,) = [message.process for message in trajectory.messages if message.process]
    return found


def alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


@contextmanager
def started(script: str, *arguments: object, folder: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A script of ours in a process with pipes, ended with the block."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    with subprocess.Popen(
        command, cwd=folder, env=environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()
