"""A script in `terminal` beside the same one in bashkit alone, over 150 files: what rows, child and comparing cost.

python -m tests.bench --only shell
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from servers.kernel import Engine, World
from servers.kernel.shell.bash import run
from servers.terminal import app
from servers.terminal.nodes import LIMITS, files
from tests.bench.timing import Figure, timed, timed_in_turn

__all__ = ("figures",)

HOME = "/workspace"
NODES = 150
SCRIPTS = {"reads": "grep -c line */*.txt | sort | head -3", "writes": "echo $((x + 1)) >> d3/new.txt"}
AIM = 5.0


def _rows() -> list[dict[str, str]]:
    folders = [{"id": f"{HOME}/d{number}", "kind": "directory"} for number in range(10)]
    texts = [
        {"id": f"{HOME}/d{number % 10}/f{number}.txt", "content": f"line {number}\n" * 100}
        for number in range(NODES - len(folders))
    ]
    return [*folders, *texts]


def figures() -> Iterator[Figure]:
    """A call of `run_shell` and one of bashkit's in this process, in turn, and the difference."""
    from bashkit import Bash

    engine = Engine()
    layer = engine.layer(engine.load(World("shell", datetime(2024, 3, 11, 9, 30), {app.name: {"nodes": _rows()}})))
    state, tool = layer.state(app), app.default.tool("run_shell")
    conditions = f"terminal: {NODES} nodes, a script that reads or writes; bashkit: the same script in one kept shell"
    found = state.derived(files)
    alone = Bash(
        cwd=HOME, files={path: node["content"] for path, node in found.nodes.items() if node["kind"] == "file"}
    )
    for what, script in SCRIPTS.items():
        theirs, ours = timed_in_turn(
            lambda _, script=script: alone.execute_sync(script),  # type: ignore[misc]
            lambda _, script=script: tool.call(state, {"script": script}),  # type: ignore[misc]
        )
        yield ours.figure(f"run_shell, {what}", conditions)
        yield theirs.figure(f"bashkit alone, {what}", conditions)
        yield Figure(f"above bashkit, {what}", conditions, ours.median - theirs.median, "ms", "", f"{AIM:g} ms")
    request = {"key": found.key, "now": state.now.isoformat(), "nodes": found.nodes, "limits": LIMITS}
    told = timed(lambda _: run({**request, "key": "", "script": "true"}), times=40)
    yield told.figure("a state told anew and compared, in this process", conditions)
    layer.close()
    engine.close()
