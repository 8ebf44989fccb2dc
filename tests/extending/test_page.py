"""Pages of `docs/` done as they say: their files written, their commands run, in order, in an empty folder.

Where the page has somebody do a job in a client, a scripted one does it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client

from tests.extending.page import ROOT, blocks

PAGES = {
    "extending": {"hr", "hr-leave", "runs", "test_agent.py"},
    "suites": {"team-jobs", "jobs.yaml", "played", "anna.csv"},
    "asking": {"meetings", "ask.py", "question.jsonl", "agent.py", "asking.yaml", "run"},
    "your-model": {"mine.yaml", "replies.jsonl", "url.txt", "stub.log", "pid.txt", "run", "trials.csv", "figures.json"},
}
"""What each page leaves in the folder."""


@pytest.mark.slow
@pytest.mark.timeout(900)  # two dozen programs in a row
@pytest.mark.parametrize("page", PAGES)
def test_the_page_works_as_written(page: str, tmp_path: Path, site: Path) -> None:
    here, tools = tmp_path / "here", tmp_path / "bin"
    here.mkdir()
    tools.mkdir()
    program(tools / "python")
    program(tools / "harness", "-m", "harness")
    program(tools / "pytest", "-m", "pytest", "-p", "no:cacheprovider")
    program(tools / "pip", str(Path(__file__).with_name("install.py")), str(site))
    path = {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": f"{ROOT}{os.pathsep}{site}"}
    said, steps = "", 0
    with ended_with(here):
        for file, language, text in blocks(page):
            if file:
                assert (here / file).parent.is_dir(), f"nothing before it makes the folder of {file}"
                (here / file).write_text(text, encoding="utf-8")
            elif language == "bash":
                with subprocess.Popen(
                    ["bash", "-eu", "-c", text], cwd=here, env={**os.environ, **path}, text=True,
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                ) as process:  # fmt: skip
                    if text.startswith("harness capture"):
                        anyio.run(at_work, url_of(process))
                    said, problem = process.communicate("\n")
                assert process.returncode == 0, f"{text}{said}{problem}"
            else:
                assert language == "text", f"a block that is neither a file, a command nor an output: {text}"
                assert " ".join(text.split()) in " ".join(said.split())  # columns are as wide as the longest name
            steps += 1

    assert steps >= 12
    there = {each.name for each in here.glob("[!.]*")} - {"__pycache__"}  # Python's own, where it writes byte code
    assert there == PAGES[page]


@contextmanager
def ended_with(here: Path) -> Iterator[None]:
    """What a page starts in the background it stops itself, unless it fails before."""
    try:
        yield
    except BaseException:
        for file in here.glob("pid.txt"):
            with suppress(ProcessLookupError):
                os.kill(int(file.read_text(encoding="utf-8")), signal.SIGTERM)
        raise


def url_of(process: subprocess.Popen[str]) -> str:
    """Where the one app of a sandbox is served, as the command says it."""
    assert process.stdout
    for line in process.stdout:
        if line.startswith("  hr "):
            return line.split()[1]
    raise AssertionError(process.stderr and process.stderr.read())


async def at_work(url: str) -> None:
    """What the page says that somebody did."""
    async with Client(url) as hr:
        found = await hr.call_tool("find_employees", {"name": "Jonas"})
        assert found.structured_content
        jonas = found.structured_content["result"][0]["id"]
        leave = await hr.call_tool("request_leave", {"employee_id": jonas, "first_day": "2025-06-16", "days": 1})
        assert leave.structured_content
        await hr.call_tool("decide_leave", {"leave_id": leave.structured_content["id"], "decision": "approved"})


def program(path: Path, *arguments: str) -> None:
    """A command of that name that runs this Python with these arguments before its own."""
    words = " ".join(f"'{word}'" for word in (sys.executable, *arguments))
    path.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    path.chmod(0o755)
