"""The walk through of `docs/agents.md`, done as it is written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "agents.md"


@pytest.mark.slow
def test_the_agent_of_the_page_does_its_task(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## An agent of your own")[2]
    for name, kind in (("agent.py", "python"), ("agent.yaml", "yaml")):
        found = re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL)
        assert found
        (tmp_path / name).write_text(found[1], encoding="utf-8")
    commands = [line.split()[1:] for line in text.splitlines() if line.startswith("harness ")]
    environment = {**os.environ, "PYTHONPATH": str(PAGE.parents[1])}
    said = [
        subprocess.run(
            [sys.executable, "-m", "harness", *arguments],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
        ).stdout
        for arguments in commands
    ]  # fmt: skip

    assert [arguments[0] for arguments in commands] == ["eval", "show"]
    assert "gmail.send_email" in said[1]
    assert "outcome: 1, correct" in said[1]
