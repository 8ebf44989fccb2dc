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

    assert process.returncode == 130
    assert "stopped; the same command goes on with run" in err
    assert "Traceback" not in err
    assert not alive(pid)
