"""A run that is told to stop takes the programs that play along."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.command.programs import alive
from tests.command.test_play import harness

HANG = "import os, signal, sys; open(sys.argv[2], 'w').write(f'{os.getpid()} '); signal.pause()"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no signals to send to another process")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_terminated_ends_its_programs(tmp_path: Path, workers: int) -> None:
    told = tmp_path / "told"
    os.mkfifo(told)
    command = json.dumps([sys.executable, "-c", HANG, "{mcp_config}", str(told)])
    config = f"suite: toy\ntasks: [toy-0]\ntrials: {workers}\nagents: [{{kind: command, command: {command}}}]\n"
    (tmp_path / "one.yaml").write_text(config)
    with harness("eval", "one.yaml", "--output", "run", "--workers", workers, folder=tmp_path) as process:
        pids: list[str] = []
        while len(pids) < workers:
            pids += told.read_text().split()
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)

    assert process.returncode == 130
    assert "stopped; the same command goes on with run" in err
    assert "Traceback" not in err
    assert not any(alive(int(pid)) for pid in pids)
