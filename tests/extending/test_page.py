"""`docs/extending.md`, done as it says: its files written, its commands run, in order, in an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.extending.page import BLOCKS, ROOT


@pytest.mark.slow
def test_the_page_works_as_written(tmp_path: Path, site: Path) -> None:
    here, tools = tmp_path / "here", tmp_path / "bin"
    here.mkdir()
    tools.mkdir()
    program(tools / "harness", "-m", "harness")
    program(tools / "pytest", "-m", "pytest", "-p", "no:cacheprovider")
    program(tools / "pip", str(Path(__file__).with_name("install.py")), str(site))
    path = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": f"{ROOT}{os.pathsep}{site}"}
    said, steps = "", 0
    for file, language, text in BLOCKS:
        if file:
            assert (here / file).parent.is_dir(), f"nothing before it makes the folder of {file}"
            (here / file).write_text(text, encoding="utf-8")
        elif language == "bash":
            done = subprocess.run(
                ["bash", "-eu", "-c", text],
                cwd=here,
                env={**os.environ, **path},
                capture_output=True,
                text=True,
                check=False,
            )
            said = done.stdout
            assert done.returncode == 0, f"{text}{done.stdout}{done.stderr}"
        else:
            assert language == "text", f"a block that is neither a file, a command nor an output: {text}"
            assert " ".join(text.split()) in " ".join(said.split())  # columns are as wide as the longest name
        steps += 1

    assert steps >= 12
    assert sorted(each.name for each in here.glob("[!.]*")) == ["hr", "hr-leave", "runs", "test_agent.py"]


def program(path: Path, *arguments: str) -> None:
    """A command of that name that runs this Python with these arguments before its own."""
    words = " ".join(f"'{word}'" for word in (sys.executable, *arguments))
    path.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    path.chmod(0o755)
