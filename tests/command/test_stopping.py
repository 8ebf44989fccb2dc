"""A run that is told to stop takes the programs that play along."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from harness.play.stopping import Terminated, terminable, until_told
from harness.serving.host import HttpHost
from tests.command.programs import alive, played, run
from tests.command.test_play import harness

HANG = "import os, signal, sys; open(sys.argv[2], 'w').write(str(os.getpid())); signal.pause()"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send to another process")
def test_a_run_that_is_terminated_ends_its_programs(tmp_path: Path) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    command = json.dumps([sys.executable, "-c", HANG, "{mcp_config}", str(told)])
    config = f"suite: toy\ntasks: [toy-0]\nagents: [{{kind: command, command: {command}}}]\n"
    (tmp_path / "one.yaml").write_text(config)
    with harness("eval", "one.yaml", "--output", "run", folder=tmp_path) as process:
        pid = int(told.read_text())
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)

    assert process.returncode == 143
    assert "stopped; the same command resumes run" in err
    assert "Traceback" not in err
    assert not alive(pid)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send to another process")
def test_a_run_that_is_terminated_while_it_starts_a_program_ends_what_that_has_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, start = tmp_path / "told", anyio.open_process
    os.mkfifo(told)

    async def interrupted(*arguments: Any, **options: Any) -> Any:
        process = await start(*arguments, **options)
        await anyio.to_thread.run_sync(lambda: children.append(int(told.read_text())))
        os.kill(os.getpid(), signal.SIGTERM)
        await anyio.sleep(0.01)  # so that the signal is heard before this is over
        return process

    children: list[int] = []
    monkeypatch.setattr(anyio, "open_process", interrupted)
    command = ["/bin/sh", "-c", f"sleep 300 & echo $! > {told}; wait", "{mcp_config}"]
    with pytest.raises(Terminated):
        run("", tmp_path / "run", command=command)

    assert not alive(*children)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send to another process")
@pytest.mark.timeout(60)
def test_a_run_that_is_terminated_while_it_starts_to_serve_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = HttpHost.run

    @asynccontextmanager
    async def interrupted(host: HttpHost, port: int = 0) -> AsyncIterator[None]:
        os.kill(os.getpid(), signal.SIGTERM)
        async with start(host, port):
            yield

    monkeypatch.setattr(HttpHost, "run", interrupted)
    with pytest.raises(Terminated):
        run("", tmp_path / "run")


@pytest.mark.timeout(60)
def test_a_turn_whose_time_is_up_before_its_apps_are_served_ends_at_that_limit(tmp_path: Path) -> None:
    trajectory = played("", tmp_path / "run", limits={"seconds": 1e-6})

    assert (trajectory.status, trajectory.reason) == ("limit", "limit reached: seconds")


def test_whoever_heard_the_signal_before_a_run_hears_it_after() -> None:
    with terminable():
        before = signal.getsignal(signal.SIGTERM)
        anyio.run(until_told, anyio.lowlevel.checkpoint)

        assert signal.getsignal(signal.SIGTERM) is before
