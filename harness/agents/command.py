"""The agent that is somebody else's program: any MCP client, started once per session."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import anyio
from anyio.abc import ByteReceiveStream, Process

from harness import isolation
from harness.agents.talking import system_message
from harness.core import trajectory
from harness.core.agent_config import PLACEHOLDERS
from harness.core.config import CommandConfig
from harness.core.desk import AgentFailed, Desk
from harness.core.trajectory import Message
from harness.serving.offer import client_config, offered

__all__ = ("CommandAgent", "last_said")

OUTPUT = 200_000
"""Bytes of each stream that are kept: the first half and the last."""

_LAST_WORDS = 5
"""Seconds to read what is left in the pipes once all has ended; only a process that got away would hold them open."""

_PLACEHOLDER = re.compile(rf"\{{({'|'.join(PLACEHOLDERS)})\}}")

_DRAWN = re.compile(r"\s*[|+][\s|+-]*")
"""What stands before each line of a traceback of an exception group, and is all of its last line."""


class CommandAgent:
    """Runs the configured program on each session's request; what it prints is what it says.

    It finds the apps through an MCP client config, starts in an empty folder with an empty HOME, and has
    ended, with all it started, when the turn has. An exit status other than 0 raises `AgentFailed`. Of the budgets
    only time and tool calls can be held: what its model spends is not seen here.
    """

    def __init__(self, config: CommandConfig) -> None:
        self._config = config

    async def turn(self, desk: Desk, message: str) -> str:
        system = system_message(desk, "system.j2")
        shown = any("{system}" in part for part in self._config.command)
        if shown:
            desk.say(system)
        desk.say(Message(session=desk.session, role="user", content=message))
        with tempfile.TemporaryDirectory(prefix=isolation.folder_prefix(), ignore_cleanup_errors=True) as name:
            folder = Path(name)
            async with offered(desk) as urls:
                given = _prepare(folder, urls, message, system.content)
                isolation.hand_over(self._config, folder)
                said = await self._run(desk, folder, given)
        process = said.process
        if process is None or process.exit != 0:
            status = process.exit if process else None
            last = last_said(process.stderr) if process else ""
            raise AgentFailed(f"the program ended with status {status}: {last[:300] or 'nothing on standard error'}")
        return said.content.strip()

    async def _run(self, desk: Desk, folder: Path, given: Mapping[str, str]) -> Message:
        """Run the program to its end, or kill it when the turn is cancelled; either way it is on record."""
        command = [_PLACEHOLDER.sub(lambda found: given[found[1]], part) for part in self._config.command]
        named = any(f"{{{name}}}" in part for part in self._config.command for name in ("request", "request_file"))
        isolation.watch(self._config, folder)
        with anyio.CancelScope(shield=True):  # cancelled half-way, nobody would know what it has started
            process = await anyio.open_process(
                isolation.argv(self._config, command, folder),
                stdin=subprocess.DEVNULL if named else subprocess.PIPE,
                cwd=folder / "work",
                env=isolation.environment(self._config, folder),
                start_new_session=True,
            )
        isolation.watch(self._config, folder, process.pid)
        out, err = _Kept(), _Kept()
        killed, status = 0, None
        try:
            async with anyio.create_task_group() as readers:
                readers.start_soon(out.read, process.stdout)
                readers.start_soon(err.read, process.stderr)
                try:
                    if process.stdin:
                        await _tell(process, given["request"])
                    status = await process.wait()
                finally:
                    with anyio.CancelScope(shield=True):
                        killed = await isolation.end(self._config, process.pid, folder)
                        await process.wait()
                    readers.cancel_scope.deadline = anyio.current_time() + _LAST_WORDS
        finally:
            with anyio.CancelScope(shield=True):
                await process.aclose()
            said = Message(
                session=desk.session,
                role="assistant",
                content=out.text,
                process=trajectory.Process(
                    isolation=self._config.isolation,
                    exit=status,
                    stderr=err.text,
                    killed=killed,
                    cut=out.cut + err.cut,
                ),
            )
            desk.say(said)
        return said


def last_said(stream: str) -> str:
    """The last line that says something: of a group of exceptions the last one's, without the lines drawn around it."""
    lines = (_DRAWN.sub("", line).strip() for line in reversed(stream.splitlines()))
    return next((line for line in lines if any(map(str.isalnum, line))), "")


def _prepare(folder: Path, urls: Mapping[str, str], request: str, system: str) -> dict[str, str]:
    """Lay out the program's folder; what each placeholder stands for."""
    for name in ("work", "home", "tmp", "given", "empty"):
        (folder / name).mkdir()
    config, asked = folder / "given" / "mcp.json", folder / "given" / "request.txt"
    config.write_text(json.dumps(client_config(urls), indent=2), encoding="utf-8")
    asked.write_text(request, encoding="utf-8")
    return {
        "mcp_config": str(config), "request_file": str(asked), "request": request, "system": system,
        "python": sys.executable,
    }  # fmt: skip


async def _tell(process: Process, request: str) -> None:
    assert process.stdin
    try:
        await process.stdin.send(request.encode())
        await process.stdin.aclose()
    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
        return  # it ended, or closed its input, without reading: its own choice


class _Kept:
    """The start and the end of what a stream held."""

    def __init__(self) -> None:
        self._head, self._tail, self._left_out = b"", b"", 0

    async def read(self, stream: ByteReceiveStream | None) -> None:
        assert stream
        half = OUTPUT // 2
        async for chunk in stream:
            room = half - len(self._head)
            self._head += chunk[:room] if room > 0 else b""
            self._tail += chunk[max(room, 0) :]
            self._left_out += max(len(self._tail) - half, 0)
            self._tail = self._tail[-half:]

    @property
    def cut(self) -> int:
        return self._left_out

    @property
    def text(self) -> str:
        gap = f"\n[... {self._left_out} bytes left out ...]\n".encode() if self._left_out else b""
        return (self._head + gap + self._tail).decode("utf-8", "replace")
